//! Depth along the genomes of positive groups, sample by sample.
//!
//! Steps are filled up to the depth, on a scale of their own for each genome: linear, or by logarithm where the highest step is more
//! than [`STEEP`] times the mean. A grey bar is a stretch without signatures, where the depth is unknown.

use super::Calls;
use super::depth::{Track, Tracks};
use super::html::{count, counted, name, percent};
use std::fmt::Write;

/// How many times the mean a peak is that hides all else on a linear scale.
const STEEP: f64 = 12.0;
/// The size of a picture, in units of its own.
const WIDE: usize = 800;
const HIGH: f64 = 100.0;

/// All samples, each with its pictures.
pub fn write(calls: &Calls, tracks: &Tracks, out: &mut String) {
    if tracks.left_out > 0 {
        let left_out = counted(tracks.left_out, "genome is", "genomes are");
        let _ = writeln!(out, "<p class=warn>{left_out} left out for the size of the page.</p>");
    }
    for (number, sample) in calls.summary.samples().iter().enumerate() {
        let _ = writeln!(
            out,
            "<section id=s{0} aria-labelledby=h{0}><h3 id=h{0}>{1}</h3>",
            number + 1,
            name(&sample.label)
        );
        let own = tracks.all().iter().filter(|track| track.sample == number && calls.is_positive(number, track.genome));
        let before = out.len();
        own.for_each(|track| figure(calls, tracks, track, out));
        if out.len() == before {
            out.push_str("<p class=soft>No positive genome to draw.</p>\n");
        }
        out.push_str("</section>\n");
    }
}

/// The picture of a genome, with what is told of it beside.
fn figure(calls: &Calls, tracks: &Tracks, track: &Track, out: &mut String) {
    let genomes = calls.summary.genomes();
    let (genome, (depths, median)) =
        (&genomes.all[track.genome], calls.summary.samples()[track.sample].genomes[track.genome]);
    let group = &genomes.groups[genome.group];
    let steps = tracks.depths(track);
    let known: Vec<f64> = steps.iter().flatten().copied().collect();
    let most = known.iter().copied().fold(0.0, f64::max);
    let is_steep = most > STEEP * known.iter().sum::<f64>() / known.len() as f64;
    let of_group = if *group == genome.name { String::new() } else { format!("{}, ", name(group)) };
    let scale = if is_steep { "by logarithm" } else { "linear" };
    let peak = if most < 10.0 { format!("{most:.1}") } else { count(most.round() as u64) };
    let _ = writeln!(
        out,
        "<figure class=track><figcaption><b>{}</b>{of_group}breadth {} ({} of {})<br>median depth {}, peak \
         {peak}; {scale}</figcaption><div class=plot>",
        name(&genome.name),
        percent(depths.breadth()),
        count(depths.found),
        counted(depths.signatures, "signature", "signatures"),
        count(median),
    );
    let (filled, unknown) = paths(&steps, most, is_steep);
    let _ = writeln!(
        out,
        "<svg viewBox=\"0 0 {WIDE} {HIGH}\" preserveAspectRatio=none role=img><title>Depth along {}, at most {peak}</title>\
         <path class=u d=\"{unknown}\"/><path class=d d=\"{filled}\"/></svg>",
        name(&genome.name),
    );
    let length = tracks.length(track);
    let _ = writeln!(
        out,
        "<div class=axis aria-hidden=true><span>0</span><span>{}</span><span>{} bases</span></div></div></figure>",
        count(length / 2),
        count(length)
    );
}

/// The outlines of what is filled, and of what is unknown.
fn paths(steps: &[Option<f64>], most: f64, is_steep: bool) -> (String, String) {
    let (mut filled, mut unknown) = (format!("M0 {HIGH}"), String::new());
    let x = |step: usize| step * WIDE / steps.len();
    let scaled = |depth: f64| if is_steep { libm::log1p(depth) / libm::log1p(most) } else { depth / most };
    let mut last = None;
    for (step, depth) in steps.iter().enumerate() {
        // The highest step keeps a little room above it; what is not 0 is seen.
        let high = depth.filter(|&depth| depth > 0.0).map_or(0.0, |depth| (96.0 * scaled(depth)).round().max(2.0));
        if last != Some(high) {
            let _ = write!(filled, "H{}V{}", x(step), HIGH - high);
            last = Some(high);
        }
        if depth.is_none() {
            let _ = write!(unknown, "M{} 0H{}V{HIGH}H{}z", x(step), x(step + 1), x(step));
        }
    }
    let _ = write!(filled, "H{WIDE}V{HIGH}z");
    (filled, unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_have_their_heights_and_what_is_unknown_its_place() {
        let steps = [Some(0.0), Some(5.0), Some(5.0), None, Some(10.0)];
        let (filled, unknown) = paths(&steps, 10.0, false);
        assert_eq!(filled, "M0 100H0V100H160V52H480V100H640V4H800V100z");
        assert_eq!(unknown, "M480 0H640V100H480z");
        let (by_logarithm, _) = paths(&steps, 10.0, true);
        assert!(by_logarithm.contains("H160V28H480"), "ln 6 / ln 11 of 96: {by_logarithm}");
        assert!(paths(&[Some(0.001), Some(10.0)], 10.0, false).0.starts_with("M0 100H0V98H400"));
    }
}
