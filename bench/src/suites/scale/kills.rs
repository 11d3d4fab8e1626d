//! A campaign in which workers and the server are killed at random moments, and what is left of it.
//!
//! A worker that was killed is started again, with the disk that it had, as a scheduler does it. At the end of a round
//! all workers run to completion, and each reported failure must be in the corpus. Bugs are those of one worker each,
//! by what they say: none is found again by another that would hide a loss.

use super::workers::{Fleet, Redis, finished, kill_group};
use forall::choice::Random;
use forall::protocol::Verdict;
use forall::store::Backend;
use std::collections::BTreeSet;
use std::process::Child;
use std::time::{Duration, Instant};

/// Workers at once, by their names. (Numbers in messages do not tell bugs apart.)
const WORKERS: [&str; 4] = ["killed-a", "killed-b", "killed-c", "killed-d"];

/// One kill of so many is the server's.
const SERVER: u64 = 8;

/// A round ends when this many kills have been, and begins with an empty corpus: else there would soon be nothing to find.
const ROUND: u64 = 50;

/// How long the server is away, and how long between kills: at most, in milliseconds.
const AWAY: u64 = 1500;
const BETWEEN: u64 = 600;

/// A round that has not ended by then has lost a failure.
const PATIENCE: Duration = Duration::from_secs(300);

/// The remaining kills.
#[derive(Default)]
pub struct Killed {
    pub kills: u64,
    /// Bugs that a worker has reported, in all rounds.
    pub told: u64,
    /// Those of them that have no counterexample in the corpus.
    pub lost: u64,
    /// Entries that cannot be read.
    pub torn: u64,
}

/// Kills, and looks what is left.
pub fn campaign(fleet: &Fleet, redis: &mut Redis, kills: u64) -> Result<Killed, String> {
    let mut random = Random::from_key(7);
    let mut killed = Killed::default();
    let mut round = 0;
    while killed.kills < kills {
        round += 1;
        redis.empty()?;
        fleet.forget(&WORKERS.map(str::to_owned));
        let (seed, address) = (round.to_string(), redis.address());
        let mut runs: Vec<Run> = Vec::new();
        let mut run = |number: usize, arguments: &[&str]| {
            let events = fleet.path(&format!("{}-{round}-{}.jsonl", WORKERS[number], runs.len()));
            let all = ["bug_", "--seed", &seed, "--corpus", &address, "--json", &events];
            let worker = fleet.worker(WORKERS[number], &[&all[..], arguments].concat());
            runs.push(Run { worker: WORKERS[number], events });
            worker
        };
        let mut start = |number: usize| {
            let shard = format!("{}/{}", number + 1, WORKERS.len());
            run(number, &["--tests", "4000", "--shard", &shard])
        };
        let mut workers: Vec<Child> = (0..WORKERS.len()).map(&mut start).collect();
        for _ in 0..ROUND.min(kills - killed.kills) {
            std::thread::sleep(Duration::from_millis(random.up_to(BETWEEN)));
            killed.kills += 1;
            if random.up_to(SERVER - 1) == 0 {
                redis.kill();
                std::thread::sleep(Duration::from_millis(random.up_to(AWAY)));
                redis.restart()?;
            } else {
                let number = random.up_to(WORKERS.len() as u64 - 1) as usize;
                kill_group(&mut workers[number]);
                workers[number] = start(number);
            }
        }
        wait(&mut workers)?;
        // The next worker on that disk sends the failures that were queued while the server was down.
        let mut workers: Vec<Child> = (0..WORKERS.len()).map(|number| run(number, &["--tests", "1"])).collect();
        wait(&mut workers)?;
        look(fleet, redis, &runs, &mut killed)?;
    }
    Ok(killed)
}

fn wait(workers: &mut [Child]) -> Result<(), String> {
    let began = Instant::now();
    for worker in workers {
        while matches!(worker.try_wait(), Ok(None)) {
            if began.elapsed() > PATIENCE {
                kill_group(worker);
                return Err("a worker does not come to its end".to_owned());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    Ok(())
}

/// A run of a worker, and the file of its events.
struct Run {
    worker: &'static str,
    events: String,
}

fn look(fleet: &Fleet, redis: &Redis, runs: &[Run], killed: &mut Killed) -> Result<(), String> {
    let stats = fleet.stats(&redis.address())?;
    for property in stats["properties"].as_array().into_iter().flatten() {
        killed.torn += property["unreadable"].as_u64().unwrap_or(0);
    }
    let failures = fleet.failures(&redis.address())?;
    for worker in WORKERS {
        let of_worker = runs.iter().filter(|run| run.worker == worker).flat_map(|run| finished(&run.events));
        let failed = of_worker.filter(|(_, finished)| finished.verdict == Verdict::Failed);
        let told: BTreeSet<String> = failed.map(|(property, _)| property).collect();
        for property in &told {
            killed.told += 1;
            let listing = failures.list(property, None).map_err(|error| error.to_string())?;
            let entries = listing.ids.into_iter().filter_map(|id| failures.fetch(property, id).ok()?);
            let is_there = entries.into_iter().any(|entry| entry.message.contains(&format!(" of {worker} is met")));
            killed.lost += u64::from(!is_there);
        }
    }
    Ok(())
}
