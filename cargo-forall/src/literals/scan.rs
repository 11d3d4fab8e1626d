//! Finds the literals in the tokens of a source.

use crate::rust;
use proc_macro2::{Delimiter, TokenTree};

/// Longer literals are messages rather than values.
const LONGEST: usize = 80;

/// The literals of a source as written, without duplicates, in their order. Leaves out literals of one character or of several
/// lines, and those in comments and attributes. Invalid Rust has none.
pub fn literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(&rust::tokens(source).unwrap_or_default(), &mut found);
    found
}

fn collect(tokens: &[TokenTree], found: &mut Vec<String>) {
    // Whether a value may start here, and whether it is negated.
    let (mut begins, mut is_negative, mut at) = (true, false, 0);
    while at < tokens.len() {
        if let Some(length) = rust::attribute(&tokens[at..]) {
            at += length;
            continue;
        }
        match &tokens[at] {
            TokenTree::Literal(literal) => {
                let text = format!("{}{literal}", if is_negative { "-" } else { "" });
                let is_worth_it = (2..=LONGEST).contains(&text.len()) && !text.contains('\n');
                if is_worth_it && !is_field(&tokens[..at]) && !found.contains(&text) {
                    found.push(text);
                }
                (begins, is_negative) = (false, false);
            }
            TokenTree::Punct(mark) if mark.as_char() == '-' => (begins, is_negative) = (true, begins),
            TokenTree::Punct(_) => (begins, is_negative) = (true, false),
            TokenTree::Ident(_) => (begins, is_negative) = (false, false),
            TokenTree::Group(group) => {
                collect(&group.stream().into_iter().collect::<Vec<_>>(), found);
                (begins, is_negative) = (group.delimiter() == Delimiter::Brace, false);
            }
        }
        at += 1;
    }
}

/// Whether a number after these tokens is a field's index: it follows a single dot.
fn is_field(before: &[TokenTree]) -> bool {
    let is_point = |at: usize| before.len().checked_sub(at).is_some_and(|at| rust::is_mark(before.get(at), '.'));
    is_point(1) && !is_point(2)
}

#[cfg(test)]
mod tests {
    use super::literals;

    #[test]
    fn every_kind_of_literal_is_found() {
        let source = r###"
            const MAGIC: u32 = 0x5eed_cafe; let x = -1_000i64 - 2.5e-3;
            match s { "key" | r#"raw "one""# => b"\x89PNG", 'x' => b'y', '\'' => c"c" , _ => br"b" }
            1..99; 3.max(44); pair.0 + pair.12; f(x) - 55;
        "###;
        let found = literals(source);
        assert_eq!(
            found,
            [
                "0x5eed_cafe",
                "-1_000i64",
                "2.5e-3",
                "\"key\"",
                "r#\"raw \"one\"\"#",
                "b\"\\x89PNG\"",
                "'x'",
                "b'y'",
                "'\\''",
                "c\"c\"",
                "br\"b\"",
                "99",
                "44",
                "55"
            ]
        );
    }

    #[test]
    fn comments_attributes_lifetimes_and_names_have_none() {
        let source = "// \"a\" 11\n/* 22 /* 33 */ 44 */ #[doc = \"][ 55\"] #![cfg(feature = \"b\")] fn f<'a>(x66: &'a str) -> i128 {}";
        assert_eq!(literals(source), [] as [&str; 0]);
    }

    #[test]
    fn anything_can_be_scanned() {
        use forall::{generate::string, prelude::*};
        let source =
            string(elements(vec!['"', '\'', '\\', '#', '[', ']', '/', '*', 'r', 'b', '1', '.', 'e', '-', '\n', 'é']));
        forall::check("scanning a source", &property! { forall text in &source; check { literals(text); } });
    }
}
