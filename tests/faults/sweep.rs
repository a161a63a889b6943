//! Each call of the driver fails, one run for each.

use super::{Question, small};

/// Asks for every call's failure, not only for every `STRIDE`th's: minutes.
const EVERY: &str = "WARPSEQ_EVERY_CALL";
const STRIDE: usize = 7;

/// How many calls a run makes.
fn calls(question: &Question) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let path = crate::cli::text(&folder.path().join("calls"));
    assert!(question.ask_with("cuda", &[("FAULTY_DRIVER_CALLS", &path)]).is_whole(question));
    std::fs::read_to_string(&path).unwrap().lines().count()
}

/// Fails calls of the question of a number with `code`; `onwards`: and all after them.
fn each_call_fails(code: u32, onwards: &str, number: usize) {
    let question = &small()[number];
    let calls = calls(question);
    assert!(calls > 50, "{calls} calls");
    let stride = if std::env::var_os(EVERY).is_some() { 1 } else { STRIDE };
    // Each code begins elsewhere, so that together they meet more calls.
    for call in (1 + code as usize % stride..=calls).step_by(stride) {
        let wishes = format!("any:{call}{onwards}={code}");
        let [either, cuda] = ["cuda-or-cpu", "cuda"].map(|device| question.ask(device, &wishes));
        assert!(either.is_whole(question), "--device cuda-or-cpu, {wishes}, {:?}: {}", either.code, either.said);
        assert!(
            cuda.is_whole(question) || cuda.is_refused(),
            "--device cuda, {wishes}, {:?}: {}",
            cuda.code,
            cuda.said
        );
    }
}

macro_rules! sweeps {
    ($($engine:ident $number:literal)*) => { $(
        mod $engine {
            use super::each_call_fails;

            #[test]
            fn illegal_address_at_each_call() {
                each_call_fails(700, "", $number);
            }

            #[test]
            fn out_of_memory_at_each_call() {
                each_call_fails(2, "", $number);
            }

            #[test]
            fn launch_failure_at_each_call() {
                each_call_fails(719, "", $number);
            }

            #[test]
            fn gone_from_each_call_on() {
                each_call_fails(46, "+", $number);
            }
        }
    )* };
}
sweeps! { scan 0 align 1 sign_build 2 sign_search 3 }
