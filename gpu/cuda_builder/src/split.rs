//! One PTX text cut into several, one for each group of kernels.
//!
//! A driver compiles a whole module when it loads it. A program that needs a third of the kernels should not wait for the rest,
//! so each group becomes a module of its own: its kernels, what they refer to, and what that refers to.
//!
//! ```text
//! text -> items of the top level -> per group: header + the closure of its kernels, in the order of the text
//!
//! .version .target .address_size .file .section .pragma     header: in every module
//! .entry                                                    a kernel: in exactly one
//! .func, .global, .const, .extern .shared ...               in each module whose kernels reach it
//! ```
//!
//! A reference is a word in the code of an item, comments and strings apart, that is another item's name. That is right at the
//! edges because names of the top level are unique in a module, and registers, labels and parameters of a function, which could
//! have the same name, would only add an item that nobody needs. What is not understood is refused.
//!
//! Source: NVIDIA, "Parallel Thread Execution ISA", sections 4 (syntax), 5.2 and 5.4 (declarations), 11 (directives).

use crate::BuildError;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Directives that end with their line, and hold for the whole module.
const OF_LINE: [&str; 4] = [".version", ".target", ".address_size", ".file"];

/// What an item is.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Header,
    Kernel,
    /// A function, a variable, or the declaration of one.
    Other,
}

#[derive(Debug)]
struct Item<'p> {
    /// With the comments before it.
    text: &'p str,
    kind: Kind,
    /// Empty in a header.
    name: &'p str,
    /// The words of its code.
    words: HashSet<&'p str>,
}

/// Cuts `ptx` into one text for each of `prefixes`: that of the kernels whose names begin with it.
///
/// # Errors
/// When a kernel has none of the prefixes, or more than one; when a prefix has no kernel; when the text is not understood.
pub fn split(ptx: &str, prefixes: &[&str]) -> Result<Vec<String>, BuildError> {
    let items = items(ptx)?;
    for kernel in items.iter().filter(|item| item.kind == Kind::Kernel) {
        let groups = prefixes.iter().filter(|prefix| kernel.name.starts_with(**prefix)).count();
        if groups != 1 {
            return Err(refused(&format!("kernel {} belongs to {groups} of the modules {prefixes:?}", kernel.name)));
        }
    }
    prefixes.iter().map(|prefix| module(&items, prefix)).collect()
}

fn module(items: &[Item], prefix: &str) -> Result<String, BuildError> {
    let mut named = HashMap::<&str, Vec<usize>>::new();
    items.iter().enumerate().for_each(|(at, item)| named.entry(item.name).or_default().push(at));
    let mut kept: Vec<bool> = items.iter().map(|item| item.kind == Kind::Header).collect();
    let wanted = |item: &Item| item.kind == Kind::Kernel && item.name.starts_with(prefix);
    let mut open: Vec<usize> = (0..items.len()).filter(|&at| wanted(&items[at])).collect();
    if open.is_empty() {
        return Err(refused(&format!("no kernel's name begins with {prefix}")));
    }
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut kept[at], true) {
            open.extend(items[at].words.iter().filter_map(|word| named.get(word)).flatten());
        }
    }
    Ok(items.iter().zip(kept).filter(|(_, kept)| *kept).map(|(item, _)| item.text).collect())
}

fn refused(why: &str) -> BuildError {
    BuildError::new(format!("cannot split the PTX: {why}"))
}

/// A piece of the text: a word (with its `.`, `%` or `$`) or one character of punctuation.
struct Token<'p> {
    text: &'p str,
    place: Range<usize>,
}

/// The tokens of a text, without blanks, comments and strings.
fn tokens(ptx: &str) -> Result<Vec<Token<'_>>, BuildError> {
    let of_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '.');
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(c) = ptx[at..].chars().next() {
        let rest = &ptx[at..];
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").ok_or_else(|| refused("a comment does not end"))? + 2
        } else if c == '"' {
            rest[1..].find('"').ok_or_else(|| refused("a string does not end"))? + 2
        } else if of_word(c) {
            rest.find(|c| !of_word(c)).unwrap_or(rest.len())
        } else {
            c.len_utf8()
        };
        if !c.is_whitespace() && c != '"' && c != '/' {
            found.push(Token { text: &rest[..len], place: at..at + len });
        }
        at += len;
    }
    Ok(found)
}

fn items(ptx: &str) -> Result<Vec<Item<'_>>, BuildError> {
    let tokens = tokens(ptx)?;
    let (mut items, mut next, mut from) = (Vec::new(), 0, 0);
    while let Some(first) = tokens.get(next) {
        let len = length(ptx, &tokens[next..])?;
        let own = &tokens[next..next + len];
        let to = match OF_LINE.contains(&first.text) {
            true => end_of_line(ptx, first.place.start),
            false => own.last().map_or(from, |last| last.place.end),
        };
        items.push(item(&ptx[from..to], own)?);
        (next, from) = (next + len, to);
    }
    Ok(items)
}

fn end_of_line(ptx: &str, at: usize) -> usize {
    ptx[at..].find('\n').map_or(ptx.len(), |len| at + len)
}

