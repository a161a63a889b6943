//! `gzip`: decompresses all members of a gzip file, and so BGZF too (RFC 1952; the SAM specification, section 4.1).
//!
//! # Why it is right at the edges
//!
//! - Bytes before damage are returned before the damage is reported, so that how far a file can be read does not depend on the
//!   size of the buffers. (The readers of `flate2` lose the bytes that the failing call has produced.)
//! - A member is complete only after its checksum and its length, which follow its last byte.
//! - After a member comes another one or the end. Anything else is damage, zeros for padding too: `gzip -d` ignores them, but
//!   they cannot be told from overwritten members.
//! - A BGZF file ends with an empty block, so that one that was cut between two blocks can be told. A last member that is a
//!   block of BGZF and not empty is therefore damage.
//! - A block of BGZF says how long it is, so that the blocks can be found without being decompressed. As long as a file has
//!   nothing but blocks, one that says so wrongly is damage: whoever follows the lengths would read another text.

use flate2::{Decompress, FlushDecompress, Status};
use std::io::{self, BufRead, ErrorKind, Read};
use std::{error, fmt};

/// The first bytes of every member.
pub const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The base-2 logarithm of the window size of deflate.
const WINDOW_BITS: u8 = 15;

/// What is wrong with a gzip file: the source of an [`io::Error`] of [`Members`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It ends inside a member.
    Truncated,
    /// A member breaks the format, or its checksum or length is wrong. Which of these is not said, since what the
    /// decoder reports depends on the size of the buffers (zlib-rs 0.6: "repeated call with bad state").
    Broken,
    /// A member is followed by this byte, which does not start another.
    Followed(u8),
    /// It is BGZF and does not end with an empty block.
    NoEndBlock,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Truncated => {
                f.write_str("the gzip stream is truncated: the file is incomplete; copy or download it again")
            }
            Self::Broken => f.write_str("the gzip stream is damaged: the file was changed; copy or download it again"),
            Self::Followed(byte) => write!(
                f,
                "the gzip stream is damaged: expected another gzip member or the end of the file, found byte {byte:#04x}; \
                 copy or download the file again"
            ),
            Self::NoEndBlock => f.write_str(
                "the BGZF file has no end block, so part of it may be missing: copy or download it again, or read it as it is \
                 with `gzip -dc FILE | warpseq ... -`",
            ),
        }
    }
}

impl error::Error for Damage {}

impl From<Damage> for io::Error {
    fn from(damage: Damage) -> Self {
        Self::new(ErrorKind::InvalidData, damage)
    }
}

/// What is wrong with the gzip file, if that is why reading failed.
pub fn damage(error: &io::Error) -> Option<&Damage> {
    error.get_ref()?.downcast_ref()
}

/// Bytes of the header of a block of BGZF up to its length.
pub(crate) const BLOCK_HEAD: usize = 18;

/// The length of the block of BGZF that begins with these bytes, by its own account; `None` if it is another member.
///
/// An extra field is there (flag 4), and begins with the subfield BC of two bytes (the SAM specification, section 4.1).
pub(crate) fn block_bytes(head: &[u8; BLOCK_HEAD]) -> Option<u64> {
    let extra_bytes = u16::from_le_bytes([head[10], head[11]]);
    let is_block = head[3] & 4 != 0 && extra_bytes >= 6 && &head[12..16] == b"BC\x02\x00";
    is_block.then(|| u64::from(u16::from_le_bytes([head[16], head[17]])) + 1)
}

/// The first bytes of a member, as many as tell a block of BGZF, gathered as they are read.
struct Head {
    bytes: [u8; BLOCK_HEAD],
    len: usize,
}

impl Head {
    fn new() -> Self {
        Self { bytes: [0; BLOCK_HEAD], len: 0 }
    }

    fn extend(&mut self, taken: &[u8]) {
        let rest = &mut self.bytes[self.len..];
        let some = rest.len().min(taken.len());
        rest[..some].copy_from_slice(&taken[..some]);
        self.len += some;
    }
}

/// Reads the decompressed bytes of a gzip file.
pub struct Members<R> {
    input: R,
    /// The member being read; `None` between members.
    member: Option<Decompress>,
    head: Head,
    /// The last member read was a block of BGZF with bytes in it.
    is_open: bool,
    /// All members read were blocks of BGZF.
    only_blocks: bool,
    /// Reported by the next call.
    damage: Option<Damage>,
}

