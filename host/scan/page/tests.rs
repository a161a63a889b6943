//! Pages of made-up runs.

use super::*;
use crate::Signature;
use crate::counts::{Count, Sample, Totals};
use crate::facts::{Passed, Warnings};
use crate::summary::genomes::Genomes;
use std::time::Instant;
use warpseq_io::console::Console;

/// A page of so many samples and genomes of 20 signatures, where `depth` says the depth of a signature in a sample.
fn page(
    samples: usize,
    genomes: usize,
    label: impl Fn(usize) -> String,
    depth: impl Fn(usize, usize) -> u64,
) -> String {
    let signature =
        |k: usize| Signature::new(format!("genome_{}:{}-{}", k / 20, k % 20 * 50, k % 20 * 50 + 60), b"A".to_vec());
    let signatures: Vec<Signature> = (0..20 * genomes).map(signature).collect();
    let mut summary =
        Summary::new(Genomes::of(&signatures, None), Thresholds { fragments: 5, ..Thresholds::default() }, None);
    let mut tracks = Tracks::new(&signatures);
    for number in 0..samples {
        let count = |k: usize| Count { signature: k as u32, pairs: depth(number, k), ..Count::default() };
        let counts = (0..signatures.len()).map(count).filter(|count| count.pairs > 0).collect();
        let totals = Totals { pairs: 1_000_000, bases: 300_000_000, ..Totals::default() };
        let sample = Sample { label: label(number).into(), totals, counts };
        summary.add(&sample);
        tracks.add(&summary, &sample);
    }
    let words = ["scan".into(), "--report".into(), "it's <b>".into()];
    let facts = Facts::new(&words, Instant::now(), Warnings::new(Console::Silent, Vec::new())).of_scan("cpu", 1.5);
    let passed = vec![Passed { matched: 250_000, unmatched: 750_000, repeated: 0 }; samples];
    String::from_utf8(text(&summary, &tracks, &Facts { passed, ..facts })).unwrap()
}

#[test]
fn a_hundred_samples_and_genomes_are_below_two_megabytes() {
    // Every group positive in every sample, with depths that differ everywhere.
    let page =
        page(100, 100, |k| format!("sample-of-a-long-name-{k}"), |sample, k| 1 + ((sample * 31 + k * 17) % 97) as u64);
    assert!(page.len() < 2_000_000 && page.len() > 500_000, "{} bytes", page.len());
    assert!(page.contains("<h1>10,000 positive calls in 100 of 100 samples</h1>"));
    assert!(page.contains("7,000 rows are left out") && page.contains("9,200 genomes are left out"));
}

#[test]
fn names_are_text() {
    let page = page(2, 3, |k| format!("<script>alert({k})</script>\"'&"), |_, k| u64::from(k < 30));
    assert_eq!(page.matches("<script>").count(), 1, "the page's own");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"));
    assert!(page.contains("<pre>warpseq scan --report &#39;it&#39;\\&#39;&#39;s &lt;b&gt;&#39;</pre>"));
}

#[test]
fn nothing_is_fetched() {
    let page = page(2, 2, |k| k.to_string(), |_, k| k as u64);
    for word in ["http://", "https://", "url(", "@import", "src=\"", "<link"] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn calls_are_told_by_shape_and_word() {
    // Of genome 0 all, of genome 1 one signature, of genome 2 nothing.
    let depth = |sample: usize, k: usize| if sample == 0 && k < 21 { 4 } else { 0 };
    let page = page(2, 3, |k| format!("s{k}"), depth);
    assert!(page.contains("<h1>1 positive call in 1 of 2 samples</h1>"));
    assert!(page.contains("<title>s0: positive genome_0 (100.0&nbsp;%); trace genome_1</title>"));
    assert!(page.contains("<title>s1: positive none; trace none</title>"));
    assert!(page.contains("1 group is not shown"));
    let row = "<tr><th scope=row>s0<td class=g>genome_0<td class=P>positive<td class=n>100.0&nbsp;%<td class=n>20&nbsp;/&nbsp;20";
    assert!(page.contains(row) && page.contains("<td class=g>genome_1<td class=T>trace<td class=n>5.0&nbsp;%"));
    assert!(page.contains("<path class=\"s s5\" d=\"M") && page.contains("<path class=\"t\" d=\"M"));
    assert_eq!(page.matches("<figure").count(), 1);
    assert!(page.contains("250,000 (25.0&nbsp;%)") && page.contains(">750,000"));
}

#[test]
fn a_page_without_anything_says_so() {
    let page = page(0, 1, |_| String::new(), |_, _| 0);
    assert!(page.contains("0 positive calls in 0 of 0 samples") && page.contains("Nothing was found"));
}

/// The colours of a scheme, from a block of the style.
fn colours(block: &str) -> std::collections::HashMap<String, [f64; 3]> {
    let declared = block[..block.find('}').unwrap()].split(';').filter_map(|part| part.split_once(":#"));
    let channel = |hex: &str, at: usize| match hex.len() {
        3 => f64::from(u8::from_str_radix(&hex[at..=at].repeat(2), 16).unwrap()),
        _ => f64::from(u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap()),
    };
    declared
        .map(|(name, hex)| (name.trim_start_matches("--").to_owned(), [0, 1, 2].map(|at| channel(hex, at))))
        .collect()
}

/// The contrast of two colours (WCAG 2.2, relative luminance).
fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let linear =
        |byte: f64| if byte <= 10.0 { byte / 255.0 / 12.92 } else { ((byte / 255.0 + 0.055) / 1.055).powf(2.4) };
    let luminance = |[r, g, b]: [f64; 3]| 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn text_and_marks_have_enough_contrast_in_every_scheme() {
    let schemes: Vec<_> = STYLE.split(":root{").skip(1).map(colours).collect();
    assert_eq!(schemes.len(), 3, "light, dark and print");
    let text = ["ink", "soft", "accent", "trace"].into_iter().flat_map(|text| [(text, "paper"), (text, "card")]);
    let numbers = [("low", "b1"), ("low", "b2"), ("low", "b3"), ("high", "b4"), ("high", "b5"), ("ink", "faint")];
    let text: Vec<_> = text.chain(numbers).map(|pair| (pair, 4.5)).collect();
    let marks = [("b4", "paper"), ("b4", "card"), ("accent", "paper"), ("soft", "paper")].map(|pair| (pair, 3.0));
    for scheme in schemes {
        for &((over, under), least) in text.iter().chain(&marks) {
            let found = contrast(scheme[over], scheme[under]);
            assert!(found >= least, "{over} on {under}: {found:.2}");
        }
    }
}
