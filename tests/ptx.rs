//! What the kernels became: the PTX of this build, read as text and assembled by ptxas.
//!
//! No GPU is needed, and much that no GPU and no emulator would show is visible here: registers that spill to memory, a
//! function that was not inlined, a collective that the compiler copied.

mod assembler;
mod text;

use crate::place::repository;
use warpseq::cuda::{Ptx, kernels::MODULES};

/// Every architecture that warpseq is shipped for. A module is assembled for those at or above its floor.
const SHIPPED: [u32; 7] = [75, 80, 86, 89, 90, 100, 120];

/// Collectives in the PTX of each kernel, by floor.
///
/// LLVM and rustc may copy code. A copy of a collective in each arm of a divergent branch still compiles, passes the
/// emulator, and deadlocks or computes nonsense on a GPU. So these numbers change only by hand: after a look at where in
/// the PTX the collectives are, and whether all lanes reach each of them together.
///
/// Each number is the source's: a function is inlined once for each call, a prefix sum is unrolled to five shuffles, a
/// reduction is one `redux` in the sm_90 module and five shuffles in the sm_75 module. The passes of `align` unroll four steps
/// of three (linear) to six (affine, with strips) shuffles; `align_traceback` computes tiles at three places. A
/// search has two loops, with and without borders, of four steps of two shuffles, or two steps.
const COLLECTIVES: [(u32, &[&str]); 2] = [
    (
        75,
        &[
            "align_keep: bar.sync 1, vote.sync 4",
            "align_limit: bar.sync 6, shfl.sync 10",
            "align_search_wide: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_traceback: bar.warp.sync 10, shfl.sync 72, vote.sync 5",
            "align_wide_ends: bar.warp.sync 1, shfl.sync 24, vote.sync 1",
            "align_wide_local: bar.warp.sync 1, shfl.sync 28, vote.sync 1",
            "scan_brute: shfl.sync 9, vote.sync 4",
            "scan_hard: bar.warp.sync 2, shfl.sync 20, vote.sync 15",
            "scan_mark: shfl.sync 1, vote.sync 1",
            "scan_pack: shfl.sync 5",
            "scan_parted: shfl.sync 20, vote.sync 10",
            "scan_seek: bar.sync 1, bar.warp.sync 11, shfl.sync 64, vote.sync 27",
            "scan_window: shfl.sync 21, vote.sync 6",
            "sign_decide: none",
            "sign_dense: bar.warp.sync 2, shfl.sync 5",
            "sign_halves: bar.sync 1, shfl.sync 15",
            "sign_least: bar.sync 4, vote.sync 1",
            "sign_merge: none",
            "sign_nearest: bar.sync 4, vote.sync 1",
            "sign_pack: none",
            "sign_sparse: bar.warp.sync 2, shfl.sync 5",
            "sign_within: bar.sync 4, vote.sync 1",
        ],
    ),
    (
        90,
        &[
            "align_affine_ends: bar.warp.sync 1, shfl.sync 24, vote.sync 1",
            "align_affine_local: bar.warp.sync 1, shfl.sync 31, vote.sync 1",
            "align_affine_score: bar.warp.sync 1, shfl.sync 23, vote.sync 1",
            "align_affine_score_wide: bar.warp.sync 1, shfl.sync 23, vote.sync 1",
            "align_keep: bar.sync 1, vote.sync 4",
            "align_limit: bar.sync 6, redux.sync 1, shfl.sync 5",
            "align_linear_ends: bar.warp.sync 1, shfl.sync 16, vote.sync 1",
            "align_linear_local: bar.warp.sync 1, shfl.sync 23, vote.sync 1",
            "align_linear_score: bar.warp.sync 1, shfl.sync 19, vote.sync 1",
            "align_linear_score_wide: bar.warp.sync 1, shfl.sync 19, vote.sync 1",
            "align_search_affine_12: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_affine_16: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_affine_20: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_affine_24: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_affine_28: bar.sync 3, bar.warp.sync 3, shfl.sync 10",
            "align_search_affine_30: bar.sync 3, bar.warp.sync 3, shfl.sync 10",
            "align_search_affine_8: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_linear_12: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_linear_16: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_linear_20: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_linear_24: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_linear_28: bar.sync 3, bar.warp.sync 3, shfl.sync 10",
            "align_search_linear_32: bar.sync 3, bar.warp.sync 3, shfl.sync 10",
            "align_search_linear_8: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_protein_10: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_protein_12: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_protein_14: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_protein_16: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_protein_18: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_protein_20: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_protein_22: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_protein_24: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_protein_26: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_protein_28: bar.sync 3, bar.warp.sync 3, shfl.sync 10",
            "align_search_protein_32: bar.sync 3, bar.warp.sync 3, shfl.sync 10",
            "align_search_protein_8: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_search_wide: bar.sync 3, bar.warp.sync 3, shfl.sync 18",
            "align_traceback: bar.warp.sync 10, redux.sync 3, shfl.sync 57, vote.sync 5",
            "align_wide_ends: bar.warp.sync 1, shfl.sync 24, vote.sync 1",
            "align_wide_local: bar.warp.sync 1, shfl.sync 28, vote.sync 1",
            "scan_brute: redux.sync 1, shfl.sync 4, vote.sync 4",
            "scan_hard: bar.warp.sync 2, redux.sync 2, shfl.sync 10, vote.sync 15",
            "scan_mark: shfl.sync 1, vote.sync 1",
            "scan_pack: shfl.sync 5",
            "scan_parted: redux.sync 2, shfl.sync 10, vote.sync 10",
            "scan_seek: bar.sync 1, bar.warp.sync 11, redux.sync 6, shfl.sync 34, vote.sync 27",
            "scan_window: redux.sync 3, shfl.sync 6, vote.sync 6",
            "sign_decide: none",
            "sign_dense: bar.warp.sync 2, redux.sync 1",
            "sign_halves: bar.sync 1, redux.sync 1, shfl.sync 10",
            "sign_least: bar.sync 4, vote.sync 1",
            "sign_merge: none",
            "sign_nearest: bar.sync 4, vote.sync 1",
            "sign_pack: none",
            "sign_sparse: bar.warp.sync 2, redux.sync 1",
            "sign_within: bar.sync 4, vote.sync 1",
        ],
    ),
];

