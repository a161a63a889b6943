//! Collections made in memory.

use super::{Bytes, Catalogue, Collection, split_names};
use crate::{Parameters, Records, Signatures};

/// Gathers signed batches into a [`Collection`].
pub struct Builder {
    parameters: Parameters,
    catalogue: Catalogue,
    signatures: Vec<u8>,
}

impl Builder {
    /// One without sequences.
    pub fn new(parameters: &Parameters) -> Self {
        Self { parameters: *parameters, catalogue: Catalogue::new(parameters), signatures: Vec::new() }
    }

    /// Adds the sequences of a batch with their signatures.
    ///
    /// # Panics
    /// When `signatures` are not those of the batch's windows.
    pub fn push(&mut self, batch: &Records, signatures: &Signatures) {
        let kept = self.catalogue.add(batch, signatures, |bytes| {
            self.signatures.extend_from_slice(bytes);
            Ok(())
        });
        kept.expect("memory takes all bytes");
    }

    /// Bytes that the signatures so far take.
    pub fn bytes(&self) -> usize {
        self.signatures.len()
    }

    /// What was gathered: what a file of the same batches would hold.
    pub fn finish(self) -> Collection {
        let Self { parameters, catalogue, signatures } = self;
        Collection {
            parameters,
            names: split_names(&catalogue.names, &catalogue.name_offsets),
            firsts: catalogue.firsts().collect(),
            lengths: catalogue.lengths,
            present: Bytes::Owned(catalogue.present),
            signatures: Bytes::Owned(signatures),
        }
    }
}