impl<R: BufRead> Members<R> {
    /// `input` starts with the first byte of a member.
    pub fn new(input: R) -> Self {
        let member = Some(Decompress::new_gzip(WINDOW_BITS));
        Self { member, ..Self::after_blocks(input, false) }
    }

    /// `input` comes after blocks of BGZF, or at the beginning. The last of them is not empty if `is_open`.
    pub(crate) fn after_blocks(input: R, is_open: bool) -> Self {
        Self { input, member: None, head: Head::new(), is_open, only_blocks: true, damage: None }
    }

    /// Decompresses the bytes that the input has ready into `buffer`, which is not empty. Returns how many bytes that made; 0 is
    /// not the end.
    ///
    /// The decoder may hold back bytes that did not fit, or damage, so it is called even after the input has ended.
    fn step(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Self { input, member, head, is_open, only_blocks, damage } = self;
        let ready = input.fill_buf()?;
        let ended = ready.is_empty();
        if let (None, [first, ..]) = (&member, ready)
            && *first != MAGIC[0]
        {
            return Err(Damage::Followed(*first).into());
        }
        let decoder = member.get_or_insert_with(|| Decompress::new_gzip(WINDOW_BITS));
        let before = (decoder.total_in(), decoder.total_out());
        let status = decoder.decompress(ready, buffer, FlushDecompress::None);
        let (taken, given) = (decoder.total_in() - before.0, decoder.total_out() - before.1);
        head.extend(&ready[..taken as usize]);
        input.consume(taken as usize);
        match status {
            Ok(Status::StreamEnd) => {
                let said = block_bytes(&head.bytes);
                *is_open = said == Some(decoder.total_in()) && decoder.total_out() > 0;
                *only_blocks &= said.is_some();
                if *only_blocks && said != Some(decoder.total_in()) {
                    *damage = Some(Damage::Broken);
                }
                (*member, *head) = (None, Head::new());
            }
            Ok(_) if ended && given == 0 => *damage = Some(Damage::Truncated),
            Ok(_) => {}
            Err(_) => *damage = Some(Damage::Broken),
        }
        Ok(given as usize)
    }

    fn at_end(&mut self) -> io::Result<bool> {
        if self.member.is_some() || !self.input.fill_buf()?.is_empty() {
            return Ok(false);
        }
        if self.is_open { Err(Damage::NoEndBlock.into()) } else { Ok(true) }
    }
}

