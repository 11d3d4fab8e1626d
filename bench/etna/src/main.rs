//! Runs tasks with forall: see [`etna::program`] for the command line and the output.

use etna::program::{self, Prepared, Tool};
use etna::runner::{Loop, RUNNERS, Runner};
use etna::{Strategy, Workload};
use std::process::ExitCode;

struct Forall;

fn main() -> ExitCode {
    program::main(&Forall)
}

impl Tool for Forall {
    fn runners(&self) -> Vec<&'static str> {
        RUNNERS.iter().map(|runner| runner.name).collect()
    }

    fn search(&self, workload: &Workload, property: &str, strategy: Strategy, runner: &str) -> Option<Prepared> {
        match Runner::named(runner)?.search {
            Loop::OverProperties(search) => {
                let property = (workload.property)(property, strategy)?;
                Some(Box::new(move |seed, budget| search(&*property, seed, budget)))
            }
            Loop::OverClosures(search) => {
                let closure = workload.shallow?(property, strategy);
                Some(Box::new(move |seed, budget| search(&*closure, seed, budget)))
            }
        }
    }
}
