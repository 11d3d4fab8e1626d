//! The scheduler without hooks: points are where the jobs call it.

use super::core::{Core, Woken, current, time_between_runs};
use super::state::On;
use super::{
    Budget, Crew, End, Happened, Job, Plan, Search, Switch, Waits, begin_command, between_runs, controlled, preparing,
};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// The actions of branches, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<(usize, usize)>>>);

impl Log {
    fn add(&self, branch: usize, command: usize) {
        self.0.lock().unwrap().push((branch, command));
    }

    fn take(&self) -> Vec<(usize, usize)> {
        std::mem::take(&mut self.0.lock().unwrap())
    }

    /// Branches with this many commands, which are only logged.
    fn job(&self, commands: usize) -> Job {
        let log = self.clone();
        Arc::new(move |branch| {
            for command in 0..commands {
                controlled(|| {
                    begin_command(command);
                    log.add(branch, command);
                });
            }
        })
    }
}

fn follow(plan: Plan, branches: usize, job: &Job) -> Happened {
    let (happened, crew) = Crew::of(branches).unwrap().follow(plan, job, PATIENCE, false);
    crew.into_iter().for_each(Crew::rest);
    happened
}

#[test]
fn branches_run_one_after_the_other_by_priority() {
    let log = Log::default();
    let job = log.job(2);
    let plan = Plan { order: vec![1, 2, 0], switches: Vec::new() };
    let happened = follow(plan.clone(), 3, &job);
    assert_eq!((happened.end, happened.plan), (End::Finished, plan));
    assert_eq!(log.take(), [(1, 0), (1, 1), (2, 0), (2, 1), (0, 0), (0, 1)]);
}

#[test]
fn a_planned_preemption_takes_place_before_its_point() {
    let log = Log::default();
    let job = log.job(2);
    let switch = Switch { thread: 0, command: 1, point: 0, to: 0 };
    let plan = Plan { order: vec![0, 1], switches: vec![switch] };
    let happened = follow(plan.clone(), 2, &job);
    assert_eq!(happened.plan, plan);
    assert_eq!(log.take(), [(0, 0), (1, 0), (1, 1), (0, 1)]);
}

#[test]
fn a_preemption_that_is_reverted_at_once_is_dropped() {
    let log = Log::default();
    let job = log.job(2);
    let there_and_back = [0, 1].map(|thread| Switch { thread, command: 0, point: 0, to: 0 });
    let happened = follow(Plan { order: vec![0, 1], switches: there_and_back.to_vec() }, 2, &job);
    assert_eq!(happened.plan, Plan { order: vec![0, 1], switches: Vec::new() });
    assert_eq!(log.take(), [(0, 0), (0, 1), (1, 0), (1, 1)]);
    // With a third branch, the priorities are different afterwards.
    let happened = follow(Plan { order: vec![0, 1, 2], switches: there_and_back.to_vec() }, 3, &job);
    assert_eq!(happened.plan.switches, there_and_back);
}

#[test]
fn preemptions_that_do_not_fit_the_program_are_skipped() {
    let log = Log::default();
    let job = log.job(1);
    let switches = vec![
        Switch { thread: 0, command: 0, point: 9, to: 0 },
        Switch { thread: 0, command: 7, point: 0, to: 0 },
        Switch { thread: 9, command: 0, point: 0, to: 0 },
    ];
    let happened = follow(Plan { order: vec![5], switches }, 2, &job);
    assert_eq!((happened.end, happened.plan.switches), (End::Finished, Vec::new()));
    assert_eq!(log.take(), [(0, 0), (1, 0)]);
}

/// Two branches that read a number and write it back, incremented.
fn lost_update(number: &Arc<AtomicU64>) -> Job {
    let number = Arc::clone(number);
    Arc::new(move |_| {
        controlled(|| {
            begin_command(0);
            let read = number.load(Ordering::SeqCst);
            current().unwrap().point(number.as_ptr() as usize, 1);
            number.store(read + 1, Ordering::SeqCst);
        });
    })
}

#[test]
fn a_search_finds_a_lost_update_and_its_plan_repeats_it() {
    let number = Arc::new(AtomicU64::new(0));
    let job = lost_update(&number);
    let mut search = Search::new(7, 2, Budget { systematic: 100, switches: 1, random: 0 });
    let mut crew = Crew::of(2).unwrap();
    let found = loop {
        number.store(0, Ordering::SeqCst);
        let Ok((happened, left)) = crew.search(&mut search, &job, PATIENCE) else { panic!("nothing was found") };
        crew = left.unwrap();
        if number.load(Ordering::SeqCst) == 1 {
            break happened.plan;
        }
    };
    crew.rest();
    for _ in 0..100 {
        number.store(0, Ordering::SeqCst);
        assert_eq!(follow(found.clone(), 2, &job).plan, found);
        assert_eq!(number.load(Ordering::SeqCst), 1);
    }
}

