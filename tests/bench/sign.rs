//! The benchmark of `sign`.

use super::{bench, message, of, program, rig};
use std::fs;
use std::path::Path;
use warpseq::bench::machine::Machine;
use warpseq::bench::record::Record;
use warpseq::bench::sign::answer::Answer;
use warpseq::bench::sign::call::Call;
use warpseq::bench::sign::process::Expected;
use warpseq::bench::sign::signing::Signing;
use warpseq::bench::sign::study::Factor;
use warpseq::bench::sign::work::{Task, Work};
use warpseq::bench::study::{Factor as _, study};
use warpseq::bench::table::table;
use warpseq::bench::works::{select, works};
use warpseq::bench::{Clock, Figure, Measured};
use warpseq::emulated::Emulated;
use warpseq::executor::Executor;
use warpseq::sign::reference::{NaiveHamming, Reference};
use warpseq::sign::{Limits, Points, Signatures, nearest};
use warpseq::simulate::points;

const SMOKE: [&str; 3] = ["smoke", "smoke-dna", "smoke-search"];

fn shipped(name: &str) -> Work {
    select(&works(None).unwrap(), &[name.to_owned()]).unwrap().remove(0)
}

fn signing(work: &Work) -> Signing {
    let Task::Sign(signing) = &work.task else { panic!("{} does not sign", work.name) };
    signing.clone()
}

/// Small enough for the emulator; the CPU takes a part.
fn tiny(name: &str) -> Work {
    let mut work = Work { checksum: None, cpu_part: Some(3), ..shipped(name) };
    match &mut work.task {
        Task::Sign(signing) => (signing.count, signing.lengths) = (5, [3, 90]),
        Task::Search(search) => (search.queries, search.targets) = (5, 40),
    }
    work
}

#[test]
fn the_smoke_works_run_on_the_cpu() {
    for (name, rows, unit) in
        [("smoke", 3_491, "Gres/s"), ("smoke-dna", 1_022, "Gres/s"), ("smoke-search", 250, "Gpairs/s")]
    {
        let outcome = shipped(name).measure(&bench(None, Vec::new())).unwrap();
        let [figure] = &outcome.figures[..] else { panic!("{} figures", outcome.figures.len()) };
        assert_eq!((figure.rows, figure.clock, figure.times.runs), (rows, Clock::Call, 2), "{name}");
        assert!(figure.amount.unwrap().rate > 0.0 && table(&outcome.figures).contains(unit));
        assert!(outcome.remarks[0].starts_with(&format!("{name}: checksum ")), "{:?}", outcome.remarks);
    }
}

#[test]
fn the_emulator_agrees_with_the_cpu_and_is_timed_by_both_clocks() {
    for name in SMOKE {
        let outcome = tiny(name).measure(&bench(Some(rig()), Vec::new())).unwrap();
        let figures = &outcome.figures;
        assert_eq!((of(figures, Clock::Call), of(figures, Clock::Kernel), figures.len()), (2, 1, 3));
        let on_gpu: Vec<&Figure> = figures.iter().filter(|figure| figure.engine == "emulator").collect();
        let [compared, rows] = [figures[0].rows, on_gpu[0].rows];
        assert!(compared < rows && on_gpu[1].rows == rows, "{name}: {compared} of {rows}");
        assert!(on_gpu.iter().all(|figure| figure.share_of_ceiling().unwrap() > 0.0));
        let amount = on_gpu[0].amount.unwrap();
        assert!(amount.speed_up > Some(0.0));
        assert_eq!(amount.identical, Some(compared), "{name}");
        let told = format!("{compared} of {rows} rows compared: identical; checksum ");
        assert!(outcome.remarks[0].contains(&told), "{:?}", outcome.remarks);
        assert!(outcome.details[0].contains(" ms, "), "{:?}", outcome.details);
    }
}

