//! What the program promises of memory, by `tools/memory`: a small part of what `make memory` measures.
//!
//! It needs a Python. Without one the test says "skipped".

use crate::cli::tool;

#[test]
fn resident_memory_stays_under_what_is_asked_for_and_the_longest_record() {
    tool("memory", &["--scale", "0.02", "--max-memory", "200M,48M"], "\n0 broken");
}
