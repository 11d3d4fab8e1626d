//! An entry: a saved failure, and its file format.
//!
//! A file is text for people and programs. Decoding is total: any bytes give an entry or a clear error.
//!
//! ```text
//! forall 1                                 the format and its version, always the first line
//! kind failure
//! property my_crate::tests::sorts
//! version 0.1.0                            of the forall that wrote it
//! case 2-ZQAAAA…+s0.2                      the input, as it can be pasted: choices with a checksum, steps on values
//! after 2-ZQAAAA…                          an input that ran before it in the same process, if it fails only then; one line each
//! beside 4                                 how many threads ran it at once, if more than one
//! minimal                                  if shrinking came to its end: nothing simpler was found to fail
//! unfinished 1                             how often shrinking or explaining it started and did not finish
//! #place src/lib.rs:9:5                    where it failed in the last run of it, if known
//! value xs: Vec<i32>                       from here on for people
//! | vec![1, 0]
//! message
//! | assertion failed: is_sorted(&xs)
//! ```
//!
//! Empty lines and lines that begin with `#` are ignored. Lines of a text begin with `|`, or with `\` if they contain
//! escapes. The lines before `value` determine the replay, and the [`Id`] is their hash. `#place` looks like a comment, because
//! versions of forall that do not have it reject unknown lines.

mod error;

pub use error::EntryError;

use super::Id;
use super::text::{block, cut, escape, quote, unescape};
use crate::choice::DecodeError;
use crate::hash::Fnv;
use crate::property::Binding;
use crate::testing::{Case, CaseError};
use crate::whole::whole;

/// The version of the file format.
const FORMAT: &str = "1";

pub(super) const MAX_FILE: u64 = Entry::MAX_BYTES;

/// Human-readable texts are truncated to this many bytes each, and to [`MAX_TEXTS`] in total, so that a file stays
/// smaller than [`MAX_FILE`] even if every byte is escaped.
const MAX_TEXT: usize = 256 << 10;
const MAX_TEXTS: usize = 1 << 20;

/// The space left for each text when [`MAX_TEXTS`] is used up: enough for the truncation mark.
const MIN_TEXT: usize = 64;

/// Names and types of variables are cut to this many bytes.
const MAX_NAME: usize = 4 << 10;

/// More variables than any property has, so that a file of `value` lines cannot fill the memory.
const MAX_VARIABLES: usize = 1024;

/// A failing input is not saved with more inputs before it than this: each must be necessary, and determining that
/// takes too long.
const MAX_BEFORE: usize = 1024;

/// More steps than shrinking ever takes.
const MAX_STEPS: usize = 1 << 20;

/// The beginning of the line with the location of the failure.
const PLACE: &str = "#place ";

/// The first lines of a file, for human readers.
const PREAMBLE: &str = "\
# A failing input that forall found. The property's test replays it first.
# To make it a regression test, move it to forall-regressions/ (`commit:` in the report) and commit it.
";

/// The kind of an entry.
///
/// ```
/// use forall::{run::Case, store::{Entry, Kind}};
/// assert_eq!(Entry::failure("sorts", Case::default()).kind, Kind::Failure);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[doc(hidden)]
pub enum Kind {
    /// An input that failed.
    Failure,
    /// An input with new coverage, as a seed for coverage-guided runs.
    Seed,
    /// The input with the highest score of a targeted search. The score is its `message`.
    Best,
    /// Statistics of a worker: its `message` is a line of JSON. There is no input.
    Statistics,
    /// The progress of a shard: its `message` is a line of JSON. There is no input.
    Progress,
}

impl Kind {
    /// Returns the keyword of the kind in a file.
    ///
    /// ```
    /// assert_eq!(forall::store::Kind::Failure.word(), "failure");
    /// ```
    pub fn word(self) -> &'static str {
        match self {
            Kind::Failure => "failure",
            Kind::Seed => "seed",
            Kind::Best => "best",
            Kind::Statistics => "statistics",
            Kind::Progress => "progress",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        [Kind::Failure, Kind::Seed, Kind::Best, Kind::Statistics, Kind::Progress]
            .into_iter()
            .find(|kind| kind.word() == word)
    }

