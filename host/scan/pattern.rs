//! From signatures to the patterns that are searched: one per strand.
//!
//! Order: signatures as given, for each the forward letters, then the reverse complement. A signature that equals its reverse
//! complement lies on both strands of one place and is reported once, as `+`: it has one pattern, the forward one, even when
//! only the reverse strand is searched. Equal means equal base sets, so `AU` and `acgT` count; under `--wildcards n`, equal
//! bytes.

use super::{Options, Pattern, Signature, Strands, Wildcards};
use warpseq_seq::iupac::{WILD, base_set, digits, same};
use warpseq_seq::strand::reverse_complement;

/// The patterns of a run, in the order that [`Pattern`] fixes.
pub fn patterns(signatures: &[Signature], options: &Options) -> Vec<Pattern> {
    let mut patterns = Vec::with_capacity(2 * signatures.len());
    for (k, signature) in signatures.iter().enumerate() {
        let wild_limit = options.wild_limit(signature.bases.len());
        let pattern = |reverse, bases| Pattern { signature: k as u32, reverse, bases, wild_limit };
        if options.strands == Strands::Forward {
            patterns.push(pattern(false, signature.bases.clone()));
            continue;
        }
        let opposite = reverse_complement(&signature.bases, options.wildcards);
        let palindrome = same(&signature.bases, &opposite, options.wildcards);
        if palindrome || options.strands == Strands::Both {
            patterns.push(pattern(false, signature.bases.clone()));
        }
        if !palindrome {
            patterns.push(pattern(true, opposite));
        }
    }
    patterns
}

/// How many positions are wild where `pattern` matches the start of `sample`, if it does.
pub fn wild_positions(sample: &[u8], pattern: &Pattern, wildcards: Wildcards) -> Option<u32> {
    let (sample, digits) = (sample.get(..pattern.bases.len())?, digits(wildcards));
    let set = |letter| base_set(letter).unwrap_or(0);
    let mut wild = 0;
    for (&s, &q) in sample.iter().zip(&pattern.bases) {
        let compatible = match wildcards {
            Wildcards::Iupac => set(s) & set(q) != 0,
            Wildcards::N => s == q || s == b'N' || q == b'N',
        };
        if !compatible {
            return None;
        }
        wild += u32::from([s, q].iter().any(|&letter| digits[usize::from(letter)] == WILD));
    }
    (wild <= pattern.wild_limit).then_some(wild)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched(letters: &[&str], strands: Strands, wildcards: Wildcards) -> Vec<(u32, bool, String)> {
        let signature = |s: &&str| Signature { name: b"s".to_vec(), bases: s.as_bytes().to_vec() };
        let signatures: Vec<_> = letters.iter().map(signature).collect();
        let options = Options { strands, wildcards, ..Options::default() };
        let letters = |p: Pattern| (p.signature, p.reverse, String::from_utf8(p.bases).unwrap());
        patterns(&signatures, &options).into_iter().map(letters).collect()
    }

    #[test]
    fn both_strands_in_signature_order() {
        let found = searched(&["AACR", "GT"], Strands::Both, Wildcards::Iupac);
        let want = [(0, false, "AACR"), (0, true, "YGTT"), (1, false, "GT"), (1, true, "AC")];
        assert_eq!(found, want.map(|(k, r, s)| (k, r, s.to_string())));
    }

    #[test]
    fn one_strand() {
        assert_eq!(searched(&["AACR"], Strands::Forward, Wildcards::Iupac), [(0, false, "AACR".to_string())]);
        assert_eq!(searched(&["AACR"], Strands::Reverse, Wildcards::Iupac), [(0, true, "YGTT".to_string())]);
        assert_eq!(searched(&["AACR"], Strands::Reverse, Wildcards::N), [(0, true, "RGTT".to_string())]);
    }

    #[test]
    fn a_palindrome_is_one_forward_pattern() {
        for letters in ["ACGT", "acGT", "AU", "NN", "SW.WS"] {
            for strands in [Strands::Both, Strands::Forward, Strands::Reverse] {
                assert_eq!(searched(&[letters], strands, Wildcards::Iupac), [(0, false, letters.to_string())]);
            }
        }
        assert_eq!(searched(&["acGT"], Strands::Both, Wildcards::N).len(), 2);
        assert_eq!(searched(&["AcgT"], Strands::Reverse, Wildcards::N), [(0, false, "AcgT".to_string())]);
    }

    #[test]
    fn the_wild_limit_is_that_of_the_whole_signature() {
        let signature = Signature { name: vec![], bases: b"AACCA".to_vec() };
        let options = Options { max_n_frac: 0.5, ..Options::default() };
        assert!(patterns(&[signature], &options).iter().all(|p| p.wild_limit == 2));
    }
}
