//! Tokens of ours and of the user's: where they are placed, and how they read.

use crate::compiler::{Delimiter, Ident, Span, TokenStream, TokenTree};

/// A span at the place of another, for tokens of ours: so that what the compiler says about them points there.
pub fn at(tokens: &TokenStream) -> Span {
    let first = tokens.clone().into_iter().next();
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

/// Whether the identifier is this one. (The compiler's identifiers cannot be compared.)
pub fn is_named(ident: &Ident, name: &str) -> bool {
    let text = ident.to_string();
    text == name
}

/// Whether a macro is called there that prints.
pub fn prints(tokens: TokenStream) -> bool {
    let mut may_print = false;
    for token in tokens {
        let prints = match token {
            TokenTree::Group(group) => prints(group.stream()),
            TokenTree::Punct(mark) => may_print && mark.as_char() == '!',
            TokenTree::Ident(name) => {
                let name = name.to_string();
                may_print = matches!(&*name, "print" | "println" | "eprint" | "eprintln" | "dbg");
                continue;
            }
            TokenTree::Literal(_) => false,
        };
        if prints {
            return true;
        }
        may_print = false;
    }
    false
}

/// The text of tokens as their author spaced them, on one line.
pub fn text(tokens: &TokenStream) -> String {
    let mut text = Text::default();
    text.write(tokens.clone());
    text.text
}

#[derive(Default)]
struct Text {
    text: String,
    /// Line and column at which the last token ended.
    end: (usize, usize),
    /// Whether the last token was the quote of a lifetime. The compiler gives it the place of the whole lifetime.
    in_lifetime: bool,
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
        #[cfg(test)]
        let span = span.unwrap();
        let (start, end) = (span.start(), span.end());
        if !self.text.is_empty() && !self.in_lifetime && self.end != (start.line(), start.column()) {
            self.text.push(' ');
        }
        self.text.push_str(piece);
        self.in_lifetime = piece == "'";
        self.end = (end.line(), end.column());
    }
}
