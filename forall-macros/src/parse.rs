//! A cursor over tokens, for the part of Rust's grammar that the macros need.
//!
//! Expressions, types and bodies are passed through as tokens; this module finds where they end. A fragment that
//! `macro_rules!` substituted for `$x:expr` or `$t:ty` is a group without delimiters, which is passed through unchanged;
//! only [`Input::open`] looks inside.

#[cfg(test)]
mod tests;

use crate::compiler::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use crate::template::{Piece, template};
use crate::tokens::is_named;
use std::fmt::Display;

pub type Result<T> = std::result::Result<T, Error>;

/// A compile error, with its span.
#[derive(Debug)]
pub struct Error {
    start: Span,
    end: Span,
    message: String,
}

impl Error {
    pub fn new(span: Span, message: impl Display) -> Self {
        Self { start: span, end: span, message: message.to_string() }
    }

    /// Creates an error that spans all of the tokens.
    pub fn over(tokens: TokenStream, message: impl Display) -> Self {
        let input = Input::new(tokens);
        let end = input.rest.first().map_or(input.end, TokenTree::span);
        Self { start: input.span(), end, message: message.to_string() }
    }
}

impl Piece for Error {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        // The compiler underlines everything from the first of these tokens to the last.
        let mut message = Group::new(Delimiter::Brace, self.message.tokens());
        message.set_span(self.end);
        template!(at self.start, |message| ::core::compile_error! #message).put(tokens);
    }
}

/// Errors, collected so that all of them are reported at once.
#[derive(Default)]
pub struct Errors(Vec<Error>);

impl Errors {
    pub fn push(&mut self, error: Error) {
        self.0.push(error);
    }

    pub fn at(&mut self, span: Span, message: impl Display) {
        self.push(Error::new(span, message));
    }

    /// Returns the value, or records the error.
    pub fn take<T>(&mut self, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.push(error);
                None
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn finish(self) -> std::result::Result<(), Self> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl From<Error> for Errors {
    fn from(error: Error) -> Self {
        Self(vec![error])
    }
}

impl Piece for Errors {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        self.0.put(tokens);
    }
}

/// The remaining tokens.
pub struct Input {
    /// In reverse: the next token is the last element.
    rest: Vec<TokenTree>,
    /// The span for errors at the end.
    end: Span,
}

/// Keywords that cannot name a variable, and that end a type; `for` and `extern` are handled before.
const KEYWORDS: &str = "abstract as async await become box break continue do else enum extern false final for if in let \
                        loop macro match mod move override priv pub ref return static struct trait true try type \
                        typeof unsized use virtual where while yield";
/// Keywords that cannot name a variable, but may occur in a type.
const KEYWORDS_OF_TYPES: &str = "_ Self self super crate fn const dyn impl mut unsafe";

fn is_one_of(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|other| other == word)
}

pub fn is(token: &TokenTree, text: &str) -> bool {
    match token {
        TokenTree::Ident(ident) => is_named(ident, text),
        TokenTree::Punct(punct) => text.len() == 1 && text.starts_with(punct.as_char()),
        _ => false,
    }
}

fn is_group(token: &TokenTree, delimiter: Delimiter) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == delimiter)
}

impl Input {
    pub fn new(tokens: TokenStream) -> Self {
        let mut input = Self { rest: Vec::new(), end: Span::call_site() };
        input.put(tokens);
        input
    }

    /// Reads the tokens of a group.
    pub fn inside(group: &Group) -> Self {
        Self { end: group.span_close(), ..Self::new(group.stream()) }
    }

    /// Prepends tokens.
    fn put(&mut self, tokens: TokenStream) {
        let start = self.rest.len();
        self.rest.extend(tokens);
        self.rest[start..].reverse();
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The span of the next token.
    pub fn span(&self) -> Span {
        self.rest.last().map_or(self.end, TokenTree::span)
    }

    pub fn error(&self, message: impl Display) -> Error {
        Error::new(self.span(), message)
    }

    /// Whether this word or operator comes next.
    pub fn at(&self, text: &str) -> bool {
        self.at_after(0, text)
    }

    /// Whether this comes after `skipped` tokens, where each character of an operator is a token.
    pub fn at_after(&self, skipped: usize, text: &str) -> bool {
        let Some(mut rest) = self.rest.len().checked_sub(skipped) else { return false };
        if text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return rest > 0 && is(&self.rest[rest - 1], text);
        }
        for (index, c) in text.char_indices() {
            let is_last = index + c.len_utf8() == text.len();
            match self.rest[..rest].last() {
                Some(TokenTree::Punct(punct))
                    if punct.as_char() == c && (is_last || punct.spacing() == Spacing::Joint) => {}
                _ => return false,
            }
            rest -= 1;
        }
        true
    }

