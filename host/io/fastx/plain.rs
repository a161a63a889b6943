//! Records as nearly all are, read from a block without the grammar's care: FASTQ of four lines, FASTA without empty lines, lines
//! that end with LF, and the start of the next record behind them. Of any other record this says nothing, and the grammar reads it.

use super::grammar::end_of_name;
use super::{Demands, Kind, Qualities, Record, fasta, printable};
use memchr::memchr;
use std::convert::Infallible;
use warpseq_seq::Records;
use warpseq_seq::records::Appended;

/// A record that was read.
pub(super) struct Plain {
    /// Where the next record begins.
    pub(super) next: usize,
    /// How many lines the record has.
    pub(super) lines: u64,
    /// What the check counted.
    pub(super) counted: u64,
}

/// Appends the record that begins at `text[start..]`, if it is plain and as the caller demands.
pub(super) fn read(text: &[u8], start: usize, kind: Kind, demands: &Demands, records: &mut Records) -> Option<Plain> {
    match kind {
        Kind::Fasta => read_fasta(text, start, demands, records),
        Kind::Fastq => read_fastq(text, start, demands, records),
    }
}

/// The line that begins at `start`, if it is whole, and where the next one begins.
fn line(text: &[u8], start: usize) -> Option<(&[u8], usize)> {
    let length = memchr(b'\n', text.get(start..)?)?;
    Some((&text[start..start + length], start + length + 1))
}

/// The name that a header line has, if its first byte is `first` and the name is right behind it.
fn name(title: &[u8], first: u8) -> Option<&[u8]> {
    let (_, title) = title.split_first().filter(|&(&byte, _)| byte == first)?;
    let name = &title[..end_of_name(title)];
    (!name.is_empty() && printable::first_control(title).is_none()).then_some(name)
}

fn read_fastq(text: &[u8], start: usize, demands: &Demands, records: &mut Records) -> Option<Plain> {
    let (title, start) = line(text, start)?;
    let name = name(title, b'@')?;
    let (residues, plus) = line(text, start)?;
    if matches!(residues.first(), None | Some(b'@' | b'+')) {
        return None;
    }
    let start = behind_plus(text, plus, title)?;
    let end = start + residues.len();
    if text.get(end..end + 2)? != b"\n@" {
        return None;
    }
    let quality = &text[start..end];
    if printable::first_illegal(residues).or(printable::first_illegal(quality)).is_some() {
        return None;
    }
    let counted = check(demands, Record { name, residues, quality })?;
    records.push_with_quality(name, residues, if demands.qualities == Qualities::Keep { quality } else { &[] });
    Some(Plain { next: end + 1, lines: 4, counted })
}

/// Where the quality begins: behind a `+` line that is bare, or repeats the header.
fn behind_plus(text: &[u8], plus: usize, title: &[u8]) -> Option<usize> {
    let rest = text.get(plus..)?.strip_prefix(b"+")?;
    let rest = if rest.first() == Some(&b'\n') { rest } else { rest.strip_prefix(&title[1..])? };
    Some(text.len() - rest.strip_prefix(b"\n")?.len())
}

fn read_fasta(text: &[u8], start: usize, demands: &Demands, records: &mut Records) -> Option<Plain> {
    let (title, mut next) = line(text, start)?;
    let name = name(title, b'>')?;
    let mut lines = 1;
    let mut read = |to: Appended| {
        let before = to.residues.len();
        while *text.get(next)? != b'>' {
            let (residues, behind) = line(text, next)?;
            if !fasta::is_sequence(residues.first()) || printable::first_illegal(residues).is_some() {
                return None;
            }
            to.residues.extend_from_slice(residues);
            (next, lines) = (behind, lines + 1);
        }
        to.name.extend_from_slice(name);
        check(demands, Record { name, residues: &to.residues[before..], quality: &[] })
    };
    let Ok(counted) = records.append(|to| Ok::<_, Infallible>(read(to)));
    Some(Plain { next, lines, counted: counted? })
}

fn check(demands: &Demands, record: Record) -> Option<u64> {
    demands.check.as_ref().map_or(Some(0), |check| check(record).ok())
}
