//! Fragments: pairs of sequences, and sequences without mates, in batches, input by input.
//!
//! ```text
//! one file      batch       | batch      | ...                 as they are read
//! interleaved   1 2 1 2 1   | 2 1 2 1 2  | ...                 a pair that is cut is put together: slices of two batches
//! two files     1 1 1 1 1 1 1 1 | 1 1 1 1 1 1 | ...            the files are cut at different records, so that
//!               2 2 2 2 2 | 2 2 2 2 2 2 2 2 2 | ...            a batch of pairs is slices of batches of both
//! ```
//!
//! The thread that reads only cuts. The worker that gets the batch copies the records of slices, mate 1 before mate 2 of each
//! pair, and compares the names. So pairs are read and put together on all threads.
//!
//! Right at the edges: the first record that is refused, in the order of the pairs, is the one that is told, wherever files are
//! cut. That a file has more records than the other shows when the other is at its end.

use super::repeats::Repeats;
use crate::inputs::{Input, Inputs, Reads};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use warpseq_io::error::{FileError, Result};
use warpseq_io::fastx::{Batch, Batches, Demands, Sizes, Spare, Unit};
use warpseq_io::shard::{Shard, Share};
use warpseq_io::text::Measure;
use warpseq_seq::{Records, Sequences};

/// Some fragments of one input.
pub struct Fragments {
    /// The input, by its number.
    pub input: usize,
    pieces: Pieces,
    /// Which of them repeat others; empty if nobody asks.
    repeated: Vec<bool>,
}

enum Pieces {
    /// Records one after another.
    Rows(Vec<Slice>),
    /// Records of one file, and as many of the other.
    Pairs(Vec<[Slice; 2]>),
}

impl Pieces {
    /// Which fragments repeat others.
    fn repeats(&self, paired: bool, repeats: &mut Repeats) -> Vec<bool> {
        match self {
            Self::Pairs(pairs) => {
                let mates = pairs.iter().flat_map(|[first, second]| first.bases().zip(second.bases()));
                mates.map(|(first, second)| repeats.pair([first, second])).collect()
            }
            Self::Rows(slices) => {
                let mut all = slices.iter().flat_map(Slice::bases);
                match paired {
                    false => all.map(|bases| repeats.single(bases)).collect(),
                    true => std::iter::from_fn(|| Some(repeats.pair([all.next()?, all.next()?]))).collect(),
                }
            }
        }
    }
}

/// Records that were read together, or some of them.
struct Slice {
    batch: Arc<Batch>,
    range: Range<usize>,
    /// Records of the file before the batch.
    before: u64,
    spare: Spare,
}

/// Records of a batch, mates one behind the other.
pub struct Joined {
    /// The records themselves.
    pub records: Records,
    /// Of each record, if they are wanted.
    pub texts: Sequences,
    /// Which of the fragments repeat others; empty if nobody asks.
    pub repeated: Vec<bool>,
    /// Where the memory is given back.
    pub spare: Spare,
}

impl Fragments {
    /// About how many bytes of memory they take.
    pub fn bytes(&self) -> usize {
        match &self.pieces {
            Pieces::Rows(slices) => slices.iter().map(Slice::bytes).sum(),
            Pieces::Pairs(pairs) => pairs.iter().flatten().map(Slice::bytes).sum(),
        }
    }

    /// The bases of all, one record behind another.
    pub fn bases(&self) -> Vec<u8> {
        match &self.pieces {
            Pieces::Rows(slices) => slices.iter().flat_map(Slice::bases).collect::<Vec<_>>().concat(),
            Pieces::Pairs(pairs) => pairs.iter().flatten().flat_map(Slice::bases).collect::<Vec<_>>().concat(),
        }
    }

