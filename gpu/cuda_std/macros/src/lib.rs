//! `#[kernel]`: one function, two targets.
//!
//! On `nvptx64` the function becomes a PTX entry point of the same name. On the host it becomes a constant
//! `cuda_std::Kernel` of the same name: the handle that launches it, on a device by name or in the emulator by calling it.

use proc_macro::{TokenStream, TokenTree};

/// Marks `pub fn name(args: Args) { .. }` as a kernel: one parameter, a `#[repr(C)]` struct passed by value, no result.
#[proc_macro_attribute]
pub fn kernel(_options: TokenStream, item: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    let Some(at) = tokens.iter().position(|t| t.to_string() == "fn") else {
        return "compile_error!(\"#[kernel] marks a function\");".parse().expect("valid tokens");
    };
    let attributes: TokenStream = tokens[..at].iter().filter(|t| t.to_string() != "pub").cloned().collect();
    let name = tokens[at + 1].to_string();
    let TokenTree::Group(parameters) = &tokens[at + 2] else {
        return "compile_error!(\"#[kernel] functions are not generic\");".parse().expect("valid tokens");
    };
    let args: TokenStream = parameters.stream().into_iter().skip(2).collect();
    let rest: TokenStream = tokens[at + 2..].iter().cloned().collect();
    format!(
        "#[cfg(target_arch = \"nvptx64\")] #[unsafe(no_mangle)] {attributes} pub extern \"ptx-kernel\" fn {name} {rest}
         #[cfg(not(target_arch = \"nvptx64\"))] #[allow(non_upper_case_globals)] {attributes}
         pub const {name}: ::cuda_std::Kernel<fn({args})> = ::cuda_std::Kernel::new(\"{name}\", {{ fn {name} {rest} {name} }});"
    )
    .parse()
    .expect("a function's own tokens make valid tokens")
}
