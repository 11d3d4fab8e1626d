//! How text looks on the way out: colours, width, wrapping. What the text says is the business of the other files.

use crate::text::{columns, visible, wrap};
use crate::whole::whole;
use std::io::IsTerminal;

/// The style of a report: colours, width, verbosity.
///
/// ```
/// use forall::report::Style;
/// let style = Style::plain().width(60).verbose(true);
/// assert!(!style.colour);
/// assert_eq!(style.width, 60);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Style {
    /// Whether to use ANSI colours. Default off.
    #[doc(hidden)]
    pub colour: bool,
    /// How many columns there are. Default 100, at least [`Style::NARROWEST`]. What is meant to be pasted (commands, string
    /// literals) is never broken.
    #[doc(hidden)]
    pub width: usize,
    /// Whether to show everything, however long. Default off.
    #[doc(hidden)]
    pub verbose: bool,
    /// Whether to show the report's warnings. Default on; off where a [`Terminal`](super::Terminal) said them already.
    #[doc(hidden)]
    pub warnings: bool,
    /// Whether to show the lines of a failed property, read from its file. Default off; on in [`Style::from_env`].
    #[doc(hidden)]
    pub sources: bool,
}

/// A way to set a piece of text off.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Paint {
    Bold,
    Dim,
    Bad,
    Good,
    Doubtful,
}

const RESET: &str = "\x1b[0m";

impl Paint {
    fn code(self) -> &'static str {
        match self {
            Paint::Bold => "\x1b[1m",
            Paint::Dim => "\x1b[2m",
            Paint::Bad => "\x1b[1;31m",
            Paint::Good => "\x1b[1;32m",
            Paint::Doubtful => "\x1b[1;33m",
        }
    }
}

impl Default for Style {
    fn default() -> Self {
        Self::plain()
    }
}

impl Style {
    /// The fewest columns that a report is fitted to.
    ///
    /// ```
    /// use forall::report::Style;
    /// assert_eq!(Style::plain().width(0).width, Style::NARROWEST);
    /// ```
    #[doc(hidden)]
    pub const NARROWEST: usize = 40;

    /// The columns of a report when the terminal does not say how many it has.
    const USUAL_WIDTH: usize = 100;

    /// Creates a style without colours, with 100 columns.
    ///
    /// ```
    /// use forall::report::Style;
    /// let style = Style::plain();
    /// assert_eq!((style.colour, style.width), (false, 100));
    /// ```
    pub fn plain() -> Self {
        Self { colour: false, width: Self::USUAL_WIDTH, verbose: false, warnings: true, sources: false }
    }

    /// Creates the style that suits the terminal of this process.
    ///
    /// Uses colours if `CLICOLOR_FORCE` is set, or if both stdout and stderr are terminals (the test harness redirects
    /// a test's stderr to stdout) that are not dumb; never if `NO_COLOR` is set. The width is `COLUMNS`, or else 100.
    ///
    /// ```
    /// use forall::report::Style;
    /// assert!(Style::from_env().width >= Style::NARROWEST);
    /// ```
    pub fn from_env() -> Self {
        let lookup = |name: &str| std::env::var(name).ok();
        Self::decide(&lookup, std::io::stderr().is_terminal() && std::io::stdout().is_terminal())
    }

    fn decide(lookup: &dyn Fn(&str) -> Option<String>, terminal: bool) -> Self {
        let set = |name: &str| matches!(lookup(name), Some(value) if !value.is_empty());
        let forced = matches!(lookup("CLICOLOR_FORCE"), Some(value) if !value.is_empty() && value != "0");
        let able = terminal && lookup("TERM").is_none_or(|term| term != "dumb");
        let width = lookup("COLUMNS").and_then(|columns| whole(columns.trim())).filter(|&columns| columns > 0);
        Self::plain()
            .sources(true)
            .colour(!set("NO_COLOR") && (forced || able))
            .width(width.unwrap_or(Self::USUAL_WIDTH))
    }

    /// Whether to use ANSI colours.
    ///
    /// ```
    /// use forall::{report::{Style, render}, run::{Identity, Report, Verdict}};
    /// let report = Report::new(Identity::new("sorts"), Verdict::Failed);
    /// assert!(render(&report, &Style::plain().colour(true)).contains("\x1b["));
    /// ```
    #[doc(hidden)]
    pub fn colour(mut self, colour: bool) -> Self {
        self.colour = colour;
        self
    }

