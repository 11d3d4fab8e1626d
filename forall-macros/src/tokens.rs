//! Spans of generated tokens, and the source text of the user's tokens.

use crate::compiler::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// A span for generated tokens at the location of others, so that compiler messages point there.
pub fn at(tokens: &TokenStream) -> Span {
    let first = tokens.clone().into_iter().next();
    Span::mixed_site().located_at(first.map_or_else(Span::call_site, |token| token.span()))
}

/// The same tokens with another location.
pub fn placed(tokens: &TokenStream, place: Span) -> TokenStream {
    let mut placed = Vec::new();
    for mut token in tokens.clone() {
        token.set_span(token.span().located_at(place));
        placed.push(token);
    }
    placed.into_iter().collect()
}

/// A hygienic identifier, which cannot clash with the user's names.
pub fn hidden(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Whether the identifier has this name. (`proc_macro::Ident` has no `PartialEq`.)
pub fn is_named(ident: &Ident, name: &str) -> bool {
    let text = ident.to_string();
    text == name
}

/// Whether the tokens contain a call of a printing macro.
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

/// The literals in a body, one per line: candidates for magic constants of the tested code. One-digit literals are generated
/// at random anyway, and multi-line literals are messages.
pub fn literals(body: &Group) -> String {
    let mut found = Vec::new();
    collect_literals(body.stream(), &mut found);
    let mut lines = String::new();
    for literal in &found {
        lines += if lines.is_empty() { "" } else { "\n" };
        lines += literal;
    }
    lines
}

fn collect_literals(tokens: TokenStream, found: &mut Vec<String>) {
    // Whether a value may begin here, and whether a minus precedes it.
    let (mut begins, mut is_negative) = (true, false);
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect_literals(group.stream(), found),
            TokenTree::Punct(mark) => {
                (begins, is_negative) = (true, begins && mark.as_char() == '-');
                continue;
            }
            TokenTree::Ident(_) => {}
            TokenTree::Literal(literal) => {
                let sign = if is_negative { "-" } else { "" };
                let text = format!("{sign}{literal}");
                let is_worth_it = (2..=LONGEST_LITERAL).contains(&text.len()) && !text.as_bytes().contains(&b'\n');
                if is_worth_it && found.len() < MOST_LITERALS && !found.contains(&text) {
                    found.push(text);
                }
            }
        }
        (begins, is_negative) = (false, false);
    }
}

/// Longer literals are messages, not values.
const LONGEST_LITERAL: usize = 80;

/// A body with more literals contains a table.
const MOST_LITERALS: usize = 64;

/// The source text of tokens, on one line.
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
    /// Whether the next token follows without a space regardless of its location: after the quote of a lifetime, whose span is
    /// that of the whole lifetime, and after a generated parenthesis.
    is_joined: bool,
}

/// The line in which a span ends.
#[cfg(not(test))]
pub fn last_line(of: Span) -> u32 {
    of.end().line() as u32
}

/// Unit tests have no source files.
#[cfg(test)]
pub fn last_line(_: Span) -> u32 {
    0
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
                    let (start, end) = (place(group.span_open()), place(group.span_close()));
                    self.piece(open, start);
                    // Generated delimiters have a single location.
                    let ours = start == end;
                    self.is_joined = ours;
                    self.write(group.stream());
                    self.is_joined = ours;
                    self.piece(close, end);
                }
                other => self.piece(&other.to_string(), place(other.span())),
            }
        }
    }

    fn piece(&mut self, piece: &str, (start, end): Place) {
        if !self.text.is_empty() && !self.is_joined && self.end != start {
            self.text.push(' ');
        }
        self.text.push_str(piece);
        self.is_joined = piece == "'";
        self.end = end;
    }
}

/// Start and end: lines and columns.
type Place = ((usize, usize), (usize, usize));

fn place(span: Span) -> Place {
    #[cfg(test)]
    let span = span.unwrap();
    let (start, end) = (span.start(), span.end());
    ((start.line(), start.column()), (end.line(), end.column()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str) -> String {
        literals(&Group::new(Delimiter::Brace, body.parse().unwrap()))
    }

    #[test]
    fn literals_are_found_inside_of_macros_with_their_sign() {
        assert_eq!(found("assert!(n != -0x5e && [b\"GIF\", s][0] == 'x', \"{n}\")"), "-0x5e\nb\"GIF\"\n'x'\n\"{n}\"");
        assert_eq!(found("a - 10; f(a) - 20; -30"), "10\n20\n-30");
    }

    #[test]
    fn short_long_and_duplicate_literals_are_skipped() {
        let long = "9".repeat(LONGEST_LITERAL + 1);
        assert_eq!(found(&format!("7 + 42 + 42 + {long} + \"two\nlines\"")), "42");
    }
}
