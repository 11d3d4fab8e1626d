//! `forall write`: its output compiles, and finds bugs.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use insta::assert_snapshot;
use std::fs;
use support::{Workspace, unwrapped};

const SOURCE: &str = "\
pub fn encode(text: &str) -> Vec<u8> {
    text.bytes().map(|byte| byte ^ 1).collect()
}

pub fn decode(bytes: &[u8]) -> Option<String> {
    String::from_utf8(bytes.iter().map(|byte| byte ^ 1).collect()).ok()
}

pub fn normalise(mut words: Vec<String>) -> Vec<String> {
    words.sort();
    words.pop();
    words
}

pub fn total(numbers: &[u8]) -> u64 {
    numbers.iter().map(|&number| u64::from(number)).sum()
}

pub fn slow_total(values: Vec<u8>) -> u64 {
    values.into_iter().fold(0, |total, value| total + u64::from(value))
}

pub fn hex<T: AsRef<[u8]>>(data: T) -> String {
    data.as_ref().iter().map(|byte| format!(\"{byte:02x}\")).collect()
}

pub fn unhex(text: impl Into<String>) -> Result<Vec<u8>, std::num::ParseIntError> {
    let text = text.into();
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16)).collect()
}

pub struct Money(u64);

impl Money {
    pub fn new(cents: u64) -> Self {
        Self(cents)
    }

    pub fn add(&mut self, cents: Option<&u64>) -> u64 {
        self.0 = self.0.saturating_add(cents.copied().unwrap_or(0));
        self.0
    }
}
";

/// Writes properties into test programs of `shop`, one each, and returns their texts.
fn written(workspace: &Workspace, properties: &[&[&str]]) -> String {
    let mut written = String::new();
    for (number, arguments) in properties.iter().enumerate() {
        let said = workspace.forall(&[&["write"], *arguments].concat());
        let text = said.strip_prefix("exit code 0\n").unwrap_or_else(|| panic!("{said}"));
        workspace.write(&format!("shop/tests/p{number}.rs"), text);
        written += text;
    }
    written
}

#[test]
fn scaffolded_properties_compile_and_find_bugs() {
    let workspace = Workspace::new("write", &["shop"]);
    workspace.write("shop/src/lib.rs", SOURCE);
    let properties = [
        &["round-trip", "encode", "decode"][..],
        &["idempotence", "normalise"],
        &["equivalence", "total", "slow_total"],
        &["no-panic", "decode"],
        &["round-trip", "hex", "unhex"],
        &["no-panic", "Money::add"],
    ];
    let written = written(&workspace, &properties);
    assert_snapshot!("written", written);
    let said = workspace.forall(&["run", "--seed", "7"]);
    assert!(said.contains("FAILED  p1::normalise_twice_is_normalise_once"), "{said}");
    assert!(said.contains("6 properties: 5 passed, 1 failed"), "{said}");
}

const STACK: &str = "\
/// A stack of at most three.
#[derive(Debug, Default)]
pub struct ByteStack(Vec<u8>);

impl ByteStack {
    pub fn push(&mut self, value: u8) -> bool {
        let fits = self.0.len() < 3;
        self.0.push(value);
        fits
    }

    pub fn pop(&mut self) -> Option<u8> {
        self.0.pop()
    }

    pub fn top(&self) -> Option<&u8> {
        self.0.last()
    }
}
";