/// The modules of this build; none, said aloud, in a build for the CPU only.
fn modules() -> &'static [Ptx] {
    if MODULES.is_empty() {
        assert!(
            !assembler::required(),
            "this build holds no kernels: no compiler for them was found (make test says how)"
        );
        println!("skipped: this build holds no kernels");
    }
    MODULES
}

/// The kernels that the documentation of `warpseq-gpu` lists for a floor.
fn documented(floor: u32) -> Vec<&'static str> {
    let mut names = text::table_of_kernels(include_str!("../gpu/src/lib.rs"), floor);
    names.sort_unstable();
    names
}

/// Those of them that a module is to hold.
fn documented_of(module: &Ptx) -> Vec<&'static str> {
    documented(module.floor).into_iter().filter(|name| name.starts_with(module.kernels)).collect()
}

#[test]
fn every_module_holds_its_kernels_of_the_table() {
    for module in modules() {
        let names: Vec<&str> = text::kernels(module.text).into_keys().collect();
        assert_eq!(names, documented_of(module), "{module:?}: gpu/src/lib.rs lists other kernels");
    }
}

#[test]
fn every_kernel_of_the_table_is_in_one_module() {
    for (floor, _) in COLLECTIVES {
        let of_floor = modules().iter().filter(|module| module.floor == floor);
        let mut names: Vec<&str> = of_floor.flat_map(|module| text::kernels(module.text).into_keys()).collect();
        names.sort_unstable();
        assert!(names == documented(floor) || modules().is_empty(), "sm_{floor}: {names:?}");
    }
}

#[test]
fn a_module_is_cut_from_the_text_line_by_line() {
    for (floor, _) in COLLECTIVES {
        let whole = std::fs::read_to_string(repository().join(format!("gpu/ptx/sm_{floor}.ptx"))).expect("it is kept");
        let of_whole = text::kernels(&whole);
        let engines = ["scan_", "align_", "sign_"];
        for (engine, part) in engines.iter().zip(cuda_builder::split(&whole, &engines).expect("it can be cut")) {
            for (name, body) in text::kernels(&part) {
                assert!(name.starts_with(engine));
                let end = |body: &str| body.trim_end().trim_end_matches(|c: char| c != '}').to_owned();
                assert_eq!(end(body), end(of_whole[name]), "{name} of sm_{floor}");
            }
        }
    }
}

