//! Compiles the kernels to PTX and writes `ptx.rs`: the modules this build holds and where they came from. It is the build
//! script of `host/device`, the crate that holds them.

use cuda_builder::{Compiler, CudaBuilder, Outcome, Target, digest, keep, obtain};
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Two modules: one for everything from Turing on, one that may use what Hopper and later have.
const TARGETS: [Target; 2] = [
    Target { floor: 75, ptx: "ptx63", cfgs: &[] },
    Target { floor: 90, ptx: "ptx80", cfgs: &["warp_reduce", "packed_arithmetic"] },
];

fn main() -> Result<(), Box<dyn Error>> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo sets CARGO_MANIFEST_DIR")?;
    let root = Path::new(&package).join("../..").canonicalize()?;
    let kernels = root.join("gpu");
    println!("cargo::rerun-if-changed={}", root.join("build.rs").display());
    println!("cargo::rerun-if-changed={}", kernels.display());
    let settings = [Compiler::SETTING, "WARPSEQ_KEEP_PTX", "WARPSEQ_CHECKED_PTX", "WARPSEQ_LINE_TABLES"];
    settings.iter().for_each(|name| println!("cargo::rerun-if-env-changed={name}"));

    let on = |name: &str| std::env::var_os(name).is_some_and(|v| v == "1");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let builder = CudaBuilder::new(kernels.clone(), cache(&out))
        .debug_assertions(on("WARPSEQ_CHECKED_PTX"))
        .line_tables(on("WARPSEQ_LINE_TABLES"));
    let kept_in = &kernels.join("ptx");
    let outcome = obtain(&builder, Compiler::find().as_ref(), &TARGETS, kept_in)?;
    let (texts, origin) = match &outcome {
        Outcome::Built(texts) => (texts.as_slice(), "built"),
        Outcome::Prebuilt(texts, why) => {
            println!("cargo::warning=kernels: prebuilt, because {why}");
            (texts.as_slice(), "prebuilt")
        }
        Outcome::CpuOnly(why) => {
            println!("cargo::warning=kernels: none, so this build runs on the CPU only, because {why}");
            (&[][..], "none")
        }
    };
    if on("WARPSEQ_KEEP_PTX") {
        if origin != "built" {
            return Err("WARPSEQ_KEEP_PTX asks for freshly built kernels, and this machine cannot build them".into());
        }
        keep(kept_in, &TARGETS, texts, &digest(&kernels)?)?;
    }
    write_modules(&out, texts, origin)
}

/// Beside the profile folders of the target folder, shared by all profiles. `OUT_DIR` is
/// `<target>/<profile>/build/<package>/out`.
fn cache(out: &Path) -> PathBuf {
    out.ancestors().nth(4).unwrap_or(out).join("cuda")
}

fn write_modules(out: &Path, texts: &[String], origin: &str) -> Result<(), Box<dyn Error>> {
    let mut code = format!("pub const ORIGIN: &str = {origin:?};\npub const MODULES: &[Ptx] = &[\n");
    for (target, text) in TARGETS.iter().zip(texts) {
        let name = format!("{}.ptx", target.arch());
        std::fs::write(out.join(&name), text)?;
        let include = format!("include_str!(concat!(env!(\"OUT_DIR\"), \"/{name}\"))");
        writeln!(code, "    Ptx {{ floor: {}, text: {include} }},", target.floor)?;
    }
    code += "];\n";
    Ok(std::fs::write(out.join("ptx.rs"), code)?)
}
