//! What the syntax of regular expressions has, and no text can be made from: each with its place and with what to do.
//!
//! It is looked for before an expression is compiled, since what is compiled from does not know where anything stands.

use super::neighbours::{Kinds, first, last};
use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{Assertion, AssertionKind, Ast, Error, ErrorKind, Position, RepetitionKind, RepetitionRange};
use regex_syntax::hir::translate::Translator;
use regex_syntax::hir::{self, Hir};

/// Longer texts take a test longer than anybody waits, and do not fit on a tape.
const MOST_CHARACTERS: usize = 1_000_000;

/// Reads an expression; or says what is wrong with it, where, and what to do.
pub(super) fn read(pattern: &str) -> Result<Hir, String> {
    let ast = Parser::new().parse(pattern).map_err(|error| not_read(&error).told())?;
    let translated = Translator::new().translate(pattern, &ast);
    let ascii = translated.as_ref().is_ok_and(|hir| hir.properties().look_set().contains_word_ascii());
    if let Some(complaint) = complaint(pattern, &ast, Place { before: Kinds::EDGE, after: Kinds::EDGE, ascii }) {
        return Err(complaint.told());
    }
    translated.map_err(|error| not_translated(&error).told())
}

struct Complaint {
    at: Position,
    what: String,
}

impl Complaint {
    fn told(self) -> String {
        let Self { at: Position { line, column, .. }, what } = self;
        match line {
            1 => format!("{what} (at column {column})"),
            _ => format!("{what} (at line {line}, column {column})"),
        }
    }
}

fn some(at: Position, what: impl Into<String>) -> Option<Complaint> {
    Some(Complaint { at, what: what.into() })
}

const LOOK_AROUND: &str = "look-around, such as `(?=…)`, is not supported; generate without it, and add `.filter(…)` for what \
                           it demands, or write out what may stand there";
const BACK_REFERENCE: &str = "a back-reference, such as `\\1`, is not supported; draw the part that is to come twice by \
                              itself, in `from_fn(|s| …)`, and use `format!`";
const BOUNDARY: &str = "boundaries of words, such as `\\b`, are supported only where there is one in every text; write which \
                        characters stand on both sides, or leave it out and add `.filter(…)`";
const NO_UTF8: &str = "it matches bytes that are no UTF-8, and strings have none; leave out `(?-u)`";
const SYNTAX: &str = "the syntax is that of the crate `regex`";

/// Why an expression could not be read.
fn not_read(error: &Error) -> Complaint {
    let (at, pattern) = (error.span().start, error.pattern());
    let what = match error.kind() {
        ErrorKind::UnsupportedLookAround => LOOK_AROUND.to_owned(),
        ErrorKind::UnsupportedBackreference => BACK_REFERENCE.to_owned(),
        ErrorKind::EscapeUnrecognized if ["\\k", "\\g"].iter().any(|sign| pattern[at.offset..].starts_with(sign)) => {
            BACK_REFERENCE.to_owned()
        }
        // What is read is `(?` with flags, of which none is `P=`.
        ErrorKind::FlagUnrecognized
            if pattern[..at.offset].ends_with("(?") && pattern[at.offset..].starts_with("P=") =>
        {
            BACK_REFERENCE.to_owned()
        }
        kind => format!("{kind}; {SYNTAX}"),
    };
    Complaint { at, what }
}

/// Why there is no expression in what was read.
fn not_translated(error: &hir::Error) -> Complaint {
    let what = match error.kind() {
        hir::ErrorKind::InvalidUtf8 => NO_UTF8.to_owned(),
        kind => format!("{kind}; {SYNTAX}"),
    };
    Complaint { at: error.span().start, what }
}

/// Where a part of an expression stands: what may come right before it, and right after.
#[derive(Clone, Copy)]
struct Place {
    before: Kinds,
    after: Kinds,
    /// Whether words are those of ASCII somewhere in the expression. Which characters these are made of is not looked into.
    ascii: bool,
}

