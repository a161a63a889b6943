//! Opens signatures: a signature file is mapped, a file of sequences is signed on the fly.

use super::collection::{Builder, Collection};
use super::signing::{SignOptions, Signed};
use std::path::Path;
use warpseq_engine::error::{Error, Result};

/// Opens a signature file, or signs FASTA or FASTQ (`-`: standard input) as `signing` says.
///
/// # Errors
/// Those of [`Collection::open`], of [`SignOptions::open`] and of signing; [`Error::Usage`] for a signature file that was made
/// with other parameters than those asked for.
pub fn open(path: &Path, signing: &SignOptions) -> Result<Collection> {
    if path.as_os_str() != "-" && super::file::holds_signatures(path)? {
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
    let unsigned = signing.open(path)?;
    let mut builder = Builder::new(&unsigned.parameters());
    unsigned.sign(|Signed { batch, signatures, .. }| {
        builder.push(batch, signatures);
        Ok(())
    })?;
    Ok(builder.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parameters;
    use crate::run::{Format, Request, run};
    use crate::wanted::Wanted;
    use warpseq_engine::options::{Processor, RunOptions};
    use warpseq_io::console::Console;

    fn signing(wanted: Wanted) -> SignOptions {
        let console = Console { quiet: true, verbose: false };
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
        let request = Request { sequences: sequences.clone(), output, format: Format::File, signing: signing(qut) };
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

    #[test]
    fn a_file_that_is_not_there_is_an_error() {
        assert!(matches!(
            open(Path::new("absent.fa"), &signing(Wanted::default())),
            Err(Error::File(warpseq_io::error::FileError::File { .. }))
        ));
    }
}
