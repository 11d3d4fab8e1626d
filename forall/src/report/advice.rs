//! The texts in which forall speaks of trouble that is not a counterexample. Each says what was seen, with numbers; why it
//! matters; what to do.
//!
//! Runners put them into [`Verdict`](crate::run::Verdict)s and warnings; [`render`](super::render) names the property and
//! breaks the lines. Text that comes from outside (messages, values, paths) is made safe when it is shown, and shortened
//! here.

mod process;
mod replayed;
mod shrinkers;

pub use process::{died, exited, exited_while, nothing_was_running, panicked_twice, still_running};
pub use replayed::{
    Kept, changed_and_fails, generator_changed, given_input_means_nothing, no_longer_fails, now_discarded,
    regression_unreadable, regressions_unclaimed, same_name, shrinking_ended_the_process, still_fails,
    store_unlistable, store_unreadable, work_was_cut_off,
};
pub use shrinkers::{
    explained_by_the_clock, mostly_rejected, shrinker_goes_in_circles, shrinker_only_grows, shrinker_panicked,
    shrinker_returns_the_value, too_many_steps,
};

use super::text::{count, number, one_line, percent, shorten, time};
use crate::kind::Kind;
use crate::property::{Location, Maker};
use std::time::Duration;

/// Foreign text is repeated up to this many columns.
const MAX_QUOTED: usize = 300;
/// A value among others is repeated up to this many columns.
const MAX_VALUE: usize = 60;

/// More tests were discarded than `ratio` for each valid one. `clause` is what discarded most of them: an assumption as it
/// was written, or the name of a variable whose generator gave up; empty if that is not known.
///
/// ```
/// let text = forall::report::advice::too_many_discards(3, 50, "!xs.is_empty()", 10);
/// assert!(text.contains("3 valid tests") && text.contains("50 were discarded"));
/// ```
pub fn too_many_discards(valid: u64, discarded: u64, clause: &str, ratio: u64) -> String {
    let share = largest_share(valid, valid.saturating_add(discarded)) * 100.0;
    let by = if clause.is_empty() { String::new() } else { format!(", most of them by `{}`", quoted(clause)) };
    let seen = format!("Only {} ran and {} were discarded{by}.", count(valid, "valid test"), number(discarded));
    let why = if valid == 0 {
        format!(
            "Nothing was tested: the condition may hold for no input at all, and with 99 % certainty for less than {share:.2} % of \
             them."
        )
    } else {
        format!(
            "More than {ratio} discards for each valid test: too little was tested to say that the property holds. With 99 % \
             certainty less than {share:.2} % of the inputs satisfy the condition."
        )
    };
    let what = "Generate inputs that satisfy the condition (build them, or use a narrower range) instead of discarding those \
                that do not";
    if valid == 0 {
        format!("{seen} {why}\n{what}, and check that the condition can hold.")
    } else {
        format!(
            "{seen} {why}\n{what}; or allow more with `discard_ratio` or `FORALL_DISCARD_RATIO={}`.",
            suggestion(valid, discarded)
        )
    }
}

/// How a warning that is about health alone is silenced.
const SILENCE: &str = "`health = off`, or `FORALL_HEALTH=0`, silences this.";

/// The largest share of inputs of which so many in `tests` may be, with 99 % certainty: the end of Wilson's interval.
fn largest_share(hits: u64, tests: u64) -> f64 {
    /// One in a hundred is further off, to this side.
    const DEVIATIONS: f64 = 2.326;
    let n = tests.max(1) as f64;
    let (share, z2) = (hits as f64 / n, DEVIATIONS * DEVIATIONS / n);
    ((share + z2 / 2.0 + (share * (1.0 - share) * z2 + z2 * z2 / 4.0).sqrt()) / (1.0 + z2)).min(1.0)
}

