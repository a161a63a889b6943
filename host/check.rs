//! A check of every executor on this machine: small inputs, made of what tells executors apart, given to each engine and
//! compared with its naive reference.

use crate::align;
use crate::cuda::{Opening, discover, kernels};
use crate::emulated::Emulated;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::scan;
use crate::sign;
use std::sync::Arc;

/// An executor, and whether it finds what the references find; if not, which engine does not, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Its name.
    pub executor: String,
    /// Whether all its answers are right, or which is not.
    pub outcome: std::result::Result<(), String>,
}

/// Checks the references, the CPU, the emulator and every GPU that the driver shows.
pub fn executors() -> Vec<Checked> {
    let mut checked = vec![
        checked("reference", [scan::check::reference(), align::check::reference(), sign::check::reference()]),
        checked("cpu", [scan::check::cpu(), align::check::cpu(), sign::check::cpu()]),
        on_gpu("emulator", &Arc::new(Emulated::default())),
    ];
    for found in discover(kernels::MODULES).unwrap_or_default() {
        checked.push(match Opening::start(found.ordinal, kernels::MODULES, "").finish() {
            Ok(gpu) => on_gpu(&found.label(), &gpu),
            Err(error) => Checked { executor: found.label(), outcome: Err(error.to_string()) },
        });
    }
    checked
}

fn on_gpu<G: Gpu>(name: &str, gpu: &Arc<G>) -> Checked {
    checked(name, [scan::check::gpu(gpu), align::check::gpu(gpu), sign::check::gpu(gpu)])
}

fn checked(name: &str, outcomes: [Result<()>; 3]) -> Checked {
    let engines = ["scan", "align", "sign"];
    let named = |(engine, outcome): (&str, Result<()>)| outcome.map_err(|why| format!("{engine}: {why}"));
    Checked { executor: name.to_owned(), outcome: engines.into_iter().zip(outcomes).try_for_each(named) }
}
