//! The benchmark of `align`.

use super::{bench, message, of, program, rig};
use std::fs;
use warpseq::align::reference::Reference;
use warpseq::align::{Runs, Want, align};
use warpseq::bench::align::call::Call;
use warpseq::bench::align::check;
use warpseq::bench::align::rules::{Mode, Options, Wanted};
use warpseq::bench::align::study::Factor;
use warpseq::bench::align::work::{Searched, Work};
use warpseq::bench::machine::Machine;
use warpseq::bench::record::Record;
use warpseq::bench::study::{Factor as _, study};
use warpseq::bench::table::table;
use warpseq::bench::works::{select, works};
use warpseq::bench::{Clock, Figure, Measured, Outcome};
use warpseq::emulated::Emulated;

fn shipped(name: &str) -> Work {
    select(&works(None).unwrap(), &[name.to_owned()]).unwrap().remove(0)
}

/// Small enough for the emulator.
fn tiny() -> Work {
    Work { count: 6, lengths: [30, 40], score_sums: Default::default(), cpu_pairs: Some(4), ..shipped("smoke") }
}

#[test]
fn the_smoke_work_runs_on_the_cpu() {
    let outcome = shipped("smoke").measure(&bench(None, Vec::new())).unwrap();
    let modes: Vec<_> = outcome.figures.iter().filter_map(|figure| figure.mode).collect();
    assert_eq!(modes, ["local", "global", "fit", "overlap"]);
    assert!(outcome.figures.iter().all(|figure| figure.rows == 200 && figure.clock == Clock::Call));
    assert!(outcome.figures.iter().all(|figure| figure.amount.unwrap().rate > 0.0));
}

#[test]
fn the_emulator_agrees_with_the_cpu_and_is_timed_by_both_clocks() {
    let outcome = tiny().measure(&bench(Some(rig()), Vec::new())).unwrap();
    assert_eq!((of(&outcome.figures, Clock::Call), of(&outcome.figures, Clock::Kernel)), (8, 4));
    let on_gpu = |figure: &&Figure| figure.engine == "emulator";
    assert!(outcome.figures.iter().filter(on_gpu).all(|figure| figure.share_of_ceiling().unwrap() > 0.0));
    let calls = outcome.figures.iter().filter(on_gpu).filter(|figure| figure.clock == Clock::Call);
    let compared = |figure: &Figure| figure.amount.unwrap().identical == Some(4) && figure.rows == 6;
    assert!(calls.clone().all(compared) && calls.count() == 4);
    assert!(outcome.remarks.iter().all(|remark| remark.contains("4 of 6 compared: identical")));
    assert!(outcome.details.iter().all(|detail| detail.contains("forward")));
    let shown = table(&outcome.figures);
    assert!(shown.lines().next().unwrap().starts_with("work  mode    engine   clock"), "{shown}");
    assert!(shown.contains("GCUPS") && shown.contains("4 same") && !shown.contains("MiB"), "{shown}");
}

#[test]
fn proteins_and_scores_run_on_the_emulator() {
    let searched = Searched { queries: vec![20, 30], targets: 30 };
    let work = Work { count: 5, search: Some(searched), cpu_pairs: None, ..shipped("search-20") };
    let work = Work { score_sums: Default::default(), ..work };
    let expected = work.measure(&bench(None, Vec::new())).unwrap();
    let outcome = work.measure(&bench(Some(rig()), Vec::new())).unwrap();
    assert_eq!((expected.figures.len(), outcome.figures.len()), (1, 3));
    assert!(outcome.figures.iter().all(|figure| figure.amount.unwrap().count == 7500));
    assert_eq!(outcome.figures[1].amount.unwrap().identical, Some(10));
    let sum = |outcome: &Outcome| outcome.remarks[0].rsplit(' ').next().map(str::to_owned);
    assert_eq!(sum(&expected), sum(&outcome));
    let wrong = Work { score_sums: [(Mode::Local, 1)].into(), ..work };
    assert!(message(wrong.measure(&bench(None, Vec::new()))).contains("expected the scores to add up to 1, found"));
}

#[test]
fn the_smoke_works_sums_are_those_of_the_naive_reference() {
    let work = shipped("smoke");
    let input = work.generate().unwrap();
    for &mode in &work.modes {
        let scoring = work.scoring.rules(mode).unwrap().scoring().unwrap();
        let alignments = align(&mut Reference, &input.batch(), &scoring, Want::Path).unwrap();
        assert_eq!(Some(&check::sum(&alignments)), work.score_sums.get(&mode), "{mode:?}");
    }
}

#[test]
fn a_falsified_sum_fails() {
    let work = shipped("smoke");
    let sum = work.score_sums[&Mode::Local];
    let expected = sum + 1;
    let work = Work { score_sums: [(Mode::Local, expected)].into(), ..work };
    let told = message(work.measure(&bench(None, Vec::new())));
    assert_eq!(
        told,
        format!("cpu, workload \"smoke\", local: expected the scores to add up to {expected}, found {sum}")
    );
}