/// A discard ratio with which the run would have gone on, rounded up to something round.
fn suggestion(valid: u64, discarded: u64) -> u64 {
    let needed = discarded.div_ceil(valid.max(1)).saturating_mul(2);
    needed.div_ceil(10).saturating_mul(10)
}

/// The generator of `variable` made no value at all: a collection of it found `found` elements that differ, and needs `least`.
///
/// ```
/// let text = forall::report::advice::too_few_different("s", 2_561, 3, 10);
/// assert!(text.contains("3 different elements") && text.contains("at least 10"));
/// ```
pub fn too_few_different(variable: &str, discarded: u64, found: u64, least: u64) -> String {
    format!(
        "No test ran, and {} were discarded: the generator of `{}` is to make a set or a map, or a vector without repetition, of \
         at least {}, and found {} only. There may be no more.\nAsk for fewer (`.len(..)`), or give it a \
         generator of more different values.",
        number(discarded),
        quoted(variable),
        count(least, "element"),
        count(found, "different element"),
    )
}

/// An assumption does not hold, on a thread that belongs to no test.
///
/// ```
/// assert!(forall::report::advice::assumed_outside_of_a_test("x > 5").contains("enter"));
/// ```
pub fn assumed_outside_of_a_test(text: &str) -> String {
    format!(
        "assumption does not hold: {} (no test of forall runs on this thread. If a test spawned it, let it join: `let test = \
         forall::context();` before, and `test.enter(|| …)` in the thread; then the test is discarded)",
        quoted(text)
    )
}

/// The name of a property is one by which it cannot be asked for.
///
/// ```
/// assert!(forall::report::advice::unusable_name("").contains("\"\""));
/// ```
pub fn unusable_name(name: &str) -> String {
    format!(
        "{:?} cannot be the name of a property: what is stored is found by it, and commands such as `FORALL_DO='keep NAME'` say \
         it.\nName it by something that is not empty, neither begins nor ends with white space, and has no NUL in it.",
        shorten(name, MAX_VALUE)
    )
}

/// The body prints, and ran `runs` times for one report.
///
/// ```
/// assert!(forall::report::advice::body_prints(274).contains("note!"));
/// ```
pub fn body_prints(runs: u64) -> String {
    format!(
        "the body prints, and ran about {} to make this input small and to explain it: what is above comes from all of them. Say it by \
         `note!(…)`, and it is shown once, here.",
        count(runs, "time")
    )
}

/// Generating takes long: `mean` for each of `tests` tests, which is this `share` (0 to 1) of the time of the run.
///
/// ```
/// use std::time::Duration;
/// let text = forall::report::advice::slow_generation(Duration::from_millis(40), 25, 0.97);
/// assert!(text.contains("40 ms for each of 25 tests, 97 % of the time"));
/// ```
pub fn slow_generation(mean: Duration, tests: u64, share: f64) -> String {
    format!(
        "Generating an input took {} for each of {}, {:.0} % of the time of the run. Slow generators leave little time for \
         testing, and make shrinking slow too.\nMake values smaller (`FORALL_SIZE=30`, shorter collections), move expensive \
         set-up out of the generator, or compute what only the check needs in the check. {SILENCE}",
        time(mean),
        count(tests, "test"),
        share * 100.0
    )
}

/// Inputs are large: `mean` choices on average over `tests` tests.
///
/// ```
/// let text = forall::report::advice::large_inputs(25_000, 100);
/// assert!(text.contains("25,000 choices"));
/// ```
pub fn large_inputs(mean: u64, tests: u64) -> String {
    format!(
        "Inputs are large: {} on average over {}. Large inputs are slow to make and slow to shrink, and most bugs show in \
         small ones.\nBound the collections (`vec(any::<T>()).len(..=20)`), lower the size (`size = 30`, `FORALL_SIZE=30`), or \
         give recursive generators a smaller bound. {SILENCE}",
        count(mean, "choice"),
        count(tests, "test")
    )
}

