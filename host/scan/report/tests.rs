use super::*;
use crate::Signature;
use crate::Strands;
use crate::pattern::{Patterns, patterns};

/// Two sequences of 12 symbols, two signatures (3 and 2 symbols, not palindromes): patterns 0 `+` 1 `-` and 2 `+` 3 `-`.
fn case(qualities: Option<&[&str]>) -> (Vec<Signature>, Records) {
    let signature = |bases: &[u8]| Signature::new("", bases.to_vec());
    let batch: Records = [("a", [b'A'; 12]), ("b", [b'A'; 12])].into_iter().collect();
    let batch = match qualities {
        Some(qualities) => batch.with_qualities(qualities.concat().into_bytes()).unwrap(),
        None => batch,
    };
    (vec![signature(b"AAC"), signature(b"AG")], batch)
}

/// (sequence, pattern, start, wild)
fn chosen(choice: Choice, qualities: Option<&[&str]>, hits: &[(u32, u32, u64, u32)]) -> Vec<Row> {
    let options = Options { choice, strands: Strands::Both, ..Options::default() };
    let (signatures, batch) = case(qualities);
    let hit = |&(sequence, pattern, start, wild): &_| Hit { sequence, pattern, start, wild, mismatches: 0 };
    let rows =
        choose(&options, &batch, Patterns::Made(&patterns(&signatures, &options)), hits.iter().map(hit).collect());
    assert!(rows.iter().all(|row| row.informative + row.wild == (row.end - row.start) as u32));
    rows
}

/// (sequence, signature, reverse, start)
fn places(rows: &[Row]) -> Vec<(u32, u32, bool, u64)> {
    rows.iter().map(|row| (row.sequence, row.signature, row.reverse, row.start)).collect()
}

const HITS: [(u32, u32, u64, u32); 7] =
    [(1, 2, 0, 0), (0, 1, 4, 0), (0, 0, 9, 1), (0, 0, 4, 2), (0, 3, 7, 0), (0, 1, 2, 1), (0, 2, 8, 0)];

#[test]
fn all_come_in_order() {
    let want = [
        (0, 0, true, 2),
        (0, 0, false, 4),
        (0, 0, true, 4),
        (0, 0, false, 9),
        (0, 1, true, 7),
        (0, 1, false, 8),
        (1, 1, false, 0),
    ];
    assert_eq!(places(&chosen(Choice::All, None, &HITS)), want);
}

#[test]
fn first_is_the_smallest_start_then_plus() {
    assert_eq!(places(&chosen(Choice::First, None, &HITS)), [(0, 0, true, 2), (0, 1, true, 7), (1, 1, false, 0)]);
    assert_eq!(places(&chosen(Choice::First, None, &HITS[1..4])), [(0, 0, false, 4)]);
}

#[test]
fn best_without_qualities_is_the_most_informative() {
    assert_eq!(places(&chosen(Choice::Best, None, &HITS)), [(0, 0, true, 4), (0, 1, true, 7), (1, 1, false, 0)]);
    assert!(chosen(Choice::Best, None, &HITS).iter().all(|row| row.quality_sum.is_none()));
}

#[test]
fn best_with_qualities_is_the_highest_score() {
    // ! is 0, I is 40: the match at 9 scores 41, those at 4 score 40, whatever is wild.
    let rows = chosen(Choice::Best, Some(&["!!!!!I!!!!I\"", "!!!!!!!!!!!!"]), &HITS);
    assert_eq!(places(&rows), [(0, 0, false, 9), (0, 1, true, 7), (1, 1, false, 0)]);
    assert_eq!(rows.iter().map(|row| row.quality_sum.unwrap()).collect::<Vec<_>>(), [41, 0, 0]);
    assert_eq!(rows[0].mean_phred(), Some(41.0 / 3.0));
    let rows = chosen(Choice::Best, Some(&["!!!!!I!!!!I!", "!!!!!!!!!!!!"]), &HITS);
    assert_eq!(places(&rows)[0], (0, 0, false, 4));
}

