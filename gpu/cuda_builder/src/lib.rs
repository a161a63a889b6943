//! Compiles a kernel crate to PTX with rustc's own NVPTX backend.
//!
//! The published `cuda_builder` needs a nightly of 2021, LLVM 7 and libNVVM. Since then rustc itself has learned the
//! target `nvptx64-nvidia-cuda`: a stable compiler builds for it if it has `core` for that target. No distribution
//! ships that. So this crate compiles `core` from the compiler's own sources (`rust-src`) into a private sysroot, once
//! per compiler, and then runs an inner cargo on the kernel crate:
//!
//! ```text
//! rust-src --rustc--> libcore.rlib --+
//!                                    +--> cargo rustc --crate-type cdylib --emit=asm --> one .s file: the PTX module
//! kernel crate ----------------------+
//! ```
//!
//! A build script calls [`obtain`]. It returns one of three things: kernels built here; kernels built earlier and kept
//! beside the sources (only if this machine has no compiler for them and the sources have not changed since); or none,
//! and the reason.
//!
//! Kernels that no run needs together are better apart: [`split`] cuts a PTX text into modules. Where NVIDIA's ptxas is,
//! [`Assembler`] turns them into machine code, which a driver loads without compiling.

mod assembler;
mod builder;
mod compiler;
mod digest;
mod prebuilt;
mod split;
mod sysroot;

pub use assembler::Assembler;
pub use builder::{BuildError, CudaBuilder};
pub use compiler::Compiler;
pub use digest::digest;
pub use prebuilt::{keep, kept};
pub use split::split;

use std::path::Path;

/// A PTX module to build: the oldest architecture that runs it, and what it may use there.
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
    /// The architecture as rustc and ptxas name it: `sm_75`.
    pub fn arch(&self) -> String {
        format!("sm_{}", self.floor)
    }
}

/// What a build script got.
#[derive(Debug)]
pub enum Outcome {
    /// Compiled here: a PTX text per target, in the targets' order.
    Built(Vec<String>),
    /// Compiled earlier from the same sources. The text says why nothing was compiled here.
    Prebuilt(Vec<String>, String),
    /// No kernels. The text says why, and what to do about it.
    CpuOnly(String),
}

/// Gets the PTX of every target: compiles it if there is a `compiler`, else takes it from `kept_in`.
///
/// # Errors
/// When the kernel crate does not compile. That is never a reason to fall back.
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
