//! A CUDA driver for tests: a `libcuda.so.1` that needs no GPU. `WARPSEQ_LIBCUDA` puts it in the place of NVIDIA's.
//!
//! It computes: device memory and kernels are those of the lockstep emulator of `cuda_std`, so the bytes that come out of a run
//! are right, and an access out of bounds or a race is an illegal address, told on standard error.
//!
//! It is as late as it may be (`queue`): what a stream is given is done when somebody waits, and no other stream gets further
//! than an event demands. Host code that reads a result before waiting reads nothing, and one that fills a buffer again before
//! the copy from it has ended sends the wrong bytes.
//!
//! It fails where it is told to (`wishes`), by the environment variable `FAULTY_DRIVER`:
//!
//! ```text
//! cuMemAlloc_v2:3=2     the third call of this function answers 2 (out of memory)
//! cuMemAlloc_v2:3+=2    and so do all after it
//! any:3=700             the third call of all functions
//! memory=64M            device memory               version=12.4   the CUDA version that it supports
//! devices=1             GPUs                        compute=9.0    their compute capability
//! corrupt=3             a bit of what the third copy to the host brings is flipped
//! eager=1               everything is done at once
//! starts=300            it takes so many milliseconds to start
//! ```
//!
//! `FAULTY_DRIVER_CALLS` names a file for the names of all calls, one a line.
//!
//! Like NVIDIA's, it answers a fault of a kernel at the next wait, and after a sticky error every call into the context
//! answers that error. What it lacks, the host finds to be missing, as in a driver that is too old.

mod cubin;
mod driver;
mod exported;
mod kernels;
mod ptx;
mod queue;
mod wishes;