#[test]
fn wrong_alignments_are_counted_and_wrong_paths_named() {
    let (work, mode) = (tiny(), Mode::Global);
    let (input, scoring) = (work.generate().unwrap(), work.scoring.rules(mode).unwrap().scoring().unwrap());
    let call = Call { input: &input, scoring: &scoring, want: Want::Path };
    let right = align(&mut warpseq::align::cpu::Cpu::new(), &input.batch(), &scoring, Want::Path).unwrap();
    let mut wrong = right.clone();
    wrong[2].score += 1;
    let sample = [0, 2, 4];
    let found = sample.map(|k| right[k].clone());
    assert_eq!(check::differing(&sample, &found, &right), 0);
    assert_eq!(check::differing(&sample, &found, &wrong), 1);
    let all = [0, 1, 2, 3, 4, 5];
    check::paths("cpu", &call, (&all, &right)).unwrap();
    let told = message(check::paths("cpu", &call, (&all, &wrong)));
    assert!(told.starts_with("cpu, pair 2: the score is "), "{told}");
    wrong[1].path = Runs::NONE;
    let told = message(check::paths("cpu", &call, (&all, &wrong)));
    assert!(told.starts_with("cpu, pair 1: the path ends at 0, 0"), "{told}");
}

#[test]
fn every_shipped_work_can_be_made_and_scored() {
    for work in works::<Work>(None).unwrap() {
        for &mode in &work.modes {
            work.scoring.rules(mode).unwrap().scoring().unwrap();
        }
        assert!(work.cpu_pairs.is_none_or(|pairs| (2_000..=work.count).contains(&pairs)), "{}", work.name);
        let input = Work { count: 2, lengths: work.lengths.map(|length| length.min(300)), ..work }.generate().unwrap();
        assert_eq!(input.targets.len(), 2);
    }
}

#[test]
fn a_process_is_timed_and_its_scores_are_added_up() {
    let folder = tempfile::tempdir().unwrap();
    let script = "for last; do :; done\n\
                  test -s \"$2\" && test -s \"$3\" || exit 9\n\
                  printf '# statement\\nquery\\ttarget\\tstrand\\tscore\\n' > \"$last\"\n\
                  yes 'q\tt\t+\t7' | head -n 6 >> \"$last\"";
    let programs = vec![program(folder.path(), script)];
    let work = Work { modes: vec![Mode::Fit], cpu_pairs: Some(4), ..tiny() };
    let outcome = work.measure(&bench(None, programs.clone())).unwrap();
    let process = outcome.figures.last().unwrap();
    assert_eq!((process.clock, process.engine.as_str(), process.rows), (Clock::Process, "program --device cpu", 6));
    assert!(process.peak_mib > Some(0.0) && process.amount.unwrap().count > 5_000);
    let told = message(Work { cpu_pairs: None, ..work.clone() }.measure(&bench(None, programs.clone())));
    assert!(told.ends_with(", found 42"), "{told}");
    program(folder.path(), "for last; do :; done\nprintf 'q\\tt\\t+\\t7\\n' > \"$last\"");
    let told = message(work.measure(&bench(None, programs.clone())));
    assert!(told.ends_with("expected 6 pairs in the result, found 1"), "{told}");
    program(folder.path(), "for last; do :; done\nprintf 'q\\tt\\t7\\n' > \"$last\"");
    let told = message(work.measure(&bench(None, programs)));
    assert!(told.ends_with("expected a score in the line \"q\\tt\\t7\""), "{told}");
}

#[test]
fn a_record_says_how_many_cells_there_were() {
    let folder = tempfile::tempdir().unwrap();
    let outcome = tiny().measure(&bench(None, Vec::new())).unwrap();
    let record = Record::new("warpseq bench align".into(), Machine::here(2, None), None, outcome.figures);
    let path = record.write("align", folder.path()).unwrap();
    assert!(path.file_name().unwrap().to_str().unwrap().starts_with("align-cpu-"), "{path:?}");
    let read: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let figure = &read["figures"][0];
    assert_eq!((figure["mode"].as_str(), figure["preset"].as_str()), (Some("local"), None));
    assert!(figure["gcups"].as_f64().unwrap() > 0.0 && figure["cells"].as_u64().unwrap() > 4_000);
}

#[test]
fn every_factor_has_a_study() {
    let folder = tempfile::tempdir().unwrap();
    for (factor, points) in [(Factor::Pairs, 5), (Factor::Length, 8)] {
        let works = factor.works(0.001);
        assert_eq!(works.len(), points);
        let [csv, svg] = study::<_, Emulated>(factor, &works[..2], None, 1, folder.path()).unwrap();
        let (csv, svg) = (fs::read_to_string(csv).unwrap(), fs::read_to_string(svg).unwrap());
        assert_eq!(csv.lines().count(), 3, "{csv}");
        assert!(csv.starts_with(factor.name()) && csv.lines().all(|line| line.split(',').count() == 11), "{csv}");
        assert!(svg.contains("billions of cells a second") && svg.contains("CPU, call"), "{svg}");
    }
}

#[test]
fn a_study_on_two_engines_draws_three_lines() {
    let folder = tempfile::tempdir().unwrap();
    let tiny = |count| Work { count, want: Wanted::Path, scoring: Options::default(), ..tiny() };
    let works = [(1.0, tiny(1)), (3.0, tiny(3))];
    let [csv, svg] = study(Factor::Pairs, &works, Some(&rig()), 1, folder.path()).unwrap();
    assert_eq!(fs::read_to_string(csv).unwrap().lines().count(), 5);
    let svg = fs::read_to_string(svg).unwrap();
    assert!(["CPU, call", "GPU, call", "GPU, kernels"].iter().all(|name| svg.contains(name)), "{svg}");
}