/// An input needs more choices than can be recorded.
///
/// ```
/// assert!(forall::report::advice::input_too_large("xs", 1_000_000).contains("1,000,000 choices"));
/// ```
pub fn input_too_large(variable: &str, limit: u64) -> String {
    format!(
        "The generator of `{}` made more than {}, the most that can be recorded: it may not terminate.\nBound the recursion or \
         the length, for example by the source's size.",
        quoted(variable),
        count(limit, "choice")
    )
}

/// A test failed whose input makes more choices than can be recorded.
///
/// ```
/// assert!(forall::report::advice::unrecorded(1_000_000).contains("more than 1,000,000 choices"));
/// ```
pub fn unrecorded(limit: u64) -> String {
    format!(
        "the input makes more than {}, the most that can be recorded: it is neither made smaller nor stored. Smaller inputs \
         are likely to fail, too: bound the length or the recursion (`vec(any::<T>()).len(..1000)`)",
        count(limit, "choice")
    )
}

/// What is shown was found among the beginnings of such an input.
///
/// ```
/// assert!(forall::report::advice::beginning_of_unrecorded(1_000_000).contains("its beginning"));
/// ```
pub fn beginning_of_unrecorded(limit: u64) -> String {
    format!(
        "the input as it was found makes more than {}, the most that can be recorded; its beginning fails alike, and what is \
         shown was made of that",
        count(limit, "choice")
    )
}

/// No tests were asked for.
///
/// ```
/// assert!(forall::report::advice::zero_tests().contains("`FORALL_TESTS`"));
/// ```
pub fn zero_tests() -> String {
    "0 tests were asked for, so nothing was tested, and a property that was not tested does not pass.\nSet `tests`, or \
     `FORALL_TESTS`, to at least 1. To leave a property out, mark it `#[ignore]`."
        .to_owned()
}

/// Sizes as large as this make no input that could be kept.
///
/// ```
/// assert!(forall::report::advice::size_too_large(u32::MAX, 1_000_000).contains("at most 1,000,000"));
/// ```
pub fn size_too_large(size: u32, most: u32) -> String {
    format!(
        "A size of {} makes collections of that many elements, and no input of more than {} choices can be kept.\nSet `size`, or \
         `FORALL_SIZE`, to at most {}; where one collection must be larger, give it a length: `vec(any::<u8>()).len(…)`.",
        number(u64::from(size)),
        number(u64::from(most)),
        number(u64::from(most))
    )
}

/// The time was up before a single test was valid, or before as many as were asked for.
///
/// ```
/// use std::time::Duration;
/// assert!(forall::report::advice::time_ran_out(0, 256, Duration::from_secs(2)).contains("0 of 256 tests"));
/// ```
pub fn time_ran_out(valid: u64, wanted: u64, limit: Duration) -> String {
    let why = if valid == 0 { "Nothing was tested." } else { "The run tested less than was asked for." };
    format!(
        "The time limit of {} was reached after {} of {}. {why}\nRaise `time` or `FORALL_TIME`, ask for fewer tests, or make \
         the property faster.",
        time(limit),
        number(valid),
        count(wanted, "test")
    )
}

/// Somebody asked the run to stop.
///
/// ```
/// use forall::report::advice::run_was_stopped;
/// assert!(run_was_stopped(17, 256).contains("after 17 of 256 tests"));
/// ```
pub fn run_was_stopped(valid: u64, wanted: u64) -> String {
    let why = if valid == 0 { "Nothing was tested." } else { "The run tested less than was asked for." };
    format!("The run was stopped after {} of {}. {why}", number(valid), count(wanted, "test"))
}

