//! Unrolled loops. Arrays stay in registers only if every index is a constant, and LLVM does not unroll loops of this
//! size.

/// Repeats a block once for each number.
macro_rules! unroll {
    ($index:ident in $($number:literal)*; $block:block) => { $({ let $index: usize = $number; $block })* };
}

/// Repeats a block once for every four of up to 32 columns, with the number of the four and their first column.
macro_rules! unroll_quads {
    ($quad:ident, $first:ident of $columns:ident; $block:block) => {
        unroll!(at in 0 1 2 3 4 5 6 7; {
            let ($quad, $first) = (at as u32, 4 * at);
            if $first < $columns $block
        })
    };
}
