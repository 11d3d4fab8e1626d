//! Unsupported syntax of regular expressions: each with its location and what to do.
//!
//! Checked before an expression is compiled, since the compiler's input has no locations.

use super::neighbours::{Kinds, first, last};
use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{Assertion, AssertionKind, Ast, Error, ErrorKind, Position, RepetitionKind, RepetitionRange};
use regex_syntax::hir::translate::Translator;
use regex_syntax::hir::{self, Hir};

/// Longer strings take too long to test, and exceed the recording limit.
const MOST_CHARACTERS: usize = 1_000_000;

/// Parses an expression; otherwise returns the error, its location, and what to do.
pub(super) fn read(pattern: &str) -> Result<Hir, String> {
    let ast = Parser::new().parse(pattern).map_err(|error| not_read(&error).message())?;
    let translated = Translator::new().translate(pattern, &ast);
    let ascii = translated.as_ref().is_ok_and(|hir| hir.properties().look_set().contains_word_ascii());
    if let Some(complaint) = complaint(pattern, &ast, Place { before: Kinds::EDGE, after: Kinds::EDGE, ascii }) {
        return Err(complaint.message());
    }
    translated.map_err(|error| not_translated(&error).message())
}

struct Complaint {
    at: Position,
    what: String,
}

impl Complaint {
    fn message(self) -> String {
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

const LOOK_AROUND: &str = "look-around, such as `(?=…)`, is not supported; remove it and add `.filter(…)`, or spell \
                           out the alternatives";
const BACK_REFERENCE: &str = "a back-reference, such as `\\1`, is not supported; draw the repeated part separately in \
                              `from_fn(|s| …)`, and use `format!`";
const BOUNDARY: &str = "word boundaries, such as `\\b`, are supported only where they hold for every match; write the \
                        characters on both sides, or remove it and add `.filter(…)`";
const NO_UTF8: &str = "it matches bytes that are not UTF-8, which strings cannot contain; remove `(?-u)`";
const SYNTAX: &str = "the syntax is that of the crate `regex`";

/// The error of an expression that does not parse.
fn not_read(error: &Error) -> Complaint {
    let (at, pattern) = (error.span().start, error.pattern());
    let what = match error.kind() {
        ErrorKind::UnsupportedLookAround => LOOK_AROUND.to_owned(),
        ErrorKind::UnsupportedBackreference => BACK_REFERENCE.to_owned(),
        ErrorKind::EscapeUnrecognized if ["\\k", "\\g"].iter().any(|sign| pattern[at.offset..].starts_with(sign)) => {
            BACK_REFERENCE.to_owned()
        }
        // The parser accepts `(?` with flags, none of which is `P=`.
        ErrorKind::FlagUnrecognized
            if pattern[..at.offset].ends_with("(?") && pattern[at.offset..].starts_with("P=") =>
        {
            BACK_REFERENCE.to_owned()
        }
        kind => format!("{kind}; {SYNTAX}"),
    };
    Complaint { at, what }
}

/// The error of a parsed expression that does not translate.
fn not_translated(error: &hir::Error) -> Complaint {
    let what = match error.kind() {
        hir::ErrorKind::InvalidUtf8 => NO_UTF8.to_owned(),
        kind => format!("{kind}; {SYNTAX}"),
    };
    Complaint { at: error.span().start, what }
}

/// The context of a part: its possible neighbours.
#[derive(Clone, Copy)]
struct Place {
    before: Kinds,
    after: Kinds,
    /// Whether words are ASCII somewhere in the expression. Their characters are not examined.
    ascii: bool,
}

/// The first part of an expression that is not supported.
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
            // Only the first and the last of several repetitions are next to the neighbours of the whole.
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
                some(class.span.start, "this character class is empty, so nothing matches it; remove it")
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
        AssertionKind::StartLine | AssertionKind::StartText => "`^` is not at the start of the expression",
        AssertionKind::EndLine | AssertionKind::EndText => "`$` is not at the end of the expression",
        _ => return some(assertion.span.start, BOUNDARY),
    };
    some(assertion.span.start, format!("{what}; generated strings always match as a whole, so remove it"))
}

fn too_long(ast: &Ast, at: Position) -> Option<Complaint> {
    let longest = longest(ast);
    if longest <= MOST_CHARACTERS {
        return None;
    }
    let what = format!(
        "strings of up to {longest} characters are too long, the limit is 1000000; use a smaller number, or `*` or \
         `+`, which grow with the test's size"
    );
    some(at, what)
}

/// The maximum length of a match; unbounded repetitions count as at size 1.
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

/// The maximum number of repetitions.
fn most(kind: &RepetitionKind) -> usize {
    match kind {
        RepetitionKind::ZeroOrOne => 1,
        RepetitionKind::Range(RepetitionRange::Exactly(most) | RepetitionRange::Bounded(_, most)) => *most as usize,
        RepetitionKind::ZeroOrMore | RepetitionKind::OneOrMore | RepetitionKind::Range(RepetitionRange::AtLeast(_)) => {
            usize::MAX
        }
    }
}
