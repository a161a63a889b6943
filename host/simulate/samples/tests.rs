use super::*;
use crate::simulate::signatures::{self, Signatures};

fn recipe() -> Recipe {
    Recipe {
        without: 20,
        with: 40,
        viruses: 1..=3,
        lengths: 400..=900,
        phred: 10..=30,
        n_ratio: 0.1,
        n_runs: None,
        both_strands: false,
        seed: 7,
    }
}

fn signatures(count: usize) -> Vec<Signature> {
    Signatures::new(signatures::Recipe { count, lengths: 20..=100, n_ratio: 0.05, seed: 7 }).unwrap().generate()
}

#[test]
fn what_the_truth_names_lies_there_and_nothing_overlaps() {
    let signatures = signatures(9);
    for both_strands in [false, true] {
        let Generated { batch, truth } =
            Samples::new(Recipe { both_strands, ..recipe() }, &signatures).unwrap().generate();
        for found in &truth {
            let there = &batch.sequence(found.sample as usize)[found.start as usize..found.end as usize];
            let bases = signatures[found.signature as usize].bases();
            assert_eq!(there, if found.reverse { reverse_complement(bases, Wildcards::Iupac) } else { bases.to_vec() });
        }
        let pairs = truth.windows(2).filter(|pair| pair[0].sample == pair[1].sample);
        assert!(pairs.clone().all(|pair| pair[0].end <= pair[1].start) && pairs.count() > 10);
        let reverse = truth.iter().filter(|found| found.reverse).count();
        assert!(if both_strands { (truth.len() / 4..truth.len() * 3 / 4).contains(&reverse) } else { reverse == 0 });
    }
}

#[test]
fn runs_of_n_are_half_of_the_background() {
    let recipe = Recipe { with: 0, lengths: 9000..=9000, n_ratio: 0.0, n_runs: Some(20..=300), ..recipe() };
    let Generated { batch, .. } = Samples::new(recipe, &signatures(9)).unwrap().generate();
    let bases = batch.sequences().residues();
    let wild = bases.iter().filter(|&&base| base == b'N').count();
    assert!((bases.len() * 2 / 5..bases.len() * 3 / 5).contains(&wild), "{wild} of {}", bases.len());
    let runs: Vec<usize> = batch.sequence(0).chunk_by(|a, b| (*a == b'N') == (*b == b'N')).map(<[u8]>::len).collect();
    let (_, inner) = runs.split_last().unwrap();
    assert!(inner.len() > 20 && inner.iter().all(|length| (20..=300).contains(length)), "{runs:?}");
}

#[test]
fn counts_lengths_and_spread_are_as_asked() {
    let signatures = signatures(9);
    let Generated { batch, truth } = Samples::new(recipe(), &signatures).unwrap().generate();
    assert_eq!((batch.len(), batch.sequences().starts().len()), (60, 61));
    for k in 0..60 {
        assert!((400..=900).contains(&batch.sequence(k).len()));
        let mut held: Vec<_> = truth.iter().filter(|t| t.sample as usize == k).map(|t| t.signature).collect();
        let count = held.len();
        held.sort_unstable();
        held.dedup();
        assert_eq!(held.len(), count, "a signature twice in sample {k}");
        assert!(if k % 3 == 0 { count == 0 } else { (1..=3).contains(&count) }, "{count} in sample {k}");
    }
}

#[test]
fn qualities_are_in_range_and_n_has_the_lowest() {
    let Generated { batch, .. } = Samples::new(recipe(), &signatures(9)).unwrap().generate();
    let mut means = Vec::new();
    for k in 0..batch.len() {
        let pairs = batch.sequence(k).iter().zip(batch.quality(k).unwrap());
        assert!(pairs.clone().all(|(&base, &q)| if base == b'N' { q == b'!' } else { (43..=63).contains(&q) }));
        let known: Vec<f64> = pairs.filter(|(base, _)| **base != b'N').map(|(_, &q)| f64::from(q)).collect();
        means.push(known.iter().sum::<f64>() / known.len() as f64 - 33.0);
    }
    let spread = means.iter().fold((99.0f64, 0.0f64), |(low, high), &mean| (low.min(mean), high.max(mean)));
    assert!(spread.0 < 13.0 && spread.1 > 27.0, "{spread:?}");
}

#[test]
fn files_hold_what_memory_holds_for_any_number_of_threads() {
    let signatures = signatures(9);
    let Generated { batch, truth } = Samples::new(recipe(), &signatures).unwrap().generate();
    let mut expected = Vec::new();
    for k in 0..batch.len() {
        let (bases, quality) = (batch.sequence(k), batch.quality(k).unwrap());
        expected.extend([b"@", batch.name(k), b"\n", bases, b"\n+\n", quality, b"\n"].concat());
    }
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (mut fastq, mut tsv) = (Vec::new(), Vec::new());
        pool.install(|| Samples::new(recipe(), &signatures).unwrap().write(&mut fastq, &mut tsv).unwrap());
        assert!(fastq == expected, "{threads} threads");
        let text = String::from_utf8(tsv).unwrap();
        let first = truth[0];
        let row = format!("sample_1\tsignature_{}\t+\t{}\t{}", first.signature, first.start, first.end);
        assert_eq!(text.lines().take(2).collect::<Vec<_>>(), ["sample\tsignature\tstrand\tstart\tend", &row]);
        assert_eq!(text.lines().count(), truth.len() + 1);
    }
}

#[test]
fn the_same_seed_gives_unrelated_signatures_and_samples() {
    let signatures = signatures(9);
    let without = Recipe { with: 0, n_ratio: 0.0, ..recipe() };
    let Generated { batch, truth } = Samples::new(without, &signatures).unwrap().generate();
    assert!(truth.is_empty() && batch.len() == 20);
    let piece = |signature: &Signature| signature.bases()[..16].to_vec();
    let shared =
        signatures.iter().filter(|s| batch.sequences().residues().windows(16).any(|window| window == piece(s)));
    assert_eq!(shared.count(), 0);
}

#[test]
fn what_cannot_be_met_is_refused_with_advice() {
    let signatures = signatures(9);
    let message = |recipe| Samples::new(recipe, &signatures).err().unwrap().to_string();
    assert!(message(Recipe { lengths: 19..=19, ..recipe() }).contains("raise the smallest sample length"));
    assert!(message(Recipe { viruses: 1..=10, ..recipe() }).contains("9 signatures"));
    assert!(message(Recipe { phred: 0..=94, ..recipe() }).contains("at most 93"));
    assert!(message(Recipe { n_ratio: -0.5, ..recipe() }).contains("from 0 to 1"));
    let exact = Recipe { viruses: 9..=9, lengths: 900..=900, ..recipe() };
    assert!(
        signatures.iter().map(|s| s.bases().len()).sum::<usize>() <= 900 && Samples::new(exact, &signatures).is_ok()
    );
}

#[test]
fn no_samples_make_empty_files() {
    let none = Recipe { with: 0, without: 0, ..recipe() };
    let samples = Samples::new(none, &[]).unwrap();
    assert_eq!(samples.generate().batch.sequences().starts(), [0]);
    let (mut fastq, mut tsv) = (Vec::new(), Vec::new());
    samples.write(&mut fastq, &mut tsv).unwrap();
    assert_eq!((&fastq[..], &tsv[..]), (&b""[..], &b"sample\tsignature\tstrand\tstart\tend\n"[..]));
}
