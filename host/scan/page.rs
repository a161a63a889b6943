//! The page of a run: its calls, the depth along what is positive, and how to read them.
//!
//! ```text
//! summary, tracks of depth, facts -> one HTML file: style, tables, pictures (SVG), a script
//! ```
//!
//! Nothing is fetched: a policy in the page forbids it. Without the script, which sorts the table of calls and leaves out rows,
//! all is there. Every name from a file goes through `html`, so it stays text. But for what [`Facts`] tells of one run, the same inputs
//! give the same bytes. Rows and tracks have limits, so a page of 100 samples and 100 genomes is below 2 MB.

pub mod depth;
mod html;
mod picture;
mod plots;
mod tables;

use crate::facts::Facts;
use crate::summary::{Call, Summary, Thresholds};
use depth::Tracks;
use html::{count, counted, escaped, name};
use std::fmt::Write;

const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/script.js");

/// A summary with all of its calls.
struct Calls<'s> {
    summary: &'s Summary,
    /// By sample, then by group.
    all: Vec<Vec<Call>>,
}

impl<'s> Calls<'s> {
    fn new(summary: &'s Summary) -> Self {
        let groups = summary.genomes().groups.len();
        let of = |sample| (0..groups).map(|group| summary.call(sample, group)).collect();
        Self { summary, all: summary.samples().iter().map(of).collect() }
    }

    fn of(&self, sample: usize, group: usize) -> Call {
        self.all[sample][group]
    }

    /// Whether a group is more than negative in any sample.
    fn is_found(&self, group: usize) -> bool {
        self.all.iter().any(|calls| calls[group] != Call::Negative)
    }

    /// Whether the group of a genome is positive.
    fn is_positive(&self, sample: usize, genome: usize) -> bool {
        self.of(sample, self.summary.genomes().all[genome].group) == Call::Positive
    }

    fn count(&self, call: Call) -> u64 {
        self.all.iter().flatten().filter(|&&each| each == call).count() as u64
    }
}

