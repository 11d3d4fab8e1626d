//! Every user-facing message is pinned by a test: a snapshot, an assertion, a compile error, a session of the book, or
//! a recording.
//! The sources are searched for string literals of several words, and the tests for expected strings. A message counts
//! as pinned if enough consecutive words of it, between placeholders, occur in a test. Whether a test covers the real
//! path, and pins the whole message, is left to reviews.

use crate::{files, root, tokens};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::HashSet;

/// The packages with user-facing messages. They contain tests as well.
const SOURCES: [&str; 4] = ["forall/src", "forall-macros/src", "cargo-forall/src", "forall-futhark/src"];

/// Other directories with tests and expectations.
const TESTS: [&str; 4] = ["cargo-forall/tests", "tests", "book/src", "examples"];

/// Shorter strings, between placeholders, are parts of sentences, names and code.
const FEWEST_WORDS: usize = 4;

/// The number of consecutive words that pin a message: some tests look for a part of it. With fewer, different
/// sentences would match.
const ROW: usize = 8;

/// Parts of messages that no test pins, and why.
const UNPINNED: &[(&str, &str)] = &[
    ("redis.call('HSTRLEN'", "a program for Redis"),
    ("mov {", "assembly"),
    ("<?xml version", "markup"),
    ("<!DOCTYPE html>", "markup"),
    (".source { font", "a style sheet"),
    (" (no test reaches it)", "of a mutant on a page, in a line of its own"),
    ("#[unsafe(no_mangle)]", "code"),
    (" u8 u16 u32 u64 ", "names of types"),
    ("abstract as async await", "the keywords of Rust"),
    ("_ Self self super crate", "more of them"),
    ("no test has this name", "the name of no test"),
    ("panic in a destructor during cleanup", "what the standard library says"),
    ("panic in a function that cannot unwind", "what the standard library says"),
    ("the shrinker of `candidate`", "looked for in what the library says, and replaced"),
    ("the name of a", "of an item, which the compiler has read before the macros do"),
    ("a value of another type", "of an input, whose type the server has looked at before"),
    ("no inputs could be generated", "of a test program that gives up and does not say why"),
    ("_cargo_forall() {", "a script for bash"),
    ("_cargo-forall() {", "a script for zsh"),
    ("X-Frame-Options: DENY", "the head of an answer over HTTP"),
    ("connect-src 'self'", "markup"),
    ("a test program cannot be run", "of a test program that disappears while it is watched"),
    ("name = \"forall-write\"", "a manifest"),
    ("For a `#[cfg(test)] mod tests`", "of a private function"),
    ("no longer generates values for the input", "of a build whose generators changed"),
    ("lazy twins require the `full` feature", "of a build without default features"),
    ("function __forall_of_cargo", "a script for fish"),
    ("forall: running the other tests of", "of tests that take seconds"),
    ("forall: still running after", "of a property that takes ten seconds"),
    ("the template has no piece for", "of a template that the macros are made of"),
    ("an empty character class, which matches nothing; remove it", "of a class, which is looked at before"),
    ("it reached another property of the same name", "of a test program that is not the same each time it starts"),
    ("it did not reach the property within", "takes a minute"),
    ("a shrink step does not apply", "of a runner that makes up steps"),
    ("the connection could not be created", "of a system that has run out of something"),
    ("the file for its output could not be created", "of a system that has run out of something"),
    ("its directory could not be created", "of a system that has run out of something"),
    ("the values that travel", "of a system without a place for them, in memory or on disk"),
    ("the counters of coverage", "of a system without a place for them, though it had one for the program"),
    ("threads share their current directory", "of another system than Linux"),
    ("it has a corpus of another version", "of a Redis whose corpus changes while it is used"),
    ("it has no corpus", "of a Redis that loses its corpus while it is used"),
    ("no response in time", "of an object store that does not respond for five seconds"),
    ("the host is not found", "of an object store whose host has no address"),
    ("`forall::machine!` requires the feature", "without the feature, which tests have"),
    ("Enable the feature `full`", "without the feature, which tests have"),
    ("A case that an exhaustive search found", "without the feature, which tests have"),
    ("`runtime = tokio` requires the feature", "without the feature, which tests have"),
    ("than a tape can hold", "takes four million choices"),
    ("not decided: too many interleavings", "takes a million configurations"),
    ("the corpus is too large", "takes a hundred thousand files"),
    ("it has no end", "takes an answer of 256 MiB"),
    ("values would have to be in the server at once", "takes a property of a hundred parameters"),
    ("ended with an invalid generator", "takes a generator that goes wrong now and then"),
    ("smaller candidates were discarded, so", "takes a condition that hardly anything smaller meets"),
    ("the server was lost too often", "takes a thousand servers"),
    ("the corpus was not saved for the next campaign", "takes a disk that becomes full during a campaign"),
];

