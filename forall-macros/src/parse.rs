//! A cursor over tokens, for the little of Rust that the macros look into.
//!
//! Expressions, types and bodies pass through as tokens; what is read here is where they end. What `macro_rules!`
//! substituted for `$x:expr` or `$t:ty` comes as a group without delimiters, which passes through as it is; only
//! [`Input::open`] looks inside.

#[cfg(test)]
mod tests;

use crate::compiler::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use crate::template::{Piece, template};
use crate::tokens::is_named;
use std::fmt::Display;

pub type Result<T> = std::result::Result<T, Error>;

/// A mistake, and from where to where it is.
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

    /// An error about all of some tokens.
    pub fn over(tokens: TokenStream, message: impl Display) -> Self {
        let input = Input::new(tokens);
        let end = input.rest.first().map_or(input.end, TokenTree::span);
        Self { start: input.span(), end, message: message.to_string() }
    }
}

impl Piece for Error {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        // The compiler points at everything from the first of these tokens to the last.
        let mut message = Group::new(Delimiter::Brace, self.message.tokens());
        message.set_span(self.end);
        template!(at self.start, |message| ::core::compile_error! #message).put(tokens);
    }
}

/// Errors that are collected so that all of them are shown at once.
#[derive(Default)]
pub struct Errors(Vec<Error>);

impl Errors {
    pub fn push(&mut self, error: Error) {
        self.0.push(error);
    }

    pub fn at(&mut self, span: Span, message: impl Display) {
        self.push(Error::new(span, message));
    }

    /// The value, or the error that is noted.
    pub fn take<T>(&mut self, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.push(error);
                None
            }
        }
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

/// Tokens that are left to read.
pub struct Input {
    /// The next one is the last.
    rest: Vec<TokenTree>,
    /// What to blame where they end.
    end: Span,
}

/// Words that begin neither a type nor the name of a variable.
const KEYWORDS: &str = "abstract as async await become box break continue do else enum extern false final for if in let \
                        loop macro match mod move override priv pub ref return static struct trait true try type \
                        typeof unsized use virtual where while yield";
/// Words that a type can begin with, but that name no variable.
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

    /// The tokens between the delimiters.
    pub fn inside(group: &Group) -> Self {
        Self { end: group.span_close(), ..Self::new(group.stream()) }
    }

    /// Puts tokens before those that are left.
    fn put(&mut self, tokens: TokenStream) {
        let start = self.rest.len();
        self.rest.extend(tokens);
        self.rest[start..].reverse();
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The place of the next token.
    pub fn span(&self) -> Span {
        self.rest.last().map_or(self.end, TokenTree::span)
    }

    pub fn error(&self, message: impl Display) -> Error {
        Error::new(self.span(), message)
    }

    /// Whether this word, or these characters, come next.
    pub fn at(&self, text: &str) -> bool {
        self.at_after(0, text)
    }

    /// Whether this comes after `skipped` tokens, of which each character of an operator is one.
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

    /// Everything that is left.
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

    /// Any word, be it a keyword or not.
    pub fn ident(&mut self, expected: &str) -> Result<Ident> {
        match self.rest.pop_if(|token| matches!(token, TokenTree::Ident(_))) {
            Some(TokenTree::Ident(ident)) => Ok(ident),
            _ => Err(self.error(format!("expected {expected}"))),
        }
    }

    /// A word that can name a variable.
    pub fn name(&mut self, expected: &str) -> Result<Ident> {
        let start = self.span();
        let name = self.ident(expected)?;
        let text = name.to_string();
        match is_one_of(KEYWORDS, &text) || is_one_of(KEYWORDS_OF_TYPES, &text) {
            true => Err(Error::new(start, format!("expected {expected}"))),
            false => Ok(name),
        }
    }

    /// A word that must be one of `known`; it may be a keyword of Rust.
    pub fn word(&mut self, kind: &str, known: &[&'static str]) -> Result<(&'static str, Span)> {
        let expected = format!("{kind}: {}", one_of(known));
        let found = self.ident(&expected)?;
        let text = found.to_string();
        match known.iter().find(|&&candidate| text == candidate) {
            Some(&known) => Ok((known, found.span())),
            None => Err(Error::new(found.span(), format!("`{found}` is not known here; expected {expected}"))),
        }
    }

    /// The word that is next, if a type follows it: `name: Type`.
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

    /// Takes off the delimiters of what a macro substituted, if that comes next.
    pub fn open(&mut self) {
        self.open_if(&|_| true);
    }

    /// As [`Input::open`], where the first token in it is `wanted` or there is none.
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

    /// Items with a `,` after each but perhaps the last, up to the end.
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

    /// A path without arguments. `after` is the place to blame if there is none.
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

    /// The tokens up to the first outside of `<…>` that `ends` picks, or to a `;`. Not for expressions, where `<`
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
            // `->` closes nothing.
            after_minus = punct == '-' && self.at(">");
            tokens.push(token);
        }
        alone(tokens)
    }

    /// `<…>`, nested as it may be.
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

    /// A type: it goes on as long as the next token can be a part of it.
    pub fn ty(&mut self) -> Result<TokenStream> {
        let mut ty = Vec::new();
        // Whether the type could end here, and the token before.
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
                // A lifetime: a bound of its own in `dyn Trait + 'a`, but not in `&'a str`.
                (false, "'", _) => {
                    count = 2;
                    previous == "+"
                }
                // A type by a macro, and the one without values.
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

    /// The tokens of an expression: up to a `,` or `;` outside of brackets, of a closure's parameters and of types.
    /// `after` is the place to blame if there are none.
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

/// The tokens of an expression, with what a macro put into them (`10 * $n`) in parentheses: without, `1 + 2` for `$n` would be three
/// operands, since the compiler does not look at the delimiters of a fragment that comes out of a procedural macro. A fragment alone
/// needs none; and what begins a path, a literal of a structure or the call of a macro is a name.
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

/// Whether a fragment is one token, or is the beginning of what comes after it.
fn is_name(group: &Group, next: Option<&TokenTree>) -> bool {
    let mut input = Input::new(group.stream());
    input.open();
    input.next();
    let goes_on = |next: &TokenTree| match next {
        // `!=` compares.
        TokenTree::Punct(mark) => mark.as_char() == ':' || mark.as_char() == '!' && mark.spacing() == Spacing::Alone,
        other => is_group(other, Delimiter::Brace),
    };
    input.is_empty() || next.is_some_and(goes_on)
}

/// The tokens, the last of them apart from what will follow: `>` before `,` is to stay one when `=` comes instead.
fn alone(mut tokens: Vec<TokenTree>) -> TokenStream {
    if let Some(TokenTree::Punct(last)) = tokens.last_mut() {
        let span = last.span();
        *last = Punct::new(last.as_char(), Spacing::Alone);
        last.set_span(span);
    }
    tokens.into_iter().collect()
}

/// The literal, if the tokens are no more than that.
pub fn literal(tokens: &TokenStream) -> Option<Literal> {
    let mut input = Input::new(tokens.clone());
    input.open();
    match (input.next(), input.is_empty()) {
        (Some(TokenTree::Literal(literal)), true) => Some(literal),
        _ => None,
    }
}

/// The value of a literal that is a whole number.
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

/// The text without a character.
pub fn without(unwanted: char, text: &str) -> String {
    let mut rest = String::new();
    for c in text.chars() {
        if c != unwanted {
            rest.push(c);
        }
    }
    rest
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