/// The page.
pub fn text(summary: &Summary, tracks: &Tracks, facts: &Facts) -> Vec<u8> {
    let calls = &Calls::new(summary);
    let mut out = String::new();
    head(calls, facts, &mut out);
    out.push_str("<section aria-labelledby=samples><h2 id=samples>Samples</h2>\n");
    tables::samples(calls, facts, &mut out);
    out.push_str("</section>\n<section aria-labelledby=picture><h2 id=picture>Calls at a glance</h2>\n");
    picture::write(calls, &mut out);
    out.push_str("</section>\n<section aria-labelledby=calls><h2 id=calls>All calls</h2>\n");
    tables::calls(calls, &mut out);
    out.push_str("</section>\n<section aria-labelledby=depth><h2 id=depth>Depth along positive genomes</h2>\n");
    out.push_str(
        "<p class=soft>How many fragments match the signatures at each place of a genome, on a scale of its own. Grey: no signature \
         lies there, so nothing is known.</p>\n",
    );
    plots::write(calls, tracks, &mut out);
    out.push_str("</section>\n");
    how_to_read(summary, &mut out);
    run(calls, facts, &mut out);
    let _ = write!(
        out,
        "</main>\n<footer>Made by warpseq {}.</footer>\n<script>{SCRIPT}</script>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    );
    out.into_bytes()
}

/// All before the first section.
fn head(calls: &Calls, facts: &Facts, out: &mut String) {
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
    let _ = writeln!(
        out,
        "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n<meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=Content-Security-Policy content=\"{policy}\">\n<meta name=generator content=\"warpseq {}\">\n\
         <title>warpseq: what is in the samples</title>\n<style>{STYLE}</style>\n<a class=skip href=\"#samples\">To the samples</a>\n<header>",
        env!("CARGO_PKG_VERSION")
    );
    let genomes = calls.summary.genomes();
    let with = calls.all.iter().filter(|calls| calls.contains(&Call::Positive)).count() as u64;
    let samples = calls.summary.samples().len() as u64;
    let _ = writeln!(
        out,
        "<h1>{} in {} of {}</h1>\n<p class=soft>Searched for {} in {}, with {}. {}</p>",
        counted(calls.count(Call::Positive), "positive call", "positive calls"),
        count(with),
        counted(samples, "sample", "samples"),
        counted(genomes.all.len() as u64, "genome", "genomes"),
        counted(genomes.groups.len() as u64, "group", "groups"),
        counted(genomes.of.len() as u64, "signature", "signatures"),
        time(facts),
    );
    if !facts.command.is_empty() {
        let _ = writeln!(out, "<pre>{}</pre>", command(&facts.command));
    }
    out.push_str(
        "<nav aria-label=\"On this page\"><ul><li><a href=\"#samples\">Samples</a><li><a href=\"#picture\">Calls at a glance</a>\
         <li><a href=\"#calls\">All calls</a><li><a href=\"#depth\">Depth</a><li><a href=\"#how\">How to read this page</a>\
         <li><a href=\"#run\">The run</a></ul></nav></header>\n<main>\n",
    );
}

/// When the page was made, as people write it.
fn time(facts: &Facts) -> String {
    facts.time.replace('T', " ").replace('Z', " UTC")
}

/// A command line as a shell reads it.
fn command(words: &[String]) -> String {
    let is_plain =
        |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=:,+%@".contains(c));
    let quoted =
        |word: &String| if is_plain(word) { word.clone() } else { format!("'{}'", word.replace('\'', r"'\''")) };
    escaped(&words.iter().map(quoted).collect::<Vec<_>>().join(" "))
}

fn how_to_read(summary: &Summary, out: &mut String) {
    let Thresholds { fragments, found, evenness } = summary.thresholds();
    let evenness = evenness.as_f64();
    let control = summary.control_label().map_or(String::new(), |label| {
        format!(
            " It must also have more than 10 times as many fragments per million as the negative control, {}.",
            name(label)
        )
    });
    let _ = writeln!(
        out,
        "<section class=how aria-labelledby=how><h2 id=how>How to read this page</h2>\n<dl>\
         <dt>Signature<dd>A short stretch of a reference genome. A fragment matches when one of its reads holds the stretch, on either \
         strand, with no more mismatches than the run allows, and without insertions or deletions.\
         <dt>Group<dd>Genomes that are called together, such as the segments or strains of one virus.\
         <dt>Breadth<dd>The share of the signatures that were found: how much of the genome was seen at all.\
         <dt>Evenness<dd>Breadth divided by the breadth that as many fragments would have if they lay anywhere on the genome. About 1 is \
         what a virus in the sample looks like. Near 0, fragments pile up in one place, as with a conserved stretch, a contaminant \
         or a product of PCR.\
         <dt>Depth<dd>How many fragments match a signature. The median counts signatures that were not found as 0.\
         <dt class=P>positive<dd>A sum of depths of at least {}, on at least {}, with an evenness of at least {evenness}.{control}\
         <dt class=T>trace<dd>Something was found, and too little or too unevenly for a call. A few reads that hopped between samples \
         on a sequencer, or a relative of the reference, look like this. It is a hint and no finding.\
         <dt>negative<dd>Nothing was found. That does not show that a virus is absent: it may be too rare for the depth of \
         sequencing, or too far from the references. Exact signatures of 60 bases (<code>-m 0</code>) miss most of a virus that is less \
         than about 97&nbsp;% identical to its nearest reference, and with <code>-m 2</code> of one that is less than about 90&nbsp;%.\
         <dt>Sum of depths<dd>Over a group's signatures: a fragment that several of them match counts for each, so it may be more than the \
         sample's fragments.\
         <dt>Mismatches<dd>Their mean number in a match. Many say that the virus differs from the reference.</dl></section>",
        count(fragments),
        counted(found, "signature", "signatures"),
    );
}

fn run(calls: &Calls, facts: &Facts, out: &mut String) {
    let totals = calls.summary.samples().iter().map(|sample| sample.totals);
    let [sequences, pairs, bases] = totals
        .fold([0; 3], |sums, totals| [sums[0] + totals.sequences, sums[1] + totals.pairs, sums[2] + totals.bases]);
    out.push_str("<section aria-labelledby=run><h2 id=run>The run</h2>\n");
    facts.warnings.iter().for_each(|warning| {
        let _ = writeln!(out, "<p class=warn>{}</p>", escaped(warning));
    });
    let _ = write!(
        out,
        "<dl><dt>Program<dd>warpseq {}<dt>Fragments counted<dd>{}, {}, {}",
        env!("CARGO_PKG_VERSION"),
        counted(pairs, "pair", "pairs"),
        counted(sequences, "read without a mate", "reads without mates"),
        counted(bases, "base", "bases"),
    );
    match &facts.searching {
        Some(searching) => {
            let _ = write!(
                out,
                "<dt>Searched by<dd>{}, {}<dt>Time<dd>{:.2}&nbsp;s in all, {:.2}&nbsp;s of searching summed over workers",
                escaped(&searching.engine),
                counted(facts.threads as u64, "thread", "threads"),
                facts.seconds,
                searching.call_seconds
            );
        }
        None => {
            let _ = write!(out, "<dt>Time<dd>{:.2}&nbsp;s, from counts", facts.seconds);
        }
    }
    let _ = writeln!(out, "<dt>Made<dd>{}</dl></section>", time(facts));
}

#[cfg(test)]
mod tests;
