//! One property in a process of its own: what it is asked for, and what it told.

use crate::interrupt::{self, Telling};
use crate::properties::Property;
use crate::screen::Screen;
use crate::workspace::Workspace;
use crate::{Error, ended, literals, scratch, trouble};
use forall::protocol::{CARGO_OPTIONS, Death, Event, FAILED, Finished, Kind, Request, Searched, Told, Urgent};
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How often whoever waits is told that the process still runs.
const PERIOD: Duration = Duration::from_millis(5);

/// So much of what a process says is kept, the last of it: to be shown if it dies.
const LAST_WORDS: usize = 8 << 10;

/// What a process came to.
#[derive(Debug)]
pub struct Ended {
    /// What it told, in order: see `forall::observe`.
    pub events: Vec<Event>,
    /// How it ended.
    pub how: Death,
    /// The last of what it said to people.
    pub last_words: String,
}

impl Ended {
    /// The events of a kind.
    pub fn all<K: Kind + 'static>(&self) -> impl Iterator<Item = &K> {
        self.events.iter().filter_map(K::of)
    }

    /// The last event of a kind.
    pub fn last<K: Kind>(&self) -> Option<&K> {
        self.events.iter().rev().find_map(K::of)
    }

    /// How the run ended, if it came to an end.
    pub fn finished(&self) -> Option<&Finished> {
        self.last()
    }

    /// Whether the test harness left it out.
    pub fn is_left_out(&self) -> bool {
        self.how == Death::Exit(0) && self.finished().is_none()
    }

    /// What to say of a process that told nothing of its run.
    pub fn why_nothing(&self, property: &Property) -> String {
        let words = crate::screen::visible(self.last_words.trim());
        if self.is_left_out() {
            let why = match property.is_value() {
                true => "its test is #[ignore]d, or does not come to it",
                false => "it is #[ignore]d, or not built here",
            };
            let test = property.test_name();
            return format!("the test harness left it out: {why}. `cargo test {test} -- --include-ignored` runs it");
        }
        if let Some(test) = property.value_of.as_deref().filter(|_| self.how == Death::Exit(FAILED)) {
            let package = &property.binary.package;
            return format!(
                "the test {test} failed before it came to `{}`: `cargo test -p {package} {test}` shows why, repair that first. It said \
                 last:\n\n{words}",
                property.name
            );
        }
        let crashed = format!("the process of {} ended before its run did: {}", property.name, ended::text(self.how));
        let next = match property.is_value() {
            true => "Run it with `Settings::new().isolate(true)`, and the input that does it is found",
            false => "Add `isolate` to its attribute, and the input that does it is found",
        };
        if words.is_empty() {
            format!("{crashed}. {next}")
        } else {
            format!("{crashed}. It said last:\n\n{words}\n\n{next}")
        }
    }
}

/// A property that is about to be asked for something.
#[derive(Debug)]
pub struct Process<'a> {
    property: &'a Property,
    command: Command,
    events: PathBuf,
}

impl<'a> Process<'a> {
    /// A run of the property as `cargo test` runs it.
    pub fn new(property: &'a Property, workspace: &Workspace, screen: &Screen) -> Result<Self, Error> {
        let target = &workspace.target_directory;
        let events = scratch::file(&target.join("forall-events"), ".jsonl")?;
        let mut command = Command::new(&property.binary.path);
        command.args(["--exact", property.test_name(), "--nocapture"]);
        command.current_dir(&property.binary.package_directory);
        command.env("CARGO_MANIFEST_DIR", &property.binary.package_directory);
        command.env("CARGO_PKG_NAME", &property.binary.package);
        // An ellipsis takes two columns more where it is three dots.
        let width = screen.width - if screen.unicode { 0 } else { 2 };
        command.env("FORALL_EVENTS", &events).env("COLUMNS", width.to_string()).env_remove("FORALL_DO");
        let literals = literals::file(target, &property.binary.package_directory);
        if literals.is_file() && std::env::var_os(literals::VARIABLE).is_none() {
            command.env(literals::VARIABLE, literals);
        }
        if screen.colour {
            command.env("CLICOLOR_FORCE", "1");
        }
        // The program knows which package it is of, and not how it was built: commands of its report are to build the same.
        if !workspace.cargo_options.is_empty() {
            command.env(CARGO_OPTIONS, workspace.cargo_options.trim());
        }
        Ok(Self { property, command, events })
    }

