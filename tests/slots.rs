//! How a device is used decides nothing: how many slices are in flight and on how many streams, how large they are, how
//! many multiprocessors there are, whether memory is pinned.
//!
//! One stream is what an engine uses when its stages are timed, and its full number is the usual case. The suites of the
//! engines ask whether answers are right; here, whether they are the same.

use crate::{align, conformance, sign};
use std::sync::Arc;
use warpseq::align::Want;
use warpseq::emulated::{self, Emulated};
use warpseq::executor::Executor;
use warpseq::scan::{find, reference};
use warpseq::sign::{Limits, Points, Signatures, nearest};

/// Emulated devices of one multiprocessor and of five.
fn devices() -> [Arc<Emulated>; 2] {
    let device = |multiprocessors| emulated::Device { multiprocessors, ..emulated::Device::default() };
    [1, 5].map(|multiprocessors| Arc::new(Emulated::new(device(multiprocessors))))
}

/// Small and large devices, each with one stream and with all; one way with pinned memory, one without.
fn uses() -> Vec<(Arc<Emulated>, bool, bool)> {
    let [small, large] = devices();
    vec![(small.clone(), true, false), (small, false, true), (large.clone(), false, false), (large, true, true)]
}

#[test]
fn scan() {
    use warpseq::scan::device::{Device, Settings};
    // Signatures of one symbol have more matches than slots begin with, and than come back with their number.
    let picked = |(k, case): &(usize, conformance::Case)| k % 200 == 0 || case.name.starts_with("every pair");
    for (_, case) in conformance::suite(conformance::Size::Small).into_iter().enumerate().filter(picked) {
        let patterns = reference::patterns(&case.signatures, &case.options);
        let mut expected = find(&mut reference::Reference::new(&case.options, patterns.clone()), &case.batch).unwrap();
        expected.sort_unstable();
        for (gpu, timed, pinned) in uses() {
            for (slice, matches) in [(1024, 512), (8192, 8192)] {
                let settings = Settings { slice, matches, timed, pinned, ..Settings::default() };
                let mut device = Device::new(gpu.clone(), &case.options, &patterns, settings).unwrap();
                let mut found = find(&mut device, &case.batch).unwrap();
                found.sort_unstable();
                assert!(found == expected, "{}: {settings:?}", case.name);
            }
        }
    }
}

#[test]
fn align() {
    use warpseq::align::device::{Device, Settings};
    for (case, expected) in align::suite(align::Size::Small).iter().step_by(10) {
        for (gpu, timed, pinned) in uses() {
            for memory in [1 << 20, 64 << 20] {
                let settings = Settings { memory, timed, pinned, ..Settings::default() };
                let found = case.align(&mut Device::new(gpu.clone(), settings), Want::Path);
                assert!(found == *expected, "{}: {settings:?}", case.name);
            }
        }
    }
}

#[test]
fn sign() {
    use warpseq::sign::device::{Device, Settings};
    for (case, expected) in sign::suite(sign::Size::Small).iter().step_by(60) {
        for (gpu, timed, pinned) in uses() {
            for slice in [1, 300, 16 << 20] {
                let settings = Settings { slice, timed, pinned, ..Settings::default() };
                let mut found = Signatures::default();
                Device::new(gpu.clone(), case.parameters, settings).compute(&case.batch, &mut found).unwrap();
                assert!(found == *expected, "{}: {settings:?}", case.name);
            }
        }
    }
}

#[test]
fn search() {
    use warpseq::sign::device::Searcher;
    use warpseq::sign::reference::NaiveHamming;
    let bytes: Vec<u8> = (0_u32..8 * 150).map(|k| (k.wrapping_mul(2_654_435_769) >> 27) as u8).collect();
    let (queries, targets) = (Points::new(64, &bytes[..8 * 40]), Points::new(64, &bytes));
    let limits = Limits { top: Some(7), distance: 30 };
    let expected = nearest(&mut NaiveHamming, queries, targets, limits).unwrap();
    for gpu in devices() {
        for memory in [1 << 12, 1 << 16, 64 << 20] {
            let found = nearest(&mut Searcher::new(gpu.clone(), memory).unwrap(), queries, targets, limits).unwrap();
            assert_eq!(found, expected, "{memory} bytes");
        }
    }
}
