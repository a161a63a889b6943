//! The integration tests: one binary, laid out like the tree.

mod conformance;