#[test]
fn machine_code_holds_the_kernels_of_its_module_for_every_architecture() {
    if modules().iter().all(|module| module.machine_code.is_empty()) {
        return println!("skipped: this build holds no machine code, since there was no ptxas");
    }
    for module in modules() {
        // The driver compiles the text of Turing, for which there is none.
        let newest = if module.floor == 75 { 89 } else { u32::MAX };
        let expected: Vec<u32> =
            SHIPPED.into_iter().filter(|&sm| sm > 75 && sm >= module.floor && sm <= newest).collect();
        let architectures: Vec<u32> = module.machine_code.iter().map(|code| code.architecture).collect();
        assert_eq!(architectures, expected, "{} of sm_{}", module.kernels, module.floor);
        for code in module.machine_code {
            assert_eq!(text::kernels_of_machine_code(&code.image.0), documented_of(module), "sm_{}", code.architecture);
        }
    }
}

#[test]
fn nothing_is_called_and_nothing_lies_in_local_memory() {
    for module in modules() {
        let found: Vec<&str> = text::statements(module.text).filter(|s| text::leaves_registers(s)).collect();
        assert!(found.is_empty(), "sm_{}: {found:#?}", module.floor);
    }
}

#[test]
fn collectives_are_where_they_were() {
    for module in modules() {
        let stated = COLLECTIVES.iter().find(|(floor, _)| *floor == module.floor);
        let (_, stated) = stated.expect("each floor has its table above");
        let stated: Vec<&str> = stated.iter().copied().filter(|line| line.starts_with(module.kernels)).collect();
        let counted: Vec<String> = text::kernels(module.text)
            .iter()
            .map(|(name, body)| format!("{name}: {}", text::collectives(body)))
            .collect();
        assert_eq!(counted, stated, "sm_{}: see COLLECTIVES before changing it; counted: {counted:#?}", module.floor);
    }
}

#[test]
fn every_kernel_assembles_without_spills_for_every_architecture() {
    let Some(ptxas) = assembler::find() else { return };
    let fits = |module: &'static Ptx| SHIPPED.iter().filter(|&&sm| sm >= module.floor).map(move |&sm| (module, sm));
    let pairs: Vec<(&Ptx, u32)> = modules().iter().flat_map(fits).collect();
    std::thread::scope(|scope| {
        for half in pairs.chunks(pairs.len().div_ceil(2).max(1)) {
            let ptxas = &ptxas;
            scope.spawn(move || half.iter().for_each(|&(module, sm)| assert_frugal(ptxas, module, sm)));
        }
    });
}

fn assert_frugal(ptxas: &assembler::Ptxas, module: &Ptx, sm: u32) {
    let place = format!("module {}sm_{} on sm_{sm}", module.kernels, module.floor);
    let mut kernels = ptxas.assemble(module.text, sm).unwrap_or_else(|complaint| panic!("{place}: {complaint}"));
    kernels.sort();
    let names: Vec<&str> = kernels.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, documented_of(module), "{place}");
    for (name, memory) in &kernels {
        assert_eq!(memory, assembler::REGISTERS_ONLY, "{place}: {name}");
    }
}

#[test]
fn the_prebuilt_ptx_is_of_these_sources() {
    let kept = repository().join("gpu/ptx");
    let read = |name: &str| std::fs::read_to_string(kept.join(name)).unwrap_or_else(|e| panic!("gpu/ptx/{name}: {e}"));
    let digest = cuda_builder::digest(&repository().join("gpu")).expect("the sources can be read");
    assert_eq!(
        read("digest").trim(),
        digest,
        "the kernels changed since gpu/ptx was built: run `make ptx`, commit gpu/ptx"
    );
    for (floor, _) in COLLECTIVES {
        let names: Vec<String> =
            text::kernels(&read(&format!("sm_{floor}.ptx"))).into_keys().map(str::to_owned).collect();
        assert_eq!(names, documented(floor), "gpu/ptx/sm_{floor}.ptx");
    }
}