#[test]
fn every_schedule_up_to_a_number_of_preemptions_is_tried_once() {
    let log = Log::default();
    let job = log.job(2);
    let mut search = Search::new(7, 2, Budget { systematic: 1000, switches: 4, random: 5 });
    let (mut crew, mut seen) = (Crew::of(2).unwrap(), Vec::new());
    while !search.is_over() {
        let Ok((_, left)) = crew.search(&mut search, &job, PATIENCE) else {
            panic!("a search that is not over goes on")
        };
        crew = left.unwrap();
        seen.push(log.take());
    }
    crew.rest();
    let (_, runs) = search.exhausted().expect("the program is small");
    // Random runs do not count.
    assert_eq!(runs, seen.len() as u64 - 5);
    seen.sort();
    seen.dedup();
    // Two commands each: 4! / (2! · 2!) interleavings.
    assert_eq!(seen.len(), 6);
}

/// The claim of a whole search with up to this many preemptions.
fn claimed(branches: usize, switches: usize, job: &Job) -> Option<usize> {
    let mut search = Search::new(7, branches, Budget { systematic: 10_000, switches, random: 5 });
    let mut crew = Crew::of(branches).unwrap();
    while !search.is_over() {
        let Ok((happened, left)) = crew.search(&mut search, job, PATIENCE) else { panic!("it is not over") };
        assert_eq!(happened.end, End::Finished);
        crew = left.unwrap();
    }
    crew.rest();
    search.exhausted().map(|(level, _)| level)
}

/// Two branches that call this at the beginning of each of two commands.
fn calls(act: impl Fn(usize) + Send + Sync + 'static) -> Job {
    Arc::new(move |branch| {
        for command in 0..2 {
            controlled(|| {
                begin_command(command);
                act(branch);
            });
        }
    })
}

#[test]
fn the_schedules_of_two_branches_that_never_wait_are_exhausted() {
    assert_eq!(claimed(2, 2, &calls(|_| {})), Some(2));
}

#[test]
fn with_three_branches_schedules_with_preemptions_are_not_exhausted() {
    // After a preemption, the preempted branch is always the last one.
    assert_eq!(claimed(3, 2, &Log::default().job(1)), Some(0));
    // Not all of the 24 orders are tried.
    assert_eq!(claimed(4, 1, &Log::default().job(1)), None);
}

#[test]
fn schedules_of_a_thread_that_is_not_controlled_are_not_exhausted() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let receiver = Mutex::new(receiver);
    let job: Job = Arc::new(move |branch| {
        controlled(|| match branch {
            // In this build nothing sees that the channel blocks.
            0 => receiver.lock().unwrap().recv().unwrap(),
            _ => sender.send(()).unwrap(),
        });
    });
    assert_eq!(claimed(2, 0, &job), None);
}

#[test]
fn schedules_in_which_a_thread_yields_are_not_exhausted() {
    assert_eq!(claimed(2, 1, &calls(|_| current().unwrap().yields())), None);
}

#[test]
fn schedules_in_which_time_passes_are_not_exhausted() {
    let job = calls(|_| {
        current().unwrap().wait(On::Time, Some(3_600_000_000_000));
    });
    assert_eq!(claimed(2, 1, &job), None);
}

#[test]
fn schedules_of_a_program_that_differs_from_run_to_run_are_not_exhausted() {
    let runs = AtomicU32::new(0);
    // Every other run has no second command.
    let job: Job = Arc::new(move |_| {
        let run = runs.fetch_add(1, Ordering::SeqCst) / 2;
        for command in 0..1 + run % 2 {
            controlled(|| begin_command(command as usize));
        }
    });
    assert_eq!(claimed(2, 1, &job), Some(0));
}

#[test]
fn a_choice_among_threads_that_wait_or_end_is_noticed() {
    let mut search = Search::new(7, 3, Budget { systematic: 1, switches: 0, random: 0 });
    let core = Core::new();
    let mut state = core.lock();
    for _ in 0..3 {
        core.add(&mut state);
    }
    state.branches = 3;
    state.begin(Plan::default(), search.next(), false);
    state.dispatch();
    let word = On::Word { address: 8, value: 0, bits: 1 };
    let mut forgoes = |act: &mut dyn FnMut(&mut super::state::State)| {
        act(&mut state);
        std::mem::take(&mut state.strategy.as_mut().unwrap().forgoes)
    };
    assert!(forgoes(&mut |state| state.wait(0, word, None)), "either of the others can go on");
    assert!(!forgoes(&mut |state| state.wait(1, word, None)));
    assert!(forgoes(&mut |state| assert_eq!(state.wake(8, 1, 1), 1)), "either of two threads can be woken");
    assert!(!forgoes(&mut |state| assert_eq!(state.wake(8, 1, 1), 1)));
    assert!(forgoes(&mut |state| state.end_thread(2)), "either of the others can go on");
    assert!(!forgoes(&mut |state| state.end_thread(0)));
    core.retire();
}

#[test]
fn a_search_is_over_when_nothing_more_fits_into_its_budget() {
    let log = Log::default();
    let job = log.job(2);
    for (systematic, switches) in [(0, 0), (0, 2), (4, 2), (1000, 0), (1000, 1)] {
        let mut search = Search::new(7, 2, Budget { systematic, switches, random: 0 });
        let mut crew = Crew::of(2).unwrap();
        while !search.is_over() {
            let Ok((_, left)) = crew.search(&mut search, &job, PATIENCE) else {
                panic!("a search that is not over goes on: {systematic} runs, {switches} preemptions")
            };
            crew = left.unwrap();
        }
        crew.rest();
        assert!(search.exhausted().is_some_and(|(level, _)| level <= switches));
    }
}