/// The first thing in an expression from which no text can be made.
fn complaint(pattern: &str, ast: &Ast, place: Place) -> Option<Complaint> {
    match ast {
        Ast::Assertion(assertion) => misplaced(assertion, place),
        Ast::Group(group) => complaint(pattern, &group.ast, place),
        Ast::Alternation(alternation) => alternation.asts.iter().find_map(|part| complaint(pattern, part, place)),
        Ast::Concat(concat) => {
            let parts = &concat.asts;
            let of_part = |(at, part): (usize, &Ast)| {
                let before = parts[..at].iter().rev().map(|part| last(pattern, part));
                let after = parts[at + 1..].iter().map(|part| first(pattern, part));
                let place = Place { before: place.before.behind(before), after: place.after.behind(after), ..place };
                complaint(pattern, part, place)
            };
            parts.iter().enumerate().find_map(of_part).or_else(|| too_long(ast, concat.span.start))
        }
        Ast::Repetition(repetition) => {
            // Of several, only one is first.
            let inside = match most(&repetition.op.kind) {
                0 | 1 => place,
                _ => Place {
                    before: place.before.or(last(pattern, &repetition.ast)),
                    after: place.after.or(first(pattern, &repetition.ast)),
                    ..place
                },
            };
            let inside = complaint(pattern, &repetition.ast, inside);
            inside.or_else(|| too_long(ast, repetition.op.span.start))
        }
        Ast::ClassBracketed(class) => match Translator::new().translate(pattern, ast) {
            Ok(hir) if hir.properties().minimum_len().is_none() => {
                some(class.span.start, "this class has no characters, so nothing matches it; leave it out")
            }
            _ => None,
        },
        Ast::Empty(_) | Ast::Flags(_) | Ast::Literal(_) | Ast::Dot(_) | Ast::ClassUnicode(_) | Ast::ClassPerl(_) => {
            None
        }
    }
}

fn misplaced(assertion: &Assertion, place: Place) -> Option<Complaint> {
    let Place { before, after, ascii } = place;
    let begins = before.is_no_word() && after.is_word();
    let ends = before.is_word() && after.is_no_word();
    let says_nothing = match assertion.kind {
        AssertionKind::StartLine | AssertionKind::StartText => before == Kinds::EDGE,
        AssertionKind::EndLine | AssertionKind::EndText => after == Kinds::EDGE,
        _ if ascii => false,
        AssertionKind::WordBoundary => begins || ends,
        AssertionKind::NotWordBoundary => {
            before.is_word() && after.is_word() || before.is_no_word() && after.is_no_word()
        }
        AssertionKind::WordBoundaryStart | AssertionKind::WordBoundaryStartAngle => begins,
        AssertionKind::WordBoundaryEnd | AssertionKind::WordBoundaryEndAngle => ends,
        AssertionKind::WordBoundaryStartHalf => before.is_no_word(),
        AssertionKind::WordBoundaryEndHalf => after.is_no_word(),
    };
    let what = match assertion.kind {
        _ if says_nothing => return None,
        AssertionKind::StartLine | AssertionKind::StartText => {
            "`^` stands where something comes, or may come, before it"
        }
        AssertionKind::EndLine | AssertionKind::EndText => "`$` stands where something comes, or may come, after it",
        _ => return some(assertion.span.start, BOUNDARY),
    };
    some(assertion.span.start, format!("{what}; the whole text matches in any case, so leave it out"))
}

fn too_long(ast: &Ast, at: Position) -> Option<Complaint> {
    let longest = longest(ast);
    if longest <= MOST_CHARACTERS {
        return None;
    }
    let what = format!(
        "texts of up to {longest} characters are too long to test with, 1000000 are the most; write a smaller number, or \
         `*` or `+`, which grow with the size of the test"
    );
    some(at, what)
}

/// The most characters that a text can have; where there is no limit but the size of the test, as if it were 1.
fn longest(ast: &Ast) -> usize {
    match ast {
        Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_) => 0,
        Ast::Literal(_) | Ast::Dot(_) | Ast::ClassUnicode(_) | Ast::ClassPerl(_) | Ast::ClassBracketed(_) => 1,
        Ast::Group(group) => longest(&group.ast),
        Ast::Alternation(alternation) => alternation.asts.iter().map(longest).max().unwrap_or(0),
        Ast::Concat(concat) => concat.asts.iter().map(longest).fold(0, usize::saturating_add),
        Ast::Repetition(repetition) => {
            let times = match repetition.op.kind {
                RepetitionKind::ZeroOrMore | RepetitionKind::OneOrMore => 1,
                RepetitionKind::Range(RepetitionRange::AtLeast(least)) => least.max(1) as usize,
                ref kind => most(kind),
            };
            longest(&repetition.ast).saturating_mul(times)
        }
    }
}

/// How often something is repeated at most.
fn most(kind: &RepetitionKind) -> usize {
    match kind {
        RepetitionKind::ZeroOrOne => 1,
        RepetitionKind::Range(RepetitionRange::Exactly(most) | RepetitionRange::Bounded(_, most)) => *most as usize,
        RepetitionKind::ZeroOrMore | RepetitionKind::OneOrMore | RepetitionKind::Range(RepetitionRange::AtLeast(_)) => {
            usize::MAX
        }
    }
}
