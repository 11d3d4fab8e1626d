//! Histories in files: one JSON event per line.

use super::{History, JsonValue, Operation};
use std::collections::HashMap;
use std::fmt;

/// Parses a history, one event per line.
///
/// ```
/// use forall::linearizability::{JsonValue, read_json_lines};
/// let text = r#"
/// {"process": 0, "type": "invoke", "value": {"f": "write", "to": 3}}
/// {"process": 1, "type": "invoke", "value": {"f": "read"}}
/// {"process": 1, "type": "ok", "value": 3}
/// {"process": 0, "type": "info"}
/// "#;
/// let history = read_json_lines(text).unwrap();
/// let [write, read] = history.operations() else { panic!("two operations") };
/// assert_eq!(write.input.get("f").and_then(JsonValue::as_str), Some("write"));
/// assert_eq!((&write.output, write.returned), (&None, None), "it is unknown whether it took effect");
/// assert_eq!(read.output, Some(JsonValue::Number("3".into())));
/// ```
///
/// | name | in | meaning |
/// | --- | --- | --- |
/// | `process` | both | the process: a whole number from 0, one operation at a time |
/// | `type` | both | `invoke` for a call; `ok` for a return; `fail` if it certainly did not happen; `info` if that is unknown |
/// | `value` | both | the input and the output: any JSON, `null` if missing |
/// | `time` | both | the time: a whole number from 0 that never decreases; if missing, the order of the lines counts |
/// | `id` | both | the call that a return belongs to: any JSON, unique for each call; may be missing |
///
/// `null` counts as missing. Other names are ignored, as are empty lines and a byte order mark at the beginning. An
/// operation that fails is not part of the history: it did not happen. A call without a response has an unknown
/// outcome, as with `info`.
///
/// Invalid input produces an error with the line:
///
/// ```
/// use forall::linearizability::read_json_lines;
/// let error = read_json_lines(r#"{"process": 1, "type": "ok", "value": 3}"#).unwrap_err();
/// assert_eq!(error.to_string(), "line 1: process 1 returns, but has no pending call");
/// ```
#[inline]
pub fn read_json_lines(text: &str) -> Result<History<JsonValue, JsonValue>, ReadError> {
    let mut reader = Reader::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in text.lines().enumerate() {
        if !line.trim().is_empty() {
            reader.line(line).map_err(|text| ReadError { line: number + 1, text })?;
        }
        reader.lines = number + 1;
    }
    reader.finish()
}

/// The reason why a string is not a history.
///
/// See [`read_json_lines`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, from 1.
    #[doc(hidden)]
    pub line: usize,
    /// The problem, and how to fix it.
    #[doc(hidden)]
    pub text: String,
}

impl fmt::Display for ReadError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

impl std::error::Error for ReadError {}

#[derive(Default)]
struct Reader {
    /// The number of lines read.
    lines: usize,
    /// The last time, and whether times are given at all.
    time: Option<(u64, bool)>,
    operations: Vec<Event>,
    /// The pending calls, by process.
    open: HashMap<u64, usize>,
    /// The lines of the calls with an unknown outcome, by process.
    lost: HashMap<u64, usize>,
    /// The lines of the calls that have an id.
    ids: HashMap<JsonValue, usize>,
}

struct Event {
    operation: Operation<JsonValue, JsonValue>,
    id: Option<JsonValue>,
    line: usize,
    happened: bool,
}

impl Reader {
    #[inline]
    fn line(&mut self, line: &str) -> Result<(), String> {
        let number = self.lines + 1;
        let json: JsonValue = line.parse()?;
        if !matches!(json, JsonValue::Object(_)) {
            return Err(
                "an event must be a JSON object: {\"process\": 0, \"type\": \"invoke\", \"value\": …}".to_owned()
            );
        }
        let process = whole(&json, "process")?.ok_or("`process` must be a non-negative integer")?;
        let time = self.time(&json)?;
        let id = json.get("id").filter(|id| **id != JsonValue::Null).cloned();
        let value = json.get("value").cloned().unwrap_or(JsonValue::Null);
        match json.get("type").and_then(JsonValue::as_str) {
            Some("invoke") => {
                if let Some(&open) = self.open.get(&process) {
                    let before = self.operations[open].line;
                    return Err(format!(
                        "process {process} makes a call while its call in line {before} is pending: give concurrent \
                         calls different process numbers"
                    ));
                }
                if let Some(before) = self.lost.get(&process) {
                    return Err(format!(
                        "process {process} continues although the outcome of its call in line {before} is unknown: give the \
                         client a new process number after that"
                    ));
                }
                if let Some(id) = &id
                    && let Some(before) = self.ids.insert(id.clone(), number)
                {
                    return Err(format!("this id is already used by the call in line {before}"));
                }
                self.open.insert(process, self.operations.len());
                let operation = Operation { process, input: value, output: None, call: time, returned: None };
                self.operations.push(Event { operation, id, line: number, happened: true });
            }
            Some(kind @ ("ok" | "fail" | "info")) => {
                let Some(&open) = self.open.get(&process) else {
                    return Err(format!("process {process} returns, but has no pending call"));
                };
                let event = &mut self.operations[open];
                if id.is_some() && event.id != id {
                    return Err(format!(
                        "the id does not match that of the call of process {process} in line {}",
                        event.line
                    ));
                }
                if kind == "info" {
                    self.lost.insert(process, event.line);
                } else {
                    event.operation.returned = Some(time);
                    event.operation.output = Some(value);
                    event.happened = kind == "ok";
                }
                self.open.remove(&process);
            }
            _ => return Err("`type` must be \"invoke\", \"ok\", \"fail\" or \"info\"".to_owned()),
        }
        Ok(())
    }

    /// The time of an event: as it is given, or the number of its line.
    #[inline]
    fn time(&mut self, json: &JsonValue) -> Result<u64, String> {
        let given = whole(json, "time")?;
        let now = given.unwrap_or(self.lines as u64);
        match self.time {
            Some((_, times)) if times != given.is_some() => {
                return Err("some events have a `time` and others do not: add it to all events, or to none".to_owned());
            }
            Some((before, _)) if now < before => {
                return Err(format!(
                    "the time goes backwards, from {before} to {now}: sort the events by a common clock"
                ));
            }
            _ => self.time = Some((now, given.is_some())),
        }
        Ok(now)
    }

    #[inline]
    fn finish(self) -> Result<History<JsonValue, JsonValue>, ReadError> {
        let happened = self.operations.into_iter().filter(|event| event.happened);
        let history = History::new(happened.map(|event| event.operation).collect());
        history.map_err(|error| ReadError { line: self.lines, text: error.to_string() })
    }
}

/// The integer under a name; `None` if there is none.
#[inline]
fn whole(json: &JsonValue, name: &str) -> Result<Option<u64>, String> {
    match json.get(name) {
        None | Some(JsonValue::Null) => Ok(None),
        Some(JsonValue::Number(digits)) if digits.parse::<u64>().is_ok() => Ok(digits.parse().ok()),
        Some(JsonValue::Number(digits)) if digits.bytes().all(|digit| digit.is_ascii_digit()) => {
            Err(format!("`{name}` is larger than {}, the largest that can be read", u64::MAX))
        }
        Some(_) => Err(format!("`{name}` must be a non-negative integer")),
    }
}
