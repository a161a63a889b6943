//! What sequences are made of: alphabets, IUPAC codes, strands, qualities. No input, no output.

pub mod alphabet;
pub mod iupac;
pub mod phred;
pub mod random;
pub mod strand;

pub use alphabet::Alphabet;
pub use iupac::Wildcards;
pub use phred::PhredOffset;
pub use strand::Strands;
