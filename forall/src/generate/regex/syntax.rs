//! What the syntax of regular expressions has, and no text can be made from: each with its place and with what to do.
//!
//! It is looked for before an expression is compiled, since what is compiled from does not know where anything stands.

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{Assertion, AssertionKind, Ast, Error, ErrorKind, Position, RepetitionKind, RepetitionRange};
use regex_syntax::hir::Hir;
use regex_syntax::hir::translate::Translator;

/// Longer texts take a test longer than anybody waits, and do not fit on a tape.
const MOST_CHARACTERS: usize = 1_000_000;

/// Reads an expression; or says what is wrong with it, where, and what to do.
pub(super) fn read(pattern: &str) -> Result<Hir, String> {
    let ast = Parser::new().parse(pattern).map_err(|error| not_read(&error).told())?;
    if let Some(complaint) = complaint(pattern, &ast, Place { starts: true, ends: true }) {
        return Err(complaint.told());
    }
    let translated = Translator::new().translate(pattern, &ast);
    translated.map_err(|error| Complaint { at: error.span().start, what: error.kind().to_string() }.told())
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
const BOUNDARY: &str = "boundaries of words, such as `\\b`, are not supported; write the characters that stand on both sides, \
                        or add `.filter(…)`";
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
        kind @ (ErrorKind::EscapeUnrecognized | ErrorKind::FlagUnrecognized) => format!("{kind}; {SYNTAX}"),
        kind => kind.to_string(),
    };
    Complaint { at, what }
}

/// Where a part of an expression stands: whether nothing can come before it, and nothing after.
#[derive(Clone, Copy)]
struct Place {
    starts: bool,
    ends: bool,
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
                let starts = place.starts && parts[..at].iter().all(|part| longest(part) == 0);
                let ends = place.ends && parts[at + 1..].iter().all(|part| longest(part) == 0);
                complaint(pattern, part, Place { starts, ends })
            };
            parts.iter().enumerate().find_map(of_part).or_else(|| too_long(ast, concat.span.start))
        }
        Ast::Repetition(repetition) => {
            // Of several, only one is first.
            let alone = most(&repetition.op.kind) <= 1;
            let place = Place { starts: place.starts && alone, ends: place.ends && alone };
            let inside = complaint(pattern, &repetition.ast, place);
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
    let says_nothing = match assertion.kind {
        AssertionKind::StartLine | AssertionKind::StartText => place.starts,
        AssertionKind::EndLine | AssertionKind::EndText => place.ends,
        _ => return some(assertion.span.start, BOUNDARY),
    };
    let what = match assertion.kind {
        _ if says_nothing => return None,
        AssertionKind::StartLine | AssertionKind::StartText => {
            "`^` stands where something comes, or may come, before it"
        }
        _ => "`$` stands where something comes, or may come, after it",
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
