//! The benchmark of `scan`.

use super::{bench, message, of, program, rig};
use std::fs;
use warpseq::bench::machine::Machine;
use warpseq::bench::record::Record;
use warpseq::bench::scan::study::Factor;
use warpseq::bench::scan::work::{Preset, Work};
use warpseq::bench::study::{Factor as _, study};
use warpseq::bench::table::table;
use warpseq::bench::works::{select, works};
use warpseq::bench::{Clock, Figure, Measured};
use warpseq::emulated::Emulated;

fn shipped(name: &str) -> Work {
    select(&works(None).unwrap(), &[name.to_owned()]).unwrap().remove(0)
}

/// Small enough for the emulator.
fn tiny() -> Work {
    let [samples, signatures] = [[200, 900], [30, 60]];
    Work {
        without: 2,
        with: 4,
        sample_length: samples,
        signatures: 4,
        signature_length: signatures,
        rows: None,
        ..shipped("smoke")
    }
}

#[test]
fn the_smoke_work_runs_on_the_cpu() {
    let outcome = shipped("smoke").measure(&bench(None, Vec::new())).unwrap();
    assert_eq!((outcome.figures.len(), of(&outcome.figures, Clock::Call)), (3, 3));
    assert!(outcome.figures.iter().all(|figure| figure.rows == 86 && figure.times.runs == 2));
    assert!(outcome.remarks.is_empty());
}

#[test]
fn the_emulator_agrees_with_the_cpu_and_is_timed_by_both_clocks() {
    let outcome = tiny().measure(&bench(Some(rig()), Vec::new())).unwrap();
    assert_eq!((of(&outcome.figures, Clock::Call), of(&outcome.figures, Clock::Kernel)), (6, 3));
    assert!(outcome.figures.iter().all(|figure| figure.rows >= 4 && figure.times.min_ms > 0.0));
    let bounded = |figure: &&Figure| figure.engine == "emulator";
    assert!(outcome.figures.iter().filter(bounded).all(|figure| figure.share_of_ceiling().unwrap() > 0.0));
    assert_eq!(outcome.remarks.len(), 3);
    assert!(outcome.remarks.iter().all(|remark| remark.ends_with("identical")));
    let shown = table(&outcome.figures);
    assert_eq!(shown.lines().count(), 1 + outcome.figures.len());
    assert!(shown.contains("cs3210-2024  emulator kernel"), "{shown}");
}

#[test]
fn a_falsified_count_fails() {
    let work = Work { rows: Some(85), ..shipped("smoke") };
    let told = message(work.measure(&bench(None, Vec::new())));
    assert_eq!(told, "cpu, workload \"smoke\": expected 85 rows, found 86");
}

#[test]
fn a_lost_signature_fails() {
    let input = tiny().generate().unwrap();
    let told = message(tiny().check("cpu", &input, &[]));
    assert!(told.contains("found no row for it"), "{told}");
}

#[test]
fn works_files_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("works.toml");
    fs::write(&path, "\n[mine]\nabout = \"x\"\nsede = 1\n").unwrap();
    let error = works::<Work>(Some(&path)).unwrap_err().to_string();
    assert!(error.contains("works.toml: line 4: unknown field `sede`"), "{error}");
    assert!(!error.contains('\n'), "{error}");
    let error = select(&works::<Work>(None).unwrap(), &["nothing".into()]).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().ends_with("choose from default, dense, long, n30, no-n, smoke"), "{error}");
}

#[test]
fn targets_are_for_the_threads_there_are() {
    let target = shipped("default").target;
    let asked = [1, 2, 15, 16, 64].map(|threads| target.cpu_ms(threads));
    assert_eq!(asked, [None, Some(10_000.0), Some(10_000.0), Some(1_500.0), Some(1_500.0)]);
}

#[test]
fn a_process_is_timed_and_its_rows_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    // The preset's output has no header, the default's has one.
    let script = "for last; do :; done\n\
                  test -s \"$2\" && test -s \"$3\" || exit 9\n\
                  case \"$*\" in *--preset*) rows=86;; *) rows=87;; esac\n\
                  yes row | head -n $rows > \"$last\"";
    let programs = vec![program(folder.path(), script)];
    let outcome = shipped("smoke").measure(&bench(None, programs.clone())).unwrap();
    let processes: Vec<_> = outcome.figures.iter().filter(|figure| figure.clock == Clock::Process).collect();
    assert_eq!(processes.len(), 3);
    let sound = |figure: &&Figure| figure.times.min_ms > 0.0 && figure.peak_mib > Some(0.0);
    assert!(processes.iter().all(sound));
    assert_eq!(processes[0].engine, "program --device cpu");
    program(folder.path(), "for last; do :; done\nyes row | head -n 85 > \"$last\"");
    let told = message(shipped("smoke").measure(&bench(None, programs.clone())));
    assert!(told.ends_with("expected 86 rows, found 85"), "{told}");
    program(folder.path(), "echo no luck >&2\nexit 3");
    let told = message(shipped("smoke").measure(&bench(None, programs)));
    assert!(told.ends_with("ended with status 3: no luck"), "{told}");
}

#[test]
fn a_record_holds_machine_command_and_figures() {
    let folder = tempfile::tempdir().unwrap();
    let outcome = tiny().measure(&bench(None, Vec::new())).unwrap();
    let record = Record::new("warpseq bench scan".into(), Machine::here(2, None), None, outcome.figures);
    let path = record.write("scan", &folder.path().join("new")).unwrap();
    assert!(path.file_name().unwrap().to_str().unwrap().starts_with("scan-cpu-"), "{path:?}");
    let read: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert_eq!(read["machine"]["threads"], 2);
    assert_eq!(read["command"], "warpseq bench scan");
    assert_eq!(read["date"].as_str().unwrap().len(), 10);
    let figure = &read["figures"][0];
    assert_eq!((figure["clock"].as_str(), figure["preset"].as_str()), (Some("call"), Some("cs3210-2024")));
    assert!(figure["median_ms"].as_f64().unwrap() > 0.0);
}

#[test]
fn every_factor_has_a_study() {
    use clap::ValueEnum;
    let folder = tempfile::tempdir().unwrap();
    for factor in Factor::value_variants() {
        let works = factor.works(0.01);
        let [csv, svg] = study::<_, Emulated>(*factor, &works, None, 1, folder.path()).unwrap();
        let (csv, svg) = (fs::read_to_string(csv).unwrap(), fs::read_to_string(svg).unwrap());
        assert_eq!(csv.lines().count(), 6, "{csv}");
        assert!(csv.starts_with(factor.name()) && csv.lines().skip(1).all(|line| line.split(',').count() == 10));
        assert!(svg.contains("time (ms)") && svg.contains("CPU, call"), "{svg}");
    }
}

#[test]
fn a_study_on_two_engines_draws_three_lines() {
    let folder = tempfile::tempdir().unwrap();
    let works = [(1.0, tiny()), (2.0, Work { n_ratio: 0.2, ..tiny() })];
    let [csv, svg] = study(Factor::NRatio, &works, Some(&rig()), 1, folder.path()).unwrap();
    assert_eq!(fs::read_to_string(csv).unwrap().lines().count(), 5);
    let svg = fs::read_to_string(svg).unwrap();
    assert!(["CPU, call", "GPU, call", "GPU, kernels"].iter().all(|name| svg.contains(name)), "{svg}");
}

#[test]
fn presets_name_what_scan_calls_them() {
    assert_eq!(Preset::ALL.map(Preset::name), ["cs3210-2024", "cs3210-2025", "both-strands"]);
}
