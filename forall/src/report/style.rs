//! The style of text: colours, width, wrapping.

use crate::text::{columns, visible, wrap};
use crate::whole::whole;
use std::io::IsTerminal;

/// A non-breaking space.
pub(super) const NO_BREAK: &str = "\u{a0}";

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
    /// The number of columns. Default 100, at least [`Style::NARROWEST`]. Text to paste (commands, string literals) is
    /// never wrapped.
    #[doc(hidden)]
    pub width: usize,
    /// Whether to show everything without truncation. Default off.
    #[doc(hidden)]
    pub verbose: bool,
    /// Whether to show the report's warnings. Default on; off if a [`Terminal`](super::Terminal) printed them already.
    #[doc(hidden)]
    pub warnings: bool,
    /// Whether to show the lines of a failed property, read from its file. Default off; on in [`Style::from_env`].
    #[doc(hidden)]
    pub sources: bool,
}

/// A way to highlight text.
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
    /// The minimum number of columns of a report.
    ///
    /// ```
    /// use forall::report::Style;
    /// assert_eq!(Style::plain().width(0).width, Style::NARROWEST);
    /// ```
    #[doc(hidden)]
    pub const NARROWEST: usize = 40;

    /// The default number of columns.
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

    /// Sets whether to use ANSI colours.
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

    /// Sets the number of columns, at least [`Style::NARROWEST`].
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

    /// Sets whether to show everything without truncation.
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

    /// Sets whether to show the report's warnings.
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

    /// Sets whether to show the lines of a failed property, read from its file.
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

    /// Wraps prose. Each paragraph begins with `first`, its other lines with as many spaces. Lines that begin with four
    /// spaces are not prose and stay as they are, and so does text between backticks.
    pub(crate) fn wrap(&self, first: &str, prose: &str) -> String {
        wrap(self.width, (first, &" ".repeat(columns(first))), &visible(prose), &columns)
    }
}

/// The width of a label's column.
pub(super) const LABEL: usize = 10;

/// A labelled line. Commands and attributes are pasted, so they are never wrapped; other text is.
pub(super) fn label(label: &str, text: &str, style: &Style) -> String {
    let start = format!("{label:LABEL$}");
    let pasted = matches!(label, "replay:" | "rerun:" | "example:" | "commit:");
    let line = if pasted { format!("{start}{text}\n") } else { style.wrap(&start, text) };
    debug_assert!(columns(&start) == LABEL);
    style.paint(Paint::Bold, label) + &line[label.len()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(variables: &[(&str, &str)], terminal: bool) -> Style {
        let lookup = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
        Style::decide(&lookup, terminal)
    }

    #[test]
    fn colours_are_used_only_on_a_terminal_and_never_with_no_color() {
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
    fn the_width_comes_from_columns_and_has_a_minimum() {
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
