//! What of `Engine` is about signatures: sequences are signed, or come signed, and each call compares what it is given.
//!
//! ```text
//! sequences  path, list, dictionary, arrays -> Signer -> Collection
//! signed     a signature file, or a table of `sign` -> Collection
//! ```

use crate::call::Call;
use crate::choice::{Named, choose_one};
use crate::engine::{Machine, compute};
use crate::input::{Input, pieces};
use crate::table::{Column, Table, arrow, column};
use arrow_array::{BinaryArray, Int64Array, StringArray, UInt64Array};
use pyo3::prelude::*;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use warpseq::console::Console;
use warpseq::error::{Error, Result};
use warpseq::executor::Executor;
use warpseq::memory::Memory;
use warpseq::seq::Records;
use warpseq::sign::collection::{Builder, Collection};
use warpseq::sign::composition::Composition;
use warpseq::sign::engine::Signer;
use warpseq::sign::file::holds_signatures;
use warpseq::sign::input::{Inputs, SequenceFiles};
use warpseq::sign::wanted::Wanted;
use warpseq::sign::{Alphabet, Hash, Parameters, Signatures, Signing, Window, Words, words};

/// Bytes that a batch with its signatures may take for each byte of text, as of a run of the program.
const SIGNED: usize = 4;
/// Rows of a part of a table.
const ROWS: usize = 1 << 16;

const ALPHABETS: Named<Option<Alphabet>> =
    &[("auto", None), ("dna", Some(Alphabet::Dna)), ("protein", Some(Alphabet::Protein)), ("raw", Some(Alphabet::Raw))];
const HASHES: Named<Hash> = &[("mix64", Hash::Mix64), ("pcg", Hash::Pcg), ("isaac", Hash::Isaac)];
const WORDS: Named<Words> = &[("complex", Words::Complex), ("all", Words::All)];

/// How sequences are signed, as Python says it. What is not said depends on the sequences.
pub struct Arguments<'py> {
    pub alphabet: &'py str,
    pub k: Option<u32>,
    pub window: Option<Bound<'py, PyAny>>,
    pub bits: Option<u32>,
    pub hash: Option<&'py str>,
    pub density: Option<u32>,
    pub words: Option<&'py str>,
    pub canonical: Option<bool>,
}

impl Arguments<'_> {
    /// The same for an engine.
    ///
    /// # Errors
    /// A `UsageError` for unknown names.
    pub fn wanted(&self, py: Python) -> PyResult<Wanted> {
        let window = self.window.as_ref().map(|window| -> PyResult<Window> {
            match window.extract::<u32>() {
                Ok(length) => Ok(Window::Length(length)),
                Err(_) => choose_one(py, "window", &window.str()?.to_string(), &[("whole", Window::Whole)]),
            }
        });
        Ok(Wanted {
            preset: None,
            alphabet: choose_one(py, "alphabet", self.alphabet, ALPHABETS)?,
            k: self.k,
            window: window.transpose()?,
            bits: self.bits,
            hash: self.hash.map(|hash| choose_one(py, "hash", hash, HASHES)).transpose()?,
            density: self.density,
            canonical: self.canonical,
            words: self.words.map(|words| choose_one(py, "words", words, WORDS)).transpose()?,
        })
    }
}

/// What is signed, or comes signed.
pub enum Source {
    Path(PathBuf),
    Held(Records),
    Signed(Arc<Collection>),
}

impl Source {
    /// The argument of that name.
    ///
    /// # Errors
    /// As of [`Input::of`].
    pub fn of(name: &str, value: &Bound<PyAny>) -> PyResult<Self> {
        if let Ok(table) = value.cast::<Table>()
            && let Some(collection) = &table.get().collection
        {
            return Ok(Self::Signed(collection.clone()));
        }
        Ok(match Input::of(name, value)? {
            Input::Held(records) => Self::Held(records),
            Input::Files(files) => Self::Path(Input::file(value.py(), name, files)?),
        })
    }

    fn is_signed(&self) -> Result<bool> {
        match self {
            Self::Path(path) => Ok(holds_signatures(path)?),
            Self::Held(_) => Ok(false),
            Self::Signed(_) => Ok(true),
        }
    }

