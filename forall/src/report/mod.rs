//! Rendering: turns a [`Report`] and the events of a run into terminal text.
//!
//! [`render`] renders a [`Report`] as one screen, and [`Terminal`] prints [events](crate::run::Event) during a run.
//! Messages other than counterexamples are in `facts`. The contents of a report are defined in [`run`](crate::run).
//!
//! The report of a failure, from the top: the verdict; the minimal counterexample as Rust code that compiles when
//! pasted; the property's source, with the failure below its line; the failure, with the difference between the
//! two sides; the commands to replay it and to save it as a regression; its origin and seed.

mod assertion;
mod bindings;
mod claims;
mod commands;
mod diff;
mod drawn;
mod excerpt;
mod facts;
mod harness;
mod head;
mod screen;
mod statistics;
mod story;
mod style;
mod terminal;
mod types;

pub use crate::output::{print_captured, print_uncaptured};
pub use bindings::let_lines;
pub use style::Style;
pub use terminal::Terminal;
pub(crate) use types::annotation as type_annotation;

use crate::run::Report;

/// Renders the report as text: one screen that ends in a line break. Reads the source of the property, and the variables that its
/// commands need.
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

/// Returns whether a report is worth printing: the run failed, it has warnings or statistics, or the style is verbose.
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
