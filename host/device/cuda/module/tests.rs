use super::*;

const TEXTS: [Ptx; 2] = [Ptx { floor: 90, text: "ninety" }, Ptx { floor: 75, text: "seventy-five" }];

#[test]
fn the_greatest_floor_that_fits_is_chosen() {
    for (capability, floor) in [((7, 5), 75), ((8, 0), 75), ((8, 9), 75), ((9, 0), 90), ((10, 0), 90), ((12, 0), 90)] {
        assert_eq!(choose(&TEXTS, capability).map(|text| text.floor), Ok(floor), "{capability:?}");
    }
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
    let ptx = Ptx { floor: 90, text: ".version 8.7\n" };
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
