//! Signing a whole file: sequences in, signed batches out, in order.
//!
//! ```text
//! sequences -> reader thread -> Signed -> engine threads: sign, verify -> calling thread: taken, in order
//!                  ^----------------------- Pool -----------------------------------|
//! ```
//!
//! Letters, names and signatures of a batch lie in memory that an earlier batch has given back, and the reader waits while those
//! in flight take too much together, so a run takes what its [`Batches`] take and the longest sequence with its signatures,
//! whatever the size of the file. GPUs are opened while the first sequences are read.
//!
//! Right at the edges: windows never cross sequences and batches never cut one, so how the file was cut into batches and who
//! signed them cannot be seen in what comes out.

mod engines;
mod summary;
mod verify;

pub use summary::Summary;

use super::input::SequenceFile;
use super::wanted::Wanted;
use super::{Parameters, Records, Signatures};
use std::path::Path;
use std::time::{Duration, Instant};
use warpseq_engine::engines::{Names, Terms};
use warpseq_engine::error::Result;
use warpseq_engine::pipeline;
use warpseq_engine::pipeline::batches::Batches;
use warpseq_engine::pipeline::pool::Pool;
use warpseq_engine::pipeline::room::{Room, Stay};
use warpseq_engine::processor::Gpus;
use warpseq_engine::profile;
use warpseq_engine::verify::Verify;
use warpseq_io::progress::Progress;

/// How files are signed.
#[derive(Clone, Copy, Debug)]
pub struct Signing {
    pub wanted: Wanted,
    pub terms: Terms,
    /// Bytes that the process may take, the longest sequence and its signatures apart.
    pub host_memory: usize,
    /// Whether everything is signed a second time by another executor, and compared.
    pub verify: Option<Verify>,
}

/// Sequences and their signatures.
#[derive(Default)]
pub struct Signed {
    pub batch: Records,
    pub signatures: Signatures,
    /// The bytes that they take of those in flight.
    stay: Option<Stay>,
}

impl Signed {
    /// Lets go of what is in flight, and of memory beyond about `bytes`.
    fn trim(&mut self, bytes: usize) {
        let (kept, Signatures { bytes: signatures, present }) = (bytes + bytes / 4, &mut self.signatures);
        self.stay = None;
        self.batch.clear();
        self.batch.shrink_to(kept);
        for list in [signatures, present].into_iter().filter(|list| list.capacity() > kept) {
            *list = Vec::new();
        }
    }
}

/// What became of a batch.
struct Answer {
    signed: Signed,
    /// How long signing took.
    call: Duration,
    /// How long the other executor took, when there was one.
    verified: Duration,
}

/// A file that will be signed.
pub struct Unsigned<'a> {
    signing: &'a Signing,
    parameters: Parameters,
    sequences: SequenceFile,
    gpus: Option<Gpus>,
    start: Instant,
}

impl Signing {
    /// Opens FASTA or FASTQ, plain or gzip, or standard input for `-`, and settles the parameters.
    ///
    /// # Errors
    /// Those of [`Reader`](warpseq_io::fastx::Reader); [`Error::Usage`](warpseq_engine::error::Error::Usage) for parameters that make no
    /// sense.
    pub fn open(&self, path: &Path) -> Result<Unsigned<'_>> {
        let start = Instant::now();
        let gpus = self.terms.processor.start_opening();
        let sequences = SequenceFile::open(path)?;
        let parameters = self.wanted.parameters(sequences.first_residues())?;
        let chosen = if self.wanted.alphabet.is_none() { " (alphabet by the first sequence)" } else { "" };
        let shown = sequences.reader().path().display();
        self.terms.console.detail(format_args!("{shown}: signing with {parameters}{chosen}"));
        Ok(Unsigned { signing: self, parameters, sequences, gpus, start })
    }
}

impl Unsigned<'_> {
    /// What the file will be signed with.
    pub fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// Signs the file; `take` gets its sequences in order, some at a time. Warns of what the user should know.
    ///
    /// # Errors
    /// Those of reading, the device and `take`; [`Error::Mismatch`](warpseq_engine::error::Error::Mismatch) when `verify` finds a
    /// difference.
    pub fn sign(self, mut take: impl FnMut(&Signed) -> Result<()>) -> Result<Summary> {
        let Self { signing, parameters, mut sequences, gpus, start } = self;
        let Terms { processor, console, .. } = signing.terms;
        let path = sequences.reader().path().to_path_buf();
        let batches = Batches::new(signing.host_memory, processor.expects_gpu());
        let progress = Progress::new(console, sequences.reader().total_bytes(), sequences.reader().bytes_read());
        let room = Room::new(batches.room);
        let (pool, names, mut summary) = (Pool::<Signed>::default(), Names::default(), Summary::default());
        let read = || {
            let _range = profile::range("read");
            room.wait_for(batches.bytes);
            let Signed { batch, signatures, .. } = pool.take();
            let batch = sequences.next(batch, &parameters, batches.bytes)?;
            Ok(batch.map(|(batch, bytes)| Signed { batch, signatures, stay: Some(room.take(bytes)) }))
        };
        let engines = || engines::start(signing, parameters, gpus, &names);
        let write = |mut answer: Answer| {
            let _range = profile::range("write");
            progress.update();
            summary.add(&answer);
            take(&answer.signed)?;
            answer.signed.trim(batches.bytes);
            pool.give_back(answer.signed);
            Ok(())
        };
        pipeline::run(batches.in_flight, read, engines, write)?;
        drop(progress);
        (summary.engine, summary.seconds) = (names.into_inner().join(", "), start.elapsed().as_secs_f64());
        summary.tell(&path, signing);
        Ok(summary)
    }
}
