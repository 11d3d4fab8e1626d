//! Several properties at once: each is a process of its own, and a thread of this one waits for it.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::mpsc;

/// The number of cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// One piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// The index of its item.
    pub item: usize,
    /// The lane that runs it, below the number of jobs.
    pub lane: usize,
    /// The number of cores that it may use: all of them where nothing else is left.
    pub cores: usize,
}

/// Runs `work` for `items` items, `jobs` at once, in order. `done` gets each result in the calling thread, as soon as it is
/// there, and returns whether to start others.
pub fn each<T: Send>(
    items: usize,
    jobs: usize,
    work: impl Fn(Job) -> T + Sync,
    mut done: impl FnMut(usize, T) -> bool,
) {
    let lanes = jobs.clamp(1, items.max(1));
    // The next item, and the number of items at work.
    let state = Mutex::new((0, 0));
    // A lane waits until its result is taken: after the end, each begins at most one more.
    let (sender, results) = mpsc::sync_channel(0);
    let take = |lane: usize| {
        let mut state = state.lock().expect("no panic while it is locked");
        let (item, running) = *state;
        (item < items).then(|| {
            *state = (item + 1, running + 1);
            let left = (items - item + running).min(lanes);
            Job { item, lane, cores: (cores() / left).max(1) }
        })
    };
    std::thread::scope(|scope| {
        for lane in 0..lanes {
            let (sender, take, work, state) = (sender.clone(), &take, &work, &state);
            scope.spawn(move || {
                while let Some(job) = take(lane) {
                    let result = work(job);
                    state.lock().expect("no panic while it is locked").1 -= 1;
                    if sender.send((job.item, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (item, result) in results {
            if !done(item, result) {
                state.lock().expect("no panic while it is locked").0 = items;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_done_once_and_the_last_one_has_all_cores() {
        let mut seen = vec![0; 20];
        each(
            20,
            4,
            |job| job,
            |item, job| {
                seen[item] += 1;
                assert!(job.item == item && job.lane < 4 && job.cores >= 1);
                true
            },
        );
        assert_eq!(seen, [1; 20]);
        each(
            1,
            4,
            |job| job,
            |_, job| {
                assert_eq!((job.lane, job.cores), (0, cores()));
                true
            },
        );
        each(0, 4, |job| job, |_, _| unreachable!("there is nothing to do"));
    }

    #[test]
    fn nothing_is_started_after_the_end() {
        let mut seen = Vec::new();
        each(
            100,
            1,
            |job| job.item,
            |item, _| {
                seen.push(item);
                false
            },
        );
        // One more may have begun before the first was looked at.
        assert!(seen == [0] || seen == [0, 1], "{seen:?}");
    }
}
