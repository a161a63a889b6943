//! The figures of a run as JSON, which MultiQC shows as it is.
//!
//! ```text
//! id, section_name, description, plot_type, pconfig, headers, data     custom content of MultiQC: a table with a row for each sample
//! schema_version, program, command, ..., samples, timing, warnings     the same in full, for scripts
//! ```
//!
//! MultiQC takes every file whose name ends in `_mqc.json` for custom content, reads the first seven keys and leaves the others
//! alone. Tables of several files become one. `docs/stats.md` describes all keys, `docs/stats.schema.json` is their JSON Schema.

use crate::counts::Totals;
use crate::facts::{Facts, Passed};
use crate::summary::{Call, Found, Summary, Thresholds};
use serde_json::{Map, Value, json};
use warpseq_io::json::text_of;

/// The version of what the keys mean.
pub const SCHEMA_VERSION: u64 = 1;

/// The text of the file.
pub fn text(summary: &Summary, facts: &Facts) -> Vec<u8> {
    let mut parts = multiqc(summary, facts);
    parts.extend(run(summary, facts));
    let mut text = b"{\n".to_vec();
    for (number, (key, value)) in parts.iter().enumerate() {
        let comma = if number + 1 < parts.len() { "," } else { "" };
        text.extend_from_slice(format!(" \"{key}\": {value}{comma}\n").as_bytes());
    }
    text.extend_from_slice(b"}\n");
    text
}

