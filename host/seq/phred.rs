//! Phred scores, and the bytes that stand for them in FASTQ.

/// How quality bytes map to Phred scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PhredOffset {
    /// Offset 33.
    #[default]
    Sanger,
    /// Offset 64.
    Illumina64,
    /// Offset 64, bytes 59..=63 allowed as negative values.
    Solexa,
}

impl PhredOffset {
    /// What is subtracted from a byte.
    pub fn offset(self) -> u8 {
        match self {
            Self::Sanger => 33,
            Self::Illumina64 | Self::Solexa => 64,
        }
    }

    /// The smallest legal byte; the largest is 126.
    pub fn least(self) -> u8 {
        match self {
            Self::Sanger => 33,
            Self::Illumina64 => 64,
            Self::Solexa => 59,
        }
    }
}

/// Why a quality is refused, and what to do.
pub fn illegal_quality(byte: u8, phred: PhredOffset) -> String {
    let (shown, least) = (char::from(byte), phred.least());
    let (offset, lowest) = (phred.offset(), char::from(least));
    format!(
        "the quality {shown:?} (byte {byte}) lies below {lowest:?}, the lowest at Phred offset {offset}: see --phred-offset"
    )
}
