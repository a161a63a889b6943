//! Costs of gaps: which numbers were given, in which convention, and whether they make sense.
//!
//! ```text
//! --gap G                                a gap of n symbols costs n * G, in both conventions
//! --gap-open O --gap-extend E            O + (n - 1) * E      E <= O
//!   ... --gap-model blast                O + n * E            our open is O + E, so any E is fine, and O may be 0
//! ```

use super::{Alphabet, Decimal, Rules, usage};
use warpseq_engine::error::Result;

/// Which convention the gap costs are given in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GapModel {
    /// A gap of n symbols costs `open + (n - 1) * extend`.
    #[default]
    Affine,
    /// A gap of n symbols costs `open + n * extend`.
    Blast,
}

/// Costs of gaps in our convention.
pub(super) struct Costs {
    pub open: Decimal,
    pub extend: Decimal,
}

impl Rules {
    /// # Errors
    /// [`Error::Usage`](warpseq_engine::error::Error::Usage); see [`super`].
    pub(super) fn costs(&self) -> Result<Costs> {
        for (option, cost) in [("--gap", self.gap), ("--gap-open", self.gap_open), ("--gap-extend", self.gap_extend)] {
            self.check_cost(option, cost)?;
        }
        let costs = match (self.gap, self.gap_open, self.gap_extend) {
            (Some(gap), None, None) => Costs { open: gap, extend: gap },
            (Some(gap), ..) => {
                return usage(format!(
                    "--gap {gap} is the cost of every symbol of a gap and goes without --gap-open and --gap-extend: \
                     leave it out, or them"
                ));
            }
            (None, open, extend) if self.gap_model == GapModel::Blast => return blast_costs(open, extend),
            (None, open, extend) => {
                let (usual_open, usual_extend) = match self.alphabet {
                    Alphabet::Matrix(_) => (11, 1),
                    _ => (2, 2),
                };
                let open = open.unwrap_or(Decimal::whole(usual_open));
                Costs { open, extend: extend.unwrap_or(Decimal::whole(usual_extend)) }
            }
        };
        self.check_order(&costs)?;
        Ok(costs)
    }

    /// BLAST's opening may be 0: such costs are linear.
    fn check_cost(&self, option: &str, cost: Option<Decimal>) -> Result<()> {
        let free_opening = option == "--gap-open" && self.gap_model == GapModel::Blast;
        match cost {
            Some(cost) if cost < Decimal::ZERO => {
                usage(format!("{option} {cost}: gaps are given as costs, which are positive; write {option} {}", -cost))
            }
            Some(Decimal::ZERO) if !free_opening => {
                usage(format!("{option} 0: a gap must cost more than 0; write {option} 1"))
            }
            _ => Ok(()),
        }
    }

    fn check_order(&self, Costs { open, extend }: &Costs) -> Result<()> {
        if extend <= open {
            return Ok(());
        }
        let message = format!("--gap-extend {extend} is above --gap-open {open}, the cost of a gap's first symbol");
        usage(match (self.gap_open, self.gap_extend) {
            (Some(_), None) => {
                format!("{message}; {extend} is the default: write --gap-open {open} --gap-extend {open}")
            }
            (None, _) => format!("{message}; {open} is the default: write --gap-open {extend} --gap-extend {extend}"),
            _ => format!(
                "{message}; write --gap-open {extend} --gap-extend {open} if they are swapped, or add --gap-model blast if \
                 a gap of n symbols shall cost {open} + n * {extend}"
            ),
        })
    }
}

fn blast_costs(open: Option<Decimal>, extend: Option<Decimal>) -> Result<Costs> {
    match (open, extend) {
        (Some(open), Some(extend)) => Ok(Costs { open: open + extend, extend }),
        _ => usage(
            "--gap-model blast says what --gap-open and --gap-extend mean: give both, for example --gap-open 5 --gap-extend 2"
                .into(),
        ),
    }
}
