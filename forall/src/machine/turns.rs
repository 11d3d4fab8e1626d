//! The schedule of a run for people: which thread was preempted where, and which thread waits for what.

use crate::scheduler::{self, End, Happened, Stuck, Waits};
use crate::text::{count, joined};
use std::fmt::{Debug, Write};

/// The names of the branches and their commands in a report.
pub(super) struct Names {
    pub(super) branches: Vec<Vec<String>>,
    /// Whether the only branch is the prefix.
    pub(super) is_prefix: bool,
}

impl Names {
    /// The names of the commands before the branches.
    pub(super) fn of_prefix(commands: &[impl Debug]) -> Self {
        Self { branches: vec![commands.iter().map(|command| format!("{command:?}")).collect()], is_prefix: true }
    }

    /// The threads that do not end, one per line.
    pub(super) fn waiting(&self, stuck: &[Stuck]) -> String {
        let mut text = "threads that do not end:".to_owned();
        for Stuck { thread, command, waits, place } in stuck {
            let command = self.command(*thread, *command).map_or(String::new(), |command| format!(" in {command}"));
            let place = place.as_ref().map_or(String::new(), |place| format!(", at {place}"));
            let _ = write!(text, "\n    {}{command} {}{place}", self.thread(*thread), self.waits(waits));
        }
        text
    }

    fn waits(&self, waits: &Waits) -> String {
        match waits {
            Waits::Word { with } if with.is_empty() => "waits for a lock, a condition or a message".to_owned(),
            Waits::Word { with } => {
                let with: Vec<String> = with.iter().map(|&thread| self.thread(thread)).collect();
                format!("waits for the same lock, condition or message as {}", joined(&with, " and "))
            }
            Waits::End(thread) => format!("waits for the end of {}", self.thread(*thread)),
            Waits::Time => "sleeps".to_owned(),
            Waits::Outside => "blocks outside of the scheduler's control".to_owned(),
            Waits::Nothing => "runs".to_owned(),
        }
    }

    /// The context switches, one per line, and the number of schedules that were tried until a failure was found, if there was a search.
    pub(super) fn schedule(&self, happened: &Happened, tried: Option<u64>) -> String {
        let Happened { end, plan, switched, uncontrolled } = happened;
        let tried = tried.map_or(String::new(), |tried| format!(", found after {}", count(tried, "schedule")));
        let mut text = format!("schedule with {}{tried}:", count(plan.switches.len() as u64, "preemption"));
        let mut lines = Vec::new();
        for switched in switched {
            let name = self.thread(switched.from);
            let place = switched.place.as_ref().map_or(String::new(), |place| format!(" at {place}"));
            let command = self.command(switched.from, switched.command);
            let command = command.map_or(String::new(), |command| format!(", in {command}"));
            lines.push(match switched.because {
                None if place.is_empty() => format!("{name} is preempted{command}"),
                None => format!("{name} is preempted before the access{place}{command}"),
                Some("ends") => format!("{name} ends"),
                Some(why) => format!("{name} {why}{place}{command}"),
            });
        }
        for line in folded(&lines) {
            let _ = write!(text, "\n    {line}");
        }
        if let (Some(last), End::Finished) = (switched.last(), end) {
            let _ = write!(text, "\n    {} ends", self.thread(last.to));
        }
        if !uncontrolled.is_empty() {
            let _ = write!(
                text,
                "\nnot controlled: {}. The scheduler does not see threads that were started before the branches, locks of C \
                 libraries, input and output, so a replay may differ",
                joined(uncontrolled, ", ")
            );
        }
        text
    }

    fn thread(&self, thread: usize) -> String {
        if self.is_prefix && thread == 0 {
            return "the prefix".to_owned();
        }
        scheduler::name(thread, self.branches.len())
    }

    fn command(&self, thread: usize, command: usize) -> Option<&String> {
        self.branches.get(thread)?.get(command)
    }
}

/// The most lines of a group that repeats.
const GROUP: usize = 8;

