//! What decides a signature: alphabet, k, window, bits and hash.

use super::Window;
use std::fmt;
use warpseq_engine::error::{Error, Result};
use warpseq_gpu::sign::cell::longest_period;
use warpseq_seq::Alphabet;

/// What gives a k-mer its vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hash {
    /// Sparse vectors, drawn with PCG (O'Neill 2014): k-mers of at most 4 residues.
    Pcg,
    /// Sparse vectors, drawn with ISAAC (Jenkins 1996).
    Isaac,
    /// Dense vectors from splitmix64 (Steele, Lea and Flood 2014).
    Mix64,
}

/// Which k-mers are words, which count. The others are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Words {
    /// Those that do not repeat themselves: without a period of at most 6, and at most a third of k.
    Complex,
    /// All.
    All,
}

/// What to do about a density that is asked for where there is none.
pub(crate) const DENSE: &str =
    "--density is for the sparse vectors of --hash pcg and isaac; those of mix64 are dense: leave it out";

/// Everything that decides a signature. Signatures can be compared when their parameters are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parameters {
    /// What the residues are.
    pub alphabet: Alphabet,
    /// Residues of a k-mer: 1 to 32.
    pub k: u32,
    /// What a signature is of.
    pub window: Window,
    /// Elements of a vector and bits of a signature: a multiple of 64, 64 to [`Parameters::MOST_BITS`].
    pub bits: u32,
    /// How a k-mer becomes a vector.
    pub hash: Hash,
    /// Percentage of a sparse vector's elements that are not 0; 0 for dense vectors.
    pub density: u32,
    /// Whether a k-mer and its reverse complement count as one, the one with the smaller 2-bit code. DNA only.
    pub canonical: bool,
    /// Which k-mers count.
    pub words: Words,
}

impl Parameters {
    /// Those of the k-mer report.
    pub const QUT: Self = Self {
        alphabet: Alphabet::Raw,
        k: 3,
        window: Window::Length(16),
        bits: 64,
        hash: Hash::Pcg,
        density: 21,
        canonical: false,
        words: Words::All,
    };
    /// What DNA is signed with unless told otherwise: of what takes 1 KB, what most often finds the right reference
    /// (`tools/accuracy.py`).
    pub const DNA: Self = Self {
        alphabet: Alphabet::Dna,
        k: 11,
        window: Window::Whole,
        bits: 8192,
        hash: Hash::Mix64,
        density: 0,
        canonical: true,
        words: Words::Complex,
    };
    /// What proteins are signed with unless told otherwise.
    pub const PROTEIN: Self =
        Self { alphabet: Alphabet::Protein, k: 3, canonical: false, words: Words::All, ..Self::DNA };
    /// The most bits of a signature.
    pub const MOST_BITS: u32 = 1 << 16;
    /// The density of sparse vectors unless told otherwise.
    pub const DENSITY: u32 = 21;

    /// Bytes of a signature.
    pub fn width(&self) -> usize {
        self.bits as usize / 8
    }

    /// How many elements of a sparse vector are +1, and how many are -1; 0 for dense vectors.
    pub fn drawn(&self) -> u32 {
        self.bits * self.density / 100 / 2
    }

    /// Whether some k-mers are of too little complexity to count, where there can be any.
    pub(crate) fn may_be_complex(alphabet: Alphabet, hash: Hash) -> bool {
        (alphabet, hash) == (Alphabet::Dna, Hash::Mix64)
    }

    /// K-mers with a period of at most this are skipped; 0: none are.
    pub(crate) fn longest_period(&self) -> u32 {
        if self.words == Words::Complex { longest_period(self.k) } else { 0 }
    }

    /// The first option in which two differ, as each would be given; `None` for equal ones.
    pub fn first_difference(&self, other: &Self) -> Option<[String; 2]> {
        let [ours, theirs] = [self, other].map(Self::options);
        ours.into_iter().zip(theirs).find(|(one, other)| one != other).map(|(one, other)| [one, other])
    }

    /// Every parameter as an option.
    fn options(&self) -> [String; 8] {
        let Self { alphabet, k, window, bits, hash, density, canonical, words } = self;
        let window = match window {
            Window::Length(w) => w.to_string(),
            Window::Whole => "whole".into(),
        };
        [
            format!("--alphabet {alphabet}"),
            format!("--k {k}"),
            format!("--window {window}"),
            format!("--bits {bits}"),
            format!("--hash {hash}"),
            format!("--density {density}"),
            if *canonical { "--canonical" } else { "--no-canonical" }.into(),
            format!("--words {words}"),
        ]
    }

