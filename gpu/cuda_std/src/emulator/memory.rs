//! The device buffers. Addresses are made up here. None is used twice, and every buffer is followed by unused
//! addresses. So an access past a buffer's end or after its release is recognised, and never lands in another buffer.

use super::fault::{Access, Kind, Place};
use super::region::Region;
use std::vec::Vec;

/// The first address. Zero and small numbers belong to no buffer.
const FIRST: u64 = 1 << 32;
/// Every buffer starts at a multiple of this.
const ALIGNMENT: u64 = 256;
/// Unused addresses after every buffer.
const GAP: u64 = 4096;

struct Buffer {
    start: u64,
    number: u32,
    region: Region,
}

struct Released {
    start: u64,
    bytes: u64,
    number: u32,
}

/// All buffers, in order of address.
pub(super) struct Memory {
    buffers: Vec<Buffer>,
    released: Vec<Released>,
    next: u64,
    count: u32,
    bytes: usize,
    /// The buffer that each kind of access hit last. Kernels tend to use one buffer for each kind.
    hits: [usize; 4],
}

impl Memory {
    pub const fn new() -> Self {
        Self { buffers: Vec::new(), released: Vec::new(), next: FIRST, count: 0, bytes: 0, hits: [0; 4] }
    }

    /// Bytes in all buffers.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Allocates an uninitialised buffer and returns its address.
    pub fn allocate(&mut self, bytes: usize) -> u64 {
        let start = self.next;
        self.buffers.push(Buffer { start, number: self.count, region: Region::new(bytes) });
        self.next = (start + bytes as u64 + GAP).next_multiple_of(ALIGNMENT);
        self.count += 1;
        self.bytes += bytes;
        start
    }

    /// Releases the buffer that starts at an address.
    pub fn release(&mut self, address: u64) -> Result<(), Kind> {
        let Ok(at) = self.buffers.binary_search_by_key(&address, |buffer| buffer.start) else {
            return Err(self.missing(address, 0));
        };
        let Buffer { start, number, region } = self.buffers.remove(at);
        self.released.push(Released { start, bytes: region.len() as u64, number });
        self.bytes -= region.len();
        Ok(())
    }

    /// The region that holds an address, and the address as a place in it. `bytes` is for the message where there is
    /// none.
    #[inline]
    pub fn find(&mut self, address: u64, bytes: usize, access: Access) -> Result<(&mut Region, Place), Kind> {
        let mut at = self.hits[access as usize];
        if !self.buffers.get(at).is_some_and(|buffer| buffer.holds(address)) {
            at = self.buffers.partition_point(|buffer| buffer.start <= address).wrapping_sub(1);
            if !self.buffers.get(at).is_some_and(|buffer| buffer.holds(address)) {
                return Err(self.missing(address, bytes));
            }
            self.hits[access as usize] = at;
        }
        let buffer = &mut self.buffers[at];
        let place = Place::Global { buffer: buffer.number, offset: address - buffer.start };
        Ok((&mut buffer.region, place))
    }

    /// The fault for an address that belongs to no buffer.
    #[cold]
    fn missing(&self, address: u64, bytes: usize) -> Kind {
        let was = |r: &&Released| (r.start..r.start + r.bytes.max(1)).contains(&address);
        if let Some(released) = self.released.iter().find(was) {
            let at = Place::Global { buffer: released.number, offset: address - released.start };
            return Kind::Released { at };
        }
        let before = self.buffers.iter().rev().find(|buffer| buffer.start <= address);
        match before.map(|buffer| (buffer, buffer.region.len() as u64, address - buffer.start)) {
            Some((buffer, size, offset)) if offset < size + GAP => {
                Kind::OutOfBounds { at: Place::Global { buffer: buffer.number, offset }, bytes: bytes as u64, size }
            }
            _ => Kind::Unallocated { address },
        }
    }
}

impl Buffer {
    #[inline]
    fn holds(&self, address: u64) -> bool {
        address.wrapping_sub(self.start) < self.region.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(memory: &mut Memory, address: u64) -> Result<Place, Kind> {
        memory.find(address, 4, Access::Read).map(|(_, at)| at)
    }

    #[test]
    fn an_address_belongs_to_its_buffer_for_ever() {
        let mut memory = Memory::new();
        let [a, b, c] = [100, 1, 70_000].map(|bytes| memory.allocate(bytes));
        assert!([a, b, c].iter().all(|address| address % ALIGNMENT == 0));
        assert_eq!(find(&mut memory, b), Ok(Place::Global { buffer: 1, offset: 0 }));
        assert_eq!(find(&mut memory, c + 69_999), Ok(Place::Global { buffer: 2, offset: 69_999 }));
        assert_eq!(memory.bytes(), 70_101);
        assert_eq!(memory.release(b), Ok(()));
        assert_eq!(memory.bytes(), 70_100);
        let at = Place::Global { buffer: 1, offset: 0 };
        assert_eq!(find(&mut memory, b), Err(Kind::Released { at }));
        assert_eq!(memory.release(b), Err(Kind::Released { at }));
        assert_eq!(find(&mut memory, a + 99), Ok(Place::Global { buffer: 0, offset: 99 }));
    }

    #[test]
    fn addresses_outside_all_buffers_are_named() {
        let mut memory = Memory::new();
        let a = memory.allocate(100);
        let at = Place::Global { buffer: 0, offset: 100 };
        assert_eq!(find(&mut memory, a + 100), Err(Kind::OutOfBounds { at, bytes: 4, size: 100 }));
        assert_eq!(find(&mut memory, 0), Err(Kind::Unallocated { address: 0 }));
        assert_eq!(find(&mut memory, u64::MAX), Err(Kind::Unallocated { address: u64::MAX }));
    }
}
