//! Compiles the kernels to PTX, cuts it into a module for each engine, assembles these where there is a ptxas, and writes
//! `ptx.rs`: the modules this build holds and where they came from. It is the build script of `host/device`, the crate that holds
//! them.

use cuda_builder::{Assembler, Compiler, CudaBuilder, Outcome, Target, digest, keep, obtain, split};
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Two texts: one for everything from Turing on, one that may use what Hopper and later have.
const TARGETS: [Target; 2] = [
    Target { floor: 75, ptx: "ptx63", cfgs: &[] },
    Target { floor: 90, ptx: "ptx80", cfgs: &["warp_reduce", "packed_arithmetic"] },
];

/// A text is cut into a module for each engine: what the names of its kernels begin with.
const ENGINES: [&str; 3] = ["scan_", "align_", "sign_"];

/// The architectures with machine code: A100; A10 and RTX 30; L4 and RTX 40; H100 and H200; B200; RTX 50. It runs on later ones
/// of the same major number.
const ASSEMBLED: [u32; 6] = [80, 86, 89, 90, 100, 120];

fn main() -> Result<(), Box<dyn Error>> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo sets CARGO_MANIFEST_DIR")?;
    let root = Path::new(&package).join("../..").canonicalize()?;
    let kernels = root.join("gpu");
    println!("cargo::rerun-if-changed={}", root.join("build.rs").display());
    println!("cargo::rerun-if-changed={}", kernels.display());
    let settings =
        [Compiler::SETTING, Assembler::SETTING, "WARPSEQ_KEEP_PTX", "WARPSEQ_CHECKED_PTX", "WARPSEQ_LINE_TABLES"];
    settings.iter().chain(&Assembler::TOOLKITS).for_each(|name| println!("cargo::rerun-if-env-changed={name}"));

    let on = |name: &str| std::env::var_os(name).is_some_and(|v| v == "1");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let builder = CudaBuilder::new(kernels.clone(), cache(&out))
        .debug_assertions(on("WARPSEQ_CHECKED_PTX"))
        .line_tables(on("WARPSEQ_LINE_TABLES"));
    let kept_in = &kernels.join("ptx");
    let compiler = Compiler::find();
    let outcome = obtain(&builder, compiler.as_ref(), &TARGETS, kept_in)?;
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
    let mut modules = modules(texts)?;
    // The driver's own compiler keeps the line tables that profilers read.
    if let Some(assembler) = Assembler::find(&in_venv(&root))?.filter(|_| !on("WARPSEQ_LINE_TABLES")) {
        assemble(&mut modules, &assembler, &cache(&out).join("cubin"))?;
    }
    let builder = compiler.as_ref().filter(|_| origin == "built").map_or("", Compiler::name);
    write_modules(&out, &modules, origin, builder)
}

/// Beside the profile folders of the target folder, shared by all profiles. `OUT_DIR` is
/// `<target>/<profile>/build/<package>/out`.
fn cache(out: &Path) -> PathBuf {
    out.ancestors().nth(4).unwrap_or(out).join("cuda")
}

/// Where `make setup` puts a ptxas: `.venv/lib/python3.11/site-packages/nvidia/cu13/bin`, for any Python and any CUDA.
fn in_venv(root: &Path) -> Vec<PathBuf> {
    let entries = |folder: PathBuf| folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let toolkits = entries(root.join(".venv/lib")).flat_map(|python| entries(python.join("site-packages/nvidia")));
    toolkits.map(|toolkit| toolkit.join("bin/ptxas")).filter(|program| program.is_file()).collect()
}

/// The kernels of one engine for one target.
struct Module {
    engine: &'static str,
    floor: u32,
    text: String,
    /// Machine code, and the architecture that it is for.
    machine_code: Vec<(u32, Vec<u8>)>,
}

impl Module {
    fn name(&self) -> String {
        format!("{}sm_{}", self.engine, self.floor)
    }
}

fn modules(texts: &[String]) -> Result<Vec<Module>, Box<dyn Error>> {
    let mut modules = Vec::new();
    for (Target { floor, .. }, text) in TARGETS.iter().zip(texts) {
        for (engine, text) in ENGINES.iter().zip(split(text, &ENGINES)?) {
            modules.push(Module { engine, floor: *floor, text, machine_code: Vec::new() });
        }
    }
    Ok(modules)
}

/// Assembles each architecture's modules, those of the greatest floor that it has, on all processors. One that this ptxas cannot
/// assemble has none, with a warning: the driver compiles the PTX then.
fn assemble(modules: &mut [Module], assembler: &Assembler, cache: &Path) -> Result<(), Box<dyn Error>> {
    let floor = |architecture| TARGETS.iter().map(|target| target.floor).filter(|&floor| floor <= architecture).max();
    let pairs = ASSEMBLED.iter().flat_map(|&architecture| (0..modules.len()).map(move |at| (at, architecture)));
    let works: Vec<_> = pairs.filter(|&(at, architecture)| Some(modules[at].floor) == floor(architecture)).collect();
    let texts: Vec<&str> = modules.iter().map(|module| module.text.as_str()).collect();
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(&(at, architecture)) = works.get(next.fetch_add(1, Ordering::Relaxed)) {
            let code = assembler.assemble(texts[at], architecture, cache);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((architecture, at, code));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|&(architecture, at, _)| (architecture, at));
    for (architecture, at, code) in done {
        match code {
            Ok(code) => modules[at].machine_code.push((architecture, code)),
            Err(why) => {
                let why = why.to_string().replace('\n', " ");
                let module = modules[at].name();
                println!("cargo::warning=kernels: no machine code of {module} for sm_{architecture}, because {why}");
            }
        }
    }
    Ok(())
}

fn write_modules(out: &Path, modules: &[Module], origin: &str, builder: &str) -> Result<(), Box<dyn Error>> {
    let mut code = format!("pub const ORIGIN: &str = {origin:?};\npub const BUILDER: &str = {builder:?};\n");
    code += "pub static MODULES: &[Ptx] = &[\n";
    let path = |name: &str| format!("concat!(env!(\"OUT_DIR\"), \"/{name}\")");
    for module in modules {
        let (name, Module { engine, floor, .. }) = (module.name(), module);
        std::fs::write(out.join(format!("{name}.ptx")), &module.text)?;
        let text = path(&format!("{name}.ptx"));
        writeln!(code, "    Ptx {{ kernels: {engine:?}, floor: {floor}, text: include_str!({text}), machine_code: &[")?;
        for (architecture, bytes) in &module.machine_code {
            let name = format!("{name}-sm_{architecture}.cubin");
            std::fs::write(out.join(&name), bytes)?;
            let image = format!("&Image(*include_bytes!({}))", path(&name));
            writeln!(code, "        MachineCode {{ architecture: {architecture}, image: {image} }},")?;
        }
        code += "    ] },\n";
    }
    code += "];\n";
    Ok(std::fs::write(out.join("ptx.rs"), code)?)
}
