//! Queries in the directions in which they are aligned, and the better alignment of each pair.

use super::{Alignment, Sequences};
use warpseq_engine::error::Result;
use warpseq_seq::strand::reverse_complement;
use warpseq_seq::{Strands, Wildcards};

/// An alignment, and whether it is one of the query's reverse complement.
pub type Stranded = (Alignment, bool);

/// Queries in the directions in which they are aligned; not both are `None`.
pub struct Directions<'a> {
    /// As read.
    forward: Option<&'a Sequences>,
    /// Their reverse complements.
    reverse: Option<Sequences>,
}

impl<'a> Directions<'a> {
    /// The queries along these strands.
    pub fn new(queries: &'a Sequences, strands: Strands) -> Self {
        let reverse_complements =
            || queries.iter().map(|query| reverse_complement(query, Wildcards::Iupac)).collect::<Sequences>();
        Self {
            forward: (strands != Strands::Reverse).then_some(queries),
            reverse: (strands != Strands::Forward).then(reverse_complements),
        }
    }

    /// The queries as read, and their reverse complements.
    pub fn each(&self) -> [Option<&Sequences>; 2] {
        [self.forward, self.reverse.as_ref()]
    }

    /// The better alignment of each pair, forward where both strands are as good. `align` aligns all pairs with the queries that it
    /// is given.
    ///
    /// # Errors
    /// Those of `align`.
    pub fn align(&self, mut align: impl FnMut(&Sequences) -> Result<Vec<Alignment>>) -> Result<Vec<Stranded>> {
        let [forward, reverse] = self.each();
        let mut one_way = |queries, reverse| -> Result<Vec<Stranded>> {
            Ok(align(queries)?.into_iter().map(|alignment| (alignment, reverse)).collect())
        };
        let forward = forward.map(|queries| one_way(queries, false)).transpose()?;
        let reverse = reverse.map(|queries| one_way(queries, true)).transpose()?;
        Ok(match (forward, reverse) {
            (Some(forward), Some(reverse)) => forward.into_iter().zip(reverse).map(better).collect(),
            (one, other) => one.or(other).expect("one of the strands is aligned"),
        })
    }
}

fn better((forward, reverse): (Stranded, Stranded)) -> Stranded {
    if reverse.0.score > forward.0.score { reverse } else { forward }
}