    /// How many columns there are. Fewer than [`Style::NARROWEST`] count as that.
    ///
    /// ```
    /// use forall::report::Style;
    /// assert_eq!(Style::plain().width(120).width, 120);
    /// assert_eq!(Style::plain().width(3).width, Style::NARROWEST);
    /// ```
    #[doc(hidden)]
    pub fn width(mut self, width: usize) -> Self {
        self.width = width.max(Self::NARROWEST);
        self
    }

    /// Whether to show everything, however long.
    ///
    /// ```
    /// use forall::report::Style;
    /// assert!(Style::plain().verbose(true).verbose);
    /// ```
    #[doc(hidden)]
    pub fn verbose(mut self, verbose: bool) -> Self {
        self.verbose = verbose;
        self
    }

    /// Whether to show the report's warnings.
    ///
    /// ```
    /// use forall::{report::{Style, render}, run::{Identity, Report, Verdict}};
    /// let mut report = Report::new(Identity::new("sorts"), Verdict::Passed);
    /// report.warnings.push("the disk is slow".into());
    /// assert!(render(&report, &Style::plain()).contains("the disk is slow"));
    /// assert!(!render(&report, &Style::plain().warnings(false)).contains("the disk is slow"));
    /// ```
    #[doc(hidden)]
    pub fn warnings(mut self, warnings: bool) -> Self {
        self.warnings = warnings;
        self
    }

    /// Whether to show the lines of a failed property, read from its file.
    ///
    /// ```
    /// use forall::report::Style;
    /// assert!(!Style::plain().sources, "what is shown depends on the report alone");
    /// assert!(Style::plain().sources(true).sources && Style::from_env().sources);
    /// ```
    #[doc(hidden)]
    pub fn sources(mut self, sources: bool) -> Self {
        self.sources = sources;
        self
    }

    pub(crate) fn paint(&self, paint: Paint, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("{}{text}{RESET}", paint.code()) } else { text.to_owned() }
    }

    /// Breaks prose into lines that fit. Each paragraph begins after `first`, its other lines after as many spaces.
    /// Lines that begin with four spaces are not prose and stay as they are, and so does what stands between backticks.
    pub(crate) fn wrap(&self, first: &str, prose: &str) -> String {
        wrap(self.width, (first, &" ".repeat(columns(first))), &visible(prose), &columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(variables: &[(&str, &str)], terminal: bool) -> Style {
        let lookup = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
        Style::decide(&lookup, terminal)
    }

    #[test]
    fn colours_only_on_a_terminal_and_never_against_no_color() {
        assert!(decide(&[], true).colour);
        assert!(!decide(&[], false).colour);
        assert!(!decide(&[("NO_COLOR", "1")], true).colour);
        assert!(decide(&[("NO_COLOR", "")], true).colour);
        assert!(!decide(&[("TERM", "dumb")], true).colour);
        assert!(decide(&[("CLICOLOR_FORCE", "1")], false).colour);
        assert!(!decide(&[("CLICOLOR_FORCE", "0")], false).colour);
        assert!(!decide(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], true).colour);
    }

    #[test]
    fn the_width_comes_from_columns_and_has_a_least_value() {
        assert_eq!(decide(&[], true).width, 100);
        assert_eq!(decide(&[("COLUMNS", "72")], true).width, 72);
        assert_eq!(decide(&[("COLUMNS", "wide")], true).width, 100);
        assert_eq!(decide(&[("COLUMNS", "0")], true).width, 100);
        assert_eq!(decide(&[("COLUMNS", "3")], true).width, Style::NARROWEST);
    }

    #[test]
    fn prose_wraps_and_code_in_it_does_not() {
        let style = Style::plain().width(40);
        let text = "one two three four five six seven `let xs = vec![1, 2, 3];` eight\n    kept   as it is";
        let expected =
            "- one two three four five six seven\n  `let xs = vec![1, 2, 3];` eight\n      kept   as it is\n";
        assert_eq!(style.wrap("- ", text), expected);
    }
}
