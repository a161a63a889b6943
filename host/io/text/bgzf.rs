//! BGZF: gzip whose members are small and say how long they are, so that every thread can decompress some (the SAM
//! specification, section 4.1).
//!
//! # Who does what
//!
//! ```text
//! next   follows the lengths from block to block, until those passed hold a block of text
//! fill   decompresses them, and checks the checksum and the length of each
//! ```
//!
//! # Why it is right at the edges
//!
//! What is read is what [`Members`] reads, which remains the definition:
//!
//! - Where the next block is not as plain as those of every writer, and at the end of the input, [`Members`] reads on from there.
//! - A block that does not decompress to what it says is read again by [`Members`], together with all that follows it, so that
//!   as many of its bytes come out before the same error. Damage may reach beyond the block: the codes then run on into the
//!   next ones. What follows is on the [`Tape`], even if another thread has read it.

use super::input::Gate;
use super::stream::Stream;
use super::tape::Tape;
use super::{Damage, Fill, Source, damage_of};
use crate::gzip::{self, BLOCK_HEAD, Members};
use flate2::{Crc, Decompress, FlushDecompress, Status};
use std::io::{self, Read};
use std::time::Duration;

/// The most text of a block.
const TEXT_MAX: usize = 1 << 16;

/// Bytes of the checksum and the length at the end of a member.
const TRAILER: usize = 8;

/// A block as it says of itself.
struct Member {
    bytes: usize,
    /// The header, which comes before the codes.
    head: usize,
    text: usize,
}

/// Hands out groups of blocks until it comes to something else.
pub(super) struct Blocks {
    tape: Tape,
    block_bytes: usize,
    /// Tells whether the input waits, if it may.
    gate: Option<Gate>,
    /// The last block passed is not empty.
    is_open: bool,
}

impl Blocks {
    /// `input` starts with a member.
    pub(super) fn new(input: impl Read + Send + 'static, block_bytes: usize, gate: Option<Gate>) -> Self {
        Self { tape: Tape::new(input), block_bytes, gate, is_open: false }
    }

    /// The block at the tape's place, if it is a plain one and all there.
    fn member(&self) -> io::Result<Option<Member>> {
        let mut tape = self.tape.clone();
        let mut head = [0; BLOCK_HEAD];
        if !is_read(&mut tape, &mut head)? || head[..4] != [0x1f, 0x8b, 8, 4] {
            return Ok(None);
        }
        let Some(bytes) = gzip::block_bytes(&head) else { return Ok(None) };
        // At most 64 KiB, for the field has two bytes.
        let bytes = bytes as usize;
        let head = 12 + usize::from(u16::from_le_bytes([head[10], head[11]]));
        let mut length = [0; 4];
        let rest = bytes.checked_sub(BLOCK_HEAD + length.len());
        if bytes < head + TRAILER || !tape.skip(rest.unwrap_or(0))? || !is_read(&mut tape, &mut length)? {
            return Ok(None);
        }
        let text = u32::from_le_bytes(length) as usize;
        Ok((text <= TEXT_MAX).then_some(Member { bytes, head, text }))
    }

    /// Whether the next block has been read, or can be begun to be read, without waiting for the input.
    fn is_here(&self) -> bool {
        let is_read = || {
            let mut head = [0; BLOCK_HEAD];
            let told = self.tape.has(BLOCK_HEAD) && matches!(is_read(&mut self.tape.clone(), &mut head), Ok(true));
            told && gzip::block_bytes(&head).is_none_or(|bytes| self.tape.has(bytes as usize))
        };
        self.gate.as_ref().is_none_or(|gate| is_read() || gate.is_open(Duration::ZERO))
    }

    /// Passes blocks until they hold enough text, or to what is none, or the input waits.
    fn cut(&mut self) -> Vec<Member> {
        let (mut members, mut text) = (Vec::new(), 0);
        while text < self.block_bytes && (members.is_empty() || self.is_here()) {
            // An error of the system comes again when the rest is read.
            let Ok(Some(member)) = self.member() else { break };
            if !matches!(self.tape.skip(member.bytes), Ok(true)) {
                break;
            }
            text += member.text;
            self.is_open = member.text > 0;
            members.push(member);
        }
        members
    }
}

impl Source for Blocks {
    fn next(&mut self) -> Option<Box<Fill>> {
        let tape = self.tape.clone();
        let members = self.cut();
        (!members.is_empty()).then(|| Box::new(move |text: &mut Vec<u8>| fill(tape, &members, text)) as Box<Fill>)
    }

    /// What comes after the last block passed, if it is only the end.
    fn then(&mut self) -> Option<Box<dyn Source>> {
        let rest = Members::after_blocks(self.tape.clone(), self.is_open);
        Some(Box::new(Stream::new(rest, self.block_bytes).behind(self.gate.take())))
    }

    fn is_ready(&mut self) -> bool {
        self.is_here()
    }
}

/// Whether all of `bytes` could be read.
fn is_read(tape: &mut Tape, bytes: &mut [u8]) -> io::Result<bool> {
    match tape.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Appends the text of the blocks at `tape`.
fn fill(mut tape: Tape, members: &[Member], text: &mut Vec<u8>) -> Result<(), Damage> {
    // Space for one byte more shows a block that has more text than it says.
    text.reserve(members.iter().map(|member| member.text).sum::<usize>() + 1);
    let (mut decoder, mut scratch) = (Decompress::new(false), Vec::new());
    for member in members {
        let (start, here) = (text.len(), tape.clone());
        let bytes = tape.slice(member.bytes, &mut scratch).map_err(Damage::Unreadable)?;
        if inflate(&mut decoder, bytes, member, text).is_none() {
            text.truncate(start);
            return as_members(here, text);
        }
    }
    Ok(())
}

/// Appends the text of a block, if it is what the block says.
fn inflate(decoder: &mut Decompress, bytes: &[u8], member: &Member, text: &mut Vec<u8>) -> Option<()> {
    let start = text.len();
    let (codes, trailer) = bytes[member.head..].split_at_checked(member.bytes - member.head - TRAILER)?;
    decoder.reset(false);
    let status = decoder.decompress_vec(codes, text, FlushDecompress::Finish).ok()?;
    let whole = status == Status::StreamEnd && decoder.total_in() == codes.len() as u64;
    let mut crc = Crc::new();
    crc.update(&text[start..]);
    (whole && text.len() - start == member.text && crc.sum().to_le_bytes() == trailer[..4]).then_some(())
}

/// Appends what [`Members`] makes of a damaged block, and says what is wrong with it.
fn as_members(tape: Tape, text: &mut Vec<u8>) -> Result<(), Damage> {
    let mut members = Members::after_blocks(tape, false);
    // It appends what it reads before it fails.
    match members.read_to_end(text) {
        Err(error) => Err(damage_of(error)),
        // It found nothing wrong with a block that is not what it says: there is no such one, but this must not pass.
        Ok(_) => Err(Damage::Compressed(gzip::Damage::Broken.to_string())),
    }
}
