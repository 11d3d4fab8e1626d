//! The measured properties: those of the QuickerCheck paper, in one file each.

mod compiler;
mod constant;
mod gzip;
pub mod rarity;
mod system_f;
mod verse;

use forall::property::Property;
use forall::run::Schedule;
use std::process::{Command, Stdio};

/// A property, with the facts needed to measure it.
#[derive(Clone, Copy)]
pub struct Program {
    /// The name in results.
    pub name: &'static str,
    /// Whether the property spends its time in this process, instead of waiting for others.
    pub cpu_bound: bool,
    /// Whether several tests can run at once.
    pub shareable: bool,
    /// The installed programs that the property requires.
    pub needs: &'static [&'static str],
    /// The sizes of the inputs.
    pub size: Schedule,
    /// Creates the property, which holds.
    pub property: fn() -> Box<dyn Property + Sync>,
    /// Activates a bug while a function runs, if there is one.
    pub with_bug: Option<fn(&mut dyn FnMut())>,
}

/// All benchmarks.
pub const PROGRAMS: &[Program] = &[
    Program { name: "constant", property: constant::property, ..PLAIN },
    Program {
        name: "system_f",
        property: system_f::property,
        with_bug: Some(system_f::with_bug),
        size: Schedule::Constant(50),
        ..PLAIN
    },
    Program {
        name: "verse",
        property: verse::property,
        with_bug: Some(verse::with_bug),
        size: Schedule::Constant(30),
        ..PLAIN
    },
    Program { name: "gzip_naive", property: gzip::naive, shareable: false, ..GZIP },
    Program { name: "gzip_own_directory", property: gzip::own_directory, ..GZIP },
    Program { name: "gzip_pipes", property: gzip::pipes, ..GZIP },
    Program {
        name: "compiler",
        cpu_bound: false,
        needs: compiler::NEEDS,
        size: Schedule::Constant(20),
        property: compiler::property,
        with_bug: Some(compiler::with_bug),
        ..PLAIN
    },
];

const PLAIN: Program = Program {
    name: "",
    cpu_bound: true,
    shareable: true,
    needs: &[],
    size: Schedule::Spread { from: 0, to: 100 },
    property: constant::property,
    with_bug: None,
};

const GZIP: Program = Program { cpu_bound: false, needs: gzip::NEEDS, ..PLAIN };

impl Program {
    /// Returns the benchmark of this name.
    pub fn named(name: &str) -> Result<Self, String> {
        let names: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
        let found = PROGRAMS.iter().find(|program| program.name == name);
        found.copied().ok_or_else(|| format!("there is no benchmark {name:?}; there are {}", names.join(", ")))
    }

    /// Returns a required program that is not installed.
    pub fn missing(&self) -> Option<&'static str> {
        let runs = |program: &&&str| {
            Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err()
        };
        self.needs.iter().find(runs).copied()
    }

    /// Runs `body`, with the bug activated if `bug` is set.
    ///
    /// # Panics
    ///
    /// If there is no bug.
    pub fn run_with<T>(&self, bug: bool, body: impl FnOnce() -> T) -> T {
        if !bug {
            return body();
        }
        let (mut body, mut result) = (Some(body), None);
        let with_bug = self.with_bug.expect("a benchmark with a bug");
        with_bug(&mut || result = body.take().map(|body| body()));
        result.expect("the function was run")
    }
}
