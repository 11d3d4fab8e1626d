//! Demand-driven search beside Lazy SmallCheck: how many evaluations each of its programs takes at each depth, and how long
//! one takes.
//!
//! The programs, and what Lazy SmallCheck 2012 makes of them, are in `lazy/`. Its counts include one test of the undefined
//! value for each block, so ours are held against one less.

mod original;
mod threads;
mod twins;

use super::{Own, Suite};
use crate::report::{Bar, Limit, Report, Row, Table, number};
use crate::{Finished, Options};
use forall::lazy::{Exploration, search};
use forall::property::Property;
use lazy_programs::Program;
use nix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant};

pub const SUITE: Suite = Suite {
    name: "lazy",
    about: "demand-driven search: evaluations and time of the programs of Lazy SmallCheck",
    tools: &["forall", original::TOOL],
    own: &[Own {
        name: "original",
        value: "DIR",
        about: "a checkout of LazySmallCheck2012, which needs GHC, syb and uniplate",
    }],
    run,
};

/// With more recorded tests a depth is left out of a quick run.
const QUICK: u64 = 10_000;

/// A search is repeated for about so long, and the fastest run counts.
const REPEAT: Duration = Duration::from_millis(200);

/// The most nanoseconds that an evaluation may take, by program.
const TIME: &[(&str, f64)] = &[("listset1", 200.0), ("redblack", 300.0)];

/// The most microseconds that the search at the last depth may take, by program.
const WHOLE: &[(&str, f64)] = &[("ReduceFold", 100.0), ("isPrefixSound", 100.0), ("redblack_repaired", 200_000.0)];

/// Where the time grows by less from one depth to the next, we are to be one level ahead of the original.
const SLOW_GROWTH: f64 = 4.0;