    /// The first lines of its file, for human readers.
    fn preamble(self) -> &'static str {
        match self {
            Kind::Failure => PREAMBLE,
            Kind::Seed => "# An input with new coverage.\n",
            Kind::Best => "# The input with the highest score that forall has found.\n",
            Kind::Statistics => "# The progress of a worker.\n",
            Kind::Progress => "# How far the tests of a shard ran.\n",
        }
    }
}

/// A variable as printed when the entry was created. For humans only: replay ignores it.
///
/// ```
/// use forall::store::Variable;
/// let variable = Variable::new("xs", "Vec<i32>", "vec![1, 0]");
/// assert_eq!(variable.text, "vec![1, 0]");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[doc(hidden)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// Its type; empty if unknown.
    pub type_text: String,
    /// The value, as code or by `Debug`.
    pub text: String,
}

impl Variable {
    /// Creates a variable from its name, its type (may be empty) and its value.
    ///
    /// ```
    /// use forall::store::Variable;
    /// let variable = Variable::new("n", "", "7");
    /// assert_eq!((&*variable.name, &*variable.text), ("n", "7"));
    /// ```
    pub fn new(name: impl Into<String>, type_text: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), type_text: type_text.into(), text: text.into() }
    }
}

impl Variable {
    pub(crate) fn all(bindings: &[Binding]) -> Vec<Self> {
        let mut variables = Vec::with_capacity(bindings.len());
        for binding in bindings.iter().filter(|binding| !binding.is_source()) {
            variables.push(Self::from(binding));
        }
        variables
    }
}

impl From<&Binding> for Variable {
    fn from(binding: &Binding) -> Self {
        let printed = &binding.printed;
        let text = printed.code.as_deref().or(printed.debug.as_deref()).unwrap_or("_");
        Self::new(binding.name, binding.type_text.unwrap_or(printed.type_name), text)
    }
}

/// A saved failure: the data for replaying it, and its human-readable values.
///
/// ```
/// use forall::choice::Sequence;
/// use forall::run::Case;
/// use forall::store::{Entry, Variable};
///
/// let case = Case { sequence: Sequence::from_values(10, &[1, 0]), steps: vec![] };
/// let mut entry = Entry::failure("my_crate::tests::sorts", case);
/// entry.printed.push(Variable::new("xs", "Vec<i32>", "vec![1, 0]"));
/// entry.message = "assertion failed: is_sorted(&xs)".to_owned();
///
/// let text = entry.to_text();
/// assert!(text.starts_with("forall 1\n"));
/// assert_eq!(Entry::from_bytes(text.as_bytes()), Ok(entry));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub struct Entry {
    /// The kind.
    #[doc(hidden)]
    pub kind: Kind,
    /// The name of the property.
    #[doc(hidden)]
    pub property: String,
    /// The version of forall that wrote it.
    #[doc(hidden)]
    pub forall_version: String,
    /// The input. If read from a file, its sequence has no maxima and no spans: replay recomputes them.
    #[doc(hidden)]
    pub case: Case,
    /// The [shape](crate::choice::Sequence::shape) of the sequence when it was written. If a replay has another shape,
    /// the generator has changed, and the choices no longer produce the printed value.
    #[doc(hidden)]
    pub shape: u64,
    /// The inputs that must run before it in the same process, in order, if it fails only after them.
    #[doc(hidden)]
    pub before: Vec<Case>,
    /// The number of threads that ran the input at once when it failed.
    #[doc(hidden)]
    pub beside: u32,
    /// Whether it is minimal, so that it need not be shrunk again.
    #[doc(hidden)]
    pub minimal: bool,
    /// How often shrinking or explaining it started and did not finish: the process was killed, crashed, or still runs.
    #[doc(hidden)]
    pub unfinished: u32,
    /// The location of the failure in the last run of it, as `file:line:column`, if known. It changes whenever code above
    /// it does, so it distinguishes bugs only between runs of one build.
    #[doc(hidden)]
    pub place: Option<String>,
    /// The variables, for humans.
    #[doc(hidden)]
    pub printed: Vec<Variable>,
    /// The message of the failure, for humans.
    #[doc(hidden)]
    pub message: String,
}

