//! Decides whether two failures are the same bug, judging by their messages.
//!
//! Shrinking continues with failures of the bug that was found, and reports others separately. The location of a panic
//! is the best indication; but one location may have several bugs, and a returned error has no location. So
//! messages are compared, without the parts that depend on the input.

use super::printing::Binding;
use super::{Failure, FailureKind};
use crate::kind::{Kind, NO_NAME};
use crate::within;

/// [`Failure::same_origin`].
pub(super) fn alike(ours: &Failure, theirs: &Failure) -> bool {
    ours.kind == theirs.kind
        && match (&ours.location, &theirs.location) {
            (Some(here), Some(there)) => here == there && begin_alike(ours, theirs),
            (None, None) => match ours.kind {
                FailureKind::Falsified | FailureKind::Deadline => true,
                FailureKind::Crash | FailureKind::Hang => end_alike(&ours.message, &theirs.message),
                FailureKind::Panic => say_alike(ours, theirs),
                FailureKind::Error => match (error_name(&ours.message), error_name(&theirs.message)) {
                    (Some(ours), Some(theirs)) => ours == theirs,
                    (None, None) => say_alike(ours, theirs),
                    _ => false,
                },
            },
            // The location of one of them is unknown, because the panic hook was replaced.
            _ => ours.kind == FailureKind::Panic && say_alike(ours, theirs),
        }
}

/// The prefix of a returned error's message.
pub(super) const RETURNED_ERROR: &str = "the property returned an error: ";
/// The prefix of a panic's message when an error is unwrapped.
const UNWRAPPED_ERROR: &str = "called `Result::unwrap()` on an `Err` value: ";

/// Whether two messages from the same location begin with the same word. A message that begins with something else,
/// such as a value, matches any other.
fn begin_alike(ours: &Failure, theirs: &Failure) -> bool {
    let (here, there) = (&*ours.message, &*theirs.message);
    if let (Some(ours), Some(theirs)) = (here.strip_prefix(UNWRAPPED_ERROR), there.strip_prefix(UNWRAPPED_ERROR)) {
        return match (error_name(ours), error_name(theirs)) {
            (Some(ours), Some(theirs)) => ours == theirs,
            _ => true,
        };
    }
    let begins_with_a_value =
        |failure: &Failure| matches!(&failure.template, Some(template) if template.0.first() == Some(&VALUES));
    if begins_with_a_value(ours) || begins_with_a_value(theirs) {
        return true;
    }
    // A second word may be a value: "key x is missing".
    match (plain_word(here), plain_word(there)) {
        (Some(ours), Some(theirs)) => ours == theirs,
        _ => true,
    }
}

/// Whether two messages have the same shape, or one matches the template of the other.
fn say_alike(ours: &Failure, theirs: &Failure) -> bool {
    let (here, there) = (shape(&ours.message), shape(&theirs.message));
    here == there
        || matches!(&ours.template, Some(template) if template.fits(&there))
        || matches!(&theirs.template, Some(template) if template.fits(&here))
}

/// A message without the parts that quote the input: the pieces of its shape, with [`VALUES`] in place of words that
/// occur in the input and of what is between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template(Vec<Option<String>>);

const VALUES: Option<String> = None;

impl Template {
    /// `None` if the message contains nothing of the input.
    pub(super) fn new(failure: &Failure, input: &[Binding]) -> Option<Self> {
        let has = |binding: &Binding, word: &str| {
            let printed = &binding.printed;
            let text = printed.debug.as_deref().unwrap_or(printed.text());
            text.split(NO_NAME).any(|other| other == word)
        };
        let shape = shape(&failure.message);
        let mut template: Vec<Option<String>> = Vec::new();
        for &piece in &pieces(&shape) {
            if is_word(piece) && input.iter().any(|binding| has(binding, piece)) {
                // Including the text before it.
                if matches!(template.last(), Some(Some(before)) if !is_word(before)) {
                    template.pop();
                }
                if template.last() == Some(&VALUES) {
                    template.pop();
                }
                template.push(VALUES);
            } else if is_word(piece) || template.last() != Some(&VALUES) {
                template.push(Some(piece.to_owned()));
            }
        }
        template.contains(&VALUES).then_some(Self(template))
    }

