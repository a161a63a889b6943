//! The two strands of DNA.

/// Which strands are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strands {
    #[default]
    Both,
    Forward,
    Reverse,
}
