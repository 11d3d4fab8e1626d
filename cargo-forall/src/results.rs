//! What each property came to when this program ran it last: `.forall/results.jsonl`, beside the counterexamples.

use crate::Error;
use crate::ended::How;
use crate::properties::Property;
use crate::screen::one_line;
use crate::status::Status;
use serde_json::{Map, Value, json};
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
    by_name: BTreeMap<String, Value>,
    /// What is wrong with the file, and what to do about it.
    pub trouble: Option<String>,
}

/// The directory of local finds, from that of a package on. Blanks around it do not count, as in the tests themselves.
fn store_name() -> OsString {
    let set = std::env::var_os("FORALL_STORE").unwrap_or_default();
    let name = set.to_str().map_or_else(|| set.clone(), |name| name.trim().into());
    if name.is_empty() { ".forall".into() } else { name }
}

/// The same, as people are told of it.
pub fn store_shown() -> String {
    one_line(&store_name().to_string_lossy())
}

/// The directory of local finds of a package; none when the store is off.
pub fn local_store(package: &Path) -> Option<PathBuf> {
    let name = store_name();
    (name != "off" && name != "0").then(|| package.join(name))
}

impl Results {
    /// Reads those of a package. What cannot be read is told, and left out.
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
            let read = serde_json::from_str::<Value>(line).ok();
            match read.as_ref().and_then(|value| value["property"].as_str()) {
                Some(name) => results.by_name.insert(name.to_owned(), read.clone().unwrap_or_default()),
                None => {
                    damaged += 1;
                    continue;
                }
            };
        }
        if damaged > 0 {
            let lines = if damaged == 1 { "1 line" } else { &format!("{damaged} lines") };
            let path = path.display();
            results.trouble =
                Some(format!("{lines} of {path} cannot be read, and left out; the next run repairs the file"));
        }
        results
    }

    /// What the last run of a property came to.
    pub fn of_run(&self, name: &str) -> Option<&Value> {
        self.by_name.get(name).filter(|result| result["verdict"].is_string())
    }

    /// What came last of a property: of a run, or of a campaign of `fuzz`, which has `executions`.
    pub fn last(&self, name: &str) -> Option<&Value> {
        let when = |result: &&Value| result["at"].as_u64();
        self.of_run(name).into_iter().chain(self.of_fuzz(name)).max_by_key(when)
    }

    fn of_fuzz(&self, name: &str) -> Option<&Value> {
        self.by_name.get(name).map(|result| &result[FUZZ]).filter(|result| result.is_object())
    }
}

/// Where what came of `fuzz` is, beside what came of a run: runs are compared with each other.
const FUZZ: &str = "fuzz";

/// So many values of a table or feature are remembered, the most frequent ones.
const SHARES: usize = 10;

/// So many labels, the most frequent ones.
const LABELS: usize = 50;

/// So much of a name, a value, a counterexample.
const TEXT: usize = 200;

/// What is to be remembered of a run that did not come to its end: its process did before.
pub fn of_one_that_ended(how: How) -> Value {
    json!({"verdict": "ended", "how": how.to_string()})
}

/// What is remembered of a run: what it came to, and what its tests said of themselves, in short.
pub fn remembered(finished: &Value) -> Value {
    let mut result = json!({});
    for field in ["verdict", "valid", "discarded", "inputs", "seed", "time", "covers", "examined", "searched"] {
        result[field] = finished[field].clone();
    }
    let labels: Vec<(&String, u64)> =
        finished["labels"].as_object().into_iter().flatten().map(|(l, n)| (l, n.as_u64().unwrap_or(0))).collect();
    let (numbers, mut labels) = collected_apart(labels);
    if !numbers.is_empty() {
        let numbers = numbers.iter().filter_map(|(label, count)| Some((finite(label)?, *count as f64)));
        result["collected"] = summary(&numbers.collect::<Vec<_>>());
    }
    labels.sort_by_key(|(_, number)| Reverse(*number));
    result["labels"] = labels
        .into_iter()
        .take(LABELS)
        .map(|(label, number)| (beginning(label), json!(number)))
        .collect::<Map<_, _>>()
        .into();
    if let Some(how) = finished["how"].as_str() {
        result["how"] = how.into();
    }
    for kind in ["tables", "features"] {
        let each = finished[kind].as_object().into_iter().flatten();
        result[kind] = each.map(|(name, counts)| (beginning(name), in_short(counts))).collect::<Map<_, _>>().into();
    }
    result["counterexample"] = counterexample(finished).map_or(Value::Null, Into::into);
    result
}

/// The values of the counterexample that a run found, in one line.
pub fn counterexample(finished: &Value) -> Option<String> {
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let values = finished["counterexample"]["values"].as_array()?;
    let each: Vec<String> =
        values.iter().map(|value| format!("{} = {}", text(value, "name"), text(value, "text"))).collect();
    Some(beginning(&each.join(", ")))
}

