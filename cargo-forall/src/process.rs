//! Runs one property in a separate process: its request, its events and its exit.

use crate::interrupt::{self, SignalForwarder};
use crate::properties::Property;
use crate::screen::Screen;
use crate::workspace::Workspace;
use crate::{Error, ended, literals, scratch, trouble};
use forall::protocol::{
    CARGO_OPTIONS, Death, Event, FAILED, Finished, Kind, RACE_OPTIONS, Request, Searched, Told, Urgent,
};
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The interval at which the caller's callback runs.
const PERIOD: Duration = Duration::from_millis(5);

/// The number of bytes kept of a process's last output, printed if it crashes.
const LAST_WORDS: usize = 8 << 10;

/// The time after a process's exit within which its output is read, on a busy machine as well. A process that a test left behind
/// keeps the pipe open.
pub const LEFT_BEHIND: Duration = Duration::from_secs(1);

/// The result of a process.
#[derive(Debug)]
pub struct Ended {
    /// Its events, in order: see `forall::observe`.
    pub events: Vec<Event>,
    /// Its exit status.
    pub how: Death,
    /// The end of its output.
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

    /// The last event of the run, if it finished.
    pub fn finished(&self) -> Option<&Finished> {
        self.last()
    }

    /// Whether the test harness skipped it.
    pub fn is_left_out(&self) -> bool {
        self.how == Death::Exit(0) && self.finished().is_none()
    }

    /// Whether the test of a property value failed before it reached the property.
    pub fn is_unreached(&self, property: &Property) -> bool {
        property.is_value() && self.how == Death::Exit(FAILED) && self.finished().is_none()
    }

    /// The message for a process without a finished run.
    pub fn why_nothing(&self, property: &Property) -> String {
        let words = crate::screen::visible(self.last_words.trim());
        if self.is_left_out() {
            let why = match property.is_value() {
                true => "its test is #[ignore]d or never reaches the property",
                false => "it is #[ignore]d, or disabled by `cfg` in this build",
            };
            let test = property.test_name();
            return format!("the test harness skipped it: {why}. `cargo test {test} -- --include-ignored` runs it");
        }
        if let Some(test) = property.value_of.as_deref().filter(|_| self.is_unreached(property)) {
            let package = &property.binary.package;
            return format!(
                "the test {test} failed before it reached `{}`: `cargo test -p {package} {test}` shows why; fix that first. Its last \
                 output:\n\n{words}",
                property.name
            );
        }
        let crashed = format!("the process of {} crashed during its run: {}", property.name, ended::text(self.how));
        let next = match property.is_value() {
            true => "Run it with `Settings::new().isolate(true)` to find the input that causes this",
            false => "Add `isolate` to its attribute to find the input that causes this",
        };
        if words.is_empty() {
            format!("{crashed}. {next}")
        } else {
            format!("{crashed}. Its last output:\n\n{words}\n\n{next}")
        }
    }
}

/// The setting that runs an input on as many threads at once as it failed on, or `None` if that is one.
pub(crate) fn threads_at_once(beside: u32) -> Option<(&'static str, String)> {
    (beside > 1).then(|| ("FORALL_BESIDE", beside.to_string()))
}

/// A property and a request, before its process is started.
#[derive(Debug)]
pub struct Process<'a> {
    property: &'a Property,
    command: Command,
    events: PathBuf,
    stop: Option<&'a AtomicBool>,
}

impl<'a> Process<'a> {
    /// A run of the property, as by `cargo test`.
    pub fn new(property: &'a Property, workspace: &Workspace, screen: &Screen) -> Result<Self, Error> {
        let target = &workspace.target_directory;
        // Several properties may run at once.
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let ending = format!("-{}.jsonl", NUMBER.fetch_add(1, Ordering::Relaxed));
        let events = scratch::file(&target.join("forall-events"), &ending)?;
        let mut command = Command::new(&property.binary.path);
        command.args(["--exact", property.test_name(), "--nocapture"]);
        command.current_dir(&property.binary.package_directory);
        command.env("CARGO_MANIFEST_DIR", &property.binary.package_directory);
        command.env("CARGO_PKG_NAME", &property.binary.package);
        // Without Unicode, an ellipsis takes two more columns.
        let width = screen.width - if screen.unicode { 0 } else { 2 };
        command.env("FORALL_EVENTS", &events).env("COLUMNS", width.to_string()).env_remove("FORALL_DO");
        let literals = literals::file(target, &property.binary.package_directory);
        if literals.is_file() && std::env::var_os(literals::VARIABLE).is_none() {
            command.env(literals::VARIABLE, literals);
        }
        if screen.colour {
            command.env("CLICOLOR_FORCE", "1");
        }
        // The commands in a report must build the same tests, so the test binary gets the options it was built with.
        if !workspace.cargo_options.is_empty() {
            command.env(CARGO_OPTIONS, workspace.cargo_options.trim());
        }
        if let Some(options) = &workspace.race_options {
            command.env(RACE_OPTIONS, options);
        }
        Ok(Self { property, command, events, stop: None })
    }

    /// Runs it even if it is `#[ignore]`d: it was named.
    pub fn even_if_ignored(mut self) -> Self {
        self.command.arg("--include-ignored");
        self
    }

    /// Sends a request other than a run.
    pub fn asking(mut self, request: &Request) -> Self {
        self.command.env("FORALL_DO", request.to_string());
        self
    }