    /// Refuses parameters that make no sense.
    ///
    /// # Errors
    /// [`Error::Usage`] with what to do instead.
    pub fn check(&self) -> Result<()> {
        let refuse = |message: String| Err(Error::Usage(message));
        let Self { k, bits, density, hash, .. } = *self;
        if !(1..=32).contains(&k) {
            return refuse(format!("--k {k}: a k-mer has 1 to 32 residues"));
        }
        if let Window::Length(w) = self.window {
            if !(4..=65_536).contains(&w) {
                return refuse(format!("--window {w}: a window has 4 to 65536 residues, or is whole"));
            }
            if w % 2 == 1 {
                let even = w + 1;
                return refuse(format!("--window {w}: windows overlap by half, so their length is even: {even}?"));
            }
            if k > w {
                return refuse(format!("--k {k} is more than --window {w}: no window would hold a k-mer"));
            }
        }
        if !(64..=Self::MOST_BITS).contains(&bits) || bits % 64 != 0 {
            return refuse(format!("--bits {bits}: a signature has 64 to 65536 bits, a multiple of 64"));
        }
        if self.canonical && self.alphabet != Alphabet::Dna {
            return refuse("--canonical is for --alphabet dna: other k-mers have no reverse complement".into());
        }
        if self.words == Words::Complex && !Self::may_be_complex(self.alphabet, hash) {
            return refuse("--words complex is for --alphabet dna with --hash mix64: elsewhere all words count".into());
        }
        if hash == Hash::Mix64 {
            return if density == 0 { Ok(()) } else { refuse(DENSE.into()) };
        }
        if hash == Hash::Pcg && k > 4 {
            return refuse(format!("--hash pcg takes k-mers of at most 4 residues, and --k is {k}: use --hash mix64"));
        }
        match density {
            101.. => refuse(format!(
                "--density {density} asks for more positions than the {bits} there are: at most 100 (percent)"
            )),
            _ if self.drawn() == 0 => {
                refuse(format!("--density {density} leaves no position of {bits} bits for +1 and -1: raise it"))
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Pcg => "pcg",
            Self::Isaac => "isaac",
            Self::Mix64 => "mix64",
        })
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Complex => "complex",
            Self::All => "all",
        })
    }
}

/// Writes the command-line options that give these parameters.
impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { alphabet, k, window, bits, hash, density, canonical, words } = self;
        write!(f, "--alphabet {alphabet} --k {k} --window ")?;
        match window {
            Window::Length(w) => write!(f, "{w}")?,
            Window::Whole => f.write_str("whole")?,
        }
        write!(f, " --bits {bits} --hash {hash}")?;
        if *hash != Hash::Mix64 {
            write!(f, " --density {density}")?;
        }
        match (alphabet, canonical) {
            (Alphabet::Dna, true) => f.write_str(" --canonical")?,
            (Alphabet::Dna, false) => f.write_str(" --no-canonical")?,
            _ => {}
        }
        match Self::may_be_complex(*alphabet, *hash) {
            true => write!(f, " --words {words}"),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_presets_make_sense() {
        for parameters in [Parameters::QUT, Parameters::DNA, Parameters::PROTEIN] {
            parameters.check().unwrap();
        }
        assert_eq!((Parameters::QUT.drawn(), Parameters::QUT.width()), (6, 8));
    }

    #[test]
    fn the_first_option_that_differs_is_told() {
        let dna = Parameters::DNA;
        assert_eq!(dna.first_difference(&dna), None);
        for (other, expected) in [
            (Parameters::PROTEIN, ["--alphabet dna", "--alphabet protein"]),
            (Parameters { k: 21, bits: 64, ..dna }, ["--k 11", "--k 21"]),
            (Parameters { window: Window::Length(64), ..dna }, ["--window whole", "--window 64"]),
            (Parameters { canonical: false, ..dna }, ["--canonical", "--no-canonical"]),
            (Parameters { words: Words::All, ..dna }, ["--words complex", "--words all"]),
        ] {
            assert_eq!(dna.first_difference(&other), Some(expected.map(String::from)));
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_what_to_do() {
        let qut = Parameters::QUT;
        for (parameters, words) in [
            (Parameters { k: 0, ..qut }, "1 to 32"),
            (Parameters { k: 33, window: Window::Whole, ..qut }, "1 to 32"),
            (Parameters { window: Window::Length(2), ..qut }, "4 to 65536"),
            (Parameters { window: Window::Length(65_538), ..qut }, "4 to 65536"),
            (Parameters { window: Window::Length(15), ..qut }, "even: 16?"),
            (Parameters { k: 17, hash: Hash::Mix64, ..qut }, "more than --window 16"),
            (Parameters { bits: 100, ..qut }, "multiple of 64"),
            (Parameters { bits: 0, ..qut }, "multiple of 64"),
            (Parameters { bits: 65_600, ..qut }, "64 to 65536"),
            (Parameters { canonical: true, ..qut }, "--alphabet dna"),
            (Parameters { k: 5, ..qut }, "use --hash mix64"),
            (Parameters { words: Words::Complex, ..qut }, "--hash mix64"),
            (Parameters { words: Words::Complex, ..Parameters::PROTEIN }, "--alphabet dna"),
            (Parameters { density: 3, ..qut }, "leaves no position"),
            (Parameters { density: 21, ..Parameters::DNA }, "leave it out"),
            (Parameters { density: 101, ..qut }, "more positions than the 64"),
            (Parameters { density: u32::MAX, ..qut }, "more positions than the 64"),
        ] {
            let Err(Error::Usage(message)) = parameters.check() else { panic!("{parameters} must be refused") };
            assert!(message.contains(words), "{message}");
        }
    }

    #[test]
    fn all_positions_may_be_drawn() {
        Parameters { density: 100, ..Parameters::QUT }.check().unwrap();
        Parameters { density: 4, ..Parameters::QUT }.check().unwrap();
    }
}
