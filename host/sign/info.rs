//! What a signature file holds. A file is listed only if it is complete: the checksum of its bytes is the one that it stores.

use super::file::{self, Opened};
use super::{Alphabet, Hash, Parameters, Window};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use warpseq_engine::error::Result;
use warpseq_io::info::Describe;

/// What a file holds. The names of the fields are the columns of `tsv` and the keys of `jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Info {
    /// Its path.
    pub file: String,
    /// Version of the file format.
    pub version: u32,
    /// Number of sequences.
    pub sequences: usize,
    /// Number of residues of all sequences.
    pub letters: u64,
    /// Number of windows.
    pub windows: usize,
    /// Number of windows without a k-mer, and so without a signature.
    pub windows_without_words: usize,
    /// Bytes of the file, decompressed.
    pub bytes: u64,
    /// XXH3 of the file, as 16 hexadecimal digits.
    pub checksum: String,
    /// By its name on the command line.
    pub alphabet: String,
    /// Residues of a k-mer.
    pub k: u32,
    /// Residues of a window; `None`: the whole sequence.
    pub window: Option<u32>,
    /// Bits of a signature.
    pub bits: u32,
    /// By its name on the command line.
    pub hash: String,
    /// Percentage of elements that are not 0; `None` for dense vectors.
    pub density: Option<u32>,
    /// Whether a k-mer and its reverse complement count as one; `None` if k-mers have no reverse complement.
    pub canonical: Option<bool>,
    /// The command-line options that give the same parameters.
    pub options: String,
}

impl Info {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// Those of [`file::open`].
    pub fn of(path: &Path) -> Result<Self> {
        let Opened { collection, version, bytes, checksum } = file::open(path)?;
        let parameters = collection.parameters;
        let Parameters { alphabet, k, bits, hash, .. } = parameters;
        let windows = collection.window_count();
        let windows_without_words = windows - collection.present_count(0..windows);
        collection.require_unchanged()?;
        Ok(Self {
            file: path.display().to_string(),
            version,
            sequences: collection.len(),
            letters: collection.lengths.iter().sum(),
            windows,
            windows_without_words,
            bytes,
            checksum: format!("{checksum:016x}"),
            alphabet: alphabet.to_string(),
            k,
            window: match parameters.window {
                Window::Length(length) => Some(length),
                Window::Whole => None,
            },
            bits,
            hash: hash.to_string(),
            density: (hash != Hash::Mix64).then_some(parameters.density),
            canonical: (alphabet == Alphabet::Dna).then_some(parameters.canonical),
            options: parameters.to_string(),
        })
    }
}

impl Describe for Info {
    const COLUMNS: &'static str = "file\tversion\tsequences\tletters\twindows\twindows_without_words\tbytes\tchecksum\t\
                                   alphabet\tk\twindow\tbits\thash\tdensity\tcanonical\toptions";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { file, version, sequences, letters, windows, windows_without_words, .. } = self;
        let Self { bytes, checksum, options, .. } = self;
        writeln!(out, "{file}")?;
        writeln!(out, "    format      version {version}, {bytes} bytes, checksum {checksum}: ok")?;
        writeln!(out, "    made with   {options}")?;
        writeln!(out, "    sequences   {sequences}, {letters} letters in all")?;
        writeln!(out, "    windows     {windows}, {windows_without_words} of them without words")
    }

    fn write_row(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { file, version, sequences, letters, windows, windows_without_words, bytes, checksum, .. } = self;
        write!(
            out,
            "{file}\t{version}\t{sequences}\t{letters}\t{windows}\t{windows_without_words}\t{bytes}\t{checksum}"
        )?;
        let Self { alphabet, k, bits, hash, options, .. } = self;
        let window = told(self.window, "whole");
        let (density, canonical) = (told(self.density, "NA"), told(self.canonical, "NA"));
        writeln!(out, "\t{alphabet}\t{k}\t{window}\t{bits}\t{hash}\t{density}\t{canonical}\t{options}")
    }
}

fn told(value: Option<impl ToString>, missing: &str) -> String {
    value.map_or(missing.to_owned(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::{Records, Signatures, words};
    use super::*;
    use warpseq_io::info::Format;

    /// A file of three sequences, made with [`Parameters::QUT`]; four windows, one of them without a k-mer.
    fn info(parameters: Parameters) -> Info {
        let mut batch = Records::default();
        for (name, letters) in [("a", 2), ("b", 0), ("c", 30)] {
            batch.push(name.as_bytes(), &vec![b'A'; letters]);
        }
        let windows = batch.sequences().lengths().map(|length| parameters.window.count(length)).sum::<u64>() as usize;
        let mut present = vec![1; windows];
        present[0] = 0;
        let mut signatures = Signatures { bytes: vec![0; windows * parameters.width()], present };
        let mut writer = file::Writer::new(Vec::new(), &parameters).unwrap();
        let mut words = words::of_batch(&batch, &parameters, &signatures);
        writer.write(&batch, &mut signatures, &mut words).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.wsig");
        std::fs::write(&path, writer.finish().unwrap()).unwrap();
        let info = Info::of(&path).unwrap();
        Info { file: "a.wsig".into(), checksum: "0123456789abcdef".into(), ..info }
    }

    fn written(format: Format, infos: &[Info]) -> String {
        let mut text = Vec::new();
        format.write_header::<Info>(&mut text).unwrap();
        infos.iter().for_each(|info| format.write(&mut text, info).unwrap());
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn text() {
        let expected = "\
a.wsig
    format      version 2, 288 bytes, checksum 0123456789abcdef: ok
    made with   --alphabet raw --k 3 --window 16 --bits 64 --hash pcg --density 21
    sequences   3, 32 letters in all
    windows     4, 1 of them without words
";
        assert_eq!(written(Format::Text, &[info(Parameters::QUT)]), expected);
    }

    #[test]
    fn tsv() {
        let text = written(Format::Tsv, &[info(Parameters::QUT), info(Parameters::DNA)]);
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
        assert!(rows.iter().all(|row| row.len() == 16), "{text}");
        let raw =
            ["a.wsig", "2", "3", "32", "4", "1", "288", "0123456789abcdef", "raw", "3", "16", "64", "pcg", "21", "NA"];
        assert_eq!(rows[1][..15], raw);
        let dna = ["dna", "11", "whole", "8192", "mix64", "NA", "true", &Parameters::DNA.to_string()];
        assert_eq!(rows[2][8..], dna);
    }

    #[test]
    fn jsonl_has_the_columns_as_keys() {
        let infos = [info(Parameters::DNA)];
        let (tsv, jsonl) = (written(Format::Tsv, &infos), written(Format::Jsonl, &infos));
        let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(jsonl.trim_end()).unwrap();
        let mut columns: Vec<&str> = tsv.lines().next().unwrap().split('\t').collect();
        columns.sort_unstable();
        let mut keys: Vec<&str> = object.keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(keys, columns);
        assert_eq!(object["windows_without_words"], 1);
        assert_eq!(object["window"], serde_json::Value::Null);
    }
}
