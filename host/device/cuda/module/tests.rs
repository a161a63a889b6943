use super::*;

const CODE: &[MachineCode] = &[
    MachineCode { architecture: 90, image: &Image(*b"ninety") },
    MachineCode { architecture: 100, image: &Image(*b"hundred") },
    MachineCode { architecture: 103, image: &Image(*b"more") },
];
const TEXTS: [Ptx; 3] = [
    Ptx { kernels: "a_", floor: 90, text: "ninety", machine_code: CODE },
    Ptx { kernels: "b_", floor: 75, text: "of others", machine_code: &[] },
    Ptx { kernels: "a_", floor: 75, text: "seventy-five", machine_code: &[] },
];

#[test]
fn of_the_same_kernels_the_greatest_floor_that_fits_is_chosen() {
    for (capability, floor) in [((7, 5), 75), ((8, 0), 75), ((8, 9), 75), ((9, 0), 90), ((10, 0), 90), ((12, 0), 90)] {
        let mut chosen = choose(&TEXTS, capability).unwrap();
        chosen.sort_by_key(|text| text.kernels);
        let found: Vec<(&str, u32)> = chosen.iter().map(|text| (text.kernels, text.floor)).collect();
        assert_eq!(found, [("a_", floor), ("b_", 75)], "{capability:?}");
    }
}

#[test]
fn machine_code_runs_on_its_architecture_and_later_ones_of_the_same_major_number() {
    let chosen = |capability| TEXTS[0].machine_code(capability).map(|code| code.architecture);
    let cases =
        [((9, 0), Some(90)), ((10, 0), Some(100)), ((10, 1), Some(100)), ((10, 3), Some(103)), ((10, 9), Some(103))];
    for (capability, expected) in cases.into_iter().chain([((8, 9), None), ((12, 0), None), ((11, 0), None)]) {
        assert_eq!(chosen(capability), expected, "{capability:?}");
    }
    assert!(TEXTS[1].machine_code((9, 0)).is_none());
}

#[test]
fn machine_code_begins_where_any_number_may() {
    assert!(CODE.iter().all(|code| code.image.0.as_ptr().addr().is_multiple_of(16)));
}

#[test]
fn an_old_gpu_is_told_what_is_needed() {
    let text = choose(&TEXTS, (6, 1)).unwrap_err();
    assert!(text.contains("6.1") && text.contains("7.5"), "{text}");
}

#[test]
fn a_build_without_kernels_says_so() {
    assert!(choose(&[], (9, 0)).unwrap_err().contains("no GPU kernels"));
}

#[test]
fn the_isa_version_is_read_from_the_text() {
    assert_eq!(isa_version("//\n// Generated\n//\n\n.version 8.0\n.target sm_90\n"), Some("8.0"));
    assert_eq!(isa_version("  .version\t6.4\r\n"), Some("6.4"));
    assert_eq!(isa_version(".target sm_90\n"), None);
}

#[test]
fn an_old_driver_is_named_with_both_versions_and_what_to_do() {
    let ptx = Ptx { text: ".version 8.7\n", ..TEXTS[0] };
    let text = rejected("cuda:0 (T4)", &ptx, codes::UNSUPPORTED_PTX_VERSION, &[0]).to_string();
    for part in ["cuda:0 (T4)", "PTX ISA 8.7", "(222)", "update the driver", "--device cpu"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn the_compilers_reason_is_passed_on() {
    let text = rejected("cuda:0", &TEXTS[0], 218, b"ptxas: line 7: no such opcode\n\0\0").to_string();
    assert!(text.contains("CUDA_ERROR_INVALID_PTX (218)") && text.ends_with("line 7: no such opcode"), "{text}");
}
