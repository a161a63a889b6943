//! The inner cargo: a kernel crate in, one PTX text out.

use crate::sysroot::{TRIPLE, sysroot};
use crate::{Compiler, Target};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fmt, fs, io};

/// Builds a kernel crate. That is an ordinary library; the builder compiles it as a `cdylib`.
pub struct CudaBuilder {
    crate_root: PathBuf,
    cache: PathBuf,
    debug_assertions: bool,
    line_tables: bool,
}

impl CudaBuilder {
    /// A builder for the crate at `crate_root`. It keeps its sysroot and its inner target folder under `cache`. That
    /// must not be the outer cargo's target folder: each cargo would wait for the other's lock.
    pub fn new(crate_root: impl Into<PathBuf>, cache: impl Into<PathBuf>) -> Self {
        Self { crate_root: crate_root.into(), cache: cache.into(), debug_assertions: false, line_tables: false }
    }

    /// Makes the kernels check every index and every arithmetic overflow on the device.
    pub fn debug_assertions(mut self, on: bool) -> Self {
        self.debug_assertions = on;
        self
    }

    /// Tells profilers which source line each instruction came from.
    pub fn line_tables(mut self, on: bool) -> Self {
        self.line_tables = on;
        self
    }

    pub(crate) fn crate_root(&self) -> &Path {
        &self.crate_root
    }

    /// Compiles the crate for `target` and returns the PTX text.
    ///
    /// Only one build at a time uses the cache, even among processes.
    pub fn build(&self, compiler: &Compiler, target: &Target) -> Result<String, BuildError> {
        let _lock = self.lock()?;
        let sysroot = sysroot(compiler, &self.cache)?;
        let inner = self.cache.join(target.arch());
        let outputs = inner.join(TRIPLE).join("release/deps");
        remove_assembly(&outputs)?;
        run(self.command(compiler, target, &sysroot, &inner), &format!("compiling the kernels for {}", target.arch()))?;
        let path = only_assembly(&outputs)?;
        fs::read_to_string(&path).map(|text| bounded(&text)).map_err(|e| BuildError::file("read", &path, e))
    }

    /// Locks the cache until the result is dropped.
    fn lock(&self) -> Result<fs::File, BuildError> {
        let path = self.cache.join("lock");
        fs::create_dir_all(&self.cache).map_err(|e| BuildError::file("create", &self.cache, e))?;
        let file = fs::File::create(&path).map_err(|e| BuildError::file("create", &path, e))?;
        file.lock().map_err(|e| BuildError::file("lock", &path, e))?;
        Ok(file)
    }

    fn command(&self, compiler: &Compiler, target: &Target, sysroot: &Path, inner: &Path) -> Command {
        let mut command = Command::new(&compiler.cargo);
        for (name, _) in std::env::vars_os() {
            let n = name.to_string_lossy();
            let of_outer =
                n.starts_with("CARGO") && n != "CARGO_HOME" || n.starts_with("RUSTC") || n.starts_with("RUSTDOC");
            if of_outer || matches!(&*n, "RUSTFLAGS" | "RUSTUP_TOOLCHAIN" | "LD_LIBRARY_PATH") {
                command.env_remove(&name);
            }
        }
        let profile =
            [("LTO", "fat"), ("CODEGEN_UNITS", "1"), ("PANIC", "abort"), ("OPT_LEVEL", "3"), ("STRIP", "none")];
        command.envs(profile.map(|(name, value)| (format!("CARGO_PROFILE_RELEASE_{name}"), value)));
        command.env("RUSTC_BOOTSTRAP", "1").env("RUSTC", &compiler.rustc).env("RUSTFLAGS", self.flags(target, sysroot));
        command.args(["rustc", "--release", "--quiet", "--locked", "--target", TRIPLE, "--target-dir"]).arg(inner);
        command.args(["--crate-type", "cdylib", "--manifest-path"]).arg(self.crate_root.join("Cargo.toml"));
        command.args(["--", "--emit=asm"]);
        command
    }

    /// The flags are in RUSTFLAGS, since nothing else reaches every crate. Jump threading is off because it copies
    /// collectives into both arms of a branch. The linker does nothing, since the PTX is the product.
    fn flags(&self, target: &Target, sysroot: &Path) -> String {
        let mut flags = format!(
            "--sysroot={} -Clinker=true -Ctarget-cpu={} -Ctarget-feature=+{} -Zmir-enable-passes=-JumpThreading --cap-lints=warn",
            sysroot.display(),
            target.arch(),
            target.ptx
        );
        for cfg in target.cfgs {
            flags += &format!(" --cfg {cfg}");
        }
        if self.debug_assertions {
            flags += " -Cdebug-assertions";
        }
        if self.line_tables {
            flags += " -Cdebuginfo=line-directives-only";
        }
        flags
    }
}

/// What a kernel says of its blocks (`cuda_std::thread::at_most`), in a comment in its body, as a directive before it. rustc has no
/// attribute for that.
fn bounded(ptx: &str) -> String {
    let (mut lines, mut body) = (Vec::new(), 0);
    for line in ptx.lines() {
        match line.trim_start().strip_prefix("// .maxntid ") {
            Some(threads) => lines.insert(body, format!(".maxntid {threads}")),
            None => lines.push(line.to_owned()),
        }
        if line == "{" {
            body = lines.len() - 1;
        }
    }
    lines.join("\n") + "\n"
}

fn assembly(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    entries.filter(|p| p.extension().is_some_and(|e| e == "s")).collect()
}

/// Removes old outputs: one would be taken for the new one, or for a second one.
fn remove_assembly(folder: &Path) -> Result<(), BuildError> {
    let old = assembly(folder);
    if !old.is_empty() {
        // With its fingerprint but without the file, cargo would call the crate fresh and write nothing.
        let fingerprints = folder.with_file_name(".fingerprint");
        fs::remove_dir_all(&fingerprints).map_err(|e| BuildError::file("remove", &fingerprints, e))?;
    }
    old.iter().try_for_each(|path| fs::remove_file(path).map_err(|e| BuildError::file("remove", path, e)))
}

fn only_assembly(folder: &Path) -> Result<PathBuf, BuildError> {
    match assembly(folder).as_slice() {
        [one] => Ok(one.clone()),
        several => Err(BuildError(format!("expected one PTX module in {}, found {}", folder.display(), several.len()))),
    }
}

pub(crate) fn run(mut command: Command, what: &str) -> Result<(), BuildError> {
    let output =
        command.output().map_err(|e| BuildError(format!("{what}: cannot run {:?}: {e}", command.get_program())))?;
    if output.status.success() {
        return Ok(());
    }
    Err(BuildError(format!("{what} failed\n{}", String::from_utf8_lossy(&output.stderr))))
}

/// Why there is no PTX, or no machine code.
#[derive(Debug)]
pub struct BuildError(String);

impl BuildError {
    pub(crate) fn new(why: String) -> Self {
        Self(why)
    }

    pub(crate) fn file(action: &str, path: &Path, error: io::Error) -> Self {
        Self(format!("cannot {action} {}: {error}", path.display()))
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BuildError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_blocks_become_directives() {
        let ptx =
            ".visible .entry a(\n)\n{\n\tret;\n}\n.visible .entry b(\n)\n{\n\t// begin\n\t// .maxntid 512\n\tret;\n}\n";
        let expected =
            ".visible .entry a(\n)\n{\n\tret;\n}\n.visible .entry b(\n)\n.maxntid 512\n{\n\t// begin\n\tret;\n}\n";
        assert_eq!(bounded(ptx), expected);
    }
}
