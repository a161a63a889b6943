//! What the naive reference finds, searched once for all executors: it takes longer than any of them.

use super::{Case, Hit, Pattern, Reference, find, only};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};
use xxhash_rust::xxh3::Xxh3;

/// By [`key`]; an executor that comes to a case that is being searched waits for it.
type Known = HashMap<u128, Arc<OnceLock<Arc<[Hit]>>>>;

static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

/// All hits of a case, which has these patterns, put together of those of its sequences, each searched alone.
pub fn hits(case: &Case, patterns: &[Pattern]) -> Arc<[Hit]> {
    let key = key(case, patterns);
    let hits = KNOWN.lock().expect("nobody panics with the lock").entry(key).or_default().clone();
    let searched = || {
        let alone = |sequence| {
            let found = find(&mut Reference::new(&case.options, patterns.to_vec()), &only(&case.batch, sequence));
            found.into_iter().map(move |hit| Hit { sequence: sequence as u32, ..hit })
        };
        (0..case.batch.len()).into_par_iter().flat_map_iter(alone).collect()
    };
    hits.get_or_init(searched).clone()
}

/// Of all that hits depend on.
fn key(case: &Case, patterns: &[Pattern]) -> u128 {
    let mut hash = Xxh3::new();
    let mut add = |bytes: &[u8]| {
        hash.update(&(bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    add(format!("{:?}, {}", case.options.wildcards, case.options.circular).as_bytes());
    for pattern in patterns {
        add(format!("{:?}", pattern.limits()).as_bytes());
        add(pattern.bases());
    }
    (0..case.batch.len()).for_each(|sequence| add(case.batch.sequence(sequence)));
    hash.digest128()
}
