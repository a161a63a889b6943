//! The compiler that builds the kernels: the first one that comes with the sources of `core`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A rustc, its cargo, and the sources of its `core`.
#[derive(Clone, Debug)]
pub struct Compiler {
    pub(crate) rustc: PathBuf,
    pub(crate) cargo: PathBuf,
    pub(crate) core: PathBuf,
    /// What `rustc -vV` prints; it tells compilers apart.
    pub(crate) version: String,
}

impl Compiler {
    /// The environment variable that names a rustc to use before any other, or `none` for no compiler at all.
    pub const SETTING: &str = "CUDA_BUILDER_RUSTC";

    /// What it calls itself, such as `rustc 1.95.0 (a1b2c3d4e 2026-04-14)`.
    pub fn name(&self) -> &str {
        self.version.lines().next().unwrap_or_default()
    }

    /// The first of these that has the sources of `core`: the rustc named by [`Compiler::SETTING`], the active
    /// toolchain's, and Debian's (`rustc-web` with `rust-web-src`).
    pub fn find() -> Option<Self> {
        let setting = std::env::var(Self::SETTING).unwrap_or_default();
        if setting == "none" {
            return None;
        }
        let active = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
        let candidates = [setting.as_str(), active.as_str(), "/usr/bin/rustc"];
        candidates.iter().filter(|c| !c.is_empty()).find_map(|c| Self::at(Path::new(c)))
    }

    /// The compiler at `rustc`, if it runs and has the sources of `core`.
    pub fn at(rustc: &Path) -> Option<Self> {
        let sysroot = PathBuf::from(ask(rustc, &["--print", "sysroot"])?.trim());
        let core = sysroot.join("lib/rustlib/src/rust/library/core/src/lib.rs");
        let version = ask(rustc, &["-vV"])?;
        let beside = sysroot.join("bin/cargo");
        let cargo = if beside.is_file() { beside } else { rustc.with_file_name("cargo") };
        core.is_file().then_some(Self { rustc: sysroot.join("bin/rustc"), cargo, core, version })
    }
}

fn ask(rustc: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new(rustc).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
