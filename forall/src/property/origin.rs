//! Whether two failures are of one bug, as far as their messages tell.
//!
//! Shrinking goes on with failures of the bug that was found, and shows others beside it. The place of a panic says most; but one place
//! may tell of several bugs, and an error that is returned has none. So messages are compared, without what follows the input.

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
            // Somebody else's panic hook saw one of them.
            _ => ours.kind == FailureKind::Panic && say_alike(ours, theirs),
        }
}

/// What the message of a returned error begins with.
pub(super) const RETURNED_ERROR: &str = "the property returned an error: ";
/// What the message of a panic begins with when an error is unwrapped.
const UNWRAPPED_ERROR: &str = "called `Result::unwrap()` on an `Err` value: ";

/// Whether two messages from the same place begin with the same word. One that begins with something else, a value
/// perhaps, is taken to be like any other.
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

/// Whether two messages are of the same shape; or one is of the template of the other.
fn say_alike(ours: &Failure, theirs: &Failure) -> bool {
    let (here, there) = (shape(&ours.message), shape(&theirs.message));
    here == there
        || matches!(&ours.template, Some(template) if template.fits(&there))
        || matches!(&theirs.template, Some(template) if template.fits(&here))
}

/// What a message says besides what it quotes of the input: the pieces of its shape, with [`VALUES`] in the place of words that the input
/// has, too, and of what stands between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template(Vec<Option<String>>);

const VALUES: Option<String> = None;

impl Template {
    /// None, if nothing in the message is from the input.
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
                // With what stands before it.
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

    /// Whether a shape is this one, with any values.
    fn fits(&self, shape: &str) -> bool {
        let (template, pieces) = (&self.0, pieces(shape));
        let (mut at, mut piece) = (0, 0);
        // The last values so far, and the piece behind them: where to go on if what follows them does not fit.
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

/// Words, and what stands between them.
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

/// Whether two processes ended alike. What writes where it should not may end with this signal or with that one, and by how long
/// a test was late means nothing: what was said before the name of the signal, or the first number, counts.
fn end_alike(ours: &str, theirs: &str) -> bool {
    fn how(message: &str) -> &str {
        let (digit, all): (Kind, _) = (|c| c.is_ascii_digit(), message.len());
        let (signal, number) = (within::find(message, "SIG").unwrap_or(all), message.find(digit).unwrap_or(all));
        &message[..signal.min(number)]
    }
    how(ours) == how(theirs)
}

/// The first word, if it is one of a sentence, which a value hardly looks like: lower-case letters, and a mark perhaps.
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

/// The beginning of a message without its digits, and without what stands in quotes. Quotes around all of it, or inside of
/// these, where they are escaped, count as such, too.
fn shape(message: &str) -> String {
    const LENGTH: usize = 200;
    let text = message.strip_prefix(RETURNED_ERROR).unwrap_or(message);
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let (mut shape, mut length, mut quote, mut before) = (String::new(), 0, None, ' ');
    for c in text.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => {}
            // An apostrophe is inside of a word.
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
    fn values_in_a_message_make_no_other_bug() {
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
    fn processes_end_alike_by_any_signal_and_after_any_time() {
        let crash = |message: &str| Failure::new(FailureKind::Crash, message);
        let (segfault, abort) = ("the test ended its process: SIGSEGV, a fault", "the test ended its process: SIGABRT");
        assert!(crash(segfault).same_origin(&crash(abort)));
        assert!(!crash(abort).same_origin(&crash("the test ended its process: its stack overflowed (SIGABRT)")));
        let late = |time: &str| {
            let text = format!("the test did not end within {time}, and its process was killed");
            Failure::new(FailureKind::Hang, text)
        };
        assert!(late("1.5 s").same_origin(&late("20 ms")) && !late("2 s").same_origin(&crash(abort)));
    }

    #[test]
    fn without_a_place_the_shape_of_the_message_counts() {
        let error = |text: &str| Failure::new(FailureKind::Error, format!("{RETURNED_ERROR}{text:?}"));
        assert!(error("unknown name \"x\" in line 3").same_origin(&error("unknown name \"long name\" in line 17")));
        assert!(error("can't find `x`").same_origin(&error("can't find `y z`")));
        assert!(!error("unknown name").same_origin(&error("unknown type")));
        assert!(panicked("key 'a' is missing", None).same_origin(&panicked("key 'it' is missing", None)));
    }

    #[test]
    fn words_of_the_input_make_no_other_bug() {
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
