//! The latest results of properties: `.forall/results.jsonl`, beside the counterexamples.

use crate::process::Ended;
use crate::properties::Property;
use crate::screen::one_line;
use crate::words::Extent;
use crate::{Error, ended, json, values};
use forall::__record as record;
use forall::protocol::{Cover, Death, Decode, Encode, Finished, Searched, Shrunk, Status, Verdict};
use forall::run::ByName;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

const FILE: &str = "results.jsonl";

/// The last results of a package, by property.
#[derive(Debug, Default)]
pub struct Results {
    by_name: BTreeMap<String, Remembered>,
    /// The warning about an unreadable file.
    pub trouble: Option<String>,
}

record! {
    /// The recorded result of a property.
    Remembered {
        /// Its name.
        property: String,
        /// The time of the last run: Unix time.
        at: Option<u64>,
        /// The verdict of the last run, if any.
        verdict: Option<Verdict>,
        /// The number of valid tests.
        valid: u64,
        /// The number of discarded tests.
        discarded: u64,
        /// The size of the domain, if it was tested exhaustively.
        inputs: Option<u64>,
        /// The seed.
        seed: String,
        /// The duration of the run, in seconds.
        time: f64,
        /// The requirements of `cover!` with their hits.
        covers: ByName<Cover>,
        /// Statistics of the recorded tests.
        examined: Option<Examined>,
        /// The depth and extent of a search.
        searched: Option<Searched>,
        /// The most frequent labels with their counts.
        labels: ByName<u64>,
        /// Summaries of the tables.
        tables: ByName<InShort>,
        /// Summaries of the features.
        features: ByName<InShort>,
        /// The failing values in one line.
        counterexample: Option<String>,
        [
            /// The number of valid tests in the extra time.
            explored: u64,
            /// The numbers that `collect!` counted.
            collected: Option<Numbers>,
            /// How the process exited, if the run did not finish.
            how: Option<String>,
            /// The result of the last `fuzz`.
            fuzz: Option<Fuzzed>,
            /// How the counterexample was shrunk.
            shrunk: Option<HowShrunk>,
        ]
    }

    /// How a counterexample was shrunk.
    HowShrunk {
        /// The first and the last accepted candidates.
        steps: Vec<Shrunk>,
        /// The number of accepted candidates.
        accepted: u64,
        /// The number of inputs that ran.
        evaluations: u64,
        /// The seconds that it took.
        time: f64,
    }

    /// The recorded result of a `fuzz` campaign.
    Fuzzed {
        /// The verdict.
        verdict: Verdict,
        /// The number of executions.
        executions: u64,
        /// The number of edges that were reached.
        edges: u64,
        /// The number of all edges.
        places: u64,
        /// Its Unix time.
        at: u64,
    }

    /// Minimum, average and maximum.
    Numbers {
        /// The minimum.
        least: f64,
        /// The average.
        mean: f64,
        /// The maximum.
        most: f64,
    }

    /// A table or a feature: numbers by their range, other values by their shares.
    InShort {
        [
            /// The least number.
            least: Option<f64>,
            /// The average of the numbers.
            mean: Option<f64>,
            /// The greatest number.
            most: Option<f64>,
            /// The most frequent values, each with its share in percent.
            shares: ByName<f64>,
        ]
    }

    /// Statistics of the recorded tests.
    Examined {
        /// Their sizes.
        sizes: Numbers,
        /// The share of distinct inputs, in percent.
        different: f64,
        /// The average time of a test, in seconds.
        each: f64,
        /// The share of generating, in percent.
        generating: f64,
    }
}

impl InShort {
    /// The range, if it is of numbers.
    pub fn numbers(&self) -> Option<Numbers> {
        Some(Numbers { least: self.least?, mean: self.mean?, most: self.most? })
    }
}

impl From<Numbers> for InShort {
    fn from(Numbers { least, mean, most }: Numbers) -> Self {
        Self { least: Some(least), mean: Some(mean), most: Some(most), shares: ByName::default() }
    }
}

