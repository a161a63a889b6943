//! What safe code must not be able to write, each hole a program that does not compile.

#[test]
fn unsound_programs_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
}
