//! How to write a runner of your own.
//!
//! Most testing libraries have one loop: generate an input, run it, and when it fails shrink it. Their loop can be configured
//! but not replaced, since a property *is* the loop. Here a property is data, and a loop is a function that somebody wrote.
//! This chapter writes three that `forall` does not have, in a crate of their own, with nothing but what `forall` makes public:
//!
//! | runner | what it changes |
//! | --- | --- |
//! | [`bypassing()`] | how a property is *read*: assumptions are not evaluated |
//! | [`collecting()`] | when the loop *ends*: a failure does not end it |
//! | [`hardest()`] | where inputs *come from*, and what a test is worth: those that make the program work hardest lead on |
//!
//! `cargo run --release -p forall-example-runners` shows what they find. Each is below in full, as it is compiled.
//!
//! # What a runner is made of
//!
//! A runner is a function from a [`Session`](forall::run::Session) to a [`Report`](forall::run::Report). It decides three
//! things: where the choices of the next test come from, what to make of a test that ran, and when to stop. For everything
//! else there is a component:
//!
//! | component | what it does |
//! | --- | --- |
//! | [`Run`](forall::run::Run) | begins: settings, environment, examples, what is stored; then calls the runner |
//! | [`Source`](forall::choice::Source) | *generates*: supplies choices, at random or from a tape |
//! | [`Mutator`](forall::guide::Mutator) | *mutates*: makes new choices of old ones |
//! | [`Tester`](forall::run::Tester) | *runs* a test, whatever it does: catches panics, tells discards from faults of generators |
//! | [`Budget`](forall::run::Budget) | runs tests too, counts them, tells whoever watches, and says when enough is enough |
//! | [`Session::found`](forall::run::Session::found) | a test failed: keeps it, makes sure of it, *shrinks* it, *prints* it, tells the observer |
//! | [`Feedback`](forall::guide::Feedback), [`Pool`](forall::guide::Pool) | judge tests and keep the useful ones, for [`guided`](forall::guide::guided()) |
//! | [`Report`](forall::run::Report), [`render`](forall::report::render) | what the run came to, as a value and as text |
//!
//! The generational runner, without the niceties, is these few lines, and every other runner is a change to them:
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
//! # An interpretation, or a loop?
//!
//! *Write an interpretation when the meaning of a clause changes.* It is a trait with one impl for each clause
//! ([`Empty`](forall::property::Empty), [`Forall`](forall::property::Forall), [`Implies`](forall::property::Implies),
//! [`Contract`](forall::property::Contract)), generic in the clauses before, so the compiler turns it into straight code for
//! each property. Such a runner is generic in the property, too: it must see the clauses.
//!
//! *Write a loop when the meaning stays,* and only the order, the number or the origin of the tests changes. Such a runner sees
//! a session and no clauses; it is compiled once, and works with every property there is.
//!
//! *Write neither when a component is all that changes*: a pool, a feedback, a schedule of sizes, an observer. The built-in
//! runners take yours.
//!
//! # First runner: assumptions on trust
//!
//! A generator that is *correct by construction* makes only inputs that satisfy the property's assumptions: search trees by
//! inserting keys, programs that have a type. The assumption stays in the property, since it is part of what is said, but to
//! evaluate it for every test is wasted, and often it is the most expensive part.
//!
//! (A tester can be told to trust assumptions, [`Tester::without_assumptions`](forall::run::Tester::without_assumptions), but
//! only for tests on tape, one at a time.)
//!
//! That changes what `implies` means, so it takes an interpretation. `Trusting` binds variables as
//! [`Generating`](forall::property::Generating) does, and passes by the assumptions. The loop runs blocks of tests with it,
//! at the speed of the built-in loop: between two tests it does nothing but start the next.
//!
//! When a test fails, the trust ends. The test is generated again on tape, with the assumptions; and if one does not hold, it is
//! the generator that is to blame, and the runner says so. Otherwise it is handed to `found` like any other. All that follows
//! reads the property as it is written, so nothing that breaks an assumption is ever shown, not even where a shrinker of the
//! user's leads there.
//!
#![doc = concat!("```ignore\n", include_str!("bypassing.rs"), "```")]
//!
//! # Second runner: everything that fails
//!
//! At the end of a day one wants to know all that is broken, not what breaks first. Nothing changes in how a property is read,
//! so this is a loop, and the changes are few: a failing test counts, and the next one runs. Failures are told apart by where
//! they come from ([`Failure::same_origin`](forall::property::Failure::same_origin)): what was met before is counted and not
//! shrunk again, so that a bug which fails every second test costs little.
//!
//! [`Session::go_on`](forall::run::Session::go_on) is what the built-in runners have no use for: what is found next is kept
//! beside what was found before, and not in its place. And what earlier runs have kept is tried
//! [as a whole](forall::run::Session::replay_all_stored), not up to the first that fails.
//!
//! Shrinking one bug often meets another. `found` makes that small, too, and hangs it on the counterexample; here it becomes an
//! entry of its own.
//!
//! The budget is that of any run: so many tests, so much time. Each failure has its own limits for shrinking. Whoever watches
//! hears of each failure, and of each step of its shrinking.
//!
#![doc = concat!("```ignore\n", include_str!("collecting.rs"), "```")]
//!
//! # Third runner: hard work
//!
//! Some inputs are not wrong but slow. PerfFuzz (Lemieux et al., "PerfFuzz: Automatically Generating Pathological Inputs")
//! counts how often each place of a program is visited, and keeps, for every place, the input that visits it most. Mutants of
//! these are tried; one that sets a record anywhere is kept. Many records are better than one total: the input that makes the
//! hash table slow, and the one that makes the parser slow, are both on the way to something.
//!
//! The property is an ordinary one. Here it says that a matcher of patterns agrees with another; the runner needs nothing of it
//! but that its tests run. What the places count is in [`work`], by hand; a compiler can do that, too.
//!
#![doc = concat!("```ignore\n", include_str!("performance.rs"), "```")]
//!
//! `Best` is a pool with as many best seeds as there are places. The same search without a loop of one's own has a
//! [`Guide`](forall::guide::Guide) for each place, and each keeps its own best seed:
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

pub mod bypassing;
pub mod collecting;
pub mod performance;
pub mod programs;
pub mod work;

pub use bypassing::bypassing;
pub use collecting::collecting;
pub use performance::hardest;
