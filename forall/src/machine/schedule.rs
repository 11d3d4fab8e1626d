//! The schedule of a parallel program on its tape.
//!
//! Each command of a branch has a fork with its preemptions, within the command's part of the tape: deleting the
//! command deletes them, and those of other commands keep their meaning. One more fork records whether there is a
//! schedule, the order of the branches, and the preemptions of threads that the system spawned:
//!
//! ```text
//! root    = 0 | 1 place… (thread + 1, point, to)… 0 | 2 seed        command = (point + 1, to)… 0
//! ```
//!
//! The last form stands for a search that crashed the process: only the search with this seed can find the schedule
//! again.

use super::{Interleaving, Spec};
use crate::choice::{Place, Source};
use crate::scheduler::{self, Plan, Switch};

/// The sources of a program's schedule.
pub(super) struct Forks {
    pub(super) root: Source,
    /// For each command of each branch.
    pub(super) commands: Vec<Vec<Source>>,
}

/// The schedule as recorded on a tape.
#[derive(Debug, PartialEq)]
pub(super) enum Recorded {
    Schedule(Plan),
    /// A search with this seed, which crashed the process.
    Search(u64),
}

/// The forms of the root.
const NO_SCHEDULE: u64 = 0;
const SCHEDULE: u64 = 1;
const SEARCH: u64 = 2;

/// The limits on the points of a command and on the threads in a schedule.
const POINTS: u64 = 1 << 32;
const THREADS: u64 = 255;

impl Forks {
    /// Whether a program has a schedule: if interleavings are controlled, or if one was recorded.
    pub(super) fn are_wanted<S: Spec>(spec: &S, source: &Source) -> bool {
        scheduler::is_available() || source.has_fork_ahead() || spec.tuning().interleaving == Interleaving::Controlled
    }

    /// The seed of a search for a schedule; `None` if the schedule is replayed, so that no search is needed.
    pub(super) fn seed(&mut self) -> Option<u64> {
        self.root.hidden_draw().map(|draw| draw.word)
    }

    /// Records that a search begins, in case it crashes the process.
    pub(super) fn begin_search(&mut self, seed: u64) -> Place {
        let place = self.root.mark();
        self.root.write_down(SEARCH, SEARCH);
        self.root.write_down(seed, u64::MAX);
        place
    }

    /// The places at which its sources are: the root's, and those of each command.
    pub(super) fn marks(&mut self) -> (Place, Vec<Vec<Place>>) {
        let commands = self.commands.iter_mut().map(|forks| forks.iter_mut().map(Source::mark).collect()).collect();
        (self.root.mark(), commands)
    }

    /// Records another schedule in place of the one that was read from these places on.
    pub(super) fn rewrite(&mut self, (root, commands): (Place, Vec<Vec<Place>>), plan: &Plan) {
        for (forks, places) in self.commands.iter_mut().zip(commands) {
            for (fork, place) in forks.iter_mut().zip(places) {
                fork.rewind(place);
            }
        }
        self.write(root, Some(plan));
    }

    /// Reads the schedule. Returns `None` if there is none: then nothing is preempted.
    pub(super) fn read(&mut self) -> Option<Recorded> {
        match next(&mut self.root, SEARCH) {
            SCHEDULE => Some(Recorded::Schedule(self.read_plan())),
            SEARCH => Some(Recorded::Search(next(&mut self.root, u64::MAX))),
            _ => None,
        }
    }

    fn read_plan(&mut self) -> Plan {
        let branches = self.commands.len();
        let mut left: Vec<usize> = (0..branches).collect();
        let mut plan = Plan::default();
        while left.len() > 1 {
            let place = next(&mut self.root, left.len() as u64 - 1);
            plan.order.push(left.remove(place as usize));
        }
        plan.order.append(&mut left);
        loop {
            let thread = next(&mut self.root, THREADS);
            if thread == 0 {
                break;
            }
            let (point, to) = (next(&mut self.root, POINTS), next(&mut self.root, THREADS));
            let (thread, command) = (branches + thread as usize - 1, 0);
            plan.switches.push(Switch { thread, command, point, to: to as usize });
        }
        for (thread, commands) in self.commands.iter_mut().enumerate() {
            for (command, fork) in commands.iter_mut().enumerate() {
                loop {
                    let point = next(fork, POINTS);
                    if point == 0 {
                        break;
                    }
                    let to = next(fork, THREADS) as usize;
                    plan.switches.push(Switch { thread, command, point: point - 1, to });
                }
            }
        }
        plan
    }

