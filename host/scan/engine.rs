//! `scan` as an engine: what every batch is searched for, by which executors, and how their results are compared.

use super::circular::Circular;
use super::cpu::Cpu;
use super::device::{self, Device, Settings};
use super::passes::{Passes, bytes_of};
use super::pattern::Patterns;
use super::report::{self, Row};
use super::{Algorithm, Hit, Job, Matching, Options, Pattern, Records, Signature, Wildcards, reference};
use rayon::prelude::*;
use std::sync::Arc;
use std::time::Duration;
use warpseq_device::gpu::Gpu;
use warpseq_engine::error::{DeviceError, Result};
use warpseq_engine::executor::{
    AnyExecutor, Difference, Engine, Executor, Part, Patient, Second, Share, Watch, first_difference,
};
use warpseq_engine::options::Verify;
use warpseq_engine::profile;

/// Device memory that is asked for beside that of slices, in bytes: for tables of whatever size, for each pattern's places in them,
/// and for each of its symbols. Where they take more, slices are smaller.
const TABLES: usize = 1 << 20;
const BYTES_PER_PATTERN: usize = 4 << 10;
const BYTES_PER_SYMBOL: usize = 2;

/// What is searched for in every batch, and what is reported of the matches.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// What matches, and what is reported.
    pub options: &'a Options,
    /// How matches are searched.
    pub algorithm: Algorithm,
    /// What is searched for.
    pub signatures: &'a [Signature],
    /// Those of `signatures` under `options`.
    pub patterns: Patterns<'a>,
    /// Host memory for their tables at a time, in bytes, where it is not enough for all: they are searched for in passes.
    pub tables: Option<usize>,
    /// Whether integrity hashes are wanted.
    pub hashed: bool,
    /// What the engines on GPUs have in common.
    pub shared: &'a device::Shared,
}

impl Search<'_> {
    /// The rows among all matches of a batch, and for each the hash of its sequence (`None` where not wanted or without
    /// qualities). Only sequences that have rows are hashed: hashing all of them while a GPU searches took 3 ms longer on work
    /// in which few have rows, and gained 1 ms where nearly all have.
    pub fn choose(&self, batch: &Records, hits: Vec<Hit>) -> (Vec<Row>, Vec<Option<u8>>) {
        let _range = profile::range("choose");
        let rows = report::choose(self.options, batch, self.patterns, hits);
        let hashes = match self.hashed {
            true => report::integrity_hashes(self.options, batch, &rows),
            false => vec![None; rows.len()],
        };
        (rows, hashes)
    }

    /// The rows that a second executor compares, with the hashes of their sequences.
    fn rows(&self, batch: &Records, hits: Vec<Hit>) -> Vec<reference::Row> {
        let (rows, hashes) = Search { hashed: true, ..*self }.choose(batch, hits);
        rows.iter().zip(hashes).map(comparable).collect()
    }

    /// Bytes for tables at a time.
    fn most_tables(&self) -> usize {
        self.tables.unwrap_or(usize::MAX)
    }

    /// Makes what all executors need that search for all patterns together, which these would make when they are made.
    pub fn prepare(&self) {
        if let (Patterns::Made(patterns), Wildcards::Iupac) = (self.patterns, self.options.wildcards) {
            self.shared.queries(patterns, false);
        }
    }

    /// Has devices find decided how they search, by bases of the first batch.
    pub fn decide(&self, bases: &[u8]) {
        if let (Patterns::Made(patterns), None) = (self.patterns, self.tables) {
            self.shared.decide(patterns, self.options.wildcards, self.algorithm, bases);
        }
    }

    /// The CPU engine for all patterns: its tables are made once.
    fn cpu_for(&self, all: &[Pattern]) -> Cpu {
        let make = || Cpu::sharing(self.options, all, self.algorithm, self.shared);
        self.shared.cpu.get_or_init(make).clone()
    }

    /// An executor that searches in lines, in circles where these are asked for.
    fn closed<'s>(&'s self, linear: impl Executor<Matching> + 's) -> AnyExecutor<'s, Self> {
        if self.options.circular { Box::new(Circular::new(linear, self.patterns)) } else { Box::new(linear) }
    }
}