    /// The records, mates one behind the other. `inputs` are those that they were read of, and `memory` is where records are put
    /// together and where some of so many bytes go that are done with.
    ///
    /// # Errors
    /// [`FileError::Input`] for mates of different names.
    pub fn join(self, inputs: &Inputs, memory: (&Spare, usize)) -> Result<Joined> {
        let reads = &inputs.all()[self.input].reads;
        let joined = match self.pieces {
            Pieces::Rows(slices) => {
                if reads.are_paired() {
                    let records: Vec<_> = slices.iter().flat_map(Slice::records).collect();
                    records.chunks_exact(2).try_for_each(|mates| require_mates(reads, [mates[0], mates[1]]))?;
                }
                in_a_row(slices, memory)
            }
            Pieces::Pairs(pairs) => {
                for [first, second] in &pairs {
                    first.records().zip(second.records()).try_for_each(|(a, b)| require_mates(reads, [a, b]))?;
                }
                in_turn(pairs, memory)
            }
        };
        Ok(Joined { repeated: self.repeated, ..joined })
    }
}

/// The records of slices, one slice after another. A batch that nobody shares is taken as it is.
fn in_a_row(mut slices: Vec<Slice>, memory: (&Spare, usize)) -> Joined {
    if slices.len() == 1
        && let Some(slice) = slices.pop()
    {
        match slice.whole() {
            Ok(joined) => return joined,
            Err(slice) => slices.push(slice),
        }
    }
    let mut joined = Joined::new(memory.0);
    for slice in slices {
        joined.extend(&slice, slice.range.clone());
        slice.give_back(memory);
    }
    joined
}

/// The records of each two slices in turn.
fn in_turn(pairs: Vec<[Slice; 2]>, memory: (&Spare, usize)) -> Joined {
    let mut joined = Joined::new(memory.0);
    for pair in pairs {
        for k in 0..pair[0].range.len() {
            for slice in &pair {
                let at = slice.range.start + k;
                joined.extend(slice, at..at + 1);
            }
        }
        pair.into_iter().for_each(|slice| slice.give_back(memory));
    }
    joined
}

impl Joined {
    fn new(spare: &Spare) -> Self {
        let (texts, repeated) = Default::default();
        Self { records: spare.take(), texts, repeated, spare: spare.clone() }
    }

    fn extend(&mut self, slice: &Slice, range: Range<usize>) {
        self.records.extend(&slice.batch.records, range.clone());
        if !slice.batch.texts.is_empty() {
            self.texts.extend(&slice.batch.texts, range);
        }
    }
}

impl Slice {
    /// Each record, with its place in the batch.
    fn records(&self) -> impl Iterator<Item = (&Self, usize)> {
        self.range.clone().map(move |at| (self, at))
    }

    /// Each sequence.
    fn bases(&self) -> impl Iterator<Item = &[u8]> {
        self.range.clone().map(|at| self.batch.records.sequence(at))
    }

    fn bytes(&self) -> usize {
        let starts = self.batch.records.sequences().starts();
        let residues = (starts[self.range.end] - starts[self.range.start]) as usize;
        let starts = self.batch.texts.starts();
        let text = if starts.len() > 1 { starts[self.range.end] - starts[self.range.start] } else { 0 } as usize;
        2 * residues + text + 4 * size_of::<u64>() * self.range.len()
    }

    /// The batch itself, if this is all of it and nobody else has some.
    fn whole(self) -> std::result::Result<Joined, Self> {
        let Self { batch, range, before, spare } = self;
        if range.len() < batch.records.len() {
            return Err(Self { batch, range, before, spare });
        }
        match Arc::try_unwrap(batch) {
            Ok(Batch { records, texts, .. }) => Ok(Joined { records, texts, repeated: Vec::new(), spare }),
            Err(batch) => Err(Self { batch, range, before, spare }),
        }
    }

    /// Gives the memory of the batch back when nobody else has some of it.
    fn give_back(self, (_, block): (&Spare, usize)) {
        if let Some(batch) = Arc::into_inner(self.batch) {
            self.spare.give_back(batch.records, block);
        }
    }
}

/// Refuses two records whose names are not those of mates.
fn require_mates(reads: &Reads, mates: [(&Slice, usize); 2]) -> Result<()> {
    let names = mates.map(|(slice, at)| slice.batch.records.name(at));
    if bare(names[0]) == bare(names[1]) {
        return Ok(());
    }
    let [first, second] = names.map(String::from_utf8_lossy);
    let [(before, at), (slice, place)] = mates;
    let line = before.batch.lines[at];
    let (of, path) = paths(reads);
    let message = format!(
        "expected the mate of {first} ({}, line {line}), found {second}: mates have one name, but for /1 and /2, and stand in \
         the same order",
        of.display()
    );
    let (line, record) = (slice.batch.lines[place], slice.before + place as u64 + 1);
    Err(FileError::Input { path: path.to_path_buf(), line, record, message })
}

