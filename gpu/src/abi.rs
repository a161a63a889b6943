//! Argument structs.
