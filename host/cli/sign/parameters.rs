//! Options that say how sequences are signed.

use crate::cli::options::{Named, one_of};
use warpseq::sign::wanted::Wanted;
use warpseq::sign::{Alphabet, Hash, Parameters, Window, Words};

/// What decides a signature.
#[derive(clap::Args)]
#[command(next_help_heading = "Signature")]
pub struct Signature {
    /// Parameters of a course program: qut (see docs/course-presets.md)
    #[arg(
        long,
        value_name = "NAME",
        value_parser = one_of(PRESETS),
        hide_short_help = true,
        hide_possible_values = true
    )]
    preset: Option<Parameters>,
    /// Alphabet of the sequences [default: auto]
    #[arg(long, value_name = "ALPHABET", value_parser = one_of(ALPHABETS))]
    alphabet: Option<Sequences>,
    /// Length of a k-mer, 1 to 32 [default: dna 11, else 3]
    #[arg(long, value_name = "N")]
    k: Option<u32>,
    /// Window length, or whole [default: whole]
    ///
    /// An even number of residues from 4 to 65536; windows overlap by half. With whole, a sequence is one window.
    #[arg(long, value_name = "N|whole", value_parser = window)]
    window: Option<Window>,
    /// Bits of a signature [default: 8192]
    ///
    /// A multiple of 64, from 64 to 65536: the more, the smaller the differences that are told apart.
    #[arg(long, value_name = "N")]
    bits: Option<u32>,
    /// Hash that turns a k-mer into a vector [default: mix64]
    #[arg(
        long,
        value_name = "HASH",
        value_parser = one_of(HASHES),
        hide_short_help = true
    )]
    hash: Option<Hash>,
    /// Percentage of a sparse vector that is not 0 (pcg and isaac) [default: 21]
    #[arg(long, value_name = "PERCENT", hide_short_help = true)]
    density: Option<u32>,
    /// K-mers that count (dna with mix64) [default: complex]
    ///
    /// Repeats of few bases, such as tails of A, make unrelated sequences alike.
    #[arg(long, value_name = "WORDS", value_parser = one_of(WORDS), hide_short_help = true)]
    words: Option<Words>,
    /// Count a k-mer and its reverse complement as one (dna; the default there)
    #[arg(long, conflicts_with = "no_canonical", hide_short_help = true)]
    canonical: bool,
    /// Count a k-mer and its reverse complement as two (dna)
    #[arg(long, hide_short_help = true)]
    no_canonical: bool,
}

/// An alphabet; `None`: judged by the first letters.
#[derive(Clone, Copy)]
struct Sequences(Option<Alphabet>);

const PRESETS: &[Named<Parameters>] = &[("qut", Parameters::QUT, "raw, k 3, window 16, 64 bits, pcg, density 21")];

const ALPHABETS: &[Named<Sequences>] = &[
    ("auto", Sequences(None), "dna if 90 % of the first 10,000 letters are IUPAC nucleotides, else protein"),
    ("dna", Sequences(Some(Alphabet::Dna)), "A, C, G and T; case is ignored and U is T"),
    ("protein", Sequences(Some(Alphabet::Protein)), "the 20 amino acids; case is ignored"),
    ("raw", Sequences(Some(Alphabet::Raw)), "any byte"),
];

const HASHES: &[Named<Hash>] = &[
    ("mix64", Hash::Mix64, "dense vectors"),
    ("pcg", Hash::Pcg, "sparse vectors, for k up to 4"),
    ("isaac", Hash::Isaac, "sparse vectors"),
];

const WORDS: &[Named<Words>] = &[
    ("complex", Words::Complex, "those that do not repeat themselves with a period of at most 6 and of k/3"),
    ("all", Words::All, "all k-mers"),
];

impl Signature {
    /// What the options ask for; the sequences decide the rest.
    pub fn wanted(&self) -> Wanted {
        let alphabet = match self.alphabet {
            None => self.preset.map(|preset| preset.alphabet),
            Some(Sequences(alphabet)) => alphabet,
        };
        let canonical = (self.canonical || self.no_canonical).then_some(self.canonical);
        let Self { preset, k, window, bits, hash, density, words, .. } = *self;
        Wanted { preset, alphabet, k, window, bits, hash, density, canonical, words }
    }
}

fn window(text: &str) -> Result<Window, String> {
    match text {
        "whole" => Ok(Window::Whole),
        _ => text.parse().map(Window::Length).map_err(|_| "expected a number of residues, or whole".to_owned()),
    }
}
