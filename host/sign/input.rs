//! What `sign` reads: sequences, batch by batch. Every byte is legal, and qualities are ignored.
//!
//! A batch is what was read of a block of text, or a part of that where its signatures would take too much. So a run takes the
//! memory of its batches, apart from the longest sequence with its signatures. The first sequences are read ahead, as many as say
//! what they are; they are then handed out like the others.
//!
//! Where each file is one record, its sequences stand one behind the other with a [`JOINT`] between them:
//!
//! ```text
//! x.fa    >a ACGT  >b GGT  >c CA        x  A C G T | G G T | C A        3-mers: ACG CGT GGT
//! ```
//!
//! A joint is no symbol of DNA or proteins, so no word reaches over it. It is no residue either, and no length counts it.

mod files;

use super::composition::Composition;
use super::{Alphabet, Parameters, Records, Window};
use files::Files;
use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use warpseq_engine::error::{Error, Result};
use warpseq_io::fastx::{Sizes, Spare};
use warpseq_io::label;
use warpseq_seq::records::Appended;

/// Bytes that a sequence takes besides its residues, its name and its signatures.
const SEQUENCE_BYTES: usize = 64;
/// Bytes that a window takes besides its signature: whether it has a word, and how many.
const WINDOW_BYTES: usize = 1 + size_of::<u32>();

/// What stands between the sequences of a file that is one record: the byte that ends lines, which no sequence holds.
pub const JOINT: u8 = b'\n';

/// The residues of a record: its bytes but the joints.
pub fn length(bytes: &[u8]) -> u64 {
    (bytes.len() - memchr::memchr_iter(JOINT, bytes).count()) as u64
}

/// What is read.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'p> {
    /// FASTA or FASTQ, plain or compressed, at least one; `-` is standard input.
    pub paths: &'p [PathBuf],
    /// Whether each file is one record, whose name is the label of the file.
    pub per_file: bool,
}

impl Inputs<'_> {
    /// Refuses files that cannot be told apart.
    ///
    /// # Errors
    /// [`Error::Usage`] when two are standard input, or have one label that names their records.
    fn check(&self) -> Result<()> {
        if self.paths.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
            return Err(Error::Usage("`-` is given twice, and standard input can be read once: give files".into()));
        }
        let mut labels = HashMap::new();
        for path in self.paths.iter().filter(|_| self.per_file) {
            let label = label::of_file(path);
            if let Some(other) = labels.insert(label.clone(), path) {
                let [other, path] = [other, path].map(|path| path.display());
                let label = String::from_utf8_lossy(&label);
                return Err(Error::Usage(format!(
                    "with --per-file, the records of {other} and {path} would both be called {label}: rename one of the files"
                )));
            }
        }
        Ok(())
    }

    /// Refuses parameters under which a file cannot be one record.
    ///
    /// # Errors
    /// [`Error::Usage`] with what to do instead.
    pub fn check_parameters(&self, parameters: &Parameters) -> Result<()> {
        match parameters {
            _ if !self.per_file => Ok(()),
            Parameters { window: Window::Length(w), .. } => Err(Error::Usage(format!(
                "--per-file makes one signature of each file, and --window {w} many: give --window whole"
            ))),
            Parameters { alphabet: Alphabet::Raw, .. } => Err(Error::Usage(
                "--per-file is for DNA and proteins: of raw sequences, all bytes are symbols, and nothing can stand between \
                 two of them"
                    .into(),
            )),
            _ => Ok(()),
        }
    }
}

/// Some sequences to sign.
#[derive(Default)]
pub struct Batch {
    /// The sequences.
    pub records: Records,
    /// The bytes that they and their signatures take.
    pub bytes: usize,
    /// Where their memory is given back.
    pub spare: Spare,
}

/// Files being read.
pub struct SequenceFiles {
    files: Files,
    /// The labels of the files that have not been read, if each is a record; the first is that of the open one.
    labels: Option<VecDeque<Vec<u8>>>,
    composition: Composition,
    /// Sequences that have been read, of the first of them those before `next` handed out.
    ahead: VecDeque<Records>,
    next: usize,
}

impl SequenceFiles {
    /// Opens the first file, and reads its first sequences.
    ///
    /// # Errors
    /// [`Error::Usage`] when two files are standard input, or would be records of one name; those of
    /// [`Batches`](warpseq_io::fastx::Batches).
    pub fn open(inputs: Inputs, sizes: Sizes) -> Result<Self> {
        inputs.check()?;
        let labels = inputs.per_file.then(|| inputs.paths.iter().map(|path| label::of_file(path)).collect());
        let (composition, ahead) = Default::default();
        let mut sequences = Self { files: Files::open(inputs, sizes)?, labels, composition, ahead, next: 0 };
        sequences.read_ahead()?;
        Ok(sequences)
    }