/// A generator panicked: the check did not run.
///
/// ```
/// use forall::report::advice::generator_panicked;
/// assert!(generator_panicked("xs", "index out of bounds", None).contains("`reject()`"));
/// ```
pub fn generator_panicked(variable: &str, message: &str, location: Option<&Location>) -> String {
    let place = location.map(|location| format!(" at {location}")).unwrap_or_default();
    format!(
        "The generator of `{}` panicked{place}: {}\nThat is no failure of the property: the check did not run. Make the generator \
         total; where there is no value to make, call `reject()` on the source, which discards the test.",
        quoted(variable),
        quoted(message)
    )
}

/// A generator ended the process that it ran in.
///
/// ```
/// use forall::report::advice::generator_crashed;
/// assert!(generator_crashed("the test ended its process: SIGSEGV").contains("SIGSEGV"));
/// ```
pub fn generator_crashed(message: &str) -> String {
    format!(
        "A generator, or the `drop` of what it made, did not come to its end: {}\nThat is no failure of the property: the check \
         did not run. Test what the generators call in a property of its own, on inputs that are made without it.",
        sentence(message)
    )
}

/// What guides a run panicked.
///
/// ```
/// assert!(forall::report::advice::feedback_panicked("index out of bounds").contains("feedback"));
/// ```
pub fn feedback_panicked(message: &str) -> String {
    format!(
        "The feedback or the pool that guides the run panicked: {}\nThat is no failure of the property. Make them total: `None` \
         says that a test is of no use.",
        quoted(message)
    )
}

/// The system gave fewer threads than were asked for.
///
/// ```
/// assert!(forall::report::advice::threads_refused(3, 64, "out of resources").contains("3 of 64"));
/// ```
pub fn threads_refused(got: usize, wanted: usize, error: &str) -> String {
    format!(
        "The system gave {got} of {wanted} threads: {}. The result is the same, later.\nAsk for fewer with `threads` or \
         `FORALL_THREADS`.",
        quoted(error)
    )
}

/// A test failed beside others, and not when it ran alone.
///
/// ```
/// assert!(forall::report::advice::race_with_itself(4).contains("alone"));
/// ```
pub fn race_with_itself(threads: usize) -> String {
    format!(
        "The test failed while tests ran on several threads ({threads}), and passes when it runs alone: the property races with \
         itself, over a file, a port, a directory, a static.\nGive each test its own (`forall::scratch_dir()`; `forall::worker()` is a small \
         number that no other running test has; `own_cwd`), or have it tested on one thread: `serial`."
    )
}

/// Several threads were asked for, and the property may not be shared between them.
///
/// ```
/// assert!(forall::report::advice::not_shared(4).contains("Run::parallel"));
/// ```
pub fn not_shared(threads: usize) -> String {
    format!(
        "{threads} threads were asked for, but this property was not given as one that threads can share: it was tested on \
         one.\nBegin the run with `Run::parallel` instead of `Run::new`."
    )
}

/// Several threads were asked for, and this crate was built without them.
///
/// ```
/// assert!(forall::report::advice::threads_need_feature(4).contains("cargo add --dev forall --features threads"));
/// ```
pub fn threads_need_feature(threads: usize) -> String {
    format!(
        "{threads} threads were asked for, but the feature `threads` is not switched on: the property was tested on one.\nRun \
         `cargo add --dev forall --features threads`, or add `\"threads\"` to the `features` of forall in Cargo.toml."
    )
}

/// Several threads were asked for, and the property says that it cannot run beside itself.
///
/// ```
/// assert!(forall::report::advice::is_serial(4).contains("one thread"));
/// ```
pub fn is_serial(threads: usize) -> String {
    format!("{threads} threads were asked for, but the property is `serial`: it was tested on one thread.")
}

/// A thread cannot have a current directory of its own.
///
/// ```
/// assert!(forall::report::advice::no_own_cwd("operation not permitted").contains("scratch_dir"));
/// ```
pub fn no_own_cwd(error: &str) -> String {
    format!(
        "`own_cwd` asks for a current directory for each thread, and the system does not give one: {}.\nLeave `own_cwd` out. A test \
         that needs files can use the paths in `forall::scratch_dir()`, and start its programs there by `Command::current_dir`.",
        quoted(error)
    )
}

