//! What the program promises of memory, by `tools/memory`: a small part of what `make memory` measures.
//!
//! It needs a Python. Without one the test says "skipped".

use crate::place::{program, repository, skip};
use std::process::Command;

#[test]
fn resident_memory_stays_under_what_is_asked_for_and_the_longest_record() {
    let script = repository().join("tools/memory");
    let mut command = Command::new("python3");
    command.arg(script).arg(program()).args(["--scale", "0.02", "--max-memory", "200M,48M"]);
    let Ok(done) = command.output() else {
        skip("python3");
        return;
    };
    let (said, complained) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    println!("{said}");
    assert!(done.status.success() && said.contains("\n0 broken"), "{said}{complained}");
}