#[test]
fn a_model_of_a_type_compiles_and_once_it_is_filled_in_finds_bugs() {
    let workspace = Workspace::new("write-model", &["counter"]);
    let (before, after) = ("#[cfg(test)]\nmod tests {\nuse super::*;\n", "}\n");
    workspace.write("counter/src/lib.rs", STACK);
    let said = workspace.forall(&["write", "model", "crate::ByteStack"]);
    let written = said.strip_prefix("exit code 0\n").unwrap_or_else(|| panic!("{said}"));
    assert_snapshot!("model", written);
    workspace.write("counter/src/lib.rs", &format!("{STACK}{before}{written}{after}"));
    let said = workspace.forall(&["run", "--seed", "7"]);
    let words = unwrapped(&said);
    assert!(words.contains("not yet implemented: what `p") && !words.contains("warning"), "{said}");
    let filled = written
        .replace("struct ByteStackModel;", "struct ByteStackModel(Vec<u8>);")
        .replace("todo!(\"what `push` should do\")", "if self.0.len() < 3 { self.0.push(value); true } else { false }")
        .replace("todo!(\"what `pop` should do\")", "self.0.pop()");
    workspace.write("counter/src/lib.rs", &format!("{STACK}{before}{filled}{after}"));
    let said = workspace.forall(&["run", "--seed", "7"]);
    assert!(said.contains("FAILED counter::tests::byte_stack_behaves_like_its_model"), "{said}");
    // The stack stores a fourth element although `push` returns false; `pop` reveals it.
    let shown = said.split("example:").next().unwrap();
    assert!(shown.contains("ByteStackSpec::push(0)") && shown.contains("ByteStackSpec::pop()"), "{said}");
}

#[test]
fn mismatched_types_are_reported_and_constructors_are_not_invented() {
    let workspace = Workspace::new("write-unfit", &["counter"]);
    let source = "\
        pub struct Tree;\npub struct Page;\npub fn decode(text: &str) -> Vec<u8> { text.bytes().collect() }\n\
        pub fn parse(text: &str) -> Result<u32, String> { text.parse().map_err(|_| String::new()) }\n\
        pub fn print(number: u32) -> String { number.to_string() }\npub fn lines(number: u32) -> Vec<String> { vec![number.to_string()] }\n\
        pub fn join(lines: Vec<String>) -> String { lines.concat() }\npub fn grow(text: &str) -> Tree { Tree }\n\
        pub fn draw(page: Page) -> String { String::new() }\n\
        pub struct RingBuffer(usize);\nimpl RingBuffer {\n    pub fn new(cap: usize) -> Self { Self(cap) }\n    \
        pub fn push(&mut self, value: u8) -> bool { value as usize > self.0 }\n}\n";
    workspace.write("counter/src/lib.rs", source);
    for (arguments, why) in [
        (&["idempotence", "decode"][..], "decode takes String and returns Vec<u8>, which cannot be passed to it again"),
        (&["round-trip", "parse", "print"], "parse returns Result<u32, String>, but print takes u32"),
        (&["round-trip", "lines", "join"], "lines takes u32, but join returns String"),
        (&["round-trip", "grow", "draw"], "grow returns Tree, but draw takes Page"),
    ] {
        let said = unwrapped(&workspace.forall(&[&["write"], arguments].concat()));
        assert!(said.starts_with("exit code 2") && said.contains(why), "{said}");
    }
    let fits = workspace.forall(&["write", "round-trip", "print", "parse"]);
    assert!(fits.contains("assert_eq!(parse(&made).unwrap(), number);"), "{fits}");
    let said = workspace.forall(&["write", "model", "RingBuffer"]);
    let written = said.strip_prefix("exit code 0\n").unwrap_or_else(|| panic!("{said}"));
    let start = "= todo!(\"create a RingBuffer: there is `RingBuffer::new(cap: usize) -> Self`\"), like";
    assert!(written.contains(start), "{written}");
    // It compiles, and says what is missing.
    let written = written.replace("todo!(\"what `push` should do\")", "true");
    workspace.write("counter/src/lib.rs", &format!("{source}#[cfg(test)]\nmod tests {{\nuse super::*;\n{written}}}\n"));
    let said = unwrapped(&workspace.forall(&["run", "--seed", "7"]));
    assert!(said.contains("not yet implemented: create a RingBuffer"), "{said}");
}

