//! `align` on the GPU: the matrix of a pair, and the traceback through it.
//!
//! # Forward
//!
//! A *group* of 4, 8, 16 or 32 lanes aligns a *packed pair*: two pairs with 16-bit scores packed into each register, or
//! one pair with 32-bit scores. Each lane keeps 16 target columns in registers. Query rows pass through the lanes from
//! left to right, so lane g is at row t - g in step t:
//!
//! ```text
//!            lane 0     lane 1     lane 2     lane 3           strip: all columns of a group
//! step t     row t      row t-1    row t-2    row t-3
//!            ------->   ------->   ------->   ------->         H (and E) of a lane's last column go to the next lane by a
//!                                                              shuffle, with the row's residues
//! ```
//!
//! A row's scores come from a *profile* in shared memory, with one signed byte for each query residue and column. One
//! 128-bit load gives the scores of 16 columns, and one PRMT two of them as 16-bit numbers. A target wider than the
//! group has several *strips*, in one launch after the other. A long query is cut into *chunks* of steps, so that each
//! strip can follow the one to its left by two chunks.
//!
//! Rows past the query and columns past the target are padded with a residue that scores below zero against every
//! other. In local mode such a cell is never the first maximum: its score is that of a real cell, less something. In
//! the other modes nothing reads such cells: rows that have not begun are skipped, and the padding lies below and to
//! the right of everything that counts.
//!
//! # Traceback
//!
//! The forward pass keeps no directions. It saves each lane's columns every 32 steps (`rows_*`), and each lane's last
//! column after every step (`columns_*`). Both follow the slant of the wavefront, so all lanes save at the same time.
//! `align_traceback` then recomputes the tiles of 32 rows by 16 columns that the path crosses, from the path's end on,
//! this time with directions. The end is found the same way: the forward pass gives the best score, its first row and
//! its lane; recomputing the tile there gives the column.
//!
//! Within a tile the directions follow the rules exactly: diagonal before up before left, and opening before extending,
//! since candidates are compared for equality in that order.
//!
//! # Search
//!
//! A search wants the scores of a query with all targets of a database, and no more. There the query is in the lanes, so that
//! the block shares its profile, and two targets of like lengths pass through a group ([`search`]). Which of them are worth
//! an alignment is decided on the device, too ([`keep`]).

pub mod cell;
pub mod forward;
pub mod keep;
pub mod kernel;
pub mod search;
pub mod traceback;

#[cfg(test)]
mod tests;
