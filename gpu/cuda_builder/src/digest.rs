//! A digest of everything that the PTX depends on: the kernel crate, the device half of `cuda_std`, and this builder.

use crate::BuildError;
use std::path::{Path, PathBuf};

/// Parts of the tree that only the host build compiles, and those of this builder that come after the PTX.
const HOST_ONLY: [&str; 8] = [
    "cuda_builder/src/assembler.rs",
    "cuda_builder/src/split.rs",
    "cuda_std/src/emulator",
    "cuda_std/src/machine/host",
    "cuda_std/src/kernel.rs",
    "cuda_std/tests",
    "find_cuda_helper",
    "ptx",
];

/// The digest of the kernel sources under `root`, as 16 hexadecimal digits. It ignores the kind of line ends.
pub fn digest(root: &Path) -> Result<String, BuildError> {
    let mut files = Vec::new();
    collect(root, root, &mut files)?;
    files.sort();
    let mut text = Vec::new();
    for name in files {
        let path = root.join(&name);
        let bytes = std::fs::read(&path).map_err(|e| BuildError::file("read", &path, e))?;
        text.extend_from_slice(name.to_string_lossy().replace('\\', "/").as_bytes());
        text.push(0);
        text.extend(bytes.into_iter().filter(|&b| b != b'\r'));
        text.push(0);
    }
    Ok(format!("{:016x}", fnv1a(&text)))
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), BuildError> {
    for entry in std::fs::read_dir(folder).map_err(|e| BuildError::file("list", folder, e))? {
        let path = entry.map_err(|e| BuildError::file("list", folder, e))?.path();
        let name = path.strip_prefix(root).expect("an entry lies under its folder").to_path_buf();
        if HOST_ONLY.iter().any(|h| name.to_string_lossy().starts_with(h)) {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, files)?;
        } else if path.extension().is_some_and(|e| e == "rs" || e == "toml") {
            files.push(name);
        }
    }
    Ok(())
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo). It tells texts apart, but protects against nobody.
pub(crate) fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv1a_gives_the_published_values() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
