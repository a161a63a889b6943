//! Opens signatures: a signature file is mapped, a file of sequences is signed on the fly.
//!
//! A file that is compared with one that is already open must have signatures made with the same parameters; sequences are
//! signed with these.

use super::Alphabet;
use super::collection::{Builder, Collection};
use super::file;
use super::signing::{SignOptions, Signed, Unsigned};
use super::wanted::Wanted;
use std::path::Path;
use warpseq_engine::error::{Error, FileError, Result};

/// Opens a signature file, or signs FASTA or FASTQ (`-`: standard input) as `signing` says.
///
/// # Errors
/// Those of [`Collection::open`], of [`SignOptions::open`] and of signing; [`Error::Usage`] for a signature file that was made
/// with other parameters than those asked for.
pub fn open(path: &Path, signing: &SignOptions) -> Result<Collection> {
    if is_signed(path)? {
        let collection = Collection::open(path)?;
        if signing.wanted.allows(collection.parameters) {
            return Ok(collection);
        }
        return Err(Error::Usage(format!(
            "{}: its signatures were made with `{}`, but other parameters are asked for: leave those options out, or make \
             the file again with them",
            path.display(),
            collection.parameters
        )));
    }
    signed(signing.open(path)?)
}

fn signed(unsigned: Unsigned) -> Result<Collection> {
    let mut builder = Builder::new(&unsigned.parameters());
    unsigned.sign(|Signed { batch, signatures, words, .. }| {
        builder.push(batch, signatures, words);
        Ok(())
    })?;
    Ok(builder.finish())
}

/// A file and what it holds.
pub type Opened<'a> = (&'a Path, &'a Collection);

/// Opens the first of two files. If it holds sequences, they are signed as asked for, or, when only the other file holds
/// signatures, with their parameters.
///
/// # Errors
/// Those of [`open`] for both files; [`FileError::Unusable`] when one is DNA and the other proteins.
pub fn open_first(path: &Path, other: &Path, signing: &SignOptions) -> Result<Collection> {
    if is_signed(path)? || !is_signed(other)? {
        return open(path, signing);
    }
    let signatures = (other, &open(other, signing)?);
    let like = like(signatures, signing);
    signed(alike(path, signatures, &like, signing)?)
}

/// Opens signatures or sequences that are compared with those of another file. The file must have sequences.
///
/// # Errors
/// [`FileError::Unusable`] when it has no sequences, was made with other parameters, or is DNA and the other proteins; those of
/// [`open`].
pub fn open_some(path: &Path, other: Opened, signing: &SignOptions) -> Result<Collection> {
    let collection = match is_signed(path)? {
        true => mapped(path, other)?,
        false => signed(alike(path, other, &like(other, signing), signing)?)?,
    };
    require_some(path, &collection)?;
    Ok(collection)
}

/// Hands the sequences of a file to `see`, in order: all at once if the file holds signatures, else a batch at a time, so that
/// memory stays bounded. Returns the number of sequences.
///
/// # Errors
/// [`FileError::Unusable`] when it was made with other parameters, or is DNA and the other proteins; those of signing and of
/// `see`.
pub fn each(
    path: &Path,
    other: Opened,
    signing: &SignOptions,
    mut see: impl FnMut(&Collection) -> Result<()>,
) -> Result<u64> {
    if is_signed(path)? {
        let collection = mapped(path, other)?;
        if collection.is_empty() {
            signing.run.console.warn(format_args!("{}: there are no sequences in it", path.display()));
        }
        see(&collection)?;
        collection.require_unchanged()?;
        return Ok(collection.len() as u64);
    }
    let like = like(other, signing);
    let unsigned = alike(path, other, &like, signing)?;
    let parameters = unsigned.parameters();
    let summary = unsigned.sign(|Signed { batch, signatures, words, .. }| {
        let mut builder = Builder::new(&parameters);
        builder.push(batch, signatures, words);
        see(&builder.finish())
    })?;
    Ok(summary.sequences)
}

/// Refuses a collection without sequences.
///
/// # Errors
/// [`FileError::Unusable`].
pub fn require_some(path: &Path, collection: &Collection) -> Result<()> {
    if collection.is_empty() {
        let message = "there are no sequences in it to compare with".to_owned();
        return Err(FileError::Unusable { path: path.to_path_buf(), message }.into());
    }
    Ok(())
}

fn is_signed(path: &Path) -> Result<bool> {
    Ok(path.as_os_str() != "-" && file::holds_signatures(path)?)
}

fn mapped(path: &Path, (other_path, other): Opened) -> Result<Collection> {
    let collection = Collection::open(path)?;
    collection.require_same_parameters(path, other, other_path)?;
    Ok(collection)
}

fn like((_, other): Opened, signing: &SignOptions) -> SignOptions {
    SignOptions { wanted: Wanted::from(other.parameters), ..*signing }
}