const LEFT_OUT: &str = "\
pub mod other;
pub struct Ring;
impl Ring {
    pub fn new() -> Self { Ring }
    pub fn clear(&mut self) {}
    pub fn swap(&mut self, (a, b): (u8, u8)) {}
    pub fn drain(self) -> u8 { 0 }
    #[cfg(unix)]
    pub fn sync(&mut self) -> u8 { 1 }
    #[cfg(not(unix))]
    pub fn sync(&mut self) -> u8 { 2 }
}
pub fn half(n: u8) -> u8 { n / 2 }
pub fn sum((a, b): (u8, u8)) -> u16 { u16::from(a) + u16::from(b) }
pub fn shown<T: ToString>(value: T) -> String { value.to_string() }
";

#[test]
fn unsupported_functions_are_reported() {
    let workspace = Workspace::new("write-wrong", &["shop"]);
    workspace.write("shop/src/lib.rs", SOURCE);
    assert_snapshot!("no_such_function", workspace.forall(&["write", "no-panic", "decoed"]));
    assert_snapshot!("other_types", workspace.forall(&["write", "equivalence", "encode", "decode"]));
    assert_snapshot!("no_such_type", workspace.forall(&["write", "model", "Stakc"]));
    workspace.write("shop/src/lib.rs", "pub struct Borrows;\nimpl Borrows {\n    pub fn get(&self) -> &u8 { &0 }\n}\n");
    assert_snapshot!("no_commands", workspace.forall(&["write", "model", "Borrows"]));
    workspace.write("shop/src/lib.rs", LEFT_OUT);
    workspace.write(
        "shop/src/other.rs",
        "impl Ring {\n    pub fn len(&self) -> usize { 0 }\n}\npub fn half(n: u16) -> u16 { n / 2 }\n",
    );
    assert_snapshot!("left_out", workspace.forall(&["write", "model", "Ring"]));
    assert_snapshot!("two_of_one_name", workspace.forall(&["write", "no-panic", "half"]));
    assert_snapshot!("pattern", workspace.forall(&["write", "no-panic", "sum"]));
    assert_snapshot!("generic", workspace.forall(&["write", "no-panic", "shown"]));
    assert_snapshot!("help_write", workspace.forall(&["write", "--help"]));
}

#[test]
fn a_property_for_a_package_of_edition_2015_names_its_crates() {
    let workspace = Workspace::new("write-2015", &["shop"]);
    workspace.write("shop/src/lib.rs", "pub fn half(n: u8) -> u8 { n / 2 }\n");
    let manifest = fs::read_to_string(workspace.path("shop/Cargo.toml")).unwrap();
    workspace.write("shop/Cargo.toml", &manifest.replace("edition = \"2024\"", "edition = \"2015\""));
    let said = workspace.forall(&["write", "no-panic", "half"]);
    let written = said.strip_prefix("exit code 0\n").unwrap_or_else(|| panic!("{said}"));
    assert!(written.starts_with("extern crate forall;\nextern crate shop;\nuse shop::half;\n"), "{written}");
    workspace.write("shop/tests/written.rs", written);
    let said = workspace.forall(&["run"]);
    assert!(said.starts_with("exit code 0") && said.contains("1 property: 1 passed"), "{said}");
}

const CRATE: &str = "\
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

pub mod bytes {
    pub fn quote(bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }
}

/// A word in quotes; text with an exclamation mark cannot be quoted.
pub fn quote(text: &str) -> Result<Cow<'_, str>, fmt::Error> {
    match text {
        text if text.contains('!') => Err(fmt::Error),
        text if text.contains(['\"', ' ']) || text.is_empty() => Ok(Cow::Owned(format!(\"{text:?}\"))),
        text => Ok(Cow::Borrowed(text)),
    }
}

pub fn words(text: &str) -> Option<Vec<String>> {
    Some(vec![text.trim_matches('\"').to_owned()])
}

mod case {
    pub trait ToShout {
        fn to_shout(&self) -> String;
    }

    impl ToShout for str {
        fn to_shout(&self) -> String {
            self.to_uppercase()
        }
    }
}
pub use case::ToShout;

pub struct Shown(Duration);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, \"{}\", self.0.as_nanos())
    }
}

