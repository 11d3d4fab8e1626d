//! The ETNA workloads: programs with mutants, the properties that detect them, and the generators that find them.
//!
//! A *workload* is a program, a list of *mutants* of it (bugs, one of which may be on), and properties. A *task* is a
//! mutant and a property that it can falsify. A *strategy* says how inputs are generated; each workload has one set of
//! generators for each strategy, and none of them knows a mutant. A *runner* takes a property and looks for a
//! counterexample. The metrics are the number of inputs and the CPU time that a runner needs to solve a task, by
//! strategy.
//!
//! | workload | program | properties | generators |
//! |---|---|---|---|
//! | [`bst`] | `bst/tree.rs` | `bst/spec.rs`, `bst/mod.rs` | `bst/generate.rs` |
//! | [`rbt`] | `rbt/tree.rs` | `rbt/spec.rs`, `rbt/mod.rs` | `rbt/generate.rs` |
//! | [`stlc`] | `stlc/term.rs` | `stlc/spec.rs`, `stlc/mod.rs` | `stlc/generate.rs` |
//! | [`fsub`] | `fsub/reduce.rs`, `fsub/typing.rs` | `fsub/spec.rs`, `fsub/mod.rs` | `fsub/generate.rs` |
//! | [`ifc`] | `ifc/rules.rs`, `ifc/machine.rs` | `ifc/observe.rs`, `ifc/spec.rs`, `ifc/mod.rs` | `ifc/generate.rs` |
//!
//! `spec.rs` has the specification as plain functions, which the runners of other tools share; `mod.rs` has the properties as
//! forall reads them. To add a runner, add a line to [`runner::RUNNERS`]. The workloads are those of *ETNA: An Evaluation
//! Platform for Property-Based Testing* (Shi, Keles, Goldstein, Pierce and Lampropoulos, ICFP 2023), written anew.

pub mod bst;
pub mod clock;
pub mod fsub;
pub mod ifc;
mod mutant;
pub mod program;
pub mod rbt;
pub mod runner;
pub mod search_tree;
pub mod stlc;
mod strategy;
mod task;

pub use mutant::Switch;
pub use strategy::Strategy;
pub use task::Task;

use forall::property::Property;
use runner::Closure;

/// A program with mutants, and its properties.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Its name.
    pub name: &'static str,
    /// The names of its mutants.
    pub mutants: &'static [&'static str],
    /// The names of its properties.
    pub properties: &'static [&'static str],
    /// The active mutant.
    pub switch: &'static Switch,
    /// Its tasks.
    pub tasks: fn() -> Vec<Task>,
    /// The property of a name, over the generators of a strategy; none if the workload has no such strategy.
    pub property: fn(&str, Strategy) -> Option<Box<dyn Property + Sync>>,
    /// The property as a closure, if the workload has that form.
    pub shallow: Option<fn(&str, Strategy) -> Box<Closure>>,
}

/// All workloads.
pub const WORKLOADS: &[Workload] = &[bst::WORKLOAD, rbt::WORKLOAD, stlc::WORKLOAD, fsub::WORKLOAD, ifc::WORKLOAD];

impl Workload {
    /// Returns the workload of this name.
    pub fn named(name: &str) -> Option<Self> {
        WORKLOADS.iter().copied().find(|workload| workload.name == name)
    }

    /// Runs `body` with a mutant activated, or with none.
    ///
    /// # Panics
    ///
    /// If the workload has no such mutant.
    pub fn with_mutant<T>(&self, mutant: Option<&str>, body: impl FnOnce() -> T) -> T {
        let place = |name| self.mutants.iter().position(|&other| other == name);
        let mutant = mutant.map(|name| place(name).unwrap_or_else(|| panic!("{} has no mutant {name:?}", self.name)));
        self.switch.with(mutant, body)
    }
}
