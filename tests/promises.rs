//! The README's page of promises: each line names tests, and they exist.
//!
//! `a::*` stands for all tests whose names begin with `a::`. Integration tests are those of this executable; names with
//! `::tests::` are unit tests, looked up in the library's sources.

use crate::place::repository;
use std::fs::read_to_string;
use std::process::Command;

/// The names of all tests of this executable.
fn integration_tests() -> Vec<String> {
    let executable = std::env::current_exe().expect("a running program has a path");
    let listed = Command::new(executable).arg("--list").output().expect("it starts");
    let text = String::from_utf8(listed.stdout).expect("names of tests are text");
    text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
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
    let file = repository().join("host").join(module.replace("::", "/"));
    let (sources, name) = match name.rsplit_once("::") {
        Some((part, name)) => (vec![file.join("tests").join(part).with_extension("rs")], name),
        None => (vec![file.with_extension("rs"), file.join("tests.rs")], name),
    };
    sources.iter().flat_map(read_to_string).any(|source| source.contains(&format!("fn {name}() {{")))
}

/// The rows of the tables under the heading "What it promises": the promise, and the tests that it names.
fn promises(readme: &str) -> Vec<(&str, Vec<&str>)> {
    let (_, page) = readme.split_once("\n## What it promises\n").expect("the README has the page");
    let page = page.split_once("\n## ").map_or(page, |(page, _)| page);
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.rsplit_once(" | "));
    rows.filter(|row| *row != ("promise", "tests")).map(|(promise, tests)| (promise, quoted(tests))).collect()
}

/// What stands between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn each_line_names_tests_that_exist() {
    let readme = read_to_string(repository().join("README.md")).expect("the README is there");
    let (tests, promises) = (integration_tests(), promises(&readme));
    assert!(promises.len() > 20, "{promises:?}");
    for (promise, named) in promises {
        assert!(!named.is_empty(), "no test for: {promise}");
        for test in named {
            assert!(exists(test, &tests), "{promise}: there is no test {test}");
        }
    }
}

#[test]
fn a_name_that_is_no_test_is_seen() {
    let tests = ["a::b".to_owned()];
    assert!(exists("a::b", &tests) && exists("a::*", &tests));
    assert!(exists("scan::report::tests::sums_of_large_samples_pass_32_bits", &tests));
    for none in
        ["a", "b", "a::b::*", "scan::report::tests::none", "none::tests::none", "scan::report::tests::none::none"]
    {
        assert!(!exists(none, &tests), "{none}");
    }
}
