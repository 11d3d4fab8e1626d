//! Programmable property-based testing: write a property, get a minimal counterexample, and never lose it.
//!
//! # The first property
//!
//! ```
//! # fn main() { forall::check("sorting", &sorting_sorts::property()) }
//! #[forall::test]
//! fn sorting_sorts(mut xs: Vec<i32>) {
//!     xs.sort();
//!     assert!(xs.is_sorted());
//! }
//! ```
//!
//! That is an ordinary test: `cargo test` runs it with 256 generated vectors. When one of them fails, it is saved
//! to disk, shrunk to a minimal counterexample, and printed as Rust code. The report marks the parts that do not
//! matter, and shows the failed assertion, a command that replays the failure, and a line that adds it as a regression
//! test. The next run replays it first.
//!
//! # Overview
//!
//! | you want to | look at |
//! | --- | --- |
//! | read from the beginning | the book, `book/` in the repository, with migration guides for proptest and quickcheck and recipes for CI |
//! | test a function | [`#[forall::test]`](macro@test): parameters by type or by generator, examples, settings |
//! | write a property as a value, with assumptions and dependent variables | [`property!`](prelude::property!), [`#[forall::property]`](macro@property), [`property`](mod@property) |
//! | generate values of your own types | [`derive(Arbitrary)`](derive@Arbitrary) |
//! | generate exactly the values you need | [`generate`]: ranges, combinators (the strategies of proptest), and [`from_fn`](generate::from_fn), the imperative form |
//! | draw values while the test runs | a parameter `s: &mut Source`: [draws in the body](macro@test#draws-in-the-body), [`Draws`](property::Draws) |
//! | generate dates, e-mail addresses, URLs, JSON, paths, graphs, matrices, almost sorted lists, … | `forall::extra` |
//! | generate values of `uuid`, `chrono`, `serde_json` and others; use strategies of proptest, `arbitrary::Arbitrary`, distributions of `rand` | `forall::interop` (features of those names) |
//! | find magic constants: numbers or strings that the code treats specially | `forall::literals`, `cargo forall fuzz` |
//! | print sample values of a generator, or test it | [`sample`](generate::sample), [`check_generator`](generate::check_generator), [`check_shrinker`](generate::check_shrinker) |
//! | check the laws of a type's traits in one line | `forall::laws` |
//! | test async code | [async bodies](macro@test#async-bodies), `runtime = tokio` (feature `tokio`) |
//! | discard a test case | [`assume!`], `implies`, `discard_ratio` of [`Settings`](run::Settings::discard_ratio) |
//! | add notes, labels and statistics to a test | [`note!`], [`label!`], [`classify!`], [`collect!`], [`cover!`], [`tabulate!`], [`feature!`] |
//! | require a percentage of tests for which a condition holds, and see the simplest example of each label | [`cover!`], `run::labelled_examples` |
//! | change the settings: number of tests, seed, timeout, … | [`Settings`](run::Settings): builder, attribute, environment, in one table |
//! | set them for a whole project: for you, for CI, for nightly runs | `run::profiles` |
//! | see statistics, charts, examples, or every event | `cargo forall report`, `forall::observe` |
//! | shrink values by their structure, or by your own shrinker | [`run::ShrinkOn`] |
//! | replay a failure, or commit it as a regression | [`store`]: `.forall/` for local failures, `forall-regressions/` for committed ones; the book's chapter on saving failures |
//! | maximise a score, or search for new behaviour | [`target!`], [`guide::targeted`], [`guide`] |
//! | test one property on all cores | `threads` of [`Settings`](run::Settings::threads), [`Run::parallel`](run::Run::parallel) |
//! | test one property on many machines | `cargo forall run --shard`, `run::Shard` |
//! | test code that may crash, hang, or use up memory | `isolate`, `timeout`, `memory` and `stack` of [`Settings`](run::Settings::isolate), `forall::isolate` |
//! | test code that uses files, ports or processes | [`checkpoint`], [`graceful`], [`scratch_dir`], [`worker`]; `serial` and `own_cwd` of [`Settings`](run::Settings) |
//! | generate rare combinations of alternatives | [`swarm`](generate::GeneratorExt::swarm) |
//! | fuzz with coverage | `cargo forall fuzz`, [`guide::coverage_guided`], `forall::coverage` (feature `coverage`) |
//! | test every input up to a depth | `runner = exhaustive`, `forall::lazy` |
//! | generate functions, or use quantifiers inside a property | `forall::lazy` |
//! | run a property under libFuzzer, cargo-fuzz or another fuzzer | `forall::libfuzzer` (feature `libfuzzer`) |
//! | test a system with state against a model: in sequence, in parallel, under stress | `forall::machine` |
//! | check a history of concurrent operations for linearizability | `forall::linearizability` |
//! | understand which parts of a counterexample matter | [`explain`] |
//! | stop a run, on Ctrl-C for example, and keep its results | [`run::Cancel`] |
//! | write a custom runner, or your own interpretation of properties | [`run`], [`property`](mod@property), the directory `examples/runners` of the repository, and the book's chapter on custom runners |
//! | observe a run, or read its result as data | [`run::Observer`], [`run::Report`] |
//! | control a test binary from a tool | [`run::protocol`], [`registry`] |
//!
//! # Features
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `full` (default) | everything that needs no other crate: state machines, exhaustive testing, guided runners, isolated tests, threads, laws, more generators, literals of the code under test, `forall.toml` |
//! | `regex` | [`generate::regex`](crate::generate): strings from a regular expression |
//! | `tokio` | `runtime = tokio` for async properties |
//! | `arbitrary`, `rand`, `proptest`, `uuid`, `chrono`, `time`, `bytes`, `serde_json` | `forall::interop`: values and generators of the crates of these names |
//! | `coverage` | feedback from instrumented builds; `cargo forall fuzz` enables it |
//! | `libfuzzer` | a property as a target of libFuzzer |
//!
//! `default-features = false` disables `full` and leaves the lean core: properties, generators, shrinking, saved failures, reports.
//!
//! # How it works
//!
//! A property is data; a generator is a program that makes choices; a runner decides where the choices come from. After
//! the first tests, random testing records nothing and costs about as much as a hand-written loop. A failing test is generated again, with
//! its choices recorded, and shrinking, saving and replaying work on these choices. Every
//! generator therefore shrinks, including your own, and only to values it could have produced.
//!
//! # Guarantees
//!
//! - The same seed and the same version give the same tests, on every machine. The meaning of a seed changes only with the version of the sequence
//!   format, and the changelog says so.
//! - A failure is saved before shrinking starts. It survives a killed process and a hanging `Debug`. If it cannot be
//!   saved, for example because the disk is full, the report says so and prints the replay command.
//! - Every reported counterexample was run and failed, in the same way as the original failure. A failure that does not always
//!   recur is reported as flaky, with the number of runs that failed.
//! - A run with too few valid test cases fails.
//! - No network, no telemetry. Unless you ask for it, nothing is written outside `.forall/` (`FORALL_DO=keep` writes to
//!   `forall-regressions/`; `scratch_dir` and `own_cwd` write to the temporary directory, `FORALL_EVENTS`,
//!   `FORALL_OBSERVE` and fuzzing to their files), and no signal handlers are installed (`graceful`, `scratch_dir` and
//!   `FORALL_INTERRUPT` do).

