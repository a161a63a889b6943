//! Options that say how sequences are signed.

use crate::cli::options::Computing;
use clap::ValueEnum;
use warpseq::console::Console;
use warpseq::sign::signing::SignOptions;
use warpseq::sign::wanted::Wanted;
use warpseq::sign::{self, Parameters, Window};

/// What decides a signature.
#[derive(clap::Args)]
pub struct Signature {
    /// Parameters of a known program; the options below still override each [qut: raw bytes, k 3, window 16, 64 bits, pcg,
    /// density 21]
    #[arg(long, value_name = "NAME", help_heading = "Signature", hide_possible_values = true)]
    preset: Option<Preset>,
    /// auto (dna if 9 of 10 letters of the first sequence are ACGTUN, else protein), dna, protein, or raw (any byte)
    /// [default: auto]
    #[arg(long, value_name = "LETTERS", help_heading = "Signature", hide_possible_values = true)]
    alphabet: Option<Alphabet>,
    /// Letters of a word, 1 to 32 [default: dna 21, else 3]
    #[arg(long, value_name = "N", help_heading = "Signature")]
    k: Option<u32>,
    /// Letters of a window, even, 4 to 65536, overlapping by half; or whole [default: whole]
    #[arg(long, value_name = "N|whole", value_parser = window, help_heading = "Signature")]
    window: Option<Window>,
    /// Bits of a signature, a multiple of 64, 64 to 4096 [default: 1024]
    #[arg(long, value_name = "N", help_heading = "Signature")]
    bits: Option<u32>,
    /// What gives a word its vector: mix64 (dense), pcg (sparse, k to 4) or isaac (sparse) [default: mix64]
    #[arg(long, value_name = "HASH", help_heading = "Signature", hide_possible_values = true)]
    hash: Option<Hash>,
    /// Percent of a sparse vector that is not 0 [default: 21]
    #[arg(long, value_name = "PERCENT", help_heading = "Signature")]
    density: Option<u32>,
    /// A word and its reverse complement are the same (dna, where it is the default)
    #[arg(long, conflicts_with = "no_canonical", help_heading = "Signature")]
    canonical: bool,
    /// A word and its reverse complement are two (dna)
    #[arg(long, help_heading = "Signature")]
    no_canonical: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Preset {
    Qut,
}

#[derive(Clone, Copy, ValueEnum)]
enum Alphabet {
    Auto,
    Dna,
    Protein,
    Raw,
}

#[derive(Clone, Copy, ValueEnum)]
enum Hash {
    Mix64,
    Pcg,
    Isaac,
}

impl Signature {
    /// How sequences are signed, and on what.
    pub fn signing(&self, computing: &Computing, console: Console) -> SignOptions {
        SignOptions { wanted: self.wanted(), run: computing.options(console) }
    }

    /// What is asked for; the rest hangs on the sequences.
    fn wanted(&self) -> Wanted {
        let preset = self.preset.map(|Preset::Qut| Parameters::QUT);
        let alphabet = match self.alphabet {
            None => preset.map(|preset| preset.alphabet),
            Some(Alphabet::Auto) => None,
            Some(Alphabet::Dna) => Some(sign::Alphabet::Dna),
            Some(Alphabet::Protein) => Some(sign::Alphabet::Protein),
            Some(Alphabet::Raw) => Some(sign::Alphabet::Raw),
        };
        let hash = self.hash.map(|hash| match hash {
            Hash::Mix64 => sign::Hash::Mix64,
            Hash::Pcg => sign::Hash::Pcg,
            Hash::Isaac => sign::Hash::Isaac,
        });
        let canonical = (self.canonical || self.no_canonical).then_some(self.canonical);
        let Self { k, window, bits, density, .. } = *self;
        Wanted { preset, alphabet, k, window, bits, hash, density, canonical }
    }
}

fn window(text: &str) -> Result<Window, String> {
    match text {
        "whole" => Ok(Window::Whole),
        _ => text.parse().map(Window::Length).map_err(|_| "expected a number of letters, or whole".to_owned()),
    }
}
