use super::*;
use crate::Wildcards;
use warpseq_seq::iupac;

fn digits(letters: &str) -> Vec<u8> {
    letters.bytes().map(|b| iupac::digits(Wildcards::N)[b as usize]).collect()
}

fn anchor(letters: &str) -> Anchor {
    Anchor { offset: 0, digits: digits(letters).try_into().unwrap() }
}

fn agree(a: &Anchor, b: &Anchor) -> bool {
    a.digits.iter().zip(&b.digits).all(|(&x, &y)| x == y || x == WILD || y == WILD)
}

/// The window of a code.
fn window(code: usize) -> Anchor {
    let mut digits = [0; WINDOW];
    (0..WINDOW).for_each(|k| digits[WINDOW - 1 - k] = (code / 5usize.pow(k as u32) % 5) as u8);
    Anchor { offset: 0, digits }
}

#[test]
fn codes_are_base_5_numbers() {
    assert_eq!(anchor("AAAAAAAA").code(), 0);
    assert_eq!(anchor("AAAAAACG").code(), 7);
    assert_eq!(anchor("CAAAAAAA").code(), 78_125);
    assert_eq!(anchor("NNNNNNNN").code(), ALL_WILD);
    assert_eq!(next_code(anchor("NACGTACG").code(), WILD, 3), anchor("ACGTACGT").code());
}

#[test]
fn folded_counts_are_the_agreeing_windows() {
    let bases = b"ACGTNACGGTTANNNNACGATCGATTTTTTTTTNACGTTACGAC";
    let frequencies = Frequencies::of(bases, iupac::digits(Wildcards::N));
    let text = std::str::from_utf8(bases).unwrap();
    let windows: Vec<_> = (0..=bases.len() - WINDOW).map(|k| anchor(&text[k..k + WINDOW])).collect();
    assert_eq!(frequencies.windows as usize, windows.len());
    for code in (0..CODES).step_by(7).chain(windows.iter().map(|w| w.code() as usize)) {
        let want = windows.iter().filter(|w| agree(w, &window(code))).count();
        assert_eq!(frequencies.agreeing[code] as usize, want, "{:?}", window(code));
    }
    assert_eq!(frequencies.share(&anchor("NNNNNNNN")), 1.0);
}

#[test]
fn long_samples_are_counted_in_slices() {
    let bases = b"ACGGT".repeat(SLICES * SLICE);
    let frequencies = Frequencies::of(&bases, iupac::digits(Wildcards::N));
    assert_eq!(frequencies.windows as usize, SLICES * (SLICE - 7));
    assert!((frequencies.share(&anchor("ACGGTACG")) - 0.2).abs() < 0.001);
}

#[test]
fn the_rarest_window_is_chosen() {
    let frequencies = Frequencies::of(&b"A".repeat(500), iupac::digits(Wildcards::N));
    let chosen = frequencies.rarest(&digits("AAAAAAAAAAAANNNNAAAACAAAAAAAA"));
    assert_eq!((chosen.offset, chosen.digits.to_vec()), (16, digits("AAAACAAA")));
    assert_eq!(frequencies.share(&chosen), 0.0);
}

#[test]
fn a_short_pattern_is_continued_with_wild_digits() {
    let frequencies = Frequencies::of(b"", iupac::digits(Wildcards::N));
    assert_eq!(frequencies.rarest(&digits("CGT")), Anchor { offset: 0, digits: [1, 2, 3, 4, 4, 4, 4, 4] });
    assert_eq!(frequencies.share(&frequencies.rarest(&digits("CGT"))), 0.0);
}

#[test]
fn lists_hold_exactly_the_agreeing_anchors() {
    let anchors = ["ACGTACGT", "NNNNNNNN", "ANNNNNNT", "TTTTTTTT", "ACGTACGN"].map(anchor);
    let table = Table::new(&anchors);
    for code in 0..CODES {
        let want = (0..5).filter(|&k| agree(&anchors[k as usize], &window(code))).collect::<Vec<u32>>();
        assert_eq!(table.list(code as u32), want);
        assert_eq!(table.occupied[code / 32] >> (code % 32) & 1 == 1, !want.is_empty());
    }
    assert_eq!(table.list.len() as u64, anchors.iter().map(Anchor::entries).sum::<u64>());
    assert!(Table::new(&[]).list(ALL_WILD).is_empty());
}
