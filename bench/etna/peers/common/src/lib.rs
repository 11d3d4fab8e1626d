//! What the ETNA programs of other tools share: trees and terms of the same shapes as forall's, made of each tool's own
//! choices, and the properties over them.
//!
//! A tool says how it draws an integer, from its own distribution, and a number below a bound; everything else is written
//! once. Each tool's own loop runs the tests, without shrinking.

mod shapes;

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
}

/// A test: draws, and says whether the property holds, or nothing if the precondition does not.
pub type Test<S> = dyn Fn(&mut S) -> Option<bool> + Send + Sync;

/// Runs what the command line asks for.
pub fn main<P: Peer>() -> ExitCode {
    program::main(&Tool::<P>(PhantomData))
}

struct Tool<P>(PhantomData<P>);

impl<P: Peer> program::Tool for Tool<P> {
    fn runners(&self) -> Vec<&'static str> {
        vec!["own"]
    }

    fn search(&self, workload: &Workload, property: &str, strategy: Strategy, _: &str) -> Option<Prepared> {
        let test = test::<P>(workload, property, strategy)?;
        Some(Box::new(move |seed, budget| P::search(&test, seed, budget)))
    }
}

fn test<P: Peer>(workload: &Workload, property: &str, strategy: Strategy) -> Option<Arc<Test<P::Source>>> {
    let shapes = Shapes::<P>::new(strategy)?;
    match workload.name {
        "bst" => {
            let holds = bst::shallow::closure(property);
            Some(Arc::new(move |source| holds(&shapes, source)))
        }
        "rbt" => {
            let holds = rbt::shallow::closure(property);
            Some(Arc::new(move |source| holds(&shapes, source)))
        }
        "stlc" => {
            let holds = stlc::shallow::closure(property);
            Some(Arc::new(move |source| holds(&shapes.term(source))))
        }
        _ => None,
    }
}
