//! The real thing beside ours: Lazy SmallCheck 2012, compiled by GHC from a checkout of it, on the programs of its own suite.

use crate::process::{bench_directory, cpu_time_of, run};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What it is called in the results.
pub const TOOL: &str = "LazySmallCheck2012";

/// A search is repeated for so long.
const REPEAT: Duration = Duration::from_millis(400);

/// Since GHC 7.10 a monad is applicative, and the sources are older than that.
const MISSING: &str =
    "> instance Applicative BT where { pure = Leaf; fs <*> xs = fs >>= \\f -> xs >>= \\x -> Leaf (f x) }\n\n";
const BEFORE: &str = "> instance Monad BT where";

/// A program that runs its suite.
pub struct Original {
    program: PathBuf,
    /// What it takes to start.
    start: Duration,
}

/// Why there is nothing to compare with, or what there is.
pub fn build(checkout: Option<&str>) -> Result<Original, String> {
    if Command::new("ghc").arg("--version").output().is_err() {
        return Err("GHC is not installed: `recorded` is all there is of Lazy SmallCheck.".to_owned());
    }
    let Some(checkout) = checkout else {
        return Err("With `--original DIR`, a checkout of LazySmallCheck2012 (and the Haskell packages syb and uniplate), the real \
             thing runs beside ours."
            .to_owned());
    };
    let (checkout, target) = (Path::new(checkout), bench_directory().join("target/lazy-original"));
    let failed = |error: std::io::Error| format!("{}: {error}", checkout.display());
    let module = "Test/PartialValues.lhs";
    let mut text = std::fs::read_to_string(checkout.join(module)).map_err(failed)?;
    if !text.contains("Applicative BT") {
        text = text.replacen(BEFORE, &format!("{MISSING}{BEFORE}"), 1);
    }
    std::fs::create_dir_all(target.join("Test")).map_err(failed)?;
    std::fs::write(target.join(module), text).map_err(failed)?;
    let program = target.join("original");
    let directories = [target.clone(), checkout.to_owned(), checkout.join("suite/performance")];
    let extensions = ["-XNoMonomorphismRestriction", "-XFlexibleContexts", "-XConstrainedClassMethods"];
    let mut ghc = Command::new("ghc");
    ghc.args(["-v0", "-w", "-O2", "-outputdir"]).arg(target.join("objects")).args(extensions);
    for directory in directories {
        ghc.arg(format!("-i{}", directory.display()));
    }
    run(ghc.arg("-o").arg(&program).arg(bench_directory().join("lazy/haskell/Real.hs")))?;
    let mut original = Original { program, start: Duration::ZERO };
    if let Some((_, start)) = original.measure("mux2", 0)? {
        original.start = start;
    }
    Ok(original)
}

impl Original {
    /// How many tests it makes of a program at a depth, and how long they take, at best. None if it is not one of its programs.
    pub fn measure(&self, program: &str, depth: u32) -> Result<Option<(u64, Duration)>, String> {
        let began = Instant::now();
        let mut best = self.measure_once(program, depth)?;
        while let Some((tests, time)) = best
            && began.elapsed() < REPEAT
        {
            let again = self.measure_once(program, depth)?;
            best = Some((tests, again.map_or(time, |(_, again)| time.min(again))));
        }
        Ok(best)
    }

    fn measure_once(&self, program: &str, depth: u32) -> Result<Option<(u64, Duration)>, String> {
        let mut said = String::new();
        // A counterexample is a failure of the program.
        let time = cpu_time_of(|| {
            let output = Command::new(&self.program).args([program, &depth.to_string()]).output();
            let output = output.map_err(|error| format!("{}: {error}", self.program.display()))?;
            said = String::from_utf8_lossy(&output.stdout).into_owned();
            Ok(())
        })?;
        let tests = said.split_once(" after ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
        Ok(tests.map(|tests| (tests, time.saturating_sub(self.start))))
    }
}
