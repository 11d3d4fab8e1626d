//! Histories in files: one event of JSON in each line.

use super::{History, HistoryError, Json, Operation};
use std::fmt;

/// Reads a history, one event in each line.
///
/// ```
/// use forall::linearizability::{Json, read_json_lines};
/// let text = r#"
/// {"process": 0, "type": "invoke", "value": {"f": "write", "to": 3}}
/// {"process": 1, "type": "invoke", "value": {"f": "read"}}
/// {"process": 1, "type": "ok", "value": 3}
/// {"process": 0, "type": "info"}
/// "#;
/// let history = read_json_lines(text).unwrap();
/// let [write, read] = history.operations() else { panic!("two operations") };
/// assert_eq!(write.input.get("f").and_then(Json::as_str), Some("write"));
/// assert_eq!((&write.output, write.returned), (&None, None), "nobody knows whether it happened");
/// assert_eq!(read.output, Some(Json::Number("3".into())));
/// ```
///
/// | name | in | meaning |
/// | --- | --- | --- |
/// | `process` | both | who: a whole number, one operation at a time |
/// | `type` | both | `invoke` for a call; `ok` for an answer; `fail` if it certainly did not happen; `info` if nobody knows |
/// | `value` | both | what was asked, and what was answered: any JSON, `null` if missing |
/// | `time` | both | when: a whole number that never gets smaller; if missing, the order of the lines counts |
/// | `id` | both | names the operation in messages, and which call an answer belongs to; may be missing |
///
/// Other names are not looked at, and empty lines are passed over. An operation that fails is no part of the history: it
/// did not happen. A call that is never answered is one of which nobody knows, as with `info`.
///
/// What cannot be a history gets an error that names the line:
///
/// ```
/// use forall::linearizability::read_json_lines;
/// let error = read_json_lines(r#"{"process": 1, "type": "ok", "value": 3}"#).unwrap_err();
/// assert_eq!(error.to_string(), "line 1: process 1 is answered, but has called nothing");
/// ```
pub fn read_json_lines(text: &str) -> Result<History<Json, Json>, ReadError> {
    let mut reader = Reader::default();
    for (number, line) in text.lines().enumerate() {
        if !line.trim().is_empty() {
            reader.line(line).map_err(|text| ReadError { line: number + 1, text })?;
        }
        reader.lines = number + 1;
    }
    reader.finish()
}

/// Why a text is no history.
///
/// See [`read_json_lines`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it, and what to do.
    pub text: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

impl std::error::Error for ReadError {}

#[derive(Default)]
struct Reader {
    /// How many lines were read.
    lines: usize,
    /// The last time, and whether times are given at all.
    time: Option<(i64, bool)>,
    operations: Vec<Event>,
    /// The calls that were not answered yet, by process.
    open: Vec<(u64, usize)>,
}

struct Event {
    operation: Operation<Json, Json>,
    id: Option<Json>,
    line: usize,
    happened: bool,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let number = self.lines + 1;
        let json: Json = line.parse()?;
        if !matches!(json, Json::Object(_)) {
            return Err("an event is an object: {\"process\": 0, \"type\": \"invoke\", \"value\": …}".to_owned());
        }
        let process = json.get("process").and_then(Json::as_i64).and_then(|process| u64::try_from(process).ok());
        let process = process.ok_or("`process` must be a whole number from 0 on")?;
        let time = self.time(&json)?;
        let id = json.get("id").cloned();
        let value = json.get("value").cloned().unwrap_or(Json::Null);
        match json.get("type").and_then(Json::as_str) {
            Some("invoke") => {
                if let Some(&(_, open)) = self.open.iter().find(|(other, _)| *other == process) {
                    let before = self.operations[open].line;
                    return Err(format!(
                        "process {process} calls something while its call of line {before} is under way: give what runs at \
                         the same time different process numbers"
                    ));
                }
                if let Some(before) = self.operations.iter().find(|event| id.is_some() && event.id == id) {
                    return Err(format!("the id of line {} stands for another call already", before.line));
                }
                self.open.push((process, self.operations.len()));
                let operation = Operation { process, input: value, output: None, call: time, returned: None };
                self.operations.push(Event { operation, id, line: number, happened: true });
            }
            Some(kind @ ("ok" | "fail" | "info")) => {
                let Some(at) = self.open.iter().position(|(other, _)| *other == process) else {
                    return Err(format!("process {process} is answered, but has called nothing"));
                };
                let event = &mut self.operations[self.open[at].1];
                if id.is_some() && event.id != id {
                    return Err(format!("the id is not that of the call of process {process} in line {}", event.line));
                }
                if kind != "info" {
                    event.operation.returned = Some(time);
                    event.operation.output = Some(value);
                    event.happened = kind == "ok";
                }
                self.open.swap_remove(at);
            }
            _ => return Err("`type` must be \"invoke\", \"ok\", \"fail\" or \"info\"".to_owned()),
        }
        Ok(())
    }

    /// The time of an event: as it is given, or the number of its line.
    fn time(&mut self, json: &Json) -> Result<u64, String> {
        let given = match json.get("time") {
            Some(time) => {
                Some(time.as_i64().filter(|time| *time >= 0).ok_or("`time` must be a whole number from 0 on")?)
            }
            None => None,
        };
        let now = given.unwrap_or(self.lines as i64);
        match self.time {
            Some((_, times)) if times != given.is_some() => {
                return Err("some events have a `time` and others have none: give it to all, or to none".to_owned());
            }
            Some((before, _)) if now < before => {
                return Err(format!(
                    "the clock goes backwards, from {before} to {now}: sort the events by one clock that all share"
                ));
            }
            _ => self.time = Some((now, given.is_some())),
        }
        Ok(now as u64)
    }

    fn finish(self) -> Result<History<Json, Json>, ReadError> {
        let (mut operations, mut lines) = (Vec::new(), Vec::new());
        for event in self.operations {
            if event.happened {
                operations.push(event.operation);
                lines.push(event.line);
            }
        }
        History::new(operations).map_err(|error| match error {
            HistoryError::GoesOn { process, before, operation } => ReadError {
                line: lines[operation],
                text: format!(
                    "process {process} goes on although nobody knows what became of its call of line {}: give the client \
                     another process number after that",
                    lines[before]
                ),
            },
            other => ReadError { line: self.lines, text: other.to_string() },
        })
    }
}
