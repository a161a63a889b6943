//! BGZF: gzip whose members are small and say how long they are, so that every thread can decompress some (the SAM
//! specification, section 4.1).
//!
//! # Who does what
//!
//! ```text
//! next   follows the lengths from block to block, until those passed hold a block of text
//! fill   decompresses them, and checks the checksum and the length of each; threads that have nothing else to do take some of them
//! ```
//!
//! Of a regular file, `next` reads the heads and the ends of blocks alone, and `fill` its blocks from their places in the file. What
//! else the bytes come from is read in order, by `next`, and kept on a [`Tape`] for `fill`.
//!
//! # Why it is right at the edges
//!
//! What is read is what [`Members`] reads, which remains the definition, but that [`deflate`](super::deflate) takes some codes that
//! [`Members`] refuses: so a block that was changed may pass, with the very text that was written, by its checksum and its length.
//!
//! - Where the next block is not as plain as those of every writer, and at the end of the input, [`Members`] reads on from there.
//! - A block that does not decompress to what it says is read again by [`Members`], together with all that follows it, so that
//!   as many of its bytes come out before the same error. Damage may reach beyond the block: the codes then run on into the
//!   next ones. What follows is read again from the file, or is on the tape, even if another thread has read it.

use super::deflate::Decoder;
use super::input::{Counted, Gate};
use super::plain::Place;
use super::stream::Stream;
use super::tape::Tape;
use super::{Damage, Fill, Source, damage_of};
use crate::gzip::{self, BLOCK_HEAD, Members};
use rayon::prelude::*;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::mem::MaybeUninit;
use std::time::Duration;

/// The most text of a block.
pub(super) const TEXT_MAX: usize = 1 << 16;

/// Bytes of the checksum and the length at the end of a member.
const TRAILER: usize = 8;

/// A place in compressed bytes, from which they can be read again and again.
pub(super) trait Compressed: Clone + Send + 'static {
    /// Whether the next `bytes` can be had without waiting for the input.
    fn has(&self, bytes: usize) -> bool;
    /// Reads `bytes`, `skipped` behind this place. Whether there are so many.
    fn look(&self, skipped: usize, bytes: &mut [u8]) -> io::Result<bool>;
    /// Goes `bytes` on, which are there.
    fn skip(&mut self, bytes: usize);
    /// Reads the next `bytes`, which are there, into `scratch` if need be, and goes behind them.
    fn take<'a>(&'a mut self, bytes: usize, scratch: &'a mut Vec<u8>) -> io::Result<&'a [u8]>;
    /// All that follows.
    fn rest(self) -> impl BufRead + Send + 'static;
}

impl Compressed for Tape {
    fn has(&self, bytes: usize) -> bool {
        Self::has(self, bytes)
    }

    fn look(&self, skipped: usize, bytes: &mut [u8]) -> io::Result<bool> {
        let mut tape = self.clone();
        Ok(Self::skip(&mut tape, skipped)? && is_read(&mut tape, bytes)?)
    }

    fn skip(&mut self, bytes: usize) {
        // They have been read, and so has what is wrong with them.
        let _ = Self::skip(self, bytes);
    }

    fn take<'a>(&'a mut self, bytes: usize, scratch: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        self.slice(bytes, scratch)
    }

    fn rest(self) -> impl BufRead + Send + 'static {
        self
    }
}

impl Compressed for Counted<Place> {
    fn has(&self, _: usize) -> bool {
        true
    }

    fn look(&self, skipped: usize, bytes: &mut [u8]) -> io::Result<bool> {
        let mut place = self.input.clone();
        place.at += skipped as u64;
        is_read(&mut place, bytes)
    }

    fn skip(&mut self, bytes: usize) {
        self.input.at += bytes as u64;
    }

    fn take<'a>(&'a mut self, bytes: usize, scratch: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        scratch.resize(bytes, 0);
        self.read_exact(scratch)?;
        Ok(scratch)
    }

    fn rest(self) -> impl BufRead + Send + 'static {
        BufReader::with_capacity(super::BUFFER_BYTES, self)
    }
}

/// A block as it says of itself.
struct Member {
    bytes: usize,
    /// The header, which comes before the codes.
    head: usize,
    text: usize,
}

