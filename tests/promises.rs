//! The promises of the book, `docs/promises.toml`: each names tests, and they exist.
//!
//! `a::*` stands for all tests whose names begin with `a::`. Integration tests are those of this executable; names with
//! `::tests::` are unit tests, looked up in the library's sources.

use crate::place::repository;
use serde::Deserialize;
use std::fs::{read_dir, read_to_string};
use std::path::PathBuf;
use std::process::Command;

#[derive(Deserialize)]
struct Promises {
    group: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    name: String,
    promise: Vec<Promise>,
}

#[derive(Deserialize)]
struct Promise {
    text: String,
    tests: Vec<String>,
}

/// The names of all tests of this executable.
fn integration_tests() -> Vec<String> {
    let executable = std::env::current_exe().expect("a running program has a path");
    let listed = Command::new(executable).arg("--list").output().expect("it starts");
    let text = String::from_utf8(listed.stdout).expect("names of tests are text");
    text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

/// The folders in which modules of the library are looked up: `host`, and each crate in it.
fn roots() -> Vec<PathBuf> {
    let host = repository().join("host");
    let entries = read_dir(&host).expect("the library is there");
    let folders = entries.map(|entry| entry.expect("it can be listed").path()).filter(|path| path.is_dir());
    folders.chain([host]).collect()
}

/// Whether there is such a test, given the names of all integration tests.
fn exists(test: &str, integration: &[String]) -> bool {
    match test.strip_suffix('*') {
        Some(beginning) => integration.iter().any(|name| name.starts_with(beginning)),
        None => is_unit_test(test) || integration.iter().any(|name| name == test),
    }
}

/// Whether a source of the library has the test `module::tests::name` or `module::tests::part::name`.
fn is_unit_test(test: &str) -> bool {
    let Some((module, name)) = test.split_once("::tests::") else { return false };
    let module = module.replace("::", "/");
    let (sources, name) = match name.rsplit_once("::") {
        Some((part, name)) => {
            (vec![format!("{module}/tests/{}.rs", part.replace("::", "/")), format!("{module}/tests.rs")], name)
        }
        None => (["", "/lib", "/tests"].map(|end| format!("{module}{end}.rs")).to_vec(), name),
    };
    let declared = format!("fn {name}() {{");
    let mut files = roots().into_iter().flat_map(|root| sources.iter().map(move |source| root.join(source)));
    files.any(|file| read_to_string(file).is_ok_and(|text| text.contains(&declared)))
}

#[test]
fn each_promise_names_tests_that_exist() {
    let file = read_to_string(repository().join("docs/promises.toml")).expect("the promises are there");
    let promises: Promises = toml::from_str(&file).expect("groups of promises, each with a text and tests");
    let tests = integration_tests();
    for Group { name, promise } in promises.group {
        assert!(!promise.is_empty(), "no promises in the group {name}");
        for Promise { text, tests: named } in promise {
            assert!(!named.is_empty(), "no test for: {text}");
            for test in named {
                assert!(exists(&test, &tests), "{text}: there is no test {test}");
            }
        }
    }
}

#[test]
fn a_name_that_is_no_test_is_seen() {
    let tests = ["a::b".to_owned()];
    assert!(exists("a::b", &tests) && exists("a::*", &tests));
    assert!(exists("scan::report::tests::sums_of_large_sequences_pass_32_bits", &tests));
    for none in
        ["a", "b", "a::b::*", "scan::report::tests::none", "none::tests::none", "scan::report::tests::none::none"]
    {
        assert!(!exists(none, &tests), "{none}");
    }
}
