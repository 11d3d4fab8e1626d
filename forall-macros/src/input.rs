//! Reading what `syn` without `full` does not: expressions, as the tokens up to where they end.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Error, Result, Token};

/// A span at the place of another, for tokens of ours: so that what the compiler says about them points there.
pub fn at(tokens: impl ToTokens) -> Span {
    let first = tokens.to_token_stream().into_iter().next();
    Span::mixed_site().located_at(first.map_or_else(Span::call_site, |token| token.span()))
}

/// The same tokens, at another place.
pub fn placed(tokens: &TokenStream, place: Span) -> TokenStream {
    let put = |mut token: TokenTree| {
        token.set_span(token.span().located_at(place));
        token
    };
    tokens.clone().into_iter().map(put).collect()
}

/// An identifier of ours that can neither capture a name of the user's nor be captured by one.
pub fn hidden(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The tokens of an expression: up to a `,` or `;` outside of brackets, of a closure's parameters and of `::<…>`.
/// `after` is the place to blame if there are none.
pub fn expression(input: ParseStream, after: Span, expected: &str) -> Result<TokenStream> {
    let mut tokens = TokenStream::new();
    if input.peek(Token![move]) {
        tokens.append(input.parse::<TokenTree>()?);
    }
    if input.peek(Token![|]) && !input.peek(Token![||]) {
        tokens.append(input.parse::<TokenTree>()?);
        while !input.is_empty() && !input.peek(Token![|]) {
            tokens.append(input.parse::<TokenTree>()?);
        }
    }
    while !input.is_empty() && !input.peek(Token![,]) && !input.peek(Token![;]) {
        if input.peek(Token![::]) && input.peek3(Token![<]) {
            input.parse::<Token![::]>()?.to_tokens(&mut tokens);
            input.parse::<syn::AngleBracketedGenericArguments>()?.to_tokens(&mut tokens);
        } else {
            tokens.append(input.parse::<TokenTree>()?);
        }
    }
    if tokens.is_empty() { Err(Error::new(after, format!("expected {expected} after this"))) } else { Ok(tokens) }
}

/// A word that must be one of `known`; it may be a keyword of Rust.
pub fn word(input: ParseStream, kind: &str, known: &[&'static str]) -> Result<(&'static str, Span)> {
    let expected = || format!("expected {kind}: {}", one_of(known));
    if !input.peek(Ident::peek_any) {
        return Err(input.error(expected()));
    }
    let found = Ident::parse_any(input)?;
    match known.iter().find(|&&candidate| found == candidate) {
        Some(&known) => Ok((known, found.span())),
        None => Err(Error::new(found.span(), format!("`{found}` is not known here; {}", expected()))),
    }
}

/// "`a`, `b` or `c`".
fn one_of(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// The text of tokens as their author spaced them, on one line.
pub fn text(tokens: impl ToTokens) -> String {
    let mut text = Text::default();
    text.write(tokens.to_token_stream());
    text.text
}

#[derive(Default)]
struct Text {
    text: String,
    /// Line and column at which the last token ended.
    end: (usize, usize),
}

impl Text {
    fn write(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) if group.delimiter() == Delimiter::None => self.write(group.stream()),
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        _ => ("[", "]"),
                    };
                    self.piece(open, group.span_open());
                    self.write(group.stream());
                    self.piece(close, group.span_close());
                }
                other => self.piece(&other.to_string(), other.span()),
            }
        }
    }

    fn piece(&mut self, piece: &str, span: Span) {
        let (start, end) = (span.unwrap().start(), span.unwrap().end());
        if !self.text.is_empty() && self.end != (start.line(), start.column()) {
            self.text.push(' ');
        }
        self.text.push_str(piece);
        self.end = (end.line(), end.column());
    }
}

/// Errors that are collected so that all of them are shown at once.
#[derive(Default)]
pub struct Errors(Option<Error>);

impl Errors {
    pub fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub fn at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.push(Error::new(span, message));
    }

    /// The value, or the error that is noted.
    pub fn take<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    pub fn finish(self) -> Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
