use super::*;
use std::collections::HashMap;
use warpseq_seq::strand::reverse_complement;

const RECIPE: Recipe = Recipe { pairs: 400, length: 30, insert: 80, deviation: 10, error: 0.0, seed: 3 };

fn genomes() -> Records {
    let random = |k, length| {
        let mut random = stream(9, Kind::Signature, k);
        (0..length).map(|_| BASES[below(&mut random, 4)]).collect::<Vec<u8>>()
    };
    Records::from_iter([("long", random(0, 3000)), ("short", random(1, 1000)), ("tiny", b"ACGGTTACGA".to_vec())])
}

/// The texts of the mates, and the truth.
fn written(recipe: &Recipe, genomes: &Records, mix: Mix) -> [String; 3] {
    let made = Reads::new(recipe.clone(), genomes, mix).unwrap();
    let mut texts = [Vec::new(), Vec::new(), Vec::new()];
    let [first, second, truth] = &mut texts;
    assert_eq!(made.write([first, second], truth).unwrap(), None);
    texts.map(|text| String::from_utf8(text).unwrap())
}

/// Of each row of the truth: the genome, the fragment along its strand, and both reads with their qualities.
fn pairs(recipe: &Recipe, genomes: &Records, mix: Mix) -> Vec<(String, Vec<u8>, [String; 4])> {
    let [first, second, truth] = written(recipe, genomes, mix);
    let named: HashMap<&[u8], usize> = (0..genomes.len()).map(|k| (genomes.name(k), k)).collect();
    let mates: Vec<Vec<String>> = [first, second].map(|text| text.lines().map(str::to_owned).collect()).into();
    let rows = truth.lines().skip(1).enumerate().map(|(k, row)| {
        let fields: Vec<&str> = row.split('\t').collect();
        let &[read, genome, start, end, strand] = &fields[..] else { panic!("{row}") };
        assert_eq!(read, format!("read_{k}"));
        assert!(mates.iter().all(|lines| lines[4 * k] == format!("@read_{k}") && lines[4 * k + 2] == "+"));
        let bases = genomes.sequence(named[genome.as_bytes()]);
        let fragment = &bases[start.parse().unwrap()..end.parse().unwrap()];
        let fragment = if strand == "-" { reverse_complement(fragment, Wildcards::Iupac) } else { fragment.to_vec() };
        let lines = [(0, 1), (0, 3), (1, 1), (1, 3)].map(|(mate, line)| mates[mate][4 * k + line].clone());
        (genome.to_owned(), fragment, lines)
    });
    rows.collect()
}

#[test]
fn mates_are_the_ends_of_their_fragment() {
    let genomes = genomes();
    let made = pairs(&RECIPE, &genomes, Mix::by_length(&genomes));
    assert_eq!(made.len(), 400);
    for (_, fragment, [first, quality, second, _]) in &made {
        let length = fragment.len().min(30);
        assert_eq!(first.as_bytes(), &fragment[..length]);
        assert_eq!(second.as_bytes(), reverse_complement(&fragment[fragment.len() - length..], Wildcards::Iupac));
        assert_eq!(*quality, "~".repeat(length), "without errors, scores are the greatest");
    }
}

#[test]
fn fragments_have_the_lengths_asked_for_within_their_genome() {
    let genomes = genomes();
    let recipe = Recipe { pairs: 20_000, ..RECIPE };
    let made = pairs(&recipe, &genomes, Mix::by_length(&genomes));
    let lengths: Vec<f64> = made.iter().filter(|pair| pair.0 != "tiny").map(|pair| pair.1.len() as f64).collect();
    let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
    let variance = lengths.iter().map(|length| (length - mean).powi(2)).sum::<f64>() / lengths.len() as f64;
    assert!((mean - 80.0).abs() < 0.5 && (variance.sqrt() - 10.0).abs() < 0.3, "{mean} {variance}");
    assert!(made.iter().filter(|pair| pair.0 == "tiny").all(|pair| pair.1.len() == 10));
    let of_long = made.iter().filter(|pair| pair.0 == "long").count();
    assert!((14_700..15_250).contains(&of_long), "{of_long} of 20000, 3000 of 4010 bases");
    for (insert, deviation, all) in [(1, 0, 30), (5000, 0, 1000), (1, 200, 30)] {
        let mix = Mix::by_length(&Records::from_iter([("long", ""), ("short", "A"), ("tiny", "")]));
        let made = pairs(&Recipe { insert, deviation, ..RECIPE }, &genomes, mix);
        let exact = made.iter().filter(|pair| pair.1.len() == all).count();
        assert!(exact == 400 || deviation > 0 && (100..300).contains(&exact), "{exact} fragments of {all}");
    }
}

