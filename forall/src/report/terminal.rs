//! Messages during a run.

use super::facts::after_label;
use super::story;
use super::style::Style;
use crate::output::{print_captured, print_uncaptured};
use crate::run::{Event, Observer};
use std::io::IsTerminal;

/// Prints events to stderr during a run: replays of saved failures, new regressions, warnings; and, in a verbose style,
/// each shrink. Everything else is in the report, which [`render`](super::render) turns into text at the end of the
/// run.
///
/// ```
/// use forall::report::Terminal;
/// use forall::run::{Event, Observer};
/// Terminal::new().event(&Event::Warned { fact: &"the store cannot be written".into() });
/// ```
#[derive(Clone, Debug, Default)]
#[doc(hidden)]
pub struct Terminal {
    style: Style,
    property: String,
    progress: bool,
}

impl Terminal {
    /// Creates an observer with the style of this process, see [`Style::from_env`].
    ///
    /// ```
    /// use forall::{prelude::*, report::Terminal, run::Run};
    /// let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let mut terminal = Terminal::new();
    /// assert!(Run::new("bits", &property).observer(&mut terminal).report().verdict.is_success());
    /// ```
    pub fn new() -> Self {
        let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
        let progress = std::io::stderr().is_terminal() && !dumb;
        Self { style: Style::from_env(), progress, ..Self::default() }
    }

    /// Sets the style.
    ///
    /// ```
    /// use forall::{prelude::*, report::{Style, Terminal}, run::Run};
    /// let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let mut terminal = Terminal::new().style(Style::plain());
    /// assert!(Run::new("bits", &property).observer(&mut terminal).report().verdict.is_success());
    /// ```
    pub fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// The message for an event, if it has one, and its channel.
    fn message(&mut self, event: &Event<'_>) -> Option<(String, Channel)> {
        let Self { style, property, .. } = self;
        match event {
            Event::Started { identity, .. } => {
                self.property = identity.name.clone().into_owned();
                None
            }
            Event::Replaying { origin } => {
                Some((style.wrap("forall: ", &format!("replaying a saved failure: {origin}")), Channel::Test))
            }
            Event::Shrunk { evaluations, pass, bindings, .. } if style.verbose => {
                Some((story::step(pass, *evaluations, bindings, style), Channel::Test))
            }
            Event::Searched { depth } => Some((format!("{}\n", super::head::depth(depth)), Channel::Test)),
            Event::Replayed { outcome, .. } => Some((style.wrap("forall: ", &outcome.to_string()), Channel::Test)),
            // The test passes, and the harness hides the captured output of passing tests.
            Event::Kept { path } => {
                Some((style.wrap("forall: ", &format!("saved as {path}: commit it")), Channel::Process))
            }
            Event::Warned { fact } => {
                let text = after_label(fact);
                let text = if property.is_empty() { text } else { format!("{property}: {text}") };
                let channel = if fact.is_health() { Channel::Test } else { Channel::Process };
                Some((style.wrap("forall: warning: ", &text), channel))
            }
            _ => None,
        }
    }
}

impl Observer for Terminal {
    fn wants_values(&self) -> bool {
        self.style.verbose
    }

    fn shows_progress(&self) -> bool {
        self.progress
    }

    fn event(&mut self, event: &Event<'_>) {
        match self.message(event) {
            Some((text, Channel::Test)) => print_captured(&text),
            Some((text, Channel::Process)) => print_uncaptured(&text),
            None => {}
        }
    }
}

/// Where a message is printed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Channel {
    /// The output of the test, which the harness captures and prints if the test fails.
    Test,
    /// The stderr of the process, which is never captured: for messages about tests that pass.
    Process,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::Fact;
    use crate::run::Identity;

    fn started() -> Terminal {
        let mut terminal = Terminal::default();
        let identity = Identity::new("tests::sorts");
        assert_eq!(terminal.message(&Event::Started { identity: &identity, seed: 0x1f, tests: 256 }), None);
        terminal
    }

    #[test]
    fn replays_are_captured_and_warnings_are_printed_even_if_the_test_passes() {
        let mut terminal = started();
        let mut said = |event| terminal.message(&event);
        let replaying = "forall: replaying a saved failure: .forall/a\n";
        assert_eq!(said(Event::Replaying { origin: ".forall/a" }), Some((replaying.into(), Channel::Test)));
        let (still_fails, evil) = ("it still fails".into(), "\x1b[2J".into());
        let replayed = "forall: it still fails\n";
        assert_eq!(said(Event::Replayed { origin: "", outcome: &still_fails }), Some((replayed.into(), Channel::Test)));
        let warning = "forall: warning: tests::sorts: \\u{1b}[2J\n";
        assert_eq!(said(Event::Warned { fact: &evil }), Some((warning.into(), Channel::Process)));
    }

    #[test]
    fn health_warnings_go_to_the_output_of_the_test() {
        let mut terminal = started();
        let health = Fact::LargeInputs { choices: 20_000, tests: 256 };
        let (text, channel) = terminal.message(&Event::Warned { fact: &health }).unwrap();
        assert!(
            text.starts_with("forall: warning: tests::sorts: inputs are large: 20,000 choices on average"),
            "{text}"
        );
        assert_eq!(channel, Channel::Test);
    }
}
