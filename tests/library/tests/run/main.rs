//! Runs: settings, verdicts, statistics, threads, and what happens when a run is interrupted.

#[path = "../support/not_in_ci.rs"]
mod not_in_ci;

mod asynchronous;
mod ends;
mod flaky;
mod given_up;
mod long_runs;
mod observe;
mod parallel;
mod parallel_trouble;
mod profiles;
mod promises;
mod retries;
mod runner;
mod shards;
mod statistics;
mod tainted;
