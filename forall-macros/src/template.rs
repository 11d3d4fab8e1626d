//! Code templates: Rust with placeholders.
//!
//! [`template!`] replaces `quote!`. That crate and its dependencies would lengthen the build (see the crate's
//! documentation), and every token in a `quote!` is one more call to compile. Here a template is a string, which is
//! tokenized when the macro runs.

use crate::compiler::{Group, Ident, Literal, Span, TokenStream, TokenTree};

/// Tokens as they are written, with a piece for each `#name`: `template!(|name, ty| let #name: #ty;)`.
///
/// The pieces are in variables of those names, and keep the spans that they have. The rest gets the span of the macro's
/// call, so that names in it resolve as they do for the user, or the given span: `template!(at span, |ty| …)`.
macro_rules! template {
    (at $span:expr, |$($piece:ident),*| $($text:tt)*) => {
        $crate::template::template!(@fill Some($span), [$($piece)*] $($text)*)
    };
    (|$($piece:ident),*| $($text:tt)*) => {
        $crate::template::template!(@fill None, [$($piece)*] $($text)*)
    };
    (@fill $span:expr, [$($piece:ident)*] $($text:tt)*) => {{
        #[cfg(test)]
        const { $crate::template::verify(stringify!($($text)*), &[$(stringify!($piece)),*]) };
        $crate::template::fill(stringify!($($text)*), $span, &[$((stringify!($piece), &$piece)),*])
    }};
    ($($text:tt)*) => {
        $crate::template::template!(@fill None, [] $($text)*)
    };
}
pub(crate) use template;

/// A value for a `#name`.
pub trait Piece {
    fn put(&self, tokens: &mut Vec<TokenTree>);

    fn tokens(&self) -> TokenStream
    where
        Self: Sized,
    {
        fill("#piece", None, &[("piece", self)])
    }
}

/// Concatenates the output of `write` for each item and its index.
pub fn each<T>(items: &[T], write: &dyn Fn(usize, &T) -> TokenStream) -> TokenStream {
    let mut written = Vec::new();
    while let Some(item) = items.get(written.len()) {
        written.push(write(written.len(), item));
    }
    written.into_iter().collect()
}

/// See [`template!`].
pub fn fill(text: &str, span: Option<Span>, pieces: &[(&str, &dyn Piece)]) -> TokenStream {
    let text: TokenStream = text.parse().expect("templates are made of tokens");
    fill_tokens(text, span, pieces)
}

fn fill_tokens(text: TokenStream, span: Option<Span>, pieces: &[(&str, &dyn Piece)]) -> TokenStream {
    let mut filled: Vec<TokenTree> = Vec::new();
    let mut after_pound = false;
    for mut token in text {
        if let TokenTree::Ident(name) = &token
            && after_pound
        {
            filled.pop();
            piece(name, pieces).put(&mut filled);
            after_pound = false;
            continue;
        }
        after_pound = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        if let TokenTree::Group(group) = &token {
            let mut copy = Group::new(group.delimiter(), fill_tokens(group.stream(), span, pieces));
            copy.set_span(group.span());
            token = TokenTree::Group(copy);
        }
        if let Some(span) = span {
            token.set_span(span);
        }
        filled.push(token);
    }
    filled.into_iter().collect()
}

fn piece<'a>(name: &Ident, pieces: &[(&str, &'a dyn Piece)]) -> &'a dyn Piece {
    let name = name.to_string();
    let found = pieces.iter().find(|(other, _)| *other == name);
    found.unwrap_or_else(|| panic!("the template has no piece for `#{name}`")).1
}

impl Piece for TokenStream {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        tokens.extend(self.clone());
    }
}

impl Piece for TokenTree {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        tokens.push(self.clone());
    }
}

impl Piece for Ident {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        tokens.push(TokenTree::Ident(self.clone()));
    }
}

impl Piece for Group {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        tokens.push(TokenTree::Group(self.clone()));
    }
}

impl Piece for Literal {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        tokens.push(TokenTree::Literal(self.clone()));
    }
}

/// A literal.
impl Piece for String {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        Literal::string(self).put(tokens);
    }
}