/// A score is not a number.
///
/// ```
/// assert!(forall::report::advice::score_is_nan().contains("NaN"));
/// ```
pub fn score_is_nan() -> String {
    "A score is NaN, which is neither high nor low: that test was of no use to the search.\nMake `target!`, or the feedback, \
     give a number."
        .to_owned()
}

/// A value breaks what the contract of its variable promises. `text` is the contract as it was written, or empty.
///
/// ```
/// use forall::property::Maker;
/// use forall::report::advice::contract_broken;
/// let text = contract_broken("n", "n % 2 == 0", "7", Maker::Mutator);
/// assert!(text.contains("mutator of `n` made a value that breaks its contract `n % 2 == 0`"));
/// ```
pub fn contract_broken(variable: &str, text: &str, value: &str, who: Maker) -> String {
    let contract = if text.is_empty() { "its contract".to_owned() } else { format!("its contract `{}`", quoted(text)) };
    format!(
        "The {who} of `{variable}` made a value that breaks {contract}:\n    {variable} = {}\nThat is a fault of the {who}, not \
         of the property: the check did not run. Correct the {who}, or the contract if it promises too much.",
        quoted(value)
    )
}

/// A generator was put together in a way that makes no sense, such as from an empty range.
///
/// ```
/// let text = forall::report::advice::misused("n", "the range 10..0 is empty: it ends before it begins");
/// assert!(text.starts_with("The generator of `n` cannot make any value: the range 10..0 is empty"));
/// ```
pub fn misused(variable: &str, message: &str) -> String {
    format!(
        "The generator of `{}` cannot make any value: {}\nCorrect the generator. If an earlier variable can make it empty, say \
         so with an `implies` before it, and those tests are discarded.",
        quoted(variable),
        sentence(message)
    )
}

/// The same choices made different values.
///
/// ```
/// assert!(forall::report::advice::generator_not_deterministic().contains("same choices"));
/// ```
pub fn generator_not_deterministic() -> String {
    "The same choices led the generator to draw differently when it ran again: it depends on something beside its source, such \
     as the clock, a global, an address or the order of a hash map. Its counterexamples cannot be shrunk or replayed \
     faithfully.\nDraw everything random from the source, and sort what comes out of a hash map."
        .to_owned()
}

/// The same choices made another value of a variable: first `one`, then `other`.
///
/// ```
/// let text = forall::report::advice::generator_makes_other_values("n", "41", "42");
/// assert!(text.starts_with("The same choices made `n` = 41, and 42 when"));
/// ```
pub fn generator_makes_other_values(variable: &str, one: &str, other: &str) -> String {
    format!(
        "The same choices made `{variable}` = {}, and {} when its generator ran again: it depends on something beside its \
         source, such as the clock, a global or the order of a hash map. The value shown need not be the one that failed. Draw \
         everything random from the source, and sort what comes out of a hash map.",
        shorten(&one_line(one), MAX_VALUE),
        shorten(&one_line(other), MAX_VALUE)
    )
}

/// `FORALL_DO` asks for a property that no test reached.
///
/// ```
/// assert!(forall::report::advice::no_such_property("nope").contains("`nope`"));
/// ```
pub fn no_such_property(name: &str) -> String {
    format!(
        "FORALL_DO asks for the property `{}`, which none of the tests has that ran: nothing was done.\nWrite the name as reports do, \
         with its crate and modules (`FORALL_DO=list` lists those of a test binary), and let the filter of `cargo test` reach \
         its test.",
        quoted(name)
    )
}