    /// Even if it is `#[ignore]`d: it was asked for by its name.
    pub fn even_if_ignored(mut self) -> Self {
        self.command.arg("--include-ignored");
        self
    }

    /// Asks for something else than a run: see `forall::run::protocol`.
    pub fn asking(mut self, request: &Request) -> Self {
        self.command.env("FORALL_DO", request.to_string());
        self
    }

    /// With a setting, by the name of its variable.
    pub fn with(mut self, variable: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.env(variable, value);
        self
    }

    /// Runs it to its end. `still` is called now and then meanwhile, with what must be told at once: that a test hangs, say.
    pub fn run(mut self, still: &mut dyn FnMut(&str)) -> Result<Ended, Error> {
        let failed = |error: std::io::Error| trouble::no_test_program(&self.property.binary.path, error);
        self.command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        interrupt::ends_with_this(&mut self.command);
        interrupt::notice();
        let (mut child, mut telling) = (self.command.spawn().map_err(failed)?, Telling::default());
        let stderr = child.stderr.take().expect("it is piped");
        let listener = std::thread::spawn(move || last_words(BufReader::new(stderr)));
        let mut urgent = Urgents::of(&self.property.name, &self.events);
        let status = loop {
            match child.try_wait().map_err(failed)? {
                Some(status) => break status,
                None => std::thread::sleep(PERIOD),
            }
            telling.tell(&mut child);
            still(&urgent.next());
        };
        let last_words: Vec<u8> = listener.join().unwrap_or_default().into();
        let text = fs::read_to_string(&self.events).unwrap_or_default();
        let _ = fs::remove_file(&self.events);
        let mut events = events_of(&text, &self.property.name)?;
        // How far a search came belongs to what it came to.
        let searched = events.iter().rev().find_map(Searched::of).cloned();
        if let Some(finished) = events.iter_mut().rev().find_map(Finished::of_mut) {
            finished.searched = searched;
        }
        let last_words = String::from_utf8_lossy(&last_words).into_owned();
        Ok(Ended { events, how: ended::of(status), last_words })
    }
}

/// The events of a property in what a process wrote: a test may run several properties that are values. A line may be cut off,
/// where the process died.
fn events_of(text: &str, property: &str) -> Result<Vec<Event>, Error> {
    let mut events = Vec::new();
    for line in text.lines() {
        let told = Told::read(line).map_err(|other| trouble::other_version(other.0, ""))?;
        events.extend(told.filter(|told| told.property == property).map(|told| told.event));
    }
    Ok(events)
}

/// What a run says for itself that cannot wait for its end is shown as it comes.
pub fn aloud(text: &str) {
    crate::screen::aside(&crate::screen::visible(text));
}

/// Keeps the last of what the process says to people.
fn last_words(mut said: impl Read) -> VecDeque<u8> {
    let (mut last, mut part) = (VecDeque::new(), [0; LAST_WORDS]);
    while let Ok(length) = said.read(&mut part)
        && length > 0
    {
        last.extend(&part[..length]);
        let too_much = last.len().saturating_sub(LAST_WORDS);
        last.drain(..too_much);
    }
    last
}

/// What cannot wait for the end of a process, read from its events while it runs.
struct Urgents<'a> {
    property: &'a str,
    path: &'a Path,
    file: Option<File>,
    /// What was read of a line that has not ended yet.
    line: Vec<u8>,
}

impl<'a> Urgents<'a> {
    fn of(property: &'a str, path: &'a Path) -> Self {
        Self { property, path, file: None, line: Vec::new() }
    }

