//! What sequences are made of: letters and what they stand for, strands, qualities. No input, no output.

pub mod iupac;
pub mod phred;
pub mod random;
pub mod strand;

pub use iupac::Wildcards;
pub use phred::PhredOffset;
pub use strand::Strands;
