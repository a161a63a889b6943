//! The page of a run, in a real browser: what is read there, and that it works without a mouse, a network or much room.
//!
//! Chromium is Debian's (`make setup`). The browser opens a copy of the page with one more script, which looks around, uses the page
//! and writes what it found into the document, which the browser then prints.

use super::Lab;
use crate::place;
use serde_json::Value;
use std::process::Command;

/// The script that looks around.
const LOOK: &str = include_str!("look.js");

/// The browser, if there is one.
fn browser() -> Option<&'static str> {
    let found =
        ["chromium", "google-chrome"].into_iter().find(|name| Command::new(name).arg("--version").output().is_ok());
    if found.is_none() {
        place::skip("chromium");
    }
    found
}

/// What the browser sees on a page of the lab in a window of these pixels.
fn seen(browser: &str, lab: &Lab, page: &str, size: &str, options: &[&str]) -> Value {
    lab.add("look.html", lab.get(page) + "<script>" + LOOK + "</script>");
    let mut command = Command::new(browser);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom"])
        .args(options);
    command.arg(format!("--user-data-dir={}", lab.path("profile"))).arg(format!("--window-size={size}"));
    let done = command.arg(format!("file://{}", lab.path("look.html"))).output().unwrap();
    let dom = String::from_utf8_lossy(&done.stdout)
        .replace("&amp;", "&")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", " ");
    let (Some(start), Some(end)) = (dom.find('{'), dom.rfind('}')) else {
        panic!("{dom}{}", String::from_utf8_lossy(&done.stderr))
    };
    serde_json::from_str(&dom[start..=end]).unwrap_or_else(|fault| panic!("{fault}: {dom}"))
}

fn numbers(values: &Value) -> Vec<f64> {
    let number = |value: &Value| {
        value
            .as_str()
            .unwrap()
            .trim_end_matches(" %")
            .trim_end_matches('\u{a0}')
            .trim_end_matches('%')
            .trim()
            .parse()
            .unwrap()
    };
    values.as_array().unwrap().iter().map(number).collect()
}

/// Samples `<script>...` and b, with a genome that is positive in both, and one of three signatures of which a read of b has one.
fn lab() -> Lab {
    let lab = Lab::new();
    let read = lab
        .get("b.fq")
        .lines()
        .find(|line| line.len() > 70 && line.bytes().all(|byte| b"ACGT".contains(&byte)))
        .unwrap()
        .to_owned();
    let more = format!(">few:0-40\n{}\n>few:40-57\nACACACACACACACACA\n>few:60-77\nGTTGTTGTTGTTGTTGT\n", &read[..40]);
    lab.add("q.fa", lab.get("q.fa") + &more);
    lab.add("s.csv", "sample,r1,r2\n<script>alert(1)</script>,a_R1.fq,a_R2.fq\nb,b.fq,\n");
    lab.rows("-s q.fa --samples s.csv --report none --html page.html --summary s.tsv --counts c.tsv -q");
    lab
}

#[test]
fn a_browser_shows_calls_and_pictures() {
    let Some(browser) = browser() else { return };
    let lab = lab();
    let wide = seen(browser, &lab, "page.html", "1200,900", &[]);
    let summary = lab.get("s.tsv");
    let called = |call: &str| summary.lines().filter(|row| row.ends_with(call)).count();
    assert!(called("positive") >= 2 && called("trace") >= 1, "{summary}");
    assert_eq!((&wide["language"], &wide["landmarks"]), (&"en".into(), &serde_json::json!([1, 1, 1, 1])));
    for key in ["captions", "scopes", "pictures", "links", "ids", "focus"] {
        assert_eq!(wide[key], true, "{key}");
    }
    let sections = [
        "Samples",
        "Calls at a glance",
        "All calls",
        "Depth along positive genomes",
        "How to read this page",
        "The run",
    ];
    assert_eq!(wide["sections"], serde_json::json!(sections));
    assert_eq!(wide["samples"], serde_json::json!(["<script>alert(1)</script>", "b"]));
    assert_eq!((&wide["scripts"], &wide["fetched"]), (&2.into(), &0.into()), "the page's and this test's");
    assert_eq!((&wide["positive"], &wide["figures"]), (&called("positive").into(), &called("positive").into()));
    assert_eq!(wide["triangles"], 1, "all in one path");
    assert_eq!(wide["rows"].as_array().unwrap().len(), called("positive") + called("trace"));
    let heading = format!("{} positive calls in 2 of 2 samples", called("positive"));
    assert_eq!(wide["heading"], serde_json::json!([heading]));

    assert_eq!(wide["sorted"], serde_json::json!(["descending"]));
    assert!(numbers(&wide["down"]).is_sorted_by(|a, b| a >= b) && numbers(&wide["up"]).is_sorted());
    assert_eq!((&wide["calls"][0], &wide["left"]), (&"positive".into(), &called("trace").into()));

    let narrow = seen(browser, &lab, "page.html", "500,900", &[]);
    assert_eq!((&wide["overflows"], &narrow["overflows"]), (&false.into(), &false.into()));
    let dark = seen(browser, &lab, "page.html", "1200,900", &["--blink-settings=preferredColorScheme=0"]);
    assert_eq!((&wide["background"], &dark["background"]), (&"rgb(252, 252, 251)".into(), &"rgb(18, 21, 23)".into()));
}

#[test]
fn the_page_is_the_same_for_any_threads_and_from_counts() {
    let lab = lab();
    let of = |name: &str| {
        let page = lab.get(name);
        let main = page.split("<main>").nth(1).unwrap();
        main[..main.find("<section aria-labelledby=run>").unwrap()].to_owned()
    };
    let whole = of("page.html");
    for options in ["-t 1", "-t 3 --max-memory 1M"] {
        lab.rows(&format!("-s q.fa --samples s.csv --report none --html again.html {options} -q"));
        assert_eq!(of("again.html"), whole, "{options}");
    }
    let (code, _, told) = lab.run("summary c.tsv -s q.fa --html counts.html -o t.tsv");
    assert_eq!((code, told.as_str()), (Some(0), ""));
    let after = |page: &str| page[page.find("<section aria-labelledby=picture>").unwrap()..].to_owned();
    assert_eq!(after(&of("counts.html")), after(&whole), "all but how many fragments are matched");
}

#[test]
fn no_page_is_left_by_a_failed_run() {
    let lab = Lab::new();
    for (line, code) in [
        ("-s q.fa -1 a_R1.fq -2 b.fq --html page.html --report none", 1),
        ("-s q.fa b.fq --html q.fa", 1),
        ("-s q.fa b.fq --html x.html --stats x.html", 2),
    ] {
        assert_eq!(lab.refusal(line).0, code, "{line}");
    }
}