impl Entry {
    /// The limit on the text of an entry, for writing and reading: 64 MiB. (The longest sequence that can be recorded
    /// takes 56 MB.) Your own store need not fetch longer ones.
    ///
    /// ```
    /// use forall::store::{Entry, EntryError};
    /// let long = vec![b'x'; Entry::MAX_BYTES as usize + 1];
    /// assert_eq!(Entry::from_bytes(&long), Err(EntryError::TooLarge));
    /// ```
    #[doc(hidden)]
    pub const MAX_BYTES: u64 = 64 << 20;

    /// Creates a failure of `property`, found by this version of forall. The human-readable fields are empty.
    ///
    /// ```
    /// use forall::{run::Case, store::Entry};
    /// let entry = Entry::failure("sorts", Case::default());
    /// assert_eq!(entry.property, "sorts");
    /// assert!(entry.message.is_empty() && !entry.minimal);
    /// ```
    #[doc(hidden)]
    pub fn failure(property: impl Into<String>, case: Case) -> Self {
        Self {
            kind: Kind::Failure,
            property: property.into(),
            forall_version: env!("CARGO_PKG_VERSION").to_owned(),
            shape: case.sequence.shape(),
            case,
            before: Vec::new(),
            beside: 1,
            minimal: false,
            unfinished: 0,
            place: None,
            printed: Vec::new(),
            message: String::new(),
        }
    }

    /// Creates an input with new coverage, as workers of a coverage-guided search exchange them.
    ///
    /// ```
    /// use forall::{run::Case, store::{Entry, Kind}};
    /// assert_eq!(Entry::seed("parses", Case::default()).kind, Kind::Seed);
    /// ```
    #[doc(hidden)]
    pub fn seed(property: impl Into<String>, case: Case) -> Self {
        // One input is one entry, wherever it was read: replays ignore its shape.
        Self { kind: Kind::Seed, shape: 0, ..Self::failure(property, case) }
    }

    /// Creates the input with the highest score so far, as workers of a targeted search exchange them.
    ///
    /// ```
    /// use forall::{run::Case, store::{Entry, Kind}};
    /// let entry = Entry::best("balances", Case::default(), 7.5);
    /// assert_eq!((entry.kind, entry.score()), (Kind::Best, Some(7.5)));
    /// ```
    #[doc(hidden)]
    pub fn best(property: impl Into<String>, case: Case, score: f64) -> Self {
        Self { kind: Kind::Best, message: score.to_string(), ..Self::seed(property, case) }
    }

    /// Returns the claimed score of this input, if it is a [`Kind::Best`] with a number. Running the input confirms it.
    ///
    /// ```
    /// use forall::{run::Case, store::Entry};
    /// assert_eq!(Entry::best("balances", Case::default(), f64::NAN).score(), None);
    /// assert_eq!(Entry::seed("balances", Case::default()).score(), None);
    /// ```
    #[doc(hidden)]
    pub fn score(&self) -> Option<f64> {
        self.message.trim().parse().ok().filter(|score: &f64| self.kind == Kind::Best && score.is_finite())
    }

    /// Creates the statistics of a worker for a property, as a line of JSON.
    ///
    /// ```
    /// use forall::store::Entry;
    /// let (one, two) = (Entry::statistics("parses", r#"{"valid":1}"#), Entry::statistics("parses", r#"{"valid":2}"#));
    /// assert_ne!(one.id(), two.id());
    /// ```
    #[doc(hidden)]
    pub fn statistics(property: impl Into<String>, said: impl Into<String>) -> Self {
        Self { kind: Kind::Statistics, message: said.into(), ..Self::failure(property, Case::default()) }
    }

