//! On the emulator: more matches at a position than a slot holds, and memory that is not enough.

use super::*;
use crate::cpu::Cpu;
use crate::{Signature, find, pattern::patterns};
use warpseq_device::emulated::Emulated;

fn signatures(count: usize) -> Vec<Pattern> {
    let all: Vec<_> = (0..count).map(|_| Signature::new("q", b"ACGTAGGACCTN".to_vec())).collect();
    patterns(&all, &Options::default())
}

fn device(patterns: &[Pattern], settings: Settings) -> Device<Emulated> {
    Device::new(Arc::new(Emulated::default()), &Options::default(), patterns, settings).unwrap()
}

#[test]
fn a_slot_makes_room_for_the_matches_of_one_position() {
    let patterns = signatures(100);
    let batch = Records::from_iter([("s", b"TTACGTAGGACCTAACGTNNGACCTAG".repeat(20))]);
    let sorted = |mut hits: Vec<Hit>| {
        hits.sort_unstable();
        hits
    };
    let expected = sorted(find(&mut Cpu::new(&Options::default(), &patterns), &batch).unwrap());
    assert!(expected.len() >= 4000, "{}", expected.len());
    for algorithm in [Algorithm::Anchor, Algorithm::Brute] {
        let settings = Settings { algorithm, matches: 7, ..Settings::default() };
        assert_eq!(sorted(find(&mut device(&patterns, settings), &batch).unwrap()), expected);
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
