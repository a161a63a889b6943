//! The kernels of `sign` on the emulator against a naive reference. No code of the host takes part.

mod halves;
mod naive;
mod neighbours;
mod pieces;