    /// Adds the human-readable parts: the variables and the message. (A failure is saved before its values are printed,
    /// because printing runs the user's code; then it is saved again with these, under the same id.)
    ///
    /// ```
    /// use forall::property::{Binding, Printed};
    /// use forall::{run::Case, store::Entry};
    /// let n = Binding { name: "n", type_text: Some("u32"), printed: Printed::debug(&7) };
    /// let entry = Entry::failure("below_seven", Case::default()).describe(&[n], "assertion failed: n < 7");
    /// assert!(entry.to_text().ends_with("value n: u32\n| 7\nmessage\n| assertion failed: n < 7\n"));
    /// ```
    #[doc(hidden)]
    pub fn describe(mut self, bindings: &[Binding], message: impl Into<String>) -> Self {
        self.printed = Variable::all(bindings);
        self.message = message.into();
        self
    }

    /// Its name in a store: a hash of kind, property, case, and the cases before it. The human-readable parts are not
    /// included, so that one input is one entry, even if its message contains the time.
    ///
    /// ```
    /// use forall::{run::Case, store::Entry};
    /// let entry = Entry::failure("p", Case::default());
    /// let mut told = entry.clone();
    /// told.message = "at 12:00".to_owned();
    /// assert_eq!(entry.id(), told.id());
    /// assert_ne!(entry.id(), Entry::failure("q", Case::default()).id());
    /// ```
    #[doc(hidden)]
    pub fn id(&self) -> Id {
        self.id_by(&self.case.to_text_with_shape(self.shape))
    }

    fn id_by(&self, case: &str) -> Id {
        let mut hash = Fnv::default();
        let mut add = |part: &str| {
            hash.word(part.len() as u64);
            hash.bytes(part.as_bytes());
        };
        for part in &[self.kind.word(), &self.property, case] {
            add(part);
        }
        for earlier in self.before.iter().take(MAX_BEFORE) {
            add(&earlier_text(earlier));
        }
        if self.kind == Kind::Statistics {
            // All fields.
            hash.bytes(self.message.as_bytes());
        }
        Id::new(hash.finish())
    }

    /// Returns the entry as the contents of a file. Very long human-readable parts are truncated, with a mark.
    ///
    /// ```
    /// use forall::{run::Case, store::Entry};
    /// let text = Entry::failure("sorts", Case::default()).to_text();
    /// assert!(text.contains("\nkind failure\nproperty sorts\n"));
    /// ```
    pub fn to_text(&self) -> String {
        self.to_file().1
    }