/// The files of mates 1 and of mates 2.
fn paths(reads: &Reads) -> (&Path, &Path) {
    let mut paths = reads.paths();
    let first = paths.next().expect("there is a file");
    (first, paths.next().unwrap_or(first))
}

/// A name without the number of its mate.
fn bare(name: &[u8]) -> &[u8] {
    name.strip_suffix(b"/1").or(name.strip_suffix(b"/2")).unwrap_or(name)
}

/// What an input held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// How many records.
    pub records: u64,
    /// How many `-` there are among the bases.
    pub gaps: u64,
}

/// A file that is read.
struct Stream {
    batches: Batches,
    /// What was read last, of which something is left.
    batch: Option<Arc<Batch>>,
    next: usize,
    /// Records before the batch.
    before: u64,
    /// The line of the last record that was taken.
    line: u64,
    gaps: u64,
    /// What is told when the records that were read before it have been taken.
    refused: Option<FileError>,
}

impl Stream {
    fn open(path: &Path, demands: Demands, sizes: Sizes, share: Option<(&Share, Unit)>) -> Result<Self> {
        let batches = match share {
            Some((share, unit)) => Batches::open_share(path, demands, sizes, share, unit)?,
            None => Batches::open(path, demands, sizes)?,
        };
        Ok(Self { batches, batch: None, next: 0, before: 0, line: 0, gaps: 0, refused: None })
    }

    /// How many records there are to be taken; 0: none any more.
    fn left(&mut self) -> Result<usize> {
        if let Some(refused) = self.refused.take() {
            return Err(refused);
        }
        if self.batch.is_none()
            && let Some(batch) = self.batches.next()?
        {
            self.gaps += batch.counted;
            (self.batch, self.next) = (Some(Arc::new(batch)), 0);
        }
        Ok(self.batch.as_ref().map_or(0, |batch| batch.records.len() - self.next))
    }

    /// Takes the next `count` records, which are there.
    fn take(&mut self, count: usize) -> Slice {
        let batch = self.batch.take().expect("there are records to be taken");
        let (range, before) = (self.next..self.next + count, self.before + self.batches.skipped());
        self.line = batch.lines.get(range.end - 1).copied().unwrap_or_default();
        if range.end < batch.records.len() {
            (self.batch, self.next) = (Some(Arc::clone(&batch)), range.end);
        } else {
            self.before += batch.records.len() as u64;
        }
        Slice { batch, range, before, spare: self.batches.spare() }
    }

    /// Leaves out records until `count` are behind.
    fn skip_to(&mut self, count: u64) -> Result<()> {
        while self.taken() < count {
            match self.left()? {
                0 => break,
                some => drop(self.take(some.min(usize::try_from(count - self.taken()).unwrap_or(usize::MAX)))),
            }
        }
        Ok(())
    }

    /// Records that were taken or left out.
    fn taken(&self) -> u64 {
        self.batches.skipped() + self.before + if self.batch.is_some() { self.next as u64 } else { 0 }
    }

    /// The error of the last record, which has no mate behind it.
    fn odd(&self, path: &Path) -> FileError {
        let (line, record) = (self.line, self.taken());
        let message = format!("this record has no mate: the file has {record} records, and --interleaved needs pairs");
        FileError::Input { path: path.to_path_buf(), line, record, message }
    }

    /// The error of the next record, whose mate should be in a file that has ended as `other` has.
    fn alone(&self, path: &Path, (other, other_path): (&Self, &Path)) -> FileError {
        let batch = self.batch.as_ref().expect("there is a record left");
        let (records, line) = (other.taken(), other.line);
        let ends = if records == 0 { String::new() } else { format!(", the last one on line {line}") };
        let message = format!("this record has no mate: {} has {records} records{ends}", other_path.display());
        FileError::Input { path: path.to_path_buf(), line: batch.lines[self.next], record: self.taken() + 1, message }
    }
}