    fn path<'a>(&'a self, name: &'a str) -> &'a Path {
        if let Self::Path(path) = self { path } else { Path::new(name) }
    }
}

/// Signs for a call.
pub struct Signatory<'a> {
    pub machine: &'a Machine,
    pub call: &'a Call,
    pub wanted: Wanted,
}

impl Signatory<'_> {
    /// The signatures of `source`, whose argument has that name.
    ///
    /// # Errors
    /// Those of the file and the device; [`Error::Usage`] for parameters that make no sense, or are not those of the signatures.
    pub fn open(&self, name: &str, source: &Source) -> Result<Arc<Collection>> {
        if !source.is_signed()? {
            return self.sign(source, self.wanted, |_| Ok(())).map(Arc::new);
        }
        let collection = self.signed(source)?;
        if self.wanted.allows(collection.parameters) {
            return Ok(collection);
        }
        Err(Error::Usage(format!(
            "{}: its signatures were made with `{}`, but other parameters are asked for: leave these out, or make the \
             signatures again with them",
            source.path(name).display().to_string().trim_matches(['<', '>']),
            collection.parameters
        )))
    }

    /// The signatures of two sources, made in the same way: in that of the one that comes signed.
    ///
    /// # Errors
    /// As of [`open`](Self::open); a file that holds none.
    pub fn open_both(&self, sources: [(&str, &Source); 2]) -> Result<[Arc<Collection>; 2]> {
        let [(_, first), (_, second)] = sources;
        let reversed = second.is_signed()? && !first.is_signed()?;
        let order = if reversed { [1, 0] } else { [0, 1] };
        let [(name, source), (other_name, other)] = order.map(|k| sources[k]);
        let one = self.open(name, source)?;
        let two = if other.is_signed()? {
            let two = self.signed(other)?;
            two.require_same_parameters(other.path(other_name), &one, source.path(name))?;
            two
        } else {
            Arc::new(self.sign(other, Wanted::from(one.parameters), |judged| self.alike(other_name, judged, &one))?)
        };
        Ok(if reversed { [two, one] } else { [one, two] })
    }

    fn signed(&self, source: &Source) -> Result<Arc<Collection>> {
        match source {
            Source::Signed(collection) => Ok(collection.clone()),
            _ => Ok(Arc::new(Collection::open(source.path(""))?)),
        }
    }

    /// Refuses DNA where the other signatures are of proteins, and the other way round, unless the alphabet is asked for.
    fn alike(&self, name: &str, judged: Option<Alphabet>, other: &Collection) -> Result<()> {
        let is_other = match (judged, other.parameters.alphabet) {
            (Some(Alphabet::Dna), Alphabet::Protein) => ["DNA", "proteins", "protein"],
            (Some(Alphabet::Protein), Alphabet::Dna) => ["proteins", "DNA", "dna"],
            _ => return Ok(()),
        };
        if self.wanted.alphabet.is_some() {
            return Ok(());
        }
        let ([ours, theirs, alphabet], name) = (is_other, name.trim_matches(['<', '>']));
        Err(Error::Usage(format!(
            "{name}: by the letters these are {ours}, and they are compared with {theirs}: compare what is alike, or give \
             alphabet=\"{alphabet}\" if that is what they are"
        )))
    }

    /// Signs sequences. `judged` is asked about what they are by their letters.
    fn sign(
        &self,
        source: &Source,
        wanted: Wanted,
        judged: impl Fn(Option<Alphabet>) -> Result<()>,
    ) -> Result<Collection> {
        let memory = self.machine.memory_for_batches(SIGNED);
        match source {
            Source::Path(path) => self.sign_file(path, wanted, memory, judged),
            Source::Held(records) => {
                let mut composition = Composition::default();
                records.sequences().iter().for_each(|residues| composition.add(residues));
                judged(composition.alphabet())?;
                let parameters = wanted.parameters(composition.alphabet())?;
                self.made(parameters, |making| {
                    let mut done = 0;
                    for some in pieces(records, memory.batch / SIGNED) {
                        making.add(&some)?;
                        done += some.len() as u64;
                        self.call.tell(done, Some(records.len() as u64));
                    }
                    Ok(())
                })
            }
            Source::Signed(_) => unreachable!("it comes signed"),
        }
    }

    fn sign_file(
        &self,
        path: &Path,
        wanted: Wanted,
        memory: Memory,
        judged: impl Fn(Option<Alphabet>) -> Result<()>,
    ) -> Result<Collection> {
        let pool = &self.machine.pool;
        let paths = [path.to_path_buf()];
        let inputs = Inputs { paths: &paths, per_file: false };
        let mut file = pool.install(|| SequenceFiles::open(inputs, memory.reading))?;
        judged(file.alphabet())?;
        let parameters = wanted.parameters(file.alphabet())?;
        self.made(parameters, |making| {
            while let Some(batch) = pool.install(|| file.next(&parameters, memory.batch))? {
                making.add(&batch.records)?;
                self.call.tell(file.files().bytes_read().load(Ordering::Relaxed), file.files().total_bytes());
            }
            Ok(())
        })
    }

    /// What `sign` adds, signed with these parameters.
    fn made(&self, parameters: Parameters, sign: impl FnOnce(&mut Making) -> Result<()>) -> Result<Collection> {
        let signer = Signer { parameters, console: Console::Silent };
        let executor = &mut *self.machine.executor(&signer)?;
        let (builder, signatures, words) = (Builder::new(&parameters), Signatures::default(), Vec::new());
        let mut making =
            Making { machine: self.machine, call: self.call, executor, parameters, builder, signatures, words };
        sign(&mut making)?;
        Ok(making.builder.finish())
    }
}

