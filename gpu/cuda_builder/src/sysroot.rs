//! A private sysroot that holds `core` for the GPU.
//!
//! `core` is compiled once per compiler, for the oldest architecture. That is enough: kernels use only inline functions
//! of `core`, which are instantiated in the kernel crate for its own architecture.

use crate::builder::{BuildError, run};
use crate::{Compiler, digest};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) const TRIPLE: &str = "nvptx64-nvidia-cuda";

/// Every dependency graph names `compiler_builtins`, but kernels use nothing of it.
const COMPILER_BUILTINS: &str = "#![feature(no_core, compiler_builtins)]\n#![no_core]\n#![compiler_builtins]\n";

/// The sysroot of `compiler` under `cache`. It is compiled if it is not there yet.
pub(crate) fn sysroot(compiler: &Compiler, cache: &Path) -> Result<PathBuf, BuildError> {
    let root = cache.join(format!("sysroot-{:016x}", digest::fnv1a(compiler.version.as_bytes())));
    let complete = root.join("complete");
    if complete.is_file() {
        return Ok(root);
    }
    let libraries = root.join("lib/rustlib").join(TRIPLE).join("lib");
    std::fs::create_dir_all(&libraries).map_err(|e| BuildError::file("create", &libraries, e))?;
    let stub = root.join("compiler_builtins.rs");
    std::fs::write(&stub, COMPILER_BUILTINS).map_err(|e| BuildError::file("write", &stub, e))?;
    library(compiler, &compiler.core, "core", &root)?;
    library(compiler, &stub, "compiler_builtins", &root)?;
    std::fs::write(&complete, &compiler.version).map_err(|e| BuildError::file("write", &complete, e))?;
    Ok(root)
}

fn library(compiler: &Compiler, source: &Path, name: &str, root: &Path) -> Result<(), BuildError> {
    let target = root.join("lib/rustlib").join(TRIPLE).join("lib").join(format!("lib{name}.rlib"));
    let mut command = Command::new(&compiler.rustc);
    command.env("RUSTC_BOOTSTRAP", "1").arg(source).args(["--crate-name", name, "--crate-type", "rlib"]);
    command.args(["--edition", "2024", "--target", TRIPLE, "--cap-lints", "allow", "--sysroot"]).arg(root);
    command.args(["-Cpanic=abort", "-Cembed-bitcode=yes", "-Copt-level=3", "-Ctarget-cpu=sm_75"]);
    command.args(["-Zforce-unstable-if-unmarked", "-o"]).arg(target);
    run(command, &format!("compiling {name} for {TRIPLE}"))
}