impl Engine for Search<'_> {
    type Problem = Matching;
    const DOING: &'static str = "searching";
    /// A batch is a small part of what a GPU can search at a time, and where patterns are many, most of a kernel is waiting for memory.
    const ON_A_GPU: usize = 4;

    fn cpu(&self) -> AnyExecutor<'_, Self> {
        match (self.patterns, self.tables) {
            (Patterns::Made(patterns), None) => self.closed(self.cpu_for(patterns)),
            _ => {
                let make = |some: &[Pattern]| Ok(Cpu::with_algorithm(self.options, some, self.algorithm));
                Box::new(Passes::new(self.options, self.patterns, self.most_tables(), &self.shared.turn, make))
            }
        }
    }

    /// In passes, one has the tables and uses all threads, and more would wait for it.
    fn cpus(&self, count: usize) -> Vec<AnyExecutor<'_, Self>> {
        let (Patterns::Made(patterns), None) = (self.patterns, self.tables) else { return vec![self.cpu()] };
        let cpu = self.cpu_for(patterns);
        (0..count).map(|_| self.closed(cpu.clone())).collect()
    }

    fn reference(&self) -> AnyExecutor<'_, Self> {
        Box::new(reference::Reference::new(self.options, reference::patterns(self.signatures, self.options)))
    }

    fn device<G: Gpu>(&self, gpu: Arc<G>, Part { bytes: memory, executors }: Part) -> Result<AnyExecutor<'_, Self>> {
        let settings = Settings { algorithm: self.algorithm, memory, ..Settings::default() };
        let (options, patterns) = (self.options, self.patterns);
        let (Patterns::Made(all), None) = (patterns, self.tables) else {
            let tables = self.most_tables().min(memory / 2);
            let make = move |some: &[Pattern]| Device::new(gpu.clone(), options, some, settings);
            return Ok(Box::new(Passes::new(options, patterns, tables, &self.shared.turn, make)));
        };
        // All executors on a GPU have the same tables.
        let room = memory.saturating_mul(executors) / 2;
        let name = gpu.name().to_owned();
        let make = move || Ok(self.closed(Device::sharing(gpu.clone(), options, all, settings, self.shared)?));
        if bytes_of(patterns, options.wildcards) <= room {
            return make();
        }
        // The estimate may be several times what they take. Where that is too much, too, the CPU has room for them in one pass.
        Ok(Box::new(AtFirst::new(move |bases| {
            self.decide(bases);
            let bytes = self.shared.bytes().unwrap_or_default();
            if bytes <= room { make() } else { Err(DeviceError::OutOfMemory { device: name.clone(), bytes }.into()) }
        })))
    }

    fn share(&self, free: usize) -> Share {
        let (most, least) = device::memory();
        let least = least + TABLES;
        let Patterns::Made(patterns) = self.patterns else { return Share { first: free, least } };
        let symbols: usize = patterns.par_iter().map(|pattern| pattern.bases().len()).sum();
        let tables = TABLES + patterns.len() * BYTES_PER_PATTERN + symbols * BYTES_PER_SYMBOL;
        Share { first: free.min(most + tables), least }
    }

    fn late_on_a_gpu(&self) -> Duration {
        self.shared.late
    }

    fn prefers_cpu(&self) -> bool {
        let density = &self.shared.density;
        // Of many patterns, the first part of a batch will tell.
        if density.is_known() { density.is_high() } else { self.patterns.are_many() }
    }

    fn name(&self, Job { batch, .. }: Job) -> String {
        let name = |k: usize| String::from_utf8_lossy(batch.name(k));
        format!("the batch of sequences {} to {}", name(0), name(batch.len() - 1))
    }

    /// Compares rows: the reference chooses and scores by itself.
    fn check(
        &self,
        second: &mut Second<'_, Self>,
        Job { batch, .. }: Job,
        found: &Option<Vec<Hit>>,
    ) -> Result<Option<Difference>> {
        let Some(hits) = found else { return Ok(None) };
        let expected = match second.verify {
            Verify::Reference => reference::scan(self.signatures, batch, self.options),
            Verify::Cpu => self.rows(batch, second.compute(Job::new(batch, usize::MAX))?.clone().unwrap_or_default()),
        };
        let found = self.rows(batch, hits.clone());
        let Some((_, found, expected)) = first_difference(&found, &expected) else { return Ok(None) };
        let either = found.into_iter().chain(expected).map(|row| (row.sequence, row.signature)).min();
        let (sequence, signature) = either.expect("one of them is there");
        let names = [batch.name(sequence as usize), self.signatures[signature as usize].name()];
        let [sequence, signature] = names.map(String::from_utf8_lossy);
        let shown = |row: Option<&reference::Row>| row.map_or("no row".to_owned(), |row| format!("{row:?}"));
        let place = format!("sequence {sequence}, signature {signature}");
        Ok(Some(Difference { place, found: shown(found), expected: shown(expected) }))
    }
}

/// An executor on a GPU that is made when the bases of a first batch tell what tables will take.
struct AtFirst<'s, M> {
    make: M,
    made: Option<AnyExecutor<'s, Search<'s>>>,
}

impl<'s, M: Fn(&[u8]) -> Result<AnyExecutor<'s, Search<'s>>> + Send> AtFirst<'s, M> {
    fn new(make: M) -> Self {
        Self { make, made: None }
    }
}

impl<'s, M: Fn(&[u8]) -> Result<AnyExecutor<'s, Search<'s>>> + Send> Executor<Matching> for AtFirst<'s, M> {
    fn compute(&mut self, job: Job, output: &mut Option<Vec<Hit>>) -> Result<()> {
        self.compute_watched(job, output, &Patient).map(drop)
    }

    fn compute_watched(&mut self, job: Job, output: &mut Option<Vec<Hit>>, watch: &dyn Watch) -> Result<bool> {
        let bases = job.batch.sequences().residues();
        let made = match &mut self.made {
            Some(made) => made,
            None if bases.is_empty() => {
                *output = Some(Vec::new());
                return Ok(true);
            }
            none => none.insert((self.make)(bases)?),
        };
        made.compute_watched(job, output, watch)
    }
}