    /// Sends a request to run an input again, on as many threads at once as it failed on.
    pub fn replaying(self, request: &Request, beside: u32) -> Self {
        let process = self.asking(request);
        match threads_at_once(beside) {
            Some((variable, threads)) => process.with(variable, threads),
            None => process,
        }
    }

    /// Adds a setting, by the name of its variable.
    pub fn with(mut self, variable: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.env(variable, value);
        self
    }

    /// Stops it as by Ctrl-C once the flag is set.
    pub fn until(mut self, stop: &'a AtomicBool) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Runs it until it exits. `still` is called periodically with urgent messages, for example about a hanging test.
    pub fn run(mut self, still: &mut dyn FnMut(&str)) -> Result<Ended, Error> {
        let failed = |error: std::io::Error| trouble::no_test_program(&self.property.binary.path, error);
        self.command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        interrupt::ends_with_this(&mut self.command);
        interrupt::notice();
        let (mut child, mut signals) = (self.command.spawn().map_err(failed)?, SignalForwarder::default());
        let last_words = LastWords::of(BufReader::new(child.stderr.take().expect("it is piped")));
        let mut urgent = Urgents::of(&self.property.name, &self.events);
        let status = loop {
            match child.try_wait().map_err(failed)? {
                Some(status) => break status,
                None => std::thread::sleep(PERIOD),
            }
            signals.forward(&mut child, self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)));
            still(&urgent.next());
        };
        let last_words = last_words.after_the_end();
        let text = fs::read_to_string(&self.events).unwrap_or_default();
        let _ = fs::remove_file(&self.events);
        let mut events = events_of(&text, &self.property.name)?;
        // The last depth that a search completed, if there is one, belongs to the result of the run.
        let depths = || events.iter().rev().filter_map(Searched::of);
        let searched = depths().find(|depth| depth.complete).or_else(|| depths().next()).cloned();
        if let Some(finished) = events.iter_mut().rev().find_map(Finished::of_mut) {
            finished.searched = searched;
        }
        Ok(Ended { events, how: ended::of(status), last_words })
    }
}

/// The events of one property: a test may run several property values. The last line may be truncated by a crash.
pub(crate) fn events_of(text: &str, property: &str) -> Result<Vec<Event>, Error> {
    let mut events = Vec::new();
    for line in text.lines() {
        let told = Told::read(line).map_err(|other| trouble::other_version(other.0, ""))?;
        events.extend(told.filter(|told| told.property == property).map(|told| told.event));
    }
    Ok(events)
}

/// Whether a process has exited.
pub fn has_exited(child: &mut Child) -> bool {
    child.try_wait().is_ok_and(|status| status.is_some())
}

/// Prints a run's urgent messages as they arrive.
pub fn aloud(text: &str) {
    crate::screen::aside(&crate::screen::visible(text));
}

/// The end of a process's output, read by a thread.
struct LastWords {
    kept: Arc<Mutex<VecDeque<u8>>>,
    /// Closed at the end of the output.
    is_read: Receiver<()>,
}

impl LastWords {
    fn of(mut said: impl Read + Send + 'static) -> Self {
        let (kept, (reading, is_read)) = (Arc::<Mutex<VecDeque<u8>>>::default(), mpsc::channel());
        let here = kept.clone();
        std::thread::spawn(move || {
            let _reading: Sender<()> = reading;
            let mut part = [0; LAST_WORDS];
            while let Ok(length) = said.read(&mut part)
                && length > 0
            {
                let mut last = here.lock().expect("no panic while it is locked");
                last.extend(&part[..length]);
                let too_much = last.len().saturating_sub(LAST_WORDS);
                last.drain(..too_much);
            }
        });
        Self { kept, is_read }
    }

    /// The text, once the process has exited.
    fn after_the_end(self) -> String {
        let _ = self.is_read.recv_timeout(LEFT_BEHIND);
        let kept: Vec<u8> = self.kept.lock().expect("no panic while it is locked").iter().copied().collect();
        String::from_utf8_lossy(&kept).into_owned()
    }
}

/// The urgent messages in a process's events, read while it runs.
struct Urgents<'a> {
    property: &'a str,
    path: &'a Path,
    file: Option<File>,
    /// A partial line.
    line: Vec<u8>,
}

impl<'a> Urgents<'a> {
    fn of(property: &'a str, path: &'a Path) -> Self {
        Self { property, path, file: None, line: Vec::new() }
    }

    /// The messages since the last call.
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
            // Another version is reported at the end.
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
        let expected = "the tests use another version of forall with version 2 of the protocol; this is cargo-forall";
        assert!(told.starts_with(expected), "{told}");
        assert!(told.ends_with("Install the matching tool with `cargo install cargo-forall`"), "{told}");
    }

    #[test]
    fn a_process_without_a_finished_run_is_explained() {
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
    fn long_output_is_truncated_to_its_end() {
        let last = LastWords::of(std::io::Cursor::new(format!("{}last", "x".repeat(20_000)))).after_the_end();
        assert!(last.len() == LAST_WORDS && last.ends_with("xlast"));
    }

    #[test]
    fn urgent_messages_are_read_line_by_line_while_the_process_runs() {
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
        assert_eq!(urgent.next(), "", "each message once");
        fs::remove_file(path).unwrap();
    }
}