// The documentation covers all features, and is published with all of them enabled; without some of them, links to them
// are broken. The lean core keeps items that only guests use: `cfg`s inside modules would cost more than unused code.
#![cfg_attr(not(feature = "full"), allow(rustdoc::broken_intra_doc_links, dead_code, unused_imports, unused_macros))]
// Pages say which feature an item needs, where the compiler can write that.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Macro expansions refer to this crate as `forall`, even inside it.
extern crate self as forall;

#[doc(hidden)]
#[path = "private/mod.rs"]
pub mod __private;
pub mod choice;
#[cfg_attr(not(feature = "coverage"), path = "lean/compared.rs")]
mod compared;
mod context;
#[cfg(feature = "coverage")]
pub mod coverage;
mod effects;
pub mod explain;
#[cfg(feature = "full")]
pub mod extra;
mod fact;
#[cfg(feature = "coverage")]
mod fuzz;
pub mod generate;
#[cfg(feature = "full")]
pub mod guide;
mod hash;
mod interned;
#[cfg(any(
    feature = "arbitrary",
    feature = "bytes",
    feature = "chrono",
    feature = "proptest",
    feature = "rand",
    feature = "serde_json",
    feature = "time",
    feature = "uuid"
))]
pub mod interop;
mod interrupt;
#[cfg(feature = "full")]
pub mod isolate;
mod json;
mod kind;
#[cfg(feature = "full")]
pub mod laws;
#[cfg(feature = "full")]
pub mod lazy;
#[cfg(feature = "libfuzzer")]
pub mod libfuzzer;
#[cfg(feature = "full")]
pub mod linearizability;
#[cfg(feature = "full")]
pub mod literals;
#[cfg(feature = "full")]
pub mod machine;
mod macros;
#[cfg(feature = "full")]
pub mod observe;
mod output;
mod panic;
pub mod prelude;
pub mod property;
#[doc(hidden)]
pub mod protocol;
pub mod registry;
pub mod report;
pub mod run;
#[cfg(feature = "full")]
mod scheduler;
mod settings;
pub mod shrink;
mod sort;
mod statistics;
pub mod store;
mod testing;
#[doc(hidden)]
pub mod text;
mod whole;
mod wire;
mod within;