impl From<&Remembered> for Extent {
    fn from(run: &Remembered) -> Self {
        let Remembered { verdict, valid, explored, discarded, inputs, searched, .. } = run;
        let (verdict, searched) = (verdict.unwrap_or_default(), searched.clone());
        Self { verdict, valid: *valid, explored: *explored, discarded: *discarded, inputs: *inputs, searched }
    }
}

/// The latest result of a property.
#[derive(Clone, Copy, Debug)]
pub enum Last<'a> {
    /// A run.
    Run(&'a Remembered),
    /// A campaign of `fuzz`.
    Fuzz(&'a Fuzzed),
}

impl Last<'_> {
    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        match self {
            Last::Run(run) => run.verdict.unwrap_or_default(),
            Last::Fuzz(fuzzed) => fuzzed.verdict,
        }
    }

    /// Its Unix time.
    pub fn at(&self) -> u64 {
        match self {
            Last::Run(run) => run.at.unwrap_or(0),
            Last::Fuzz(fuzzed) => fuzzed.at,
        }
    }

    /// Its JSON.
    pub fn json(&self) -> Value {
        match self {
            // The steps are for `explain`.
            Last::Run(run) => json::value(&Remembered { shrunk: None, ..(*run).clone() }),
            Last::Fuzz(fuzzed) => json::value(*fuzzed),
        }
    }
}

/// The directory of local failures, relative to the package. Surrounding blanks are trimmed, as in the library.
fn store_name() -> OsString {
    let set = std::env::var_os("FORALL_STORE").unwrap_or_default();
    let name = set.to_str().map_or_else(|| set.clone(), |name| name.trim().into());
    if name.is_empty() { ".forall".into() } else { name }
}

/// The same for messages.
pub fn store_shown() -> String {
    one_line(&store_name().to_string_lossy())
}

/// The directory of a package's local failures; `None` when the store is off.
pub fn local_store(package: &Path) -> Option<PathBuf> {
    let name = store_name();
    (name != "off" && name != "0").then(|| package.join(name))
}

impl Results {
    /// Reads the results of a package. Unreadable lines are reported and skipped.
    pub fn of(package: &Path) -> Self {
        let Some(path) = local_store(package).map(|store| store.join(FILE)) else { return Self::default() };
        let text = match fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Self::default(),
            Err(error) => {
                let trouble = Some(format!("cannot read {}: {error}; make it readable or delete it", path.display()));
                return Self { trouble, ..Self::default() };
            }
        };
        let (mut results, mut damaged) = (Self::default(), 0);
        for line in text.lines() {
            match Remembered::read(line).filter(|read| !read.property.is_empty()) {
                Some(read) => drop(results.by_name.insert(read.property.clone(), read)),
                None => damaged += 1,
            }
        }
        if damaged > 0 {
            let lines = if damaged == 1 { "1 line" } else { &format!("{damaged} lines") };
            let path = path.display();
            results.trouble =
                Some(format!("skipped {lines} of {path} that cannot be read; the next run repairs the file"));
        }
        results
    }

    /// The result of a property's last run.
    pub fn of_run(&self, name: &str) -> Option<&Remembered> {
        self.by_name.get(name).filter(|result| result.verdict.is_some())
    }

    /// The latest result of a property: of a run or of a `fuzz` campaign.
    pub fn last(&self, name: &str) -> Option<Last<'_>> {
        let fuzzed = self.by_name.get(name).and_then(|result| result.fuzz.as_ref());
        // Times are in seconds. A run often follows a campaign within one, but a campaign hardly takes less, so the run is the later one.
        fuzzed.map(Last::Fuzz).into_iter().chain(self.of_run(name).map(Last::Run)).max_by_key(Last::at)
    }
}

/// The number of recorded values of a table or feature; the most frequent ones.
const SHARES: usize = 10;

/// The number of recorded labels; the most frequent ones.
const LABELS: usize = 50;

/// The length limits of a name, a value and a counterexample.
const TEXT: usize = 200;

/// The number of shrink steps that are recorded and shown, from the beginning and from the end.
pub const STEPS: usize = 6;

