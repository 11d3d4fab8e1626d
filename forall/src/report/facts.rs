//! Facts as text: what was seen, with figures; why it matters; what to do.
//!
//! This is the only place where a [`Fact`] becomes a sentence. [`render`](super::render) names the property and breaks the lines. Text that
//! comes from outside (messages, values, paths) is made safe when it is shown, and shortened here.

mod generators;
mod isolation;
mod process;
mod replayed;
mod searches;
mod settings;
mod shrinkers;
mod threads;

use crate::fact::Fact;
use crate::kind::Kind;
use crate::text::{count, number, percent, shorten, time, visible};
use std::fmt;
use std::time::Duration;

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self))
    }
}

fn text(fact: &Fact) -> String {
    use {generators::*, isolation::*, process::*, replayed::*, searches::*, settings::*, shrinkers::*, threads::*};
    match fact {
        Fact::Other { text } => text.clone(),
        Fact::TimeLimit { valid, wanted, limit } => time_ran_out(*valid, *wanted, *limit),
        Fact::Stopped { valid, wanted } => run_was_stopped(*valid, *wanted),
        Fact::TooManyDiscards { valid, discarded, clause, ratio } => {
            too_many_discards(*valid, *discarded, clause, *ratio)
        }
        Fact::AllDiscarded { discarded, clause } => all_discarded(*discarded, clause),
        Fact::ManyDiscards { valid, discarded, clause } => many_discards(*valid, *discarded, clause),
        Fact::SlowGeneration { mean, tests, share } => slow_generation(*mean, *tests, *share),
        Fact::LargeInputs { choices, tests } => large_inputs(*choices, *tests),
        Fact::CoverNotMet { label, percent, hits, valid, low, high } => {
            cover_not_met(label, *percent, *hits, *valid, (*low, *high))
        }
        Fact::CoverUndecided { label, percent, hits, valid } => cover_unmet(label, *percent, *hits, *valid),
        Fact::ExampleDiscarded { place } => example_discarded(*place),
        Fact::FeedbackPanicked { message } => feedback_panicked(message),
        Fact::ScoreIsNan => score_is_nan(),
        Fact::HookReplaced => hook_replaced(),
        Fact::BodyPrints { runs } => body_prints(*runs),
        Fact::AssumedOutsideOfATest { condition } => assumed_outside_of_a_test(condition),
        Fact::DeadlineMissed { taken, deadline } => deadline_missed(*taken, *deadline),
        Fact::DeadlineMissedWaiting { deadline } => deadline_missed_waiting(*deadline),
        Fact::NoProcess { why } => no_process(why),
        Fact::StoreUnwritable { error } => store_unwritable(error),
        Fact::StoreTrouble { error } => error.clone(),

        Fact::TooFewOperations { variable, discarded, found, least } => {
            too_few_operations(variable, *discarded, *found, *least)
        }
        Fact::TooFewDifferent { variable, discarded, found, least } => {
            too_few_different(variable, *discarded, *found, *least)
        }
        Fact::GeneratorPanicked { variable, message, place } => generator_panicked(variable, message, place.as_deref()),
        Fact::GeneratorCrashed { message } => generator_crashed(message),
        Fact::ContractBroken { variable, contract, value, by } => contract_broken(variable, contract, value, by),
        Fact::Misuse { variable, message } => misused(variable, message),
        Fact::SenselessSpecification { what } => senseless_specification(what),
        Fact::NotDeterministic => generator_not_deterministic(),
        Fact::OtherValue { variable, first, second } => generator_makes_other_values(variable, first, second),
        Fact::InputTooLarge { variable, limit } => input_too_large(variable, *limit),
        Fact::EndlessDraws { source, limit } => endless_draws(source, *limit),
        Fact::DrawnOnSeveralThreads { source } => drawn_on_several_threads(source),
        Fact::Unrecorded { limit } => unrecorded(*limit),
        Fact::BeginningOfUnrecorded { limit } => beginning_of_unrecorded(*limit),

        Fact::ShrinkerPanicked { variable, message, place } => shrinker_panicked(variable, message, place.as_deref()),
        Fact::ShrinkerReturnsTheValue { variable } => shrinker_returns_the_value(variable),
        Fact::ShrinkerGoesInCircles { variable } => shrinker_goes_in_circles(variable),
        Fact::ShrinkerOnlyGrows { variable } => shrinker_only_grows(variable),
        Fact::TooManySteps { steps } => too_many_steps(*steps),
        Fact::MostlyRejected { rejected, tried } => mostly_rejected(*rejected, *tried),
        Fact::ExplanationSlow { runs } => explained_by_the_clock(*runs),
        Fact::FlakyAndLost { runs } => flaky_and_lost(*runs),
        Fact::FlakyWhenSimpler => flaky_when_simpler(),
        Fact::NeverPassed => never_passed(),
        Fact::StateLeftBehind { index, input, runs } => state_left_behind(*index, input, *runs),
        Fact::EvaluationsSpent { evaluations } => evaluations_spent(*evaluations),
        Fact::ShrinkTimeSpent { taken } => shrink_time_spent(*taken),
        Fact::RetriesSpent { runs } => retries_spent(*runs),
        Fact::LastFailedTwice => last_failed_twice(),
        Fact::ExplanationSpent { runs } => explanation_spent(*runs),
        Fact::ExplanationOfLargeValues { runs } => explanation_of_large_values(*runs),
        Fact::ExplanationOfSlowRuns { runs } => explanation_of_slow_runs(*runs),
        Fact::RunStopped => when_the_run_was_stopped(),

        Fact::StillFails { origin } => still_fails(origin),
        Fact::NoLongerFails { origin, kept } => no_longer_fails(origin, *kept),
        Fact::StoreUnreadable { path, error } => store_unreadable(path, error),
        Fact::StoreUnlistable { path, error } => store_unlistable(path, error),
        Fact::RegressionUnreadable { path, error } => regression_unreadable(path, error),
        Fact::RegressionsUnclaimed { count, listed } => regressions_unclaimed(*count, listed),
        Fact::SameName { own, other } => same_name(own, other),
        Fact::GeneratorChanged { origin, value } => generator_changed(origin, value),
        Fact::PathChanged { origin, value } => path_changed(origin, value),
        Fact::ChangedAndFails { origin, value } => changed_and_fails(origin, value),
        Fact::NotSearchable { origin, why } => format!("{origin}: {why}"),
        Fact::WorkWasCutOff { origin, value, message, times } => work_was_cut_off(origin, value, message, *times),
        Fact::ShrinkingEndedTheProcess { origin } => shrinking_ended_the_process(origin),
        Fact::NowDiscarded { origin } => now_discarded(origin),
        Fact::GivenInputChanged => given_input_means_nothing(true),
        Fact::GivenInputDiscarded => given_input_means_nothing(false),

        Fact::NothingToKeep => nothing_to_keep(),
        Fact::CorpusIsNoDirectory { scheme } => corpus_is_no_directory(scheme),
        Fact::CorpusIsMissing { path } => corpus_is_missing(path),
        Fact::CorpusIsNone { path } => corpus_is_none(path),
        Fact::CorpusIsOfAnotherVersion { path, found } => corpus_is_of_another_version(path, found),
        Fact::SeedSkipped { path, error } => format!("{} is not used: {error}; delete it", visible(path)),
        Fact::SeedsSkipped { count } => format!("{count} more files there are not used; delete them"),
        Fact::ZeroTests => zero_tests(),
        Fact::ZeroThreads => zero_threads(),
        Fact::SizeTooLarge { size, most } => size_too_large(*size, *most),
        Fact::SettingDoesNotParse { variable, value, expected } => setting_does_not_parse(variable, value, expected),
        Fact::Setting { problem } => problem.clone(),
        Fact::UnknownVariable { variable } => unknown_variable(variable),
        Fact::UnknownRunner { runner, known } => unknown_runner(runner, known),
        Fact::NeedsFeature { what, feature } => needs_feature(what, feature),
        Fact::IgnoredWithoutFeature { what, feature } => ignored_without_feature(what, feature),
        Fact::NeedsTokio => needs_tokio(),
        Fact::TaskPanicked => task_panicked(),
        Fact::NotInstrumented => not_instrumented(),
        Fact::CoverageNeedsLinux => coverage_needs_linux(),
        Fact::IsolatedCoverage => isolated_coverage(),
        Fact::IsolatedSearch => isolated_search(),
        Fact::IsolationNeedsEntry => isolation_needs_entry(),
        Fact::IsolationNeedsLinux => isolation_needs_linux(),
        Fact::IsolatedInside => isolated_inside(),
        Fact::TighterInside { limit } => tighter_inside(limit),
        Fact::ZeroTimeout => zero_timeout(),
        Fact::StackTooSmall { stack, least } => stack_too_small(*stack, *least),
        Fact::SearchIsNotSplit => search_is_not_split(),
        Fact::EmptyIndices { start, end } => empty_indices(*start, *end),
        Fact::EmptyShard { tests } => empty_shard(*tests),
        Fact::UnusableName { property } => unusable_name(property),
        Fact::NoSuchProperty { property } => no_such_property(property),
        Fact::NotACommand { command, error } => not_a_command(command, error),
        Fact::UnknownCommand { command } => unknown_command(command),
        Fact::LiteralsUnreadable { variable, path, error } => literals_unreadable(variable, path, error),
        Fact::NoLiteral { variable, path, line, text } => no_literal(variable, path, *line, text),

        Fact::NotDecidable => not_decidable(),
        Fact::SearchFaulty { why } => why.clone(),
        Fact::SearchDiscardedAll { tests } => search_discarded_all(*tests),
        Fact::NothingToSearch { depth } => nothing_to_search(*depth),
        Fact::SearchUnfinished { depth, evaluations } => search_unfinished(*depth, *evaluations),
        Fact::NoEvaluations => no_evaluations(),

        Fact::RaceWithItself { threads } => race_with_itself(*threads),
        Fact::ThreadsRefused { got, wanted, error } => threads_refused(*got, *wanted, error),
        Fact::NotShared { threads } => not_shared(*threads),
        Fact::ThreadsNeedFeature { threads } => threads_need_feature(*threads),
        Fact::IsSerial { threads } => is_serial(*threads),
        Fact::NoOwnCwd { error } => no_own_cwd(error),
        Fact::WaitsAfterInterrupt => waits_after_interrupt(),
        Fact::ThreadsPanicked { times, last } => threads_panicked(*times, last),
        Fact::StrayPanics { times, last } => stray_panics(*times, last),
        Fact::StillRunning { property, test, index, seed, tests, taken } => {
            still_running(property, test.as_deref(), (*index, *seed, *tests), *taken)
        }
        Fact::StillRunningInput { property, taken } => still_running_input(property, *taken),
        Fact::StillAtTest { property, index, seed, taken } => still_at_test(property, (*index, *seed), *taken),
        Fact::MayDrawWithoutEnd { limit } => may_draw_without_end(*limit),
        Fact::PanickedTwice { property, index, seed, panics } => panicked_twice(property, *index, *seed, panics),
        Fact::Exited { property, index, seed } => exited(property, *index, *seed),
        Fact::ExitedWhile { property, doing, input } => exited_while(property, doing, input),
        Fact::KilledBySignal { signal } => killed_by_signal(*signal),
        Fact::CalledExit => called_exit(),
        Fact::Hung { limit } => hung(*limit),
        Fact::CrashDidNotRepeat { earlier } => crash_did_not_repeat(*earlier),
        Fact::CrashHistoryTooLong { earlier } => crash_history_too_long(*earlier),
        Fact::NothingWasRunning => nothing_was_running(),
        Fact::InputNotWritten { path, error } => input_not_written(path, error),
    }
}