pub use context::{Context, context};
pub use effects::{ScratchDir, checkpoint, graceful, scratch_dir, worker};
#[doc(no_inline)]
pub use generate::Arbitrary;

/// Derives [`Arbitrary`](trait@Arbitrary): generates, shrinks, copies, prints, mutates and enumerates values of a type.
///
/// ```
/// use forall::Arbitrary;
///
/// #[derive(Arbitrary)]
/// enum Expr {
///     Literal(i32),
///     Variable(#[forall(with = 'a'..='z')] char),
///     #[forall(weight = 2)]
///     Add(Box<Expr>, Box<Expr>),
///     #[forall(skip)]
///     Hole,
/// }
/// ```
///
/// Every field must be `Arbitrary` or have an attribute; type parameters get an `Arbitrary` bound. Recursive
/// types, including mutually recursive ones, get about as many nodes as the size of the test, and always terminate.
///
/// | attribute | on | meaning |
/// | --- | --- | --- |
/// | `#[forall(with = generator)]` | a field | drawn from a [generator](crate::generate); structural shrinking (`shrink_on = values`) leaves it unchanged |
/// | `#[forall(skip)]` | a field | always `Default::default()` |
/// | `#[forall(skip)]` | a variant | never generated |
/// | `#[forall(depth = 0)]` | a variant | the depth that its fields cost in an exhaustive search |
/// | `#[forall(weight = 3)]` | a variant | the relative frequency; 1 by default |
/// | `#[forall(twin)]`, `#[forall(twin = Name)]` | the type | generates a lazy twin for exhaustive searches: `forall::lazy::Twin` |
/// | `#[forall(twin = TypeTwin)]` | a field | the twin to use for the field, if its type has none |
/// | `#[forall(crate = path)]` | the type | the path of `forall`, if it is not `::forall` |
///
/// A report prints a value as code with the names of its types, or with the paths in the declaration of the property's variable,
/// so it compiles where the test has them in scope. If the code uses private fields and the property is outside the
/// type's module, the report says so.
///
/// Variants without fields are the simplest, so values shrink to them, and to their own children.
///
/// ```
/// # use forall::Arbitrary;
/// use forall::generate::Code;
///
/// #[derive(Arbitrary)]
/// enum Tree<T> {
///     Leaf,
///     Branch(Box<Tree<T>>, T, Box<Tree<T>>),
/// }
///
/// let tree = Tree::Branch(Box::new(Tree::Leaf), 7, Box::new(Tree::Leaf));
/// assert_eq!(Code::of(&tree).unwrap(), "Tree::Branch(Box::new(Tree::Leaf), 7, Box::new(Tree::Leaf))");
/// assert!(matches!(tree.shrink().next(), Some(Tree::Leaf)));
/// ```
pub use forall_macros::Arbitrary;