    pub(super) fn to_file(&self) -> (Id, String) {
        let case = self.case.to_text_with_shape(self.shape);
        let preamble = self.kind.preamble();
        let mut file = format!("forall {FORMAT}\n{preamble}kind {}\n", self.kind.word());
        for (key, value) in &[("property", &self.property), ("version", &self.forall_version), ("case", &case)] {
            file.push_str(format!("{key} {}", escape(value, None)).trim_end());
            file.push('\n');
        }
        for earlier in self.before.iter().take(MAX_BEFORE) {
            file.push_str(&format!("after {}\n", earlier_text(earlier)));
        }
        if self.beside > 1 {
            file.push_str(&format!("beside {}\n", self.beside));
        }
        if self.minimal {
            file.push_str("minimal\n");
        }
        if self.unfinished > 0 {
            file.push_str(&format!("unfinished {}\n", self.unfinished));
        }
        if let Some(place) = &self.place {
            file.push_str(&format!("{PLACE}{}\n", escape(&cut(place, MAX_NAME), None)));
        }
        let mut left = MAX_TEXTS;
        let mut limited = |text: &'_ str, limit: usize| {
            let text = cut(text, left.clamp(MIN_TEXT, limit)).into_owned();
            left = left.saturating_sub(text.len());
            text
        };
        for Variable { name, type_text, text } in self.printed.iter().take(MAX_VARIABLES) {
            let (name, type_text) = (limited(name, MAX_NAME), limited(type_text, MAX_NAME));
            file.push_str(format!("value {}: {}", escape(&name, Some(':')), escape(&type_text, None)).trim_end());
            file.push('\n');
            block(&mut file, &limited(text, MAX_TEXT));
        }
        if !self.message.is_empty() {
            file.push_str("message\n");
            block(&mut file, &limited(&self.message, MAX_TEXT));
        }
        (self.id_by(&case), file)
    }

    /// Parses the output of [`Entry::to_text`]. Total: any bytes give an entry or an error, in memory bounded by the
    /// size of the input.
    ///
    /// ```
    /// use forall::{run::Case, store::Entry};
    /// let entry = Entry::failure("sorts", Case::default());
    /// assert_eq!(Entry::from_bytes(entry.to_text().as_bytes()), Ok(entry));
    /// assert!(Entry::from_bytes(&[0xff; 100]).is_err());
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, EntryError> {
        if bytes.len() as u64 > MAX_FILE {
            return Err(EntryError::TooLarge);
        }
        let text = std::str::from_utf8(bytes)
            .map_err(|error| EntryError::NotText { line: 1 + occurrences(b'\n', &bytes[..error.valid_up_to()]) })?;
        // Git on Windows may have changed the line endings.
        let mut reader = Reader::default();
        for (index, line) in text.split('\n').enumerate() {
            let line = line.strip_suffix('\r').unwrap_or(line);
            if index > 0 {
                let wrong = |expected| EntryError::Line { number: index + 1, found: quote(line), expected };
                reader.line(line).map_err(wrong)?;
                continue;
            }
            match line.strip_prefix("forall ") {
                None => return Err(EntryError::NotAnEntry),
                Some(FORMAT) => {}
                Some(other) => return Err(EntryError::Format(quote(other))),
            }
        }
        reader.finish()
    }
}

/// An entry that is being read line by line.
#[derive(Default)]
struct Reader<'a> {
    kind: Option<&'a str>,
    property: Option<String>,
    version: Option<String>,
    case: Option<&'a str>,
    before: Vec<&'a str>,
    beside: Option<u32>,
    minimal: Option<()>,
    unfinished: Option<u32>,
    place: Option<String>,
    printed: Vec<Variable>,
    message: Option<String>,
    text: Text,
}

/// The text to which marked lines belong, and whether it has lines yet.
#[derive(Default)]
enum Text {
    #[default]
    None,
    Value {
        begun: bool,
    },
    Message {
        begun: bool,
    },
}

