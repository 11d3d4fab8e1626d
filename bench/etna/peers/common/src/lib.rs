//! Code shared by the ETNA programs of other tools: trees and terms of the same shapes as forall's, built from each
//! tool's own choices, and the properties over them.
//!
//! A tool says how it draws an integer, from its own distribution, and a number below a bound; everything else is written
//! once. Each tool's own loop runs the tests, without shrinking.

mod shapes;

use etna::clock;
use etna::program::{self, Prepared};
use etna::runner::{Budget, Search};
use etna::{Strategy, Workload, bst, rbt, stlc};
use shapes::Shapes;
use std::marker::PhantomData;
use std::process::ExitCode;
use std::sync::Arc;

/// A tool, by how it draws and how it runs.
pub trait Peer: 'static {
    /// Where its choices come from.
    type Source: 'static;

    /// Any integer, from the tool's own distribution.
    fn integer(source: &mut Self::Source) -> i32;

    /// A number below a bound, all alike as far as the tool can do that.
    fn below(bound: usize, source: &mut Self::Source) -> usize;

    /// Runs the tool's own loop on a test that draws and says whether the property holds, or nothing if the precondition
    /// does not. At most `budget.evaluations` tests, discarded ones included; no shrinking.
    fn search(test: &Arc<Test<Self::Source>>, seed: u64, budget: &Budget) -> Search;

    /// The same with as many tests, and as many discarded ones, as the tool runs by default. None: not written for this tool.
    const DEFAULT_RUN: Option<DefaultRun<Self::Source>> = None;

    /// Prepares a task of derived inputs with generators that the tool's users write. None: not written for this tool, or
    /// the same as the shapes here.
    const GENERATORS: Option<fn(&Workload, property: &str) -> Option<Generated>> = None;
}

/// Runs a task with the tool's own generators, up to a number of tests that includes discarded ones, or by default.
pub type Generated = Box<dyn Fn(u64, Option<u64>) -> Search>;

/// Runs a test as often as the tool does by default.
pub type DefaultRun<S> = fn(&Arc<Test<S>>, seed: u64) -> Search;

/// A test: draws, and says whether the property holds, or nothing if the precondition does not.
pub type Test<S> = dyn Fn(&mut S) -> Option<bool> + Send + Sync;

/// Runs what the command line asks for.
pub fn main<P: Peer>() -> ExitCode {
    program::main(&Tool::<P>(PhantomData))
}

struct Tool<P>(PhantomData<P>);

/// The tool's own loop, up to the cap.
const OWN: &str = "own";
/// The tool's own loop, as far as it goes by default.
const DEFAULT: &str = "default";
/// [`OWN`] with the tool's own generators.
const GENERATORS: &str = "generators";
/// [`DEFAULT`] with the tool's own generators.
const DEFAULT_GENERATORS: &str = "default-generators";

impl<P: Peer> program::Tool for Tool<P> {
    fn runners(&self) -> Vec<&'static str> {
        let default = P::DEFAULT_RUN.map(|_| DEFAULT);
        let generators = P::GENERATORS.map(|_| [GENERATORS, DEFAULT_GENERATORS]);
        [OWN].into_iter().chain(default).chain(generators.into_iter().flatten()).collect()
    }

    fn search(&self, workload: &Workload, property: &str, strategy: Strategy, runner: &str) -> Option<Prepared> {
        if [GENERATORS, DEFAULT_GENERATORS].contains(&runner) {
            let run = (strategy == Strategy::Type).then_some(P::GENERATORS?)?(workload, property)?;
            let is_capped = runner == GENERATORS;
            return Some(Box::new(move |seed, budget| run(seed, is_capped.then_some(budget.evaluations))));
        }
        let test = test::<P>(workload, property, strategy)?;
        if runner == DEFAULT {
            let run = P::DEFAULT_RUN?;
            return Some(Box::new(move |seed, _| run(&test, seed)));
        }
        Some(Box::new(move |seed, budget| P::search(&test, seed, budget)))
    }
}

fn test<P: Peer>(workload: &Workload, property: &str, strategy: Strategy) -> Option<Arc<Test<P::Source>>> {
    let shapes = Shapes::<P>::new(strategy)?;
    match workload.name {
        "bst" => {
            let holds = bst::shallow::closure(property);
            Some(Arc::new(move |source| stopping(holds(&shapes, source))))
        }
        "rbt" => {
            let holds = rbt::shallow::closure(property);
            Some(Arc::new(move |source| stopping(holds(&shapes, source))))
        }
        "stlc" => {
            let holds = stlc::shallow::closure(property);
            Some(Arc::new(move |source| stopping(holds(&shapes.term(source)))))
        }
        _ => None,
    }
}

/// Stops the clock at a failure.
fn stopping(verdict: Option<bool>) -> Option<bool> {
    if verdict == Some(false) {
        clock::stop();
    }
    verdict
}
