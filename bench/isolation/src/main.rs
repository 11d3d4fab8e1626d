//! The program of the suite `isolation`.
//!
//! ```text
//! bench-isolation run CASE plain|isolated TESTS     runs a property that holds; prints the seconds it took
//! bench-isolation crash COUNT                       runs an input that aborts so often; prints milliseconds for each
//! bench-isolation single COUNT                      runs tests one by one, as guided runners do; prints microseconds
//! for each bench-isolation troubles                          lists the kinds of crashes and hangs bench-isolation
//! trouble NAME DIRECTORY            lets tests make it; fails, and says why, if it is not contained
//! ```

#[path = "../../../tests/library/tests/isolate/trouble.rs"]
mod trouble;

use forall::choice::Sequence;
use forall::prelude::*;
use forall::property::Property;
use forall::run::{Case, Run, Settings, Store, Tested};
use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    forall::isolate::entry();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["run", case, mode, tests] => run(case, mode == "isolated", tests),
        ["crash", count] => crash(count),
        ["single", count] => single(count),
        ["troubles"] => {
            trouble::ALL.iter().for_each(|trouble| println!("{}", trouble.name));
            Ok(())
        }
        ["trouble", name, place] => contain(name, Path::new(place)),
        _ => Err("see the top of main.rs".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(case: &str, isolated: bool, tests: &str) -> Result<(), String> {
    let tests = tests.parse().map_err(|_| format!("{tests} is no number"))?;
    let settings = Settings::new().seed(1).tests(tests).store(Store::Off).isolate(isolated);
    let spin = property! { forall n: u64; check about_a_microsecond(*n) != 1 };
    let sort = property! {
        forall xs: Vec<u32>;
        check {
            let mut sorted = xs.clone();
            sorted.sort();
            sorted.is_sorted() && sorted.len() == xs.len()
        }
    };
    let label = property! {
        forall n: u64;
        check {
            label!("{} bits", n.count_ones());
            about_a_microsecond(*n) != 1
        }
    };
    let property: &dyn Property = match case {
        "spin" => &spin,
        "sort" => &sort,
        "label" => &label,
        _ => return Err(format!("there is no case {case}")),
    };
    let begun = Instant::now();
    let report = Run::new(case.to_owned(), property).settings(settings).report();
    if !report.verdict.is_success() || report.statistics.valid != tests {
        return Err(format!("{case} did not pass: {:?}", report.verdict));
    }
    println!("{}", begun.elapsed().as_secs_f64());
    Ok(())
}

/// Some hundred steps of a generator, of which none is 1.
fn about_a_microsecond(seed: u64) -> u64 {
    let mut state = black_box(seed | 1);
    for _ in 0..700 {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f) | 2;
    }
    black_box(state)
}

fn crash(count: &str) -> Result<(), String> {
    let count: u32 = count.parse().map_err(|_| format!("{count} is no number"))?;
    let property = property! { forall n in 0..10u32; check if *n == 3 { std::process::abort() } };
    let settings = Settings::new().seed(1).store(Store::Off).isolate(true);
    let session = Run::new("aborts", &property).settings(settings).session();
    let session = session.map_err(|report| format!("{:?}", report.verdict))?;
    let three = Case { sequence: Sequence::from_values(100, &[3]), steps: vec![] };
    let begun = Instant::now();
    for _ in 0..count {
        if !matches!(session.tester.run(&three).1, Tested::Fail(_)) {
            return Err("three does not fail".to_owned());
        }
    }
    println!("{}", begun.elapsed().as_secs_f64() * 1e3 / f64::from(count));
    Ok(())
}

fn single(count: &str) -> Result<(), String> {
    let count: u64 = count.parse().map_err(|_| format!("{count} is no number"))?;
    let property = property! { forall n: u64; check black_box(*n) == *n };
    let settings = Settings::new().seed(1).store(Store::Off).isolate(true);
    let session = Run::new("single", &property).settings(settings).session();
    let session = session.map_err(|report| format!("{:?}", report.verdict))?;
    let begun = Instant::now();
    for index in 0..count {
        if session.tester.record(index, 100).1 != Tested::Pass {
            return Err("a number is another".to_owned());
        }
    }
    println!("{}", begun.elapsed().as_secs_f64() * 1e6 / count as f64);
    Ok(())
}

fn contain(name: &str, place: &Path) -> Result<(), String> {
    let trouble = trouble::ALL.iter().find(|trouble| trouble.name == name);
    let trouble = trouble.ok_or_else(|| format!("there is no trouble {name}"))?;
    trouble::contained(trouble, place).map(drop)
}