/// Hands out groups of blocks until it comes to something else.
pub(super) struct Blocks<C> {
    bytes: C,
    block_bytes: usize,
    /// Tells whether the input waits, if it may.
    gate: Option<Gate>,
    /// The last block passed is not empty.
    is_open: bool,
    /// Where blocks are no longer handed out before they are asked for, in compressed bytes from here.
    left: u64,
}

impl<C: Compressed> Blocks<C> {
    /// `bytes` start with a member.
    pub(super) fn new(bytes: C, block_bytes: usize, gate: Option<Gate>) -> Self {
        Self { bytes, block_bytes, gate, is_open: false, left: u64::MAX }
    }

    /// The same, of a part that ends after `bytes`.
    pub(super) fn of_part(self, bytes: u64) -> Self {
        Self { left: bytes, ..self }
    }

    /// Bytes of the next block, and of its text; `None` if it is no plain one.
    pub(super) fn sizes(&self) -> io::Result<Option<(usize, usize)>> {
        Ok(self.member()?.map(|member| (member.bytes, member.text)))
    }

    /// The text of the next block, if it is a plain one and what it says.
    pub(super) fn text(&self) -> Option<Vec<u8>> {
        let member = self.member().ok()??;
        let (mut room, mut scratch) = (vec![MaybeUninit::uninit(); member.text], Vec::new());
        let mut place = self.bytes.clone();
        let bytes = place.take(member.bytes, &mut scratch).ok()?;
        inflate(&mut Decoder::new(), bytes, &member, &mut room).map(<[u8]>::to_vec)
    }

    /// The next block, if it is a plain one and all there.
    fn member(&self) -> io::Result<Option<Member>> {
        let mut head = [0; BLOCK_HEAD];
        if !self.bytes.look(0, &mut head)? || head[..4] != [0x1f, 0x8b, 8, 4] {
            return Ok(None);
        }
        let Some(bytes) = gzip::block_bytes(&head) else { return Ok(None) };
        // At most 64 KiB, for the field has two bytes.
        let bytes = bytes as usize;
        let head = 12 + usize::from(u16::from_le_bytes([head[10], head[11]]));
        let mut length = [0; 4];
        if bytes < head + TRAILER || !self.bytes.look(bytes - length.len(), &mut length)? {
            return Ok(None);
        }
        let text = u32::from_le_bytes(length) as usize;
        Ok((text <= TEXT_MAX).then_some(Member { bytes, head, text }))
    }

    /// Whether the next block has been read, or can be begun to be read, without waiting for the input; none behind a part.
    fn is_here(&self) -> bool {
        let is_read = || {
            let mut head = [0; BLOCK_HEAD];
            let told = self.bytes.has(BLOCK_HEAD) && matches!(self.bytes.look(0, &mut head), Ok(true));
            told && gzip::block_bytes(&head).is_none_or(|bytes| self.bytes.has(bytes as usize))
        };
        self.left > 0 && self.gate.as_ref().is_none_or(|gate| is_read() || gate.is_open(Duration::ZERO))
    }

    /// Passes blocks until they hold enough text, or to what is none, or the input waits.
    fn cut(&mut self) -> Vec<Member> {
        let (mut members, mut text) = (Vec::new(), 0);
        while text < self.block_bytes && (members.is_empty() || self.is_here()) {
            // An error of the system comes again when the rest is read.
            let Ok(Some(member)) = self.member() else { break };
            self.bytes.skip(member.bytes);
            self.left = self.left.saturating_sub(member.bytes as u64);
            text += member.text;
            self.is_open = member.text > 0;
            members.push(member);
        }
        members
    }
}

impl<C: Compressed> Source for Blocks<C> {
    fn next(&mut self) -> Option<Box<Fill>> {
        let bytes = self.bytes.clone();
        let members = self.cut();
        (!members.is_empty()).then(|| Box::new(move |text: &mut Vec<u8>| fill(bytes, &members, text)) as Box<Fill>)
    }

