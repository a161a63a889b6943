//! gzip that is large enough for several threads.

use super::*;
use crate::text::parallel::Parallel;
use rand::{RngExt, SeedableRng};
use std::sync::OnceLock;

/// Letters of which gzip saves only a quarter, so that few of them make a large file.
fn letters() -> &'static [u8] {
    static LETTERS: OnceLock<Vec<u8>> = OnceLock::new();
    LETTERS.get_or_init(|| {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        (0..26 << 20).map(|_| b'0' + random.random_range(0..64)).collect()
    })
}

fn whole() -> &'static [u8] {
    static WHOLE: OnceLock<Vec<u8>> = OnceLock::new();
    WHOLE.get_or_init(|| member(letters()))
}

fn place(bytes: &[u8]) -> Place {
    Place { file: Arc::new(file_of(bytes)), at: 0 }
}

/// What several threads read, and whether they read it to its end.
fn threads(bytes: &[u8]) -> (Reading, bool) {
    let mut parallel = Parallel::new(place(bytes), 2, Arc::default()).unwrap();
    let mut text = Vec::new();
    let damage = parallel.read_to_end(&mut text).err().map(|error| error.to_string());
    ((text, damage), parallel.is_parallel())
}

#[test]
fn large_files_are_decompressed_by_threads() {
    assert!(whole().len() > 16 << 20);
    let (found, parallel) = threads(whole());
    assert!(found == (letters().to_vec(), None) && parallel);
    for threads in [1, 5] {
        let read = pool(threads).install(|| filled(read_file(file_of(whole()), 1 << 20), 16));
        assert!(read == (letters().to_vec(), None), "{threads} threads");
    }
}

#[test]
fn members_are_decompressed_by_threads() {
    let small: Vec<u8> = letters()[..8 << 20].chunks(100_000).flat_map(member).collect();
    let (found, parallel) = threads(&small);
    assert!(found == (letters()[..8 << 20].to_vec(), None) && parallel);
    let two = [whole(), &member(b"ACGT")].concat();
    let (found, parallel) = threads(&two);
    assert!(found == ([letters(), b"ACGT"].concat(), None) && parallel);
}

#[test]
fn damage_in_large_files_is_found_as_by_one_thread() {
    let middle = whole().len() / 2;
    let mut damaged = Vec::new();
    for at in [100, middle, whole().len() - 5] {
        let mut file = whole().to_vec();
        file[at] ^= 0x10;
        damaged.push(file);
    }
    damaged.push(whole()[..middle].to_vec());
    damaged.push([whole(), b"x"].concat());
    damaged.push([whole(), &bgzf(b"ACGT", 10)[..32]].concat());
    for (k, file) in damaged.iter().enumerate() {
        let (expected, (found, parallel)) = (members(file), threads(file));
        assert!(expected.1.is_some() && found == expected && !parallel, "damage {k}");
    }
}

/// What the crate does not look for.
#[test]
fn blocks_of_bgzf_behind_other_members_need_an_end_block() {
    let blocks = bgzf(b"ACGT", 10);
    let cut = &blocks[..blocks.len() - 28];
    for (file, ends) in [([whole(), &blocks].concat(), true), ([whole(), cut].concat(), false)] {
        let (found, parallel) = threads(&file);
        assert!(found == members(&file) && found.1.is_none() == ends && parallel == ends);
    }
}

#[test]
fn dropping_a_text_ends_its_threads() {
    let place = place(whole());
    let file = Arc::clone(&place.file);
    let place = (place, whole().len() as u64);
    let (source, phase) = pool(5).install(|| of_file(place, (1 << 16, 1 << 30), u64::MAX, &Arc::default()).unwrap());
    let mut text =
        Text { source: Some(source), phase, label: PathBuf::new(), bytes_read: Arc::default(), total_bytes: None };
    let mut start = Vec::new();
    text.next().unwrap().fill(&mut start).unwrap();
    assert!(letters().starts_with(&start) && !start.is_empty());
    assert!(Arc::strong_count(&file) > 1);
    drop(text);
    assert_eq!(Arc::strong_count(&file), 1, "a thread has the file");
}