    /// Reads sequences of the first file until it is known what they are.
    fn read_ahead(&mut self) -> Result<()> {
        while !self.composition.is_settled()
            && let Some(records) = self.files.next()?
        {
            records.sequences().iter().for_each(|residues| self.composition.add(residues));
            self.ahead.push_back(records);
        }
        Ok(())
    }

    /// The files being read, to follow their progress.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// What the sequences are, by the first letters of the first file; `None` if it has no letters.
    pub fn alphabet(&self) -> Option<Alphabet> {
        self.composition.alphabet()
    }

    /// The next batch: sequences until they and their signatures take `bytes`; `None` at the end of the files.
    ///
    /// # Errors
    /// Those of [`Batches::next`](warpseq_io::fastx::Batches::next).
    pub fn next(&mut self, parameters: &Parameters, bytes: usize) -> Result<Option<Batch>> {
        match self.labels {
            Some(_) => self.next_files(parameters, bytes),
            None => self.next_sequences(parameters, bytes),
        }
    }

    fn next_sequences(&mut self, parameters: &Parameters, bytes: usize) -> Result<Option<Batch>> {
        while self.ahead.is_empty() {
            match self.files.next()? {
                Some(records) => self.ahead.push_back(records),
                None if self.files.open_next()? => {}
                None => return Ok(None),
            }
        }
        let some = &self.ahead[0];
        let (start, mut end, mut taken) = (self.next, self.next, 0);
        while end < some.len() && (end == start || taken < bytes) {
            let length = some.sequences().length(end);
            let signed = parameters.window.count(length as u64) as usize * (parameters.width() + WINDOW_BYTES);
            taken += SEQUENCE_BYTES + some.name(end).len() + length + signed;
            end += 1;
        }
        let (first, last) = (start == 0, end == some.len());
        let mut part = Records::default();
        if !(first && last) {
            part.extend(some, start..end);
        }
        self.next = if last { 0 } else { end };
        let done = if last { self.ahead.pop_front() } else { None };
        let records = done.filter(|_| first).unwrap_or(part);
        Ok(Some(Batch { records, bytes: taken, spare: self.files.spare() }))
    }

    /// The next files, each a record.
    fn next_files(&mut self, parameters: &Parameters, bytes: usize) -> Result<Option<Batch>> {
        let mut batch = Batch::default();
        while batch.bytes < bytes
            && let Some(label) = self.labels.as_mut().and_then(VecDeque::pop_front)
        {
            let length = self.join(&label, &mut batch.records)?;
            batch.bytes += SEQUENCE_BYTES + label.len() + length + parameters.width() + WINDOW_BYTES;
            self.files.open_next()?;
        }
        Ok(Some(batch).filter(|batch| !batch.records.is_empty()))
    }