/// An input that is read.
enum Open {
    Single(Stream),
    Interleaved(Stream),
    Pair(Box<[Stream; 2]>),
}

impl Open {
    fn new(reads: &Reads, demands: &Demands, sizes: Sizes, share: Option<&Share>) -> Result<Self> {
        let of_mates = || Demands { lines: true, ..demands.clone() };
        let of = |unit| share.map(|share| (share, unit));
        Ok(match reads {
            Reads::Single(path) => Self::Single(Stream::open(path, demands.clone(), sizes, of(Unit::Record))?),
            Reads::Interleaved(path) => Self::Interleaved(Stream::open(path, of_mates(), sizes, of(Unit::Pair))?),
            Reads::Pair(first, second) => {
                let sizes = Sizes { block: sizes.block.div_ceil(2), ..sizes };
                let open = |path, share| Stream::open(path, of_mates(), sizes, share);
                let (a, b) = (open(first, of(Unit::Numbered))?, open(second, None)?);
                let [kind, other] = [&a, &b].map(|stream| stream.batches.reader().kind());
                if kind.is_some() && other.is_some() && kind != other {
                    let message =
                        format!("one is FASTA and the other FASTQ, as {}: mates have one format", first.display());
                    return Err(FileError::Unusable { path: second.clone(), message });
                }
                Self::Pair(Box::new([a, b]))
            }
        })
    }

    fn streams(&self) -> &[Stream] {
        match self {
            Self::Single(stream) | Self::Interleaved(stream) => std::slice::from_ref(stream),
            Self::Pair(streams) => &streams[..],
        }
    }

    /// The next records, of pairs about `block` bytes; `None` at the end.
    fn next(&mut self, reads: &Reads, block: usize) -> Result<Option<Pieces>> {
        match self {
            Self::Single(stream) => match stream.left()? {
                0 => Ok(None),
                all => Ok(Some(Pieces::Rows(vec![stream.take(all)]))),
            },
            Self::Interleaved(stream) => in_one_file(stream, paths(reads).0),
            Self::Pair(streams) => in_two_files(streams, paths(reads), block),
        }
    }
}

fn in_one_file(stream: &mut Stream, path: &Path) -> Result<Option<Pieces>> {
    let all = stream.left()?;
    if all == 0 {
        return Ok(None);
    }
    let mut slices = vec![stream.take(all)];
    if all % 2 == 1 {
        match stream.left() {
            Ok(0) => stream.refused = Some(stream.odd(path)),
            Ok(_) => slices.push(stream.take(1)),
            Err(error) => stream.refused = Some(error),
        }
    }
    // The last record has no mate: the pairs before it come first.
    if let (Some(refused), [slice]) = (stream.refused.take(), &mut slices[..]) {
        slice.range.end -= 1;
        if slice.range.is_empty() {
            return Err(refused);
        }
        stream.refused = Some(refused);
    }
    Ok(Some(Pieces::Rows(slices)))
}

fn in_two_files([a, b]: &mut [Stream; 2], (first, second): (&Path, &Path), block: usize) -> Result<Option<Pieces>> {
    let (mut pairs, mut bytes) = (Vec::new(), 0);
    while bytes < block {
        let lefts = a.left().and_then(|some| {
            // Of a shard, those before are left out.
            b.skip_to(a.taken())?;
            Ok([some, b.left()?])
        });
        let count = match lefts {
            Ok([0, 0]) => break,
            Ok([0, _]) if a.batches.is_cut() => break,
            Ok([_, 0]) => Err(a.alone(first, (b, second))),
            Ok([0, _]) => Err(b.alone(second, (a, first))),
            Ok([some, others]) => Ok(some.min(others)),
            Err(error) => Err(error),
        };
        match count {
            Ok(count) => {
                let pair = [a.take(count), b.take(count)];
                bytes += pair.iter().map(Slice::bytes).sum::<usize>();
                pairs.push(pair);
            }
            Err(error) if pairs.is_empty() => return Err(error),
            // The pairs before it come first.
            Err(error) => {
                a.refused = Some(error);
                break;
            }
        }
    }
    Ok((!pairs.is_empty()).then_some(Pieces::Pairs(pairs)))
}