/// A text of a source that users may meet.
struct Text {
    value: String,
    /// The file and the line.
    place: String,
}

#[test]
fn every_message_is_in_a_test() {
    let mut found = Found::default();
    for file in files(&[&SOURCES[..], &TESTS].concat()) {
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        let is_source = SOURCES.iter().any(|folder| name.starts_with(folder));
        let is_test = !is_source || name.ends_with("/tests.rs") || name.contains("/tests/");
        let text = || String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("rs") => found.read(tokens(&text(), &name), &name, is_test),
            Some("snap" | "stderr" | "md" | "out") => found.pinned += &text(),
            _ if name.contains("/recordings/") => found.pinned += &text(),
            _ => {}
        }
    }
    let missing = found.missing();
    let is_listed = |text: &Text| UNPINNED.iter().any(|(part, _)| text.value.contains(part));
    let unknown: Vec<String> = missing
        .iter()
        .filter(|text| !is_listed(text))
        .map(|text| format!("{}: {:?}", text.place, text.value))
        .collect();
    assert!(
        unknown.is_empty(),
        "no test pins these messages. Provoke each as a user would, and pin all of it with `insta::assert_snapshot!`; it should \
         name a next step. Remove messages that cannot occur:\n{}",
        unknown.join("\n")
    );
    let is_needed = |part: &str| missing.iter().any(|text| text.value.contains(part));
    let needless: Vec<&str> = UNPINNED.iter().map(|(part, _)| *part).filter(|part| !is_needed(part)).collect();
    assert!(needless.is_empty(), "these are pinned, or gone: remove them from UNPINNED: {needless:?}");
}

#[test]
fn messages_are_compared_with_expectations_of_tests() {
    let source = r#"
        /// ```
        /// assert_eq!(said(), "an example says all of this, and a little");
        /// ```
        fn f() { say("nobody has ever pinned {name}, not at all", "this is pinned below, is it not"); g().expect("never told to anybody else"); }
        const SAID: &str = "an example says all of this, and a little more"; const PATH: &str = "std::one::two::three::four";
        #[cfg(test)]
        mod tests { fn g() { assert!(said.contains("this is pinned below, is it not")); } }
        const AFTER: &str = "a text {} that is behind, unpinned {}";
    "#;
    let mut found = Found::default();
    found.read(tokens(source, "f.rs"), "f.rs", false);
    let missing: Vec<(String, String)> =
        found.missing().iter().map(|text| (text.place.clone(), text.value.clone())).collect();
    assert_eq!(
        missing,
        [
            ("f.rs:5".to_owned(), "nobody has ever pinned {name}, not at all".to_owned()),
            ("f.rs:9".to_owned(), "a text {} that is behind, unpinned {}".to_owned()),
        ]
    );
}

/// Texts for users, and all that is expected in tests and examples.
#[derive(Default)]
struct Found {
    texts: Vec<Text>,
    pinned: String,
}

