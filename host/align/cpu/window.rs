//! A window: a rectangle in each lane, with an origin of its own, whose residues are looked at in step.

use super::alphabet::Scores as Scored;
use super::codes::Codes;
use super::lookup::{self, Place};
use super::question::Question;
use super::strip::{COLUMNS, Chunk, Classes, Costs, Edge, ROWS, Record, Scores};
use super::vector::Vector;
use std::ops::Range;

/// The residues of all lanes, and where each lane's rectangle begins in them.
pub struct Window<V> {
    query: Codes,
    target: Codes,
    /// First row, first column, lane by lane.
    origins: Vec<[usize; 2]>,
    /// Classes of the rows, of the columns.
    rows: Vec<V>,
    columns: Vec<V>,
    scores: Vec<[V; ROWS]>,
    costs: Costs<V>,
}

/// Four rows and up to [`COLUMNS`] columns of a window.
pub struct Part {
    pub row: usize,
    pub columns: Range<usize>,
}

impl<V: Vector> Window<V> {
    /// A window on nothing.
    pub fn new(proof: V) -> Self {
        let costs = Costs { open: proof, extend: proof, zero: proof, equal: proof, different: proof };
        let scores = vec![[proof; ROWS]; COLUMNS];
        let (query, target) = Default::default();
        Self { query, target, origins: vec![[0; 2]; V::LANES], rows: vec![], columns: vec![], scores, costs }
    }

    /// Takes the residues of pairs, one per lane.
    pub fn load<'a>(
        &mut self,
        question: &Question<V>,
        pairs: impl Iterator<Item = (&'a [u8], &'a [u8])> + Clone,
        costs: Costs<V>,
    ) {
        let alphabet = question.alphabet;
        let [query, target] = alphabet.padding;
        self.query.load(V::LANES, pairs.clone().map(|(query, _)| query), (&alphabet.query, query));
        self.target.load(V::LANES, pairs.map(|(_, target)| target), (&alphabet.target, target));
        self.costs = costs;
    }

    /// Moves to other origins, for a rectangle of so many rows and columns.
    pub fn open(&mut self, question: &Question<V>, origins: &[[usize; 2]], [rows, columns]: [usize; 2]) {
        self.origins.copy_from_slice(origins);
        if let Scored::Classes { .. } = question.alphabet.scores {
            self.rows.resize(rows.next_multiple_of(ROWS), question.proof);
            self.columns.resize(columns, question.proof);
            self.query.classes(origins.iter().map(|origin| origin[0]), &mut self.rows);
            self.target.classes(origins.iter().map(|origin| origin[1]), &mut self.columns);
        }
    }

    /// The costs that the residues came with.
    pub fn costs(&self) -> &Costs<V> {
        &self.costs
    }

    /// Computes a part.
    pub fn compute<R: Record<V>>(&mut self, question: &Question<V>, part: Part, edge: Edge<V>, record: R) -> R {
        let affine = !question.scoring.is_linear();
        if let Scored::Classes { .. } = question.alphabet.scores {
            let query = self.rows[part.row..].first_chunk().copied().expect("rows are padded to whole strips");
            let source = Classes { query, target: &self.columns[part.columns], costs: &self.costs };
            return Chunk { edge, costs: &self.costs, source, record }.compute(affine);
        }
        let count = part.columns.len();
        self.look_up(question, part);
        Chunk { edge, costs: &self.costs, source: Scores(&self.scores[..count]), record }.compute(affine)
    }

    fn look_up(&mut self, question: &Question<V>, Part { row, columns }: Part) {
        let Scored::Table { size, table, shuffled } = &question.alphabet.scores else { return };
        let origins: Vec<_> = self.origins.iter().map(|origin| [origin[0] + row, origin[1] + columns.start]).collect();
        let place = Place { query: &self.query, target: &self.target, origins: &origins };
        #[cfg(target_arch = "x86_64")]
        if let (true, Some(bytes)) = (V::SHUFFLES, shuffled) {
            let scores = &mut self.scores[..columns.len().next_multiple_of(16)];
            // SAFETY: vectors for which `SHUFFLES` holds are proof of AVX2.
            return unsafe { lookup::shuffle(bytes, &place, scores) };
        }
        lookup::each(table, *size, &place, &mut self.scores[..columns.len()]);
    }
}