/// Reads the inputs of a run, one after another.
pub struct Reader<'a> {
    inputs: &'a [Input],
    /// What is read of each; empty: all.
    shares: Vec<Share>,
    demands: Demands,
    sizes: Sizes,
    open: Option<Open>,
    /// What the inputs held that have been opened.
    pub held: Vec<Held>,
    repeats: Option<Repeats>,
    bytes_read: Arc<AtomicU64>,
    /// Bytes of the inputs that are done with.
    bytes_before: u64,
}

impl<'a> Reader<'a> {
    /// Opens the first input. With `dedup`, fragments that repeat others are told.
    ///
    /// # Errors
    /// Those of [`Batches::open`], and of [`Shard::shares`].
    pub fn new(inputs: &'a [Input], shard: Option<Shard>, demands: Demands, sizes: Sizes, dedup: bool) -> Result<Self> {
        let firsts = inputs.iter().filter_map(|input| input.reads.paths().next());
        let shares = shard.map(|shard| shard.shares(firsts)).transpose()?.unwrap_or_default();
        let (open, held, bytes_read) = Default::default();
        let repeats = dedup.then(Repeats::default);
        let mut reader = Self { inputs, shares, demands, sizes, open, held, repeats, bytes_read, bytes_before: 0 };
        reader.open_next()?;
        Ok(reader)
    }

    /// Bytes of all inputs that are read; `None`: nobody knows.
    pub fn total_bytes(&self) -> Option<u64> {
        if self.shares.is_empty() {
            return self.inputs.iter().map(|input| input.reads.bytes()).sum();
        }
        let bytes = |(input, share): (&Input, &Share)| match (&input.reads, share.measure) {
            (Reads::Single(_), Measure::Plain | Measure::Bgzf) => Some(share.span.end - share.span.start),
            _ if share.span.is_empty() => Some(0),
            (reads, _) => reads.bytes(),
        };
        self.inputs.iter().zip(&self.shares).map(bytes).sum()
    }

    /// Bytes of the inputs that have been read.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes_read)
    }

    fn open_next(&mut self) -> Result<()> {
        // Nothing of the others belongs to the shard.
        while self.shares.get(self.held.len()).is_some_and(|share| share.span.is_empty()) {
            self.held.push(Held::default());
        }
        if let Some(input) = self.inputs.get(self.held.len()) {
            let share = self.shares.get(self.held.len());
            self.open = Some(Open::new(&input.reads, &self.demands, self.sizes, share)?);
            self.held.push(Held::default());
        }
        Ok(())
    }

    /// The next fragments, of the same input or of the next one; `None` at the end.
    ///
    /// # Errors
    /// Those of reading; mates that are not as many.
    pub fn next_fragments(&mut self) -> Result<Option<Fragments>> {
        while let Some(open) = &mut self.open {
            let input = self.held.len() - 1;
            let pieces = open.next(&self.inputs[input].reads, self.sizes.block)?;
            let streams = open.streams();
            let sum = |of: fn(&Stream) -> u64| streams.iter().map(of).sum::<u64>();
            self.held[input] = Held { records: sum(Stream::taken), gaps: sum(|stream| stream.gaps) };
            let bytes = self.bytes_before + sum(|stream| stream.batches.reader().bytes_read().load(Ordering::Relaxed));
            self.bytes_read.store(bytes, Ordering::Relaxed);
            if let Some(pieces) = pieces {
                let Input { sample, reads } = &self.inputs[input];
                let repeats = |repeats: &mut Repeats| {
                    repeats.go_on_with(*sample);
                    pieces.repeats(reads.are_paired(), repeats)
                };
                let repeated = self.repeats.as_mut().map(repeats).unwrap_or_default();
                return Ok(Some(Fragments { input, pieces, repeated }));
            }
            (self.open, self.bytes_before) = (None, bytes);
            self.open_next()?;
        }
        Ok(None)
    }
}