/// Defines a property as a value: the function `p` stays unchanged, `p::property()` returns the property, and
/// [`PropertyOf<p>`](crate::registry::PropertyOf) names its type.
///
/// ```
/// #[forall::property]
/// fn reversing_twice_is_nothing(xs: Vec<u8>) -> bool {
///     let twice: Vec<u8> = xs.iter().rev().rev().copied().collect();
///     twice == xs
/// }
///
/// assert!(reversing_twice_is_nothing(vec![1, 2, 3]));
/// forall::check("reversing", &reversing_twice_is_nothing::property());
/// ```
///
/// Parameters, bodies, examples and keys are as in [`#[forall::test]`](macro@test). [`check`] and [`Run::new`](run::Run::new) run
/// the property with the examples and settings of its attribute:
///
/// ```
/// use forall::run::Run;
///
/// #[forall::property(tests = 5, enumerate = false)]
/// fn bits_are_counted(n: u64) -> bool {
///     n.count_ones() <= 64
/// }
///
/// let report = Run::new("bits", &bits_are_counted::property()).report();
/// assert_eq!(report.statistics.valid, 5);
/// ```
pub use forall_macros::property;

/// Turns a property into a `#[test]`. `p::property()` returns the property, and `p::call(…)` calls the function itself.
///
/// ```
/// #[forall::test(tests = 1000)]
/// #[example(vec![1, 2], 1)]
/// fn rotating_keeps_the_elements(mut xs: Vec<u8>, #[forall(0..=xs.len())] n: usize) {
///     let sum: u32 = xs.iter().map(|&x| u32::from(x)).sum();
///     xs.rotate_left(n);
///     assert_eq!(xs.iter().map(|&x| u32::from(x)).sum::<u32>(), sum);
/// }
/// # forall::check("rotating", &rotating_keeps_the_elements::property());
/// ```
///
/// # Parameters
///
/// A parameter is generated by its type, which must be [`Arbitrary`](trait@Arbitrary), or by the generator in
/// `#[forall(…)]`. A generator may use earlier parameters: those of a primitive type by value (`0..n`), others by
/// reference. `&str`, `&[T]` and `&T` borrow from a value that is generated for the test. Annotations may follow the generator, as in [`property!`](prelude::property!):
/// `#[forall(0..10, print |n| format!("{n:#x}"))]`. `#[forall(given = is_sorted)]` names a precondition over the lazy twin of
/// the parameter's type, for exhaustive searches: see `forall::lazy::Twin`.
///
/// # Where it runs
///
/// In `tests/` and in `#[cfg(test)]` modules, like any `#[test]`. It must be a free function: in an `impl` it does not
/// compile. Doc tests compile `#[test]` functions and never run them: call [`check`] there.
///
/// # Bodies
///
/// A body returns `bool`, `()`, `Result<_, E>` or an [`Outcome`](crate::property::Outcome). Failed assertions and
/// panics are failures; [`assume!`] discards the test case.
///
/// # Draws in the body
///
/// If the next input depends on what the code under test did, the body can draw it while it runs, from a parameter
/// `s: &mut Source`, alone or with other parameters. Draws are recorded, shrunk, saved and replayed like parameters;
/// with `isolate`, even if the test crashes its process. The report prints each draw by its name or its number. A panic
/// in the body fails the property, including one in a generator that the body draws from. See
/// [`Draws`](crate::property::Draws).
///
/// ```
/// use forall::prelude::*;
///
/// #[forall::test]
/// fn removes_what_is_there(mut xs: Vec<u8>, s: &mut Source) {
///     while !xs.is_empty() && s.draw_as("go on", any::<bool>()) {
///         let at = s.draw_as("at", 0..xs.len());
///         let length = xs.len();
///         xs.remove(at);
///         assert_eq!(xs.len(), length - 1);
///     }
/// }
/// # forall::check("removing", &removes_what_is_there::property());
/// ```
///
/// # Async bodies
///
/// A body may be async. By default it runs on a small executor, on the thread of its test. With `runtime = tokio`
/// (feature `tokio`) each test has its own Tokio runtime, and spawned tasks end with the test. `runtime = smol::block_on`
/// uses any `block_on` function, such as your own. The executor and Tokio drop a test at its current `.await` if it is
/// still pending at its `deadline`, or when the run is cancelled. A `#[tokio::test(…)]` below `#[forall::test]` means
/// `runtime = tokio` with its options: `flavor`, `worker_threads`, `start_paused`.
///
/// Under Tokio a test fails if one of its tasks panics before the body ends, even if the task is never awaited.
/// `#[forall::test(runtime = tokio, allow_task_panics)]` permits such panics. A task that was not polled before the
/// body ends never runs. Under your own function, its runtime handles such panics.
///
/// ```
/// # fn main() { forall::check("messages", &messages_arrive::property()) }
/// #[forall::test(runtime = tokio, deadline = "1s")]
/// async fn messages_arrive(text: String) {
///     let (sender, receiver) = tokio::sync::oneshot::channel();
///     let sent = text.clone();
///     tokio::spawn(async move { sender.send(sent) });
///     assert_eq!(receiver.await, Ok(text));
/// }
/// ```
///
/// # Examples
///
/// Each `#[example(…)]` gives arguments that always run first.
///
/// # Keys
///
/// The keys are the methods of [`Settings`](run::Settings), where they are explained: `tests`, `seed`, `size`,
/// `discard_ratio`, `health`, `max_time`, `extra_time`, `deadline`, `shrink_evaluations`, `shrink_time`, `shrink_on`,
/// `explain`, `enumerate`, `runner`, `runtime` and `allow_task_panics` (see above), `depth`, `evaluations`, `threads`,
/// `beside`, `serial`, `own_cwd`, `isolate`, `timeout`, `memory`, `stack`, `store`, `read_only`, `verbose`. Times are
/// strings such as `"200ms"`, amounts of memory strings such as `"512MB"`; `enumerate`, `health`, `serial`, `own_cwd`,
/// `isolate`, `read_only` and `verbose` need no value, and `off` disables them; `threads = all` means the available
/// parallelism; `own_cwd = per_thread` gives each thread, not each test, a current directory; `store = off` saves no
/// failures, and `explain = off` disables explanations. `crate = path` is the path of `forall`, if it is not
/// `::forall`.
///
/// `#[ignore]`, `#[should_panic]`, `#[cfg(…)]` and other attributes of tests work as usual.
pub use forall_macros::test;

