//! Running several properties at once. Each has its own process, and a thread of the tool waits for it.

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
    /// The index of the thread that runs it, below the number of jobs.
    pub lane: usize,
    /// The number of cores that it may use: all of them if it is the last one.
    pub cores: usize,
}

/// Runs `work` for `items` items, `jobs` at once, in order. Calls `done` with each result as it arrives, in the calling
/// thread; `done` returns whether to start further items.
pub fn each<T: Send>(
    items: usize,
    jobs: usize,
    work: impl Fn(Job) -> T + Sync,
    mut done: impl FnMut(usize, T) -> bool,
) {
    let lanes = jobs.clamp(1, items.max(1));
    // The next item, and the number of running items.
    let state = Mutex::new((0, 0));
    // A thread waits until its result is received, so it starts at most one more item after the end.
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
        // Another item may have started before the first result arrived.
        assert!(seen == [0] || seen == [0, 1], "{seen:?}");
    }
}
