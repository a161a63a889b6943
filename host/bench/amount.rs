//! The amount of work done, its rate, and how that compares with the CPU.

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
    /// `files`: bytes of a file that is read, compressed ones if it is compressed.
    Bytes,
    /// `files`: reads of a command's input, each mate for itself.
    Reads,
}

impl Unit {
    /// The word for it, which is also the key in a record.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cells => "cells",
            Self::Residues => "residues",
            Self::Pairs => "pairs",
            Self::Bytes => "bytes",
            Self::Reads => "reads",
        }
    }

    /// The name of billions of them per second, for people.
    pub const fn rate(self) -> &'static str {
        match self {
            Self::Cells => "GCUPS",
            Self::Residues => "Gres/s",
            Self::Pairs => "Gpairs/s",
            Self::Bytes => "GB/s",
            Self::Reads => "Greads/s",
        }
    }

    /// The same, as a key in a record.
    fn rate_key(self) -> &'static str {
        match self {
            Self::Cells => "gcups",
            Self::Residues => "gres_per_s",
            Self::Pairs => "gpairs_per_s",
            Self::Bytes => "gb_per_s",
            Self::Reads => "greads_per_s",
        }
    }
}

/// The amount of work done in the median time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount {
    pub unit: Unit,
    pub count: u64,
    /// Billions of the unit per second.
    pub rate: f64,
    /// The rate divided by that of the CPU engine, both of the call clock.
    pub speed_up: Option<f64>,
    /// Number of alignments or rows compared with those of the CPU engine and found identical.
    pub identical: Option<usize>,
}

impl Amount {
    /// `count` done in `ms` milliseconds, without a comparison.
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
