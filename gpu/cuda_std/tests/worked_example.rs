//! The GC count of many sequences: one warp counts the G and C of one sequence.

use cuda_std::emulator::{Emulator, Fault};
use cuda_std::{Global, GlobalMut, Shape, kernel, thread, warp};

/// Threads in a block: eight warps, so eight sequences.
const THREADS: u32 = 256;

/// Whether a base is G or C, in either case.
fn is_gc(base: u8) -> bool {
    matches!(base, b'G' | b'C' | b'g' | b'c')
}

/// The number of G and C in `bases[start..end]`, in every lane. Lane k looks at bases start + k, start + k + 32, ...
fn count(bases: Global<u8>, start: u32, end: u32) -> u32 {
    let (mut at, mut sum) = (start + warp::lane_id(), 0);
    while at < end {
        sum += u32::from(is_gc(bases.read(at)));
        at += warp::LANES;
    }
    warp::reduce_add(sum)
}

/// The argument of the kernel.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CountGcArgs<'a> {
    /// The bases of all sequences, one after another.
    pub bases: Global<'a, u8>,
    /// The first base of each sequence, then the number of all bases.
    pub starts: Global<'a, u32>,
    /// For each sequence: how many of its bases are G or C.
    pub counts: GlobalMut<'a, u32>,
}

/// A sequence a warp.
#[kernel]
pub fn count_gc(args: CountGcArgs) {
    let sequence = thread::index_1d() / warp::LANES;
    if u64::from(sequence) >= args.counts.len() {
        return;
    }
    let sum = count(args.bases, args.starts.read(sequence), args.starts.read(sequence + 1));
    if warp::lane_id() == 0 {
        args.counts.write(sequence, sum);
    }
}

/// grid: ceil(32 * sequences / THREADS), block: THREADS, shared: 0
/// `starts.len() == counts.len() + 1`, `bases.len() < 2^31`; `starts` never goes down and ends at `bases.len()`.
fn launch(emulator: &Emulator, args: CountGcArgs) -> Result<(), Fault> {
    assert!(args.starts.len() == args.counts.len() + 1, "a start for each sequence, then the number of bases");
    assert!(args.bases.len() < 1 << 31, "fewer than 2^31 bases");
    let grid = args.counts.len().div_ceil(u64::from(THREADS / warp::LANES)) as u32;
    emulator.launch(&count_gc, Shape { grid, block: THREADS, shared: 0 }, args)
}

/// Allocates a buffer on the emulator and fills it with the bytes of words.
fn upload<T: Copy, const N: usize>(emulator: &Emulator, words: &[T], bytes: fn(T) -> [u8; N]) -> Result<u64, Fault> {
    let bytes: Vec<u8> = words.iter().flat_map(|&word| bytes(word)).collect();
    let address = emulator.allocate(bytes.len());
    emulator.copy_in(&bytes, address)?;
    Ok(address)
}

/// Runs the kernel on the emulator: copies the input in, launches, copies the counts out.
fn count_on_emulator(bases: &[u8], starts: &[u32]) -> Result<Vec<u32>, Fault> {
    let (emulator, sequences) = (Emulator::new(), starts.len() - 1);
    let from = (upload(&emulator, bases, |base| [base])?, upload(&emulator, starts, u32::to_ne_bytes)?);
    let to = emulator.allocate(4 * sequences);
    // SAFETY: the three buffers have these lengths and live as long as the emulator.
    let args = unsafe {
        CountGcArgs {
            bases: Global::from_raw(from.0, bases.len() as u64),
            starts: Global::from_raw(from.1, starts.len() as u64),
            counts: GlobalMut::from_raw(to, sequences as u64),
        }
    };
    launch(&emulator, args)?;
    let mut counts = vec![0; 4 * sequences];
    emulator.copy_out(to, &mut counts)?;
    Ok(counts.chunks_exact(4).map(|word| u32::from_ne_bytes(word.try_into().unwrap())).collect())
}

#[test]
fn counts_are_those_of_a_plain_loop() {
    let sequences = ["", "G", "ACGTNacgtn", &"GATTACA".repeat(40), "", &"c".repeat(33), "AT", "CG", "GGG"];
    let mut starts = vec![0];
    starts.extend(sequences.iter().scan(0, |end, sequence| {
        *end += sequence.len() as u32;
        Some(*end)
    }));
    let expected: Vec<u32> = sequences.map(|s| s.matches(['G', 'C', 'g', 'c']).count() as u32).to_vec();
    let counts = count_on_emulator(sequences.concat().as_bytes(), &starts);
    assert_eq!(counts.unwrap_or_else(|fault| panic!("{fault}")), expected);
}

#[test]
fn a_sequence_that_ends_past_the_bases_is_a_fault() {
    let fault = count_on_emulator(b"GATTACA", &[0, 4, 8]).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "kernel count_gc, block 0, thread 35: out of bounds: index 7 of a view of 7 elements"
    );
}