type Parts = Vec<(&'static str, Value)>;

/// What MultiQC reads.
fn multiqc(summary: &Summary, facts: &Facts) -> Parts {
    let description = "Fragments (pairs, and sequences without a mate) that match a signature, and the groups of genomes that \
                       are called <em>positive</em> or a <em>trace</em>, by <code>warpseq scan</code>.";
    let header = |title: &str, description: &str| json!({ "title": title, "description": description });
    let number = |title: &str, description: &str, more: Value| {
        let mut header = header(title, description);
        let more = more.as_object().cloned().unwrap_or_default();
        header.as_object_mut().expect("it is one").extend(more);
        header
    };
    let headers = json!({
        "fragments": number("Fragments", "Pairs, and sequences without a mate", json!({ "format": "{:,.0f}", "scale": "Greys" })),
        "matched": number("Matched", "Share of the fragments that a signature matches",
            json!({ "suffix": " %", "min": 0, "max": 100, "format": "{:,.2f}", "scale": "Blues" })),
        "positive": number("Positive", "Groups that are called positive", json!({ "format": "{:,.0f}", "scale": "Purples" })),
        "positive_groups": header("Positive groups", "Their names, with the breadth in percent"),
        "trace_groups": header("Traces", "Groups of which too little is found for a call"),
    });
    let mut data = Map::new();
    for (number, sample) in summary.samples().iter().enumerate() {
        data.insert(escaped(&name(&sample.label)), row(summary, sample, facts.passed.get(number)));
    }
    vec![
        ("id", "warpseq".into()),
        ("section_name", "warpseq".into()),
        ("description", description.into()),
        ("plot_type", "table".into()),
        (
            "pconfig",
            json!({ "id": "warpseq_calls", "title": "warpseq: calls", "namespace": "warpseq", "no_violin": true }),
        ),
        ("headers", headers),
        ("data", data.into()),
    ]
}

/// The row of a sample in MultiQC's table.
fn row(summary: &Summary, sample: &Found, passed: Option<&Passed>) -> Value {
    let called = |wanted: Call| {
        let groups = (0..sample.groups.len()).filter(move |&group| summary.call(sample, group) == wanted);
        groups.map(|group| (&summary.genomes().groups[group], &sample.groups[group]))
    };
    let positive: Vec<String> = called(Call::Positive)
        .map(|(group, depths)| format!("{} ({:.1} %)", name(group), 100.0 * depths.breadth()))
        .collect();
    let trace: Vec<String> = called(Call::Trace).map(|(group, _)| name(group)).collect();
    let listed = |names: &[String]| if names.is_empty() { "none".to_owned() } else { escaped(&names.join(", ")) };
    let mut row = json!({
        "fragments": sample.totals.fragments(),
        "positive": positive.len(),
        "positive_groups": listed(&positive),
        "trace_groups": listed(&trace),
    });
    if let Some(Passed { matched, unmatched, .. }) = passed.filter(|passed| passed.matched + passed.unmatched > 0) {
        row["matched"] = rounded(100.0 * *matched as f64 / (matched + unmatched) as f64, 4);
    }
    row
}

/// What scripts read.
fn run(summary: &Summary, facts: &Facts) -> Parts {
    let Thresholds { fragments, found, evenness } = summary.thresholds();
    let evenness = evenness.as_f64();
    let samples: Vec<Value> =
        (0..).zip(summary.samples()).map(|(k, found)| sample(summary, found, facts.passed.get(k))).collect();
    let searching = facts.searching.as_ref();
    vec![
        ("schema_version", SCHEMA_VERSION.into()),
        ("program", json!({ "name": "warpseq", "version": env!("CARGO_PKG_VERSION") })),
        ("command", facts.command.clone().into()),
        ("device", searching.map(|searching| searching.engine.clone()).into()),
        ("threads", facts.threads.into()),
        ("thresholds", json!({ "min_fragments": fragments, "min_found": found, "min_evenness": evenness })),
        ("negative_control", summary.control_label().map(name).into()),
        ("groups", groups(summary)),
        ("samples", samples.into()),
        (
            "timing",
            json!({
                "time": facts.time,
                "seconds": rounded(facts.seconds, 3),
                "call_seconds": searching.map(|searching| rounded(searching.call_seconds, 3)),
            }),
        ),
        ("warnings", facts.warnings.clone().into()),
    ]
}

/// All groups, with how many genomes and signatures they have.
fn groups(summary: &Summary) -> Value {
    let genomes = summary.genomes();
    let mut sums = vec![(0_u64, 0_u64); genomes.groups.len()];
    for genome in &genomes.all {
        sums[genome.group].0 += 1;
        sums[genome.group].1 += genome.signatures;
    }
    let group = |(label, (genomes, signatures)): (&Vec<u8>, (u64, u64))| json!({ "group": name(label), "genomes": genomes, "signatures": signatures });
    genomes.groups.iter().zip(sums).map(group).collect()
}

/// A sample in full. Groups of which nothing is found are left out.
fn sample(summary: &Summary, found: &Found, passed: Option<&Passed>) -> Value {
    let group = |(number, depths): (usize, &crate::summary::Depths)| {
        json!({
            "group": name(&summary.genomes().groups[number]),
            "call": summary.call(found, number).name(),
            "signatures": depths.signatures,
            "found": depths.found,
            "fragments": depths.fragments,
            "breadth": rounded(depths.breadth(), 4),
            "evenness": depths.evenness().map(|evenness| rounded(evenness, 4)),
            "mismatches": depths.mismatches,
        })
    };
    let groups = found.groups.iter().enumerate().filter(|(_, depths)| depths.found > 0).map(group);
    let Totals { sequences, pairs, bases } = found.totals;
    json!({
        "sample": name(&found.label),
        "sequences": sequences,
        "pairs": pairs,
        "bases": bases,
        "repeated": passed.map(|passed| passed.repeated),
        "matched": passed.map(|passed| passed.matched),
        "unmatched": passed.map(|passed| passed.unmatched),
        "groups": groups.collect::<Vec<_>>(),
    })
}

fn name(label: &[u8]) -> String {
    text_of(label).into_owned()
}

/// As tables print it, with so many decimals.
fn rounded(number: f64, decimals: usize) -> Value {
    format!("{number:.decimals$}").parse::<f64>().expect("a printed number is one").into()
}

/// As HTML, which MultiQC takes the texts of a table for.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
