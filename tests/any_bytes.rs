//! Any bytes that come as a file give an error that names the place, or all that is in them: never a panic.
//!
//! The checks are those of `fuzz/`, so what `make fuzz` looks for in minutes or hours is looked for here in seconds, always:
//! in small files that are nearly right, in those of `data/` and `../shared` with changes, and in bytes of no kind.
//! `WARPSEQ_CASES` multiplies the number of inputs. What the fuzzers found stays in [`found`].

#[path = "../fuzz/checks/mod.rs"]
mod checks;
mod found {
    //! Inputs that once went wrong, by what went wrong.

    use super::checks;

    /// The decoder's words about damage hung on the size of the buffer.
    #[test]
    fn damage_is_told_of_in_the_same_words() {
        checks::gzip(
            b"*\0\x08\x04\0\0\0\0!\0\0\0B\0\0\0\x92\0e\xceA\x0e\x02!\x0c\x05\xd0}\xafb4B;\x02\xe9f\x9a\xc6t\0\0\0\
            \xff\x06\0B\0\0\0\x92\x07e\xceA\x0e\x02!\x0c\x05\xd0}\xa7b4B;\x02\xe9f\x9a\xc6t\xaf\xec\xff\x12[\xd8{\x17\
            :;\x02\xe9f\x9a\xc6t\xaf\xec{\xff[\xd8\x12\x17:\xf3\x03%\xd06\xba{\x1b\0",
        );
    }
}
mod seeds;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};

/// What is done to a file.
#[derive(Clone, Debug)]
enum Change {
    Byte(Index, u8),
    Insert(Index, &'static [u8]),
    Remove(Index, usize),
    /// Bytes from elsewhere in the file once more.
    Copy(Index, Index, usize),
    Cut(Index),
}

/// Bytes that mean something to one of the readers.
const TELLING: &[&[u8]] = &[
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b">",
    b"@",
    b"+",
    b"\n+\n",
    b";",
    b"#",
    b" ",
    b"\t",
    b"\0",
    b"\x1f\x8b",
    b"\xff",
    b"\x7f",
    b"-",
    b"9999999999",
    b">x\nACGT\n",
    b"@x\nAC\n+\nII\n",
    b"\xff\xff\xff\xff\xff\xff\xff\xff",
];

fn change() -> impl Strategy<Value = Change> {
    let place = any::<Index>;
    prop_oneof![
        4 => (place(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        4 => (place(), select(TELLING)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        2 => (place(), 1_usize..40).prop_map(|(at, count)| Change::Remove(at, count)),
        2 => (place(), place(), 1_usize..80).prop_map(|(from, to, count)| Change::Copy(from, to, count)),
        1 => place().prop_map(Change::Cut),
    ]
}

impl Change {
    fn apply(&self, file: &mut Vec<u8>) {
        let end = file.len();
        let place = |at: &Index| at.index(end + 1);
        match self {
            Self::Byte(at, byte) => file[at.index(end.max(1))..].iter_mut().take(1).for_each(|old| *old = *byte),
            Self::Insert(at, bytes) => drop(file.splice(place(at)..place(at), bytes.iter().copied())),
            Self::Remove(at, count) => drop(file.drain(place(at)..end.min(place(at) + count))),
            Self::Copy(from, to, count) => {
                let bytes = file[place(from)..end.min(place(from) + count)].to_vec();
                file.splice(place(to)..place(to), bytes);
            }
            Self::Cut(at) => file.truncate(place(at)),
        }
    }
}

/// Runs a check on the seeds, then on `cases` inputs: seeds with changes, and bytes of no kind.
fn never_wrong(check: fn(&[u8]), seeds: Vec<Vec<u8>>, cases: u32) {
    seeds.iter().for_each(|seed| check(seed));
    let more = std::env::var("WARPSEQ_CASES").map_or(1, |times| times.parse().expect("WARPSEQ_CASES is a number"));
    let config = Config { cases: cases * more, failure_persistence: None, ..Config::default() };
    // The first byte chooses more often than it belongs to the file.
    let first = option::weighted(0.5, any::<u8>());
    let changed = (select(seeds), first, vec(change(), 0..6)).prop_map(|(mut file, first, changes)| {
        changes.iter().for_each(|change| change.apply(&mut file));
        file.iter_mut().zip(first).for_each(|(old, first)| *old = first);
        file
    });
    let inputs = prop_oneof![9 => changed, 1 => vec(any::<u8>(), 0..400)];
    let run = TestRunner::new(config).run(&inputs, |input| {
        check(&input);
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn fasta() {
    never_wrong(checks::fasta, seeds::fasta(), 20_000);
}

#[test]
fn fastq() {
    never_wrong(checks::fastq, seeds::fastq(), 20_000);
}

#[test]
fn commands() {
    never_wrong(checks::commands, seeds::commands(), 2000);
}

#[test]
fn databases() {
    never_wrong(checks::database, seeds::databases(), 3000);
}

#[test]
fn gzip() {
    never_wrong(checks::gzip, seeds::gzip(), 5000);
}

#[test]
fn matrices() {
    never_wrong(checks::matrix, seeds::matrix(), 4000);
}

#[test]
fn signatures() {
    never_wrong(checks::signatures, seeds::signatures(), 3000);
}
