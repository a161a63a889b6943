//! The parameters that are asked for: a preset, and what differs from it. The rest depends on the sequences of the input.
//!
//! ```text
//! letters of the first sequences -> alphabet, unless asked for -> its defaults, or the preset -> what is asked for
//! ```

use super::parameters::DENSE;
use super::{Alphabet, Hash, Parameters, Window, Words};
use warpseq_engine::error::{Error, Result};

/// What is asked for. The default asks for nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Where the parameters that are not asked for come from; `None`: the defaults of the alphabet.
    pub preset: Option<Parameters>,
    /// `None`: judged by the first letters, see [`composition`](super::composition).
    pub alphabet: Option<Alphabet>,
    /// Residues of a k-mer.
    pub k: Option<u32>,
    /// What a signature is of.
    pub window: Option<Window>,
    /// Bits of a signature.
    pub bits: Option<u32>,
    /// How a k-mer becomes a vector.
    pub hash: Option<Hash>,
    /// Percentage of the elements of a sparse vector that are not 0.
    pub density: Option<u32>,
    /// Whether a k-mer and its reverse complement count as one.
    pub canonical: Option<bool>,
    /// Which k-mers count.
    pub words: Option<Words>,
}

impl From<Parameters> for Wanted {
    fn from(parameters: Parameters) -> Self {
        Self { preset: Some(parameters), alphabet: Some(parameters.alphabet), ..Self::default() }
    }
}

impl Wanted {
    /// The parameters for an input of that alphabet, as judged by its letters; `None` if it has none, and then DNA.
    ///
    /// # Errors
    /// [`Error::Usage`] when they make no sense.
    pub fn parameters(&self, judged: Option<Alphabet>) -> Result<Parameters> {
        let alphabet = self.alphabet.or(judged).unwrap_or(Alphabet::Dna);
        let usual = match alphabet {
            Alphabet::Dna => Parameters::DNA,
            Alphabet::Protein | Alphabet::Raw => Parameters::PROTEIN,
        };
        let base = self.preset.unwrap_or(usual);
        let hash = self.hash.unwrap_or(base.hash);
        let parameters = Parameters {
            alphabet,
            k: self.k.unwrap_or(base.k),
            window: self.window.unwrap_or(base.window),
            bits: self.bits.unwrap_or(base.bits),
            hash,
            density: self.density(hash, base)?,
            canonical: self.canonical.unwrap_or(base.canonical),
            words: self.words.unwrap_or(if Parameters::may_be_complex(alphabet, hash) {
                base.words
            } else {
                Words::All
            }),
        };
        parameters.check()?;
        Ok(parameters)
    }

    fn density(&self, hash: Hash, base: Parameters) -> Result<u32> {
        match (hash, self.density) {
            (Hash::Mix64, Some(_)) => Err(Error::Usage(DENSE.into())),
            (Hash::Mix64, None) => Ok(0),
            (_, Some(density)) => Ok(density),
            (_, None) if base.hash == Hash::Mix64 => Ok(Parameters::DENSITY),
            (_, None) => Ok(base.density),
        }
    }

    /// Whether signatures made with `parameters` are what is asked for.
    pub fn allows(&self, parameters: Parameters) -> bool {
        let base = self.preset.unwrap_or(parameters);
        let alphabet = self.alphabet.unwrap_or(parameters.alphabet);
        let asked = Self { preset: Some(base), alphabet: Some(alphabet), ..*self };
        asked.parameters(None).is_ok_and(|asked| asked == parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_asked_for_is_usual() {
        let (dna, protein) = (Some(Alphabet::Dna), Some(Alphabet::Protein));
        let parameters = |wanted: Wanted, judged| wanted.parameters(judged).unwrap();
        let nothing = Wanted::default();
        assert_eq!(parameters(nothing, dna), Parameters::DNA);
        assert_eq!(parameters(nothing, protein), Parameters::PROTEIN);
        assert_eq!(parameters(nothing, None), Parameters::DNA);
        assert_eq!(parameters(Parameters::QUT.into(), dna), Parameters::QUT);
        let raw = Wanted { alphabet: Some(Alphabet::Raw), ..nothing };
        assert_eq!(parameters(raw, dna), Parameters { alphabet: Alphabet::Raw, ..Parameters::PROTEIN });
        let detected = Wanted { alphabet: None, ..Parameters::QUT.into() };
        assert_eq!(parameters(detected, dna), Parameters { alphabet: Alphabet::Dna, ..Parameters::QUT });
        let plain = Wanted { canonical: Some(false), k: Some(11), ..nothing };
        assert_eq!(parameters(plain, dna), Parameters { canonical: false, k: 11, ..Parameters::DNA });
    }

    #[test]
    fn a_density_comes_and_goes_with_sparse_vectors() {
        let density = |wanted: Wanted| wanted.parameters(Some(Alphabet::Protein)).map(|parameters| parameters.density);
        let isaac = Wanted { hash: Some(Hash::Isaac), ..Wanted::default() };
        assert_eq!(density(isaac).unwrap(), 21);
        assert_eq!(density(Wanted { density: Some(40), ..isaac }).unwrap(), 40);
        assert_eq!(density(Wanted { hash: Some(Hash::Mix64), ..Parameters::QUT.into() }).unwrap(), 0);
        let refused = density(Wanted { density: Some(21), ..Wanted::default() }).unwrap_err();
        assert!(matches!(&refused, Error::Usage(text) if text.contains("--density")), "{refused}");
    }

    #[test]
    fn signatures_are_what_is_asked_for_when_nothing_differs() {
        let k = |k| Wanted { k: Some(k), ..Wanted::default() };
        assert!(Wanted::default().allows(Parameters::QUT));
        assert!(k(3).allows(Parameters::QUT) && !k(4).allows(Parameters::QUT));
        assert!(Wanted::from(Parameters::DNA).allows(Parameters::DNA));
        assert!(!Wanted::from(Parameters::QUT).allows(Parameters::DNA));
        assert!(!Wanted { alphabet: Some(Alphabet::Dna), ..Wanted::default() }.allows(Parameters::QUT));
    }
}
