//! PTX kept beside the sources, for machines that cannot compile it. The file `digest` says from which sources it was
//! built.

use crate::{BuildError, Target};
use std::path::Path;

/// The kept texts of `targets`, or the reason why they cannot be used.
pub fn kept(folder: &Path, targets: &[Target], digest: &str) -> Result<Vec<String>, String> {
    let found =
        std::fs::read_to_string(folder.join("digest")).map_err(|_| "there are no prebuilt kernels".to_string())?;
    if found.trim() != digest {
        return Err(format!(
            "the prebuilt kernels were built from other sources (digest {}, expected {digest})",
            found.trim()
        ));
    }
    targets
        .iter()
        .map(|t| {
            let path = folder.join(format!("{}.ptx", t.arch()));
            std::fs::read_to_string(&path).map_err(|e| format!("{} cannot be read: {e}", path.display()))
        })
        .collect()
}

/// Keeps `texts`, one per target, in `folder`, with the digest of the sources they were built from.
pub fn keep(folder: &Path, targets: &[Target], texts: &[String], digest: &str) -> Result<(), BuildError> {
    std::fs::create_dir_all(folder).map_err(|e| BuildError::file("create", folder, e))?;
    let write = |name: String, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|e| BuildError::file("write", &path, e))
    };
    for (target, text) in targets.iter().zip(texts) {
        write(format!("{}.ptx", target.arch()), text)?;
    }
    write("digest".into(), &format!("{digest}\n"))
}
