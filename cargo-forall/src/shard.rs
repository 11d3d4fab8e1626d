//! `--shard`: a worker's part of a campaign, from the command line or from the scheduler's variables.
//!
//! A worker needs its number, the number of workers and a common seed; there is no network access. The library does the
//! rest: see `forall::run::Shard`.

use crate::arguments::{seed, time};
use crate::corpus::link::Link;
use crate::corpus::progress::Budget;
use crate::{Error, corpus, metrics, words};
use clap::Args;
use forall::run::Shard;
use std::time::Duration;

/// `--seed`, `--shard`, `--corpus`, `--budget`, `--stop-at-first` and `--metrics`.
#[derive(Args, Debug, Default)]
pub struct Worker {
    /// The seed, as in 7 or 0x1f. By default, a new one for each run
    #[arg(long, value_name = "SEED", value_parser = seed)]
    pub seed: Option<u64>,
    /// Run one of several disjoint parts of the tests, as in 3/64. `auto` reads the scheduler's variables: see `forall run --help`
    #[arg(long, value_name = "SHARD", value_parser = wanted)]
    pub shard: Option<Wanted>,
    /// Share failures and inputs with other workers, in this directory, Redis or S3 bucket: see `forall run --help`
    #[arg(long, value_name = "DIRECTORY or redis://…")]
    pub corpus: Option<String>,
    /// The total time of all shards, as in 100h. Each shard gets an equal part, however often its worker is restarted
    #[arg(long, value_name = "TIME", value_parser = time, requires = "corpus", requires = "shard")]
    pub budget: Option<Duration>,
    /// Stop at the first failure of a property. By default, a worker with a corpus continues past failures and searches for others
    #[arg(long)]
    pub stop_at_first: bool,
    /// Publish figures for Prometheus: in this file, or on a port of this machine, as in localhost:9464
    #[arg(long, value_name = "FILE or localhost:PORT", value_parser = metrics::target)]
    pub metrics: Option<metrics::Target>,
}

impl Worker {
    /// The part of the work; `None` without `--shard`.
    pub fn part(&self) -> Result<Option<Part>, Error> {
        Part::of(self.shard.as_ref(), self.seed)
    }

    /// The time limit: that of the command line, or the rest of the shard's part of the budget.
    pub fn time(&self, limit: Option<Duration>, part: Option<&Part>, link: Option<&mut Link>) -> Result<Time, Error> {
        let (Some(total), Some(part), Some(link)) = (self.budget, part, link) else {
            return Ok(Time::Limit(limit, None));
        };
        let budget = Budget::begin(link, part, total);
        let share = words::seconds(budget.share());
        Ok(match budget.left() {
            Some(left) => Time::Limit(Some(limit.map_or(left, |limit| limit.min(left))), Some(budget)),
            None => Time::Spent(format!("forall: shard {} has spent its part of the budget, {share}\n", part.shard)),
        })
    }

    /// Whether runs continue past failures: in a campaign, which has a corpus.
    pub fn continues(&self) -> bool {
        !self.stop_at_first && self.corpus.is_some()
    }

    /// The connection to the corpus, if any.
    pub fn link(&self) -> Result<Option<Link>, Error> {
        Ok(self.corpus.as_deref().map(corpus::open).transpose()?.map(Link::new))
    }
}

/// The time of a worker.
pub enum Time {
    /// Its limit, and the budget that it counts against.
    Limit(Option<Duration>, Option<Budget>),
    /// The time is used up, with the message.
    Spent(String),
}

/// The value of `--shard`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A given shard.
    This(Shard),
    /// The shard of the environment, with the number of shards if it is given.
    Auto(Option<u64>),
}

/// A worker's part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its shard.
    pub shard: Shard,
    /// The seed of all shards.
    pub seed: u64,
    /// The variables that they come from, for messages.
    from: String,
}

/// A scheduler and its variables.
struct Scheduler {
    name: &'static str,
    number: &'static str,
    /// The number of the first worker: a number, or the variable that has it.
    first: &'static str,
    /// The variable with the step between numbers, if it may differ from 1.
    step: Option<&'static str>,
    /// The variable with the number of workers, if there is one.
    count: Option<&'static str>,
}

const SCHEDULERS: [Scheduler; 5] = [
    Scheduler {
        name: "a Slurm array",
        number: "SLURM_ARRAY_TASK_ID",
        first: "SLURM_ARRAY_TASK_MIN",
        step: Some("SLURM_ARRAY_TASK_STEP"),
        count: Some("SLURM_ARRAY_TASK_COUNT"),
    },
    Scheduler { name: "a Kubernetes Indexed Job", number: "JOB_COMPLETION_INDEX", first: "0", step: None, count: None },
    Scheduler { name: "GitLab", number: "CI_NODE_INDEX", first: "1", step: None, count: Some("CI_NODE_TOTAL") },
    Scheduler {
        name: "CircleCI",
        number: "CIRCLE_NODE_INDEX",
        first: "0",
        step: None,
        count: Some("CIRCLE_NODE_TOTAL"),
    },
    Scheduler {
        name: "Buildkite",
        number: "BUILDKITE_PARALLEL_JOB",
        first: "0",
        step: None,
        count: Some("BUILDKITE_PARALLEL_JOB_COUNT"),
    },
];

