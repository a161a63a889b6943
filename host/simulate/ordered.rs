//! Records made by all threads, and written in order and in bounded memory.
//!
//! ```text
//! pool    | make group 1 | make group 2 | make group 3 |
//! caller                 | write group 1| write group 2| write group 3
//! ```
//!
//! A task renders consecutive records into one buffer per output, and a group is several tasks. Two groups are in memory at a
//! time: 128 MB, or two records if a record is larger than a group. The groups decide when records are written, never what.

use rayon::prelude::*;
use std::io::{self, Write};

const TASK_BYTES: usize = 1 << 20;
const GROUP_BYTES: usize = 64 << 20;

/// Writes what `render` appends for each of the records 0..`records`, in order. `largest` is roughly the size of the largest
/// record in bytes, which only memory and balance depend on.
///
/// # Errors
/// The first error of an output, after which no more records are made.
pub(super) fn write<const N: usize>(
    mut outputs: [&mut dyn Write; N],
    records: usize,
    largest: usize,
    render: impl Fn(usize, &mut [Vec<u8>; N]) + Sync,
) -> io::Result<()> {
    let per_task = (TASK_BYTES / largest.max(1)).max(1);
    let tasks = (GROUP_BYTES / per_task.saturating_mul(largest).max(1)).clamp(1, 4 * rayon::current_num_threads());
    let make = |group: usize| -> Vec<[Vec<u8>; N]> {
        let tasks = (group * tasks..(group + 1) * tasks).into_par_iter();
        tasks
            .map(|task| {
                let mut text = std::array::from_fn(|_| Vec::new());
                let from = (task * per_task).min(records);
                (from..(from + per_task).min(records)).for_each(|record| render(record, &mut text));
                text
            })
            .collect()
    };
    let groups = records.div_ceil(per_task * tasks);
    let mut ready = make(0);
    for group in 1..=groups {
        let mut following = Vec::new();
        rayon::in_place_scope(|scope| {
            if group < groups {
                scope.spawn(|_| following = make(group));
            }
            write_group(&mut outputs, &ready)
        })?;
        ready = following;
    }
    Ok(())
}

fn write_group<const N: usize>(outputs: &mut [&mut dyn Write; N], group: &[[Vec<u8>; N]]) -> io::Result<()> {
    for task in group {
        for (output, text) in outputs.iter_mut().zip(task) {
            output.write_all(text)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(records: usize, largest: usize) -> (Vec<u8>, Vec<u8>) {
        let (mut all, mut even) = (Vec::new(), Vec::new());
        write([&mut all, &mut even], records, largest, |record, [all, even]| {
            all.extend(format!("{record} ").bytes());
            if record % 2 == 0 {
                even.extend(format!("{record} ").bytes());
            }
        })
        .unwrap();
        (all, even)
    }

    #[test]
    fn order_is_that_of_the_records_for_any_grouping() {
        assert_eq!(numbers(5, 1), (b"0 1 2 3 4 ".to_vec(), b"0 2 4 ".to_vec()));
        for records in [0, 1, 7, 1000] {
            for largest in [TASK_BYTES / 3, GROUP_BYTES, 2 * GROUP_BYTES] {
                assert_eq!(numbers(records, largest), numbers(records, 0), "{records} of {largest}");
            }
        }
    }

    #[test]
    fn an_error_of_an_output_ends_it() {
        let mut room = [0u8; 3];
        let result = write([&mut &mut room[..]], 10, GROUP_BYTES, |_, [text]| text.push(b'x'));
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::WriteZero);
        assert_eq!(room, *b"xxx");
    }
}
