//! `#[kernel]`: one function, two targets.
//!
//! On `nvptx64` the function becomes a PTX entry point of the same name. On the host it becomes a constant of the same
//! name, a `cuda_std::Kernel`. The host launches it on a device by its name, and in the emulator by calling its body.

use proc_macro::{TokenStream, TokenTree};

/// Marks a function as a kernel: `pub fn name(args: Args) { .. }`, or `pub fn name(args: Args, shared: SharedMemory) { .. }`
/// where it uses shared memory. `Args` is a `#[repr(C)]` struct, passed by value. There is no result.
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
    let parameters: Vec<TokenTree> = parameters.stream().into_iter().collect();
    let mut parameters = parameters.split(|t| t.to_string() == ",").filter(|parameter| !parameter.is_empty());
    let (args, args_type) = pattern_and_type(parameters.next().unwrap_or_default());
    let shared = parameters.next().map_or(String::new(), |shared| {
        // The call is sound: nobody can call an entry point, so each thread gets here once.
        let (shared, shared_type) = pattern_and_type(shared);
        format!("let {shared}: {shared_type} = unsafe {{ ::cuda_std::SharedMemory::of_block() }};")
    });
    let body = text(&tokens[at + 3..]);
    let function = format!("fn {name}({args}: {args_type}) {{ {shared} {body} }}");
    format!(
        "#[cfg(target_arch = \"nvptx64\")] #[unsafe(no_mangle)] {attributes} pub extern \"ptx-kernel\" {function}
         #[cfg(not(target_arch = \"nvptx64\"))] #[allow(non_upper_case_globals)] {attributes}
         pub const {name}: ::cuda_std::Kernel<fn({args_type})> = ::cuda_std::Kernel::new(\"{name}\", {{ {function} {name} }});"
    )
    .parse()
    .expect("a function's own tokens make valid tokens")
}

/// The two sides of a parameter.
fn pattern_and_type(parameter: &[TokenTree]) -> (String, String) {
    let colon = parameter.iter().position(|t| t.to_string() == ":").unwrap_or(parameter.len());
    (text(&parameter[..colon]), text(parameter.get(colon + 1..).unwrap_or_default()))
}

fn text(tokens: &[TokenTree]) -> String {
    tokens.iter().cloned().collect::<TokenStream>().to_string()
}
