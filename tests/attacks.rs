//! The attacks of `tools/faults`, in their short form; `make faults` makes more of each.
//!
//! It needs a Python. Without one the test says "skipped".

use crate::cli::tool;

#[test]
fn no_attack_leaves_a_file_or_ends_a_run_in_another_way() {
    tool("faults", &[], " attacks\n0 went wrong");
}