/// Where there are numbers, and nothing else or many of them, the least, the greatest and the average; of other values the most
/// frequent, each with its share in percent.
fn in_short(counts: &Value) -> Value {
    let (mut numbers, mut others) = (Vec::new(), 0);
    for (value, count) in counts.as_object().into_iter().flatten() {
        let count = count.as_f64().unwrap_or(0.0);
        match finite(value) {
            Some(number) => numbers.push((number, count)),
            None => others += 1,
        }
    }
    if !numbers.is_empty() && (others == 0 || numbers.len() > SHARES) {
        return summary(&numbers);
    }
    let each = || counts.as_object().into_iter().flatten().map(|(value, count)| (value, count.as_f64().unwrap_or(0.0)));
    let whole = each().map(|(_, count)| count).sum::<f64>().max(1.0);
    let mut shares: Vec<(String, f64)> =
        each().map(|(value, count)| (beginning(value), 100.0 * count / whole)).collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    shares.truncate(SHARES);
    json!({"shares": shares.into_iter().map(|(value, share)| (value, json!(share))).collect::<Map<_, _>>()})
}

/// Labels, and how many tests have each.
type Counted<L> = Vec<(L, u64)>;

/// Numbers that `collect!` said, which are labels, too, and the labels that are words. A single number may be the name of something.
pub fn collected_apart<L: AsRef<str>>(labels: Counted<L>) -> (Counted<L>, Counted<L>) {
    let is_number = |(label, _): &(L, u64)| finite(label.as_ref()).is_some();
    if labels.iter().filter(|label| is_number(label)).count() < 2 {
        return (Vec::new(), labels);
    }
    labels.into_iter().partition(is_number)
}

/// The number that a text is, if it is one that can be counted with.
pub fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// The least, the greatest and the average of numbers, each with how many tests have it.
pub fn summary(numbers: &[(f64, f64)]) -> Value {
    let whole = numbers.iter().map(|(_, count)| count).sum::<f64>().max(1.0);
    let least = numbers.iter().map(|(number, _)| *number).fold(f64::INFINITY, f64::min);
    let most = numbers.iter().map(|(number, _)| *number).fold(f64::NEG_INFINITY, f64::max);
    let mean = numbers.iter().map(|(number, count)| number * (count / whole)).sum::<f64>();
    json!({"least": least, "mean": mean, "most": most})
}

/// A number for people: three digits of a large or a broken one are enough.
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

/// Remembers what a run of the property came to.
pub fn remember(property: &Property, finished: &Value) -> Result<(), Error> {
    change(property, &mut |known, at| {
        let fuzz = known[FUZZ].take();
        *known = remembered(finished);
        known["at"] = at.into();
        if !fuzz.is_null() {
            known[FUZZ] = fuzz;
        }
    })
}

/// Remembers what a campaign of `fuzz` came to, and how far it was.
pub fn remember_fuzz(property: &Property, verdict: &str, reached: &Status) -> Result<(), Error> {
    change(property, &mut |known, at| {
        known[FUZZ] = json!({
            "verdict": verdict, "executions": reached.executions, "edges": reached.edges, "places": reached.places, "at": at,
        });
    })
}

/// Changes what is known of a property, at a time in seconds.
fn change(property: &Property, to: &mut dyn FnMut(&mut Value, u64)) -> Result<(), Error> {
    let package = &property.binary.package_directory;
    let read_only = std::env::var("FORALL_READ_ONLY").is_ok_and(|value| !matches!(&*value, "" | "0" | "off"));
    let Some(store) = local_store(package).filter(|_| !read_only) else { return Ok(()) };
    let mut results = Results::of(package);
    let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let result = results.by_name.entry(property.name.clone()).or_insert_with(|| json!({}));
    to(result, at);
    result["property"] = json!(property.name);
    let text: String = results.by_name.values().map(|result| format!("{result}\n")).collect();
    write(&store, &text).map_err(|error| {
        let path = store.join(FILE);
        format!("cannot write {}: {error}; make it writable, or set FORALL_STORE to another directory", path.display())
    })
}

/// Replaces the file in one step: two processes may do so at once.
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

    #[test]
    fn what_tests_said_is_remembered_in_short() {
        let finished = json!({
            "verdict": "failed", "valid": 4,
            "features": {"ratio": {"0.5": 2, "-1e300": 2}, "kind": {"a": 3, "NaN": 1}},
            "counterexample": {"values": [{"name": "n", "text": "7"}, {"name": "s", "text": "\"\""}]},
        });
        let result = remembered(&finished);
        assert_eq!(result["features"]["ratio"], json!({"least": -1e300, "mean": -5e299, "most": 0.5}));
        assert_eq!(result["features"]["kind"], json!({"shares": {"a": 75.0, "NaN": 25.0}}));
        assert_eq!(result["counterexample"], "n = 7, s = \"\"");
        let many: Map<String, Value> = (0..100).map(|n| (format!("at {n}"), json!(n))).collect();
        let labels = remembered(&json!({"labels": many}))["labels"].clone();
        assert_eq!(
            (labels.as_object().unwrap().len(), &labels["at 99"], labels.get("at 0")),
            (LABELS, &json!(99), None)
        );
        // Numbers that were collected are one thing, and no fifty labels.
        let collected = remembered(&json!({"labels": {"0": 1, "10": 3, "even": 2}}));
        assert_eq!(collected["collected"], json!({"least": 0.0, "mean": 7.5, "most": 10.0}));
        assert_eq!(collected["labels"], json!({"even": 2}));
        let ended = remembered(&of_one_that_ended(How::Signal(6)));
        assert_eq!((&ended["verdict"], &ended["how"]), (&json!("ended"), &json!(How::Signal(6).to_string())));
        assert_eq!([number(49.5), number(7.0), number(-5e299), number(0.0)], ["49.5", "7", "-5e299", "0"]);
    }
}
