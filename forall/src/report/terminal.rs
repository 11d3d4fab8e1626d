//! What a person sees while a run is under way.

use super::story;
use super::style::Style;
use crate::output::{say, shout};
use crate::run::{Event, Observer};
use std::io::IsTerminal;

/// Says on stderr what must be seen at once: stored counterexamples that are replayed, what was kept, warnings; and, in a
/// verbose style, each step of shrinking.
/// Everything else is in the report, which [`render`](super::render) makes text of when the run is over.
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

    /// In this style.
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

    /// What there is to say of an event, if anything, and how.
    fn message(&mut self, event: &Event<'_>) -> Option<(String, Channel)> {
        let Self { style, property, .. } = self;
        match event {
            Event::Started { identity, .. } => {
                self.property = identity.name.clone().into_owned();
                None
            }
            Event::Replaying { origin } => {
                Some((style.wrap("forall: ", &format!("replaying a stored counterexample: {origin}")), Channel::Test))
            }
            Event::Shrunk { evaluations, pass, bindings, .. } if style.verbose => {
                Some((story::step(pass, *evaluations, bindings, style), Channel::Test))
            }
            Event::Searched { depth } => Some((format!("{}\n", super::screen::depth(depth)), Channel::Test)),
            Event::Replayed { outcome, .. } => Some((style.wrap("forall: ", &outcome.to_string()), Channel::Test)),
            // The test passes, and what is captured of a passing test is not shown.
            Event::Kept { path } => {
                Some((style.wrap("forall: ", &format!("kept as {path}: commit it")), Channel::Process))
            }
            Event::Warned { fact } if property.is_empty() => {
                Some((style.wrap("forall: warning: ", &fact.to_string()), Channel::Process))
            }
            Event::Warned { fact } => {
                Some((style.wrap("forall: warning: ", &format!("{property}: {fact}")), Channel::Process))
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
            Some((text, Channel::Test)) => say(&text),
            Some((text, Channel::Process)) => shout(&text),
            None => {}
        }
    }
}

/// To whom a text belongs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Channel {
    /// To the output of the test, which the harness captures and shows if the test fails.
    Test,
    /// To whoever watches the process: what is captured of a test that passes is never shown.
    Process,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Identity;

    fn started() -> Terminal {
        let mut terminal = Terminal::default();
        let identity = Identity::new("tests::sorts");
        assert_eq!(terminal.message(&Event::Started { identity: &identity, seed: 0x1f, tests: 256 }), None);
        terminal
    }

    #[test]
    fn replays_belong_to_the_test_and_warnings_must_be_seen_even_if_it_passes() {
        let mut terminal = started();
        let mut said = |event| terminal.message(&event);
        let replaying = "forall: replaying a stored counterexample: .forall/a\n";
        assert_eq!(said(Event::Replaying { origin: ".forall/a" }), Some((replaying.into(), Channel::Test)));
        let (still_fails, evil) = ("it still fails".into(), "\x1b[2J".into());
        let replayed = "forall: it still fails\n";
        assert_eq!(said(Event::Replayed { origin: "", outcome: &still_fails }), Some((replayed.into(), Channel::Test)));
        let warning = "forall: warning: tests::sorts: \\u{1b}[2J\n";
        assert_eq!(said(Event::Warned { fact: &evil }), Some((warning.into(), Channel::Process)));
    }
}
