//! The tables of the page: samples, and calls.

use super::Calls;
use super::html::{count, counted, name, percent};
use crate::facts::{Facts, Passed};
use crate::summary::{Call, Depths};
use std::fmt::Write;

/// The most rows of the table of calls.
pub const ROWS: usize = 3_000;

/// The samples: what became of their fragments, and what is in them.
pub fn samples(calls: &Calls, facts: &Facts, out: &mut String) {
    let is_seen = !facts.passed.is_empty();
    let repeats = facts.passed.iter().any(|passed| passed.repeated > 0);
    out.push_str("<div class=wide tabindex=0 role=region aria-label=Samples><table><caption>A fragment is a pair, or a read without a mate. ");
    out.push_str(match is_seen {
        true => "It is matched when any signature matches it.",
        false => "This page was made from counts, which do not tell how many fragments were matched.",
    });
    out.push_str("</caption>\n<thead><tr><th scope=col>Sample<th scope=col>Positive groups, with their breadth<th scope=col class=n>Traces<th scope=col class=n>Fragments");
    if is_seen {
        out.push_str("<th scope=col class=n>Matched<th scope=col class=n>Not matched");
    }
    if repeats {
        out.push_str("<th scope=col class=n>Repeats left out");
    }
    out.push_str("</thead>\n<tbody>\n");
    for (number, sample) in calls.summary.samples().iter().enumerate() {
        let (label, anchor) = (name(&sample.label), number + 1);
        let is_control = calls.summary.control_label() == Some(&sample.label);
        let control = if is_control { " <span class=soft>(negative control)</span>" } else { "" };
        let traces = (0..sample.groups.len()).filter(|&group| calls.of(number, group) == Call::Trace).count() as u64;
        let _ = write!(out, "<tr><th scope=row><a href=\"#s{anchor}\">{label}</a>{control}<td>");
        positives(calls, number, out);
        let _ = write!(out, "<td class=n>{}<td class=n>{}", count(traces), count(sample.totals.fragments()));
        if let Some(passed) = facts.passed.get(number) {
            matched(passed, out);
            if repeats {
                let _ = write!(out, "<td class=n>{}", count(passed.repeated));
            }
        }
        out.push('\n');
    }
    out.push_str("</table></div>\n");
}

/// The most positive groups of a sample that are named in its row.
const NAMED: usize = 12;

fn positives(calls: &Calls, sample: usize, out: &mut String) {
    let found = &calls.summary.samples()[sample];
    let groups = (0..found.groups.len()).filter(|&group| calls.of(sample, group) == Call::Positive);
    let all: Vec<usize> = groups.collect();
    if all.is_empty() {
        return out.push_str("<span class=soft>none</span>");
    }
    out.push_str("<ul class=found>");
    for &group in all.iter().take(NAMED) {
        let (group, breadth) = (&calls.summary.genomes().groups[group], found.groups[group].breadth());
        let _ = write!(out, "<li><span class=P>{}</span> {}", name(group), percent(breadth));
    }
    if all.len() > NAMED {
        let _ = write!(out, "<li class=soft>and {} more", all.len() - NAMED);
    }
    out.push_str("</ul>");
}

fn matched(Passed { matched, unmatched, .. }: &Passed, out: &mut String) {
    let share = *matched as f64 / (matched + unmatched).max(1) as f64;
    let _ = write!(
        out,
        "<td class=n>{} ({})<span class=bar aria-hidden=true><i style=width:{:.1}%></i></span><td class=n>{}",
        count(*matched),
        percent(share),
        100.0 * share,
        count(*unmatched)
    );
}

/// The calls that are not negative, sample by sample, the positive ones first.
pub fn calls(calls: &Calls, out: &mut String) {
    let mut rows: Vec<(usize, usize)> = Vec::new();
    for (number, sample) in calls.summary.samples().iter().enumerate() {
        let is = |wanted: Call| (0..sample.groups.len()).filter(move |&group| calls.of(number, group) == wanted);
        rows.extend(is(Call::Positive).chain(is(Call::Trace)).map(|group| (number, group)));
    }
    if rows.is_empty() {
        return out.push_str("<p>There is no call but negative.</p>\n");
    }
    let left_out = rows.len().saturating_sub(ROWS) as u64;
    rows.truncate(ROWS);
    out.push_str("<div class=wide tabindex=0 role=region aria-label=Calls><table class=sortable><caption>Positive and trace; every other group is negative.");
    if left_out > 0 {
        let _ = write!(
            out,
            " {} left out for the size of the page: <code>--summary</code> has all.",
            counted(left_out, "row is", "rows are")
        );
    }
    out.push_str(
        "</caption>\n<thead><tr><th scope=col>Sample<th scope=col>Group<th scope=col>Call<th scope=col class=n>Breadth\
         <th scope=col class=n>Signatures found<th scope=col class=n>Evenness<th scope=col class=n>Sum of depths\
         <th scope=col class=n>Mean depth<th scope=col class=n>Mismatches</thead>\n<tbody>\n",
    );
    rows.iter().for_each(|&(sample, group)| row(calls, sample, group, out));
    out.push_str("</table></div>\n");
}

fn row(calls: &Calls, sample: usize, group: usize, out: &mut String) {
    let found = &calls.summary.samples()[sample];
    let call = calls.of(sample, group);
    let depths @ Depths { signatures, found: some, fragments, mismatches } = found.groups[group];
    let evenness = depths.evenness().map_or("NA".into(), |evenness| format!("{evenness:.2}"));
    let mean_depth = fragments as f64 / signatures as f64;
    let mean = mismatches as f64 / fragments.max(1) as f64;
    let _ = writeln!(
        out,
        "<tr><th scope=row>{}<td class=g>{}<td class={}>{}<td class=n>{}<td class=n>{}&nbsp;/&nbsp;{}<td class=n>{evenness}<td \
         class=n>{}<td class=n>{mean_depth:.1}<td class=n>{mean:.2}",
        name(&found.label),
        name(&calls.summary.genomes().groups[group]),
        if call == Call::Positive { "P" } else { "T" },
        call.name(),
        percent(depths.breadth()),
        count(some),
        count(signatures),
        count(fragments),
    );
}
