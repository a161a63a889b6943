//! On the emulator: more matches at a position than a slot holds, and memory that is not enough.

use super::*;
use crate::cpu::Cpu;
use crate::{Choice, Patterns, Signature, find, pattern::patterns, report};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpseq_device::emulated::Emulated;
use warpseq_gpu::abi::{HARD, LEFT};

fn signatures(count: usize) -> Vec<Pattern> {
    let all: Vec<_> = (0..count).map(|_| Signature::new("q", b"ACGTAGGACCTN".to_vec())).collect();
    patterns(&all, &Options::default())
}

fn device(patterns: &[Pattern], settings: Settings) -> Device<Emulated> {
    Device::new(Arc::new(Emulated::default()), &Options::default(), patterns, settings).unwrap()
}

fn sorted(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_unstable();
    hits
}

#[test]
fn a_slot_makes_room_for_the_matches_of_one_position() {
    let patterns = signatures(100);
    let batch = Records::from_iter([("s", b"TTACGTAGGACCTAACGTNNGACCTAG".repeat(20))]);
    let expected = sorted(find(&mut Cpu::new(&Options::default(), &patterns), &batch).unwrap());
    assert!(expected.len() >= 4000, "{}", expected.len());
    for algorithm in [Algorithm::Anchor, Algorithm::Brute] {
        let settings = Settings { algorithm, matches: 7, ..Settings::default() };
        assert_eq!(sorted(find(&mut device(&patterns, settings), &batch).unwrap()), expected);
    }
}

#[test]
fn of_many_matches_those_that_may_be_reported_are_found() {
    let signature = |k: u8| Signature::new(format!("q{k}"), [b"ACGT", &b"GTAC".repeat(k.into())[..]].concat());
    let signatures: Vec<_> = [0, 1, SUMMED as u8 / 4].map(signature).into();
    let random = &mut ChaCha8Rng::seed_from_u64(5);
    let mut batch = |has_quality| {
        let sequences = (0..5).map(|k| ("s", b"ACGTACGGACGT".repeat(60 * k)));
        let batch = Records::from_iter(sequences.chain([("s", b"ACGTAC".repeat(200))]));
        let mut quality = || if has_quality { random.random_range(33..=73) } else { 0 };
        let qualities: Vec<u8> = batch.sequences().residues().iter().map(|_| quality()).collect();
        if has_quality { batch.with_qualities(qualities).unwrap() } else { batch }
    };
    for (choice, has_quality) in [Choice::First, Choice::Best].into_iter().flat_map(|c| [(c, true), (c, false)]) {
        let max_mismatch = crate::Mismatches::Count(1);
        let options = &Options { choice, max_mismatch, ..Options::default() };
        let all = patterns(&signatures, options);
        let settings = Settings { matches: 40, most_matches: 40, slice: 3000, ..Settings::default() };
        let device = &mut Device::new(Arc::new(Emulated::default()), options, &all, settings).unwrap();
        // The second batch is in the same slots, with qualities of its own.
        for round in 0..2 {
            let batch = &batch(has_quality);
            let mut found = None;
            device.compute(Job { choice, ..Job::new(batch, usize::MAX) }, &mut found).unwrap();
            let (found, every) = (found.unwrap(), find(&mut Cpu::new(options, &all), batch).unwrap());
            assert!(found.len() < every.len() / 4, "{choice:?} {has_quality} {round}: {}", found.len());
            let rows = |hits| report::choose(options, batch, Patterns::Made(&all), hits);
            assert_eq!(rows(found), rows(every), "{choice:?} {has_quality} {round}");
            assert!(device.slots.iter().any(|slot| slot.ranking_bytes() > 0));
        }
    }
}

#[test]
fn tables_that_leave_no_memory_for_slices_are_a_shortage() {
    let batch = Records::from_iter([("s", b"TTACGTAGGACCTA")]);
    let (_, least) = memory();
    for (memory, is_enough) in [(least, false), (least + (1 << 20), true)] {
        let found = find(&mut device(&signatures(9), Settings { memory, ..Settings::default() }), &batch);
        match found {
            Ok(_) => assert!(is_enough),
            Err(Error::Device(error)) => assert!(error.is_shortage() && !is_enough, "{error}"),
            Err(error) => panic!("{error}"),
        }
    }
}

/// `length` bases without a pattern.
fn bases(length: usize, seed: usize) -> Vec<u8> {
    let digits = (0..length).scan(seed as u32, |state, _| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Some(state.wrapping_shr(30) as usize)
    });
    digits.map(|digit| b"ACGT"[digit]).collect()
}

