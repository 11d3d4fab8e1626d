//! When a failed program no longer fails: which kinds of commands are needed?
//!
//! A race that occurs once in a million repetitions cannot be shrunk command by command. It may occur more often in
//! other programs, and the fewer kinds of commands they contain, the more they reveal about it. So programs without
//! some of the kinds are drawn and tried, for a bounded time.

use super::generating::kind_of;
use super::parallel::{Parallel, Ran};
use super::program::Program;
use super::repeat::{Repeats, patience};
use super::{Shared, Spec};
use crate::choice::Source;
use crate::linearizability::Order;
use crate::text::joined;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The size at which programs are drawn.
const SIZE: u32 = 30;

/// After this many programs in a row without commands, these kinds are taken to depend on others.
const EMPTY: u32 = 100;

/// A program that failed, of fewer kinds of commands.
struct Narrower<S: Spec, const BRANCHES: usize> {
    program: Parallel<S, BRANCHES>,
    ran: Ran,
}

/// Searches for the smallest set of kinds of commands with which programs still fail, and returns a description of it.
pub(super) fn narrowed<S: Shared, const BRANCHES: usize>(lost: &Parallel<S, BRANCHES>, order: Option<Order>) -> String {
    let tuning = lost.program.spec.tuning();
    let [_, time] = patience(&tuning);
    let end = Instant::now() + time;
    let all = kinds(&lost.program);
    let (mut needed, mut found, mut repetitions) = (all.clone(), None, 0);
    for (place, kind) in all.iter().enumerate() {
        let mut fewer: Vec<String> = needed.iter().filter(|other| *other != kind).cloned().collect();
        if fewer.is_empty() {
            if found.is_some() {
                break;
            }
            // The program has one kind of command: other programs of that kind may fail.
            fewer.clone_from(&needed);
        }
        let share = end.saturating_duration_since(Instant::now()) / (all.len() - place) as u32;
        let (failed, ran) = failing(lost, order, &fewer, share);
        repetitions += ran;
        if let Some(failed) = failed {
            (needed, found) = (fewer, Some(failed));
        }
    }
    let tried = format!("{repetitions} repetitions of other programs");
    let Some(Narrower { program, ran }) = found else {
        return format!("this program does not fail again, and none of {tried} failed");
    };
    let mut text = format!(
        "this program does not fail again, but some of {tried} failed: {} {} enough",
        joined(&needed, ", "),
        if needed.len() == 1 { "is" } else { "are" }
    );
    if let Some(failure) = ran.failure {
        text += &format!(". One of them:\n{}", failure.message.trim_end());
    }
    if let Some(pasted) = program.pasted(order) {
        text += &format!("\n{pasted}");
    }
    text
}

/// The kinds of commands of a program.
fn kinds<S: Spec>(program: &Program<S>) -> Vec<String> {
    let mut kinds = Vec::new();
    for command in program.prefix.iter().chain(program.branches.iter().flatten()) {
        let kind = kind_of(command);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

/// Tries programs of these kinds of commands until a time limit; returns one that fails, and the number of repetitions.
fn failing<S: Shared, const BRANCHES: usize>(
    lost: &Parallel<S, BRANCHES>,
    order: Option<Order>,
    kinds: &[String],
    time: Duration,
) -> (Option<Narrower<S, BRANCHES>>, u64) {
    let spec = &lost.program.spec;
    let (tuning, end) = (spec.tuning(), Instant::now() + time);
    let wanted = |command: &S::Command| kinds.contains(&kind_of(command));
    let (mut index, mut repetitions, mut empty) = (0, 0, 0);
    while Instant::now() < end && empty < EMPTY {
        let mut source = Source::random(0, index, SIZE);
        let program = Program::generate_some(Arc::clone(spec), BRANCHES, Some(&wanted), &mut source);
        index += 1;
        if program.is_empty() {
            empty += 1;
            continue;
        }
        empty = 0;
        let program = Parallel { program: Arc::new(program) };
        let ran = program.repeat_with(order, Repeats::surer_until(&tuning, end));
        repetitions += ran.repetitions;
        if ran.failure.is_some() {
            return (Some(Narrower { program, ran }), repetitions);
        }
    }
    (None, repetitions)
}
