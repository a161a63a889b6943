//! Loops written out. Arrays stay in registers only where all indices are known, and LLVM leaves a loop of this size as it is.

/// Repeats a block for each number.
macro_rules! unroll {
    ($index:ident in $($number:literal)*; $block:block) => { $({ let $index: usize = $number; $block })* };
}

/// Repeats a block for each four of up to 32 columns: their number, and the first of them.
macro_rules! unroll_quads {
    ($quad:ident, $first:ident of $columns:ident; $block:block) => {
        unroll!(at in 0 1 2 3 4 5 6 7; {
            let ($quad, $first) = (at as u32, 4 * at);
            if $first < $columns $block
        })
    };
}