impl<R: BufRead> Read for Members<R> {
    /// # Errors
    /// Those of the input, and [`Damage`], which every later call returns again.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(damage) = self.damage {
                return Err(damage.into());
            }
            if buffer.is_empty() || self.at_end()? {
                return Ok(0);
            }
            match self.step(buffer)? {
                0 => {}
                given => return Ok(given),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::{BufReader, Write};

    fn member(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// All that is read, `give` bytes at most at a time from `take` bytes at most, and what is wrong then.
    fn read(file: &[u8], take: usize, give: usize) -> (Vec<u8>, Option<Damage>) {
        let mut members = Members::new(BufReader::with_capacity(take, file));
        let (mut bytes, mut buffer) = (Vec::new(), vec![0; give]);
        loop {
            match members.read(&mut buffer) {
                Ok(0) => return (bytes, None),
                Ok(given) => bytes.extend_from_slice(&buffer[..given]),
                Err(error) => return (bytes, damage(&error).copied()),
            }
        }
    }

    fn text() -> Vec<u8> {
        (0_u32..3000).flat_map(|k| (k * k % 977).to_string().into_bytes()).collect()
    }

    #[test]
    fn members_come_one_after_another_whatever_the_buffers() {
        let file = [member(b""), member(&text()), member(b"the end"), member(b"")].concat();
        let expected = [&text()[..], b"the end"].concat();
        for (take, give) in [(1, 1), (1, 100_000), (7, 3), (100_000, 1), (100_000, 100_000)] {
            assert!(read(&file, take, give) == (expected.clone(), None), "{take} {give}");
        }
    }

    #[test]
    fn what_comes_before_damage_is_read_whatever_the_buffers() {
        let whole = member(&text());
        for at in (0..whole.len()).step_by(37) {
            let mut file = whole.clone();
            file[at] ^= 0x55;
            let (bytes, damage) = read(&file, 1, 1);
            for (take, give) in [(1, 100_000), (11, 300), (100_000, 100_000)] {
                assert!(read(&file, take, give) == (bytes.clone(), damage), "byte {at}, {take} {give}");
            }
            assert!(damage.is_some() || bytes == text(), "byte {at}");
        }
    }

    #[test]
    fn a_cut_is_told_from_damage_and_both_from_what_follows() {
        let whole = member(b"ACGT");
        for cut in 1..whole.len() {
            let file = [member(b"AC"), whole[..cut].to_vec()].concat();
            assert_eq!(read(&file, 5, 5).1, Some(Damage::Truncated), "{cut} bytes");
        }
        // One code makes up to 258 bytes out of few bits, which may be the last there are.
        let runs = member(&[b'A'; 4000]);
        for cut in 1..runs.len() {
            let expected = read(&runs[..cut], 100, 10_000);
            assert_eq!(
                (read(&runs[..cut], 1, 1), expected.1),
                (expected.clone(), Some(Damage::Truncated)),
                "{cut} bytes"
            );
        }
        for (tail, byte) in [(&b"\0\0\0\0"[..], 0), (b"x", b'x'), (b">a\nACGT\n", b'>')] {
            let found = read(&[&whole, tail].concat(), 64, 64);
            assert_eq!(found, (b"ACGT".to_vec(), Some(Damage::Followed(byte))));
        }
        let mut file = whole.clone();
        *file.last_mut().unwrap() ^= 1;
        assert_eq!(read(&file, 64, 64).1, Some(Damage::Broken));
    }

    #[test]
    fn bgzf_ends_with_an_empty_block_and_gzip_need_not() {
        let bgzf = |bytes: &[u8]| {
            let mut writer = noodles_bgzf::io::Writer::new(Vec::new());
            writer.write_all(bytes).unwrap();
            writer.finish().unwrap()
        };
        let (whole, end) = (bgzf(&text()), bgzf(b""));
        let cut = &whole[..whole.len() - end.len()];
        for (take, give) in [(1, 1), (15, 7), (100_000, 100_000)] {
            let read = |file: &[&[u8]]| read(&file.concat(), take, give);
            assert_eq!(read(&[&whole]), (text(), None));
            assert_eq!(read(&[&end]), (b"".to_vec(), None));
            assert_eq!(read(&[cut]), (text(), Some(Damage::NoEndBlock)));
            assert_eq!(read(&[&end, cut]).1, Some(Damage::NoEndBlock));
            assert_eq!(read(&[cut, &whole]).1, None);
            assert_eq!(read(&[cut, &member(b"ACGT")]).1, None);
            assert_eq!(read(&[&member(b"ACGT"), cut]).1, Some(Damage::NoEndBlock));
        }
    }

    #[test]
    fn a_block_says_its_length_right_as_long_as_there_are_but_blocks() {
        let mut writer = noodles_bgzf::io::Writer::new(Vec::new());
        writer.write_all(b"ACGT").unwrap();
        let whole = writer.finish().unwrap();
        let mut wrong = whole.clone();
        wrong[16] += 1;
        for (take, give) in [(1, 1), (100_000, 100_000)] {
            assert_eq!(read(&wrong, take, give), (b"ACGT".to_vec(), Some(Damage::Broken)));
            let after_blocks = [&whole[..], &wrong].concat();
            assert_eq!(read(&after_blocks, take, give), (b"ACGTACGT".to_vec(), Some(Damage::Broken)));
            let after_others = [&member(b"AC")[..], &wrong].concat();
            assert_eq!(read(&after_others, take, give), (b"ACACGT".to_vec(), None));
        }
    }

    #[test]
    fn damage_stays() {
        for file in [&b"\x1f\x8b\x08\xff"[..], b"\x1f\x8b\x08", &[&member(b"")[..], b"x"].concat()[..]] {
            let mut members = Members::new(file);
            for _ in 0..3 {
                assert!(damage(&members.read(&mut [0; 8]).unwrap_err()).is_some());
            }
        }
    }
}
