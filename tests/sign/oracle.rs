//! The program against `tools/oracle/sign.py`, which implements the rules again in plain Python.
//!
//! Without Python the tests say "skipped".

use crate::place::{program, repository, skip};
use std::process::Command;

/// What the script says when it is given `arguments`; `None`, and a line that says so, without a Python.
fn oracle(arguments: &[&str]) -> Option<String> {
    let script = repository().join("tools/oracle/sign.py");
    let Ok(done) = Command::new("python3").env("PYTHONDONTWRITEBYTECODE", "1").arg(script).args(arguments).output()
    else {
        skip("python3");
        return None;
    };
    let (said, complained) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{said}{complained}");
    Some(said.into_owned())
}

#[test]
fn the_rules_in_python_give_the_known_vectors() {
    let Some(said) = oracle(&[]) else { return };
    assert!(said.contains("known vectors"), "{said}");
}

/// 20 inputs; `tools/oracle/sign.py PROGRAM` takes 500.
#[test]
fn the_program_signs_and_searches_as_the_rules_in_python_do() {
    let program = program();
    let Some(said) = oracle(&[&program.to_string_lossy(), "--inputs", "20"]) else { return };
    assert!(said.starts_with("20 inputs"), "{said}");
}
