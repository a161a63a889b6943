//! What the driver looks at in a PTX text: its version, its target, and the names of its kernels.

use crate::kernels;
use crate::wishes::pair;

/// Codes of texts that are refused.
const NO_BINARY_FOR_GPU: u32 = 209;
const INVALID_PTX: u32 = 218;
const UNSUPPORTED_PTX_VERSION: u32 = 222;

/// Why a driver for CUDA `version` on a GPU of compute capability `compute` takes no `text`: a code and the compiler's words.
pub fn refusal(text: &str, version: (u32, u32), compute: (u32, u32)) -> Option<(u32, String)> {
    let Some(isa) = word_after(text, ".version").and_then(pair) else {
        return Some((INVALID_PTX, "ptxas: missing .version directive".into()));
    };
    if isa > newest_isa(version) {
        return Some((UNSUPPORTED_PTX_VERSION, String::new()));
    }
    let target = word_after(text, ".target").and_then(|target| target.strip_prefix("sm_")?.parse::<u32>().ok());
    match target {
        None => return Some((INVALID_PTX, "ptxas: missing .target directive".into())),
        Some(target) if target > 10 * compute.0 + compute.1 => return Some((NO_BINARY_FOR_GPU, String::new())),
        Some(_) => {}
    }
    let unknown = kernels_in(text).find(|name| kernels::find(name).is_none())?;
    Some((INVALID_PTX, format!("the faulty driver's table of kernels lacks {unknown}")))
}

/// The names of the kernels of a text.
pub fn kernels_in(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (_, name) = line.split_once(".entry ")?;
        name.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()
    })
}

fn word_after<'a>(text: &'a str, directive: &str) -> Option<&'a str> {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix(directive))?;
    line.trim_start().split([' ', ',']).next()
}

/// The newest PTX ISA of a CUDA version: the table of releases in NVIDIA's "Parallel Thread Execution ISA".
fn newest_isa(version: (u32, u32)) -> (u32, u32) {
    match version {
        (10, minor) => (6, minor + 3),
        (12, minor @ 6..) => (8, minor - 1),
        (major, minor) => (major - 4, minor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "//\n.version 8.0\n.target sm_90\n.visible .entry scan_pack(\n";

    #[test]
    fn a_text_is_refused_for_its_version_its_target_and_its_kernels() {
        assert_eq!(refusal(TEXT, (12, 0), (9, 0)), None);
        assert_eq!(refusal(TEXT, (12, 0), (8, 9)), Some((NO_BINARY_FOR_GPU, String::new())));
        assert_eq!(refusal(TEXT, (11, 8), (9, 0)), Some((UNSUPPORTED_PTX_VERSION, String::new())));
        let (code, log) = refusal(&TEXT.replace("pack", "unpack"), (12, 0), (9, 0)).unwrap();
        assert!(code == INVALID_PTX && log.ends_with("lacks scan_unpack"), "{log}");
        assert_eq!(refusal("nonsense", (13, 0), (9, 0)).unwrap().0, INVALID_PTX);
    }

    #[test]
    fn releases_have_their_isa() {
        for (version, isa) in
            [((10, 2), (6, 5)), ((11, 8), (7, 8)), ((12, 5), (8, 5)), ((12, 6), (8, 5)), ((13, 0), (9, 0))]
        {
            assert_eq!(newest_isa(version), isa);
        }
    }
}
