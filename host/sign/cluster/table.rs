//! Clusters as tab-separated text: the cluster of each window, and the summary of each cluster.
//!
//! ```text
//! members    sequence  start  end  cluster  distance               a line per window, NA if it has no k-mer
//! clusters   cluster  size  mean_distance  max_distance  medoid  medoid_start  medoid_end
//! ```
//!
//! Positions are 0-based and half-open. Distances are in bits, to the centroid; means have 3 decimals, the nearest
//! ones; of two equally near, the one with an even last digit.

use super::{Clusters, Group};
use crate::collection::{Collection, Place, Present};
use std::io::{self, Write};

/// Writes the windows in their order. `clusters` is `None` for a collection without points.
///
/// # Errors
/// Those of `out`.
pub fn write_members(out: &mut impl Write, collection: &Collection, clusters: Option<&Clusters>) -> io::Result<()> {
    out.write_all(b"sequence\tstart\tend\tcluster\tdistance\n")?;
    let mut point = 0;
    for sequence in 0..collection.len() {
        for (index, window) in (0..).zip(collection.windows(sequence)) {
            let residues = collection.parameters.window.range(index, collection.lengths[sequence]);
            write_place(out, collection, &Place { sequence, residues })?;
            match clusters.filter(|_| collection.is_present(window)) {
                Some(Clusters { of, distances, .. }) => {
                    writeln!(out, "\t{}\t{}", of[point], distances[point])?;
                    point += 1;
                }
                None => out.write_all(b"\tNA\tNA\n")?,
            }
        }
    }
    Ok(())
}

/// Writes the summary of each cluster. The medoid of a group is one of `points`.
///
/// # Errors
/// Those of `out`.
pub fn write_groups(
    out: &mut impl Write,
    collection: &Collection,
    points: &Present,
    groups: &[Group],
) -> io::Result<()> {
    out.write_all(b"cluster\tsize\tmean_distance\tmax_distance\tmedoid\tmedoid_start\tmedoid_end\n")?;
    for (cluster, group) in groups.iter().enumerate() {
        let Group { size, max, medoid, .. } = group;
        write!(out, "{cluster}\t{size}\t{:.3}\t{max}\t", group.mean())?;
        write_place(out, collection, &collection.place(points.window(*medoid)))?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn write_place(out: &mut impl Write, collection: &Collection, place: &Place) -> io::Result<()> {
    out.write_all(&collection.names[place.sequence])?;
    write!(out, "\t{}\t{}", place.residues.start, place.residues.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::Builder;
    use crate::{Parameters, Records, Signatures, Window};

    /// Two windows of `a`, the second without a k-mer; none of `b`; one of `c`.
    fn collection() -> Collection {
        let parameters = Parameters { window: Window::Length(4), ..Parameters::QUT };
        let mut batch = Records::default();
        for (name, residues) in [("a", "MKVLAT"), ("b", ""), ("c", "MKV")] {
            batch.push(name.as_bytes(), residues.as_bytes());
        }
        let mut builder = Builder::new(&parameters);
        let bytes = [[0xFF; 8], [0; 8], [0; 8], [0x0F; 8]].concat();
        builder.push(&batch, &Signatures { bytes, present: vec![1, 0, 0, 1] }, &[2, 0, 0, 1]);
        builder.finish()
    }

    fn text(write: impl Fn(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_line_per_window() {
        let clusters =
            Clusters { of: vec![1, 0], distances: vec![3, 0], centroids: vec![0; 16], rounds: 1, settled: true };
        assert_eq!(
            text(|out| write_members(out, &collection(), Some(&clusters))),
            "sequence\tstart\tend\tcluster\tdistance\na\t0\t4\t1\t3\na\t2\t6\tNA\tNA\nc\t0\t3\t0\t0\n"
        );
        assert!(text(|out| write_members(out, &collection(), None)).ends_with("c\t0\t3\tNA\tNA\n"));
    }

    #[test]
    fn a_line_per_cluster() {
        let collection = collection();
        // 1/80 is a half of the third decimal, and the float that is nearest to it is above.
        for (sum, size, mean) in [(2, 3, "0.667"), (1, 80, "0.012")] {
            let groups = [Group { size, sum, max: 5, medoid: 1 }];
            let table = text(|out| write_groups(out, &collection, &collection.points(), &groups));
            assert_eq!(table.lines().last().unwrap(), format!("0\t{size}\t{mean}\t5\tc\t0\t3"));
        }
    }
}
