//! What threads take at a time: targets of like lengths, by queries of so many residues that the profile of eight columns costs
//! little beside them and that their rows stay in the second cache.

use super::super::Database;

/// Residues of the queries of a tile, but for the last query.
const RESIDUES: usize = 1 << 11;

/// Targets and queries, by number.
#[derive(Clone, Copy)]
pub struct Tile<'a> {
    pub targets: &'a [u32],
    pub queries: &'a [u32],
}

/// The targets of a database, cut for vectors.
pub struct Blocks<'a> {
    pub lanes: usize,
    /// Blocks of at most so many targets.
    pub full: Vec<&'a [u32]>,
    /// Targets too long for a lane, and those with which most lanes would be empty.
    pub alone: Vec<u32>,
}

impl<'a> Blocks<'a> {
    /// Cuts the order of the database where lengths fall below half of a block's first. `None`: all targets are alone.
    pub fn new(database: &'a Database, lanes: usize, longest: usize) -> Self {
        let (mut full, mut alone) = (Vec::new(), Vec::new());
        let length = |target: u32| database.targets().length(target as usize);
        let mut rest = database.order();
        while let Some(&first) = rest.first() {
            let like = |&&target: &&u32| length(first) <= 2 * length(target) + COLUMNS_WASTED;
            let (block, later) = rest.split_at(rest.iter().take(lanes).take_while(like).count());
            if length(first) <= longest && is_worth_it(block.len(), lanes) {
                full.push(block)
            } else {
                alone.extend(block)
            }
            rest = later;
        }
        Self { lanes, full, alone }
    }
}

/// Columns that cost less than a block of their own.
const COLUMNS_WASTED: usize = 64;

/// Whether so many targets are worth a block. On one core with AVX-512, the aligner makes 6 G cells a second of proteins; full
/// lanes make more than 35 in 8 bits.
pub fn is_worth_it(targets: usize, lanes: usize) -> bool {
    targets * 6 >= lanes
}

/// Cuts queries into groups of some residues, given how many each has.
pub fn groups(mut queries: &[u32], rows: impl Fn(u32) -> usize) -> Vec<&[u32]> {
    let mut groups = Vec::new();
    while !queries.is_empty() {
        let mut sum = 0;
        let before = |&&query: &&u32| {
            let before = sum;
            sum += rows(query);
            before == 0 || sum <= RESIDUES
        };
        let (group, rest) = queries.split_at(queries.iter().take_while(before).count());
        groups.push(group);
        queries = rest;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpseq_seq::Sequences;

    #[test]
    fn every_target_is_in_one_block_of_like_lengths_or_alone() {
        let lengths = (0..100).chain((0..300).map(|k| 200 + k % 90)).chain([1000; 20]).chain([5000, 5001, 90_000]);
        let targets: Sequences = lengths.map(|length| b"A".repeat(length)).collect();
        let database = Database::new(&targets);
        let length = |target: &u32| targets.length(*target as usize);
        for (lanes, longest) in [(16, 6000), (32, 6000), (64, 200), (64, 0), (64, usize::MAX)] {
            let Blocks { full, alone, .. } = Blocks::new(&database, lanes, longest);
            let mut all = [full.concat(), alone.clone()].concat();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..targets.len() as u32));
            for block in &full {
                assert!(is_worth_it(block.len(), lanes) && block.len() <= lanes && length(&block[0]) <= longest);
                assert!(block.iter().all(|target| 2 * length(target) + COLUMNS_WASTED >= length(&block[0])));
            }
            assert!(longest < 1000 || alone.len() < 3 * lanes.div_ceil(6), "{lanes}: {} alone", alone.len());
        }
    }

    #[test]
    fn groups_have_about_as_many_rows() {
        let rows = |query: u32| [0, 100, 3000, 700][query as usize % 4];
        let queries: Vec<u32> = (0..100).collect();
        let groups = groups(&queries, rows);
        assert_eq!(groups.concat(), queries);
        let sum = |group: &[u32]| group.iter().map(|&query| rows(query)).sum::<usize>();
        assert!(
            groups.iter().all(|group| sum(group) <= RESIDUES || group.iter().filter(|&&q| rows(q) > 0).count() == 1)
        );
        assert!(groups.windows(2).all(|pair| sum(pair[0]) + rows(pair[1][0]) > RESIDUES));
    }
}
