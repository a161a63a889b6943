//! A batch of more than 2^31 symbols: offsets that do not fit 31 bits, on the CPU and, where there is one, on a GPU.
//!
//! Needs 5 GB of memory; where less is free the test says so and stops.

use rayon::prelude::*;
use std::fs::read_to_string;
use warpseq::cuda::kernels;
use warpseq::scan::cpu::Cpu;
use warpseq::scan::device::{Device, Settings};
use warpseq::scan::{Hit, Options, Pattern, Signature, find, pattern};
use warpseq::seq::{Records, Sequences};

const BEYOND: usize = 1 << 31;
const SYMBOLS: usize = BEYOND + 100_000;
const NEEDED_KIB: u64 = 5 << 20;
/// The last symbol of one match is the first past 2^31 symbols; another lies wholly beyond; one ends with the sequence.
const STARTS: [usize; 4] = [17, BEYOND - 199, BEYOND + 5000, SYMBOLS - 200];

fn available_kib() -> Option<u64> {
    let text = read_to_string("/proc/meminfo").ok()?;
    text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?.trim().strip_suffix(" kB")?.parse().ok()
}

/// A base that depends on its place, without a pattern that a short signature would meet.
fn base(at: usize) -> u8 {
    let mixed = (at as u64 ^ 0x5851_F42D_4C95_7F2D).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    b"ACGT"[((mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 62) as usize]
}

fn large() -> (Records, Vec<Pattern>) {
    let mut bases = vec![0; SYMBOLS];
    bases.par_chunks_mut(1 << 20).enumerate().for_each(|(chunk, bases)| {
        bases.iter_mut().enumerate().for_each(|(k, place)| *place = base((chunk << 20) + k));
    });
    let signature = Signature::new("q", (0..200).map(|k| base(usize::MAX - k)).collect());
    for start in STARTS {
        bases[start..start + 200].copy_from_slice(signature.bases());
    }
    let sequences = Sequences::from_parts(bases, vec![0, SYMBOLS as u64]).unwrap();
    let batch = Records::from_parts(Sequences::from_iter(["s"]), sequences).unwrap();
    (batch, pattern::patterns(&[signature], &Options::default()))
}

#[test]
fn matches_beyond_2_to_the_31_symbols_are_found() {
    if available_kib().is_none_or(|free| free < NEEDED_KIB) {
        println!("skipped: this needs 5 GB of free memory");
        return;
    }
    let (batch, patterns) = large();
    let expected = STARTS.map(|start| Hit { sequence: 0, pattern: 0, start: start as u64, wild: 0, mismatches: 0 });
    let mut hits = find(&mut Cpu::new(&Options::default(), &patterns), &batch).expect("the CPU engine finds");
    hits.sort_unstable();
    assert_eq!(hits, expected);
    let Some(gpu) = crate::cuda_host::open(kernels::MODULES) else { return };
    let mut device = Device::new(gpu, &Options::default(), &patterns, Settings::default()).expect("one signature");
    let mut hits = find(&mut device, &batch).expect("the GPU finds");
    hits.sort_unstable();
    assert_eq!(hits, expected);
}
