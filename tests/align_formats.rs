//! What is written of an alignment, read again: PAF by its columns, SAM by samtools.

mod drawn;
mod paf;
mod sam;

use drawn::Drawn;
use warpseq::align::format::sam::Targets;
use warpseq::align::format::{CigarStyle, Format, Layout};
use warpseq::align::scoring::Rules;
use warpseq::align::{Mode, Scoring};
use warpseq::scan::PhredOffset;

/// Global, so that no score means that there is no alignment. `extend` is a decimal.
fn scoring(extend: &str) -> Scoring {
    let (gap_open, gap_extend) = (Some("5".parse().unwrap()), Some(extend.parse().unwrap()));
    Rules { mode: Mode::Global, gap_open, gap_extend, ..Rules::default() }.scoring().unwrap()
}

fn layout(format: Format, scoring: &Scoring, cigar: CigarStyle) -> Layout<'_> {
    let (phred, command) = (PhredOffset::Sanger, Some("warpseq align\tq.fq t.fa"));
    Layout { format, cigar, score_only: false, scoring, statement: "as said", statistics: None, phred, command }
}

/// The whole output: every pair, and every third pair once more as a second best.
fn written(layout: &Layout, pairs: &[Drawn]) -> String {
    let (mut targets, mut out) = (Targets::default(), vec![]);
    pairs.iter().for_each(|pair| targets.add("t.fa".as_ref(), &pair.target_name, &pair.target).unwrap());
    layout.write_header(&mut out, &targets).unwrap();
    for (k, pair) in pairs.iter().enumerate() {
        layout.write_line(&mut out, &pair.line(true)).unwrap();
        if k % 3 == 0 {
            layout.write_line(&mut out, &pair.line(false)).unwrap();
        }
    }
    String::from_utf8(out).unwrap()
}
