//! How much was done, at which rate, and how that compares with the CPU's.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// `align`: query length times target length, summed over the pairs.
    Cells,
    /// `sign`: letters of the sequences signed.
    Residues,
    /// `sign`: queries times targets.
    Pairs,
}

impl Unit {
    /// As a word, and as a key of a record.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cells => "cells",
            Self::Residues => "residues",
            Self::Pairs => "pairs",
        }
    }

    /// Billions of them a second, as people write it.
    pub const fn rate(self) -> &'static str {
        match self {
            Self::Cells => "GCUPS",
            Self::Residues => "Gres/s",
            Self::Pairs => "Gpairs/s",
        }
    }

    /// The same, as a key of a record.
    fn rate_key(self) -> &'static str {
        match self {
            Self::Cells => "gcups",
            Self::Residues => "gres_per_s",
            Self::Pairs => "gpairs_per_s",
        }
    }
}

/// How much was done in the median time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount {
    pub unit: Unit,
    pub count: u64,
    /// Billions of the unit a second.
    pub rate: f64,
    /// By how much that is more than the CPU engine's rate, call against call.
    pub speed_up: Option<f64>,
    /// Alignments or rows that were compared with the CPU engine's, and are the same.
    pub identical: Option<usize>,
}

impl Amount {
    /// Done in `ms` milliseconds, not compared with anything.
    pub fn in_time(unit: Unit, count: u64, ms: f64) -> Self {
        Self { unit, count, rate: count as f64 / ms / 1e6, speed_up: None, identical: None }
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(self.unit.name(), &self.count)?;
        map.serialize_entry(self.unit.rate_key(), &self.rate)?;
        map.serialize_entry("speed_up", &self.speed_up)?;
        map.serialize_entry("identical", &self.identical)?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_the_unit() {
        let json = |unit| serde_json::to_string(&Amount::in_time(unit, 4_000_000, 2.0)).unwrap();
        assert_eq!(json(Unit::Cells), r#"{"cells":4000000,"gcups":2.0,"speed_up":null,"identical":null}"#);
        assert!(json(Unit::Residues).starts_with(r#"{"residues":4000000,"gres_per_s":2.0"#));
        assert!(json(Unit::Pairs).starts_with(r#"{"pairs":4000000,"gpairs_per_s":2.0"#));
    }
}
