//! How an input is compressed, told by its first bytes; and the decoders that read one member after another.

use super::bzip2::Bzip2;
use super::streams::Streams;
use super::xz::Xz;
use super::zstd::Frames;
use crate::gzip::{self, BLOCK_HEAD, Members};
use crate::profile::Phase;
use std::io::{self, BufRead, Read};

/// The most bytes that tell.
pub(super) const TELLING: usize = BLOCK_HEAD;

/// A compression that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Bgzf,
    Bzip2,
    Xz,
    Zstd,
}

impl Compression {
    /// What making text of it is.
    pub(super) fn phase(self) -> Phase {
        if self == Self::None { Phase::Read } else { Phase::Inflate }
    }

    /// What the first bytes of an input tell; `None` if more are needed.
    fn of(start: &[u8]) -> Option<Self> {
        let is = |magic: &[u8]| start.starts_with(magic);
        let may_be = |magic: &[u8]| magic.starts_with(start);
        match start {
            _ if is(&gzip::MAGIC) => match <&[u8; BLOCK_HEAD]>::try_from(start) {
                Ok(head) if gzip::block_bytes(head).is_some() => Some(Self::Bgzf),
                Ok(_) => Some(Self::Gzip),
                Err(_) => None,
            },
            _ if is(super::zstd::MAGIC) => Some(Self::Zstd),
            _ if is(super::xz::MAGIC) => Some(Self::Xz),
            [first, rest @ ..] if first & 0xf0 == 0x50 && rest == super::zstd::SKIPPED => Some(Self::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9'] => Some(Self::Bzip2),
            [first, rest @ ..] if first & 0xf0 == 0x50 && super::zstd::SKIPPED.starts_with(rest) => None,
            _ if may_be(&gzip::MAGIC) || may_be(super::zstd::MAGIC) || may_be(super::xz::MAGIC) || may_be(b"BZh") => {
                None
            }
            _ => Some(Self::None),
        }
    }

    /// What `input` begins with, and the bytes read to tell, which are as few as do.
    pub(super) fn tell(input: &mut impl Read) -> io::Result<(Self, Vec<u8>)> {
        let mut start = Vec::with_capacity(TELLING);
        loop {
            if let Some(compression) = Self::of(&start) {
                return Ok((compression, start));
            }
            if input.by_ref().take(1).read_to_end(&mut start)? == 0 {
                // A shorter file than any of the kind: the decoder says so of what has gzip's magic.
                let compression = if start.starts_with(&gzip::MAGIC) { Self::Gzip } else { Self::None };
                return Ok((compression, start));
            }
        }
    }

    /// Whether only one thread can decompress it, one byte after another.
    pub(super) fn is_serial(self) -> bool {
        !matches!(self, Self::None | Self::Bgzf)
    }

    /// Decompresses `input`, one member after another.
    pub(super) fn decoder(self, input: impl BufRead + Send + 'static) -> Box<dyn Read + Send> {
        match self {
            Self::None => Box::new(input),
            Self::Gzip | Self::Bgzf => Box::new(Members::new(input)),
            Self::Bzip2 => Box::new(Streams::<_, Bzip2>::new(input)),
            Self::Xz => Box::new(Streams::<_, Xz>::new(input)),
            Self::Zstd => Box::new(Frames::new(input)),
        }
    }
}
