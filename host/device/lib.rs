//! GPUs: what an engine needs of one ([`gpu`]), a real one ([`cuda`]) and the emulator ([`emulated`]).

pub mod cuda;
pub mod emulated;
pub mod error;
pub mod gpu;
pub mod launch;