    /// Records the result of a search that began at this place of the tape.
    pub(super) fn write(&mut self, began: Place, plan: Option<&Plan>) {
        self.root.rewind(began);
        let Some(plan) = plan else { return self.root.write_down(NO_SCHEDULE, SEARCH) };
        self.root.write_down(SCHEDULE, SEARCH);
        let branches = self.commands.len();
        let mut left: Vec<usize> = (0..branches).collect();
        for thread in &plan.order {
            let Some(place) = left.iter().position(|other| other == thread).filter(|_| left.len() > 1) else {
                continue;
            };
            self.root.write_down(place as u64, left.len() as u64 - 1);
            left.remove(place);
        }
        while left.len() > 1 {
            self.root.write_down(0, left.len() as u64 - 1);
            left.remove(0);
        }
        for switch in plan.switches.iter().filter(|switch| switch.thread >= branches) {
            self.root.write_down((switch.thread - branches + 1) as u64, THREADS);
            self.root.write_down(switch.point, POINTS);
            self.root.write_down(switch.to as u64, THREADS);
        }
        self.root.write_down(0, THREADS);
        for (thread, commands) in self.commands.iter_mut().enumerate() {
            for (command, fork) in commands.iter_mut().enumerate() {
                let own = |switch: &&Switch| (switch.thread, switch.command) == (thread, command);
                for switch in plan.switches.iter().filter(own) {
                    fork.write_down(switch.point + 1, POINTS);
                    fork.write_down(switch.to as u64, THREADS);
                }
                fork.write_down(0, POINTS);
            }
        }
    }
}

/// The next choice: the one on the tape, or the simplest.
fn next(source: &mut Source, max: u64) -> u64 {
    source.uncopied_choice(max, |_, _| 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forks(source: &mut Source, branches: usize, commands: usize) -> Forks {
        let root = source.fork();
        let mut of_commands = Vec::new();
        for _ in 0..branches {
            of_commands.push((0..commands).map(|_| source.fork()).collect());
        }
        Forks { root, commands: of_commands }
    }

    #[test]
    fn a_recorded_schedule_is_read_back() {
        let plan = Plan {
            order: vec![2, 0, 1],
            switches: vec![
                Switch { thread: 4, command: 0, point: 7, to: 2 },
                Switch { thread: 0, command: 1, point: 0, to: 1 },
                Switch { thread: 0, command: 1, point: 40, to: 0 },
                Switch { thread: 2, command: 0, point: 3, to: 0 },
            ],
        };
        let mut source = Source::record(42, 0, 100);
        let mut written = forks(&mut source, 3, 2);
        let began = written.begin_search(7);
        written.write(began, Some(&plan));
        drop(written);
        let sequence = source.into_sequence();
        let read = forks(&mut Source::replay(&sequence), 3, 2).read();
        assert_eq!(read, Some(Recorded::Schedule(plan)));
    }

    #[test]
    fn a_search_that_did_not_end_is_read_back_with_its_seed() {
        let mut source = Source::record(42, 0, 100);
        let mut written = forks(&mut source, 2, 1);
        written.begin_search(7);
        drop(written);
        let sequence = source.into_sequence();
        assert_eq!(forks(&mut Source::replay(&sequence), 2, 1).read(), Some(Recorded::Search(7)));
    }

    #[test]
    fn another_schedule_replaces_the_one_that_was_read() {
        let plan = |point| {
            let switches = [(0, 1), (2, 0)].map(|(thread, command)| Switch { thread, command, point, to: 0 });
            Plan { order: vec![1, 0], switches: switches.to_vec() }
        };
        let mut source = Source::record(42, 0, 100);
        let mut written = forks(&mut source, 2, 2);
        let began = written.begin_search(7);
        written.write(began, Some(&plan(3)));
        drop(written);
        let mut source = Source::replay(&source.into_sequence());
        let mut read = forks(&mut source, 2, 2);
        let marks = read.marks();
        let sorted = |recorded: Option<Recorded>| match recorded {
            Some(Recorded::Schedule(mut plan)) => {
                plan.switches.sort_by_key(|switch| switch.thread);
                plan
            }
            other => panic!("no schedule: {other:?}"),
        };
        assert_eq!(sorted(read.read()), plan(3));
        read.rewrite(marks, &plan(9));
        drop(read);
        let again = source.into_sequence();
        assert_eq!(sorted(forks(&mut Source::replay(&again), 2, 2).read()), plan(9));
    }

    #[test]
    fn an_empty_tape_has_no_schedule() {
        let mut source = Source::record(42, 0, 100);
        let mut written = forks(&mut source, 2, 1);
        let began = written.begin_search(7);
        written.write(began, None);
        drop(written);
        let sequence = source.into_sequence();
        assert_eq!(forks(&mut Source::replay(&sequence), 2, 1).read(), None);
    }
}