/// Lines, of which groups that repeat are printed once: threads that wait for a lock may yield many times.
fn folded(lines: &[String]) -> Vec<String> {
    let mut folded = Vec::new();
    let mut rest = lines;
    while let [first, after_first @ ..] = rest {
        let times = |len: usize| rest.chunks_exact(len).take_while(|group| *group == &rest[..len]).count();
        let group = (1..=GROUP.min(rest.len())).map(|len| (len, times(len))).find(|&(_, times)| times > 2);
        if let Some((len, times)) = group {
            folded.extend_from_slice(&rest[..len]);
            let what = if len == 1 { "this line".to_owned() } else { format!("these {len} lines") };
            folded.push(format!("  … {what}, {times} times"));
            rest = &rest[len * times..];
        } else {
            folded.push(first.clone());
            rest = after_first;
        }
    }
    folded
}

/// The message of a run that does not end. It is the same for every program, so that smaller ones count as the same
/// failure.
pub(super) fn why_no_end(end: &End) -> &'static str {
    match end {
        End::Finished => "",
        End::Deadlock(_) => "deadlock: every thread waits, and none is left to wake another",
        End::Endless(_) => {
            "a command does not end: it passed hundreds of thousands of accesses to memory while no other branch could change anything"
        }
        End::Hangs(_) => {
            "the system hangs: no thread makes progress, and one blocks outside of the scheduler's control"
        }
    }
}

/// The note of a failure whose recorded schedule passes now. `uncontrolled` names the threads that were not controlled.
pub(super) fn moved(uncontrolled: &[String]) -> String {
    let why = match uncontrolled {
        [] => "the program has changed since it was recorded, or behaves differently from run to run".to_owned(),
        _ => format!("not everything was controlled ({})", joined(uncontrolled, ", ")),
    };
    format!("the recorded schedule passes, and the one below fails: {why}")
}

/// The row of a program in the statistics whose schedules were tried up to a number of preemptions.
pub(super) fn exhausted(switches: usize) -> String {
    format!("every schedule with up to {} at instrumented points", count(switches as u64, "preemption"))
}

