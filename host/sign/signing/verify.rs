//! `--verify`: everything is signed a second time, by an executor that shares less code, and compared window by window.

use crate::cpu::Cpu;
use crate::reference::Reference;
use crate::{Parameters, Records, Signatures, Signer, Window};
use std::ops::Range;
use std::time::{Duration, Instant};
use warpseq_engine::error::{Error, Result};
use warpseq_engine::verify::Verify;

/// The second executor.
pub struct Second {
    verify: Verify,
    parameters: Parameters,
    signer: Box<dyn Signer>,
    /// What it made of the last batch; kept to reuse the memory.
    expected: Signatures,
}

impl Second {
    /// A new one.
    pub fn new(verify: Verify, parameters: Parameters) -> Self {
        let signer: Box<dyn Signer> = match verify {
            Verify::Reference => Box::new(Reference::new(parameters)),
            Verify::Cpu => Box::new(Cpu::new(parameters)),
        };
        Self { verify, parameters, signer, expected: Signatures::default() }
    }

    /// Signs `batch` again; how long that took.
    ///
    /// # Errors
    /// Those of the executor; [`Error::Mismatch`] with the first window that `found` has otherwise.
    pub fn compare(&mut self, batch: &Records, found: &Signatures) -> Result<Duration> {
        let start = Instant::now();
        self.signer.sign(batch, &mut self.expected)?;
        let took = start.elapsed();
        if *found == self.expected { Ok(took) } else { Err(self.difference(batch, found)) }
    }

    fn difference(&self, batch: &Records, found: &Signatures) -> Error {
        let (by, width) = (self.verify.name(), self.parameters.width());
        let shown = |window| [found, &self.expected].map(|all| shown(all, window, width));
        let windows = found.len().max(self.expected.len());
        let first = (0..windows).find(|&window| shown(window)[0] != shown(window)[1]);
        let window = first.expect("signatures that differ do so somewhere");
        let [found, expected] = shown(window);
        let place = place(batch, self.parameters.window, window as u64);
        Error::Mismatch(format!(
            "--verify found a difference in {place}: found {found}, expected {expected} by the {by}"
        ))
    }
}

/// A window by its sequence and letters.
fn place(batch: &Records, window: Window, mut index: u64) -> String {
    for (name, length) in batch.names().iter().zip(batch.sequences().lengths()) {
        if index < window.count(length) {
            let Range { start, end } = window.range(index, length);
            return format!("sequence {}, window {start}-{end}", String::from_utf8_lossy(name));
        }
        index -= window.count(length);
    }
    "windows behind the last sequence".into()
}

/// A window's signature in hexadecimal digits, or that it has none.
fn shown(signatures: &Signatures, window: usize, width: usize) -> String {
    let bytes = || signatures.bytes.get(window * width..(window + 1) * width);
    match signatures.present.get(window).and_then(|&present| Some((present, bytes()?))) {
        None => "no window".into(),
        Some((present, bytes)) => {
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            if present == 0 { format!("{digits} (no word)") } else { digits }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_names_its_window() {
        let mut batch = Records::default();
        batch.push(b"a", b"MKV");
        batch.push(b"b", b"MKVLATMKVLATMKVLATMKVLATM");
        for verify in [Verify::Reference, Verify::Cpu] {
            let (mut second, mut found) = (Second::new(verify, Parameters::QUT), Signatures::default());
            Reference::new(Parameters::QUT).sign(&batch, &mut found).unwrap();
            assert!(second.compare(&batch, &found).is_ok());
            assert_eq!(found.len(), 4, "1 window and 3");
            found.bytes[2 * 8] ^= 0x80;
            let error = second.compare(&batch, &found).unwrap_err();
            let message = error.to_string();
            assert!(message.starts_with("--verify found a difference in sequence b, window 8-24: found "), "{message}");
            assert!(message.ends_with(&format!("by the {}", verify.name())), "{message}");
            assert_eq!(error.exit_code(), 1);
            found.bytes[2 * 8] ^= 0x80;
            found.present[1] = 0;
            let message = second.compare(&batch, &found).unwrap_err().to_string();
            assert!(
                message.contains("sequence b, window 0-16") && message.contains("(no word), expected"),
                "{message}"
            );
            found.present[1] = 1;
            found.bytes.extend([0; 8]);
            found.present.push(1);
            let message = second.compare(&batch, &found).unwrap_err().to_string();
            assert!(
                message.contains("behind the last sequence") && message.contains("expected no window"),
                "{message}"
            );
        }
    }
}