/// Variables that identify a campaign: the same for all workers and restarts, different for the next campaign.
const CAMPAIGNS: [&str; 5] =
    ["SLURM_ARRAY_JOB_ID", "GITHUB_RUN_ID", "CI_PIPELINE_ID", "CIRCLE_WORKFLOW_ID", "BUILDKITE_BUILD_ID"];

/// The string that the seed is derived from if there is no such variable.
const NO_CAMPAIGN: &str = "forall";

/// The warning for that case: each campaign repeats the same tests.
const ALWAYS: &str = ", the same for each campaign: set --seed to run other tests";

/// Reads the argument.
pub fn wanted(text: &str) -> Result<Wanted, String> {
    match text.strip_prefix("auto") {
        Some("") => Ok(Wanted::Auto(None)),
        Some(of) => match of.strip_prefix('/').and_then(|of| of.parse().ok()) {
            Some(of @ 1..) => Ok(Wanted::Auto(Some(of))),
            _ => Err(format!("`{text}` lacks the number of shards: write auto/64, for example")),
        },
        None => text.parse().map(Wanted::This).map_err(|why: String| {
            if why.starts_with('`') { format!("{why}, or `auto` to read the scheduler's variables") } else { why }
        }),
    }
}

impl Part {
    /// The part for these arguments; `None` without `--shard`. `seed` is that of the command line.
    pub fn of(wanted: Option<&Wanted>, seed: Option<u64>) -> Result<Option<Self>, Error> {
        Self::among(wanted, seed, &|name| std::env::var(name).ok().filter(|value| !value.trim().is_empty()))
    }

    fn among(
        wanted: Option<&Wanted>,
        seed: Option<u64>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, Error> {
        let (shard, mut from) = match wanted {
            None => return Ok(None),
            Some(Wanted::This(shard)) => (*shard, String::new()),
            Some(Wanted::Auto(of)) => from_environment(*of, variable)?,
        };
        let seed = match seed {
            Some(seed) => seed,
            None => {
                let campaign = CAMPAIGNS.into_iter().find_map(|name| Some((name, variable(name)?)));
                let (name, id) = campaign.unwrap_or(("", NO_CAMPAIGN.to_owned()));
                from += if from.is_empty() || name.is_empty() { "" } else { ", " };
                from += name;
                hash(&id)
            }
        };
        Ok(Some(Self { shard, seed, from }))
    }

    /// The message at the start.
    pub fn text(&self) -> String {
        let from = if self.from.is_empty() { String::new() } else { format!(" (from {})", self.from) };
        let always = if self.seed == hash(NO_CAMPAIGN) { ALWAYS } else { "" };
        format!("forall: shard {}, seed {:#x}{from}{always}\n", self.shard, self.seed)
    }

    /// The advice for one of several workers that runs without `--shard`.
    pub fn advice(wanted: Option<&Wanted>) -> Option<String> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
        let (shard, _) = from_environment(None, &variable).ok().filter(|_| wanted.is_none())?;
        (shard.of() > 1).then(|| {
            format!(
                "forall: this is worker {} of {}, and every worker runs all tests; add `--shard auto` to split them\n",
                shard.number(),
                shard.of()
            )
        })
    }
}

/// The shard of the environment, and its variable.
fn from_environment(of: Option<u64>, variable: &dyn Fn(&str) -> Option<String>) -> Result<(Shard, String), Error> {
    let found = SCHEDULERS.iter().find_map(|scheduler| Some((scheduler, variable(scheduler.number)?)));
    let Some((Scheduler { name, number, first, step, count }, text)) = found else {
        let known: Vec<&str> = SCHEDULERS.iter().map(|scheduler| scheduler.number).collect();
        return Err(format!(
            "no variable gives the shard's number; write --shard 3/64, for example. `auto` needs one of {}",
            known.join(", ")
        )
        .into());
    };
    let whole = |name: &str, text: String| -> Result<u64, Error> {
        let number = text.trim().parse();
        Ok(number.map_err(|_| format!("{name}={text} is not a number; write --shard 3/64, for example"))?)
    };
    let read = |name: &str, otherwise: u64| variable(name).map_or(Ok(otherwise), |text| whole(name, text));
    let first = match first.parse() {
        Ok(first) => first,
        Err(_) => read(first, 0)?,
    };
    let step = step.map_or(Ok(1), |step| read(step, 1))?.max(1);
    let of = match (of, count.and_then(|count| Some((count, variable(count)?)))) {
        (Some(of), _) => of,
        (None, Some((count, text))) => whole(count, text)?,
        (None, None) => {
            return Err(format!("{name} does not set the number of workers: write --shard auto/64, for example").into());
        }
    };
    let own = whole(number, text)?;
    let away = own.checked_sub(first).filter(|away| away % step == 0);
    let shard = away.and_then(|away| Shard::new((away / step).saturating_add(1), of));
    let wrong = || {
        format!(
            "{number}={own} is out of range for {of} workers numbered from {first}; set the shard with \
             --shard, as in 3/{of}"
        )
    };
    Ok((shard.ok_or_else(wrong)?, (*number).to_owned()))
}