impl Found {
    /// Reads a source.
    fn read(&mut self, tokens: TokenStream, file: &str, is_test: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            at += match &tokens[at..] {
                [TokenTree::Punct(hash), TokenTree::Group(attribute), behind @ ..] if hash.as_char() == '#' => {
                    2 + self.attribute(&attribute.stream(), behind, file)
                }
                [TokenTree::Punct(hash), TokenTree::Punct(mark), TokenTree::Group(attribute), ..]
                    if hash.as_char() == '#' && mark.as_char() == '!' =>
                {
                    3 + self.attribute(&attribute.stream(), &[], file)
                }
                // Messages of `expect` and `unreachable!` are not for users.
                [TokenTree::Ident(name), TokenTree::Punct(mark), TokenTree::Group(_), ..]
                    if mark.as_char() == '!' && (name == "unreachable" || name == "debug_assert") =>
                {
                    3
                }
                [TokenTree::Punct(dot), TokenTree::Ident(name), TokenTree::Group(_), ..]
                    if dot.as_char() == '.' && name == "expect" =>
                {
                    3
                }
                [TokenTree::Group(group), ..] => {
                    self.read(group.stream(), file, is_test);
                    1
                }
                [TokenTree::Literal(literal), ..] => {
                    if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                        self.text(text.value(), format!("{file}:{}", literal.span().start().line), is_test);
                    }
                    1
                }
                _ => 1,
            };
        }
    }

    /// Reads an attribute, and what follows it if that is a test: how many tokens of that to pass over.
    fn attribute(&mut self, attribute: &TokenStream, behind: &[TokenTree], file: &str) -> usize {
        let text = attribute.to_string();
        if text.starts_with("doc") {
            // Examples are tests.
            self.pinned += &format!("{text}\n");
        }
        if !text.starts_with("cfg") || !text.contains("test") || text.contains("not") {
            return 0;
        }
        let is_end = |token: &TokenTree| match token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            token => token.to_string() == ";",
        };
        let end = behind.iter().position(is_end).map_or(behind.len(), |at| at + 1);
        self.read(behind[..end].iter().cloned().collect(), file, true);
        end
    }

    fn text(&mut self, value: String, place: String, is_test: bool) {
        match is_test {
            true => self.pinned += &format!("{value}\n"),
            false => self.texts.push(Text { value, place }),
        }
    }

    /// The texts that no test has.
    fn missing(&self) -> Vec<&Text> {
        let pinned = words(&self.pinned);
        let pinned: HashSet<&[String]> = (FEWEST_WORDS..=ROW).flat_map(|length| pinned.windows(length)).collect();
        let is_missing = |text: &Text| {
            let longest = pieces(&text.value).into_iter().map(|piece| words(&piece)).max_by_key(Vec::len);
            longest.is_some_and(|words| !words.windows(ROW.min(words.len())).any(|row| pinned.contains(row)))
        };
        self.texts.iter().filter(|text| is_missing(text)).collect()
    }
}

/// The words of a text, without what differs between a source and where it is seen: marks, margins, and how lines are broken.
fn words(text: &str) -> Vec<String> {
    let text = text.replace("\\n", " ");
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The pieces of a text between what is filled in (`{name}`, `{}`, `{:?}`) that have enough words to be known by them. Of a word that
/// something is filled into, as in `{}th`, nothing is known.
fn pieces(text: &str) -> Vec<String> {
    let (mut pieces, mut rest) = (vec![String::new()], text);
    while let Some(c) = rest.chars().next() {
        let filled = rest.strip_prefix('{').and_then(|inside| inside.split_once('}')).map(|(inside, _)| inside);
        let last = pieces.last_mut().unwrap();
        match filled {
            Some(inside) if !inside.contains(|c: char| c.is_whitespace() || c == '"' || c == '{') => {
                last.truncate(last.trim_end_matches(char::is_alphanumeric).len());
                rest = rest[inside.len() + 2..].trim_start_matches(char::is_alphanumeric);
                pieces.push(String::new());
            }
            _ => {
                last.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    let is_long = |piece: &String| {
        piece.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count() >= FEWEST_WORDS
    };
    pieces.into_iter().filter(is_long).collect()
}