#[test]
fn the_smoke_works_checksums_are_those_of_the_naive_reference() {
    for name in ["smoke", "smoke-dna"] {
        let (work, mut signatures) = (shipped(name), Signatures::default());
        let input = signing(&work).generate(work.seed).unwrap();
        Reference::new(input.parameters).compute(&input.batch, &mut signatures).unwrap();
        let checksum = Answer::of_signatures(signatures, input.parameters.width()).checksum();
        assert_eq!(Some(checksum), work.checksum, "{name}");
    }
    let work = shipped("smoke-search");
    let Task::Search(search) = &work.task else { panic!("it searches") };
    let bits = search.bits;
    let made = |count, seed| points::Points::new(points::Recipe { count, bits, seed }).unwrap().generate();
    let (queries, targets) = (made(search.queries, work.seed + 1), made(search.targets, work.seed));
    let points = |bytes| Points::new(bits, bytes);
    let limits = Limits { top: Some(search.top), distance: bits };
    let found = nearest(&mut NaiveHamming, points(&queries), points(&targets), limits).unwrap();
    assert_eq!(Some(Answer::of_neighbours(&found).checksum()), work.checksum);
}

#[test]
fn a_falsified_checksum_fails() {
    for name in SMOKE {
        let work = Work { checksum: Some("0".repeat(16)), ..shipped(name) };
        let told = message(work.measure(&bench(None, Vec::new())));
        assert!(told.starts_with(&format!("cpu, workload {name:?}: expected rows with the checksum ")), "{told}");
        assert!(told.contains("checksum 0000000000000000, found "), "{told}");
    }
}

#[test]
fn wrong_rows_are_counted() {
    let work = tiny("smoke");
    let input = signing(&work).generate(work.seed).unwrap();
    let answer = |flipped: usize| {
        let mut signatures = Signatures::default();
        Reference::new(input.parameters).compute(&input.batch, &mut signatures).unwrap();
        signatures.bytes[..8 * flipped].iter_mut().step_by(8).for_each(|byte| *byte ^= 1);
        Answer::of_signatures(signatures, 8)
    };
    work.agree("gpu", &answer(0), &answer(0)).unwrap();
    let told = message(work.agree("gpu", &answer(0), &answer(2)));
    assert_eq!(told, "workload \"smoke\": 2 of 19 rows differ between gpu and the CPU engine");
}

#[test]
fn works_files_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |text: &str| {
        let path = folder.path().join("works.toml");
        fs::write(&path, text).unwrap();
        works::<Work>(Some(&path)).unwrap_err().to_string()
    };
    let error = refused("[mine]\nabout = \"x\"\nseed = 1\ntask.sign = { like = \"qut\", count = 1, length = 2 }\n");
    assert!(error.contains("works.toml: line 4: unknown field `length`"), "{error}");
    let error = refused("[mine]\nabout = \"x\"\nseed = 1\ntask.find = {}\n");
    assert!(error.contains("unknown variant `find`"), "{error}");
}

#[test]
fn every_shipped_work_can_be_made_and_has_a_checksum() {
    for mut work in works::<Work>(None).unwrap() {
        assert!(work.checksum.as_ref().is_some_and(|checksum| checksum.len() == 16), "{}", work.name);
        match &mut work.task {
            Task::Sign(signing) => {
                (signing.count, signing.lengths) = (2, signing.lengths.map(|length| length.min(300)));
                assert_eq!(signing.generate(1).unwrap().size(), 2);
            }
            Task::Search(search) => {
                search.targets = 2;
                assert_eq!(search.generate(1).unwrap().size(), search.queries);
            }
        }
    }
}

/// A program that copies `file` to where its result goes.
fn copying(folder: &Path, file: &Path) -> Vec<std::path::PathBuf> {
    let script = "for last; do :; done\ntest -s \"$3\" || exit 9\nsleep 0.02\ncp";
    vec![program(folder, &format!("{script} '{}' \"$last\"", file.display()))]
}