#[test]
fn errors_are_as_many_as_asked_for_and_their_scores_say_so() {
    let genomes = genomes();
    for (error, score) in [(0.01, '5'), (0.1, '+'), (1.0, '!'), (1e-12, '~')] {
        let recipe = Recipe { pairs: 2000, error, ..RECIPE };
        let made = pairs(&recipe, &genomes, Mix::by_length(&genomes));
        let (mut wrong, mut bases) = ([0; 2], 0);
        for (_, fragment, [first, quality, second, _]) in &made {
            let opposite = reverse_complement(fragment, Wildcards::Iupac);
            for (mate, (read, fragment)) in [(first, fragment), (second, &opposite)].into_iter().enumerate() {
                wrong[mate] += read.bytes().zip(fragment).filter(|(read, base)| read != *base).count();
                bases += read.len();
            }
            assert!(quality.chars().all(|found| found == score), "{quality}");
        }
        let (share, even) = ((wrong[0] + wrong[1]) as f64 / bases as f64, wrong[0].abs_diff(wrong[1]) as f64);
        assert!((share - error).abs() < 0.003, "{share} for {error}");
        assert!(even <= 5.0 * (1.0 + bases as f64 * error).sqrt(), "{wrong:?}");
    }
}

#[test]
fn what_is_no_base_is_read_as_n_and_fragments_of_n_are_drawn_again() {
    let genome = ["acgu".repeat(10), "R-".into(), "ACGT".repeat(10), "N".repeat(500), "TTGGCCAA".repeat(20)].concat();
    let genomes = Records::from_iter([("g", genome)]);
    let made = pairs(&Recipe { error: 0.01, ..RECIPE }, &genomes, Mix::by_length(&genomes));
    let (mut with_n, mut all) = (0, 0);
    for (_, fragment, [first, quality, ..]) in &made {
        let wild = fragment.iter().filter(|base| b"NYR-".contains(base)).count();
        assert!(10 * wild <= fragment.len());
        assert!(first.bytes().zip(quality.bytes()).all(|(base, score)| (base == b'N') == (score == b'!')));
        assert!(first.bytes().all(|base| b"ACGTN".contains(&base)), "{first}");
        with_n += usize::from(first.contains('N'));
        all += 1;
    }
    assert!(with_n > 10 && with_n < all);
    let wild = Records::from_iter([("a", "ACGT".repeat(100)), ("n", "N".repeat(400))]);
    let made = Reads::new(RECIPE, &wild, Mix::by_length(&wild)).unwrap();
    let missing = made.write([&mut std::io::sink(), &mut std::io::sink()], &mut std::io::sink());
    assert_eq!(missing.unwrap(), Some(1));
}

#[test]
fn reads_do_not_depend_on_threads_or_on_how_many_there_are() {
    let genomes = genomes();
    let of = |threads, pairs| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| written(&Recipe { pairs, error: 0.05, ..RECIPE }, &genomes, Mix::by_length(&genomes)))
    };
    let (all, fewer) = (of(1, 50_000), of(3, 20_000));
    assert_eq!(of(2, 50_000), all);
    assert!(all.iter().zip(&fewer).all(|(all, fewer)| all.starts_with(fewer.as_str())));
}

#[test]
fn senseless_recipes_are_refused() {
    let genomes = genomes();
    let refused = [
        Recipe { length: 0, ..RECIPE },
        Recipe { insert: 0, ..RECIPE },
        Recipe { length: usize::MAX, ..RECIPE },
        Recipe { error: 1.1, ..RECIPE },
        Recipe { error: f64::NAN, ..RECIPE },
    ];
    for recipe in refused {
        assert!(Reads::new(recipe, &genomes, Mix::by_length(&genomes)).is_err());
    }
}