    pub fn peek(&self) -> Option<&TokenTree> {
        self.rest.last()
    }

    pub fn next(&mut self) -> Option<TokenTree> {
        self.rest.pop()
    }

    pub fn take(&mut self, count: usize) -> Vec<TokenTree> {
        let mut taken = self.rest.split_off(self.rest.len().saturating_sub(count));
        taken.reverse();
        taken
    }

    /// Reads all remaining tokens.
    pub fn rest(mut self) -> TokenStream {
        self.rest.reverse();
        self.rest.into_iter().collect()
    }

    /// Reads this word or character, if it comes next.
    pub fn eat(&mut self, text: &str) -> Option<TokenTree> {
        if self.at(text) { self.next() } else { None }
    }

    pub fn expect(&mut self, text: &str) -> Result<Span> {
        match self.eat(text) {
            Some(token) => Ok(token.span()),
            None => Err(self.error(format!("expected `{text}`"))),
        }
    }

    /// Reads a word, including keywords.
    pub fn ident(&mut self, expected: &str) -> Result<Ident> {
        match self.rest.pop_if(|token| matches!(token, TokenTree::Ident(_))) {
            Some(TokenTree::Ident(ident)) => Ok(ident),
            _ => Err(self.error(format!("expected {expected}"))),
        }
    }

    /// Reads a word that can name a variable.
    pub fn name(&mut self, expected: &str) -> Result<Ident> {
        let start = self.span();
        let name = self.ident(expected)?;
        let text = name.to_string();
        match is_one_of(KEYWORDS, &text) || is_one_of(KEYWORDS_OF_TYPES, &text) {
            true => Err(Error::new(start, format!("expected {expected}"))),
            false => Ok(name),
        }
    }

    /// Reads one of the `known` words, including keywords.
    pub fn word(&mut self, kind: &str, known: &[&'static str]) -> Result<(&'static str, Span)> {
        let expected = format!("{kind}: {}", one_of(known));
        let found = self.ident(&expected)?;
        let text = found.to_string();
        match known.iter().find(|&&candidate| text == candidate) {
            Some(&known) => Ok((known, found.span())),
            None => Err(match closest(&text, known) {
                Some(other) => Error::new(
                    found.span(),
                    format!("unknown word `{found}`: did you mean `{other}`? Expected {expected}"),
                ),
                None => Error::new(found.span(), format!("unknown word `{found}`: expected {expected}")),
            }),
        }
    }

    /// The next word, if a type follows it: `name: Type`.
    pub fn declaration(&self) -> Option<&Ident> {
        match &self.rest[..] {
            [.., TokenTree::Punct(colon), TokenTree::Ident(name)]
                if colon.as_char() == ':' && colon.spacing() == Spacing::Alone =>
            {
                Some(name)
            }
            _ => None,
        }
    }

    pub fn group(&mut self, delimiter: Delimiter) -> Option<Group> {
        match self.rest.pop_if(|token| is_group(token, delimiter)) {
            Some(TokenTree::Group(group)) => Some(group),
            _ => None,
        }
    }

    /// Opens the invisible group of a macro fragment, if one comes next.
    pub fn open(&mut self) {
        self.open_if(&|_| true);
    }

    /// As [`Input::open`], if the group is empty or begins with a `wanted` token.
    pub fn open_if(&mut self, wanted: &dyn Fn(&TokenTree) -> bool) {
        while let Some(TokenTree::Group(group)) = self.rest.pop_if(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => group
                .stream()
                .into_iter()
                .next()
                .is_none_or(|first| is_group(&first, Delimiter::None) || wanted(&first)),
            _ => false,
        }) {
            self.put(group.stream());
        }
    }

