//! Threads that test one property, each with a tester of its own.

use super::{Settings, watch};
use crate::effects::OwnCwd;
use crate::property::Property;
use crate::testing::Tester;
use std::io;
use std::thread::Builder;

/// What workers are made from.
pub(crate) struct Workers<'w> {
    pub(crate) property: &'w (dyn Property + Sync),
    /// The tester of the thread that begins them: it is a worker too.
    pub(crate) tester: &'w Tester<'w>,
    pub(crate) settings: &'w Settings,
    pub(crate) count: usize,
    /// Whether what their tests say is counted.
    pub(crate) counts_labels: bool,
}

impl Workers<'_> {
    /// Has each of them do this work, and waits for all. If the system did not give as many threads as were wanted: how many it gave,
    /// and why no more.
    ///
    /// One thread starts all of them. If each started others before it works, they would start later: to wake a thread takes longer
    /// than to start one (measured: sixteen have started after 0.75 ms on average, and would after 1.2).
    pub(crate) fn work(&self, work: &(dyn Fn(&Tester<'_>) + Sync)) -> Option<(usize, io::Error)> {
        let (test, own_cwd) = (super::session::test_of_this_thread(), self.settings.own_cwd);
        let make = self.tester.for_workers(self.property, self.counts_labels);
        let work_as = |number| {
            // Without a directory of its own it would disturb others: it leaves the tests to them.
            let Ok(_own_cwd) = OwnCwd::enter_if(own_cwd) else { return };
            let tester = make(number);
            let _watched = watch::watch(tester.context(), false, test.clone());
            work(&tester);
        };
        std::thread::scope(|scope| {
            let (work_as, mut refused) = (&work_as, None);
            for number in 1..self.count {
                let thread = Builder::new().name(format!("forall-worker-{number}"));
                if let Err(error) = thread.spawn_scoped(scope, move || work_as(number)) {
                    refused = Some((number, error));
                    break;
                }
            }
            work(self.tester);
            refused
        })
    }
}
