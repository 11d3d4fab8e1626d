//! How to write a custom runner.
//!
//! Most testing libraries have one loop: generate an input, run it, and when it fails shrink it. That loop can be
//! configured but not replaced, since a property *is* the loop. In `forall` a property is data, and a loop is an
//! ordinary function. This chapter writes six runners that `forall` does not have, in a separate crate, with only its
//! public API:
//!
//! | runner | change |
//! | --- | --- |
//! | [`bypassing()`] | how a property is *read*: assumptions are not evaluated |
//! | [`collecting()`] | when the loop *ends*: a failure does not end it |
//! | [`hardest()`] | where inputs *come from*, and which tests are useful: the slowest inputs are mutated |
//! | [`adaptive()`] | *which* of several inputs runs: the one that is least like the others |
//! | [`pareto()`] | several scores *at once*: inputs that no other input dominates are mutated |
//! | [`bandit()`] | *whose* turn it is: the property that promises most gets the next test |
//!
//! `cargo run --release -p forall-example-runners` shows what they find. Each is printed below in full.
//!
//! # The parts of a runner
//!
//! A runner is a function from a [`Session`](forall::run::Session) to a [`Report`](forall::run::Report). It decides
//! three things: where the choices of the next test come from, what to do with the result of a test, and when to stop.
//! A component does everything else:
//!
//! | component | purpose |
//! | --- | --- |
//! | [`Run`](forall::run::Run) | starts: settings, environment, examples, saved failures; then calls the runner |
//! | [`Source`](forall::choice::Source) | *generates*: supplies choices, at random or from a tape |
//! | [`Mutator`](forall::guide::Mutator) | *mutates*: derives new choices from old ones |
//! | [`Tester`](forall::run::Tester) | *runs* a test, whatever it does: catches panics, distinguishes discards from invalid generators |
//! | [`Budget`](forall::run::Budget) | runs tests, counts them, notifies observers, and decides when to stop |
//! | [`Session::found`](forall::run::Session::found) | processes a failure: saves it, confirms it, *shrinks* it, *prints* it, notifies the observer |
//! | [`Feedback`](forall::guide::Feedback), [`Pool`](forall::guide::Pool) | score tests and keep the useful ones, for [`guided`](forall::guide::guided()) |
//! | [`Report`](forall::run::Report), [`render`](forall::report::render) | the result of the run, as a value and as text |
//!
//! The generational runner, in its simplest form, takes a few lines, and every other runner is a variation of it:
//!
//! ```
//! use forall::prelude::*;
//! use forall::run::{Budget, Found, Report, Run, Session, Settings, Store, Tested, Verdict};
//!
//! fn generational(mut session: Session<'_>) -> Report {
//!     let mut budget = Budget::new(&session);
//!     let (mut index, mut ending) = (0, None);
//!     while ending.is_none() && !budget.is_spent(&session) {
//!         let size = session.size(index);
//!         let input = Source::test(session.seed, index, size); // generate
//!         match budget.run(&mut session, index, input, &[]) { // run
//!             (case, Tested::Fail(failure)) => ending = Some(session.found(case, failure, Found::Random { index, size })),
//!             (case, Tested::Fault(fault)) => ending = Some(session.fault(&case, fault)),
//!             _ => index += 1,
//!         }
//!     }
//!     budget.finish(session, ending)
//! }
//!
//! let property = property! { forall xs: Vec<u32>; check xs.iter().map(|&x| u64::from(x)).sum::<u64>() < 1000 };
//! let settings = Settings::new().seed(1).store(Store::Off);
//! let report = Run::new("small sums", &property).settings(settings).runner(generational).report();
//! assert_eq!(report.counterexample.unwrap().bindings[0].printed.text(), "vec![1000]");
//! ```
//!
//! # An interpretation or a loop?
//!
//! *Write an interpretation when the meaning of a clause changes.* It is a trait with one impl for each clause
//! ([`Empty`](forall::property::Empty), [`Forall`](forall::property::Forall), [`Implies`](forall::property::Implies),
//! [`Contract`](forall::property::Contract)), generic in the earlier clauses, so the compiler turns it into
//! straight-line code for each property. Such a runner is generic in the property as well: it must see the clauses.
//!
//! *Write a loop when the meaning stays the same,* and only the order, the number or the origin of the tests changes.
//! Such a runner sees a session and no clauses; it is compiled once, and works with every property.
//!
//! *Write neither when only a component changes*: a pool, a feedback, a schedule of sizes, an observer. The built-in
//! runners accept yours.
//!
//! # First runner: trusted assumptions
//!
//! A generator that is *correct by construction* produces only inputs that satisfy the property's assumptions: search
//! trees by inserting keys, well-typed programs. The assumption stays in the property, since it is part of its meaning,
//! but evaluating it for every test is wasted work, and often the most expensive part.
//!
//! (A tester can trust assumptions, see [`Tester::without_assumptions`](forall::run::Tester::without_assumptions), but
//! only for tests on tape, one at a time.)
//!
//! That changes the meaning of `implies`, so it needs an interpretation. `Trusting` binds variables as
//! [`Generating`](forall::property::Generating) does, and skips the assumptions. The loop runs blocks of tests with it,
//! at the speed of the built-in loop.
//!
//! When a test fails, the assumptions are checked. The test is generated again on tape, with the assumptions; if one
//! does not hold, the runner reports an invalid generator. Otherwise it passes the case to `found`, like any other
//! runner. Everything after that interprets the property as written, so no reported case violates an assumption, even
//! with a custom shrinker.
//!
#![doc = concat!("```ignore\n", include_str!("bypassing.rs"), "```")]
//!
//! # Second runner: all failures
//!
//! A nightly run should report every bug, not only the first one. The meaning of the property stays the same, so this
//! is a loop with few changes: a failing test counts, and the next one runs. Failures are distinguished by their origin
//! ([`Failure::same_origin`](forall::property::Failure::same_origin)): a known failure is counted and not shrunk again,
//! so that a bug that fails every second test costs little.
//!
//! [`Session::go_on`](forall::run::Session::go_on) is not used by the built-in runners: the next failure is saved
//! beside the previous one, not in its place. Saved failures of earlier runs are [all
//! replayed](forall::run::Session::replay_all_stored), not only up to the first that fails.
//!
//! Shrinking one bug often finds another. `found` shrinks that one as well, and attaches it to the counterexample; here
//! it becomes a separate entry.
//!
//! The budget is that of any run: a number of tests and a time. Each failure has its own limits for shrinking.
//! Observers receive each failure, and each step of its shrinking.
//!
#![doc = concat!("```ignore\n", include_str!("collecting.rs"), "```")]
//!
//! # Third runner: slow inputs
//!
//! Some inputs are not wrong but slow. PerfFuzz (Lemieux et al., "PerfFuzz: Automatically Generating Pathological
//! Inputs") counts how often each place of a program is visited, and keeps, for every place, the input that visits it
//! most. It runs mutants of these inputs, and keeps a mutant that sets a record at any place. Many records are better
//! than one total: the input that makes the hash table slow and the one that makes the parser slow are both progress.
//!
//! The property is an ordinary one. Here it compares two pattern matchers; the runner needs only that its tests run.
//! [`work`] counts visits, with manual instrumentation; a compiler could insert it.
//!
#![doc = concat!("```ignore\n", include_str!("performance.rs"), "```")]
//!
//! `Best` is a pool with one best seed per place. The same search without a custom loop uses a
//! [`Guide`](forall::guide::Guide) for each place, each with its own best seed:
//!
//! ```
//! use forall::guide::{Guide, Singleton, feedback_fn};
//! use forall::prelude::*;
//! use forall::guide::guided;
//! use forall::run::{Run, Settings, Store};
//! use forall_example_runners::{programs::{PLACES, matches, matches_quickly}, work};
//!
//! let letters = |of: &'static str, most| vec(elements(of.chars().collect::<Vec<_>>())).len(0..=most);
//! let property = property! {
//!     forall pattern in letters("ab?*", 6usize).map(String::from_iter);
//!     forall text in letters("ab", 12usize).map(String::from_iter);
//!     check {
//!         work::begin();
//!         matches(pattern, text) == matches_quickly(pattern, text)
//!     }
//! };
//! let visits_of = |place: usize| feedback_fn(move |_| work::visits().get(place).copied().unwrap_or(0) as f64);
//! let mut guides: Vec<Guide> = (0..PLACES.len()).map(|place| Guide::new(visits_of(place), Singleton::fixed())).collect();
//! let settings = Settings::new().tests(500).seed(1).store(Store::Off);
//! let session = Run::new("matching", &property).settings(settings).session().unwrap();
//! assert!(guided(session, &mut guides).verdict.is_success());
//! assert!(guides.iter().any(|guide| guide.pool.best().is_some_and(|best| best.utility > 500.0)));
//! ```

