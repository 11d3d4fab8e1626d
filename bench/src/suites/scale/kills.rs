//! A campaign in which workers and the server are killed at random moments, and what is left of it.
//!
//! A worker that was killed is started again, with the disk that it had, as a scheduler does it. At the end of a round everything
//! is let run to its end, and each failure that anybody was told of must be in the corpus.

use super::workers::{Fleet, Redis, kill_group};
use forall::choice::Random;
use std::collections::BTreeSet;
use std::process::Child;
use std::time::{Duration, Instant};

/// Workers at once.
const WORKERS: usize = 4;

/// One kill of so many is the server's.
const SERVER: u64 = 8;

/// A round ends when this many kills have been, and begins with an empty corpus: else there would soon be nothing to find.
const ROUND: u64 = 50;

/// How long the server is away, and how long between kills: at most, in milliseconds.
const AWAY: u64 = 1500;
const BETWEEN: u64 = 600;

/// A round that does not come to its end by then has lost something, too.
const PATIENCE: Duration = Duration::from_secs(300);

/// What was left.
#[derive(Default)]
pub struct Killed {
    pub kills: u64,
    /// Properties of which a worker said that they fail, in all rounds.
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
        let names: Vec<String> = (1..=WORKERS).map(|number| format!("killed-{number}")).collect();
        fleet.forget(&names);
        let (seed, address) = (round.to_string(), redis.address());
        let start = |number: usize| {
            let shard = format!("{}/{WORKERS}", number + 1);
            let arguments = ["bug_", "--tests", "4000", "--shard", &shard, "--seed", &seed, "--corpus", &address];
            fleet.worker(&names[number], &arguments)
        };
        let mut workers: Vec<Child> = (0..WORKERS).map(start).collect();
        for _ in 0..ROUND.min(kills - killed.kills) {
            std::thread::sleep(Duration::from_millis(random.up_to(BETWEEN)));
            killed.kills += 1;
            if random.up_to(SERVER - 1) == 0 {
                redis.kill();
                std::thread::sleep(Duration::from_millis(random.up_to(AWAY)));
                redis.restart()?;
            } else {
                let number = random.up_to(WORKERS as u64 - 1) as usize;
                kill_group(&mut workers[number]);
                workers[number] = start(number);
            }
        }
        wait(&mut workers)?;
        // What waited while the server was away is sent by the next worker with that disk.
        let last = ["bug_", "--tests", "1", "--seed", &seed, "--corpus", &address];
        let mut workers: Vec<Child> = names.iter().map(|name| fleet.worker(name, &last)).collect();
        wait(&mut workers)?;
        look(fleet, redis, &names, &mut killed)?;
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

fn look(fleet: &Fleet, redis: &Redis, names: &[String], killed: &mut Killed) -> Result<(), String> {
    let mut told = BTreeSet::new();
    for name in names {
        let said = fleet.said(name);
        // The beginning of a report. What was cut off by a kill counts, too.
        told.extend(said.lines().filter_map(|line| line.strip_prefix("FAILED ")?.split(' ').next().map(str::to_owned)));
    }
    let stats = fleet.stats(&redis.address())?;
    let mut there = BTreeSet::new();
    for property in stats["properties"].as_array().into_iter().flatten() {
        killed.torn += property["unreadable"].as_u64().unwrap_or(0);
        if property["failures"].as_u64().is_some_and(|failures| failures > 0) {
            there.extend(property["property"].as_str().map(str::to_owned));
        }
    }
    killed.told += told.len() as u64;
    killed.lost += told.difference(&there).count() as u64;
    Ok(())
}
