//! A run: batches in, results out, in order; who computes, and what happens when a device fails.

pub mod budget;
pub mod engines;
pub mod error;
pub mod pipeline;
pub mod processor;
pub mod profile;
pub mod verify;
