use super::*;
use crate::Points;
use crate::dist::tests::{Told, alike, collection};
use crate::hamming::Cpu;
use crate::reference::exact::{Fraction, distance};
use crate::reference::{self, NaiveHamming};
use crate::{Compared, Comparing, Comparison};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;
use warpseq_engine::executor::Executor;

fn question(by: By, top: Option<u32>, distance: Option<u32>) -> Question {
    Question { by, top, distance, ..Question::default() }
}

fn searched(queries: &Collection, database: &Collection, question: Question, memory: usize) -> String {
    let mut text = Vec::new();
    let comparer = &mut Cpu::new();
    let mut search = Search::new(database, question, comparer, memory);
    search.write_header(&mut text).unwrap();
    search.write(queries, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(search.rows, text.lines().count() as u64 - u64::from(question.format == Format::Tsv));
    text
}

/// From the definition: every window against every window, sorted.
fn naive(queries: &Collection, database: &Collection, question: Question) -> String {
    let mut text =
        "query\tquery_start\tquery_end\ttarget\ttarget_start\ttarget_end\tdistance\tbits\tevalue\n".to_owned();
    let ones = |signature: &[u8]| signature.iter().map(|byte| byte.count_ones()).sum::<u32>();
    let count = (0..database.window_count()).filter(|&window| database.is_present(window)).count();
    let shown = |collection: &Collection, window| {
        let place = collection.place(window);
        let name = String::from_utf8_lossy(&collection.names[place.sequence]).into_owned();
        format!("{name}\t{}\t{}", place.residues.start, place.residues.end)
    };
    for query in (0..queries.window_count()).filter(|&window| queries.is_present(window)) {
        let targets = (0..database.window_count()).filter(|&window| database.is_present(window));
        let bits = |a: &[u8], b: &[u8]| a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>();
        let far = |target| (bits(queries.signature(query), database.signature(target)), target);
        let mut hits: Vec<_> = targets.map(far).collect();
        hits.sort();
        hits.retain(|hit| question.distance.is_none_or(|most| hit.0 <= most));
        hits.truncate(question.top.map_or(usize::MAX, |top| top as usize));
        for (distance, target) in hits {
            let ones = [ones(queries.signature(query)), ones(database.signature(target))];
            let evalue = reference::evalue(64, ones, distance, count as u64);
            if evalue <= question.evalue.unwrap_or(f64::INFINITY) {
                let (query, target) = (shown(queries, query), shown(database, target));
                text += &format!("{query}\t{target}\t{distance}\t64\t{evalue:.2e}\n");
            }
        }
    }
    text
}

fn naive_sequences(queries: &Collection, database: &Collection, question: Question) -> String {
    let mut text = "query\ttarget\tdistance\tbits\n".to_owned();
    let windows = |collection: &Collection, sequence| {
        let present = collection.windows(sequence).filter(|&window| collection.is_present(window));
        present.flat_map(|window| collection.signature(window).to_vec()).collect::<Vec<u8>>()
    };
    for query in 0..queries.len() {
        let ours = windows(queries, query);
        let far = |target| {
            let theirs = windows(database, target);
            Some((distance(Points::new(64, &ours), Points::new(64, &theirs))?, target))
        };
        let mut hits: Vec<_> = (0..database.len()).filter_map(far).collect();
        hits.sort_by(|a, b| a.0.compare(b.0));
        hits.retain(|hit| question.distance.is_none_or(|most| hit.0.compare(Fraction(most.into(), 1)).is_le()));
        hits.truncate(question.top.map_or(usize::MAX, |top| top as usize));
        for (distance, target) in hits {
            text += &format!("s{query}\ts{target}\t{}\t64\n", distance.decimals(6));
        }
    }
    text
}

const WINDOWS: [&[usize]; 5] = [&[], &[0], &[1; 40], &[5, 0, 1, 17, 3, 2, 0], &[60, 1, 30]];
const LIMITS: [(Option<u32>, Option<u32>); 6] =
    [(Some(1), None), (Some(10), None), (Some(10), Some(3)), (None, Some(3)), (None, Some(64)), (Some(1000), None)];

#[test]
fn windows_are_found_as_by_a_full_sort_in_any_memory() {
    let random = &mut ChaCha8Rng::seed_from_u64(9);
    for (queries, database) in WINDOWS.iter().flat_map(|a| WINDOWS.iter().map(move |b| (a, b))) {
        let (queries, database) = (collection(random, queries), collection(random, database));
        for ((top, distance), evalue) in LIMITS.into_iter().zip([None, Some(1.0), Some(20.0), None, Some(0.5), None]) {
            let question = Question { evalue, ..question(By::Window, top, distance) };
            let expected = naive(&queries, &database, question);
            for memory in [1, 3000, 40_000, 1 << 30] {
                assert_eq!(searched(&queries, &database, question, memory), expected, "{question:?} in {memory}");
            }
        }
    }
}

#[test]
fn all_within_an_evalue_are_found_without_another_limit() {
    let random = &mut ChaCha8Rng::seed_from_u64(14);
    let (queries, database) = (collection(random, &[50, 3]), collection(random, &[0, 70, 9]));
    let count = |evalue| {
        let question = Question { evalue: Some(evalue), ..question(By::Window, None, None) };
        let found = searched(&queries, &database, question, 20_000);
        assert_eq!(found, naive(&queries, &database, question), "{evalue}");
        found.lines().count() - 1
    };
    let counts = [0.0, 0.01, 1.0, 10.0, 1000.0].map(count);
    assert!(counts.is_sorted() && counts[0] == 0 && counts[2] > 0 && counts[3] < counts[4], "{counts:?}");
}

#[test]
fn the_usual_evalue_is_for_coins() {
    let most =
        |parameters: &Parameters, by, evalue| Question { evalue, ..question(by, None, None) }.most_expected(parameters);
    assert_eq!(most(&Parameters::DNA, By::Window, None), 0.001);
    assert_eq!(most(&Parameters::QUT, By::Window, None), f64::INFINITY);
    assert_eq!(most(&Parameters::QUT, By::Window, Some(3.0)), 3.0);
    assert_eq!(most(&Parameters::DNA, By::Sequence, None), f64::INFINITY);
    let refused = |parameters, by| question(by, None, None).require_limit(parameters).is_err();
    assert!(!refused(&Parameters::DNA, By::Window) && refused(&Parameters::QUT, By::Window));
    assert!(refused(&Parameters::DNA, By::Sequence));
}

/// By the definition, with a distance of windows and of sequences from the table.
#[test]
fn metrics_follow_from_distances() {
    let random = &mut ChaCha8Rng::seed_from_u64(15);
    let (mut queries, mut database) = (collection(random, &[1, 1, 1, 1]), collection(random, &[1; 9]));
    queries.words = Some(vec![1, 20, 300, 4]);
    database.words = Some((5..14).collect());
    for (by, metric) in [By::Window, By::Sequence]
        .into_iter()
        .flat_map(|by| [Metric::Cosine, Metric::Ani, Metric::Containment].map(move |metric| (by, metric)))
    {
        let asked = Question { metric, ..question(by, Some(9), None) };
        let table = searched(&queries, &database, asked, 1 << 20);
        let plain = searched(&queries, &database, Question { metric: Metric::Hamming, ..asked }, 1 << 20);
        assert!(table.lines().count() > 9);
        for (row, plain) in table.lines().zip(plain.lines()).skip(1) {
            let (rest, value) = row.rsplit_once('\t').unwrap();
            assert_eq!(rest, plain);
            let cells: Vec<&str> = row.split('\t').collect();
            let (target, distance) = if by == By::Window { (3, 6) } else { (1, 2) };
            let words = |cell: usize, all: &[u32]| f64::from(all[cells[cell][1..].parse::<usize>().unwrap()]);
            let (a, b) = (words(0, queries.words.as_ref().unwrap()), words(target, database.words.as_ref().unwrap()));
            let cosine = (std::f64::consts::PI * cells[distance].parse::<f64>().unwrap() / 64.0).cos();
            let expected = match metric {
                Metric::Ani if cosine <= 2.5 * std::f64::consts::PI / 8.0 => "NA".to_owned(),
                Metric::Ani => format!("{:.6}", cosine.powf(1.0 / 3.0)),
                Metric::Containment => format!("{:.6}", (cosine * (b / a).sqrt()).min(1.0)),
                _ => format!("{cosine:.6}"),
            };
            assert_eq!(value, expected, "{row}");
        }
    }
}

#[test]
fn sequences_are_found_as_by_a_full_sort_in_any_memory() {
    let random = &mut ChaCha8Rng::seed_from_u64(10);
    for (queries, database) in WINDOWS.iter().flat_map(|a| WINDOWS.iter().map(move |b| (a, b))) {
        let (queries, database) = (collection(random, queries), collection(random, database));
        for (top, distance) in LIMITS {
            let question = question(By::Sequence, top, distance);
            let expected = naive_sequences(&queries, &database, question);
            for memory in [1, 3000, 40_000, 1 << 30] {
                assert_eq!(searched(&queries, &database, question, memory), expected, "{question:?} in {memory}");
            }
        }
    }
}

/// Regression: the sum of two rounded quotients put the second one first, 65/3 + 33/3 against 64/3 + 34/3.
#[test]
fn sequences_at_the_same_distance_are_in_the_order_of_the_database() {
    let (query, database) = (alike(&[3]), alike(&[3, 3]));
    let there = vec![22, 22, 22, 21, 21, 21];
    let back = vec![11, 11, 11, 11, 11, 12];
    for top in [1, 2] {
        let mut told = Told(vec![there.clone(), back.clone()]);
        let mut search = Search::new(&database, question(By::Sequence, Some(top), None), &mut told, 1 << 20);
        let mut text = Vec::new();
        search.write(&query, &mut text).unwrap();
        let rows = "s0\ts0\t16.333333\t64\ns0\ts1\t16.333333\t64\n";
        assert_eq!(String::from_utf8(text).unwrap(), rows.split_inclusive('\n').take(top as usize).collect::<String>());
    }
}

/// Counts the neighbours of each answer.
struct Counted(NaiveHamming, Vec<usize>);

impl Executor<Comparing> for Counted {
    fn compute(&mut self, job: Comparison, compared: &mut Compared) -> Result<()> {
        self.0.compute(job, compared)?;
        self.1.push(compared.neighbours.len());
        Ok(())
    }
}

#[test]
fn no_answer_takes_more_memory_than_there_is() {
    let random = &mut ChaCha8Rng::seed_from_u64(11);
    let all = collection(random, &[200]);
    let mut counted = Counted(NaiveHamming, Vec::new());
    let (memory, mut text) = (100_000, Vec::new());
    Search::new(&all, question(By::Window, None, Some(64)), &mut counted, memory).write(&all, &mut text).unwrap();
    let most = *counted.1.iter().max().unwrap();
    assert!(most <= memory / 2 / 96 && counted.1.len() > 10, "{:?}", counted.1);
}

#[test]
fn objects_have_the_columns_as_keys() {
    let random = &mut ChaCha8Rng::seed_from_u64(12);
    let mut all = collection(random, &[1; 9]);
    all.names.iter_mut().for_each(|name| name.extend_from_slice(b"|\"x\\"));
    for (by, metric) in [(By::Window, Metric::Ani), (By::Sequence, Metric::Cosine), (By::Sequence, Metric::Hamming)] {
        let asked = Question { metric, ..question(by, Some(3), None) };
        let table = searched(&all, &all, asked, 1 << 20);
        let lines = Question { format: Format::Jsonl, ..asked };
        let lines = searched(&all, &all, lines, 1 << 20);
        let keys: Vec<&str> = table.lines().next().unwrap().split('\t').collect();
        assert!(lines.lines().count() > 5);
        for (row, line) in table.lines().skip(1).zip(lines.lines()) {
            let object: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(object.as_object().unwrap().len(), keys.len());
            for (key, cell) in keys.iter().zip(row.split('\t')) {
                let value = &object[key];
                let same = match value {
                    serde_json::Value::String(text) => text == cell,
                    serde_json::Value::Null => cell == "NA",
                    number => number.as_f64() == cell.parse().ok(),
                };
                assert!(same, "{key}: {cell}, {value}");
            }
        }
    }
}

/// Regression: each was written as U+FFFD.
#[test]
fn names_that_are_not_utf_8_stay_different() {
    let random = &mut ChaCha8Rng::seed_from_u64(13);
    let mut all = collection(random, &[1; 9]);
    all.names.iter_mut().zip(0xE0..).for_each(|(name, byte)| *name = vec![b'x', byte]);
    let asked = Question { format: Format::Jsonl, ..question(By::Window, Some(1), None) };
    let lines = searched(&all, &all, asked, 1 << 20);
    let queries: HashSet<_> = lines.lines().map(|line| line.split(',').next().unwrap()).collect();
    assert!(queries.len() == lines.lines().count() && queries.len() > 3, "{lines}");
    assert!(queries.iter().all(|query| query.contains(r#""x \\xE"#)), "{lines}");
}
