//! The pictures, and the options that they are drawn for.

use warpseq::scan::{Choice, Fraction, Mismatches, Options, PhredOffset, Strands, Wildcards};

pub struct Picture {
    pub name: &'static str,
    pub signatures: &'static [&'static str],
    pub options: Options,
    pub drawing: &'static str,
}

pub const BOTH: Options = Options {
    wildcards: Wildcards::Iupac,
    strands: Strands::Both,
    choice: Choice::All,
    max_n_frac: Fraction::ONE,
    max_mismatch: Mismatches::NONE,
    circular: false,
    phred: PhredOffset::Sanger,
};
pub const FORWARD: Options = Options { strands: Strands::Forward, ..BOTH };
pub const ONE_MISMATCH: Options = Options { max_mismatch: Mismatches::Count(1), ..FORWARD };
pub const CIRCLES: Options = Options { circular: true, ..FORWARD };

pub const PICTURES: [Picture; 21] = [
    Picture {
        name: "plain",
        signatures: &["CG", "GTA"],
        options: FORWARD,
        drawing: "
s0   ACGTACGT
q0 +  CG
q0 +      CG
q1 +   GTA",
    },
    Picture {
        name: "overlapping",
        signatures: &["AA"],
        options: FORWARD,
        drawing: "
s0   AAAA
q0 + AA
q0 +  AA
q0 +   AA",
    },
    Picture {
        name: "N on both sides",
        signatures: &["ANT"],
        options: FORWARD,
        drawing: "
s0   AATCNTNNN
q0 + ANT
q0 +     ANT
q0 +       ANT",
    },
    Picture {
        name: "two strands",
        signatures: &["AAC"],
        options: BOTH,
        drawing: "
s0   AACGTT
q0 + AAC
q0 -    GTT",
    },
    Picture {
        name: "the other strand only; a palindrome is on both",
        signatures: &["AAC", "ACGT"],
        options: Options { strands: Strands::Reverse, ..BOTH },
        drawing: "
s0   AACGTT
q0 -    GTT
q1 +  ACGT",
    },
    Picture {
        name: "a palindrome once per place",
        signatures: &["ACGT", "acgu"],
        options: BOTH,
        drawing: "
s0   ACGTACGU
q0 + ACGT
q0 +     ACGT
q1 + acgu
q1 +     acgu",
    },
    Picture {
        name: "both strands at one place",
        signatures: &["AAC"],
        options: BOTH,
        drawing: "
s0   RNN
q0 + AAC
q0 - GTT",
    },
    Picture {
        name: "nothing across two sequences",
        signatures: &["GTA"],
        options: BOTH,
        drawing: "
s0   ACG
s1   TACG
q0 - TAC",
    },
    Picture {
        name: "a gap matches nothing",
        signatures: &["N", "CN", "NC"],
        options: FORWARD,
        drawing: "
s0   A-CG
q0 + N
q0 +   N
q0 +    N
q1 +   CN
s1   C-
q0 + N",
    },
    Picture {
        name: "codes meet",
        signatures: &["RY"],
        options: FORWARD,
        drawing: "
s0   ACGTKM
q0 + RY
q0 +   RY
q0 +     RY",
    },
    Picture {
        name: "lower case, U and . are bases",
        signatures: &["aUn"],
        options: FORWARD,
        drawing: "
s0   ATGatcAu.
q0 + aUn
q0 +    aUn
q0 +       aUn",
    },
    Picture {
        name: "under wildcards n they are bytes",
        signatures: &["aN"],
        options: Options { wildcards: Wildcards::N, ..FORWARD },
        drawing: "
s0   aAAaN-N
q0 + aN
q0 +    aN
q0 +     aN",
    },
    Picture {
        name: "too many wild positions",
        signatures: &["ACGT"],
        options: Options { max_n_frac: Fraction::HALF, ..FORWARD },
        drawing: "
s0   ACNNNCNNACGT
q0 + ACGT
q0 +         ACGT",
    },
    Picture {
        name: "one mismatch",
        signatures: &["ACGT"],
        options: ONE_MISMATCH,
        drawing: "
s0   ACGTTCGTACCA
q0 + ACGT
q0 +     *CGT",
    },
    Picture {
        name: "a mismatch on either strand",
        signatures: &["AAC"],
        options: Options { strands: Strands::Both, ..ONE_MISMATCH },
        drawing: "
s0   ACCGAT
q0 + A*C
q0 -    G*T",
    },
    Picture {
        name: "a gap is a mismatch, under N too",
        signatures: &["CAG", "NG"],
        options: ONE_MISMATCH,
        drawing: "
s0   C-GAC-
q0 + C*G
q1 + N*
q1 +  *G
q1 +   N*
q1 +    N*
q1 +     N*",
    },
    Picture {
        name: "codes that meet are wild, codes that do not are mismatches",
        signatures: &["ARC"],
        options: ONE_MISMATCH,
        drawing: "
s0   ACCAGCNNN
q0 + A*C
q0 +    ARC
q0 +      *RC
q0 +       ARC",
    },
    Picture {
        name: "a share of the signature, rounded down",
        signatures: &["ACG"],
        options: Options { max_mismatch: Mismatches::Share(Fraction::HALF), ..FORWARD },
        drawing: "
s0   ATGATT
q0 + A*G",
    },
    Picture {
        name: "under wildcards n another case is a mismatch",
        signatures: &["aCg"],
        options: Options { wildcards: Wildcards::N, ..ONE_MISMATCH },
        drawing: "
s0   ACgaCG
q0 + *Cg
q0 +    aC*",
    },
    Picture {
        name: "over the end of a circle, once around at most",
        signatures: &["GTA", "CGTA", "ACGTA"],
        options: CIRCLES,
        drawing: "
s0   ACGT
q0 +   GTA
q1 +  CGTA
s1   A",
    },
    Picture {
        name: "a mismatch beyond the end of a circle",
        signatures: &["GTC"],
        options: Options { circular: true, ..ONE_MISMATCH },
        drawing: "
s0   ACGT
q0 +   GT*",
    },
];