#[test]
fn halves_of_a_slice_miss_no_match_between_them() {
    let (length, mismatches) = (1080, 35);
    let max_mismatch = crate::Mismatches::Count(mismatches);
    let options = &Options { max_mismatch, choice: Choice::All, ..Options::default() };
    let signature = bases(length, 1);
    let all = patterns(&[Signature::new("q", signature.clone())], options);
    let device = |matches: u32| {
        let settings = Settings { matches, most_matches: matches, ..Settings::default() };
        let mut device = Device::new(Arc::new(Emulated::default()), options, &all, settings).unwrap();
        // The tables are made by the first batch.
        assert!(find(&mut device, &Records::from_iter([("s", bases(2000, 5))])).unwrap().is_empty());
        device
    };
    let first = device(1);
    // As many mismatches in the first parts that these are not found where they are looked up. The others are.
    let Decided { plan, .. } = first.decided.get().unwrap();
    let [class] = &plan.classes[..] else { panic!("a pattern has one layout") };
    let shape = class.shape;
    assert!(shape.parted);
    let broken = shape.tiles - shape.needed + 1;
    let mut copy = signature;
    for span in plan.patterns_of(class).flatten().take(mismatches as usize / broken) {
        for at in (span.offset as usize..).step_by(shape.tile).take(broken) {
            copy[at] = if copy[at] == b'A' { b'C' } else { b'A' };
        }
    }
    // Nothing but the end of the sequence is wild: where the copies before it are compared is another place of theirs.
    for (before, room) in (0..length).step_by(60).flat_map(|before| [100, 400].map(|room| (before, room))) {
        let sequence =
            [&bases(before, 2)[..], &copy.repeat(20), &bases(1200, 3), &b"N".repeat(60), &bases(40, 4)].concat();
        let batch = Records::from_iter([("s", sequence)]);
        let expected = sorted(find(&mut Cpu::new(options, &all), &batch).unwrap());
        let found = sorted(find(&mut device(room), &batch).unwrap());
        assert_eq!((found.len(), expected.len()), (20, 20), "{before} bases before the first, room for {room} matches");
        assert_eq!(found, expected);
    }
}

#[test]
fn tables_for_places_beside_runs_are_made_when_there_are_some() {
    let signatures = [900, 1000, 1100].map(|length| bases(length, length));
    for (most, island, mismatches) in [("0.7", 800, 0), ("0.97", 45, 0), ("0.7", 800, 2), ("0.97", 50, 1)] {
        let max_mismatch = crate::Mismatches::Count(mismatches);
        let max_n_frac = most.parse().unwrap();
        let options = &Options { max_n_frac, max_mismatch, choice: Choice::All, ..Options::default() };
        let named: Vec<_> = signatures.iter().map(|bases| Signature::new("q", bases.clone())).collect();
        let all = patterns(&named, options);
        let mut device = Device::new(Arc::new(Emulated::default()), options, &all, Settings::default()).unwrap();
        assert!(find(&mut device, &Records::from_iter([("s", bases(2000, 5))])).unwrap().is_empty());
        assert_eq!(device.tables.as_ref().unwrap().lacking(), HARD);
        let copy = |(k, signature): (usize, &Vec<u8>)| {
            let mut copy = b"N".repeat(signature.len());
            let part = 37 * k..37 * k + island;
            copy[part.clone()].copy_from_slice(&signature[part]);
            let middle = 37 * k + island / 2;
            copy[middle..middle + mismatches as usize].fill(b'R');
            copy
        };
        let sequence = signatures.iter().enumerate().map(copy).chain([bases(300, 6)]).collect::<Vec<_>>().concat();
        let batch = Records::from_iter([("s", sequence)]);
        let expected = sorted(find(&mut Cpu::new(options, &all), &batch).unwrap());
        assert_eq!(sorted(find(&mut device, &batch).unwrap()), expected);
        assert!(expected.len() >= 3, "{}", expected.len());
        // Where a match may lie between marks, there are tables of the other spans, too.
        let lacking = if island < 100 { 0 } else { LEFT };
        assert_eq!(device.tables.as_ref().unwrap().lacking(), lacking, "{island}");
        // Where the first batch is known before there is a device, windows are made before, or meanwhile.
        let shared = Shared::default();
        shared.decide(&all, options.wildcards, Algorithm::Auto, batch.sequences().residues());
        let gpu = Arc::new(Emulated::default());
        let mut device = Device::sharing(gpu, options, &all, Settings::default(), &shared).unwrap();
        assert_eq!(sorted(find(&mut device, &batch).unwrap()), expected);
        assert_eq!(device.tables.as_ref().unwrap().lacking(), lacking, "{island}");
    }
}

#[test]
fn matches_reach_as_far_into_long_runs_as_they_may() {
    let signature = bases(100, 1);
    for (max_n_frac, most) in [("0", 0), ("0.3", 30), ("0.99", 99)] {
        let max_n_frac = max_n_frac.parse().unwrap();
        let options = &Options { max_n_frac, choice: Choice::All, ..Options::default() };
        let all = patterns(&[Signature::new("q", signature.clone())], options);
        // The last or the first symbols of the signature lie in a run, more or fewer than may.
        let run = b"N".repeat(20_000);
        let sequences = [0, 1, 29, 30, 31, 99].map(|inside| {
            let (before, after) = (&signature[..100 - inside], &signature[inside..]);
            ("s", [&bases(50, 2), before, &run, after, &bases(40, 3), &run].concat())
        });
        let batch = Records::from_iter(sequences);
        let mut device = Device::new(Arc::new(Emulated::default()), options, &all, Settings::default()).unwrap();
        let found = sorted(find(&mut device, &batch).unwrap());
        let expected = sorted(find(&mut Cpu::new(options, &all), &batch).unwrap());
        assert_eq!(found, expected);
        let sides = [0, 1, 29, 30, 31, 99].into_iter().filter(|&inside| inside <= most).count();
        assert!(found.len() >= 2 * sides, "{most}: {}", found.len());
    }
}
