//! State machines: one specification of a system, tested in sequence, in parallel, and under stress.
//!
//! A [`Spec`] defines the commands, the effect of each on a simple *model*, how to run it on the *system*, and whether
//! the model allows the system's *response*. Everything else follows from it. This one specifies a stack of at most
//! three numbers, with one of its tests:
//!
//! ```
//! use forall::choice::Source;
//! use forall::generate::{Code, any};
//! use forall::machine::{Sequential, Spec};
//! use forall::property::Outcome;
//!
//! #[derive(forall::Arbitrary, Debug)]
//! enum Command { Push(u8), Pop }
//!
//! #[derive(Default)]
//! struct Stack;
//!
//! impl Spec for Stack {
//!     type Command = Command;
//!     type Model = Vec<u8>;
//!     type System = Vec<u8>;
//!     type Response = Option<u8>;
//!
//!     fn model(&self) -> Vec<u8> { Vec::new() }
//!     fn generate(&self, _: &Vec<u8>, source: &mut Source) -> Command { source.draw(any()) }
//!     fn precondition(&self, model: &Vec<u8>, command: &Command) -> bool {
//!         !matches!(command, Command::Push(_)) || model.len() < 3
//!     }
//!     fn next(&self, model: &mut Vec<u8>, command: &Command) {
//!         match command {
//!             Command::Push(value) => model.push(*value),
//!             Command::Pop => drop(model.pop()),
//!         }
//!     }
//!
//!     fn system(&self) -> Vec<u8> { Vec::with_capacity(3) }
//!     fn run(&self, system: &mut Vec<u8>, command: &Command) -> Option<u8> {
//!         match command {
//!             Command::Push(value) => { system.push(*value); None }
//!             Command::Pop => system.pop(),
//!         }
//!     }
//!     fn postcondition(&self, model: &Vec<u8>, command: &Command, response: &Option<u8>) -> bool {
//!         match command {
//!             Command::Push(_) => response.is_none(),
//!             Command::Pop => *response == model.last().copied(),
//!         }
//!     }
//!     fn code(&self, command: &Command) -> Option<String> { Code::of(command) }
//! }
//!
//! #[forall::test]
//! fn agrees_with_its_model(commands: Sequential<Stack>) -> Outcome {
//!     commands.check()
//! }
//! # forall::check("stack", &agrees_with_its_model::property());
//! ```
//!
//! It is an ordinary property with an ordinary report: commands are drawn from choices, so sequences shrink (in length,
//! and in the arguments of each command), are saved and replayed, and print as Rust code.
//!
//! | you want to | write |
//! | --- | --- |
//! | compare system and model, one command after the other | [`Sequential<S>`](Sequential), and [`check`](Sequential::check) it |
//! | find races: branches on real threads, explained by some order of their commands | [`Parallel<S>`](Parallel), and [`check`](Parallel::check) it |
//! | find races that real threads miss, and replay them exactly | the same test, run by `cargo forall race`; [`Interleaving`] |
//! | test three branches, or use a generator for each | [`Parallel<S, 3>`](Parallel), [`Spec::generate_in`] |
//! | find only crashes and panics, under load | [`Parallel::stress`] |
//! | show that a system is *not* safe | [`refute`] |
//! | find leaks: one system, many commands | [`soak`] |
//! | test a system that may crash, abort or hang | `#[forall::test(isolate)]`; the report shows the earlier responses |
//! | use the response of a command in a later one | [`Spec::bind`], [`Spec::resolve`], [`Ref`] |
//! | treat panics of the system as responses | [`protect`] |
//! | generate the initial state or other parameters | [`sequential`], [`parallel()`] |
//! | test the same specification with other commands | [`Generated`] |
//! | test several instances of a system at once | [`Instances`] |
//! | exclude known issues | [`Spec::known_issue`] |
//! | change lengths, repetitions, and how races are provoked | [`Spec::tuning`], [`Tuning`] |
//! | find memory bugs of collections | [`elements`] |
//! | compare the methods of a type with those of a model, without an `impl` | [`machine!`](crate::machine!) |
//! | draw a parallel run as SVG | [`Parallel::run`], [`Picture::svg`] |
//! | check a recorded history | [`linearizability`](crate::linearizability) |
//!
//! # Rare races
//!
//! A parallel program runs 25 times, each time on a new system. A program that failed is repeated more often, and
//! smaller programs as often as the failure needs, so even rare races shrink;
//! [`shrink_time`](crate::run::Settings::shrink_time) limits the time. A failure that does not recur is reported as
//! flaky, with the kinds of commands whose programs still fail. Each branch needs its own core: on a busy machine,
//! races can occur a hundred times less often. Interrupts in the middle of commands ([`Provoke::signals`]) help most.
//!
//! `cargo forall race` does not depend on the machine: a scheduler runs one branch at a time, and where it preempts them is part of the
//! input. Races are then as reproducible as any other failure. See the book's chapter on state machines.

mod controlled;
pub mod elements;
mod explained;
mod generated;
mod generating;
mod illustrated;
mod instances;
mod interleaving;
mod known_issue;
mod last_words;
mod methods;
pub(crate) mod misused;
mod narrow;
mod parallel;
mod picture;
mod program;
mod protect;
mod provoke;
mod reference;
mod refute;
mod repeat;
mod round;
mod schedule;
mod sequential;
mod shared;
mod soak;
mod spec;
mod svg;
mod team;
mod tuning;
mod turns;

pub use generated::{Commands, Generated};
pub use instances::Instances;
#[doc(hidden)]
pub use instances::On;
pub use known_issue::KnownIssue;
pub use parallel::{Parallel, Ran, parallel};
pub(crate) use picture::Drawing;
pub use picture::{Drawn, Picture};
pub use protect::{Panicked, protect};
pub use reference::{Ref, Results};
pub use refute::refute;
pub use sequential::{Sequential, sequential};
pub use shared::Shared;
pub use soak::{Counting, Soak, Soaked, soak};
pub use spec::Spec;
#[doc(hidden)]
pub use spec::no_precondition;
pub use tuning::{Interleaving, Provoke, Tuning};