/// Opens sequences that are signed as `like` says, like those of another file: DNA or proteins both, unless the alphabet is asked
/// for.
fn alike<'l>(
    path: &Path,
    (other_path, other): Opened,
    like: &'l SignOptions,
    asked: &SignOptions,
) -> Result<Unsigned<'l>> {
    let unsigned = like.open(path)?;
    let is_other = match (unsigned.alphabet(), other.parameters.alphabet) {
        (Some(Alphabet::Dna), Alphabet::Protein) => Some(("DNA", "proteins", "translate the DNA", "protein")),
        (Some(Alphabet::Protein), Alphabet::Dna) => Some(("proteins", "DNA", "compare proteins with proteins", "dna")),
        _ => None,
    };
    match is_other.filter(|_| asked.wanted.alphabet.is_none()) {
        None => Ok(unsigned),
        Some((ours, theirs, instead, alphabet)) => {
            let other = other_path.display();
            let message = format!(
                "by its letters it is {ours}, and {other} holds {theirs}: {instead}, or give --alphabet {alphabet} if that \
                 is what it is"
            );
            Err(FileError::Unusable { path: path.to_path_buf(), message }.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parameters;
    use crate::run::{Format, Request, run};
    use warpseq_engine::options::{Processor, RunOptions};
    use warpseq_io::console::Console;

    fn signing(wanted: Wanted) -> SignOptions {
        let console = Console::Quiet;
        let run = RunOptions { processor: Processor::Cpu, host_memory: 1 << 20, console, ..RunOptions::default() };
        SignOptions { wanted, run }
    }

    #[test]
    fn sequences_and_their_signature_file_are_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let [sequences, signatures] = ["x.fa", "x.wsig"].map(|name| folder.path().join(name));
        std::fs::write(&sequences, ">a\nMKVLATMKVLATMKVLATMKVLAT\n>b\n\n>c\nMK\n").unwrap();
        let qut = Wanted::from(Parameters::QUT);
        let output = Some(signatures.clone());
        let request = Request {
            sequences: vec![sequences.clone()],
            per_file: false,
            output,
            format: Format::File,
            signing: signing(qut),
        };
        run(&request).unwrap();
        let [signed, mapped] = [&sequences, &signatures].map(|path| open(path, &signing(qut)).unwrap());
        assert_eq!((signed.parameters, mapped.parameters), (Parameters::QUT, Parameters::QUT));
        assert_eq!((&signed.names, &signed.lengths, &signed.firsts), (&mapped.names, &mapped.lengths, &mapped.firsts));
        assert_eq!((&signed.present[..], &signed.signatures[..]), (&mapped.present[..], &mapped.signatures[..]));
        assert_eq!(signed.firsts, [0, 2, 2, 3]);
        assert!(open(&signatures, &signing(Wanted::default())).is_ok());
        let other = open(&signatures, &signing(Wanted { k: Some(4), ..Wanted::default() })).unwrap_err();
        assert!(matches!(&other, Error::Usage(text) if text.contains("--k 3 --window 16") && text.contains("x.wsig")));
    }

    /// Regression: DNA had no hit among proteins, or some by chance, with exit code 0.
    #[test]
    fn dna_is_not_compared_with_proteins_unless_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let [dna, protein, none] = ["dna.fa", "protein.fa", "none.fa"].map(|name| folder.path().join(name));
        std::fs::write(&dna, ">a\n--ACGTNACGTACGTRYACGTACGTACGT\n").unwrap();
        std::fs::write(&protein, ">a\n\n>b\nMKVLATFEQIMKVLATFEQI\n").unwrap();
        std::fs::write(&none, ">a\n\n>b\n---\n").unwrap();
        let auto = signing(Wanted::default());
        for (path, other, [ours, theirs], alphabet) in [
            (&dna, &protein, ["is DNA", "holds proteins"], Alphabet::Protein),
            (&protein, &dna, ["is proteins", "holds DNA"], Alphabet::Dna),
        ] {
            let opened = open(other, &auto).unwrap();
            let refused = [
                open_some(path, (other, &opened), &auto).unwrap_err(),
                each(path, (other, &opened), &auto, |_| Ok(())).unwrap_err(),
            ];
            for message in refused.map(|error| error.to_string()) {
                let (path, option) = (path.display().to_string(), format!("--alphabet {alphabet}"));
                assert!([ours, theirs, &path, &option].iter().all(|words| message.contains(words)), "{message}");
            }
            let asked = signing(Wanted { alphabet: Some(alphabet), ..Wanted::default() });
            open_some(path, (other, &opened), &asked).unwrap();
            open_some(&none, (other, &opened), &auto).unwrap();
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_an_error() {
        assert!(matches!(
            open(Path::new("absent.fa"), &signing(Wanted::default())),
            Err(Error::File(warpseq_io::error::FileError::File { .. }))
        ));
    }
}
