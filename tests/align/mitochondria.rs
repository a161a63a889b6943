//! Two mitochondrial genomes of 16.5 kb, human and orang-utan, about 84 % identical: long paths with real gaps.

use super::scorings::{gap, nucleotide};
use super::{Case, Size, add_up, compare, end_of, rows};
use std::sync::OnceLock;
use warpseq::align::{Aligning, Alignment, Mode, Want};
use warpseq::executor::Executor;

/// The genomes, or none where `../shared/data` is not there.
fn genomes() -> Option<(Vec<u8>, Vec<u8>)> {
    let read = |file: &str| {
        let text = std::fs::read(crate::place::shared(&format!("data/{file}"))?).expect("the genome can be read");
        Some(text.split(|&byte| byte == b'\n').skip(1).flatten().copied().collect::<Vec<u8>>())
    };
    Some((read("MT-human.fa")?, read("MT-orang.fa")?))
}

/// Linear and local, affine and global; the first `longest` symbols of each genome.
fn cases(longest: usize) -> Option<Vec<Case>> {
    let (human, orang) = genomes()?;
    let pair = [(&human[..longest.min(human.len())], &orang[..longest.min(orang.len())])];
    let local = Case::zip("mitochondria, local", nucleotide(Mode::Local, [1, -1], gap(2, 2)), &pair);
    let global = Case::zip("mitochondria, global", nucleotide(Mode::Global, [2, -3], gap(6, 2)), &pair);
    Some(vec![local, global])
}

/// The cases of a size and what [`rows`] makes of them.
fn solved(size: Size) -> &'static [(Case, Alignment)] {
    static SOLVED: [OnceLock<Vec<(Case, Alignment)>>; 3] = [const { OnceLock::new() }; 3];
    let longest = [200, 3000, usize::MAX][size as usize];
    SOLVED[size as usize].get_or_init(|| {
        let solve = |case: Case| {
            let (query, target) = case.batch().residues(0);
            let expected = rows::align(query, target, &case.scoring);
            (case, expected)
        };
        cases(longest).into_iter().flatten().map(solve).collect()
    })
}

pub fn check(executor: &mut dyn Executor<Aligning>, size: Size) {
    for (case, expected) in solved(size) {
        let found = case.align(executor, Want::Path);
        compare(case, &found, std::slice::from_ref(expected));
        add_up(case, &found);
        compare(case, &case.align(executor, Want::Score), &[end_of(expected)]);
    }
}
