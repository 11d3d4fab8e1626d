//! The public test data of the Porcupine project, read from its own text forms.

use super::Case;
use forall::linearizability::{Checker, History, Object, Operation};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::Path;

/// The logs of etcd that are linearizable, as the project's own tests have it; the others are not.
const LINEARIZABLE: &[u32] =
    &[2, 5, 7, 18, 25, 31, 38, 45, 48, 49, 51, 53, 56, 67, 75, 76, 80, 87, 92, 98, 100, 101, 102];

/// The log of a cluster that did not start.
const EMPTY: u32 = 95;

const STORES: &[(&str, bool)] =
    &[("c01-ok", true), ("c01-bad", false), ("c10-ok", true), ("c10-bad", false), ("c50-ok", true), ("c50-bad", false)];

pub fn sets(directory: &Path) -> Result<Vec<(String, Vec<Case>)>, String> {
    let read = |path: String| {
        let path = directory.join(path);
        std::fs::read_to_string(&path).map_err(|error| {
            format!("{}: {error}; --data is the directory `test_data` of the Porcupine project", path.display())
        })
    };
    let mut logs = Vec::new();
    for number in (0..=102).filter(|number| *number != EMPTY) {
        let name = format!("etcd_{number:03}");
        let history = etcd(&read(format!("jepsen/{name}.log"))?).map_err(|error| format!("{name}: {error}"))?;
        let check = Box::new(move || Checker::new(&Register).check(&history).is_linearizable());
        logs.push(Case { name, is_linearizable: LINEARIZABLE.contains(&number), check });
    }
    let mut sets = vec![("etcd".to_owned(), logs)];
    for &(name, is_linearizable) in STORES {
        let history = store(&read(format!("kv/{name}.txt"))?).map_err(|error| format!("{name}: {error}"))?;
        let check = Box::new(move || {
            Checker::new(&Store).check_by_key(&history, |request| request.key.clone()).is_linearizable()
        });
        sets.push((format!("kv/{name}"), vec![Case { name: name.to_owned(), is_linearizable, check }]));
    }
    Ok(sets)
}

/// A register with compare-and-set.
pub struct Register;

#[derive(Clone, Copy, Debug)]
pub enum Access {
    Read,
    Write(i64),
    CompareAndSet(i64, i64),
}

#[derive(Clone, Copy, Debug)]
pub enum Answer {
    Read(Option<i64>),
    Written,
    Compared(bool),
}

impl Object for Register {
    type State = Option<i64>;
    type Input = Access;
    type Output = Answer;

    fn initial(&self) -> Option<i64> {
        None
    }

    fn apply(&self, state: &Option<i64>, input: &Access, output: Option<&Answer>) -> Option<Option<i64>> {
        match (*input, output) {
            (Access::Write(value), _) => Some(Some(value)),
            (Access::Read, Some(Answer::Read(read))) => (read == state).then_some(*state),
            (Access::CompareAndSet(from, to), answer) => {
                let equal = *state == Some(from);
                let allowed = !matches!(answer, Some(Answer::Compared(set)) if *set != equal);
                allowed.then_some(if equal { Some(to) } else { *state })
            }
            (Access::Read, _) => Some(*state),
        }
    }

    fn only_reads(&self, input: &Access, output: Option<&Answer>) -> bool {
        matches!((input, output), (Access::Read, _) | (_, Some(Answer::Compared(false))))
    }
}

