//! A search on two threads: the gain if nothing is found, and the cost if something is.
//!
//! The possible gain is measured on the machine: two single-threaded searches at the same time.

use crate::report::{Bar, Limit, Report, Row, Table, number};
use forall::property::Property;
use forall::run::{Event, Observer, Run, Settings, Store};
use lazy_programs::Program;
use std::thread;
use std::time::{Duration, Instant};

/// Searches that find nothing, long enough to be shared.
const HOLD: &[(&str, u32)] = &[("redblack_repaired", 4), ("catch", 4), ("countdown1", 5), ("circuits3", 4)];

/// Searches that find something.
const FAIL: &[(&str, u32)] = &[("redblack", 4), ("regexp", 2), ("ReduceFold", 2), ("isPrefixSound", 2)];

/// Each is measured so often, and the median counts.
const REPEATS: usize = 9;

/// Measures all of them.
pub fn measure(programs: &[&'static Program], quick: bool, report: &mut Report) {
    let mut table = Table {
        title: "Searches on two threads".to_owned(),
        head: ["program/depth", "one thread ms", "two threads ms", "gain", "the machine's"].map(str::to_owned).to_vec(),
        notes: vec![
            "`the machine's` is the gain of two independent single-threaded searches that run at the same time."
                .to_owned(),
        ],
        ..Table::default()
    };
    let repeats = if quick { 1 } else { REPEATS };
    for (list, holds) in [(HOLD, true), (FAIL, false)] {
        for &(name, depth) in list.iter().take(if quick { 1 } else { usize::MAX }) {
            let Some(program) = programs.iter().find(|program| program.name == name) else { continue };
            let property = (program.property)();
            let (mut one, mut two, mut both) = (Vec::new(), Vec::new(), Vec::new());
            // In turn, so that what else the machine does is in the way of all of them.
            for _ in 0..repeats {
                one.push(search(&*property, depth, 1));
                two.push(search(&*property, depth, 2));
                both.push(thread::scope(|scope| {
                    let other = scope.spawn(|| search(&*property, depth, 1));
                    search(&*property, depth, 1).max(other.join().unwrap_or_default())
                }));
            }
            let (one, two, both) = (median(one), median(two), median(both));
            let (gain, limit) = (one / two, 2.0 * one / both);
            let case = format!("{name}/{depth}");
            let row = |metric, value| Row {
                case: case.clone(),
                tool: "forall".to_owned(),
                profile: "release",
                metric,
                value,
            };
            report.rows.push(row("two_threads_gain", gain));
            report.rows.push(row("machine_gain", limit));
            let bar = if holds {
                let what = format!("{case} on two threads, of what the machine gains");
                Bar { what, value: Some(gain / limit), limit: Limit::AtLeast(0.9) }
            } else {
                let what = format!("{case} on two threads, times the time of one");
                Bar { what, value: Some(two / one), limit: Limit::AtMost(1.05) }
            };
            if !quick {
                report.bars.push(bar);
            }
            table.rows.push(vec![case, number(one * 1e3), number(two * 1e3), number(gain), number(limit)]);
        }
    }
    report.tables.push(table);
}

/// The seconds that the search of one depth takes on so many threads.
fn search(property: &(dyn Property + Sync), depth: u32, threads: usize) -> Duration {
    struct Depth {
        before: Instant,
        took: Duration,
    }
    impl Observer for Depth {
        fn event(&mut self, event: &Event<'_>) {
            if let Event::Searched { .. } = event {
                let now = Instant::now();
                (self.took, self.before) = (now - self.before, now);
            }
        }
    }
    let mut last = Depth { before: Instant::now(), took: Duration::ZERO };
    let settings = Settings::new().runner("exhaustive").depth(depth).evaluations(u64::MAX).store(Store::Off).explain(0);
    let identity = forall::run::Identity::new("threads");
    Run::named_parallel(identity, property).settings(settings.threads(threads)).observer(&mut last).report();
    last.took
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64()
}