/// A demand of `cover!` is not met, for all that can be known: the true share is between the two of `within`.
///
/// ```
/// let text = forall::report::advice::cover_not_met("empty", 20.0, 90, 1000, (0.05, 0.14));
/// assert!(text.contains("`empty` was covered by 9.0 % of 1,000 tests, and 20 % were demanded"), "{text}");
/// assert!(text.contains("between 5.0 % and 14.0 %"), "{text}");
/// ```
pub fn cover_not_met(label: &str, wanted: f64, hits: u64, valid: u64, within: (f64, f64)) -> String {
    let (low, high) = within;
    let sure = match low < high {
        true => format!(
            "The share that the generator gives is between {:.1} % and {:.1} %; the chance that this is wrong is one in a \
             billion.",
            low * 100.0,
            high * 100.0
        ),
        false => "These are all inputs.".to_owned(),
    };
    format!(
        "`{}` was covered by {} of {}, and {wanted} % were demanded. {sure}\nMake the generator reach it more often (`one_of`, \
         `frequency`, a narrower range), or demand less.",
        quoted(label),
        percent(hits, valid),
        count(valid, "test")
    )
}

/// A demand of `cover!` is not known to be met.
///
/// ```
/// let text = forall::report::advice::cover_unmet("empty", 10.0, 3, 256);
/// assert!(text.contains("`empty` was covered by 1.2 % of 256 tests, and 10 % were demanded"));
/// ```
pub fn cover_unmet(label: &str, wanted: f64, hits: u64, valid: u64) -> String {
    format!(
        "`{}` was covered by {} of {}, and {wanted} % were demanded: that is not enough to be sure. Tests that rarely reach a \
         case say little about it.\nMake the generator reach it more often (`one_of`, `frequency`, a narrower range), run more tests, or demand less.",
        quoted(label),
        percent(hits, valid),
        count(valid, "test")
    )
}

/// The panic hook was replaced while the property ran.
///
/// ```
/// assert!(forall::report::advice::hook_replaced().contains("panic hook"));
/// ```
pub fn hook_replaced() -> String {
    "The place of the panic is not known: the panic hook was replaced, by this property or by another test of the process, or a \
     panic that was caught was resumed.\nCall `std::panic::set_hook` before the run, once, and not from the body; and `unwrap` what `join` returns instead \
     of resuming it."
        .to_owned()
}

/// The value of a seed setting is no number.
///
/// ```
/// assert!(forall::report::advice::seed_does_not_parse("0xZZ").contains("FORALL_SEED=0xZZ"));
/// ```
pub fn seed_does_not_parse(value: &str) -> String {
    setting_does_not_parse(
        "FORALL_SEED",
        value,
        "a number up to 2^64 - 1, decimal or hexadecimal, such as `7` or `0x1f`",
    )
}

/// The value of a setting in the environment is not what it must be.
///
/// ```
/// let text = forall::report::advice::setting_does_not_parse("FORALL_TIME", "soon", "a time such as `30s`");
/// assert_eq!(text, "`FORALL_TIME=soon` is not understood: expected a time such as `30s`.\nCorrect it or unset it; the property was not run.");
/// ```
pub fn setting_does_not_parse(variable: &str, value: &str, expected: &str) -> String {
    let value = quoted(value);
    format!(
        "`{variable}={value}` is not understood: expected {expected}.\nCorrect it or unset it; the property was not run."
    )
}

/// Somebody asked for coverage, and the program was built without instrumentation.
///
/// ```
/// assert!(forall::report::advice::not_instrumented().contains("cargo forall fuzz"));
/// ```
pub fn not_instrumented() -> String {
    "This program was built without instrumentation, so nobody can see which of its branches a test takes.\nRun `cargo \
     forall fuzz PROPERTY`, which builds it instrumented, in a target directory of its own; or any command of cargo that \
     way, as in `cargo forall instrumented test`."
        .to_owned()
}

