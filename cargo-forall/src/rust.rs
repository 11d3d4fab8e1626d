//! Parses Rust sources, as tokens and as items.
//!
//! Macro arguments are only tokens, so attributes, calls and literals, which may be inside macros, are looked for in
//! tokens; signatures and methods are items. Both have their positions in the source.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use std::ops::Range;
use syn::spanned::Spanned;

/// The tokens of a source. `None` if it is not valid Rust.
pub fn tokens(source: &str) -> Option<Vec<TokenTree>> {
    let stream: TokenStream = without_shebang(source).parse().ok()?;
    Some(stream.into_iter().collect())
}

/// The items of a source. `None` if it is not valid Rust.
pub fn items(source: &str) -> Option<Vec<syn::Item>> {
    file(source).map(|file| file.items)
}

/// The items of a source with its inner attributes. `None` if it is not valid Rust.
pub fn file(source: &str) -> Option<syn::File> {
    syn::parse_file(&without_shebang(source)).ok()
}

/// The source with a shebang line or a byte order mark blanked out, so that positions stay the same.
fn without_shebang(source: &str) -> String {
    let end = source.find('\n').unwrap_or(source.len());
    match source.starts_with("#!") && !source[..end].trim_start_matches("#!").trim_start().starts_with('[') {
        true => " ".repeat(end) + &source[end..],
        false => source.replacen('\u{feff}', "   ", usize::from(source.starts_with('\u{feff}'))),
    }
}

/// The source text of a syntax element.
pub fn text<'a>(source: &'a str, of: &impl Spanned) -> &'a str {
    source.get(of.span().byte_range()).unwrap_or_default()
}

/// The byte range from the start of one span to the end of another.
pub fn between(from: Span, to: Span) -> Range<usize> {
    from.byte_range().start..to.byte_range().end
}

/// Whether a token is this punctuation character.
pub fn is_mark(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

/// Whether a token is this identifier.
pub fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident == word)
}

/// The tokens of a group with this delimiter.
pub fn group(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<Vec<TokenTree>> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group.stream().into_iter().collect()),
        _ => None,
    }
}

/// The number of tokens of the attribute at the start, if there is one: two for an outer, three for an inner attribute. Doc
/// comments are attributes.
pub fn attribute(tokens: &[TokenTree]) -> Option<usize> {
    let is_group = |at: usize| group(tokens.get(at), Delimiter::Bracket).is_some();
    match is_mark(tokens.first(), '#') {
        true if is_group(1) => Some(2),
        true if is_mark(tokens.get(1), '!') && is_group(2) => Some(3),
        _ => None,
    }
}

/// Whether the tokens start with `::`.
pub fn is_path(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Punct(first), TokenTree::Punct(second), ..]
        if first.as_char() == ':' && first.spacing() == Spacing::Joint && second.as_char() == ':')
}

/// Visits all items, including those in modules and function bodies.
pub fn walk(items: &[syn::Item], visit: &mut dyn FnMut(&syn::Item)) {
    for item in items {
        visit(item);
        match item {
            syn::Item::Mod(module) => {
                if let Some((_, items)) = &module.content {
                    walk(items, visit);
                }
            }
            syn::Item::Fn(function) => {
                for statement in &function.block.stmts {
                    if let syn::Stmt::Item(item) = statement {
                        walk(std::slice::from_ref(item), visit);
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_ignore_shebangs_and_byte_order_marks() {
        for start in ["", "#!/usr/bin/env run\n", "\u{feff}", "#![allow(dead_code)]\n"] {
            let source = format!("{start}fn a(x: Vec<u8>) {{}}");
            let items = items(&source).unwrap();
            let Some(syn::Item::Fn(function)) = items.last() else { panic!("{start:?}") };
            assert_eq!(text(&source, &function.sig.inputs), "x: Vec<u8>", "{start:?}");
            let ident = tokens(&source).unwrap().into_iter().find(|token| is_word(Some(token), "a")).unwrap();
            assert_eq!(text(&source, &ident), "a", "{start:?}");
        }
        assert!(tokens("fn a( {").is_none() && items("fn").is_none());
    }
}