fn run(options: &Options) -> Result<Finished, String> {
    let mut report = Report::default();
    let head = [
        "program/depth",
        "evaluations",
        "recorded",
        "original",
        "ms",
        "original ms",
        "ns/evaluation",
        "inputs",
        "verdict",
    ];
    let mut table = Table {
        title: "Demand-driven search, depth by depth".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        notes: vec![
            "`recorded` is what Lazy SmallCheck 2012 makes; ours may be at most one less. Where the order of evaluation makes a \
             difference to it, the larger number. `original` is what it makes here. `ms` are whole searches, in CPU time."
                .to_owned(),
        ],
        ..Table::default()
    };
    let original = original::build(options.own("original").next()).map_err(|why| table.notes.push(why)).ok();
    let original = original.filter(|_| options.wants(original::TOOL) && !options.smoke);
    let programs = lazy_programs::all();
    // The times of the deepest searches, of the original's.
    let mut parts = Vec::new();
    for &program in &programs {
        let property = (program.property)();
        for depth in 0..program.recorded.len() as u32 {
            let recorded = program.recorded[depth as usize];
            if options.smoke && recorded > QUICK {
                continue;
            }
            let began = Instant::now();
            let (explored, mut fastest) = measured(&*property, depth);
            while !options.smoke && began.elapsed() < REPEAT {
                fastest = fastest.min(measured(&*property, depth).1);
            }
            let holds = explored.failure.is_none();
            let nanoseconds = fastest.as_nanos() as f64 / explored.evaluations.max(1) as f64;
            let case = format!("{}/{depth}", program.name);
            let row_of = |tool: &str, metric, value| Row {
                case: case.clone(),
                tool: tool.to_owned(),
                profile: "release",
                metric,
                value,
            };
            let row = |metric, value| row_of("forall", metric, value);
            let real = match &original {
                Some(original) => original.measure(program.name, depth)?,
                None => None,
            };
            if let Some((tests, time)) = real {
                report.rows.push(row_of(original::TOOL, "evaluations", tests as f64));
                report.rows.push(row_of(original::TOOL, "milliseconds", milliseconds(time)));
            }
            report.rows.push(row("evaluations", explored.evaluations as f64));
            report.rows.push(row("recorded_evaluations", recorded as f64));
            report.rows.push(row("ns_per_evaluation", nanoseconds));
            report.rows.push(row("milliseconds", milliseconds(fastest)));
            report.rows.push(row("space", explored.inputs.unwrap_or(f64::NAN)));
            report.rows.push(row("holds", f64::from(u8::from(holds))));
            let limit = Limit::AtMost(program.limit(depth).unwrap_or(0) as f64);
            report.bars.push(Bar {
                what: format!("{case} evaluations"),
                value: Some(explored.evaluations as f64),
                limit,
            });
            let expected = f64::from(u8::from(program.fails_at != Some(depth)));
            report.bars.push(Bar {
                what: format!("{case} holds"),
                value: Some(f64::from(u8::from(holds))),
                limit: Limit::Near(expected),
            });
            if !options.smoke && depth as usize + 1 == program.recorded.len() {
                time_bars(&mut report, program, nanoseconds, fastest);
                if let Some((_, time)) = real {
                    let part = fastest.as_secs_f64() / time.as_secs_f64();
                    let what = format!("{case}, of the original's time");
                    report.bars.push(Bar { what, value: Some(part), limit: Limit::AtMost(1.0) });
                    parts.push(part);
                }
            }
            table.rows.push(vec![
                case,
                number(explored.evaluations as f64),
                number(recorded as f64),
                real.map_or_else(String::new, |(tests, _)| number(tests as f64)),
                number(milliseconds(fastest)),
                real.map_or_else(String::new, |(_, time)| number(milliseconds(time))),
                number(nanoseconds),
                explored.inputs.map_or_else(|| "?".to_owned(), |inputs| format!("{inputs:.1e}")),
                if holds { "holds" } else { "fails" }.to_owned(),
            ]);
            if !holds {
                break;
            }
        }
    }
    report.tables.push(table);
    parts.sort_by(f64::total_cmp);
    if let Some(&median) = parts.get(parts.len() / 2) {
        let what = "the median program, of the original's time".to_owned();
        report.bars.push(Bar { what, value: Some(median), limit: Limit::AtMost(0.8) });
    }
    if !options.smoke {
        one_level_deeper(&programs, &mut report);
    }
    threads::measure(&programs, options.smoke, &mut report);
    twins::measure(options.smoke, &mut report);
    Ok(Finished::Measured(report))
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A search, and the time that this thread spent on it: others may have been in the way.
fn measured(property: &dyn Property, depth: u32) -> (Exploration, Duration) {
    let clock = || clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from);
    let began = clock();
    let explored = search(property, depth);
    (explored, clock() - began)
}

fn time_bars(report: &mut Report, program: &Program, nanoseconds: f64, whole: Duration) {
    let limits = |table: &[(&str, f64)]| table.iter().find(|(name, _)| *name == program.name).map(|(_, limit)| *limit);
    if let Some(limit) = limits(TIME) {
        let what = format!("{} ns per evaluation", program.name);
        report.bars.push(Bar { what, value: Some(nanoseconds), limit: Limit::AtMost(limit) });
    }
    if let Some(limit) = limits(WHOLE) {
        let what = format!("{} microseconds at the last depth", program.name);
        report.bars.push(Bar { what, value: Some(whole.as_nanos() as f64 / 1e3), limit: Limit::Below(limit) });
    }
}

/// Whether we search one level deeper than the original's suite in the time that the original takes, where that can be asked.
fn one_level_deeper(programs: &[&'static Program], report: &mut Report) {
    for program in programs {
        let Some((depth, milliseconds)) = program.suite else { continue };
        let property = (program.property)();
        let time = |depth| measured(&*property, depth).1.min(measured(&*property, depth).1).as_secs_f64() * 1e3;
        if time(depth) > SLOW_GROWTH * time(depth - 1) {
            continue;
        }
        let what = format!("{}/{} milliseconds, one level deeper than the original", program.name, depth + 1);
        report.bars.push(Bar { what, value: Some(time(depth + 1)), limit: Limit::AtMost(milliseconds) });
    }
}
