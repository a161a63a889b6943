//! One cell and its moves, by the rules: candidates in the order diagonal, up, left; opening before extending.

use crate::abi::{Rules, mode};

/// Where H comes from (0 is nowhere), and the moves of a path.
pub const DIAGONAL: u32 = 1;
pub const UP: u32 = 2;
pub const LEFT: u32 = 3;

/// The other two bits of a cell's moves.
pub const F_EXTENDS: u32 = 4;
pub const E_EXTENDS: u32 = 8;

/// The scores of a cell, and its four bits of moves.
pub struct Cell {
    pub h: i32,
    pub f: i32,
    pub e: i32,
    pub moves: u32,
}

/// What a cell is computed from: H of its three neighbours, F of the one above, E of the one to the left.
pub struct Before {
    pub corner: i32,
    pub h_up: i32,
    pub f_up: i32,
    pub h_left: i32,
    pub e_left: i32,
}

impl Cell {
    /// The cell whose residues score `score`. If `stops`, a local path ends at a cell of score 0.
    #[inline(always)]
    pub fn after(before: &Before, score: i32, rules: &Rules, stops: bool) -> Self {
        let Before { corner, h_up, f_up, h_left, e_left } = *before;
        let (f_open, f_extend) = (h_up - rules.open, f_up - rules.extend);
        let (e_open, e_extend) = (h_left - rules.open, e_left - rules.extend);
        let (f, e) = (f_open.max(f_extend), e_open.max(e_extend));
        let diagonal = corner + score;
        let local = rules.mode == mode::LOCAL;
        let h = diagonal.max(f).max(e).max(if local { 0 } else { i32::MIN });
        let mut moves = if h == e { LEFT } else { 0 };
        moves = if h == f { UP } else { moves };
        moves = if h == diagonal { DIAGONAL } else { moves };
        moves = if local && stops && h == 0 { 0 } else { moves };
        moves |= u32::from(f_open < f_extend) << 2 | u32::from(e_open < e_extend) << 3;
        Self { h, f, e, moves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(mode: u32, stops: bool, [corner, h_up, f_up, h_left, e_left]: [i32; 5], score: i32) -> (i32, u32) {
        let rules = Rules { mode, open: 3, extend: 1, codes: 4, width: 8, chunk: 32 };
        let before = Before { corner, h_up, f_up, h_left, e_left };
        let cell = Cell::after(&before, score, &rules, stops);
        (cell.h, cell.moves)
    }

    #[test]
    fn diagonal_goes_before_up_and_up_before_left() {
        assert_eq!(moves(mode::GLOBAL, true, [4, 8, 0, 8, 0], 1), (5, DIAGONAL));
        assert_eq!(moves(mode::GLOBAL, true, [3, 8, 0, 8, 0], 1), (5, UP));
        assert_eq!(moves(mode::GLOBAL, true, [3, 7, 0, 8, 0], 1), (5, LEFT));
    }

    #[test]
    fn opening_goes_before_extending() {
        assert_eq!(moves(mode::GLOBAL, true, [9, 8, 6, 8, 6], 1), (10, DIAGONAL));
        assert_eq!(moves(mode::GLOBAL, true, [9, 8, 7, 8, 6], 1), (10, DIAGONAL | F_EXTENDS));
        assert_eq!(moves(mode::GLOBAL, true, [9, 8, 6, 8, 7], 1), (10, DIAGONAL | E_EXTENDS));
    }

    #[test]
    fn a_local_path_stops_at_score_0_or_goes_through_it() {
        assert_eq!(moves(mode::LOCAL, true, [1, 0, -9, 0, -9], -1), (0, 0));
        assert_eq!(moves(mode::LOCAL, false, [1, 0, -9, 0, -9], -1), (0, DIAGONAL));
        assert_eq!(moves(mode::LOCAL, false, [0, 0, -9, 0, -9], -1), (0, 0));
        assert_eq!(moves(mode::FIT, true, [1, 0, -9, 0, -9], -1), (0, DIAGONAL));
    }
}
