//! Neighbours of a part of a regular expression, to determine word boundaries.

use regex_syntax::ast::Ast;
use regex_syntax::hir::translate::Translator;
use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind};

/// The kinds of characters that may occur at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds {
    /// A word character, as in `\w`.
    word: bool,
    /// Another one.
    other: bool,
    /// None: the edge of a string; or, for a part, that it is empty.
    none: bool,
}

impl Kinds {
    pub(super) const EDGE: Self = Self { word: false, other: false, none: true };
    const ANY: Self = Self { word: true, other: true, none: true };

    pub(super) fn or(self, other: Self) -> Self {
        Self { word: self.word || other.word, other: self.other || other.other, none: self.none || other.none }
    }

    /// The possible neighbours at a position: those of `parts`, nearest first, and beyond them `self`.
    pub(super) fn behind(self, parts: impl IntoIterator<Item = Self>) -> Self {
        let mut kinds = Self { none: false, ..Self::EDGE };
        for part in parts {
            kinds = kinds.or(Self { none: false, ..part });
            if !part.none {
                return kinds;
            }
        }
        kinds.or(self)
    }

    /// Only a word character.
    pub(super) fn is_word(self) -> bool {
        self.word && !self.other && !self.none
    }

    /// Never a word character; the edge of the string counts as none.
    pub(super) fn is_no_word(self) -> bool {
        !self.word
    }
}

/// The possible first characters of a part of an expression.
pub(super) fn first(pattern: &str, part: &Ast) -> Kinds {
    side(pattern, part, Side::First)
}

/// The possible last characters of a part of an expression.
pub(super) fn last(pattern: &str, part: &Ast) -> Kinds {
    side(pattern, part, Side::Last)
}

#[derive(Clone, Copy)]
enum Side {
    First,
    Last,
}

fn side(pattern: &str, part: &Ast, side: Side) -> Kinds {
    let read = |ast: &Ast| Translator::new().translate(pattern, ast).ok();
    // Invalid parts are reported elsewhere.
    read(part).map_or(Kinds::ANY, |part| of_part(&part, side))
}

fn of_part(part: &Hir, side: Side) -> Kinds {
    match part.kind() {
        HirKind::Empty => Kinds::EDGE,
        HirKind::Look(_) => Kinds::EDGE,
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(text) => {
                let c = match side {
                    Side::First => text.chars().next(),
                    Side::Last => text.chars().next_back(),
                };
                c.map_or(Kinds::EDGE, |c| of_characters(&[(c, c)]))
            }
            Err(_) => Kinds::ANY,
        },
        HirKind::Class(Class::Unicode(class)) => {
            of_characters(&class.iter().map(|range| (range.start(), range.end())).collect::<Vec<_>>())
        }
        HirKind::Class(Class::Bytes(_)) => Kinds::ANY,
        HirKind::Capture(capture) => of_part(&capture.sub, side),
        HirKind::Repetition(repetition) => {
            let kinds = of_part(&repetition.sub, side);
            Kinds { none: kinds.none || repetition.min == 0, ..kinds }
        }
        HirKind::Concat(parts) => match side {
            Side::First => Kinds::EDGE.behind(parts.iter().map(|part| of_part(part, side))),
            Side::Last => Kinds::EDGE.behind(parts.iter().rev().map(|part| of_part(part, side))),
        },
        HirKind::Alternation(parts) => {
            let nothing = Kinds { none: false, ..Kinds::EDGE };
            parts.iter().fold(nothing, |kinds, part| kinds.or(of_part(part, side)))
        }
    }
}

fn of_characters(ranges: &[(char, char)]) -> Kinds {
    let class =
        || ClassUnicode::new(ranges.iter().map(|(start, end)| regex_syntax::hir::ClassUnicodeRange::new(*start, *end)));
    let words = words();
    let (mut inside, mut outside) = (class(), class());
    inside.intersect(&words);
    outside.difference(&words);
    Kinds { word: !inside.ranges().is_empty(), other: !outside.ranges().is_empty(), none: false }
}

/// Whether `\w` matches.
fn words() -> ClassUnicode {
    match regex_syntax::parse(r"\w").map(Hir::into_kind) {
        Ok(HirKind::Class(Class::Unicode(class))) => class,
        _ => ClassUnicode::empty(),
    }
}