fn comparable((row, hash): (&Row, Option<u8>)) -> reference::Row {
    let Row { sequence, signature, reverse, start, end, quality_sum, informative, wild, mismatches } = *row;
    let integrity_hash = hash.map(u32::from);
    reference::Row {
        sequence,
        signature,
        reverse,
        start,
        end,
        phred_sum: quality_sum,
        informative,
        wild,
        mismatches,
        integrity_hash,
    }
}

#[cfg(test)]
mod tests {
    //! Devices that are too small or broken: the emulator with less memory, and with no shared memory to launch with.

    use super::*;
    use crate::find;
    use crate::pattern::patterns;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use warpseq_device::emulated::{self, Emulated};
    use warpseq_engine::error::Error;
    use warpseq_engine::fallback::Fallback;
    use warpseq_engine::options::{Processor, RunOptions};
    use warpseq_io::console::Console;

    /// Holds the signature twice.
    const UNIT: &[u8] = b"TTACGTAGGACCTACGTAGGAT";
    /// Units of the sequence: more than a tile, which is what the kernel with shared memory works on.
    const UNITS: usize = 500;

    fn batch() -> Records {
        Records::from_iter([("s", UNIT.repeat(UNITS))])
    }

    /// Searches the batch twice on an emulated device; the sorted hits of each, and what the CPU finds.
    fn search(processor: Processor, device: emulated::Device) -> (Vec<Result<Vec<Hit>>>, Vec<Hit>) {
        let (options, algorithm) = (&Options::default(), Algorithm::Anchor);
        let signatures = &[Signature::new("q", b"ACGTAGGA".to_vec())];
        let patterns = &patterns(signatures, options);
        let shared = &device::Shared::default();
        let all = Patterns::Made(patterns);
        let search = Search { options, algorithm, signatures, patterns: all, tables: None, hashed: false, shared };
        let console = Console::Quiet;
        let run = RunOptions { processor, console, ..RunOptions::default() };
        let mut executor = Fallback::new(&search, Arc::new(Emulated::new(device)), run).unwrap();
        let sorted = |mut hits: Vec<Hit>| {
            hits.sort_unstable();
            hits
        };
        let found = (0..2).map(|_| find(&mut executor, &batch()).map(sorted)).collect();
        (found, sorted(find(&mut Cpu::new(options, patterns), &batch()).unwrap()))
    }

    #[test]
    fn too_little_device_memory_ends_on_the_cpu() {
        let small = emulated::Device { memory: 10_000, ..Default::default() };
        for processor in [Processor::Auto, Processor::Cuda(None), Processor::Emulator] {
            let (found, expected) = search(processor, small);
            assert_eq!(expected.len(), 2 * UNITS);
            found.into_iter().for_each(|hits| assert_eq!(hits.unwrap(), expected));
        }
    }

    #[test]
    fn tables_that_fit_are_searched_in_one_pass_whatever_the_estimate() {
        let random = &mut ChaCha8Rng::seed_from_u64(5);
        let mut bases = |length| (0..length).map(|_| b"ACGT"[random.random_range(0..4)]).collect::<Vec<u8>>();
        let mut all: Vec<Vec<u8>> = (0..80_000).map(|_| bases(25)).collect();
        let batch = Records::from_iter([("s", bases(2000))]);
        all.push(batch.sequence(0)[700..725].to_vec());
        let signatures: Vec<_> = all.into_iter().map(|bases| Signature::new("q", bases)).collect();
        let (options, algorithm, shared) = (&Options::default(), Algorithm::Auto, &device::Shared::default());
        let made = &patterns(&signatures, options);
        let all = Patterns::Made(made);
        let search =
            Search { options, algorithm, signatures: &signatures, patterns: all, tables: None, hashed: false, shared };
        search.decide(batch.sequences().residues());
        let bytes = shared.bytes().unwrap();
        let memory = 64 << 20;
        assert!(bytes < memory / 2 && memory / 2 < bytes_of(all, options.wildcards), "{bytes}");
        let on_device = |memory| {
            let mut executor = search.device(Arc::new(Emulated::default()), Part::alone(memory)).unwrap();
            find(&mut *executor, &batch)
        };
        assert_eq!(on_device(memory).unwrap(), find(&mut *search.cpu(), &batch).unwrap());
        let too_little = on_device(2 * bytes - 2).unwrap_err();
        assert!(matches!(&too_little, Error::Device(error) if error.is_shortage()), "{too_little}");
    }

    #[test]
    fn a_fault_ends_on_the_cpu_under_auto_and_is_an_error_otherwise() {
        // The search asks for shared memory, so its launch contract cannot be met.
        let broken = emulated::Device { shared_memory: 0, ..Default::default() };
        let (found, expected) = search(Processor::Auto, broken);
        found.into_iter().for_each(|hits| assert_eq!(hits.unwrap(), expected));
        let (found, _) = search(Processor::Cuda(None), broken);
        for hits in found {
            let told = hits.unwrap_err().to_string();
            assert!(told.starts_with("the batch of sequences s to s: kernel scan_seek"), "{told}");
        }
    }
}