/// The result of a run whose process exited before it finished.
pub fn of_one_that_ended(how: Death) -> Remembered {
    Remembered { verdict: Some(Verdict::Ended), how: Some(ended::text(how)), ..Remembered::default() }
}

/// The result of a finished run.
pub fn remembered(finished: &Finished) -> Remembered {
    let (numbers, mut labels) = collected_apart(finished.labels.iter().map(|(label, n)| (label, *n)).collect());
    let collected = (!numbers.is_empty()).then(|| {
        let numbers = numbers.iter().filter_map(|(label, count)| Some((finite(label)?, *count as f64)));
        summary(&numbers.collect::<Vec<_>>())
    });
    labels.sort_by_key(|(_, number)| Reverse(*number));
    let each = |counted: &ByName<ByName<u64>>| {
        counted.iter().map(|(name, counts)| (beginning(name), in_short(counts))).collect::<ByName<InShort>>()
    };
    Remembered {
        verdict: Some(finished.verdict),
        valid: finished.valid,
        explored: finished.explored,
        discarded: finished.discarded,
        inputs: finished.inputs,
        seed: finished.seed.clone(),
        time: finished.time,
        covers: finished.covers.clone(),
        searched: finished.searched.clone(),
        labels: labels.into_iter().take(LABELS).map(|(label, number)| (beginning(label), number)).collect(),
        tables: each(&finished.tables),
        features: each(&finished.features),
        counterexample: counterexample(finished),
        collected,
        ..Remembered::default()
    }
}

/// How a run shrank its counterexample. `None` if it did not.
pub fn how_shrunk(ended: &Ended) -> Option<HowShrunk> {
    let all: Vec<&Shrunk> = ended.all().collect();
    let found = ended.finished()?.counterexample.as_ref().filter(|_| !all.is_empty())?;
    let short = |step: &&Shrunk| {
        let mut step = Shrunk { case: String::new(), ..(*step).clone() };
        for value in &mut step.values {
            value.text = beginning(&value.text);
        }
        step
    };
    let last = all.len().saturating_sub(STEPS).max(STEPS.min(all.len()));
    let steps = all.iter().take(STEPS).chain(&all[last..]).map(short).collect();
    let forall::protocol::Shrinking { accepted, evaluations, time, .. } = found.shrinking;
    Some(HowShrunk { steps, accepted, evaluations, time })
}

/// The values of the counterexample that a run found, in one line.
pub fn counterexample(finished: &Finished) -> Option<String> {
    finished.counterexample.as_ref().map(|found| beginning(&values::assigned(&found.values)))
}

/// Summarises values: minimum, average and maximum of numbers; the most frequent of other values, each with its share.
fn in_short(counts: &ByName<u64>) -> InShort {
    let (mut numbers, mut others) = (Vec::new(), 0);
    for (value, count) in counts {
        match finite(value) {
            Some(number) => numbers.push((number, *count as f64)),
            None => others += 1,
        }
    }
    if !numbers.is_empty() && (others == 0 || numbers.len() > SHARES) {
        return summary(&numbers).into();
    }
    let whole = (counts.values().sum::<u64>() as f64).max(1.0);
    let mut shares: Vec<(String, f64)> =
        counts.iter().map(|(value, count)| (beginning(value), 100.0 * *count as f64 / whole)).collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    shares.truncate(SHARES);
    InShort { shares: shares.into_iter().collect(), ..InShort::default() }
}

/// Labels with their counts.
type Counted<L> = Vec<(L, u64)>;

/// Splits labels into numbers of `collect!` and words. A single number may be a name.
pub fn collected_apart<L: AsRef<str>>(labels: Counted<L>) -> (Counted<L>, Counted<L>) {
    let is_number = |(label, _): &(L, u64)| finite(label.as_ref()).is_some();
    if labels.iter().filter(|label| is_number(label)).count() < 2 {
        return (Vec::new(), labels);
    }
    labels.into_iter().partition(is_number)
}

