//! `--raw`: signatures and nothing else, for programs that read the report's format.
//!
//! ```text
//! --raw          bits / 8 bytes per window: the windows of the first sequence, then those of the second, ...
//! --raw --ids    before each window the number of its sequence: from 0, 4 bytes, little-endian
//! ```
//!
//! A window without a k-mer is zeros, and so is the one window of an empty sequence. Nothing says where the bytes come from, so
//! warpseq itself only reads [`file`](super::file).

use super::sink::Sink;
use super::{Parameters, Records, Signatures};
use warpseq_engine::error::{Error, Result};

/// Bytes that are gathered before they are written, if numbers go between them.
const GATHERED: usize = 1 << 18;

/// Writes the signatures of a batch. `ids` is the number of its first sequence, if the numbers are wanted.
///
/// # Errors
/// Those of `out`; [`Error::Usage`] when a number does not fit 32 bits.
///
/// # Panics
/// When `signatures` are not those of the batch's windows.
pub fn write(
    out: &mut impl Sink,
    parameters: &Parameters,
    batch: &Records,
    signatures: &Signatures,
    ids: Option<u64>,
) -> Result<()> {
    let Some(first) = ids else { return Ok(out.put(&signatures.bytes)?) };
    let mut windows = signatures.bytes.chunks_exact(parameters.width());
    let mut gathered = Vec::with_capacity(GATHERED + 4 + parameters.width());
    for (id, length) in (first..).zip(batch.sequences().lengths()) {
        let id = number(id)?;
        for window in windows.by_ref().take(parameters.window.count(length) as usize) {
            gathered.extend_from_slice(&id);
            gathered.extend_from_slice(window);
            if gathered.len() >= GATHERED {
                out.put(&gathered)?;
                gathered.clear();
            }
        }
    }
    assert_eq!(windows.len(), 0, "one signature for each window");
    Ok(out.put(&gathered)?)
}

fn number(id: u64) -> Result<[u8; 4]> {
    let number = u32::try_from(id).map_err(|_| {
        Error::Usage("--ids counts at most 4294967296 sequences, and there are more: leave it out".into())
    });
    number.map(u32::to_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sequences of 3, 0 and 25 residues (1, 1 and 3 windows). The signature of window w is w, w, ...
    fn signed() -> (Records, Signatures) {
        let mut batch = Records::default();
        for length in [3, 0, 25] {
            batch.push(b"s", &vec![b'A'; length]);
        }
        (batch, Signatures { bytes: (0..5).flat_map(|w| [w; 8]).collect(), present: vec![1, 0, 1, 1, 1] })
    }

    fn written(ids: Option<u64>) -> Result<Vec<u8>> {
        let ((batch, signatures), mut bytes) = (signed(), Vec::new());
        write(&mut bytes, &Parameters::QUT, &batch, &signatures, ids).map(|()| bytes)
    }

    #[test]
    fn bytes_are_passed_on() {
        assert_eq!(written(None).unwrap(), signed().1.bytes);
    }

    #[test]
    fn numbers_count_sequences_and_go_on_where_they_are_told() {
        for first in [0_u32, 70_000, u32::MAX - 2] {
            let sequences = [0, 1, 2, 2, 2];
            let expected = sequences.iter().zip(0_u8..).flat_map(|(s, window)| {
                let id = (first + s).to_le_bytes();
                id.into_iter().chain([window; 8])
            });
            assert_eq!(written(Some(first.into())).unwrap(), expected.collect::<Vec<u8>>());
        }
    }

    #[test]
    fn a_number_that_does_not_fit_is_refused() {
        let error = written(Some(u64::from(u32::MAX) - 1)).unwrap_err();
        assert!(error.to_string().contains("--ids") && error.exit_code() == 2, "{error}");
    }

    #[test]
    fn many_windows_are_written_in_pieces() {
        let windows = 2 * GATHERED / 12;
        let mut batch = Records::default();
        batch.push(b"s", &vec![b'A'; 8 * windows + 8]);
        let bytes: Vec<u8> = (0..windows).flat_map(|w| (w as u64).to_le_bytes()).collect();
        let expected: Vec<u8> = bytes.chunks(8).flat_map(|window| [&[9, 0, 0, 0], window].concat()).collect();
        let (signatures, mut written) = (Signatures { bytes, present: vec![1; windows] }, Vec::new());
        write(&mut written, &Parameters::QUT, &batch, &signatures, Some(9)).unwrap();
        assert!(written == expected, "{windows} windows");
    }
}