    /// Reads a comma-separated list up to the end, with an optional trailing comma.
    pub fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        while !self.is_empty() {
            items.push(item(self)?);
            if !self.is_empty() {
                self.expect(",")?;
            }
        }
        Ok(items)
    }

    /// Reads a path without arguments. `after` is the span for the error if there is none.
    pub fn path(&mut self, after: Span) -> Result<TokenStream> {
        self.open();
        let mut path = TokenStream::new();
        loop {
            if self.at("::") {
                path.extend(self.take(2));
            } else if !path.is_empty() {
                return Ok(path);
            }
            let place = if self.is_empty() { after } else { self.span() };
            let name = self.ident("a path").map_err(|_| Error::new(place, "expected a path, such as `::forall`"))?;
            path.extend(Some(TokenTree::Ident(name)));
        }
    }

    /// Reads tokens up to the first one outside of `<…>` that `ends` accepts, or a `;`. Not for expressions, where `<`
    /// compares.
    pub fn until(&mut self, ends: &dyn Fn(&TokenTree) -> bool) -> TokenStream {
        let mut tokens = Vec::new();
        let (mut depth, mut after_minus) = (0_u32, false);
        let goes_on = |token: &TokenTree, inside| !is(token, ";") && (inside || !ends(token));
        while let Some(token) = self.rest.pop_if(|token| goes_on(token, depth > 0 || after_minus)) {
            let punct = if let TokenTree::Punct(punct) = &token { punct.as_char() } else { ' ' };
            match punct {
                '<' => depth += 1,
                '>' if !after_minus => depth = depth.saturating_sub(1),
                _ => {}
            }
            // The `>` of `->` closes no bracket.
            after_minus = punct == '-' && self.at(">");
            tokens.push(token);
        }
        alone(tokens)
    }

    /// Reads `<…>`, with nesting.
    pub fn angles(&mut self) -> Result<TokenStream> {
        let (start, mut tokens) = (self.span(), TokenStream::new());
        tokens.extend(self.eat("<"));
        tokens.extend(self.until(&|token| is(token, ">")));
        match self.eat(">") {
            Some(close) => tokens.extend(Some(close)),
            None => return Err(Error::new(start, "this `<` is not closed: add `>`")),
        }
        Ok(tokens)
    }

    /// Reads a type: as many tokens as can be part of it.
    pub fn ty(&mut self) -> Result<TokenStream> {
        let mut ty = Vec::new();
        // Whether the type can end here, and the previous token.
        let (mut complete, mut previous) = (false, String::new());
        while let Some(token) = self.rest.last() {
            let text = if let TokenTree::Group(_) = token { String::new() } else { token.to_string() };
            let mut count = 1;
            complete = match (complete, text.as_str(), token) {
                (_, "<", _) => {
                    ty.extend(self.angles()?);
                    count = 0;
                    previous != "for"
                }
                (_, ":", _) if self.at("::") => {
                    count = 2;
                    false
                }
                (true, "-", _) if self.at("->") => {
                    count = 2;
                    false
                }
                // A lifetime: a bound in `dyn Trait + 'a`, but not in `&'a str`.
                (false, "'", _) => {
                    count = 2;
                    previous == "+"
                }
                // A macro in type position, and the never type.
                (true, "!", _) if matches!(self.rest.iter().nth_back(1), Some(TokenTree::Group(_))) => false,
                (false, "!", _) => true,
                (_, "+", _)
                | (false, "&" | "*" | "?" | "mut" | "const" | "dyn" | "impl" | "unsafe" | "extern" | "fn" | "for", _) => {
                    false
                }
                (false, keyword, TokenTree::Ident(_)) => {
                    if is_one_of(KEYWORDS, keyword) {
                        break;
                    }
                    true
                }
                (false, _, TokenTree::Group(_)) => true,
                (true, _, TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => true,
                (false, _, TokenTree::Literal(_)) if previous == "extern" => false,
                _ => break,
            };
            ty.extend(self.take(count));
            previous = text;
        }
        if complete { Ok(alone(ty)) } else { Err(self.error("expected a type, such as `Vec<u8>`")) }
    }

    /// Reads an expression: tokens up to a `,` or `;` outside of brackets, closure parameters and types. `after` is the
    /// span for the error if there are none.
    pub fn expression(&mut self, after: Span, expected: &str) -> Result<TokenStream> {
        let mut tokens = Vec::new();
        tokens.extend(self.eat("move"));
        if self.at("|") {
            tokens.extend(self.next());
            while !self.is_empty() && !self.at("|") {
                tokens.extend(self.next());
            }
        } else if self.at("<") {
            tokens.extend(self.angles()?);
        }
        while !self.is_empty() && !self.at(",") && !self.at(";") {
            if self.at("::") && self.at_after(2, "<") {
                tokens.extend(self.take(2));
                tokens.extend(self.angles()?);
            } else if self.at("->") {
                tokens.extend(self.take(2));
                tokens.extend(self.ty()?);
            } else {
                tokens.extend(self.next());
            }
        }
        if tokens.is_empty() {
            Err(Error::new(after, format!("expected {expected} after this")))
        } else {
            Ok(alone(whole(tokens)))
        }
    }
}