    /// Whether a shape matches this one, with any values.
    fn fits(&self, shape: &str) -> bool {
        let (template, pieces) = (&self.0, pieces(shape));
        let (mut at, mut piece) = (0, 0);
        // The last values so far, and the piece after them: where to continue if the next piece does not match.
        let mut values = None;
        while piece < pieces.len() {
            match template.get(at) {
                Some(None) => {
                    values = Some((at, piece));
                    at += 1;
                }
                Some(Some(wanted)) if *wanted == pieces[piece] => (at, piece) = (at + 1, piece + 1),
                _ => match values {
                    Some((before, behind)) => {
                        values = Some((before, behind + 1));
                        (at, piece) = (before + 1, behind + 1);
                    }
                    None => return false,
                },
            }
        }
        template[at..].iter().all(|left| *left == VALUES)
    }
}

/// Words, and the text between them.
fn pieces(text: &str) -> Vec<&str> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let (name, no_name): (Kind, Kind) = (|c| !NO_NAME(c), NO_NAME);
        let end = rest.find(if rest.starts_with(NO_NAME) { name } else { no_name }).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

fn is_word(piece: &str) -> bool {
    !piece.starts_with(NO_NAME)
}

/// Whether two processes ended in the same way. Corrupted memory may cause different signals, and the duration of a
/// timeout does not matter: the text before the name of the signal, or the first number, is compared.
fn end_alike(ours: &str, theirs: &str) -> bool {
    fn how(message: &str) -> &str {
        let (digit, all): (Kind, _) = (|c| c.is_ascii_digit(), message.len());
        let (signal, number) = (within::find(message, "SIG").unwrap_or(all), message.find(digit).unwrap_or(all));
        &message[..signal.min(number)]
    }
    how(ours) == how(theirs)
}

/// The first word, if it looks like one of a sentence and not like a value: lower-case letters, and optional
/// punctuation.
fn plain_word(message: &str) -> Option<&str> {
    let word = message.split(' ').next().unwrap_or(message);
    let mark: Kind = |c| matches!(c, ',' | ':' | ';' | '.' | '!');
    let plain = word.strip_suffix(mark).unwrap_or(word);
    (!plain.is_empty() && plain.bytes().all(|byte| byte.is_ascii_lowercase())).then_some(plain)
}

/// The name of the type or variant with which the `Debug` of an error begins.
fn error_name(message: &str) -> Option<&str> {
    let debug = message.strip_prefix(RETURNED_ERROR).unwrap_or(message);
    let end = debug.find(NO_NAME).unwrap_or(debug.len());
    let looks_like_a_name = debug.starts_with(char::is_uppercase as Kind) && !debug[end..].starts_with(' ')
        || debug[end..].starts_with(" {");
    (end > 0 && looks_like_a_name).then_some(&debug[..end])
}

