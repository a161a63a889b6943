//! `sign tree`: a tree of records by their distances, as Newick.
//!
//! # Definition
//!
//! Neighbour joining (Saitou and Nei 1987, Mol. Biol. Evol. 4:406) with the sums of Studier and Keppler (1988, Mol. Biol. Evol. 5:729).
//! Of m nodes with the distances d, and S(i) the sum of the distances of i to all nodes, the two are joined that have the least
//!
//! ```text
//! Q(i, j) = (m - 2) d(i, j) - (S(i) + S(j))
//! ```
//!
//! of equal ones the pair whose first node comes first, then that whose second does. The new node u takes the place of the first of
//! them in this order:
//!
//! ```text
//! length of i's branch   d(i, j) / 2 + (S(i) - S(j)) / (2 (m - 2))        j's: d(i, j) less that
//! d(u, k)                (d(i, k) + d(j, k) - d(i, j)) / 2
//! ```
//!
//! The last three nodes meet in one, so the tree has no root. A length may be negative where distances are not those of a tree; it is
//! written as it is.
//!
//! # Who does what
//!
//! ```text
//! Mapped: records with a signature, their distances -> joining: Tree -> newick
//! ```
//!
//! # Why threads do not matter
//!
//! Every Q is computed from three numbers in one way. The least is a number whatever the order in which they are looked through, and
//! the pair is chosen among all that have it.

mod joining;
mod newick;
pub mod run;
#[cfg(test)]
mod tests;

pub use joining::join;
pub use newick::newick;

/// The most records of a tree.
pub const MOST: usize = 5000;

/// A node: a record by its number, or, from the number of records on, a join.
pub type Node = usize;

/// A node and the length of the branch that leads to it.
pub type Branch = (Node, f64);

/// A tree of n records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// Join k is node n + k, and its branches lead to records and to earlier joins: two each, and the last three, unless there are
    /// fewer records. A tree of one record, or of none, has no joins.
    pub joins: Vec<Vec<Branch>>,
}
