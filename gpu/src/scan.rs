//! scan
pub mod kernel;
