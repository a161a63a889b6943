//! `warpseq sign` as users meet it.

pub mod changed;
mod cluster;
mod compared;
mod map;
mod matrix;
mod merge;
mod refused;
mod same;
mod several;
mod told;
mod tree;
mod written;

use super::{folder, text, warpseq};

/// Proteins of 0 to 40 residues, one of them shorter than k.
pub const PROTEINS: &[u8] = b">a first\nMKVLATMKVWLATMKVLATCKVLATM\n>b\nMKVLATGGW\n>c\n\n>d\nMK\n\
    >e\nMKVLATMKVLATMKVLAYYYKVLATMKVLATGGHMKVLAT\n";

/// `sign build` on the CPU.
pub fn build(sequences: &str, options: &[&str]) -> std::process::Command {
    let mut command = warpseq(&["sign", "build", sequences, "--device", "cpu"]);
    command.args(options);
    command
}

/// Exit code, the bytes of standard output, and standard error.
pub fn bytes(command: &mut std::process::Command) -> (Option<i32>, Vec<u8>, String) {
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), output.stdout, stderr)
}

/// What becomes of a file of these sequences; it must.
pub fn built(sequences: &[u8], options: &[&str]) -> Vec<u8> {
    let files = folder(&[("x.fa", sequences)]);
    let (code, stdout, stderr) = bytes(&mut build(&text(&files.path().join("x.fa")), options));
    assert_eq!(code, Some(0), "{options:?}: {stderr}");
    stdout
}
