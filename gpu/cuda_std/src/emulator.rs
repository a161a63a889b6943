//! The lockstep emulator.