impl<'a> Reader<'a> {
    /// Parses a line, or returns what was expected.
    fn line(&mut self, line: &'a str) -> Result<(), &'static str> {
        if let Some(raw) = line.strip_prefix('|') {
            return self.text(raw.strip_prefix(' ').unwrap_or(raw));
        }
        if let Some(escaped) = line.strip_prefix("\\ ") {
            return self.text(&unescape(escaped).ok_or("escapes such as `\\u{1b}` and `\\\\`")?);
        }
        let line = line.trim_end();
        if let Some(place) = line.strip_prefix(PLACE) {
            // To earlier versions it is a comment, so nothing in it is an error.
            self.place = unescape(place).filter(|place| !place.is_empty());
        }
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        self.text = Text::None;
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        let unescaped = || unescape(value).ok_or("escapes such as `\\u{1b}` and `\\\\`");
        match key {
            "kind" => once(&mut self.kind, value),
            "property" => once(&mut self.property, unescaped()?),
            "version" => once(&mut self.version, unescaped()?),
            "case" => once(&mut self.case, value),
            "after" if self.before.len() == MAX_BEFORE => Err("no more than 1024 inputs before it"),
            "after" => {
                self.before.push(value);
                Ok(())
            }
            "beside" => once(&mut self.beside, whole(value).ok_or("`beside` and a number of threads")?),
            "minimal" if value.is_empty() => once(&mut self.minimal, ()),
            "unfinished" => once(&mut self.unfinished, whole(value).ok_or("`unfinished` and a number")?),
            "value" if self.printed.len() == MAX_VARIABLES => Err("no more than 1024 values"),
            "value" => {
                let (name, type_text) = value.split_once(':').ok_or("`value name: type`")?;
                let type_text = type_text.strip_prefix(' ').unwrap_or(type_text);
                let (Some(name), Some(type_text)) = (unescape(name), unescape(type_text)) else {
                    return Err("`value name: type`");
                };
                self.printed.push(Variable { name, type_text, text: String::new() });
                self.text = Text::Value { begun: false };
                Ok(())
            }
            "message" if value.is_empty() => {
                self.text = Text::Message { begun: false };
                once(&mut self.message, String::new())
            }
            _ => Err(
                "`kind`, `property`, `version`, `case`, `after`, `beside`, `minimal`, `unfinished`, `value`, `message`, or a comment after `#`",
            ),
        }
    }

    fn text(&mut self, line: &str) -> Result<(), &'static str> {
        let (text, begun) = match &mut self.text {
            Text::None => return Err("`value` or `message` before its text"),
            Text::Value { begun } => (self.printed.last_mut().map(|variable| &mut variable.text), begun),
            Text::Message { begun } => (self.message.as_mut(), begun),
        };
        let text = text.ok_or("`value` or `message` before its text")?;
        if std::mem::replace(begun, true) {
            text.push('\n');
        }
        text.push_str(line);
        Ok(())
    }

    fn finish(self) -> Result<Entry, EntryError> {
        let kind = self.kind.ok_or(EntryError::Missing("kind"))?;
        let kind = Kind::from_word(kind).ok_or_else(|| EntryError::Kind(quote(kind)))?;
        let property = self.property.ok_or(EntryError::Missing("property"))?;
        let forall_version = self.version.ok_or(EntryError::Missing("version"))?;
        let (case, shape) = read_case(self.case.ok_or(EntryError::Missing("case"))?)?;
        let mut before = Vec::new();
        for &earlier in &self.before {
            before.push(read_case(earlier)?.0);
        }
        let (printed, message) = (self.printed, self.message.unwrap_or_default());
        let (minimal, unfinished) = (self.minimal.is_some(), self.unfinished.unwrap_or(0));
        let beside = self.beside.unwrap_or(1).max(1);
        let place = self.place;
        Ok(Entry {
            kind,
            property,
            forall_version,
            case,
            shape,
            before,
            beside,
            minimal,
            unfinished,
            place,
            printed,
            message,
        })
    }
}

/// The text of a case that runs before another. Its shape is omitted, because replays ignore it.
fn earlier_text(case: &Case) -> String {
    case.to_text_with_shape(0)
}

/// Parses a case and its shape.
fn read_case(text: &str) -> Result<(Case, u64), EntryError> {
    if occurrences(b'+', text.as_bytes()) > MAX_STEPS {
        return Err(EntryError::Case("more steps than shrinking takes".to_owned()));
    }
    Case::from_text_with_shape(text).map_err(|error| match error {
        CaseError::Sequence(DecodeError::Version(version)) => EntryError::Choices(version),
        CaseError::Sequence(error) => EntryError::Case(error.to_string()),
        CaseError::Step(text) => EntryError::Case(CaseError::Step(quote(&text)).to_string()),
    })
}

fn occurrences(byte: u8, bytes: &[u8]) -> usize {
    let mut count = 0;
    for &other in bytes {
        count += usize::from(other == byte);
    }
    count
}

fn once<T>(place: &mut Option<T>, value: T) -> Result<(), &'static str> {
    if place.replace(value).is_some() { Err("no second line of this kind") } else { Ok(()) }
}
