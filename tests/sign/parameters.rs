//! The parameters that cases are made of.

use warpseq::sign::{Alphabet, Hash, Parameters, Window, Words};

/// Alphabets, the last with canonical k-mers, and the bytes to draw sequences from, among them lower case and other symbols.
pub const ALPHABETS: [(Alphabet, bool, &[u8]); 4] = [
    (Alphabet::Raw, false, b"ACDEFGHIKLMNPQRSTVWYacgtN*-\x00\xFF"),
    (Alphabet::Protein, false, b"ACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWYacdwX"),
    (Alphabet::Dna, false, b"ACGTACGTACGTACGTACGTacgtuUACGTACGTACGTACGTN"),
    (Alphabet::Dna, true, b"ACGTACGTACGTACGTACGTacgtuUACGTACGTACGTACGTN"),
];

pub const HASHES: [Hash; 3] = [Hash::Pcg, Hash::Isaac, Hash::Mix64];

/// Values of k.
pub const KS: [u32; 10] = [1, 2, 3, 4, 5, 11, 16, 21, 31, 32];

pub const WINDOWS: [Window; 7] = [
    Window::Length(4),
    Window::Length(16),
    Window::Length(64),
    Window::Whole,
    Window::Length(6),
    Window::Length(34),
    Window::Length(100),
];

pub const BITS: [u32; 5] = [64, 128, 192, 1024, 4096];

/// Every alphabet with every hash and every k that the hash takes, and the bytes to draw from; 64 bits, whole sequences.
pub fn combinations() -> impl Iterator<Item = (Parameters, &'static [u8])> {
    let hashed = HASHES.into_iter().flat_map(|hash| KS.map(|k| (hash, k)));
    let fitting = hashed.filter(|&(hash, k)| hash != Hash::Pcg || k <= 4);
    fitting.flat_map(|(hash, k)| {
        let density = if hash == Hash::Mix64 { 0 } else { Parameters::DENSITY };
        ALPHABETS.map(move |(alphabet, canonical, residues)| {
            let complex = canonical && hash == Hash::Mix64;
            let words = if complex { Words::Complex } else { Words::All };
            (Parameters { alphabet, k, window: Window::Whole, bits: 64, hash, density, canonical, words }, residues)
        })
    })
}

/// Whether a window can hold a k-mer.
pub fn fits(k: u32, window: Window) -> bool {
    match window {
        Window::Length(w) => k <= w,
        Window::Whole => true,
    }
}
