//! Specifications that several tests use.

use forall::Arbitrary;
use forall::choice::Source;
use forall::generate::{Code, any};
use forall::machine::{Shared, Spec, Tuning};
use forall::property::Property;
use forall::run::{Report, Run, Settings, Store};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// Runs a property from a seed, and keeps nothing.
pub fn report(property: &dyn Property, seed: u64) -> Report {
    report_with(property, Settings::new().seed(seed))
}

pub fn report_with(property: &dyn Property, settings: Settings) -> Report {
    Run::new("machine", property).settings(settings.store(Store::Off)).report()
}

/// The message of the failure that was found.
pub fn message(report: Report) -> String {
    report.counterexample.expect("it fails").failure.message
}

#[derive(Arbitrary, Clone, Debug, PartialEq)]
pub enum Queued {
    Push(u8),
    Pop,
    Len,
}

/// A queue of at most `LIMIT` elements, behind a lock; with a bug if `BUG` is set.
#[derive(Clone, Default)]
pub struct QueueSpec<const BUG: u8>;

pub const NO_BUG: u8 = 0;
/// The fourth element is lost.
pub const FORGETS: u8 = 1;
/// The lock is let go between looking and taking.
pub const RACES: u8 = 2;
/// Popping from an empty queue panics.
pub const PANICS: u8 = 3;
/// Popping from an empty queue waits for ever.
pub const HANGS: u8 = 4;

impl<const BUG: u8> Spec for QueueSpec<BUG> {
    type Command = Queued;
    type Model = Vec<u8>;
    type System = Arc<Mutex<VecDeque<u8>>>;
    type Response = Option<usize>;

    fn model(&self) -> Vec<u8> {
        Vec::new()
    }

    fn generate(&self, _: &Vec<u8>, source: &mut Source) -> Queued {
        source.draw(any())
    }

    fn next(&self, model: &mut Vec<u8>, command: &Queued) {
        match command {
            Queued::Push(value) => model.push(*value),
            Queued::Pop if !model.is_empty() => drop(model.remove(0)),
            Queued::Pop | Queued::Len => {}
        }
    }

    fn system(&self) -> Self::System {
        Arc::default()
    }

    fn run(&self, system: &mut Self::System, command: &Queued) -> Option<usize> {
        match command {
            Queued::Push(value) => {
                let mut queue = system.lock().unwrap();
                if BUG != FORGETS || queue.len() < 3 {
                    queue.push_back(*value);
                }
                None
            }
            Queued::Pop if BUG == RACES => {
                let first = system.lock().unwrap().front().copied();
                std::thread::yield_now();
                system.lock().unwrap().pop_front();
                first.map(usize::from)
            }
            Queued::Pop => {
                let popped = system.lock().unwrap().pop_front();
                match BUG {
                    PANICS if popped.is_none() => panic!("nothing to pop"),
                    HANGS if popped.is_none() => loop {
                        std::thread::park();
                    },
                    _ => popped.map(usize::from),
                }
            }
            Queued::Len => Some(system.lock().unwrap().len()),
        }
    }

    fn postcondition(&self, model: &Vec<u8>, command: &Queued, response: &Option<usize>) -> bool {
        match command {
            Queued::Push(_) => response.is_none(),
            Queued::Pop => *response == model.first().copied().map(usize::from),
            Queued::Len => *response == Some(model.len()),
        }
    }

    fn expected(&self, model: &Vec<u8>, command: &Queued) -> Option<String> {
        match command {
            Queued::Push(_) => None,
            Queued::Pop => Some(format!("{:?}", model.first())),
            Queued::Len => Some(format!("Some({})", model.len())),
        }
    }

    fn code(&self, command: &Queued) -> Option<String> {
        Code::of(command)
    }

    fn tuning(&self) -> Tuning {
        Tuning { hangs_after: std::time::Duration::from_secs(1), ..Tuning::default() }
    }
}

impl<const BUG: u8> Shared for QueueSpec<BUG> {
    fn share(&self, system: &mut Self::System) -> Self::System {
        Arc::clone(system)
    }
}
