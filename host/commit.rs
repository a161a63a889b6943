//! Tells the program of which commit it is built: `WARPSEQ_COMMIT`, or git's, or `unknown` for sources without either.
//! It is the build script of the root package.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=WARPSEQ_COMMIT");
    // Where the branch stands is logged there, for each commit and checkout.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|path| Path::new(path).exists()) {
        println!("cargo::rerun-if-changed={log}");
    }
    let told = std::env::var("WARPSEQ_COMMIT").ok();
    let commit = told.or_else(|| git(&["rev-parse", "--short=12", "HEAD"])).unwrap_or_else(|| "unknown".into());
    println!("cargo::rustc-env=WARPSEQ_COMMIT={commit}");
}

/// What git says of the sources. Those that merely lie inside of another repository have no commit.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("--git-dir=.git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    output.status.success().then_some(text)
}