/// Registers a custom runner under the name of its function.
///
/// A runner is a function from a [`Session`](run::Session) to a [`Report`](run::Report). Once registered, it is selected as a
/// built-in one is: by `#[forall::test(runner = mine)]`, [`Settings::runner`](run::Settings::runner), `FORALL_RUNNER=mine`,
/// `runner = "mine"` in `forall.toml`, and `cargo forall run --runner mine`. Examples and saved failures run before it.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Budget, Found, Report, Session, Tested};
///
/// /// Tests the largest inputs first.
/// #[forall::runner]
/// fn downwards(mut session: Session<'_>) -> Report {
///     let mut budget = Budget::new(&session);
///     let (mut index, mut ending) = (0, None);
///     while ending.is_none() && !budget.is_spent(&session) {
///         let size = 100 - (index % 100) as u32;
///         let input = Source::test(session.seed, index, size);
///         match budget.run(&mut session, index, input, &[]) {
///             (case, Tested::Fail(failure)) => ending = Some(session.found(case, failure, Found::Random { index, size })),
///             (case, Tested::Fault(fault)) => ending = Some(session.fault(&case, fault)),
///             _ => index += 1,
///         }
///     }
///     budget.finish(session, ending)
/// }
///
/// #[forall::test(runner = downwards)]
/// fn reversing_twice_changes_nothing(xs: Vec<u8>) {
///     assert!(xs.iter().rev().rev().eq(&xs));
/// }
/// # forall::check("reversing", &reversing_twice_changes_nothing::property());
/// ```
///
/// A runner in a library is registered in each program that links the library: a test program that uses nothing else of
/// it needs `use my_runners as _;`. The names of the built-in runners are reserved, and a name must be unique in a
/// program. A runner that panics, or does not return the report of its session, does not pass as a test: the property
/// fails with `INVALID RUNNER`.
///
/// The only key is `crate = path`, the path of `forall` if it is not `::forall`. See [`run`] for the components of a runner.
pub use forall_macros::runner;

/// Tests a property under a name, and panics with a report if it does not pass.
///
/// A property that [`#[forall::property]`](macro@property) or [`#[forall::test]`](macro@test) declares has the settings and examples of its
/// attribute; a property that is a value has the default settings.
///
/// ```
/// use forall::property::{self, Telescope};
/// let property = property::forall("n", |(), s| s.draw(0..10u32)).check(|(n, ())| *n < 10);
/// forall::check("below ten", &property);
/// ```
#[track_caller]
pub fn check(name: impl Into<std::borrow::Cow<'static, str>>, property: &dyn property::Property) {
    run::Run::new(name, property).test();
}
