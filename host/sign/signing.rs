//! Signing whole files: sequences in, signed batches out, in order.
//!
//! ```text
//! sequences -> Batches: read on all threads -> Signed -> workers: sign, verify -> calling thread: taken, in order
//!                  ^----------------------- Spare, Pool -----------------------------------|
//! ```
//!
//! A batch takes the memory of an earlier one that is done, and the reader waits while the batches in flight take too much.
//! So a run takes what its [`Memory`] says, plus the longest sequence with its signatures, whatever the size of the file.
//!
//! Windows never cross sequences, and batches never cut one. So the output shows neither how the file was cut into batches nor
//! which worker signed them.

use super::engine::Signer;
use super::input::{self, Inputs, SequenceFiles};
use super::wanted::Wanted;
use super::{Alphabet, Parameters, Records, Signatures, words};
use std::path::{Path, PathBuf};
use std::time::Instant;
use warpseq_engine::devices::Gpus;
use warpseq_engine::error::Result;
use warpseq_engine::executor::Executor;
use warpseq_engine::memory::{Memory, for_work};
use warpseq_engine::options::RunOptions;
use warpseq_engine::profile;
use warpseq_engine::room::{Guard, Room};
use warpseq_engine::run::{Setup, run};
use warpseq_engine::worker::Worker;
use warpseq_io::console::Console;
use warpseq_io::fastx::Spare;
use warpseq_io::pool::Pool;
use warpseq_io::progress::Progress;

/// Bytes that a batch with its signatures may take for each byte of text that is read at a time. Where signatures take more, fewer
/// sequences make a batch.
const SIGNED: usize = 4;

/// How files are signed.
#[derive(Clone, Copy, Debug)]
pub struct SignOptions {
    /// How signatures are made. What is not asked for depends on the sequences.
    pub wanted: Wanted,
    /// The devices and the memory of the run.
    pub run: RunOptions,
}

/// Sequences and their signatures.
#[derive(Default)]
pub struct Signed {
    /// The sequences.
    pub batch: Records,
    /// The signatures of their windows.
    pub signatures: Signatures,
    /// The words of their windows, 0 where there is no signature.
    pub words: Vec<u32>,
    counts: Counts,
    /// Holds their share of the memory in flight.
    guard: Option<Guard>,
    /// Where the memory of the sequences is given back.
    spare: Spare,
}

/// What is said of a batch at the end.
#[derive(Default)]
struct Counts {
    residues: u64,
    without_kmers: u64,
}

impl Counts {
    fn of(batch: &Records, signatures: &Signatures) -> Self {
        Self {
            residues: input::length(batch.sequences().residues()),
            without_kmers: signatures.present.iter().filter(|&&present| present == 0).count() as u64,
        }
    }
}

/// The memory of signatures and their words, but what is beyond about `bytes`.
fn trimmed((mut signatures, mut words): (Signatures, Vec<u32>), bytes: usize) -> (Signatures, Vec<u32>) {
    let most = bytes + bytes / 4;
    let Signatures { bytes: list, present } = &mut signatures;
    for list in [list, present].into_iter().filter(|list| list.capacity() > most) {
        *list = Vec::new();
    }
    words.shrink_to(most / size_of::<u32>());
    (signatures, words)
}

/// Files that will be signed.
pub struct Unsigned<'a> {
    options: &'a SignOptions,
    parameters: Parameters,
    memory: Memory,
    sequences: SequenceFiles,
    gpus: Option<Gpus>,
    start: Instant,
}

impl SignOptions {
    /// Opens FASTA or FASTQ, plain or gzip, or standard input for `-`, and settles the parameters.
    ///
    /// # Errors
    /// Those of [`Reader`](warpseq_io::fastx::Reader); [`Error::Usage`](warpseq_engine::error::Error::Usage) for parameters
    /// that make no sense.
    pub fn open(&self, path: &Path) -> Result<Unsigned<'_>> {
        self.open_all(Inputs { paths: &[PathBuf::from(path)], per_file: false })
    }

    /// Opens several files, whose sequences come one file after the other. The first settles the parameters.
    ///
    /// # Errors
    /// Those of [`SignOptions::open`]; [`Error::Usage`](warpseq_engine::error::Error::Usage) when two files are standard input;
    /// where each file is a record, when two have one name, and for windows and raw sequences.
    pub fn open_all(&self, inputs: Inputs) -> Result<Unsigned<'_>> {
        let start = Instant::now();
        let gpus = Gpus::start_opening(self.run, "sign_");
        let (bytes, threads) = (self.run.host_memory, rayon::current_num_threads());
        // There are neither matches nor rows: what would be theirs is held.
        let held = 2 * (for_work(bytes) / 5);
        let batches = Memory::for_batches(bytes, threads, self.run.processor, SIGNED);
        let memory = Memory { matches: 0, rows: 0, held, ..batches };
        let sequences = SequenceFiles::open(inputs, memory.reading)?;
        let parameters = self.wanted.parameters(sequences.alphabet())?;
        inputs.check_parameters(&parameters)?;
        let chosen = if self.wanted.alphabet.is_none() { " (alphabet by the first letters)" } else { "" };
        let shown = sequences.files().shown();
        self.run.console.detail(format_args!("{shown}: signing with {parameters}{chosen}"));
        Ok(Unsigned { options: self, parameters, memory, sequences, gpus, start })
    }
}