/// The beginning of a message without its digits and quoted parts. Quotes around the whole message, and escaped quotes
/// inside, count as well.
fn shape(message: &str) -> String {
    const LENGTH: usize = 200;
    let text = message.strip_prefix(RETURNED_ERROR).unwrap_or(message);
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let (mut shape, mut length, mut quote, mut before) = (String::new(), 0, None, ' ');
    for c in text.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => {}
            // An apostrophe is part of a word.
            None if matches!(c, '"' | '`') || c == '\'' && !before.is_alphanumeric() => quote = Some(c),
            None if length < LENGTH && !c.is_ascii_digit() => {
                shape.push(c);
                length += 1;
            }
            None => {}
        }
        before = c;
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::{Location, Printed};

    fn panicked(message: &str, line: Option<u32>) -> Failure {
        let location = line.map(|line| Location { file: "src/lib.rs".to_owned(), line, column: 5 });
        Failure { location, ..Failure::new(FailureKind::Panic, message) }
    }

    #[test]
    fn different_values_in_a_message_are_the_same_bug() {
        for (ours, theirs) in [
            (
                "index out of bounds: the len is 3 but the index is 7",
                "index out of bounds: the len is 1 but the index is 1",
            ),
            (
                "assertion `left == right` failed\n  left: [1]\n right: []",
                "assertion `left == right` failed\n  left: []\n right: [2, 3]",
            ),
            ("bad tree Node(Leaf, Leaf)", "bad tree Leaf"),
            ("key x is missing", "key y is missing"),
            ("Node(Leaf, Leaf) is bad", "Leaf is bad"),
            ("no such name: \"x\"", "no such name: \"a b\""),
            ("called `Result::unwrap()` on an `Err` value: 3", "called `Result::unwrap()` on an `Err` value: Io"),
        ] {
            assert!(panicked(ours, Some(3)).same_origin(&panicked(theirs, Some(3))), "{ours} / {theirs}");
        }
        assert!(!panicked("bad tree", Some(3)).same_origin(&panicked("bad tree", Some(4))));
        assert!(panicked("bad tree", Some(3)).same_origin(&panicked("bad tree", None)));
        assert!(!panicked("bad tree", Some(3)).same_origin(&panicked("bad leaf", None)));
    }

    #[test]
    fn another_first_word_at_the_same_place_is_another_bug() {
        for (ours, theirs) in [
            ("parse error at 3", "type error at 3"),
            (
                "called `Result::unwrap()` on an `Err` value: Empty",
                "called `Result::unwrap()` on an `Err` value: Broken { at: 3 }",
            ),
        ] {
            assert!(!panicked(ours, Some(3)).same_origin(&panicked(theirs, Some(3))), "{ours} / {theirs}");
        }
    }

    #[test]
    fn signals_and_durations_do_not_distinguish_crashes_except_stack_overflows() {
        let crash = |message: &str| Failure::new(FailureKind::Crash, message);
        let (segfault, abort) = ("the test crashed: SIGSEGV, a fault", "the test crashed: SIGABRT");
        assert!(crash(segfault).same_origin(&crash(abort)));
        assert!(!crash(abort).same_origin(&crash("the test crashed: stack overflow (SIGABRT)")));
        let late = |time: &str| {
            let text = format!("timeout: the test did not end within {time}, and its process was killed");
            Failure::new(FailureKind::Hang, text)
        };
        assert!(late("1.5 s").same_origin(&late("20 ms")) && !late("2 s").same_origin(&crash(abort)));
    }

    #[test]
    fn without_a_location_the_shape_of_the_message_decides() {
        let error = |text: &str| Failure::new(FailureKind::Error, format!("{RETURNED_ERROR}{text:?}"));
        assert!(error("unknown name \"x\" in line 3").same_origin(&error("unknown name \"long name\" in line 17")));
        assert!(error("can't find `x`").same_origin(&error("can't find `y z`")));
        assert!(!error("unknown name").same_origin(&error("unknown type")));
        assert!(panicked("key 'a' is missing", None).same_origin(&panicked("key 'it' is missing", None)));
    }

    #[test]
    fn words_of_the_input_do_not_distinguish_bugs() {
        let quoting = |failure: Failure, input: &str| {
            let printed = Printed { debug: Some(format!("{input:?}")), ..Printed::default() };
            failure.quoting(&[Binding { name: "text", type_text: None, printed }])
        };
        let returned = |text: &str| Failure::new(FailureKind::Error, format!("{RETURNED_ERROR}{text:?}"));
        for (ours, theirs, alike) in [
            ("u xhb", "a", true),
            ("xhb: not found", "a b: not found", true),
            ("(u xhb) is not (xhb)", "[a] is not [b c]", true),
            ("no key xhb", "no key ", true),
            ("no key xhb", "no such key xhb", false),
            ("xhb: not found", "xhb: not allowed", false),
            ("not found: other", "not found: another", false),
        ] {
            let first = quoting(returned(ours), "u xhb");
            assert_eq!(returned(theirs).same_origin(&first), alike, "{ours} / {theirs}");
        }
        let at_a_place = |text: &str| panicked(text, Some(3));
        assert!(at_a_place("a is bad").same_origin(&quoting(at_a_place("xhb is bad"), "u xhb")));
        assert!(!at_a_place("type error").same_origin(&quoting(at_a_place("parse error"), "u xhb")));
    }
}
