//! Where signatures go: into a signature file, or bare.

use super::Format;
use crate::file::Writer;
use crate::{Parameters, Records, Signatures, raw};
use warpseq_engine::error::Result;
use warpseq_io::output::Output;

/// See the module.
pub struct Destination {
    format: Format,
    parameters: Parameters,
    /// Until the first signatures come, or none do, so that a run that cannot sign prints nothing.
    waiting: Option<Output>,
    begun: Option<Begun>,
}

enum Begun {
    File(Box<Writer<Output>>),
    /// With the number of the next sequence, when numbers are wanted.
    Raw(Output, Option<u64>),
}

impl Destination {
    /// Signatures made with `parameters` go to `output`.
    pub fn new(format: Format, parameters: Parameters, output: Output) -> Self {
        Self { format, parameters, waiting: Some(output), begun: None }
    }

    fn begin(&mut self) -> Result<()> {
        if let Some(output) = self.waiting.take() {
            self.begun = Some(match self.format {
                Format::File => Begun::File(Box::new(Writer::new(output, &self.parameters)?)),
                Format::Raw { ids } => Begun::Raw(output, ids.then_some(0)),
            });
        }
        Ok(())
    }

    /// Writes the signatures of the next sequences.
    ///
    /// # Errors
    /// Those of the output, after which there is nothing more to write; a number of a sequence that does not fit.
    pub fn write(&mut self, batch: &Records, signatures: &Signatures) -> Result<()> {
        self.begin()?;
        match &mut self.begun {
            Some(Begun::File(writer)) => Ok(writer.write(batch, signatures)?),
            Some(Begun::Raw(output, next)) => {
                raw::write(output, &self.parameters, batch, signatures, *next)?;
                next.iter_mut().for_each(|next| *next += batch.len() as u64);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Writes what comes at the end, and gives the output its name.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> Result<()> {
        self.begin()?;
        match self.begun {
            Some(Begun::File(writer)) => Ok(writer.finish()?.finish()?),
            Some(Begun::Raw(output, _)) => Ok(output.finish()?),
            None => Ok(()),
        }
    }
}
