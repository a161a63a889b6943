//! The bytes of sequences: in memory of their own, or a part of bytes that others hold, too, such as a mapped file.

use std::fmt;
use std::ops::{Deref, Range};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

/// Bytes that are held together.
pub type All = Arc<dyn AsRef<[u8]> + Send + Sync + UnwindSafe + RefUnwindSafe>;

/// A part of bytes that are held together.
#[derive(Clone)]
pub struct Shared {
    all: All,
    range: Range<usize>,
}

impl Shared {
    /// The bytes in `range` of all.
    ///
    /// # Panics
    /// When the range leaves them.
    pub fn new(all: All, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= (*all).as_ref().len(), "a range of the bytes");
        Self { all, range }
    }

    /// A part of this part.
    ///
    /// # Panics
    /// When the range leaves it.
    pub fn part(&self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.range.len(), "a range of the bytes");
        Self { all: self.all.clone(), range: self.range.start + range.start..self.range.start + range.end }
    }
}

/// As many bytes each time, however many the holder has: it panics when they are not there any more.
impl Deref for Shared {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &(*self.all).as_ref()[self.range.clone()]
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} bytes from {} on", self.range.len(), self.range.start)
    }
}

/// Owned or shared bytes.
#[derive(Clone, Debug)]
pub(crate) enum Letters {
    Owned(Vec<u8>),
    Shared(Shared),
}

impl Letters {
    /// The bytes as a vector of their own; shared ones are copied.
    pub fn owned(&mut self) -> &mut Vec<u8> {
        if let Self::Shared(shared) = self {
            *self = Self::Owned(shared.to_vec());
        }
        match self {
            Self::Owned(bytes) => bytes,
            Self::Shared(_) => unreachable!("they were copied"),
        }
    }

    /// Removes all; owned memory stays.
    pub fn clear(&mut self) {
        match self {
            Self::Owned(bytes) => bytes.clear(),
            Self::Shared(_) => *self = Self::default(),
        }
    }
}

impl Default for Letters {
    fn default() -> Self {
        Self::Owned(Vec::new())
    }
}

impl From<Vec<u8>> for Letters {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Owned(bytes)
    }
}

impl From<Shared> for Letters {
    fn from(bytes: Shared) -> Self {
        Self::Shared(bytes)
    }
}

impl Deref for Letters {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Self::Owned(bytes) => bytes,
            Self::Shared(bytes) => bytes,
        }
    }
}
