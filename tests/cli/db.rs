//! Database files as users meet them: made once, and then searched as the sequences are that they were made of.

mod built;
mod changed;
mod parts;
mod same;

use super::{folder, run, text, warpseq};
use tempfile::TempDir;

/// Sequences of these residues and lengths, some of which are like the ones before; the names begin with `name`.
pub fn drawn(name: char, count: usize, lengths: std::ops::Range<usize>, residues: &[u8], mut seed: u64) -> Vec<u8> {
    let mut draw = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let (mut text, mut last) = (Vec::new(), Vec::new());
    for k in 0..count {
        let (length, like) = (lengths.start + draw(lengths.len()), draw(3) > 0);
        let residue = |j: usize, draw: &mut dyn FnMut(usize) -> usize| match last.get(j) {
            Some(&same) if like && draw(8) > 0 => same,
            _ => residues[draw(residues.len())],
        };
        last = (0..length).map(|j| residue(j, &mut draw)).collect::<Vec<u8>>();
        text.extend([format!(">{name}{k} more\n").as_bytes(), &last, b"\n"].concat());
    }
    text
}

pub const ACIDS: &[u8] = b"ARNDCQEGHILKMFPSTWYVBZXUOJ*arnd";
pub const BASES: &[u8] = b"ACGTACGTACGTNRacgtu";

/// A folder with queries `q.fa`, targets `t.fa`, and the database `t.wdb` of these.
pub fn files(queries: &[u8], targets: &[u8]) -> TempDir {
    let files = folder(&[("q.fa", queries), ("t.fa", targets)]);
    let (code, stdout, stderr) = run(&mut inside(&files, "db build t.fa -o t.wdb"));
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(0), "", ""));
    files
}

/// The program in a folder, with these words.
pub fn inside(files: &TempDir, words: &str) -> std::process::Command {
    let mut command = warpseq(&words.split(' ').collect::<Vec<_>>());
    command.current_dir(files.path());
    command
}

/// What a command writes that succeeds without a word, but for what `--verify` says.
pub fn bytes(files: &TempDir, words: &str) -> String {
    let (code, stdout, stderr) = run(&mut inside(files, words));
    assert_eq!(code, Some(0), "{words}: {stderr}");
    assert!(!stderr.contains("error"), "{words}: {stderr}");
    stdout
}

/// Exit code and message of a command that writes nothing.
pub fn refused(files: &TempDir, words: &str) -> (Option<i32>, String) {
    let (code, stdout, stderr) = run(&mut inside(files, words));
    assert_eq!(stdout, "", "{words}");
    (code, stderr)
}

/// A path in a folder.
pub fn path(files: &TempDir, name: &str) -> String {
    text(&files.path().join(name))
}
