//! A machine with information-flow control: 1 property, 70 mutants, 66 tasks.

pub mod generate;
pub mod label;
pub mod machine;
pub mod observe;
pub mod rules;
pub mod spec;

use crate::task::{Task, all_pairs};
use crate::{Strategy, Workload};
use forall::prelude::*;
use forall::property::{IntoOutcome, Outcome, Property};
use label::Label;
use observe::Observer;
use rules::{MUTANTS, STRICTER, SWITCH};
use spec::{PROPERTIES, single_step, start_alike};

/// The workload.
pub const WORKLOAD: Workload =
    Workload { name: "ifc", mutants: MUTANTS, properties: PROPERTIES, switch: &SWITCH, tasks, property, shallow: None };

fn tasks() -> Vec<Task> {
    let falsifies = |task: &Task| !STRICTER.contains(&task.mutant);
    all_pairs(MUTANTS, PROPERTIES, false).into_iter().filter(falsifies).collect()
}

/// The property of this name, over the generators of a strategy; none if the machine has no such strategy.
pub fn property(name: &str, strategy: Strategy) -> Option<Box<dyn Property + Sync>> {
    let generate::Generators { first, second } = generate::generators(strategy)?;
    Some(match name {
        "SSNI" => Box::new(property! {
            move forall label: Label;
            forall one in from_fn(first);
            forall other in from_fn(|source: &mut Source| second(Observer(*label), one, source));
            implies start_alike(Observer(*label), one, other);
            check single_step(Observer(*label), one, other).map_or(Outcome::Discard, IntoOutcome::into_outcome)
        }),
        _ => panic!("the machine has no property {name:?}; it has {PROPERTIES:?}"),
    })
}