    /// What comes after the last block passed, if it is only the end.
    fn then(&mut self) -> Option<Box<dyn Source>> {
        let rest = Members::after_blocks(self.bytes.clone().rest(), self.is_open);
        Some(Box::new(Stream::new(rest, self.block_bytes).behind(self.gate.take())))
    }

    fn is_ready(&mut self) -> bool {
        self.is_here()
    }
}

/// Whether all of `bytes` could be read.
fn is_read(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match input.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Blocks that a thread decompresses at a time: half a megabyte of text.
const TOGETHER: usize = 8;

/// Blocks that follow one another, their place, room for their text, and where in all text that begins.
struct Run<'a, C> {
    place: C,
    members: &'a [Member],
    text: &'a mut [MaybeUninit<u8>],
    start: usize,
}

/// Where a run is not what its blocks say: the place of such a block, and the end of all text before it.
struct Flaw<C> {
    place: C,
    end: usize,
    unreadable: Option<io::Error>,
}

/// Appends the text of the blocks at `place`.
fn fill<C: Compressed>(mut place: C, members: &[Member], text: &mut Vec<u8>) -> Result<(), Damage> {
    let length = |members: &[Member]| members.iter().map(|member| member.text).sum::<usize>();
    let (mut start, end) = (text.len(), text.len() + length(members));
    text.reserve(end - start);
    let (mut rest, mut runs) = (text.spare_capacity_mut(), Vec::with_capacity(members.len().div_ceil(TOGETHER)));
    for members in members.chunks(TOGETHER) {
        let (text, others) = rest.split_at_mut(length(members));
        let length = text.len();
        runs.push(Run { place: place.clone(), members, text, start });
        place.skip(members.iter().map(|member| member.bytes).sum());
        (rest, start) = (others, start + length);
    }
    let flaws: Vec<Option<Flaw<C>>> = runs.into_par_iter().map(Run::fill).collect();
    let flaw = flaws.into_iter().flatten().next();
    // SAFETY: there is room for so much, and all blocks before the first flaw have filled theirs.
    unsafe { text.set_len(flaw.as_ref().map_or(end, |flaw| flaw.end)) };
    match flaw {
        None => Ok(()),
        Some(Flaw { unreadable: Some(error), .. }) => Err(Damage::Unreadable(error)),
        Some(Flaw { place, .. }) => as_members(place.rest(), text),
    }
}

impl<C: Compressed> Run<'_, C> {
    /// Fills in the text; the first flaw, if there is one.
    fn fill(mut self) -> Option<Flaw<C>> {
        let (mut decoder, mut scratch, mut before) = (Decoder::new(), Vec::new(), 0);
        for member in self.members {
            let here = self.place.clone();
            let text = &mut self.text[before..before + member.text];
            let filled =
                self.place.take(member.bytes, &mut scratch).map(|bytes| inflate(&mut decoder, bytes, member, text));
            match filled {
                Ok(Some(_)) => before += member.text,
                Ok(None) => return Some(Flaw { place: here, end: self.start + before, unreadable: None }),
                Err(error) => return Some(Flaw { place: here, end: self.start + before, unreadable: Some(error) }),
            }
        }
        None
    }
}

/// Decompresses a block into `room`, which is as long as the block says: its text, if it is what the block says.
fn inflate<'t>(
    decoder: &mut Decoder,
    bytes: &[u8],
    member: &Member,
    room: &'t mut [MaybeUninit<u8>],
) -> Option<&'t [u8]> {
    let (codes, trailer) = bytes[member.head..].split_at_checked(member.bytes - member.head - TRAILER)?;
    let text = decoder.decompress(codes, room)?;
    (crc32fast::hash(text).to_le_bytes() == trailer[..4]).then_some(text)
}

/// Appends what [`Members`] makes of a damaged block, and says what is wrong with it.
fn as_members(bytes: impl BufRead, text: &mut Vec<u8>) -> Result<(), Damage> {
    let mut members = Members::after_blocks(bytes, false);
    // It appends what it reads before it fails.
    match members.read_to_end(text) {
        Err(error) => Err(damage_of(error)),
        // It found nothing wrong with a block that is not what it says: there is no such one, but this must not pass.
        Ok(_) => Err(Damage::Compressed(gzip::Damage::Broken.to_string())),
    }
}
