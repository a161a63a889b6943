//! The kernels of `sign` on the emulator against plain loops; no code of the host.

mod halves;
mod naive;
mod neighbours;
mod pieces;