/// Signatures that are being made.
struct Making<'a> {
    machine: &'a Machine,
    call: &'a Call,
    executor: &'a mut (dyn Executor<Signing> + 'a),
    parameters: Parameters,
    builder: Builder,
    signatures: Signatures,
    words: Vec<u32>,
}

impl Making<'_> {
    fn add(&mut self, batch: &Records) -> Result<()> {
        self.call.go_on()?;
        let Self { machine, call, executor, parameters, builder, signatures, words } = self;
        machine.pool.install(|| {
            compute(&mut **executor, call, batch, signatures)?;
            words::count_all(batch, parameters, signatures, words);
            Result::Ok(())
        })?;
        builder.push(batch, signatures, words);
        Ok(())
    }
}

/// Signs and returns a row for each window.
///
/// # Errors
/// Those of the arguments, the file, the device, and of `progress`.
pub fn sign(
    py: Python,
    machine: &Machine,
    sequences: &Bound<PyAny>,
    arguments: &Arguments,
    progress: Option<&Bound<PyAny>>,
) -> PyResult<Table> {
    machine.check_process(py)?;
    let (wanted, source) = (arguments.wanted(py)?, Source::of("<sequences>", sequences)?);
    let opened = Call::run(py, progress, |call| {
        let collection = Signatory { machine, call, wanted }.open("<sequences>", &source)?;
        let count = collection.window_count();
        let parts: Vec<Vec<Column>> =
            (0..count).step_by(ROWS).map(|start| columns(&collection, start..count.min(start + ROWS))).collect();
        Ok((collection, parts))
    });
    let (collection, parts) = opened?;
    let none = columns(&collection, 0..0);
    Ok(Table::new(none, parts).map_err(arrow)?.of(collection))
}

/// The rows of some windows.
fn columns(collection: &Collection, windows: Range<usize>) -> Vec<Column> {
    let places: Vec<_> = windows.clone().map(|window| collection.place(window)).collect();
    let name = |sequence: usize| Some(String::from_utf8_lossy(&collection.names[sequence]));
    let words = |window: usize| collection.words.as_ref().map(|words| u64::from(words[window]));
    let signature = |window: usize| collection.is_present(window).then(|| collection.signature(window));
    vec![
        column("sequence", places.iter().map(|place| name(place.sequence)).collect::<StringArray>()),
        column("start", places.iter().map(|place| Some(place.residues.start)).collect::<UInt64Array>()),
        column("end", places.iter().map(|place| Some(place.residues.end)).collect::<UInt64Array>()),
        column("words", windows.clone().map(words).map(|words| words.map(|n| n as i64)).collect::<Int64Array>()),
        column("signature", windows.map(signature).collect::<BinaryArray>()),
    ]
}