impl Piece for bool {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        Ident::new(if *self { "true" } else { "false" }, Span::call_site()).put(tokens);
    }
}

impl Piece for u32 {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        Literal::u32_suffixed(*self).put(tokens);
    }
}

impl Piece for u64 {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        Literal::u64_suffixed(*self).put(tokens);
    }
}

impl Piece for usize {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        Literal::usize_suffixed(*self).put(tokens);
    }
}

impl<T: Piece + ?Sized> Piece for &T {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        (**self).put(tokens);
    }
}

/// The piece, or nothing.
impl<T: Piece> Piece for Option<T> {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        if let Some(piece) = self {
            piece.put(tokens);
        }
    }
}

/// The pieces, concatenated.
impl<T: Piece> Piece for Vec<T> {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        for piece in self {
            piece.put(tokens);
        }
    }
}

/// Panics if a template and the names of its pieces do not match. Test builds check every template.
#[cfg(test)]
pub const fn verify(text: &str, pieces: &[&str]) {
    let text = text.as_bytes();
    let mut used = [false; 16];
    let mut position = 0;
    while position < text.len() {
        position += 1;
        if text[position - 1] != b'#' {
            continue;
        }
        while position < text.len() && text[position] == b' ' {
            position += 1;
        }
        let start = position;
        while position < text.len() && (text[position].is_ascii_alphanumeric() || text[position] == b'_') {
            position += 1;
        }
        if start < position {
            let (_, name) = text.split_at(start);
            let (name, _) = name.split_at(position - start);
            let mut piece = 0;
            while piece < pieces.len() && !equal(pieces[piece].as_bytes(), name) {
                piece += 1;
            }
            assert!(piece < pieces.len(), "a `#name` in the template has no piece");
            used[piece] = true;
        }
    }
    let mut piece = 0;
    while piece < pieces.len() {
        assert!(used[piece], "a piece is not used in the template");
        piece += 1;
    }
}

#[cfg(test)]
const fn equal(a: &[u8], b: &[u8]) -> bool {
    let mut index = 0;
    while index < a.len() && index < b.len() && a[index] == b[index] {
        index += 1;
    }
    index == a.len() && index == b.len()
}

#[cfg(test)]
mod tests {
    use super::{each, verify};
    use crate::compiler::{Ident, Span, TokenStream};

    /// Without the spaces, to compare.
    fn bare(tokens: TokenStream) -> String {
        tokens.to_string().replace(' ', "")
    }

    #[test]
    fn pieces_replace_their_names() {
        let name = Ident::new("a", Span::call_site());
        let (text, number, nothing, many) = ("b\"".to_owned(), 3_u64, None::<bool>, vec![true, false]);
        let filled = template!(|name, text, number, nothing, many|
            #[inline] fn #name() { f(#name::<u8>, [#text, #number #nothing], { #many }) }
        );
        assert_eq!(bare(filled), "#[inline]fna(){f(a::<u8>,[\"b\\\"\",3u64],{truefalse})}");
        assert_eq!(bare(template!(a::b)), "a::b");
    }

    #[test]
    fn each_writes_one_after_the_other() {
        let written = each(&[true, false], &|index, flag| template!(|index, flag| #index => #flag,));
        assert_eq!(bare(written), "0usize=>true,1usize=>false,");
    }

    #[test]
    fn pieces_are_not_searched_for_names() {
        let (a, b): (TokenStream, _) = ("#b #[c]".parse().unwrap(), template!(d));
        assert_eq!(bare(template!(|a, b| #a (#b))), "#b#[c](d)");
    }

    #[test]
    #[should_panic(expected = "no piece for `#missing`")]
    fn a_missing_piece_is_named() {
        super::fill("f(#missing)", None, &[]);
    }

    #[test]
    #[should_panic(expected = "has no piece")]
    fn verify_finds_a_name_without_a_piece() {
        verify("#[inline] f(# a, #b)", &["a"]);
    }

    #[test]
    #[should_panic(expected = "is not used")]
    fn verify_finds_a_piece_that_is_not_used() {
        verify("#a #ab", &["a", "ab", "abc"]);
    }
}