/// The tokens of an expression, with macro fragments in them (`10 * $n`) in parentheses: otherwise `1 + 2` for `$n` would be
/// parsed as `10 * 1 + 2`, since the compiler ignores the invisible delimiters in the output of a procedural macro. A
/// fragment alone needs none, nor does a name that begins a path, a struct literal or a macro call.
fn whole(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    if tokens.len() == 1 {
        return tokens;
    }
    let mut rest = tokens.into_iter().peekable();
    let mut whole = Vec::new();
    while let Some(token) = rest.next() {
        whole.push(match (token, rest.peek()) {
            (TokenTree::Group(group), next) if group.delimiter() == Delimiter::None && !is_name(&group, next) => {
                let mut inside = Group::new(Delimiter::Parenthesis, group.stream());
                inside.set_span(Span::mixed_site().located_at(group.span()));
                TokenTree::Group(inside)
            }
            (other, _) => other,
        });
    }
    whole
}

/// Whether a fragment is one token, or a name that continues in the next token.
fn is_name(group: &Group, next: Option<&TokenTree>) -> bool {
    let mut input = Input::new(group.stream());
    input.open();
    input.next();
    let goes_on = |next: &TokenTree| match next {
        // `!=` is not a macro call.
        TokenTree::Punct(mark) => mark.as_char() == ':' || mark.as_char() == '!' && mark.spacing() == Spacing::Alone,
        other => is_group(other, Delimiter::Brace),
    };
    input.is_empty() || next.is_some_and(goes_on)
}

/// The tokens, with the last one not joint: a `>` before `,` must not merge with a following `=`.
fn alone(mut tokens: Vec<TokenTree>) -> TokenStream {
    if let Some(TokenTree::Punct(last)) = tokens.last_mut() {
        let span = last.span();
        *last = Punct::new(last.as_char(), Spacing::Alone);
        last.set_span(span);
    }
    tokens.into_iter().collect()
}

/// The literal, if it is the only token.
pub fn literal(tokens: &TokenStream) -> Option<Literal> {
    let mut input = Input::new(tokens.clone());
    input.open();
    match (input.next(), input.is_empty()) {
        (Some(TokenTree::Literal(literal)), true) => Some(literal),
        _ => None,
    }
}

/// The value of an integer literal.
pub fn integer(literal: &Literal) -> Option<u32> {
    let text = without('_', &literal.to_string());
    let (radix, digits) = match text.get(..2) {
        Some("0x") => (16, &text[2..]),
        Some("0o") => (8, &text[2..]),
        Some("0b") => (2, &text[2..]),
        _ => (10, &text[..]),
    };
    let suffix: fn(char) -> bool = |c| matches!(c, 'u' | 'i');
    let end = digits.find(suffix).unwrap_or(digits.len());
    u32::from_str_radix(&digits[..end], radix).ok()
}

/// The text without this character.
pub fn without(unwanted: char, text: &str) -> String {
    let mut rest = String::new();
    for c in text.chars() {
        if c != unwanted {
            rest.push(c);
        }
    }
    rest
}

/// The known word that is most likely meant: one that differs in at most two letters.
fn closest(word: &str, known: &[&'static str]) -> Option<&'static str> {
    let mut best: Option<(usize, &'static str)> = None;
    for candidate in known {
        let distance = distance(word, candidate);
        if distance <= 2 && distance < candidate.len() / 2 && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// "`a`, `b` or `c`".
fn one_of(words: &[&str]) -> String {
    let mut text = String::new();
    for (index, word) in words.iter().enumerate() {
        let before = match index {
            0 => "",
            _ if index + 1 == words.len() => " or ",
            _ => ", ",
        };
        text += &format!("{before}`{word}`");
    }
    text
}
