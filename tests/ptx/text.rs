//! PTX as text: its kernels, its statements, and what these do.

use object::read::elf::ElfFile64;
use object::{Object, ObjectSection};
use std::collections::BTreeMap;

/// The names in the first column of the "Table of kernels" that the module of a floor has.
pub fn table_of_kernels(documentation: &str, floor: u32) -> Vec<&str> {
    let table = documentation.split("# Table of kernels").nth(1).expect("the heading is there");
    let rows = table.lines().skip_while(|line| !line.contains('|')).take_while(|line| line.contains('|'));
    let rows = rows.filter(|row| floor >= 90 || !row.contains("(from sm_90)"));
    let names = rows.filter_map(|row| row.split('|').nth(1)).flat_map(|cell| cell.split('`').skip(1).step_by(2));
    names.collect()
}

/// Each kernel's text, by name.
pub fn kernels(ptx: &str) -> BTreeMap<&str, &str> {
    let entries = ptx.split(".visible .entry ").skip(1);
    entries.map(|entry| entry.split_once('(').expect("a kernel has parameters")).collect()
}

/// The names of the kernels of a cubin: each has a section of its own.
pub fn kernels_of_machine_code(cubin: &[u8]) -> Vec<String> {
    let file = ElfFile64::<object::Endianness>::parse(cubin).expect("a cubin is a 64-bit ELF file");
    let names = file.sections().filter_map(|section| section.name().ok().map(str::to_owned));
    let mut kernels: Vec<String> = names.filter_map(|name| name.strip_prefix(".text.").map(str::to_owned)).collect();
    kernels.sort_unstable();
    kernels
}

/// The statements of a text, without comments, labels and predicates.
pub fn statements(ptx: &str) -> impl Iterator<Item = &str> {
    let lines = ptx.lines().map(|line| line.split("//").next().unwrap_or_default());
    let pieces = lines.flat_map(|line| line.split([';', '{', '}'])).map(str::trim).map(without_predicate);
    pieces.filter(|piece| !piece.is_empty() && !piece.ends_with(':'))
}

fn without_predicate(statement: &str) -> &str {
    match statement.strip_prefix('@') {
        Some(rest) => rest.split_once(char::is_whitespace).map_or("", |(_, instruction)| instruction.trim_start()),
        None => statement,
    }
}

/// Whether a statement calls a function, declares one, or touches local memory.
pub fn leaves_registers(statement: &str) -> bool {
    let opcode = opcode(statement);
    opcode.split('.').next() == Some("call") || statement.contains(".func") || statement.contains(".local")
}

fn opcode(statement: &str) -> &str {
    statement.split_whitespace().next().unwrap_or_default()
}

/// How often each collective occurs: `bar.sync 1, shfl.sync 20`, or `none`.
pub fn collectives(body: &str) -> String {
    let mut counts = BTreeMap::<&str, usize>::new();
    for name in statements(body).filter_map(|statement| collective(opcode(statement))) {
        *counts.entry(name).or_default() += 1;
    }
    let listed: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    if listed.is_empty() { "none".to_owned() } else { listed.join(", ") }
}

/// `shfl.sync` of `shfl.sync.bfly.b32`; barriers without `.sync` in whole; nothing of other instructions.
fn collective(opcode: &str) -> Option<&str> {
    match opcode.find(".sync") {
        Some(at) => Some(&opcode[..at + ".sync".len()]),
        None => opcode.starts_with("bar").then_some(opcode),
    }
}

#[test]
fn statements_are_told_apart() {
    let ptx = "$L1: // shfl.sync.idx.b32\n\t@!%p1 bra \t$L1;\n{ add.u32 %r1, %r2, 3; @%p2 shfl.sync.up.b32 %r1, %r2; }";
    let found: Vec<&str> = statements(ptx).collect();
    assert_eq!(found, ["bra \t$L1", "add.u32 %r1, %r2, 3", "shfl.sync.up.b32 %r1, %r2"]);
}

#[test]
fn collectives_are_counted_wherever_they_stand() {
    let body = "bar.sync 0;\n@%p1 shfl.sync.up.b32 a;\nadd.u32 b; shfl.sync.bfly.b32 a;\nbarrier.cta.red.popc.u32 c;\n";
    assert_eq!(collectives(body), "bar.sync 1, barrier.cta.red.popc.u32 1, shfl.sync 2");
    assert_eq!(collectives("add.u32 %r1, %r2, 3; // vote.sync.ballot.b32"), "none");
}

#[test]
fn calls_and_local_memory_are_seen() {
    for statement in ["call.uni (retval), memcmp, (a)", "call memcmp", "st.local.u32 [%rd1], %r1", ".func memcmp("] {
        assert!(leaves_registers(statement), "{statement}");
    }
    assert!(!leaves_registers("st.shared.u32 [%r1], %r2") && !leaves_registers("callback.u32"));
}

#[test]
fn the_table_ends_where_its_rows_end_and_knows_floors() {
    let text = "//! # Table of kernels\n//!\n//! | kernel | does |\n//! |---|---|\n//! | `a`, `b` | like `c` |\n//! | `e` | (from sm_90) |\n//!\n//! | `d` |";
    assert_eq!(table_of_kernels(text, 75), ["a", "b"]);
    assert_eq!(table_of_kernels(text, 90), ["a", "b", "e"]);
}