#[test]
fn a_process_is_timed_and_all_its_bytes_are_checked() {
    let (folder, work) = (tempfile::tempdir().unwrap(), Work { cpu_part: None, ..tiny("smoke") });
    let input = signing(&work).generate(work.seed).unwrap();
    let (mut signatures, mut right) = (Signatures::default(), Vec::new());
    Reference::new(input.parameters).compute(&input.batch, &mut signatures).unwrap();
    warpseq::sign::raw::write(&mut right, &input.parameters, &input.batch, &signatures, Some(0)).unwrap();
    let file = folder.path().join("signatures");
    let measured = |bytes: &[u8], work: &Work| {
        fs::write(&file, bytes).unwrap();
        work.measure(&bench(None, copying(folder.path(), &file)))
    };
    let process = measured(&right, &work).unwrap().figures.pop().unwrap();
    assert_eq!((process.clock, process.engine.as_str(), process.rows), (Clock::Process, "program --device cpu", 19));
    assert_eq!(process.amount.unwrap().count, input.batch.sequences().residues().len() as u64);
    assert!(process.peak_mib > Some(0.0), "{:?}", process.peak_mib);
    let told = message(measured(&right[1..], &work));
    assert!(told.ends_with("expected 228 bytes in the result, found 227"), "{told}");
    right[77] ^= 1;
    let told = message(measured(&right, &work));
    assert!(told.ends_with("the bytes of the result differ from those of the engines"), "{told}");
    // Where the CPU engine takes a part, not all bytes are known.
    measured(&right, &tiny("smoke")).unwrap();
    assert_ne!(
        Expected::new(&input, None).unwrap(),
        Expected::new(&input, Some(Answer::of_signatures(signatures, 8))).unwrap()
    );
}

#[test]
fn a_record_says_how_many_residues_or_pairs_there_were() {
    let folder = tempfile::tempdir().unwrap();
    let figures = ["smoke", "smoke-search"]
        .into_iter()
        .flat_map(|name| shipped(name).measure(&bench(None, Vec::new())).unwrap().figures);
    let record = Record::new("warpseq bench sign".into(), Machine::here(2, None), None, figures.collect());
    let path = record.write("sign", folder.path()).unwrap();
    assert!(path.file_name().unwrap().to_str().unwrap().starts_with("sign-cpu-"), "{path:?}");
    let read: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let [signed, searched] = [0, 1].map(|k| &read["figures"][k]);
    assert!(signed["residues"].as_u64().unwrap() > 20_000 && signed["gres_per_s"].as_f64().unwrap() > 0.0);
    assert!(searched["pairs"] == 20_000 && searched["gpairs_per_s"].as_f64().unwrap() > 0.0);
}

#[test]
fn every_factor_has_a_study() {
    let folder = tempfile::tempdir().unwrap();
    for factor in [Factor::Sequences, Factor::Length] {
        let works = factor.works(0.001);
        assert_eq!(works.len(), 8);
        assert!(works.windows(2).all(|pair| (1.8..2.2).contains(&(pair[1].0 / pair[0].0))));
        let [csv, svg] = study::<_, Emulated>(factor, &works[..2], None, 1, folder.path()).unwrap();
        let (csv, svg) = (fs::read_to_string(csv).unwrap(), fs::read_to_string(svg).unwrap());
        assert_eq!(csv.lines().count(), 3, "{csv}");
        assert!(csv.starts_with(factor.name()) && csv.lines().next().unwrap().ends_with(",rows,residues"), "{csv}");
        assert!(csv.lines().all(|line| line.split(',').count() == 11), "{csv}");
        assert!(svg.contains("billions of residues a second") && svg.contains("CPU, call"), "{svg}");
    }
}

#[test]
fn a_study_on_two_engines_draws_three_lines() {
    let folder = tempfile::tempdir().unwrap();
    let works = [(1.0, tiny("smoke")), (3.0, tiny("smoke"))];
    let [csv, svg] = study(Factor::Sequences, &works, Some(&rig()), 1, folder.path()).unwrap();
    assert_eq!(fs::read_to_string(csv).unwrap().lines().count(), 5);
    let svg = fs::read_to_string(svg).unwrap();
    assert!(["CPU, call", "GPU, call", "GPU, kernels"].iter().all(|name| svg.contains(name)), "{svg}");
}