/// A deterministic seed from a string: FNV-1a.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(wanted_text: &str, variables: &[(&str, &str)]) -> Result<Part, Error> {
        let variable =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        Part::among(Some(&wanted(wanted_text).unwrap()), None, &variable).map(|part| part.expect("a part is wanted"))
    }

    fn shard(wanted_text: &str, variables: &[(&str, &str)]) -> String {
        part(wanted_text, variables).unwrap().shard.to_string()
    }

    #[test]
    fn the_argument_is_a_shard_or_auto() {
        assert_eq!(wanted("auto/64"), Ok(Wanted::Auto(Some(64))));
        assert_eq!(wanted("3/64"), Ok(Wanted::This(Shard::new(3, 64).unwrap())));
        assert!(wanted("x").unwrap_err().contains("such as 3/64, or `auto` to read the scheduler's variables"));
        assert!(wanted("5/4").unwrap_err().contains("from 1 to 4"));
        assert!(wanted("auto/0").is_err() && wanted("auto/").is_err() && wanted("automatic").is_err());
    }

    #[test]
    fn variables_of_schedulers_are_read() {
        let slurm = [("SLURM_ARRAY_TASK_ID", "30"), ("SLURM_ARRAY_TASK_COUNT", "8")];
        let slurm = |more: &[(&'static str, &'static str)]| [&slurm[..], more].concat();
        assert_eq!(shard("auto", &slurm(&[("SLURM_ARRAY_TASK_MIN", "30")])), "1/8");
        assert_eq!(shard("auto", &slurm(&[("SLURM_ARRAY_TASK_MIN", "10"), ("SLURM_ARRAY_TASK_STEP", "5")])), "5/8");
        assert_eq!(shard("auto/64", &[("JOB_COMPLETION_INDEX", "63")]), "64/64");
        assert_eq!(shard("auto", &[("CI_NODE_INDEX", "1"), ("CI_NODE_TOTAL", "4")]), "1/4");
        assert_eq!(shard("auto", &[("CIRCLE_NODE_INDEX", "0"), ("CIRCLE_NODE_TOTAL", "4")]), "1/4");
        let buildkite = [("BUILDKITE_PARALLEL_JOB", "2"), ("BUILDKITE_PARALLEL_JOB_COUNT", "3")];
        assert_eq!(shard("auto", &buildkite), "3/3");
    }

    #[test]
    fn missing_and_invalid_variables_are_reported() {
        let wrong = |text: &str, variables: &[(&str, &str)]| part(text, variables).unwrap_err().to_string();
        assert!(wrong("auto", &[]).contains("--shard 3/64"));
        assert!(wrong("auto", &[("JOB_COMPLETION_INDEX", "3")]).contains("--shard auto/64"));
        assert!(
            wrong("auto/4", &[("JOB_COMPLETION_INDEX", "4")])
                .ends_with("=4 is out of range for 4 workers numbered from 0; set the shard with --shard, as in 3/4")
        );
        let many = "JOB_COMPLETION_INDEX=many is not a number; write --shard 3/64, for example";
        assert_eq!(wrong("auto/4", &[("JOB_COMPLETION_INDEX", "many")]), many);
        let sparse = [("SLURM_ARRAY_TASK_ID", "42"), ("SLURM_ARRAY_TASK_MIN", "1"), ("SLURM_ARRAY_TASK_COUNT", "3")];
        assert!(wrong("auto", &sparse).contains("set the shard with"));
    }

    #[test]
    fn all_workers_of_a_campaign_have_one_seed_and_the_next_campaign_another() {
        let of = |number: &str, run: &str| part(number, &[("GITHUB_RUN_ID", run)]).unwrap();
        assert_eq!(of("1/8", "17").seed, of("8/8", "17").seed);
        assert_ne!(of("1/8", "17").seed, of("1/8", "18").seed);
        assert_eq!(part("1/8", &[]).unwrap().seed, part("2/8", &[]).unwrap().seed);
        assert!(
            part("1/8", &[]).unwrap().text().ends_with(", the same for each campaign: set --seed to run other tests\n")
        );
        assert_eq!(of("1/8", "17").text(), format!("forall: shard 1/8, seed {:#x} (from GITHUB_RUN_ID)\n", hash("17")));
    }
}