impl Unsigned<'_> {
    /// What the files will be signed with.
    pub fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// Bytes that may be held beside the sequences that are signed.
    pub fn held(&self) -> usize {
        self.memory.held
    }

    /// What the sequences are, by their first letters; `None` if there are no letters.
    pub fn alphabet(&self) -> Option<Alphabet> {
        self.sequences.alphabet()
    }

    /// Signs the files; `take` gets their sequences in order, some at a time, and may keep what is in them. Warns of what the user should know.
    ///
    /// # Errors
    /// Those of reading, the device and `take`; [`Error::Mismatch`](warpseq_engine::error::Error::Mismatch) when `verify`
    /// finds a difference.
    pub fn sign(self, mut take: impl FnMut(&mut Signed) -> Result<()>) -> Result<Summary> {
        let Self { options, parameters, memory, mut sequences, gpus, start } = self;
        let console = options.run.console;
        let (shown, files) = (sequences.files().shown(), sequences.files());
        let progress = Progress::new(console, files.total_bytes(), files.bytes_read());
        let (room, pool, mut summary) =
            (Room::new(memory.room), Pool::<(Signatures, Vec<u32>)>::default(), Summary::default());
        let computed = run(
            &Signer { parameters, console },
            Setup { options: options.run, gpus, in_flight: memory.in_flight, progress },
            || {
                room.wait_for(memory.batch);
                let next = sequences.next(&parameters, memory.batch)?;
                Ok(next.map(|input::Batch { records, bytes, spare }| {
                    let ((signatures, words), guard) = (pool.take(), Some(room.take(bytes)));
                    Signed { batch: records, signatures, words, counts: Counts::default(), guard, spare }
                }))
            },
            |worker: &mut Worker<Signer>, mut signed: Signed| {
                let _range = profile::range("sign");
                worker.compute(&signed.batch, &mut signed.signatures)?;
                words::count_all(&signed.batch, &parameters, &signed.signatures, &mut signed.words);
                signed.counts = Counts::of(&signed.batch, &signed.signatures);
                Ok(signed)
            },
            |mut signed| {
                summary.add(&signed);
                take(&mut signed)?;
                signed.guard = None;
                signed.spare.give_back(signed.batch, memory.reading.block);
                pool.give_back(trimmed((signed.signatures, signed.words), memory.batch));
                Ok(())
            },
        )?;
        summary.call_seconds = computed.clock.call.as_secs_f64();
        (summary.engine, summary.seconds) = (computed.devices.join(", "), start.elapsed().as_secs_f64());
        sequences.files().warn(console);
        summary.tell(&shown, console);
        computed.clock.tell_verified(options.run);
        Ok(summary)
    }
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Number of sequences that were signed.
    pub sequences: u64,
    /// Number of residues of all sequences.
    pub residues: u64,
    /// Number of windows of all sequences.
    pub windows: u64,
    /// Number of windows without a k-mer.
    pub without_kmers: u64,
    /// Seconds spent signing, summed over workers: the *call* clock.
    pub call_seconds: f64,
    /// Seconds from the opening of the file to the last signature taken.
    pub seconds: f64,
    /// What signed: `cpu`, GPUs by name, or both.
    pub engine: String,
}

impl Summary {
    fn add(&mut self, signed: &Signed) {
        let Signed { batch, signatures, counts, .. } = signed;
        self.sequences += batch.len() as u64;
        self.residues += counts.residues;
        self.windows += signatures.len() as u64;
        self.without_kmers += counts.without_kmers;
    }

    /// Tells the user.
    fn tell(&self, shown: &str, console: Console) {
        let Self { windows, without_kmers, .. } = self;
        if *without_kmers > 0 {
            console.warn(format_args!(
                "{shown}: {without_kmers} of {windows} windows have no k-mer, so they have no signature and are never hits"
            ));
        }
    }
}
