//! Signing a whole file: sequences in, signed batches out, in order.
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
use super::input::SequenceFile;
use super::wanted::Wanted;
use super::{Alphabet, Parameters, Records, Signatures};
use std::path::Path;
use std::time::Instant;
use warpseq_engine::devices::Gpus;
use warpseq_engine::error::Result;
use warpseq_engine::executor::Executor;
use warpseq_engine::memory::Memory;
use warpseq_engine::options::RunOptions;
use warpseq_engine::profile;
use warpseq_engine::room::{Guard, Room};
use warpseq_engine::run::{Setup, run};
use warpseq_engine::worker::Worker;
use warpseq_io::console::Console;
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
    /// Holds their share of the memory in flight.
    guard: Option<Guard>,
}

/// The memory of signatures, but what is beyond about `bytes`.
fn trimmed(mut signatures: Signatures, bytes: usize) -> Signatures {
    let Signatures { bytes: list, present } = &mut signatures;
    for list in [list, present].into_iter().filter(|list| list.capacity() > bytes + bytes / 4) {
        *list = Vec::new();
    }
    signatures
}

/// A file that will be signed.
pub struct Unsigned<'a> {
    options: &'a SignOptions,
    parameters: Parameters,
    memory: Memory,
    sequences: SequenceFile,
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
        let start = Instant::now();
        let gpus = Gpus::start_opening(self.run, "sign_");
        let memory = Memory::for_batches(
            self.run.host_memory,
            rayon::current_num_threads(),
            self.run.processor.expects_gpu(),
            SIGNED,
        );
        let sequences = SequenceFile::open(path, memory.reading)?;
        let parameters = self.wanted.parameters(sequences.alphabet())?;
        let chosen = if self.wanted.alphabet.is_none() { " (alphabet by the first letters)" } else { "" };
        let shown = sequences.reader().path().display();
        self.run.console.detail(format_args!("{shown}: signing with {parameters}{chosen}"));
        Ok(Unsigned { options: self, parameters, memory, sequences, gpus, start })
    }
}

impl Unsigned<'_> {
    /// What the file will be signed with.
    pub fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// What the sequences are, by their first letters; `None` if there are no letters.
    pub fn alphabet(&self) -> Option<Alphabet> {
        self.sequences.alphabet()
    }

    /// Signs the file; `take` gets its sequences in order, some at a time. Warns of what the user should know.
    ///
    /// # Errors
    /// Those of reading, the device and `take`; [`Error::Mismatch`](warpseq_engine::error::Error::Mismatch) when `verify`
    /// finds a difference.
    pub fn sign(self, mut take: impl FnMut(&Signed) -> Result<()>) -> Result<Summary> {
        let Self { options, parameters, memory, mut sequences, gpus, start } = self;
        let console = options.run.console;
        let path = sequences.reader().path().to_path_buf();
        let read = sequences.reader();
        let (progress, spare) = (Progress::new(console, read.total_bytes(), read.bytes_read()), sequences.spare());
        let (room, pool, mut summary) = (Room::new(memory.room), Pool::<Signatures>::default(), Summary::default());
        let computed = run(
            &Signer { parameters, console },
            Setup { options: options.run, gpus, in_flight: memory.in_flight, progress },
            || {
                room.wait_for(memory.batch);
                let next = sequences.next(&parameters, memory.batch)?;
                let signed = |(batch, bytes)| Signed { batch, signatures: pool.take(), guard: Some(room.take(bytes)) };
                Ok(next.map(signed))
            },
            |worker: &mut Worker<Signer>, mut signed: Signed| {
                let _range = profile::range("sign");
                worker.compute(&signed.batch, &mut signed.signatures)?;
                Ok(signed)
            },
            |mut signed| {
                summary.add(&signed);
                take(&signed)?;
                signed.guard = None;
                spare.give_back(signed.batch, memory.reading.block);
                pool.give_back(trimmed(signed.signatures, memory.batch));
                Ok(())
            },
        )?;
        summary.call_seconds = computed.clock.call.as_secs_f64();
        (summary.engine, summary.seconds) = (computed.devices.join(", "), start.elapsed().as_secs_f64());
        summary.tell(&path, console);
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
        let (batch, signatures) = (&signed.batch, &signed.signatures);
        self.sequences += batch.len() as u64;
        self.residues += batch.sequences().residues().len() as u64;
        self.windows += signatures.len() as u64;
        self.without_kmers += signatures.present.iter().filter(|&&present| present == 0).count() as u64;
    }

    /// Tells the user.
    fn tell(&self, path: &Path, console: Console) {
        let path = path.display();
        let Self { windows, without_kmers, .. } = self;
        if self.sequences == 0 {
            console.warn(format_args!("{path}: there are no sequences in it"));
        }
        if *without_kmers > 0 {
            console.warn(format_args!(
                "{path}: {without_kmers} of {windows} windows have no k-mer, so they have no signature and are never hits"
            ));
        }
    }
}
