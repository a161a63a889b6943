//! Inputs that once went wrong, by what went wrong.
