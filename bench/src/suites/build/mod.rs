//! The build cost of a library: crates in a user's tree, and CPU seconds.
//!
//! For every tool a fresh package is written to a temporary directory, with one derived type (where the tool has a
//! derive) and one property, and built from nothing as `cargo test` would. Then two more, with no property and with
//! forty, on top of the built dependencies: the difference is the build cost of forty properties. CPU time, user and
//! system, not time on the clock: other work on the machine changes it little. Downloads come before.
//!
//! For forall, two more: ten derived types, and the same with lazy twins.
//!
//! The packages are in [`packages`].

mod packages;

use super::Suite;
use crate::process::{self, Scratch};
use crate::report::{Bar, Limit, Report, Row, Table, number};
use crate::{Finished, Options};
use packages::{DERIVES, FORTY, PACKAGES, Package, TWINS};
use std::path::Path;

pub const SUITE: Suite = Suite {
    name: "build",
    about: "crates in a user's tree, CPU seconds of a clean build and of forty properties",
    tools: &["forall", "forall lean", "quickcheck", "proptest", "proptest+derive", "hegeltest"],
    own: &[],
    run,
};

const CRATES: &str = "crates";
const CLEAN: &str = "clean_build_cpu_s";
const FORTY_PROPERTIES: &str = "forty_properties_cpu_s";
const TEN_DERIVES: &str = "ten_derives_cpu_s";
const TEN_TWINS: &str = "ten_twins_cpu_s";

/// The thresholds for forall.
const BARS: &[(&str, &str, f64)] = &[
    ("forall", CRATES, 8.0),
    ("forall", FORTY_PROPERTIES, 1.0),
    ("forall lean", CRATES, 8.0),
    ("forall lean", CLEAN, 6.0),
    ("forall lean", FORTY_PROPERTIES, 1.0),
];

/// The threshold for a clean build, as a share of proptest's in the same run. The six seconds above were set on a
/// machine on which proptest takes ten. Machines differ, and the same one from hour to hour: the ratio of one run does
/// not.
const OF_PROPTEST: &[(&str, f64)] = &[("forall", 0.9), ("forall lean", 0.6)];

/// The flag that cargo adds for registry crates but not for path dependencies, such as forall here: lints of a
/// dependency are capped. The properties are, so the forty are built without.
const AS_FROM_A_REGISTRY: &str = "--cap-lints=allow";

/// CPU times are the least of this many builds: other work only ever adds.
const REPETITIONS: u32 = 3;

fn run(options: &Options) -> Result<Finished, String> {
    let wanted = |package: &&Package| match options.tools.is_empty() {
        // A smoke run measures forall alone; cases of more than a minute need `--slow`.
        true => (package.tool.starts_with("forall") || !options.smoke) && (options.slow || !package.slow),
        false => options.wants(package.tool),
    };
    let mut report = Report::default();
    for package in PACKAGES.iter().filter(wanted) {
        let repetitions = if package.slow { 1 } else { REPETITIONS };
        report.rows.extend(if options.smoke { once(package)? } else { measure(package, repetitions)? });
    }
    report.tables = vec![table(&report)];
    report.bars = BARS.iter().map(|&(tool, metric, limit)| bar(&report, tool, metric, limit)).collect();
    let clean = |tool| report.value(case(CLEAN), tool, "dev", CLEAN);
    let of_proptest = OF_PROPTEST.iter().map(|&(tool, limit)| Bar {
        what: format!("{tool}: clean build, of proptest's in the same run"),
        value: clean(tool).zip(clean("proptest")).map(|(ours, theirs)| ours / theirs),
        limit: Limit::AtMost(limit),
    });
    let of_proptest: Vec<Bar> = of_proptest.collect();
    report.bars.extend(of_proptest);
    Ok(Finished::Measured(report))
}

fn bar(report: &Report, tool: &str, metric: &str, limit: f64) -> Bar {
    let value = report.value(case(metric), tool, "dev", metric);
    Bar { what: format!("{tool}: {metric}"), value, limit: Limit::AtMost(limit) }
}

/// The case to which a metric belongs.
fn case(metric: &str) -> &'static str {
    match metric {
        FORTY_PROPERTIES => "forty_properties",
        TEN_DERIVES | TEN_TWINS => "ten_derives",
        _ => "one_property",
    }
}

/// Builds each package once, with the same flags: the dependencies are compiled once, which takes a third of the time.
fn once(package: &Package) -> Result<Vec<Row>, String> {
    let scratch = fetched(package)?;
    let directory = scratch.path();
    let clean = compile(directory, "one", AS_FROM_A_REGISTRY)?;
    let none = compile(directory, "none", AS_FROM_A_REGISTRY)?;
    let forty = compile(directory, FORTY, AS_FROM_A_REGISTRY)?;
    Ok(rows(package, crates(directory)?, clean, forty - none))
}

