//! Runs: settings, verdicts, statistics, threads, and what happens when a run is interrupted.

#[path = "../support/not_in_ci.rs"]
mod not_in_ci;

mod asynchronous;
mod beside;
mod ends;
mod flaky;
mod given_up;
mod long_runs;
mod many_threads;
mod observe;
mod parallel;
mod parallel_trouble;
mod profiles;
mod promises;
mod registered;
mod retries;
mod runner;
mod shards;
mod statistics;
mod tainted;
