//! Strings that match a regular expression (feature `regex`).
//!
//! `regex-syntax` parses the expression (`regex/syntax.rs` has the errors), `regex/compile.rs` compiles it to a
//! [`Node`], and this module generates strings from that. Compiled expressions are cached, since generators are often
//! written inside properties, and would be compiled again for each test.

mod class;
mod compile;
mod neighbours;
mod syntax;

use super::lengths::{Lengths, Parts, build_on_tape};
use super::{Generator, GeneratorExt};
use crate::choice::Source;
use class::Class;
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

/// Returns a generator of strings that match a regular expression as a whole, in the syntax of the crate
/// [regex](https://docs.rs/regex/latest/regex/#syntax).
///
/// ```
/// use forall::{choice::Source, generate::regex};
/// let name = Source::random(1, 0, 100).draw(regex("[a-z]{1,8}(_[a-z0-9]{1,4})?"));
/// assert!(name.starts_with(|c: char| c.is_ascii_lowercase()));
/// ```
///
/// With the `regex` feature, string literals are generators:
///
/// ```
/// #[forall::test]
/// fn versions_have_three_parts(#[forall(r"\d{1,3}\.\d{1,3}\.\d{1,3}")] version: String) {
///     assert_eq!(version.split('.').count(), 3);
/// }
/// # forall::check("versions", &versions_have_three_parts::property());
/// ```
///
/// `*`, `+` and `{n,}` repeat up to the size of the test, and nested repetitions share it; `{n,m}` is any number from
/// `n` to `m`. Unicode classes (`\p{Greek}`, `\w`, `.`) mostly produce ASCII where they contain it. The simplest string
/// is the shortest match, made of the simplest characters:
///
/// ```
/// use forall::{choice::{Sequence, Source}, generate::regex};
/// let simplest = |pattern| Source::replay(&Sequence::default()).draw(regex(pattern));
/// assert_eq!(simplest("hello|[0-9]+x?"), "0");
/// assert_eq!(simplest(r"(GET|POST) /\w* HTTP/1\.[01]"), "GET / HTTP/1.0");
/// ```
///
/// `^`, `$` and `\b` are allowed where they are redundant: at the beginning and at the end, and between word characters
/// and others. Other look-around is not supported. An invalid expression is reported by the run, with the place and
/// advice; where expressions are data, [`Regex::new`] returns the error.
pub fn regex(pattern: &str) -> Regex {
    KNOWN.with_borrow_mut(|known| match known.first() {
        Some(regex) if regex.0.pattern == pattern => regex.clone(),
        _ => look_up(pattern, known),
    })
}

/// The generator that [`regex`] returns: strings that match a regular expression.
#[derive(Clone)]
pub struct Regex(Arc<Program>);

struct Program {
    pattern: String,
    node: Node,
    /// The initial capacity, so that most strings need no more.
    capacity: usize,
}

impl Regex {
    /// Creates the generator, or returns an error: for expressions that are not literals of the test.
    ///
    /// ```
    /// use forall::generate::Regex;
    /// assert!(Regex::new("[a-z]+").is_ok());
    /// let error = Regex::new("(?=look)ahead").unwrap_err().to_string();
    /// assert!(error.contains("look-around") && error.contains("filter"), "{error}");
    /// ```
    pub fn new(pattern: &str) -> Result<Self, RegexError> {
        compile::compile(pattern).map(|program| Self(Arc::new(program)))
    }
}

impl fmt::Debug for Regex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "regex({:?})", self.0.pattern)
    }
}

/// Why no strings can be generated from a regular expression: the place, the problem, and how to fix it.
///
/// ```
/// use forall::generate::Regex;
/// let error = Regex::new(r"(a)\1").unwrap_err().to_string();
/// assert!(error.starts_with("the regular expression `(a)\\1` is not supported as a generator: "), "{error}");
/// assert!(error.contains("back-reference") && error.contains("column 4"), "{error}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexError {
    pattern: String,
    why: String,
}

impl fmt::Display for RegexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the regular expression `{}` is not supported as a generator: {}", self.pattern, self.why)
    }
}

impl std::error::Error for RegexError {}

/// A compiled regular expression.
#[derive(Debug)]
enum Node {
    /// One ASCII character.
    Byte(u8),
    Literal(Box<str>),
    Class(Class),
    /// Characters of one class: the most frequent kind of repetition, and the fastest.
    Characters(Class, Lengths),
    Repetition(Box<Node>, Lengths),
    Concatenation(Vec<Node>),
    /// One of several strings.
    Words(Box<[Box<str>]>),
    Alternation(Vec<Alternative>),
    /// An invalid expression. Reported when a string is generated, within a run.
    Unreadable(Box<RegexError>),
}