/// Writes the packages, and downloads what they depend on.
fn fetched(package: &Package) -> Result<Scratch, String> {
    let scratch = Scratch::new(&format!("build-{}", package.tool))?;
    package.write(&scratch)?;
    process::run(process::cargo(scratch.path()).args(["fetch", "--quiet"]))?;
    Ok(scratch)
}

fn measure(package: &Package, repetitions: u32) -> Result<Vec<Row>, String> {
    let scratch = fetched(package)?;
    let directory = scratch.path();
    let mut clean = f64::INFINITY;
    for _ in 0..repetitions {
        // Our own scratch, so nothing is lost; cargo does not mind if there is nothing to remove.
        process::run(process::cargo(directory).arg("clean"))?;
        clean = clean.min(compile(directory, "one", AS_FROM_A_REGISTRY)?);
    }
    // The flags change from here on: the dependencies of the two packages are compiled again, and not counted.
    compile(directory, "none", "")?;
    let mut added = f64::INFINITY;
    // Short builds: more repetitions cost little, and the difference of two needs them.
    for _ in 0..2 * repetitions - 1 {
        let (none, forty) = (again(directory, "none")?, again(directory, FORTY)?);
        added = added.min(forty - none);
    }
    let mut rows = rows(package, crates(directory)?, clean, added);
    if package.has_derives() {
        for (name, metric) in [(DERIVES, TEN_DERIVES), (TWINS, TEN_TWINS)] {
            let mut added = f64::INFINITY;
            for _ in 0..repetitions {
                added = added.min(again(directory, name)? - again(directory, "none")?);
            }
            rows.push(row(package, metric, added));
        }
    }
    Ok(rows)
}

fn rows(package: &Package, crates: usize, clean: f64, forty: f64) -> Vec<Row> {
    vec![row(package, CRATES, crates as f64), row(package, CLEAN, clean), row(package, FORTY_PROPERTIES, forty)]
}

fn row(package: &Package, metric: &'static str, value: f64) -> Row {
    let (case, tool) = (case(metric).to_owned(), package.tool.to_owned());
    Row { case, tool, profile: "dev", metric, value: (value * 100.0).round() / 100.0 }
}

/// The distinct packages that are built, the tool's own included, the user's not.
fn crates(directory: &Path) -> Result<usize, String> {
    let arguments = ["tree", "--offline", "--package", "one", "--prefix", "none", "--format", "{p}", "--no-dedupe"];
    let output = process::run(process::cargo(directory).args(arguments))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut crates: Vec<&str> = text.lines().skip(1).map(str::trim).filter(|line| !line.is_empty()).collect();
    crates.sort_unstable();
    crates.dedup();
    Ok(crates.len())
}

/// Compiles the tests of a package, once more if they are compiled already; not what it depends on.
fn again(directory: &Path, package: &str) -> Result<f64, String> {
    process::run(process::cargo(directory).args(["clean", "--package", package]))?;
    compile(directory, package, "")
}

fn compile(directory: &Path, package: &str, flags: &str) -> Result<f64, String> {
    let arguments = ["test", "--offline", "--no-run", "--quiet", "--package", package];
    // Cargo builds what comes from a registry without incremental compilation, as the peers do, and what comes by path, as
    // forall does here, with it. Off for all, every tool is built the way its users build it.
    let mut cargo = process::cargo(directory);
    cargo.env("CARGO_INCREMENTAL", "0").env("RUSTFLAGS", flags);
    process::cpu_time(cargo.args(arguments)).map(|time| time.as_secs_f64())
}

fn table(report: &Report) -> Table {
    let head = ["tool", "crates", "clean build, CPU s", "forty properties add, CPU s", "ten derives", "with twins"];
    let head = head.map(String::from).to_vec();
    let title = "Building the tests of a fresh crate, dev profile".into();
    let mut table = Table { title, head, ..Table::default() };
    for package in PACKAGES {
        let value = |metric| report.value(case(metric), package.tool, "dev", metric);
        if value(CRATES).is_some() {
            let cell = |metric| value(metric).map_or("–".into(), number);
            table.rows.push(vec![
                package.tool.into(),
                cell(CRATES),
                cell(CLEAN),
                cell(FORTY_PROPERTIES),
                cell(TEN_DERIVES),
                cell(TEN_TWINS),
            ]);
        }
    }
    table
}
