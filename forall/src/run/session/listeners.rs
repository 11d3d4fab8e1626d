//! Receivers of a run's events: its observer, the recorders that the environment requests, the watcher for the
//! terminal, and the report, which collects the warnings.

use crate::fact::Fact;
use crate::property::Binding;
use crate::run::recorders::Recorders;
use crate::run::{Case, Event, Identity, Observer, Settings, Tester, watch};
use crate::shrink::Improvement;
use std::path::Path;

/// The receivers of events.
pub(in crate::run) struct Listeners<'a> {
    observer: Option<&'a mut dyn Observer>,
    pub(super) recorders: Recorders,
    warnings: Vec<Fact>,
    _watched: watch::Guard,
}

impl<'a> Listeners<'a> {
    /// Creates the receivers for a run that starts.
    pub(super) fn of(
        identity: &Identity,
        settings: &Settings,
        tester: &Tester<'_>,
        package: &Path,
        observer: Option<&'a mut dyn Observer>,
    ) -> Self {
        let progress = matches!(&observer, Some(observer) if observer.shows_progress());
        let watched = watch::watch(tester.context(), progress, super::test_of_this_thread());
        let recorders = Recorders::from_environment(identity, settings, package);
        Self { observer, recorders, warnings: Vec::new(), _watched: watched }
    }

    pub(super) fn event(&mut self, event: &Event<'_>) {
        self.recorders.event(event);
        if let Some(observer) = &mut self.observer {
            observer.event(event);
        }
    }

    pub(super) fn warn(&mut self, fact: Fact) {
        self.event(&Event::Warned { fact: &fact });
        self.warnings.push(fact);
    }

    pub(super) fn has_warned(&self, fact: &Fact) -> bool {
        self.warnings.contains(fact)
    }

    pub(super) fn take_warnings(&mut self) -> Vec<Fact> {
        std::mem::take(&mut self.warnings)
    }

    /// Whether one of them wants each test.
    pub(super) fn want_tests(&self) -> bool {
        self.recorders.wants_tests() || matches!(&self.observer, Some(observer) if observer.wants_tests())
    }

    /// Reports that shrinking accepted a candidate. Its values are printed for observers that want them.
    pub(super) fn shrunk(&mut self, tester: &Tester<'_>, case: &Case, improvement: Improvement) {
        let Improvement { evaluations, pass, .. } = improvement;
        let tell = |bindings: &[Binding], to: &mut dyn FnMut(&Event<'_>)| {
            to(&Event::Shrunk { case, evaluations, pass, bindings });
        };
        if self.recorders.wants_values()
            && let Some(recorder) = self.recorders.get()
        {
            recorder.taken();
            tell(&tester.print(case), &mut |event| recorder.event(event));
        }
        if let Some(observer) = &mut self.observer {
            let bindings = if observer.wants_values() { tester.print(case) } else { Vec::new() };
            tell(&bindings, &mut |event| observer.event(event));
        }
    }
}
