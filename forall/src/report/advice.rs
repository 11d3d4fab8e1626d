//! The texts in which forall speaks of trouble that is not a counterexample. Each says what was seen, with numbers; why it
//! matters; what to do.
//!
//! Runners put them into [`Verdict`](crate::run::Verdict)s and warnings; [`render`](super::render) names the property and
//! breaks the lines. Text that comes from outside (messages, values, paths) is made safe when it is shown, and shortened
//! here.

mod generators;
mod process;
mod replayed;
mod settings;
mod shrinkers;
mod threads;

#[cfg(feature = "extra")]
pub use generators::too_few_operations;
pub use generators::{
    beginning_of_unrecorded, contract_broken, drawn_on_several_threads, endless_draws, generator_crashed,
    generator_makes_other_values, generator_not_deterministic, generator_panicked, input_too_large, misused,
    too_few_different, unrecorded,
};
pub use process::{
    died, exited, exited_while, may_draw_without_end, nothing_was_running, panicked_twice, still_at_test,
    still_running, threads_panicked,
};
#[cfg(feature = "lazy")]
pub use replayed::path_changed;
pub use replayed::{
    Kept, changed_and_fails, generator_changed, given_input_means_nothing, no_longer_fails, now_discarded,
    regression_unreadable, regressions_unclaimed, same_name, shrinking_ended_the_process, still_fails,
    store_unlistable, store_unreadable, work_was_cut_off,
};
#[cfg(feature = "tokio")]
pub use settings::task_panicked;
#[cfg(feature = "campaign")]
pub use settings::{
    corpus_is_missing, corpus_is_no_directory, corpus_is_none, corpus_is_of_another_version, empty_shard,
    search_is_not_split,
};
pub use settings::{
    empty_indices, ignored_without_feature, isolated_coverage, isolated_search, needs_feature, needs_tokio,
    no_such_property, not_a_command, not_instrumented, nothing_to_keep, seed_does_not_parse, setting_does_not_parse,
    size_too_large, unknown_runner, unknown_variable, unusable_name, zero_tests,
};
pub use shrinkers::{
    explained_by_the_clock, flaky_and_lost, flaky_when_simpler, mostly_rejected, never_passed,
    shrinker_goes_in_circles, shrinker_only_grows, shrinker_panicked, shrinker_returns_the_value, state_left_behind,
    too_many_steps,
};
pub use threads::{
    is_serial, no_own_cwd, not_shared, race_with_itself, threads_need_feature, threads_refused, waits_after_interrupt,
};

use super::text::{count, number, percent, shorten, time};
use crate::kind::Kind;
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
    let by = by_clause(clause, "most of them by ");
    if valid == 0 {
        return format!(
            "No valid test ran, and {}{by}. Nothing was tested: the condition may hold for no input at all, and with \
             99 % certainty for less than {share:.2} % of them.\n{GENERATE}, and check that the condition can hold.",
            were_discarded(discarded)
        );
    }
    format!(
        "Only {} ran and {}{by}. More than {ratio} discards for each valid test: too little was tested to say that \
         the property holds. With 99 % certainty less than {share:.2} % of the inputs satisfy the condition.\n{GENERATE}; or allow more with `discard_ratio` \
         or `FORALL_DISCARD_RATIO={}`.",
        count(valid, "valid test"),
        were_discarded(discarded),
        suggestion(valid, discarded)
    )
}

/// All inputs that there are were tried, and each was discarded. `clause` is as in [`too_many_discards`].
///
/// ```
/// let text = forall::report::advice::all_discarded(2, "assume!");
/// assert!(text.starts_with("Of 2 inputs in all, each was discarded, by `assume!`"), "{text}");
/// ```
pub fn all_discarded(discarded: u64, clause: &str) -> String {
    let by = by_clause(clause, "by ");
    format!(
        "Of {} in all, each was discarded{by}. Nothing was tested, and nothing can be: the condition holds for none of \
         them.\n{GENERATE}, or correct the condition.",
        count(discarded, "input")
    )
}

fn were_discarded(tests: u64) -> String {
    number(tests) + if tests == 1 { " was discarded" } else { " were discarded" }
}

/// Who discarded. A name alone is that of a variable, and it is not the variable that does it.
fn by_clause(clause: &str, by: &str) -> String {
    if clause.is_empty() {
        return String::new();
    }
    let is_name = clause.chars().all(|c| c == '_' || c.is_alphanumeric());
    format!(", {by}{}`{}`", if is_name { "the generator of " } else { "" }, quoted(clause))
}

const GENERATE: &str = "Generate inputs that satisfy the condition (build them, or use a narrower range) instead of discarding those \
                        that do not";

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

/// The time was up before a single test was valid, or before as many as were asked for.
///
/// ```
/// use std::time::Duration;
/// assert!(forall::report::advice::time_ran_out(0, 256, Duration::from_secs(2)).contains("0 of 256 tests"));
/// ```
pub fn time_ran_out(valid: u64, wanted: u64, limit: Duration) -> String {
    format!(
        "The time limit of {} was reached after {}\nRaise `time` or `FORALL_TIME`, ask for fewer tests, or make the property \
         faster.",
        time(limit),
        so_far(valid, wanted)
    )
}

/// Somebody asked the run to stop.
///
/// ```
/// use forall::report::advice::run_was_stopped;
/// assert!(run_was_stopped(17, 256).contains("after 17 of 256 tests"));
/// ```
pub fn run_was_stopped(valid: u64, wanted: u64) -> String {
    format!("The run was stopped after {} Run it again to test the rest.", so_far(valid, wanted))
}

/// How many tests there were, and what that means. A run that was to go on for ever was asked for no number of them.
fn so_far(valid: u64, wanted: u64) -> String {
    let why = if valid == 0 { "Nothing was tested." } else { "The run tested less than was asked for." };
    let of = if wanted == u64::MAX { String::new() } else { format!("{} of ", number(valid)) };
    format!("{of}{}. {why}", count(if of.is_empty() { valid } else { wanted }, "test"))
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

/// Many tests were discarded, in a run that went through all the same.
///
/// ```
/// assert!(forall::report::advice::many_discards(256, 1500, "xs.is_sorted()").contains("xs.is_sorted()"));
/// ```
pub fn many_discards(valid: u64, discarded: u64, clause: &str) -> String {
    let by = by_clause(clause, "most of them by ");
    format!(
        "{} were discarded for {}{by}. Discarded tests cost time and test nothing, and those that are left may \
         be the small and simple ones.\nGenerate inputs that satisfy the condition instead of discarding those that do not. {SILENCE}",
        count(discarded, "test"),
        count(valid, "valid one")
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
/// assert_eq!(text, "the test was still waiting at its deadline, 200 ms, and was given up; should it take so long, set `deadline`");
/// ```
pub fn deadline_missed_waiting(deadline: Duration) -> String {
    format!(
        "the test was still waiting at its deadline, {}, and was given up; should it take so long, set `deadline`",
        time(deadline)
    )
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