/// A runner that looks at this process was asked to test in another one.
///
/// ```
/// assert!(forall::report::advice::isolated_coverage().contains("cargo forall fuzz"));
/// ```
pub fn isolated_coverage() -> String {
    "The runner `coverage` sees the branches of this process, and isolated tests run in another one.\nLeave `isolate` and its \
     limits out: `cargo forall fuzz` runs each campaign in a process of its own already, and keeps the input that ends it."
        .to_owned()
}

/// A search was asked to test in another process.
///
/// ```
/// assert!(forall::report::advice::isolated_search().contains("exhaustive"));
/// ```
pub fn isolated_search() -> String {
    "The runner `exhaustive` decides values when they are looked at, in this process, and isolated tests run in another one.\n\
     Leave `isolate` and its limits out, or use another runner."
        .to_owned()
}

/// A property has quantifiers inside that the runner cannot decide.
///
/// ```
/// assert!(forall::report::advice::not_decidable().contains("runner = exhaustive"));
/// ```
pub fn not_decidable() -> String {
    "The property has quantifiers inside (`exists`, `for_all`, `exists_unique`), which are not decidable by this runner: random \
     tests do not tell whether there is a witness.\nUse the exhaustive one: `#[forall::test(runner = exhaustive)]`, or \
     `FORALL_RUNNER=exhaustive`."
        .to_owned()
}

/// A runner that does not exist was asked for.
///
/// ```
/// assert!(forall::report::advice::unknown_runner("fast", &["generational"]).contains("`generational`"));
/// ```
pub fn unknown_runner(name: &str, known: &[&str]) -> String {
    let mut listed = String::new();
    for name in known {
        let comma = if listed.is_empty() { "" } else { ", " };
        listed += &format!("{comma}`{name}`");
    }
    format!(
        "There is no runner called `{}`. There are: {}.\nCorrect `runner` or `FORALL_RUNNER`; the property was not run.",
        quoted(name),
        listed
    )
}

/// Something was asked for that a feature of this crate brings, and the feature is not switched on.
///
/// ```
/// let advice = forall::report::advice::needs_feature("The runner `targeted`", "guided");
/// assert!(advice.contains("cargo add --dev forall --features guided"));
/// ```
pub fn needs_feature(what: &str, feature: &str) -> String {
    format!(
        "{what} is part of the feature `{feature}`, which is not switched on.\nRun `cargo add --dev forall --features {feature}`, \
         or add `\"{feature}\"` to the `features` of forall in Cargo.toml; the property was not run."
    )
}

/// No process can be started to run tests in.
///
/// ```
/// assert!(forall::report::advice::no_process("too many processes").contains("FORALL_ISOLATE=0"));
/// ```
pub fn no_process(why: &str) -> String {
    format!(
        "A process to run tests in cannot be had: {}\nTo run them here, leave `isolate`, `timeout`, `memory` and `stack` out, or \
         set `FORALL_ISOLATE=0`, which switches all of them off.",
        sentence(why)
    )
}

/// A counterexample could not be stored. `error` says where, why, and what can be done about the place.
///
/// ```
/// use forall::report::advice::store_unwritable;
/// assert!(store_unwritable("cannot write .forall: disk full").contains("disk full"));
/// ```
pub fn store_unwritable(error: &str) -> String {
    format!(
        "The counterexample is not stored: {}\nThe run goes on, but the next one will not replay it first; copy what the report \
         says under \"replay\".",
        sentence(error),
    )
}

/// An explicit example, counted from 0, does not meet an assumption.
///
/// ```
/// assert!(forall::report::advice::example_discarded(0).contains("example 1"));
/// ```
pub fn example_discarded(place: usize) -> String {
    format!(
        "The explicit example {} was discarded: it does not meet an assumption, so it tests nothing.\nCorrect it or remove it.",
        place + 1
    )
}

/// The indices that a tool asked for are none.
///
/// ```
/// assert!(forall::report::advice::empty_indices(&(5..3)).contains("5..3"));
/// ```
pub fn empty_indices(indices: &std::ops::Range<u64>) -> String {
    let std::ops::Range { start, end } = indices;
    format!(
        "There is no test with an index in {start}..{end}, so nothing was tested.\nThe end must be above the start."
    )
}

