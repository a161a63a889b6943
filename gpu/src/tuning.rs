//! Launch numbers.