//!
//! # A runner with a name
//!
//! `#[forall::runner]` registers a runner under the name of its function. Then it is selected as the built-in ones are:
//!
//! ```
//! use forall_example_runners as _; // links the crate, and registers its runners
//!
//! #[forall::test(runner = adaptive, tests = 50)]
//! fn reversing_twice_changes_nothing(xs: Vec<u8>) {
//!     assert!(xs.iter().rev().rev().eq(&xs));
//! }
//! # forall::check("reversing", &reversing_twice_changes_nothing::property());
//! ```
//!
//! `FORALL_RUNNER=adaptive cargo test` and `cargo forall run --runner adaptive` select it for all properties, and
//! `runner = "adaptive"` in `forall.toml` for those that name no runner.
//!
//! # Fourth runner: inputs that are far from each other
//!
//! Inputs that fail often lie together, so a test beside one that passed tells little. Adaptive random testing (Chen, Leung
//! and Mak, "Adaptive Random Testing", 2004) generates several inputs, and runs the one that is farthest from all that ran.
//! The distance here is one of choices, so that the runner works with inputs of any type.
//!
#![doc = concat!("```ignore\n", include_str!("adaptive.rs"), "```")]
//!
//! # Fifth runner: two scores at once
//!
//! A search for a packet that is large *and* valid has two scores, and the higher of them leads to large packets only. A
//! Pareto front has every input that no other one dominates: is at least as good in all scores, and better in one.
//! `target!(score, "name")` reports a named score, and [`Context::scores`](forall::Context::scores) returns those of the
//! last test.
//!
#![doc = concat!("```ignore\n", include_str!("pareto.rs"), "```")]
//!
//! # Sixth runner: several properties
//!
//! A session is a value, so a function may have several and run their tests in any order. The bandit splits one number of
//! tests among properties: those that still have inputs of new shapes get more. It is not registered, since a registered
//! runner has one session.
//!
#![doc = concat!("```ignore\n", include_str!("bandit.rs"), "```")]

pub mod adaptive;
pub mod bandit;
pub mod bypassing;
pub mod collecting;
pub mod pareto;
pub mod performance;
pub mod programs;
pub mod work;

pub use adaptive::adaptive;
pub use bandit::bandit;
pub use bypassing::bypassing;
pub use collecting::collecting;
pub use pareto::pareto;
pub use performance::hardest;