pub fn show(of: Duration) -> Shown {
    Shown(of)
}

pub fn read(text: &str) -> Result<Duration, std::num::ParseIntError> {
    let nanos: u128 = text.parse()?;
    Ok(Duration::new((nanos / 1_000_000_000) as u64, (nanos % 1_000_000_000) as u32))
}

#[derive(Debug)]
pub struct Opaque(u8);

pub fn fast(n: u8) -> Opaque {
    Opaque(n)
}

pub fn slow(n: u8) -> Opaque {
    Opaque(n)
}

#[derive(Clone, Debug)]
pub struct Key(u8);
pub const ZERO: Key = Key(0);
pub const ONE: Key = Key(1);

impl Key {
    pub fn seal(&self, bytes: &[u8]) -> Vec<u8> {
        bytes.iter().map(|byte| byte ^ self.0).collect()
    }

    pub fn open(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        Some(self.seal(bytes))
    }
}

pub struct Escapes(&'static [char]);
pub static NOTHING: &Escapes = &Escapes(&[]);
pub static QUOTES: &Escapes = &Escapes(&['\"']);
pub static PERCENT: &Escapes = &Escapes(&['%']);

pub fn escape(text: &str, escapes: &Escapes) -> String {
    text.chars().map(|c| if escapes.0.contains(&c) { format!(\"%{:06x}\", c as u32) } else { c.to_string() }).collect()
}

pub fn unescape(text: &str) -> String {
    let mut parts = text.split('%');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let escaped = part.get(..6).and_then(|code| char::from_u32(u32::from_str_radix(code, 16).ok()?));
        text + &escaped.map_or(String::new(), |c| c.to_string()) + part.get(6..).unwrap_or_default()
    })
}
";

/// The kinds of functions that published crates have.
#[test]
#[ignore = "slow: 5 s"]
fn functions_of_published_crates_get_properties_that_run() {
    let workspace = Workspace::new("write-kinds", &["shop"]);
    workspace.write("shop/src/lib.rs", CRATE);
    let properties = [
        &["round-trip", "quote", "words"][..],
        &["idempotence", "to_shout"],
        &["round-trip", "show", "read"],
        &["equivalence", "fast", "slow"],
        &["round-trip", "Key::seal", "Key::open"],
        &["no-panic", "bytes::quote"],
        // It holds for one of the constants only.
        &["round-trip", "escape", "unescape"],
    ];
    let written = written(&workspace, &properties);
    assert_snapshot!("kinds", written);
    let said = workspace.forall(&["run", "--seed", "7"]);
    assert!(said.contains("FAILED  p0::words_inverts_quote"), "{said}");
    assert!(said.contains("7 properties: 6 passed, 1 failed"), "{said}");
}

#[test]
fn what_cannot_be_written_says_what_to_write_by_hand() {
    let workspace = Workspace::new("write-by-hand", &["shop"]);
    workspace.write(
        "shop/src/lib.rs",
        "pub struct Page(u8);\nimpl Page {\n    pub fn open(name: &str) -> Option<Self> { name.len().try_into().ok().map(Page) }\n}\n\
         pub fn draw(page: &Page) -> u8 { page.0 }\n\
         pub fn rewind<T: std::io::Seek>(mut of: T) -> bool { of.rewind().is_ok() }\n",
    );
    let manifest = workspace.manifest("shop").replace("edition = \"2024\"", "edition = \"2024\"\nautotests = false");
    workspace.write("shop/Cargo.toml", &manifest);
    assert_snapshot!("by_hand", workspace.forall(&["write", "no-panic", "draw"]));
    assert_snapshot!("by_hand_bound", workspace.forall(&["write", "no-panic", "rewind"]));
    assert_snapshot!("autotests", workspace.forall(&["write", "no-panic", "Page::open"]));
}