/// The row of such a program that was written by hand.
pub(super) fn exhausted_by(switches: usize, runs: u64) -> String {
    // The number comes first: the tool truncates rows.
    let (runs, switches) = (count(runs, "schedule"), count(switches as u64, "preemption"));
    format!("all {runs} with up to {switches} at instrumented points")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduler::{Plan, Switch, Switched};

    fn names() -> Names {
        Names { branches: vec![vec!["take()".to_owned()], vec!["put(1)".to_owned()]], is_prefix: false }
    }

    #[test]
    fn a_schedule_has_a_line_for_each_change_of_turns() {
        let switched = |from, to, because, place: Option<&str>| Switched {
            from,
            command: 0,
            at: 0,
            to,
            because,
            place: place.map(str::to_owned),
        };
        let happened = Happened {
            end: End::Finished,
            plan: Plan { order: vec![0, 1], switches: vec![Switch { thread: 0, command: 0, point: 2, to: 0 }] },
            switched: vec![
                switched(0, 1, None, Some("src/lib.rs:7 (Pool::take)")),
                switched(1, 2, Some("waits"), Some("src/lib.rs:9 (Pool::put)")),
                switched(2, 0, Some("ends"), None),
            ],
            uncontrolled: vec!["a thread that was started before the branches".to_owned()],
        };
        let first = |tried| names().schedule(&happened, tried).lines().next().map(str::to_owned);
        assert_eq!(first(None).as_deref(), Some("schedule with 1 preemption:"));
        let text = names().schedule(&happened, Some(1213));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "schedule with 1 preemption, found after 1,213 schedules:",
                "    branch 1 is preempted before the access at src/lib.rs:7 (Pool::take), in take()",
                "    branch 2 waits at src/lib.rs:9 (Pool::put), in put(1)",
                "    spawned thread 1 ends",
                "    branch 1 ends",
                "not controlled: a thread that was started before the branches. The scheduler does not see threads that were started before the branches, locks of C \
                 libraries, input and output, so a replay may differ",
            ]
        );
    }

    #[test]
    fn lines_that_repeat_are_printed_once() {
        let folded =
            |text: &str| super::folded(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).join("|");
        assert_eq!(folded("a b b c"), "a|b|b|c");
        assert_eq!(folded("a b b b b c"), "a|b|  … this line, 4 times|c");
        assert_eq!(folded("p 1 2 3 1 2 3 1 2 3 1 w"), "p|1|2|3|  … these 3 lines, 3 times|1|w");
        assert_eq!(folded(""), "");
    }

    #[test]
    fn the_prefix_has_its_own_name() {
        let names = Names::of_prefix(&["take"]);
        let stuck = Stuck { thread: 0, command: 0, waits: Waits::End(1), place: None };
        let text = names.waiting(&[stuck]);
        assert_eq!(text, "threads that do not end:\n    the prefix in \"take\" waits for the end of spawned thread 1");
    }

    #[test]
    fn a_deadlock_lists_waiting_threads_with_locations() {
        let waits = Waits::Word { with: Vec::new() };
        let stuck = Stuck { thread: 1, command: 0, waits, place: Some("src/lib.rs:9 (Pool::put)".to_owned()) };
        let text = names().waiting(&[stuck]);
        let line = "    branch 2 in put(1) waits for a lock, a condition or a message, at src/lib.rs:9 (Pool::put)";
        assert_eq!(text, format!("threads that do not end:\n{line}"));
    }

    #[test]
    fn threads_have_the_same_names_in_all_lines_of_a_deadlock() {
        let stuck = |thread, waits| Stuck { thread, command: 0, waits, place: None };
        let text = names().waiting(&[
            stuck(0, Waits::End(3)),
            stuck(1, Waits::Word { with: vec![2, 3] }),
            stuck(2, Waits::Word { with: vec![1, 3] }),
            stuck(3, Waits::Time),
            stuck(4, Waits::Outside),
            stuck(5, Waits::Nothing),
        ]);
        let lines: Vec<&str> = text.lines().skip(1).map(str::trim).collect();
        assert_eq!(
            lines,
            [
                "branch 1 in take() waits for the end of spawned thread 2",
                "branch 2 in put(1) waits for the same lock, condition or message as spawned thread 1 and spawned thread 2",
                "spawned thread 1 waits for the same lock, condition or message as branch 2 and spawned thread 2",
                "spawned thread 2 sleeps",
                "spawned thread 3 blocks outside of the scheduler's control",
                "spawned thread 4 runs",
            ]
        );
    }

    #[test]
    fn endless_runs_and_unsuccessful_searches_are_described() {
        assert_eq!(
            why_no_end(&End::Deadlock(Vec::new())),
            "deadlock: every thread waits, and none is left to wake another"
        );
        let stuck = Stuck { thread: 0, command: 0, waits: Waits::Nothing, place: None };
        assert_eq!(
            why_no_end(&End::Endless(stuck)),
            "a command does not end: it passed hundreds of thousands of accesses to memory while no other branch could change anything"
        );
        assert_eq!(
            why_no_end(&End::Hangs(Vec::new())),
            "the system hangs: no thread makes progress, and one blocks outside of the scheduler's control"
        );
        assert_eq!(
            moved(&[]),
            "the recorded schedule passes, and the one below fails: the program has changed since it was recorded, or behaves \
             differently from run to run"
        );
        assert_eq!(
            moved(&["branch 1".to_owned()]),
            "the recorded schedule passes, and the one below fails: not everything was controlled (branch 1)"
        );
        assert_eq!(exhausted(1), "every schedule with up to 1 preemption at instrumented points");
        assert_eq!(exhausted_by(2, 1213), "all 1,213 schedules with up to 2 preemptions at instrumented points");
    }
}
