//! From a kernel crate to PTX, with rustc's own NVPTX backend.
//!
//! The published `cuda_builder` drives a 2021 nightly, LLVM 7 and libNVVM. Since then rustc itself learned the target
//! `nvptx64-nvidia-cuda`; a stable compiler builds for it once it has `core` for that target. No distribution ships that
//! `core`, so this crate compiles it from the compiler's own sources (`rust-src`) into a private sysroot, once per
//! compiler, and then runs an inner cargo on the kernel crate:
//!
//! ```text
//! rust-src --rustc--> libcore.rlib --+
//!                                    +--> cargo rustc --crate-type cdylib --emit=asm --> one .s file: the PTX module
//! kernel crate ----------------------+
//! ```
//!
//! [`obtain`] is what a build script calls. It answers one of three things: kernels built here; kernels built earlier and
//! kept beside the sources (used only when this machine has no compiler for them and the sources have not changed since);
//! or none, and why.

mod builder;
mod compiler;
mod digest;
mod prebuilt;
mod sysroot;

pub use builder::{BuildError, CudaBuilder};
pub use compiler::Compiler;
pub use digest::digest;
pub use prebuilt::{keep, kept};

use std::path::Path;

/// One PTX module to build: the oldest architecture it runs on and what that architecture may use.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The oldest compute capability the module runs on: 75, 90.
    pub floor: u32,
    /// The PTX version to write, as rustc names the feature: `ptx63`.
    pub ptx: &'static str,
    /// `--cfg` names for the kernel crate.
    pub cfgs: &'static [&'static str],
}

impl Target {
    /// As rustc and ptxas name it: `sm_75`.
    pub fn arch(&self) -> String {
        format!("sm_{}", self.floor)
    }
}

/// What a build script got.
#[derive(Debug)]
pub enum Outcome {
    /// Compiled here: a PTX text per target, in the targets' order.
    Built(Vec<String>),
    /// Compiled earlier from the same sources; the text says why nothing was compiled here.
    Prebuilt(Vec<String>, String),
    /// No kernels; the text says why, and what to do.
    CpuOnly(String),
}

/// Gets the PTX of every target: by compiling where `compiler` was found, from `kept_in` where not.
///
/// # Errors
/// A kernel crate that does not compile is an error, never a reason to fall back.
pub fn obtain(
    builder: &CudaBuilder,
    compiler: Option<&Compiler>,
    targets: &[Target],
    kept_in: &Path,
) -> Result<Outcome, BuildError> {
    if let Some(compiler) = compiler {
        return targets.iter().map(|t| builder.build(compiler, t)).collect::<Result<_, _>>().map(Outcome::Built);
    }
    let why = "no Rust compiler with its sources was found (rustup component add rust-src)";
    Ok(match kept(kept_in, targets, &digest(builder.crate_root())?) {
        Ok(texts) => Outcome::Prebuilt(texts, why.into()),
        Err(stale) => Outcome::CpuOnly(format!("{why}, and {stale}")),
    })
}
