//! `sign merge`: signature files one behind the other, as one file. It is the file that `sign build` of all their sequences writes.
//!
//! A file of version 1 has no numbers of words. Where one of the files has none, neither has the file that they make, and it is of
//! version 1, too.

use super::file::{self, Opened, VERSION, Writer};
use super::run::refuse_terminal;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use warpseq_engine::error::{Error, FileError, Result};
use warpseq_io::console::Console;
use warpseq_io::output::Output;

/// What to do.
#[derive(Clone, Debug)]
pub struct Request {
    /// Signature files, at least one, in the order of their sequences; `-` is standard input.
    pub inputs: Vec<PathBuf>,
    /// `None` or `-`: standard output.
    pub output: Option<PathBuf>,
    /// Where it is said what was done.
    pub console: Console,
}

/// Runs `sign merge`.
///
/// # Errors
/// Those of the files and of the output; [`Error::Usage`] when two inputs are standard input, and for an output that is a terminal;
/// [`FileError::Unusable`] when two files were made with different parameters.
pub fn run(Request { inputs, output, console }: &Request) -> Result<()> {
    let output = output.as_deref();
    refuse_terminal(output, std::io::stdout().is_terminal())?;
    if inputs.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
        return Err(Error::Usage("`-` is given twice, and standard input can be read once: give files".into()));
    }
    let paths: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    let output = Output::create(output, &paths)?;
    let opened = paths.iter().map(|path| Ok(file::open(path)?)).collect::<Result<Vec<Opened>>>()?;
    require_same(&paths, &opened)?;
    let version = opened.iter().map(|opened| opened.version).min().unwrap_or(VERSION);
    let mut writer = Writer::of_version(output, &opened[0].collection.parameters, version)?;
    for Opened { collection, .. } in &opened {
        writer.append(collection)?;
        collection.require_unchanged()?;
    }
    writer.finish()?.finish()?;
    let sequences: usize = opened.iter().map(|opened| opened.collection.len()).sum();
    console.detail(format_args!("{sequences} sequences of {} files", opened.len()));
    Ok(())
}

/// Refuses files whose signatures were not made alike.
fn require_same(paths: &[&Path], opened: &[Opened]) -> Result<()> {
    let first = opened[0].collection.parameters;
    for (path, Opened { collection, .. }) in paths.iter().zip(opened) {
        if let Some([ours, theirs]) = collection.parameters.first_difference(&first) {
            let other = paths[0].display();
            let message = format!(
                "its signatures were made with {ours}, those of {other} with {theirs}: only signatures made with the same \
                 parameters go into one file; make one of them again with the options of the other"
            );
            return Err(FileError::Unusable { path: path.to_path_buf(), message }.into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Parameters, Records, Signatures, words};

    /// A file of this version with the sequences `range`, the windows of which have any signatures, one in five none.
    fn write(path: &Path, version: u32, range: std::ops::Range<usize>) {
        let output = Output::create(Some(path), &[]).unwrap();
        let mut writer = Writer::of_version(output, &Parameters::QUT, version).unwrap();
        let mut batch = Records::default();
        range.clone().for_each(|s| batch.push(format!("s{s}"), &vec![b'A'; s * 7 % 50]));
        let windows = |s: usize| (0..Parameters::QUT.window.count((s * 7 % 50) as u64)).map(move |w| (s as u64, w));
        let all: Vec<_> = range.flat_map(windows).collect();
        let present = |&(s, w): &(u64, u64)| u8::from((s * 3 + w) % 5 > 0);
        let bytes = all.iter().flat_map(|one| (u64::from(present(one)) * (one.0 << 20 | one.1 << 3)).to_le_bytes());
        let mut signatures = Signatures { bytes: bytes.collect(), present: all.iter().map(present).collect() };
        let mut words = words::of_batch(&batch, &Parameters::QUT, &signatures);
        writer.write(&batch, &mut signatures, &mut words).unwrap();
        writer.finish().unwrap().finish().unwrap();
    }

    #[test]
    fn the_bytes_are_those_of_one_file_of_all_sequences() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for version in [1, 2] {
            for cuts in [&[0, 40][..], &[0, 0, 40], &[0, 1, 2, 3, 40], &[0, 13, 13, 14, 39, 40]] {
                write(&path("whole"), version, 0..40);
                let inputs: Vec<PathBuf> = (1..cuts.len()).map(|k| path(&k.to_string())).collect();
                // Of version 1, only the first needs to be.
                let version_of = |k: usize| if k == 0 { version } else { VERSION };
                inputs.iter().enumerate().for_each(|(k, path)| write(path, version_of(k), cuts[k]..cuts[k + 1]));
                run(&Request { inputs, output: Some(path("out")), console: Console::Quiet }).unwrap();
                let [found, expected] = ["out", "whole"].map(|name| std::fs::read(path(name)).unwrap());
                assert!(found == expected, "version {version}, {cuts:?}");
                assert_eq!(file::open(&path("out")).unwrap().collection.words.is_some(), version == 2);
            }
        }
    }
}
