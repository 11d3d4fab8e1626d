//! A run inside a test harness: prints the report, and panics if the property did not pass.

use super::facts::after_label;
use super::{Style, Terminal, is_news, render};
use crate::output::{print_captured, print_uncaptured};
use crate::run::protocol;
use crate::run::{Run, unclaimed_regressions};

impl Run<'_> {
    /// Runs the property, prints the results, and panics with the report if the property did not pass.
    ///
    /// With a [`protocol`] request for another property, it does nothing. If no property answers the request, the
    /// process reports that on exit, and fails.
    ///
    /// ```should_panic
    /// # use forall::prelude::*;
    /// use forall::run::{Run, Settings, Store};
    /// let property = property! { forall n: u32; check *n < 100 };
    /// Run::new("small", &property).settings(Settings::new().store(Store::Off)).test();
    /// ```
    #[track_caller]
    pub fn test(self) {
        let run = self.prepare();
        let request = run.request.clone().and_then(Result::ok);
        if let Some(request) = &request
            && !protocol::is_for(request, &run.run.identity.name)
        {
            if *request == protocol::Request::Names {
                protocol::print_name(&run.run);
            }
            if let Some(expected) = run.run.settings.expected_panic {
                // The test must not fail only because the request is for another property.
                std::panic::resume_unwind(Box::new(expected.to_owned()));
            }
            return;
        }
        // Until the report is printed.
        let _under_way = crate::interrupt::UnderWay::begin();
        let verbose = run.is_verbose();
        if verbose && !crate::context::is_active() {
            print_captured(&(run.provenance() + "\n"));
        }
        // The terminal prints warnings immediately; another observer may not.
        let style = Style::from_env().verbose(verbose).warnings(run.run.observer.is_some());
        let mut terminal = Terminal::new().style(style);
        if let Some(warning) = unclaimed_regressions(&run.run.identity)
            && request.is_none()
        {
            print_uncaptured(&style.wrap("forall: warning: ", &after_label(&warning)));
        }
        let report = run.observed_by(&mut terminal).report();
        if request.is_some() {
            protocol::answer(&report);
        }
        if crate::context::is_active() {
            // Nested in another property's test, which prints the report.
            assert!(report.verdict.is_success(), "{}", render(&report, &Style::plain()));
            return;
        }
        let process_ends = crate::interrupt::came();
        if process_ends {
            // The harness will not print what it has captured.
            print_uncaptured(&(render(&report, &style) + "\n"));
        } else if is_news(&report, &style) {
            print_captured(&render(&report, &style));
        }
        if !report.verdict.is_success() {
            // The report is already printed, so the panic hook must not print it again.
            std::panic::resume_unwind(Box::new(render(&report, &Style::plain())));
        }
    }
}
