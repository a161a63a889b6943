//! `--version`, and the files that name a version: they agree.

use super::{repository, run, warpseq};

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn text(path: &str) -> String {
    String::from_utf8(repository(path)).unwrap()
}

/// The line of a file that begins like this, without its beginning.
fn after(path: &str, beginning: &str) -> String {
    let text = text(path);
    let mut found = text.lines().filter_map(|line| line.strip_prefix(beginning));
    found.next().unwrap_or_else(|| panic!("{path} has no line `{beginning}`")).to_owned()
}

#[test]
fn the_version_comes_with_the_commit_and_with_what_built_the_kernels() {
    let (code, stdout, stderr) = run(&mut warpseq(&["--version"]));
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let lines: Vec<_> = stdout.lines().collect();
    let [version, commit, kernels] = lines[..] else { panic!("{stdout}") };
    assert_eq!(version, format!("warpseq {VERSION}"));
    let commit = commit.strip_prefix("commit: ").unwrap();
    assert!(
        commit == "unknown" || commit.bytes().all(|byte| byte.is_ascii_hexdigit()) && commit.len() >= 7,
        "{stdout}"
    );
    let kernels = kernels.strip_prefix("kernels: ").unwrap();
    assert!(kernels.starts_with("built by rustc 1.") || ["prebuilt", "none"].contains(&kernels), "{stdout}");
    assert_eq!(run(&mut warpseq(&["-V"])), (Some(0), format!("warpseq {VERSION}\n"), String::new()));
}

#[test]
fn recipes_and_the_changelog_are_of_this_version() {
    assert_eq!(after("packaging/bioconda/meta.yaml", "{% set version = "), format!("\"{VERSION}\" %}}"));
    assert_eq!(after("packaging/Dockerfile", "LABEL org.opencontainers.image.version="), format!("\"{VERSION}\""));
    assert_eq!(after("packaging/warpseq.def", "    org.opencontainers.image.version "), VERSION);
    // The newest part is of what is not released yet, or of this version.
    let newest = after("CHANGELOG.md", "## [");
    assert!(newest == "Unreleased]" || newest.starts_with(&format!("{VERSION}] - ")), "{newest}");
    for released in text("CHANGELOG.md").lines().filter_map(|line| line.strip_prefix("## [")).skip(1) {
        assert!(released.contains("] - "), "a release has its date: {released}");
    }
}