/// One of several, those with the shortest matches first.
#[derive(Debug)]
struct Alternative {
    node: Node,
    /// The number of choices to record beyond those that it makes: for alternatives that must not count as simpler than
    /// earlier ones although they make fewer choices.
    padding: usize,
}

impl Node {
    /// Nodes that are generated inline, without a call: most parts of most expressions.
    #[inline(always)]
    fn generate(&self, source: &mut Source, text: &mut String) {
        match self {
            Node::Byte(byte) => text.push(char::from(byte & 0x7f)),
            Node::Literal(literal) => text.push_str(literal),
            Node::Words(words) => text.push_str(word(words, source)),
            Node::Class(class) => text.push(class.generate(source)),
            Node::Characters(class, lengths) => characters(class, lengths, source, text),
            _ => self.of_parts(source, text),
        }
    }

    fn of_parts(&self, source: &mut Source, text: &mut String) {
        match self {
            Node::Concatenation(nodes) => {
                for node in nodes {
                    node.generate(source, text);
                }
            }
            Node::Repetition(node, lengths) => repetition(node, lengths, source, text),
            Node::Alternation(alternatives) => {
                let Alternative { node, padding } = &alternatives[super::uniform(source, alternatives.len())];
                if *padding > 0 {
                    pad(source, *padding);
                }
                node.generate(source, text);
            }
            Node::Unreadable(error) => super::misuse(error.to_string()),
            Node::Byte(_) | Node::Literal(_) | Node::Words(_) | Node::Class(_) | Node::Characters(..) => {}
        }
    }
}

#[inline(always)]
fn word<'a>(words: &'a [Box<str>], source: &mut Source) -> &'a str {
    &words[super::uniform(source, words.len())]
}

/// Records unused choices without drawing them: a string is the same on tape and at random.
#[cold]
fn pad(source: &mut Source, choices: usize) {
    if !source.is_random() {
        for _ in 0..choices {
            source.choice_on_tape(0, &|_, _| 0);
        }
    }
}

fn repetition(node: &Node, lengths: &Lengths, source: &mut Source, text: &mut String) {
    if !source.is_random() {
        return build_on_tape(source, *lengths, Parts::AsDrawn, &mut |source| {
            node.generate(source, text);
            true
        });
    }
    let length = at_random(lengths, source);
    let size = source.stream().1;
    source.set_size(lengths.part_size(size, length));
    for _ in 0..length {
        node.generate(source, text);
    }
    source.set_size(size);
}

/// The number of repetitions.
#[inline(always)]
fn at_random(lengths: &Lengths, source: &mut Source) -> usize {
    let (random, size) = source.stream();
    match lengths.fixed() {
        Some(length) => length,
        None => lengths.plan(random, size).length,
    }
}

fn characters(class: &Class, lengths: &Lengths, source: &mut Source, text: &mut String) {
    if !source.is_random() {
        return build_on_tape(source, *lengths, Parts::AsDrawn, &mut |source| {
            text.push(class.generate(source));
            true
        });
    }
    let length = at_random(lengths, source);
    class.repeat(source.stream().0, length, text);
}

impl Generator for Regex {
    type Value = String;

    fn generate(&self, source: &mut Source) -> String {
        let mut text = String::with_capacity(self.0.capacity);
        self.0.node.generate(source, &mut text);
        text
    }
}

impl GeneratorExt for Regex {}

/// A regular expression, as in [`regex`].
impl Generator for str {
    type Value = String;

    fn generate(&self, source: &mut Source) -> String {
        regex(self).generate(source)
    }
}

/// The number of expressions that a thread caches: more than a test has, and few enough for a linear search.
const REMEMBERED: usize = 32;

thread_local! {
    /// The most recently used come first.
    static KNOWN: RefCell<Vec<Regex>> = const { RefCell::new(Vec::new()) };
}

/// Moves the expression to the front.
#[inline(never)]
fn look_up(pattern: &str, known: &mut Vec<Regex>) -> Regex {
    let unreadable = |error: RegexError| {
        let (pattern, node) = (error.pattern.clone(), Node::Unreadable(Box::new(error)));
        Regex(Arc::new(Program { pattern, node, capacity: 0 }))
    };
    let regex = match known.iter().position(|regex| regex.0.pattern == pattern) {
        Some(at) => known.remove(at),
        None => Regex::new(pattern).unwrap_or_else(unreadable),
    };
    known.truncate(REMEMBERED - 1);
    known.insert(0, regex.clone());
    regex
}