/// Parses a finite number.
pub fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Minimum, average and maximum of numbers with their counts.
pub fn summary(numbers: &[(f64, f64)]) -> Numbers {
    let whole = numbers.iter().map(|(_, count)| count).sum::<f64>().max(1.0);
    let least = numbers.iter().map(|(number, _)| *number).fold(f64::INFINITY, f64::min);
    let most = numbers.iter().map(|(number, _)| *number).fold(f64::NEG_INFINITY, f64::max);
    let mean = numbers.iter().map(|(number, count)| number * (count / whole)).sum::<f64>();
    Numbers { least, mean, most }
}

/// A number with at most three significant digits if it is large or fractional.
pub fn number(number: f64) -> String {
    let without_zeros = |text: &str| text.trim_end_matches('0').trim_end_matches('.').to_owned();
    if number == 0.0 || (1e-3..1e6).contains(&number.abs()) {
        return without_zeros(&format!("{number:.3}"));
    }
    let text = format!("{number:.2e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{power}", without_zeros(digits))
}

fn beginning(text: &str) -> String {
    text.chars().take(TEXT).collect()
}

/// Records the result of a run.
pub fn remember(property: &Property, result: &Remembered) -> Result<(), Error> {
    change(property, &mut |known, at| {
        let (fuzz, mut result) = (known.fuzz.take(), result.clone());
        // A saved case is replayed without being shrunk again.
        if result.shrunk.is_none() && result.counterexample.is_some() && result.counterexample == known.counterexample {
            result.shrunk = known.shrunk.take();
        }
        *known = Remembered { at: Some(at), fuzz, ..result };
    })
}

/// Records the result of a `fuzz` campaign.
pub fn remember_fuzz(property: &Property, verdict: Verdict, reached: &Status) -> Result<(), Error> {
    change(property, &mut |known, at| {
        let Status { executions, edges, places, .. } = *reached;
        known.fuzz = Some(Fuzzed { verdict, executions, edges, places, at });
    })
}

/// Updates the record of a property.
fn change(property: &Property, to: &mut dyn FnMut(&mut Remembered, u64)) -> Result<(), Error> {
    let package = &property.binary.package_directory;
    let read_only = std::env::var("FORALL_READ_ONLY").is_ok_and(|value| !matches!(&*value, "" | "0" | "off"));
    let Some(store) = local_store(package).filter(|_| !read_only) else { return Ok(()) };
    // Several commands may run at once, and several properties of one.
    let _lock = locked(&store);
    let mut results = Results::of(package);
    let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let result = results.by_name.entry(property.name.clone()).or_default();
    to(result, at);
    result.property = property.name.clone();
    let text: String = results.by_name.values().map(|result| format!("{}\n", result.encode())).collect();
    write(&store, &text).map_err(|source| {
        let advice = "make it writable, or set FORALL_STORE to another directory";
        Error::File { doing: "write", path: store.join(FILE), source, advice }
    })
}

/// Locks a directory against other writers of results, until the file is closed. Without locks on this system, the last writer
/// wins.
fn locked(store: &Path) -> Option<fs::File> {
    let _ = fs::create_dir_all(store);
    let directory = fs::File::open(store).ok()?;
    crate::lock::exclusively(&directory).ok()?;
    Some(directory)
}