/// Many tests were discarded, in a run that went through all the same.
///
/// ```
/// assert!(forall::report::advice::many_discards(256, 1500, "xs.is_sorted()").contains("xs.is_sorted()"));
/// ```
pub fn many_discards(valid: u64, discarded: u64, clause: &str) -> String {
    format!(
        "{} were discarded for {}, most of them by `{}`. Discarded tests cost time and test nothing, and those that are left may \
         be the small and simple ones.\nGenerate inputs that satisfy the condition instead of discarding those that do not. {SILENCE}",
        count(discarded, "test"),
        count(valid, "valid one"),
        quoted(clause)
    )
}

/// A variable begins like one of ours and means nothing.
///
/// ```
/// assert!(forall::report::advice::unknown_variable("FORALL_TETS").contains("FORALL_TETS"));
/// ```
pub fn unknown_variable(name: &str) -> String {
    if name == "FORALL_PROFILE" {
        return needs_feature("Profiles, with `FORALL_PROFILE` and `forall.toml`,", "profiles");
    }
    format!(
        "There is no setting `{}`: it is ignored.\nSee the table in the documentation of `forall::run::Settings`.",
        quoted(name)
    )
}

/// There is no local find that could be kept.
///
/// ```
/// assert!(forall::report::advice::nothing_to_keep().contains("forall-regressions"));
/// ```
pub fn nothing_to_keep() -> String {
    "There is no local find of this property to keep.\nRun the test until it fails, then keep what it found; what is in \
     forall-regressions/ already needs nothing but a commit."
        .to_owned()
}

/// What was asked for through `FORALL_DO` is not understood.
///
/// ```
/// assert!(forall::report::advice::not_a_command("fly", "there is no such verb").contains("FORALL_DO=fly"));
/// ```
pub fn not_a_command(text: &str, error: &str) -> String {
    format!(
        "`FORALL_DO={}` is not understood: {}\nCopy the whole command from the report; it is quoted for a POSIX shell.",
        quoted(text),
        sentence(error)
    )
}

/// A test took longer than its deadline.
///
/// ```
/// use std::time::Duration;
/// let text = forall::report::advice::deadline_missed(Duration::from_millis(350), Duration::from_millis(200));
/// assert_eq!(text, "the test took 350 ms, and its deadline is 200 ms");
/// ```
pub fn deadline_missed(taken: Duration, deadline: Duration) -> String {
    format!("the test took {}, and its deadline is {}", time(taken), time(deadline))
}

/// An async test waited for longer than its deadline.
///
/// ```
/// use std::time::Duration;
/// let text = forall::report::advice::deadline_missed_waiting(Duration::from_millis(200));
/// assert_eq!(text, "the test was still waiting at its deadline, 200 ms, and was given up");
/// ```
pub fn deadline_missed_waiting(deadline: Duration) -> String {
    format!("the test was still waiting at its deadline, {}, and was given up", time(deadline))
}

/// An async test needs a runtime of tokio and runs under none.
///
/// ```
/// assert!(forall::report::advice::needs_tokio().contains("runtime = tokio"));
/// ```
pub fn needs_tokio() -> String {
    "no runtime of tokio runs this test: write `#[forall::test(runtime = tokio)]`, with the feature `tokio` of forall, or \
     `runtime = function` with a function of yours from a future to its value"
        .to_owned()
}

fn quoted(text: &str) -> String {
    shorten(text.trim(), MAX_QUOTED)
}

/// The text as a sentence: with a full stop, unless it ends in a mark of its own.
fn sentence(text: &str) -> String {
    let text = quoted(text);
    let end: Kind = |c| matches!(c, '.' | '!' | '?' | '…');
    if text.ends_with(end) { text } else { text + "." }
}
