//! Options of `warpseq align` that leave out alignments.

use warpseq::align::filter::Thresholds;
use warpseq::align::scoring::Decimal;
use warpseq::seq::Fraction;

/// What an alignment must have to be reported. With --top, the best targets are taken first.
#[derive(clap::Args)]
#[command(next_help_heading = "Filters")]
pub(super) struct Filters {
    /// Report alignments with this score or a better one
    #[arg(long, hide_short_help = true, value_name = "SCORE", allow_negative_numbers = true)]
    min_score: Option<Decimal>,
    /// Report alignments with this part of equal columns, such as 0.9
    #[arg(long, hide_short_help = true, value_name = "FRACTION")]
    min_identity: Option<Fraction>,
    /// Report alignments of this part of the query, such as 0.8
    #[arg(long, hide_short_help = true, value_name = "FRACTION")]
    min_query_cover: Option<Fraction>,
    /// Report alignments with this E-value or a lower one, with E-value and bits
    ///
    /// The E-value is the number of alignments as good that chance gives among all targets; it is NCBI BLAST+'s. Needs --pairs all,
    /// local alignments, and a scoring that NCBI has tabulated.
    #[arg(long, hide_short_help = true, value_name = "E", value_parser = evalue)]
    evalue: Option<f64>,
}

impl Filters {
    /// The same for a run.
    pub(super) fn thresholds(&self) -> Thresholds {
        let Self { min_score: score, min_identity: identity, min_query_cover: query_cover, evalue } = *self;
        Thresholds { score, identity, query_cover, evalue }
    }
}

fn evalue(text: &str) -> std::result::Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| number > 0.0);
    number.ok_or_else(|| "expected a number above 0, such as 10 or 1e-3".to_owned())
}