/// A log of Jepsen: `INFO  jepsen.util - 2 :invoke :cas [1 3]`. The number of the line is the time.
fn etcd(text: &str) -> Result<History<Access, Answer>, String> {
    let mut events = Events::default();
    for (time, line) in text.lines().enumerate() {
        let Some((_, event)) = line.split_once("jepsen.util - ") else { continue };
        let fields: Vec<&str> = event.split('\t').map(str::trim).collect();
        let [process, kind, what, value] = fields[..] else { continue };
        let Ok(process) = process.parse() else { continue };
        let number = |text: &str| text.parse::<i64>().map_err(|_| format!("{text:?} is no number"));
        match (kind, what) {
            (":invoke", ":read") => events.call(time, process, Access::Read),
            (":invoke", ":write") => events.call(time, process, Access::Write(number(value)?)),
            (":invoke", ":cas") => {
                let pair = value.trim_matches(['[', ']']).split_once(' ').ok_or("a compare-and-set of no pair")?;
                events.call(time, process, Access::CompareAndSet(number(pair.0)?, number(pair.1)?));
            }
            (":ok", ":read") => {
                let read = if value == "nil" { None } else { Some(number(value)?) };
                events.answer(time, process, Some(Answer::Read(read)))?;
            }
            (":ok", ":write") => events.answer(time, process, Some(Answer::Written))?,
            (":ok" | ":fail", ":cas") => events.answer(time, process, Some(Answer::Compared(kind == ":ok")))?,
            // A read that times out has done nothing, and the client goes on.
            (":fail", ":read") => events.answer(time, process, None)?,
            _ => {}
        }
    }
    events.history()
}

/// One key of a store of texts.
pub struct Store;

#[derive(Clone, Debug)]
pub struct Request {
    key: String,
    change: Change,
}

#[derive(Clone, Debug)]
enum Change {
    Get,
    Put(String),
    Append(String),
}

impl Object for Store {
    type State = String;
    type Input = Request;
    type Output = String;

    fn initial(&self) -> String {
        String::new()
    }

    fn apply(&self, state: &String, input: &Request, output: Option<&String>) -> Option<String> {
        match &input.change {
            Change::Get => output.is_none_or(|read| read == state).then(|| state.clone()),
            Change::Put(value) => Some(value.clone()),
            Change::Append(value) => Some(state.clone() + value),
        }
    }

    fn only_reads(&self, input: &Request, _: Option<&String>) -> bool {
        matches!(input.change, Change::Get)
    }

    fn digest(&self, state: &String) -> u64 {
        BuildHasherDefault::<DefaultHasher>::default().hash_one(state)
    }
}

/// `{:process 9, :type :invoke, :f :append, :key "0", :value "x 9 0 y"}`
fn store(text: &str) -> Result<History<Request, String>, String> {
    let mut events = Events::default();
    for (time, line) in text.lines().enumerate() {
        let field = |name: &str| {
            let (_, rest) = line.split_once(&format!("{name} "))?;
            match rest.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').map(|(value, _)| value),
                None => rest.split([',', '}']).next(),
            }
        };
        let [Some(process), Some(kind), Some(change), Some(key), Some(value)] =
            [":process", ":type", ":f", ":key", ":value"].map(field)
        else {
            continue;
        };
        let process = process.parse().map_err(|_| format!("{process:?} is no process"))?;
        match kind {
            ":invoke" => {
                let change = match change {
                    ":get" => Change::Get,
                    ":put" => Change::Put(value.to_owned()),
                    ":append" => Change::Append(value.to_owned()),
                    other => return Err(format!("{other:?} is nothing that a store does")),
                };
                events.call(time, process, Request { key: key.to_owned(), change });
            }
            _ => events.answer(time, process, (change == ":get").then(|| value.to_owned()))?,
        }
    }
    events.history()
}

/// Calls and answers on the way to a history.
struct Events<I, O> {
    operations: Vec<Operation<I, O>>,
    /// The calls that were not answered yet.
    open: Vec<(u64, usize)>,
}

impl<I, O> Default for Events<I, O> {
    fn default() -> Self {
        Self { operations: Vec::new(), open: Vec::new() }
    }
}

impl<I, O> Events<I, O> {
    fn call(&mut self, time: usize, process: u64, input: I) {
        self.open.push((process, self.operations.len()));
        self.operations.push(Operation { process, input, output: None, call: time as u64, returned: None });
    }

    fn answer(&mut self, time: usize, process: u64, output: Option<O>) -> Result<(), String> {
        let at = self.open.iter().position(|(other, _)| *other == process);
        let (_, operation) = self.open.swap_remove(at.ok_or("an answer without a call")?);
        let operation = &mut self.operations[operation];
        (operation.output, operation.returned) = (output, Some(time as u64));
        Ok(())
    }

    fn history(self) -> Result<History<I, O>, String> {
        History::new(self.operations).map_err(|error| error.to_string())
    }
}
