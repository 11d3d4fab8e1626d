//! What people see.
//!
//! Everything here is made from a [`Report`], or from the [events](crate::run::Event) of a run: [`render`] makes the one
//! screen that a run comes down to, and [`Terminal`] says what must be seen while it lasts. The texts about trouble that is
//! not a counterexample are in `facts`. What a report *contains* is the business of [`run`](crate::run).
//!
//! The screen of a failure, from the top: the verdict; the minimal input as Rust code that compiles when pasted; the property
//! as it stands in its file, with the values where they are bound; what failed, with what differs between the two sides; how to
//! replay it and how to keep it; where it came from.

mod assertion;
mod bindings;
mod claims;
mod diff;
mod drawn;
mod excerpt;
mod facts;
mod harness;
mod screen;
mod statistics;
mod story;
mod style;
mod terminal;
mod types;

pub use crate::output::{say, shout};
pub use bindings::let_lines;
pub use style::Style;
pub use terminal::Terminal;
pub(crate) use types::annotation as type_annotation;

use crate::run::Report;

/// Renders the report as text: one screen that ends in a line break. A pure function.
///
/// ```
/// use forall::property::{Binding, Failure, FailureKind, Printed};
/// use forall::report::{Style, render};
/// use forall::run::{Case, Counterexample, Found, Identity, Report, Verdict};
///
/// let n = Binding { name: "n", type_text: Some("u32"), printed: Printed::code(&7u32) };
/// let failure = Failure::new(FailureKind::Falsified, "the property returned false");
/// let mut report = Report::new(Identity::new("my_crate::small"), Verdict::Failed);
/// report.counterexample = Some(Counterexample::new(Case::default(), vec![n], failure, Found::Given));
///
/// let text = render(&report, &Style::plain());
/// assert!(text.starts_with("FAILED my_crate::small"));
/// assert!(text.contains("    let n: u32 = 7;\n"));
/// assert!(text.contains("the property returned false"));
/// assert!(text.contains("cargo test small\n"));
/// ```
pub fn render(report: &Report, style: &Style) -> String {
    screen::screen(report, style)
}

/// Whether the report says more than that all is well: it failed, it has warnings or statistics, or the style is verbose.
///
/// ```
/// use forall::report::{Style, is_news};
/// use forall::run::{Identity, Report, Verdict};
/// let report = Report::new(Identity::new("small"), Verdict::Passed);
/// assert!(!is_news(&report, &Style::plain()));
/// assert!(is_news(&report, &Style::plain().verbose(true)));
/// ```
#[doc(hidden)]
pub fn is_news(report: &Report, style: &Style) -> bool {
    !report.verdict.is_success()
        || style.verbose
        || style.warnings && !report.warnings.is_empty()
        || !statistics::is_empty(&report.statistics)
}
