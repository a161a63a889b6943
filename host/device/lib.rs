//! GPUs: what an engine needs of one ([`gpu`]), a real one ([`cuda`]) and the emulator ([`emulated`]).
//!
//! [`gpu::Gpu`] speaks of addresses and is unsafe to call. Engines use what is built on it, from which safe code reaches
//! no memory that is not its own:
//!
//! ```text
//! stream    Stream, InFlight       queues of work, and guards that wait for it
//! array     DeviceArray            device memory; its views borrow it
//! pinned    Pinned                 host memory that copies use at full speed; it waits for the copy that uses it
//! staged    Staged                 an array with the pinned memory that its copies pass through
//! scope     scope                  copies from and to memory that is only borrowed
//! slots     Slices, pass_through   slices of a batch, several in flight
//! timings   Stage, Recorder        how long the stages of work take
//! launch                           what every launch function of an engine is made of
//! near                             the processors of a GPU's NUMA node
//! ```

pub mod array;
pub mod cuda;
pub mod emulated;
pub mod error;
pub mod gpu;
pub mod launch;
pub mod near;
pub mod pinned;
pub mod scope;
pub mod slots;
pub mod staged;
pub mod stream;
pub mod timings;
