//! Histories of our own. A simulated store with clients makes them, so each has an explanation; a bad one is a good one in
//! which a client reads what was overwritten before it asked. Every write writes another value, so nothing explains that.

use super::Case;
use forall::choice::Source;
use forall::linearizability::{Checker, History, Object, Operation};

/// Clients and operations, from a register like those of etcd to a large store.
const SHAPES: &[(&str, Shape)] = &[
    ("register", Shape { clients: 5, operations: 80, keys: 1, lost: 8 }),
    ("store", Shape { clients: 10, operations: 400, keys: 10, lost: 0 }),
    ("large-store", Shape { clients: 50, operations: 2000, keys: 10, lost: 0 }),
];

#[derive(Clone, Copy)]
struct Shape {
    clients: u64,
    operations: usize,
    keys: u64,
    /// How many calls are never answered.
    lost: usize,
}

pub fn sets(smoke: bool) -> Vec<(String, Vec<Case>)> {
    let histories = if smoke { 4 } else { 50 };
    let mut sets = Vec::new();
    for (name, shape) in SHAPES {
        let mut cases = Vec::new();
        for seed in 0..histories {
            for is_linearizable in [true, false] {
                let Some(history) = simulate(*shape, seed, is_linearizable) else { continue };
                let history = History::new(history).expect("clients do one thing at a time");
                let check = Box::new(move || {
                    Checker::new(&Register).check_by_key(&history, |access| access.key).is_linearizable()
                });
                let name = format!("{name}-{seed}-{}", if is_linearizable { "ok" } else { "bad" });
                cases.push(Case { name, is_linearizable, check });
            }
        }
        sets.push((format!("own/{name}"), cases));
    }
    sets
}

/// One key.
struct Register;

#[derive(Clone, Debug)]
struct Access {
    key: u64,
    write: Option<u64>,
}

impl Object for Register {
    type State = u64;
    type Input = Access;
    type Output = u64;

    fn initial(&self) -> u64 {
        0
    }

    fn apply(&self, state: &u64, access: &Access, output: Option<&u64>) -> Option<u64> {
        match access.write {
            Some(value) => Some(value),
            None => output.is_none_or(|read| read == state).then_some(*state),
        }
    }

    fn only_reads(&self, access: &Access, _: Option<&u64>) -> bool {
        access.write.is_none()
    }
}

/// The operations of clients that each wait a while, call, take effect and return. None where nothing was overwritten in time
/// to be read too late.
fn simulate(shape: Shape, seed: u64, is_linearizable: bool) -> Option<Vec<Operation<Access, u64>>> {
    let mut source = Source::random(seed, 0, 100);
    let mut clients: Vec<(u64, u64)> = (0..shape.clients).map(|client| (client, source.choice(100))).collect();
    let mut drafts = Vec::new();
    for number in 0..shape.operations {
        let at = (0..clients.len()).min_by_key(|&at| clients[at].1).unwrap_or(0);
        let (process, call) = clients[at];
        let effect = call + 1 + source.choice(200);
        let returned = effect + 1 + source.choice(200);
        let write = (source.choice(1) == 0).then_some(number as u64 + 1);
        let access = Access { key: source.choice(shape.keys - 1), write };
        let lost = number < shape.lost * 8 && number % 8 == 3;
        // A client that gets no answer goes on under another name.
        clients[at] = (if lost { process + shape.clients } else { process }, returned + 1 + source.choice(50));
        drafts.push((effect, process, call, (!lost).then_some(returned), access));
    }
    drafts.sort_by_key(|draft| draft.0);
    let mut values = vec![0; shape.keys as usize];
    let mut operations = Vec::new();
    for (_, process, call, returned, input) in drafts {
        let value = &mut values[input.key as usize];
        *value = input.write.unwrap_or(*value);
        let output = returned.is_some().then_some(*value);
        operations.push(Operation { process, input, output, call, returned });
    }
    if !is_linearizable {
        read_too_late(&mut operations)?;
    }
    Some(operations)
}

/// Makes the last read that can be one of a value that was overwritten before it was called.
fn read_too_late(operations: &mut [Operation<Access, u64>]) -> Option<()> {
    for late in (0..operations.len()).rev() {
        let Operation { input: Access { key, write: None }, call, returned: Some(_), .. } = operations[late] else {
            continue;
        };
        let before = |call: u64, operation: &&Operation<Access, u64>| {
            operation.input.key == key
                && operation.input.write.is_some()
                && operation.returned.is_some_and(|returned| returned < call)
        };
        let Some(second) = operations.iter().rev().find(|operation| before(call, operation)) else { continue };
        let Some(first) = operations.iter().rev().find(|operation| before(second.call, operation)) else { continue };
        operations[late].output = first.input.write;
        return Some(());
    }
    None
}