/// Replaces the file atomically: two processes may write at once.
fn write(store: &Path, text: &str) -> std::io::Result<()> {
    fs::create_dir_all(store)?;
    let ignore = store.join(".gitignore");
    if !ignore.exists() {
        fs::write(ignore, "*\n")?;
    }
    let own = store.join(format!("{FILE}.tmp-{}", crate::scratch::own_name()));
    fs::write(&own, text)?;
    fs::rename(own, store.join(FILE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;
    use serde_json::json;

    #[test]
    fn statistics_of_tests_are_summarised() {
        let remembered = |finished: Value| super::remembered(&read(finished));
        let result = remembered(json!({
            "verdict": "failed", "valid": 4,
            "features": {"ratio": {"0.5": 2, "-1e300": 2}, "kind": {"a": 3, "NaN": 1}},
            "counterexample": {"values": [{"name": "n", "text": "7"}, {"name": "s", "text": "\"\""}]},
        }));
        let ratio = Numbers { least: -1e300, mean: -5e299, most: 0.5 };
        assert_eq!(result.features["ratio"].numbers(), Some(ratio));
        let shares = [("a".to_owned(), 75.0), ("NaN".to_owned(), 25.0)];
        assert_eq!(result.features["kind"], InShort { shares: shares.into(), ..InShort::default() });
        assert_eq!(result.counterexample.as_deref(), Some("n = 7, s = \"\""));
        let many: serde_json::Map<String, Value> = (0..100).map(|n| (format!("at {n}"), json!(n))).collect();
        let labels = remembered(json!({"labels": many})).labels;
        assert_eq!((labels.len(), labels.get("at 99"), labels.get("at 0")), (LABELS, Some(&99), None));
        // Collected numbers are one summary rather than fifty labels.
        let collected = remembered(json!({"labels": {"0": 1, "10": 3, "even": 2}}));
        assert_eq!(collected.collected, Some(Numbers { least: 0.0, mean: 7.5, most: 10.0 }));
        assert_eq!(collected.labels, ByName::from([("even".to_owned(), 2)]));
        assert_eq!([number(49.5), number(7.0), number(-5e299), number(0.0)], ["49.5", "7", "-5e299", "0"]);
    }

    #[test]
    fn the_first_and_the_last_steps_of_shrinking_are_recorded() {
        let ended = |steps: u64| {
            let step = |run: u64| {
                let values = json!([{"name": "s", "type": "String", "text": "x".repeat(1000)}]);
                read::<Shrunk>(json!({"case": "2-x", "evaluations": run, "pass": "zero", "values": values})).into()
            };
            let shrinking = json!({"accepted": steps, "evaluations": 99, "time": 0.5});
            let finished: Finished = read(json!({"counterexample": {"shrinking": shrinking}}));
            let events = (1..=steps).map(step).chain([finished.into()]).collect();
            Ended { events, how: Death::Exit(0), last_words: String::new() }
        };
        let runs = |steps: u64| how_shrunk(&ended(steps)).unwrap().steps.iter().map(|step| step.evaluations).collect();
        let (few, many): (Vec<u64>, Vec<u64>) = (runs(7), runs(100));
        assert_eq!(few, [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(many, [1, 2, 3, 4, 5, 6, 95, 96, 97, 98, 99, 100]);
        let shrunk = how_shrunk(&ended(100)).unwrap();
        assert_eq!((shrunk.accepted, shrunk.evaluations, shrunk.time), (100, 99, 0.5));
        assert!(shrunk.steps.iter().all(|step| step.case.is_empty() && step.values[0].text.len() == TEXT));
        assert_eq!(how_shrunk(&ended(0)), None);
    }

    #[test]
    fn records_round_trip() {
        let ended = Remembered { property: "a::b".to_owned(), at: Some(7), ..of_one_that_ended(Death::Signal(6)) };
        assert_eq!(Remembered::read(&ended.encode()).as_ref(), Some(&ended));
        assert_eq!(ended.how.as_deref(), Some("killed by SIGABRT: abort, or a stack overflow"));
        // A line of an earlier version, with `fuzz` only.
        let fuzzed = r#"{"fuzz":{"verdict":"passed","executions":9,"edges":2,"places":4,"at":3},"property":"a::b"}"#;
        let read = Remembered::read(fuzzed).unwrap();
        let expected = Fuzzed { verdict: Verdict::Passed, executions: 9, edges: 2, places: 4, at: 3 };
        assert_eq!((read.verdict, read.fuzz), (None, Some(expected)));
    }

    #[test]
    fn a_run_within_the_second_of_a_campaign_is_the_latest_result() {
        let last = |at| {
            let fuzz = Some(Fuzzed { verdict: Verdict::Passed, executions: 9, edges: 2, places: 4, at: 7 });
            let both = Remembered { at: Some(at), fuzz, ..of_one_that_ended(Death::Signal(6)) };
            let results = Results { by_name: BTreeMap::from([("a::b".to_owned(), both)]), trouble: None };
            matches!(results.last("a::b"), Some(Last::Run(_)))
        };
        assert_eq!([6, 7, 8].map(last), [false, true, true]);
    }
}
