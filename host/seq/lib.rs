//! Sequences: alphabets, IUPAC codes, strands and qualities, and sequences in memory. No input, no output.

#![deny(missing_docs)]

pub mod alphabet;
pub mod fraction;
pub mod iupac;
pub mod letters;
pub mod phred;
pub mod random;
pub mod records;
pub mod sequences;
pub mod strand;

pub use alphabet::Alphabet;
pub use fraction::Fraction;
pub use iupac::Wildcards;
pub use letters::Shared;
pub use phred::PhredOffset;
pub use records::Records;
pub use sequences::Sequences;
pub use strand::Strands;
