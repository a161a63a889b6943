//! A whole run of `db build`: from files of sequences to a database file.
//!
//! Sequences are read in batches, checked and written at once, so any number of them takes the memory of some blocks of text. The
//! same sequences in the same order give the same bytes, however they are compressed or divided into files. An error leaves no
//! output file: [`Output`] appears under its name only when it is complete.

use super::kind::Seen;
use super::{Kind, Writer};
use crate::input::check_length;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use warpseq_engine::error::{Error, FileError, Result};
use warpseq_engine::memory::Memory;
use warpseq_engine::options::Processor;
use warpseq_io::console::Console;
use warpseq_io::fastx::{Batches, Check, Demands, Place, Qualities, Record, Refusal, Sizes, refuse_one_stream};
use warpseq_io::output::Output;
use warpseq_io::progress::Progress;

/// What to do.
#[derive(Clone, Debug)]
pub struct Request {
    /// FASTA or FASTQ; `-` is standard input.
    pub inputs: Vec<PathBuf>,
    /// `None` or `-`: standard output.
    pub output: Option<PathBuf>,
    /// What the sequences are; `None`: their letters tell.
    pub kind: Option<Kind>,
    /// Bytes of memory that may be taken.
    pub memory: usize,
    /// Where notes go.
    pub console: Console,
}

/// What a run did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Sequences of all inputs.
    pub sequences: u64,
    /// Their residues.
    pub residues: u64,
    /// What they are.
    pub kind: Kind,
    /// Seconds from the call of [`run`] to its return.
    pub seconds: f64,
}

/// Runs `db build`.
///
/// # Errors
/// Those of the files and of the output; [`Error::Usage`] for an output that is a terminal; [`FileError::Unusable`] for proteins
/// and nucleotides in one database, and for none of either.
pub fn run(request: &Request) -> Result<Summary> {
    let start = Instant::now();
    let Request { inputs, output, kind, memory, console } = request;
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    let named: Vec<(&str, &Path)> = inputs.iter().map(|&input| ("sequences", input)).collect();
    refuse_one_stream(&named)?;
    refuse_terminal(output.as_deref(), std::io::stdout().is_terminal())?;
    let mut writer = Writer::new(Output::create(output.as_deref(), &inputs)?)?;
    let sizes = Memory::for_batches(*memory, rayon::current_num_threads(), Processor::Cpu, 1).reading;
    let mut seen = Seen::default();
    for input in &inputs {
        let before = writer.sizes();
        add(&mut writer, &mut seen, input, (*kind, sizes, *console))?;
        if writer.sizes() == before {
            console.warn(format_args!("{}: there are no sequences in it", input.display()));
        }
    }
    let [sequences, residues] = writer.sizes();
    if sequences == 0 {
        let message = "there are no sequences in it, and a database needs some".to_owned();
        return Err(
            FileError::Unusable { path: inputs.first().map_or_else(PathBuf::new, PathBuf::from), message }.into()
        );
    }
    let kind = kind.unwrap_or_else(|| seen.kind());
    writer.finish(kind)?.finish()?;
    Ok(Summary { sequences, residues, kind, seconds: start.elapsed().as_secs_f64() })
}

/// Adds the sequences of a file.
fn add(
    writer: &mut Writer,
    seen: &mut Seen,
    input: &Path,
    (kind, sizes, console): (Option<Kind>, Sizes, Console),
) -> Result<()> {
    let demands = Demands { qualities: Qualities::Drop, check: Some(check(kind)), ..Demands::default() };
    let mut batches = Batches::open(input, demands, sizes)?;
    let progress = Progress::new(console, batches.reader().total_bytes(), batches.reader().bytes_read());
    while let Some(batch) = batches.next()? {
        if kind.is_none() {
            seen.look_at(input, &batch.records)?;
        }
        writer.write(&batch.records)?;
        batches.spare().give_back(batch.records, batches.block());
        progress.show(1.0);
    }
    Ok(())
}

/// Refuses what is no letter of such sequences.
fn check(kind: Option<Kind>) -> Arc<Check> {
    let is_legal: [bool; 256] = std::array::from_fn(|byte| kind.unwrap_or(Kind::Proteins).has(byte as u8));
    Arc::new(move |Record { residues, .. }: Record| {
        let refusal = |place, message| Refusal { place, message };
        check_length(residues.len()).map_err(|message| refusal(Place::Header, message))?;
        match residues.iter().position(|&residue| !is_legal[usize::from(residue)]) {
            Some(at) => Err(refusal(Place::Residue(at), illegal(residues[at], kind))),
            None => Ok(0),
        }
    })
}

fn illegal(residue: u8, kind: Option<Kind>) -> String {
    let expected = match kind {
        Some(Kind::Nucleotides) => "A, C, G, T, U or another IUPAC code, as --alphabet nucleotide says",
        _ => "letters, or * in a protein",
    };
    let gap =
        if matches!(residue, b'-' | b'.') { "; sequences are searched without their gaps: remove them" } else { "" };
    format!("{:?} cannot be stored: expected {expected}{gap}", char::from(residue))
}

fn refuse_terminal(output: Option<&Path>, stdout_is_terminal: bool) -> Result<()> {
    let to_stdout = output.is_none_or(|path| path.as_os_str() == "-");
    if to_stdout && stdout_is_terminal {
        let message = "a database is not text: write it to a file with -o DATABASE.wdb, or to a pipe";
        return Err(Error::Usage(message.into()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_terminal_is_refused() {
        for path in [None, Some(Path::new("-"))] {
            assert!(
                matches!(refuse_terminal(path, true), Err(Error::Usage(message)) if message.contains("-o DATABASE.wdb"))
            );
            assert!(refuse_terminal(path, false).is_ok());
        }
        assert!(refuse_terminal(Some(Path::new("x.wdb")), true).is_ok());
    }
}