    /// Adds the sequences of the open file as one record. Returns the bytes that these take.
    fn join(&mut self, label: &[u8], batch: &mut Records) -> Result<usize> {
        let (files, ahead) = (&mut self.files, &mut self.ahead);
        let joined = batch.append(|Appended { name, residues, .. }| -> Result<_> {
            name.extend_from_slice(label);
            let start = residues.len();
            let mut is_first = true;
            while let Some(records) = ahead.pop_front().map_or_else(|| files.next(), |records| Ok(Some(records)))? {
                for sequence in records.sequences().iter() {
                    residues.extend((!is_first).then_some(JOINT));
                    residues.extend_from_slice(sequence);
                    is_first = false;
                }
                files.spare().give_back(records, usize::MAX / 2);
            }
            Ok(Some(residues.len() - start))
        })?;
        Ok(joined.expect("a record is appended"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::composition::SYMBOLS;
    use std::io::Write;

    const SIZES: Sizes = Sizes { block: 1 << 20, ahead: 2 };

    fn opened(paths: &[PathBuf], per_file: bool) -> Result<SequenceFiles> {
        SequenceFiles::open(Inputs { paths, per_file }, SIZES)
    }

    /// The batches of a file, each taking at most about `bytes`.
    fn batches(text: &str, bytes: usize) -> Vec<Records> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let mut sequences = opened(&[file.path().to_path_buf()], false).unwrap();
        let next = || Some(sequences.next(&Parameters::QUT, bytes).unwrap()?.records);
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn batches_together_are_the_file_however_they_are_cut() {
        let text: String = (0..50).map(|k| format!(">s{k}\n{}\n", "MKVL".repeat(k % 7))).collect();
        for bytes in [0, 1, 100, 1000, 1 << 20] {
            let mut whole = Records::default();
            for batch in batches(&text, bytes) {
                (0..batch.len()).for_each(|k| whole.push(batch.name(k), batch.sequence(k)));
            }
            let mut expected = Records::default();
            (0..50).for_each(|k| expected.push(format!("s{k}"), "MKVL".repeat(k % 7).as_bytes()));
            assert_eq!(whole, expected, "{bytes} bytes");
        }
    }

    #[test]
    fn a_batch_is_weighed_with_its_signatures() {
        // 4 residues, a name of 1 byte, 13 bytes of a window, and what any sequence takes.
        let text = ">s\nMKVL\n".repeat(10);
        let lengths: Vec<usize> = batches(&text, 3 * (18 + SEQUENCE_BYTES)).iter().map(Records::len).collect();
        assert_eq!(lengths, [3, 3, 3, 1]);
    }

    #[test]
    fn what_is_read_ahead_is_in_the_batches_too() {
        let (short, long) = ("ACGT".repeat(100), "ACGT".repeat(SYMBOLS / 4));
        for lengths in [&[&short, &short, &long, &short][..], &[&long, &long], &[&short; 60]] {
            let text: String = lengths.iter().map(|residues| format!(">s\n{residues}\n")).collect();
            for bytes in [1, 2000, 1 << 30] {
                let all: Vec<_> = batches(&text, bytes)
                    .iter()
                    .flat_map(|batch| (0..batch.len()).map(|k| batch.sequence(k).len()).collect::<Vec<_>>())
                    .collect();
                assert_eq!(all, lengths.iter().map(|residues| residues.len()).collect::<Vec<_>>(), "{bytes} bytes");
            }
        }
    }

    #[test]
    fn an_empty_file_has_no_batch_and_no_letters() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(opened(&[file.path().to_path_buf()], false).unwrap().alphabet(), None);
        assert_eq!(batches("", 100), []);
        assert_eq!(batches("@q\nACGT\n+\nIIII\n", 100)[0].sequence(0), b"ACGT");
    }

    /// The records of files of these names and texts, in batches of `bytes`.
    fn records(files: &[(&str, &str)], per_file: bool, bytes: usize) -> Records {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = files.iter().map(|(name, _)| folder.path().join(name)).collect();
        paths.iter().zip(files).for_each(|(path, (_, text))| std::fs::write(path, text).unwrap());
        let (mut sequences, mut all) = (opened(&paths, per_file).unwrap(), Records::default());
        while let Some(batch) = sequences.next(&Parameters::DNA, bytes).unwrap() {
            all.extend(&batch.records, 0..batch.records.len());
        }
        all
    }

    const FILES: [(&str, &str); 5] = [
        ("a.fa", ">x\nACGT\n>y\nGG\nT\n"),
        ("none.fa", ""),
        ("b.fna", ">x\nCA\n"),
        ("b.1.fq", "@x\nA\n+\nI\n"),
        ("empty.fa", ">x\n\n>y\n"),
    ];

    #[test]
    fn files_come_one_after_the_other() {
        let expected = [("x", "ACGT"), ("y", "GGT"), ("x", "CA"), ("x", "A"), ("x", ""), ("y", "")];
        for bytes in [1, 200, 1 << 20] {
            assert_eq!(records(&FILES, false, bytes), Records::from_iter(expected), "{bytes}");
        }
    }

    #[test]
    fn each_file_is_a_record() {
        let expected = [("a", "ACGT\nGGT"), ("none", ""), ("b", "CA"), ("b.1", "A"), ("empty", "\n")];
        for bytes in [1, 300, 1 << 20] {
            let found = records(&FILES, true, bytes);
            assert_eq!(found, Records::from_iter(expected), "{bytes}");
            let lengths: Vec<u64> = found.sequences().iter().map(length).collect();
            assert_eq!(lengths, [7, 0, 2, 1, 0]);
        }
        let long = "ACGT".repeat(SYMBOLS);
        let found = records(&[("a.fa", &format!(">x\n{long}\n>y\n{long}\n")), FILES[2]], true, 1 << 20);
        assert_eq!(found, Records::from_iter([("a", format!("{long}\n{long}")), ("b", "CA".into())]));
    }

    #[test]
    fn files_that_cannot_be_told_apart_are_refused() {
        let refused = |paths: [&str; 3], per_file| {
            let error = opened(&paths.map(PathBuf::from), per_file).err().expect("refused");
            assert_eq!(error.exit_code(), 2);
            error.to_string()
        };
        assert!(refused(["-", "a.fa", "-"], false).contains("standard input can be read once"));
        let message = refused(["x/a.fa", "b.fa", "y/a.fna.gz"], true);
        assert!(["x/a.fa", "y/a.fna.gz", "called a:"].iter().all(|words| message.contains(words)), "{message}");
    }
}
