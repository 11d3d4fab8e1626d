//! Rendering facts: what happened, with figures; why it matters; what to do.
//! This is the only place where a [`Fact`] becomes a sentence. [`render`](super::render) names the property and breaks
//! the lines. User-supplied text (messages, values, paths) is truncated here, and escaped when it is printed.

mod generators;
mod isolation;
mod process;
mod replayed;
mod runners;
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

/// The text of a fact after a label such as `warning:`, in lower case. Names, and texts of your own runners, are not changed.
pub(super) fn after_label(fact: &Fact) -> String {
    let text = text(fact);
    let mut characters = text.chars();
    let is_sentence = matches!((characters.next(), characters.next()), (Some('A'..='Z'), Some(' ' | 'a'..='z')));
    match fact {
        Fact::Other { .. } | Fact::WaitsAfterInterrupt => text,
        _ if is_sentence => text[..1].to_lowercase() + &text[1..],
        _ => text,
    }
}

fn text(fact: &Fact) -> String {
    use {generators::*, isolation::*, process::*, replayed::*, runners::*};
    use {searches::*, settings::*, shrinkers::*, threads::*};
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
        Fact::DeadlineMissed { taken, cpu, deadline } => deadline_missed(*taken, *cpu, *deadline),
        Fact::DeadlineMissedWaiting { deadline } => deadline_missed_waiting(*deadline),
        Fact::NoProcess { error } => no_process(error),
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
        Fact::FlakyRace { property } => flaky_race(property),
        Fact::FlakyUnderControl => flaky_under_control(),
        Fact::NotControlled { tests, threads } => not_controlled(*tests, threads),
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
        Fact::NoLongerFails { origin, threads, kept } => no_longer_fails(origin, *threads, *kept),
        Fact::RaceNotReplayed { origin, threads, isolated } => race_not_replayed(origin, *threads, *isolated),
        Fact::StoreUnreadable { path, error } => store_unreadable(path, error),
        Fact::StoreUnlistable { path, error } => store_unlistable(path, error),
        Fact::RegressionUnreadable { path, error } => regression_unreadable(path, error),
        Fact::RegressionsUnclaimed { count, listed } => regressions_unclaimed(*count, listed),
        Fact::SameName { own, other } => same_name(own, other),
        Fact::GeneratorChanged { origin, value } => generator_changed(origin, value),
        Fact::PathChanged { origin, value } => path_changed(origin, value),
        Fact::ChangedAndFails { origin, value } => changed_and_fails(origin, value),
        Fact::NotSearchable { origin, reason } => format!("{origin}: {reason}"),
        Fact::WorkWasCutOff { origin, value, message, times } => work_was_cut_off(origin, value, message, *times),
        Fact::ShrinkingEndedTheProcess { origin } => shrinking_ended_the_process(origin),
        Fact::NowDiscarded { origin } => now_discarded(origin),
        Fact::ScheduleNeedsRace { origin, property } => schedule_needs_race(origin, property),
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
        Fact::BesideOutOfRange { beside, most } => beside_out_of_range(*beside, *most),
        Fact::SizeTooLarge { size, most } => size_too_large(*size, *most),
        Fact::SettingDoesNotParse { variable, value, expected } => setting_does_not_parse(variable, value, expected),
        Fact::SettingUnreadable { setting, error } => setting_unreadable(setting, error),
        Fact::NoProfiles { profile, directory } => no_profiles(profile, directory),
        Fact::ProfilesUnreadable { path, error } => format!("{path} cannot be read: {error}"),
        Fact::ProfilesInvalid { path, line: 0, error, .. } => format!("{path}: {error}"),
        Fact::ProfilesInvalid { path, line, column, error } => format!("{path}:{line}:{column}: {error}"),
        Fact::UnknownVariable { variable } => unknown_variable(variable),
        Fact::UnknownRunner { runner, known } => unknown_runner(runner, known),
        Fact::RunnerNamedTwice { runner, places } => runner_named_twice(runner, places),
        Fact::RunnerPanicked { runner, message } => runner_panicked(runner, message),
        Fact::RunnerReportedAnother { runner, property } => runner_reported_another(runner, property),
        Fact::RunnerDidNotFinish { runner } => runner_did_not_finish(runner),
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
        Fact::CheckpointUnusable { path, error } => checkpoint_unusable(path, error),
        Fact::FoundMeanwhile { message, path } => found_meanwhile(message, path.as_deref()),
        Fact::PastKnown { failures, tests } => past_known(*failures, *tests),
        Fact::UnusableName { property } => unusable_name(property),
        Fact::NoSuchProperty { property } => no_such_property(property),
        Fact::NotACommand { command, error } => not_a_command(command, error),
        Fact::UnknownCommand { command } => unknown_command(command),
        Fact::LiteralsUnreadable { variable, path, error } => literals_unreadable(variable, path, error),
        Fact::NoLiteral { variable, path, line, text } => no_literal(variable, path, *line, text),

        Fact::NotDecidable => not_decidable(),
        Fact::SearchGeneratorPanicked { message } => search_generator_panicked(message),
        Fact::SearchEndless { input } => search_endless(input),
        Fact::SearchStrayed { variable, quantifier } => search_strayed(variable.as_deref(), quantifier.as_deref()),
        Fact::SearchLookedLate => search_looked_late(),
        Fact::SearchUnsteady => search_unsteady(),
        Fact::SearchDoesNotRepeat => search_does_not_repeat(),
        Fact::SearchDiscardedAll { tests } => search_discarded_all(*tests),
        Fact::NothingToSearch { depth } => nothing_to_search(*depth),
        Fact::SearchUnfinished { depth, evaluations } => search_unfinished(*depth, *evaluations),
        Fact::NoEvaluations => no_evaluations(),
        Fact::PrunesNothing { rejected, depth } => prunes_nothing(*rejected, *depth),

        Fact::RaceWithItself { threads } => race_with_itself(*threads),
        Fact::FailedInAnotherWay { threads, message } => failed_in_another_way(*threads, message),
        Fact::ThreadsRefused { got, wanted, error } => threads_refused(*got, *wanted, error),
        Fact::NotShared { threads } => not_shared(*threads),
        Fact::ThreadsNeedFeature { threads } => threads_need_feature(*threads),
        Fact::IsSerial { threads } => is_serial(*threads),
        Fact::RunnerOnOneThread { runner, threads } => runner_on_one_thread(runner, *threads),
        Fact::RunnerWithoutExtraTime { runner } => runner_without_extra_time(runner),
        Fact::NoOwnCwd { error } => no_own_cwd(error),
        Fact::WaitsAfterInterrupt => waits_after_interrupt(),
        Fact::ThreadsPanicked { times, last } => threads_panicked(*times, last),
        Fact::StrayPanics { times, last } => stray_panics(*times, last),
        Fact::StillRunning { property, test, index, seed, tests, taken } => {
            still_running(property, test.as_deref(), (*index, *seed, *tests), *taken)
        }
        Fact::FailedMeanwhile { message, path } => failed_meanwhile(message, path.as_deref()),
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

/// User-supplied text is truncated to this many columns in messages.
const MAX_QUOTED: usize = 300;
/// Values in running text are truncated to this many columns.
const MAX_VALUE: usize = 60;

/// More than `ratio` tests were discarded for each valid one. `clause` discarded most of them: the source of an
/// assumption, or the name of a variable whose generator gave up; empty if unknown.
fn too_many_discards(valid: u64, discarded: u64, clause: &str, ratio: u64) -> String {
    let share = largest_share(valid, valid.saturating_add(discarded)) * 100.0;
    let by = by_clause(clause, "most of them by ");
    if valid == 0 {
        return format!(
            "No valid test ran, and {}{by}. Nothing was tested: the condition may hold for no input at all; with 99 % \
             confidence, it holds for less than {share:.2} % of them.\n{GENERATE}, and check that the condition can \
             hold.",
            were_discarded(discarded)
        );
    }
    format!(
        "Only {} ran and {}{by}. With more than {ratio} discards for each valid test, there are too few valid tests \
         for the property to pass. With 99 % confidence, less than {share:.2} % of the inputs satisfy the \
         condition.\n{GENERATE}; or allow more discards with `discard_ratio` or `FORALL_DISCARD_RATIO={}`.",
        count(valid, "valid test"),
        were_discarded(discarded),
        suggestion(valid, discarded)
    )
}

/// The domain was tested exhaustively, and every input was discarded. `clause` is as in [`too_many_discards`].
fn all_discarded(discarded: u64, clause: &str) -> String {
    let by = by_clause(clause, "by ");
    let all =
        if discarded == 1 { "The only input was".to_owned() } else { format!("All {} inputs were", number(discarded)) };
    format!(
        "{all} discarded{by}. Nothing was tested: the condition holds for no input.\n{GENERATE}, or correct the condition."
    )
}

/// No test was valid.
fn all_were_discarded(tests: u64) -> String {
    if tests == 1 {
        "The only test was discarded".to_owned()
    } else {
        format!("All {} tests were discarded", number(tests))
    }
}

fn were_discarded(tests: u64) -> String {
    number(tests) + if tests == 1 { " was discarded" } else { " were discarded" }
}

/// What discarded the tests. A plain name is that of a variable, whose generator discarded them.
fn by_clause(clause: &str, by: &str) -> String {
    if clause.is_empty() {
        return String::new();
    }
    let is_name = clause.chars().all(|c| c == '_' || c.is_alphanumeric());
    format!(", {by}{}`{}`", if is_name { "the generator of " } else { "" }, quoted(clause))
}

const GENERATE: &str = "Generate inputs that satisfy the condition (build them, or use a narrower range) instead of discarding those \
                        that do not";

/// How to disable health warnings.
const SILENCE: &str = "To disable this warning, set `health = off` or `FORALL_HEALTH=0`.";

/// The upper bound of the share of hits, with 99 % confidence: the end of Wilson's interval.
fn largest_share(hits: u64, tests: u64) -> f64 {
    /// The one-sided 99 % quantile of the normal distribution.
    const DEVIATIONS: f64 = 2.326;
    let n = tests.max(1) as f64;
    let (share, z2) = (hits as f64 / n, DEVIATIONS * DEVIATIONS / n);
    ((share + z2 / 2.0 + (share * (1.0 - share) * z2 + z2 * z2 / 4.0).sqrt()) / (1.0 + z2)).min(1.0)
}

/// A discard ratio with which the run would have continued, rounded up to a multiple of ten.
fn suggestion(valid: u64, discarded: u64) -> u64 {
    let needed = discarded.div_ceil(valid.max(1)).saturating_mul(2);
    needed.div_ceil(10).saturating_mul(10)
}

/// An assumption does not hold on a thread that belongs to no test.
fn assumed_outside_of_a_test(text: &str) -> String {
    format!(
        "assumption does not hold: {} (this thread does not belong to a test. If a test spawned it, attach it: `let \
         test = forall::context();` before, and `test.enter(|| …)` in the thread; then the test is discarded)",
        quoted(text)
    )
}

/// The body prints, and ran `runs` times for this report.
fn body_prints(runs: u64) -> String {
    format!(
        "the body prints, and ran about {} to shrink and explain this input: the output above comes from all of these \
         runs. Use `note!(…)` instead to print it once, for the minimal counterexample.",
        count(runs, "time")
    )
}

/// Generating is slow: `mean` for each of `tests` tests, this `share` (0 to 1) of the run's time.
fn slow_generation(mean: Duration, tests: u64, share: f64) -> String {
    format!(
        "Generating an input took {} on average over {}, {:.0} % of the run's time. Slow generators leave little time \
         for testing and slow down shrinking.\nGenerate smaller values (`FORALL_SIZE=30`, shorter collections), move \
         expensive set-up out of the generator, or compute values that only the check needs in the check. {SILENCE}",
        time(mean),
        count(tests, "test"),
        share * 100.0
    )
}

/// Inputs are large: `mean` choices on average over `tests` tests.
fn large_inputs(mean: u64, tests: u64) -> String {
    format!(
        "Inputs are large: {} on average over {}. Large inputs are slow to generate and to shrink, and small ones find \
         most bugs.\nBound the collections (`vec(any::<T>()).len(..=20)`), lower the size (`size = 30`, \
         `FORALL_SIZE=30`), or \
         give recursive generators a smaller bound. {SILENCE}",
        count(mean, "choice"),
        count(tests, "test")
    )
}

/// The time limit was reached before enough tests were valid.
fn time_ran_out(valid: u64, wanted: u64, limit: Duration) -> String {
    format!(
        "The time limit of {} was reached after {}\nRaise `max_time` or `FORALL_MAX_TIME`, run fewer tests, or make the \
         property faster.",
        time(limit),
        so_far(valid, wanted)
    )
}

/// The run was cancelled.
fn run_was_stopped(valid: u64, wanted: u64) -> String {
    format!("The run was stopped after {} Run it again to test the rest.", so_far(valid, wanted))
}

/// Returns the number of tests that ran, and what that means. An unlimited run has no requested number.
fn so_far(valid: u64, wanted: u64) -> String {
    let why = if valid == 0 { "Nothing was tested." } else { "Fewer tests ran than requested." };
    let of = if wanted == u64::MAX { String::new() } else { format!("{} of ", number(valid)) };
    format!("{of}{}. {why}", count(if of.is_empty() { valid } else { wanted }, "test"))
}

/// The feedback or the pool of a guided run panicked.
fn feedback_panicked(message: &str) -> String {
    format!(
        "The feedback or the pool of the guided run panicked: {}\nThis is not a failure of the property. Make both \
         total: return `None` for a test without feedback.",
        quoted(message)
    )
}

/// A score is NaN.
fn score_is_nan() -> String {
    "A score is NaN, so the search ignored that test.\nPass a number to `target!`, or return one from the feedback."
        .to_owned()
}

/// A `cover!` requirement is not met: the true share is between the two of `within`.
fn cover_not_met(label: &str, wanted: f64, hits: u64, valid: u64, within: (f64, f64)) -> String {
    let (low, high) = within;
    let sure = match low < high {
        true => format!(
            "The true share is between {:.1} % and {:.1} %, with an error probability of one in a billion.",
            low * 100.0,
            high * 100.0
        ),
        false => "All inputs were tested.".to_owned(),
    };
    format!(
        "{} of {} covered `{}`, but {wanted} % is required. {sure}\nMake the generator produce it more often \
         (`one_of`, `frequency`, a narrower range), or require less.",
        percent(hits, valid),
        count(valid, "test"),
        quoted(label)
    )
}

/// It is undecided whether a `cover!` requirement is met.
fn cover_unmet(label: &str, wanted: f64, hits: u64, valid: u64) -> String {
    format!(
        "{} of {} covered `{}`, but {wanted} % is required: too few tests to decide whether the requirement is \
         met.\nMake the generator produce it more often (`one_of`, `frequency`, a narrower range), run more tests, or \
         require less.",
        percent(hits, valid),
        count(valid, "test"),
        quoted(label)
    )
}

/// The panic hook was replaced while the property ran.
fn hook_replaced() -> String {
    "The location of the panic is unknown: the panic hook was replaced, by this property or by another test of the \
     process, or a caught panic was resumed.\nCall `std::panic::set_hook` once before the run, not from the body; and \
     `unwrap` the result of `join` instead of resuming the panic."
        .to_owned()
}

/// The process for isolated tests cannot be started.
fn no_process(error: &str) -> String {
    format!(
        "The process for isolated tests could not be started: {}\nTo run the tests in this process, remove `isolate`, \
         `timeout`, `memory` and `stack`, or set `FORALL_ISOLATE=0`, which disables all of them.",
        sentence(error)
    )
}

/// A counterexample could not be saved. `error` says where, why, and what to do.
fn store_unwritable(error: &str) -> String {
    format!(
        "The counterexample was not saved: {}\nThe run continues, but the next one will not replay it; copy the \
         `replay:` command from the report.",
        sentence(error),
    )
}

/// An explicit example, counted from 0, does not satisfy an assumption.
fn example_discarded(place: u64) -> String {
    format!(
        "Explicit example {} was discarded: it does not satisfy an assumption, so it tests nothing.\nCorrect it or \
         remove it.",
        place + 1
    )
}

/// Many tests were discarded in a run that passed.
fn many_discards(valid: u64, discarded: u64, clause: &str) -> String {
    let by = by_clause(clause, "most of them by ");
    format!(
        "{} were discarded for {}{by}. Discarded tests cost time and test nothing, and the valid ones may be mostly \
         small and simple.\nGenerate inputs that satisfy the condition instead of discarding those that do not. \
         {SILENCE}",
        count(discarded, "test"),
        count(valid, "valid one")
    )
}

/// A test took longer than its deadline.
fn deadline_missed(taken: Duration, cpu: Option<Duration>, deadline: Duration) -> String {
    let cpu = cpu.map_or(String::new(), |cpu| format!(" ({} of CPU time)", time(cpu)));
    format!("the test took {}{cpu}, longer than its deadline of {}", time(taken), time(deadline))
}

/// An async test waited for longer than its deadline.
fn deadline_missed_waiting(deadline: Duration) -> String {
    format!(
        "the test was still waiting at its deadline of {} and was cancelled; to allow more time, set `deadline`",
        time(deadline)
    )
}

fn quoted(text: &str) -> String {
    shorten(text.trim(), MAX_QUOTED)
}

/// The text with a final full stop, unless it ends in punctuation.
fn sentence(text: &str) -> String {
    let text = quoted(text);
    let end: Kind = |c| matches!(c, '.' | '!' | '?' | '…');
    if text.ends_with(end) { text } else { text + "." }
}
