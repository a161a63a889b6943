//! The program is linked to no CUDA library and starts where there is no driver.

use crate::place::program;
use object::{Object, ObjectSection, ObjectSymbol, elf, read::elf::ElfFile64};
use std::process::Command;
use warpseq::cuda::{Opening, discover};
use warpseq::error::DeviceError;

/// The libraries that the dynamic loader would look for, from the NEEDED entries of an ELF file.
fn needed(bytes: &[u8]) -> Vec<String> {
    let file = ElfFile64::<object::Endianness>::parse(bytes).expect("the program is a 64-bit ELF file");
    let section = |name| file.section_by_name(name).and_then(|s| s.data().ok()).expect("a dynamic ELF file");
    let (dynamic, strings) = (section(".dynamic"), section(".dynstr"));
    dynamic
        .chunks_exact(16)
        .map(|entry| entry.split_at(8))
        .map(|(tag, value)| (word(tag), word(value) as usize))
        .filter(|&(tag, _)| tag == elf::DT_NEEDED.0 as u64)
        .map(|(_, at)| strings[at..].iter().take_while(|&&byte| byte != 0).map(|&byte| byte as char).collect())
        .collect()
}

fn word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
}

#[test]
fn the_program_needs_no_cuda_library() {
    let bytes = std::fs::read(program()).expect("cargo built the program");
    let libraries = needed(&bytes);
    assert!(libraries.iter().any(|library| library.starts_with("libc.so")), "{libraries:?}");
    assert!(!libraries.iter().any(|library| library.contains("libcuda")), "{libraries:?}");
}

#[test]
fn the_program_defines_the_drivers_functions_itself() {
    let bytes = std::fs::read(program()).expect("cargo built the program");
    let file = ElfFile64::<object::Endianness>::parse(&*bytes).expect("the program is a 64-bit ELF file");
    if file.symbols().next().is_none() {
        println!("skipped: the program's symbols are stripped");
        return;
    }
    for name in ["cuInit", "cuModuleLoadDataEx", "cuDeviceTotalMem_v2"] {
        assert!(file.symbols().any(|symbol| symbol.name() == Ok(name) && symbol.is_definition()), "{name}");
    }
}

#[test]
fn a_machine_without_a_driver_is_told_so() {
    let output = Command::new(program())
        .arg("devices")
        .env("WARPSEQ_LIBCUDA", "libcuda-of-no-machine.so.1")
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("no NVIDIA driver found (libcuda-of-no-machine.so.1)"), "{text}");
    assert!(output.status.code().is_some() && !text.contains("panicked"), "{text}");
}

#[test]
fn discovery_answers_without_a_panic() {
    match discover(&[]) {
        Ok(found) => assert!(!found.is_empty() && found.iter().all(|gpu| gpu.usable.is_err())),
        Err(DeviceError::Unavailable(text)) => assert!(text.contains("--device cpu"), "{text}"),
        Err(other) => assert!(matches!(other, DeviceError::Driver { .. }), "{other}"),
    }
}

#[test]
fn opening_without_kernels_is_refused() {
    assert!(matches!(
        Opening::start(0, &[], "").finish(),
        Err(DeviceError::Unavailable(_) | DeviceError::Driver { .. })
    ));
}
