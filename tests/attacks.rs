//! The attacks of `tools/faults`, in their short form; `make faults` makes more of each.
//!
//! It needs a Python. Without one the test says "skipped".

use crate::cli::NO_DRIVER;
use crate::place::{program, repository, skip};
use std::process::Command;

#[test]
fn no_attack_leaves_a_file_or_ends_a_run_in_another_way() {
    let mut command = Command::new("python3");
    command.env(NO_DRIVER.0, NO_DRIVER.1).arg(repository().join("tools/faults")).arg(program());
    let Ok(done) = command.output() else {
        skip("python3");
        return;
    };
    let (said, complained) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    println!("{said}");
    assert!(done.status.success() && said.contains(" attacks\n0 went wrong"), "{said}{complained}");
}
