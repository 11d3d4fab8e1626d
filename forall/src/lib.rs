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
//! to disk, shrunk to a minimal counterexample, and printed as Rust code. The report marks the parts that do not matter, and has the failed
//! assertion, a command that replays the failure, and a line that adds it as a regression test. The next run replays it first.
//!
//! # Where to find what
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
//! | require that enough tests are of a kind, and see the simplest of each | [`cover!`], `run::labelled_examples` |
//! | change the settings: number of tests, seed, timeout, … | [`Settings`](run::Settings): builder, attribute, environment, in one table |
//! | set them for a whole project: for you, for CI, for nightly runs | `run::profiles` |
//! | see statistics, charts, examples, or every event | `cargo forall report`, `forall::observe` |
//! | shrink values by their structure, or by your own shrinker | [`run::ShrinkOn`] |
//! | replay a failure, or commit it as a regression | [`store`]: `.forall/` for local failures, `forall-regressions/` for committed ones; the book's chapter on saving failures |
//! | search towards a score, or for new behaviour | [`target!`], [`guide::targeted`], [`guide`] |
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
//! | write a custom runner, or your own interpretation of properties | [`run`], [`property`](mod@property), and the chapter `examples/runners` of the repository |
//! | observe a run, or read its result as data | [`run::Observer`], [`run::Report`] |
//! | control a test binary from a tool | [`run::protocol`], [`registry`] |
//!
//! # Features
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `full` (default) | everything that needs no other crate: state machines, exhaustive testing, guided runners, isolated tests, threads, laws, more generators, literals of the tested code, `forall.toml` |
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
//! A property is data; a generator is a program that makes choices; a runner decides where the choices come from. Random
//! testing records nothing and costs about as much as a hand-written loop. A failing test is generated again, with
//! its choices recorded, and shrinking, saving and replaying work on these choices. Every
//! generator therefore shrinks, including your own, and only to values it could have produced.
//!
//! # Guarantees
//!
//! - The same seed and the same version give the same tests, on every machine. The meaning of a seed changes only with the version of the sequence
//!   format, and the changelog says so.
//! - A failure is saved before shrinking starts. A killed process, a hanging `Debug` or a full disk does not lose it.
//! - Every reported counterexample was run and failed, in the same way as the original failure. A failure that does not always
//!   recur is reported as flaky, with the number of runs that failed.
//! - A run with too few valid test cases fails.
//! - No network, no telemetry, nothing written outside `.forall/`, no signal handlers except those you ask for (`graceful`, `scratch_dir`, `FORALL_INTERRUPT`).

// The documentation speaks of all features, and is published with all of them; without some, links to them lead nowhere.
// The lean core keeps what only guests use: gates inside of modules would be more trouble than a line that is not called.
#![cfg_attr(not(feature = "full"), allow(rustdoc::broken_intra_doc_links, dead_code, unused_imports, unused_macros))]
// Pages say which feature an item needs, where the compiler can write that.
#![cfg_attr(docsrs, feature(doc_cfg))]

// The macros name this crate by its own name, inside it too.
extern crate self as forall;

#[doc(hidden)]
#[path = "private/mod.rs"]
pub mod __private;
pub mod choice;
#[cfg(feature = "coverage")]
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

/// Derives [`Arbitrary`](trait@Arbitrary): generates, shrinks, copies, prints, mutates and measures values of a type.
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
/// Every field must be `Arbitrary` or have an attribute; type parameters are bound by `Arbitrary`. Recursive
/// types, including mutually recursive ones, get about as many nodes as the size of the test, and always terminate.
///
/// | attribute | on | meaning |
/// | --- | --- | --- |
/// | `#[forall(with = generator)]` | a field | drawn from a [generator](crate::generate); not shrunk by its type |
/// | `#[forall(skip)]` | a field | always `Default::default()` |
/// | `#[forall(skip)]` | a variant | never generated |
/// | `#[forall(depth = 0)]` | a variant | the depth that its fields cost in an exhaustive search |
/// | `#[forall(weight = 3)]` | a variant | the relative frequency; 1 by default |
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
/// #[forall::property(tests = 5, exhaustive = false)]
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
/// `#[forall(…)]`, which sees the earlier parameters by reference. `&str`, `&[T]` and `&T` borrow from a value that is
/// generated for the test. Annotations may follow the generator, as in [`property!`](prelude::property!):
/// `#[forall(0..10, print |n| format!("{n:#x}"))]`.
///
/// # Bodies
///
/// A body returns `bool`, `()`, `Result<_, E>` or an [`Outcome`](crate::property::Outcome). Failed assertions and
/// panics are failures; [`assume!`] discards the test case.
///
/// # Draws in the body
///
/// A body may draw values while it runs, where the next input depends on what the tested code did: it takes a parameter
/// `s: &mut Source`, alone or beside others. Draws are recorded, shrunk, saved and replayed as parameters are, under `isolate` even
/// if the test crashes its process; the report prints each by its name or its number. A panic in the body fails the property,
/// including one in a generator that the body draws from. See [`Draws`](crate::property::Draws).
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
/// A body may be async. It runs on a small executor, on the thread of its test; under tokio with `runtime = tokio` (feature
/// `tokio`), where each test has its own runtime, and spawned tasks end with the test; or under any
/// function from a future to its output: `runtime = smol::block_on`, or your own function. On the
/// first two, a test that still waits at its `deadline`, or when the run is cancelled, is dropped where it waits. A
/// `#[tokio::test(…)]` below `#[forall::test]` means `runtime = tokio` with its options: `flavor`, `worker_threads`, `start_paused`.
///
/// Under tokio a test fails if one of its tasks panics before the body ends, even if the task is never awaited.
/// `#[forall::test(runtime = tokio, allow_task_panics)]` permits such panics. A task that was not polled before the
/// body ends never runs. Under your own function, such panics are handled by its runtime.
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
/// `discard_ratio`, `health`, `time`, `deadline`, `shrink_evaluations`, `shrink_time`, `shrink_on`, `shrink_greedily`, `explain`, `exhaustive`,
/// `runner`, `runtime` and `allow_task_panics` (see above), `depth`, `evaluations`, `threads`, `serial`, `own_cwd`, `isolate`, `timeout`, `memory`, `stack`, `store`, `read_only`,
/// `verbose`. Times are strings such as `"200ms"`, amounts of memory strings such as `"512MB"`; `shrink_greedily`, `exhaustive`, `serial`,
/// `own_cwd`, `isolate`, `read_only` and `verbose` may stand alone; `threads = all` means the available parallelism; `store = off`
/// saves no failures, `explain = off` disables explanations, `health = off` disables health warnings. `crate = path` is the path of `forall`, if it is not `::forall`.
///
/// `#[ignore]`, `#[should_panic]`, `#[cfg(…)]` and other attributes of tests work as usual.
pub use forall_macros::test;

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