/// How many of the tokens the first item has.
fn length(ptx: &str, tokens: &[Token]) -> Result<usize, BuildError> {
    let first = &tokens[0];
    if OF_LINE.contains(&first.text) {
        let end = end_of_line(ptx, first.place.start);
        return Ok(tokens.iter().take_while(|token| token.place.start < end).count());
    }
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        // The braces of an initial value are followed by a semicolon, those of a function or section by the next item.
        let initial = || tokens[..at].iter().any(|token| token.text == "=") && !is_function(&tokens[..at]);
        if depth == 0 && (token.text == ";" || token.text == "}" && !initial()) {
            return Ok(at + 1);
        }
        if depth < 0 {
            break;
        }
    }
    Err(refused(&format!("{} does not end", first.text)))
}

fn is_function(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| matches!(token.text, ".entry" | ".func"))
}

fn item<'p>(text: &'p str, tokens: &[Token<'p>]) -> Result<Item<'p>, BuildError> {
    let first = tokens[0].text;
    if OF_LINE.contains(&first) || matches!(first, ".section" | ".pragma") {
        return Ok(Item { text, kind: Kind::Header, name: "", words: HashSet::new() });
    }
    let kind = if tokens.iter().any(|token| token.text == ".entry") { Kind::Kernel } else { Kind::Other };
    let name = if is_function(tokens) { function_name(tokens) } else { variable_name(tokens) };
    let name = name.ok_or_else(|| refused(&format!("an item without a name, or with several: {first}")))?;
    let words = tokens.iter().map(|token| token.text).filter(|word| is_name(word) && *word != name).collect();
    Ok(Item { text, kind, name, words })
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$'))
}

/// The name before the parameters, behind what is returned.
fn function_name<'p>(tokens: &[Token<'p>]) -> Option<&'p str> {
    let mut rest = tokens.iter().skip_while(|token| !matches!(token.text, ".entry" | ".func")).skip(1).peekable();
    if rest.peek()?.text == "(" {
        rest.find(|token| token.text == ")");
    }
    rest.next().map(|token| token.text).filter(|name| is_name(name))
}

/// The name before the length, the initial value or the end. A declaration of several has none.
fn variable_name<'p>(tokens: &[Token<'p>]) -> Option<&'p str> {
    let end = tokens.iter().position(|token| matches!(token.text, "[" | "=" | ";" | ","))?;
    let mut before = tokens[..end].iter().map(|token| token.text);
    let name = before.next_back().filter(|name| is_name(name))?;
    let several = |depth: &mut i32, token: &Token| {
        *depth += i32::from(token.text == "{") - i32::from(token.text == "}");
        Some(*depth == 0 && token.text == ",")
    };
    (!tokens.iter().scan(0, several).any(|comma| comma)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
//
// Generated; by { a compiler
//
.version 8.0
.target sm_90
.address_size 64
.file 1 \"a{b.rs\"
.extern .shared .align 16 .b8 dynamic_shared[];
.global .align 4 .b8 table[8] = {1, 2, 3};
.global .u64 pointer = generic(table);
.const .u32 constant;
.func (.param .b32 answer) inner(.param .b32 x);
.func (.param .b32 answer) inner(.param .b32 x)
{
    ld.const.u32 %r1, [constant];
    ret;
}
.func outer() { call.uni (r), inner, (x); { .reg .b32 %r2; } ret; }
.visible .entry a_first(.param .u64 p) .maxntid 32 { mov.u32 %r1, dynamic_shared; /* table } */ ret; }
// table
.visible .entry b_second(.param .u64 p)
{
    call.uni outer, ();
}
.visible .entry b_third() { ld.global.u64 %rd1, [pointer]; }
";

    fn names(text: &str) -> Vec<&str> {
        items(text).unwrap().into_iter().filter(|item| item.kind != Kind::Header).map(|item| item.name).collect()
    }

    #[test]
    fn a_module_has_its_kernels_and_what_they_reach() {
        let modules = split(TEXT, &["a_", "b_"]).unwrap();
        assert_eq!(names(&modules[0]), ["dynamic_shared", "a_first"]);
        let of_b = ["table", "pointer", "constant", "inner", "inner", "outer", "b_second", "b_third"];
        assert_eq!(names(&modules[1]), of_b);
        for module in &modules {
            for line in [".version 8.0\n", ".target sm_90\n", ".address_size 64\n", ".file 1 \"a{b.rs\"\n"] {
                assert!(module.contains(line), "{module}");
            }
        }
        assert!(modules[1].contains("ld.const.u32 %r1, [constant];\n    ret;\n}\n"), "{}", modules[1]);
    }

    #[test]
    fn one_module_of_all_is_the_text_without_what_nobody_uses() {
        let whole = &split(TEXT, &[""]).unwrap()[0];
        assert_eq!(names(whole), names(TEXT));
        assert_eq!(whole.trim_end(), TEXT.trim_end());
    }

    #[test]
    fn kernels_of_no_module_and_of_two_are_refused() {
        let why = |prefixes: &[&str]| split(TEXT, prefixes).unwrap_err().to_string();
        assert!(why(&["a_"]).contains("kernel b_second belongs to 0"));
        assert!(why(&["a_", "b_", "b_s"]).contains("kernel b_second belongs to 2"));
        assert!(why(&["a_", "b_", "c_"]).contains("no kernel's name begins with c_"));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for text in [
            ".version 8.0\n.visible .entry a_x() {",
            ".visible .entry a_x() { } }",
            ".global .u32 x, y;",
            ".global .u32 [4];",
            ".func ();",
            "/* no end",
            ".pragma \"no end",
            ".global .u32 a_x",
        ] {
            assert!(split(text, &["a_"]).is_err(), "{text}");
        }
    }
}