#[test]
fn solexa_scores_may_be_negative() {
    let options = Options { phred: PhredOffset::Solexa, strands: Strands::Forward, ..Options::default() };
    let (signatures, batch) = case(Some(&[";;;;@@@@@@@@", "@@@@@@@@@@@A"]));
    let hits = [0, 2].map(|start| Hit { sequence: 0, pattern: 0, start, wild: 0, mismatches: 0 }).to_vec();
    let rows = choose(&options, &batch, Patterns::Made(&patterns(&signatures, &options)), hits);
    assert_eq!((rows[0].start, rows[0].quality_sum), (2, Some(-10)));
    assert_eq!(integrity_hash(batch.quality(0).unwrap(), PhredOffset::Solexa), 77);
    assert_eq!(integrity_hash(batch.quality(1).unwrap(), PhredOffset::Solexa), 1);
    assert_eq!(integrity_hashes(&options, &batch, &rows), [Some(77)]);
}

#[test]
fn hashes_follow_their_rows() {
    let hashes = |qualities, hits: &[_]| {
        let rows = chosen(Choice::All, qualities, hits);
        integrity_hashes(&Options::default(), &case(qualities).1, &rows)
    };
    // Sequence 0: 12 x 40 = 480 = 4 x 97 + 92; sequence 1: 40 + 40 + 33 + 4 = 97 + 20.
    let qualities: Option<&[&str]> = Some(&["IIIIIIIIIIII", "IIB!!!!!!!!%"]);
    assert_eq!(hashes(qualities, &[HITS[0]]), [Some(20)]);
    assert_eq!(hashes(qualities, &HITS)[..6], [Some(92); 6]);
    assert_eq!(hashes(None, &HITS), [None; 7]);
    assert_eq!(hashes(qualities, &[]), []);
    assert_eq!(integrity_hash(b"", PhredOffset::Sanger), 0);
    assert_eq!(integrity_hash(&[33 + 93; 97], PhredOffset::Sanger), 0);
}

#[test]
fn sums_of_large_sequences_pass_32_bits() {
    // 93 * 50,000,000 is more than 2^32, and so is the sum of their bytes.
    let (count, byte) = (50_000_000_usize, 126_u8);
    let exact = |bytes: usize, value: u8| u128::from(value) * bytes as u128;
    let quality = vec![byte; count];
    assert_eq!(u128::from(quality::sum(&quality)), exact(count, byte));
    let sums = quality::QualitySums::new(&quality, u64::MAX);
    assert_eq!(u128::from(sums.sum(1..count - 1)), exact(count - 2, byte));
    assert_eq!(u128::from(integrity_hash(&quality, PhredOffset::Sanger)), exact(count, byte - 33) % 97);
    let (start, end) = (0, count as u64);
    let mut rows = [Row {
        sequence: 0,
        signature: 0,
        reverse: false,
        start,
        end,
        quality_sum: None,
        informative: 1,
        wild: 0,
        mismatches: 0,
    }];
    let batch = Records::from_iter([("", vec![b'A'; count])]).with_qualities(quality).unwrap();
    score(&mut rows, &batch, PhredOffset::Sanger);
    assert_eq!(rows[0].quality_sum.map(i128::from), Some(exact(count, 93) as i128));
    assert_eq!(rows[0].mean_phred(), Some(93.0));
}

#[test]
fn keys_of_one_number_and_of_several_order_alike() {
    let options = Options { strands: Strands::Both, ..Options::default() };
    let (signatures, batch) = case(None);
    let made = patterns(&signatures, &options);
    let hit = |(sequence, pattern, start, wild)| Hit { sequence, pattern, start, wild, mismatches: 0 };
    let (hits, patterns) = (HITS.map(hit), Patterns::Made(&made));
    let key = |hit: &Hit| (hit.sequence, patterns.signature(hit.pattern), hit.start, patterns.is_reverse(hit.pattern));
    for (choice, rows) in [(Choice::All, 7), (Choice::Best, 7), (Choice::First, 3)] {
        let of_several = sorted(
            &hits,
            choice,
            key,
            |(sequence, signature, ..)| (sequence, signature),
            |hit| unscored(hit, patterns),
        );
        assert_eq!(of_several.len(), rows);
        assert_eq!(in_order(choice, &batch, patterns, &hits), of_several);
    }
}