    /// What came since the last call, for people.
    fn next(&mut self) -> String {
        let mut text = String::new();
        if self.file.is_none() {
            self.file = File::open(self.path).ok();
        }
        let Some(file) = &mut self.file else { return text };
        let begun = self.line.len();
        if file.read_to_end(&mut self.line).is_err() {
            return text;
        }
        let Some(end) = self.line[begun..].iter().rposition(|byte| *byte == b'\n') else { return text };
        let lines: Vec<u8> = self.line.drain(..=begun + end).collect();
        for line in String::from_utf8_lossy(&lines).lines() {
            // Another version is told at the end.
            let told = Told::read(line).ok().flatten().filter(|told| told.property == self.property);
            if let Some(urgent) = told.as_ref().and_then(|told| Urgent::of(&told.event)) {
                text += &format!("{}{}\n", if text.is_empty() { "forall: " } else { "" }, urgent.text);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_those_of_the_property_and_of_this_version() {
        let event = |version: u64, property: &str| {
            format!(r#"{{"v":{version},"event":"warned","property":"{property}","text":"few"}}"#)
        };
        let later = r#"{"v":1,"event":"danced","property":"a"}"#;
        let text = [&event(1, "a"), &event(1, "b"), later, r#"{"v":1,"event":"wa"#].join("\n");
        let expected = [forall::protocol::Warned { text: "few".to_owned(), fact: None }.into()];
        assert_eq!(events_of(&text, "a").unwrap(), expected);
        let told = events_of(&event(2, "a"), "a").unwrap_err().to_string();
        let expected =
            "the tests use another version of forall, which speaks version 2 of the protocol; this is cargo-forall";
        assert!(told.starts_with(expected), "{told}");
        assert!(told.ends_with("Install the tool of that version with `cargo install cargo-forall`"), "{told}");
    }

    #[test]
    fn why_a_process_told_nothing_is_said_with_what_to_do() {
        let function = Property::example("shop::tests::sums");
        let value =
            Property { name: "sums".to_owned(), value_of: Some("tests::several".to_owned()), ..function.clone() };
        let why = |property: &Property, how: Death, words: &str| {
            Ended { events: Vec::new(), how, last_words: words.to_owned() }.why_nothing(property)
        };
        let told = [
            why(&function, Death::Exit(0), ""),
            why(&function, Death::Signal(6), ""),
            why(&function, Death::Signal(6), "\u{1b}[31mno memory\n"),
            why(&value, Death::Exit(0), ""),
            why(&value, Death::Exit(FAILED), "assertion failed"),
            why(&value, Death::Signal(11), ""),
        ];
        insta::assert_snapshot!(told.join("\n\n"));
    }

    #[test]
    fn the_last_words_are_kept() {
        let last: Vec<u8> = last_words(format!("{}last", "x".repeat(20_000)).as_bytes()).into();
        assert!(last.len() == LAST_WORDS && last.ends_with(b"xlast"));
    }

    #[test]
    fn what_cannot_wait_is_read_from_the_events_line_by_line() {
        use forall::protocol::Encode;
        use std::io::Write;
        let path = std::env::temp_dir().join(format!("cargo-forall-urgent-{}", std::process::id()));
        let mut urgent = Urgents::of("a::b", &path);
        assert_eq!(urgent.next(), "", "there is no file yet");
        let line = |property: &str, text: &str| {
            let event = Urgent { text: text.to_owned(), fact: None }.into();
            Told { property: property.to_owned(), event }.encode() + "\n"
        };
        let mut file = File::create(&path).unwrap();
        let (first, rest) = (line("a::c", "not mine"), line("a::b", "test 7 takes long\n  cargo test"));
        let (begin, end) = rest.split_at(20);
        file.write_all(format!("{first}{{\"event\":\n{begin}").as_bytes()).unwrap();
        assert_eq!(urgent.next(), "", "the line has not ended");
        file.write_all(end.as_bytes()).unwrap();
        assert_eq!(urgent.next(), "forall: test 7 takes long\n  cargo test\n");
        assert_eq!(urgent.next(), "", "it is told once");
        fs::remove_file(path).unwrap();
    }
}