/// Foreign text is repeated up to this many columns.
const MAX_QUOTED: usize = 300;
/// A value among others is repeated up to this many columns.
const MAX_VALUE: usize = 60;

/// More tests were discarded than `ratio` for each valid one. `clause` is what discarded most of them: an assumption as it
/// was written, or the name of a variable whose generator gave up; empty if that is not known.
fn too_many_discards(valid: u64, discarded: u64, clause: &str, ratio: u64) -> String {
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
fn all_discarded(discarded: u64, clause: &str) -> String {
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
fn assumed_outside_of_a_test(text: &str) -> String {
    format!(
        "assumption does not hold: {} (no test of forall runs on this thread. If a test spawned it, let it join: `let test = \
         forall::context();` before, and `test.enter(|| …)` in the thread; then the test is discarded)",
        quoted(text)
    )
}

/// The body prints, and ran `runs` times for one report.
fn body_prints(runs: u64) -> String {
    format!(
        "the body prints, and ran about {} to make this input small and to explain it: what is above comes from all of them. Say it by \
         `note!(…)`, and it is shown once, here.",
        count(runs, "time")
    )
}

/// Generating takes long: `mean` for each of `tests` tests, which is this `share` (0 to 1) of the time of the run.
fn slow_generation(mean: Duration, tests: u64, share: f64) -> String {
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
fn large_inputs(mean: u64, tests: u64) -> String {
    format!(
        "Inputs are large: {} on average over {}. Large inputs are slow to make and slow to shrink, and most bugs show in \
         small ones.\nBound the collections (`vec(any::<T>()).len(..=20)`), lower the size (`size = 30`, `FORALL_SIZE=30`), or \
         give recursive generators a smaller bound. {SILENCE}",
        count(mean, "choice"),
        count(tests, "test")
    )
}

/// The time was up before a single test was valid, or before as many as were asked for.
fn time_ran_out(valid: u64, wanted: u64, limit: Duration) -> String {
    format!(
        "The time limit of {} was reached after {}\nRaise `time` or `FORALL_TIME`, ask for fewer tests, or make the property \
         faster.",
        time(limit),
        so_far(valid, wanted)
    )
}

/// Somebody asked the run to stop.
fn run_was_stopped(valid: u64, wanted: u64) -> String {
    format!("The run was stopped after {} Run it again to test the rest.", so_far(valid, wanted))
}

/// How many tests there were, and what that means. A run that was to go on for ever was asked for no number of them.
fn so_far(valid: u64, wanted: u64) -> String {
    let why = if valid == 0 { "Nothing was tested." } else { "The run tested less than was asked for." };
    let of = if wanted == u64::MAX { String::new() } else { format!("{} of ", number(valid)) };
    format!("{of}{}. {why}", count(if of.is_empty() { valid } else { wanted }, "test"))
}

/// What guides a run panicked.
fn feedback_panicked(message: &str) -> String {
    format!(
        "The feedback or the pool that guides the run panicked: {}\nThat is no failure of the property. Make them total: `None` \
         says that a test is of no use.",
        quoted(message)
    )
}

/// A score is not a number.
fn score_is_nan() -> String {
    "A score is NaN, which is neither high nor low: that test was of no use to the search.\nMake `target!`, or the feedback, \
     give a number."
        .to_owned()
}

/// A demand of `cover!` is not met, for all that can be known: the true share is between the two of `within`.
fn cover_not_met(label: &str, wanted: f64, hits: u64, valid: u64, within: (f64, f64)) -> String {
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
fn cover_unmet(label: &str, wanted: f64, hits: u64, valid: u64) -> String {
    format!(
        "`{}` was covered by {} of {}, and {wanted} % were demanded: that is not enough to be sure. Tests that rarely reach a \
         case say little about it.\nMake the generator reach it more often (`one_of`, `frequency`, a narrower range), run more tests, or demand less.",
        quoted(label),
        percent(hits, valid),
        count(valid, "test")
    )
}

/// The panic hook was replaced while the property ran.
fn hook_replaced() -> String {
    "The place of the panic is not known: the panic hook was replaced, by this property or by another test of the process, or a \
     panic that was caught was resumed.\nCall `std::panic::set_hook` before the run, once, and not from the body; and `unwrap` what `join` returns instead \
     of resuming it."
        .to_owned()
}

/// No process can be started to run tests in.
fn no_process(why: &str) -> String {
    format!(
        "A process to run tests in cannot be had: {}\nTo run them here, leave `isolate`, `timeout`, `memory` and `stack` out, or \
         set `FORALL_ISOLATE=0`, which switches all of them off.",
        sentence(why)
    )
}

/// A counterexample could not be stored. `error` says where, why, and what can be done about the place.
fn store_unwritable(error: &str) -> String {
    format!(
        "The counterexample is not stored: {}\nThe run goes on, but the next one will not replay it first; copy what the report \
         says under \"replay\".",
        sentence(error),
    )
}

/// An explicit example, counted from 0, does not meet an assumption.
fn example_discarded(place: u64) -> String {
    format!(
        "The explicit example {} was discarded: it does not meet an assumption, so it tests nothing.\nCorrect it or remove it.",
        place + 1
    )
}

/// Many tests were discarded, in a run that went through all the same.
fn many_discards(valid: u64, discarded: u64, clause: &str) -> String {
    let by = by_clause(clause, "most of them by ");
    format!(
        "{} were discarded for {}{by}. Discarded tests cost time and test nothing, and those that are left may \
         be the small and simple ones.\nGenerate inputs that satisfy the condition instead of discarding those that do not. {SILENCE}",
        count(discarded, "test"),
        count(valid, "valid one")
    )
}

/// A test took longer than its deadline.
fn deadline_missed(taken: Duration, deadline: Duration) -> String {
    format!("the test took {}, and its deadline is {}", time(taken), time(deadline))
}

/// An async test waited for longer than its deadline.
fn deadline_missed_waiting(deadline: Duration) -> String {
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