#[test]
fn waiting_for_each_other_is_a_deadlock() {
    let words = Arc::new([AtomicU32::new(0), AtomicU32::new(0)]);
    let job: Job = Arc::new(move |branch| {
        controlled(|| {
            begin_command(3);
            let address = words[branch].as_ptr() as usize;
            current().unwrap().wait(On::Word { address, value: 0, bits: 1 }, None);
        });
    });
    let End::Deadlock(stuck) = follow(Plan::default(), 2, &job).end else { panic!("it came to an end") };
    let who: Vec<_> = stuck.iter().map(|stuck| (stuck.thread, stuck.command, &stuck.waits)).collect();
    let waits = &Waits::Word { with: Vec::new() };
    assert_eq!(who, [(0, 3, waits), (1, 3, waits)]);
}

#[test]
fn threads_that_wait_for_the_same_word_are_named() {
    let words = Arc::new([AtomicU32::new(0), AtomicU32::new(0)]);
    let job: Job = Arc::new(move |branch| {
        controlled(|| {
            begin_command(0);
            let address = words[branch % 2].as_ptr() as usize;
            current().unwrap().wait(On::Word { address, value: 0, bits: 1 }, None);
        });
    });
    let End::Deadlock(stuck) = follow(Plan::default(), 3, &job).end else { panic!("it came to an end") };
    let waits: Vec<_> = stuck.into_iter().map(|stuck| stuck.waits).collect();
    assert_eq!(waits, [vec![2], vec![], vec![0]].map(|with| Waits::Word { with }));
}

#[test]
fn time_passes_when_every_thread_waits() {
    let woken = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&woken);
    let job: Job = Arc::new(move |branch| {
        let hours = [7_200_000_000_000, 3_600_000_000_000];
        let how = controlled(|| current().unwrap().wait(On::Time, Some(hours[branch])));
        seen.lock().unwrap().push((branch, how));
    });
    assert_eq!(follow(Plan::default(), 2, &job).end, End::Finished);
    assert_eq!(*woken.lock().unwrap(), [(1, Woken::ByTime), (0, Woken::ByTime)]);
}

#[test]
fn the_clock_goes_on_from_run_to_run() {
    let times = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&times);
    let job: Job = Arc::new(move |_| {
        controlled(|| {
            let slot = current().unwrap();
            let before = slot.now().unwrap();
            slot.wait(On::Time, Some(before + 3_600_000_000_000));
            seen.lock().unwrap().extend([before, slot.now().unwrap()]);
        });
    });
    for _ in 0..2 {
        times.lock().unwrap().push(preparing(|| time_between_runs(0)).unwrap());
        assert_eq!(follow(Plan::default(), 1, &job).end, End::Finished);
        times.lock().unwrap().push(between_runs(|| time_between_runs(0)).unwrap());
    }
    assert!(times.lock().unwrap().is_sorted_by(|one, next| one < next), "{times:?}");
    assert_eq!(time_between_runs(0), None, "elsewhere the clock is the system's");
}

#[test]
fn a_thread_that_sleeps_longer_than_any_test_sleeps_forever() {
    let job: Job = Arc::new(|_| {
        controlled(|| {
            current().unwrap().wait(On::Time, Some(u64::MAX));
        });
    });
    assert!(matches!(follow(Plan::default(), 1, &job).end, End::Deadlock(_)));
}

#[test]
fn a_thread_that_spins_lets_others_run() {
    let flag = Arc::new(AtomicU32::new(0));
    let job: Job = Arc::new(move |branch| {
        controlled(|| match branch {
            0 => {
                while flag.load(Ordering::SeqCst) == 0 {
                    current().unwrap().point(8, 0);
                }
            }
            _ => flag.store(1, Ordering::SeqCst),
        });
    });
    assert_eq!(follow(Plan::default(), 2, &job).end, End::Finished);
}

#[test]
fn a_thread_that_spins_for_ever_is_reported() {
    let job: Job = Arc::new(|branch| {
        controlled(|| {
            if branch == 1 {
                loop {
                    current().unwrap().point(8, 0);
                }
            }
        });
    });
    let End::Endless(stuck) = follow(Plan::default(), 2, &job).end else { panic!("it came to an end") };
    assert_eq!(stuck.thread, 1);
}

#[test]
fn a_thread_that_blocks_out_of_sight_is_let_go_and_reported() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let receiver = Mutex::new(receiver);
    let job: Job = Arc::new(move |branch| {
        controlled(|| match branch {
            // In this build nothing sees that the channel blocks.
            0 => receiver.lock().unwrap().recv().unwrap(),
            _ => sender.send(()).unwrap(),
        });
    });
    let happened = follow(Plan::default(), 2, &job);
    assert_eq!((happened.end, happened.uncontrolled), (End::Finished, vec!["branch 1".to_owned()]));
}
