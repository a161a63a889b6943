//! `align` on the GPU: the matrix of a pair, and the way back through it.
//!
//! # Forward
//!
//! A *group* of 4, 8, 16 or 32 lanes aligns a *packed_pair* of pairs with two 16-bit scores in each register, or one pair with
//! 32-bit scores. Each lane keeps 16 target columns in registers; query rows pass through the lanes from left to right, so
//! that lane g is at row t - g in step t:
//!
//! ```text
//!            lane 0     lane 1     lane 2     lane 3           strip: all columns of a group
//! step t     row t      row t-1    row t-2    row t-3
//!            ------->   ------->   ------->   ------->         H (and E) of a lane's last column go to the next lane by a
//!                                                              shuffle, with the row's letters
//! ```
//!
//! A row's scores come from a *profile* in shared memory: for each query letter and column one signed byte, so one 128-bit
//! load gives 16 columns and one PRMT two scores. A target wider than the group has several *strips*, one launch after the
//! other; a long query is cut into *chunks* of steps, so that strips can follow one another two chunks behind.
//!
//! Rows outside the query and columns outside the target are padded with a letter that scores below zero everywhere. In
//! local mode such cells are never a first maximum: their score comes from a real cell, less something. In the other modes
//! nobody looks at them: rows that have not begun are skipped, and padding lies below and to the right of all that counts.
//!
//! # Back
//!
//! The forward pass keeps no directions. Every 32 steps it saves each lane's columns (`rows_*`), and after every step each
//! lane's last column (`columns_*`). Both follow the slant of the wavefront, so all lanes save together. `align_traceback` then
//! computes again the tiles of 32 rows by 16 columns that the path crosses, from its end on, with directions this time.
//! The end is found the same way: the forward pass knows the best score, its first row and the lane; the walk's first tile
//! shows the column.
//!
//! Within a tile the directions follow the rules to the letter: diagonal, then up, then left, and opening over extending,
//! since candidates are compared for equality in that order.

pub mod cell;
pub mod forward;
pub mod kernel;
pub mod traceback;

#[cfg(test)]
mod tests;
