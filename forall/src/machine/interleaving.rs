//! Preconditions in every interleaving: whichever branch comes first, each command must be allowed when its turn comes.
//!
//! Programs grow command by command, each branch in its turn. A command is added if all commands, with it, are allowed
//! in every interleaving. So nothing is examined twice, and the cost of a program is bounded.

use super::generating::advance;
use super::program::Program;
use super::spec::has_preconditions;
use super::{Ref, Shared};
use crate::context;
use std::collections::HashMap;

/// A command of a branch.
#[derive(Clone, Copy)]
struct Place {
    branch: usize,
    at: usize,
}

/// The result of checking a program's preconditions after adding a command.
enum Found {
    /// They hold in every interleaving.
    Fine,
    /// One does not hold in some interleaving.
    Refused(Place),
    /// There are more interleavings than the limit.
    TooMany,
}

/// Removes commands that violate a precondition in some interleaving, and the ends of branches if there are too many
/// interleavings to check. The entry of `beside` for each removed command is removed as well.
pub(super) fn repair<S: Shared, T>(program: &mut Program<S>, beside: &mut [Vec<T>]) {
    let Some(model) = repair_prefix(program) else { return };
    let spec = &*program.spec;
    let mut interleavings = Interleavings::new(spec, model, program.branches.len());
    let longest = program.branches.iter().map(Vec::len).max().unwrap_or(0);
    let mut drawn: Vec<_> = program.branches.iter_mut().map(|branch| std::mem::take(branch).into_iter()).collect();
    let mut drawn_beside: Vec<_> = beside.iter_mut().map(|branch| std::mem::take(branch).into_iter()).collect();
    for _ in 0..longest {
        for (branch, drawn) in drawn.iter_mut().enumerate() {
            let Some(command) = drawn.next() else { continue };
            program.branches[branch].push(command);
            let with_it = drawn_beside[branch].next();
            match interleavings.add_last_of(branch, &program.branches) {
                Found::Fine => beside[branch].extend(with_it),
                Found::Refused(_) => drop(program.branches[branch].pop()),
                Found::TooMany => {
                    program.branches[branch].pop();
                    context::label("shortened: too many interleavings to check preconditions in");
                    return;
                }
            }
        }
    }
}

/// Whether each command is allowed in every interleaving: for programs that were written by hand. Names one that is not.
pub(super) fn refused<S: Shared>(program: &Program<S>) -> Option<String> {
    if !program.by_hand || !is_conditional(program) {
        return None;
    }
    let (spec, mut model) = (&*program.spec, program.spec.model());
    for (number, command) in program.prefix.iter().enumerate() {
        if !spec.precondition(&model, command) {
            return Some(format!("{command:?} in the prefix"));
        }
        advance(spec, &mut model, command, Ref::nth(number as u32));
    }
    let branches: Vec<&[S::Command]> = program.branches.iter().map(Vec::as_slice).collect();
    let mut begun: Vec<&[S::Command]> = vec![&[]; branches.len()];
    let mut interleavings = Interleavings::new(spec, model, branches.len());
    let longest = branches.iter().map(|branch| branch.len()).max().unwrap_or(0);
    for length in 1..=longest {
        for (branch, commands) in branches.iter().enumerate().filter(|(_, commands)| commands.len() >= length) {
            begun[branch] = &commands[..length];
            match interleavings.add_last_of(branch, &begun) {
                Found::Fine => {}
                Found::Refused(Place { branch, at }) => {
                    return Some(format!("{:?} of branch {}, in some interleaving", branches[branch][at], branch + 1));
                }
                Found::TooMany => return None,
            }
        }
    }
    None
}

/// Whether the specification has preconditions, as far as the first command shows.
fn is_conditional<S: Shared>(program: &Program<S>) -> bool {
    let first = program.branches.iter().flatten().chain(&program.prefix).next();
    first.is_some_and(|command| has_preconditions(&*program.spec, &program.spec.model(), command))
}

/// Removes commands that are not allowed from the prefix. Returns the model after it; `None` if there are no
/// preconditions, or nothing to check.
fn repair_prefix<S: Shared>(program: &mut Program<S>) -> Option<S::Model> {
    if !is_conditional(program) {
        return None;
    }
    let (spec, mut model) = (&*program.spec, program.spec.model());
    let mut at = 0;
    while at < program.prefix.len() {
        if spec.precondition(&model, &program.prefix[at]) {
            advance(spec, &mut model, &program.prefix[at], Ref::nth(at as u32));
            at += 1;
        } else {
            program.prefix.remove(at);
        }
    }
    Some(model)
}

/// This many comparisons of models take about as long as creating one.
const COMPARISONS: usize = 16;

/// All interleavings of a growing program.
struct Interleavings<'a, S: Shared> {
    spec: &'a S,
    /// The possible models, by the number of commands that each branch has run.
    possible: HashMap<Vec<usize>, Vec<S::Model>>,
    /// The number of configurations examined so far, and its limit.
    seen: usize,
    most: usize,
}

impl<'a, S: Shared> Interleavings<'a, S> {
    /// Creates it for this many branches without commands, which start from this model.
    fn new(spec: &'a S, model: S::Model, branches: usize) -> Self {
        let possible = HashMap::from([(vec![0; branches], vec![model])]);
        Self { spec, possible, seen: 0, most: spec.tuning().interleavings }
    }

    /// Adds the last command of a branch; the others are known already. Unless the result is `Fine`, nothing changes.
    fn add_last_of(&mut self, branch: usize, branches: &[impl AsRef<[S::Command]>]) -> Found {
        let lengths: Vec<usize> = branches.iter().map(|commands| commands.as_ref().len()).collect();
        // The possible models after it, by the progress of the other branches, in order of increasing progress.
        let mut after: HashMap<Vec<usize>, Vec<S::Model>> = HashMap::new();
        let mut happened = vec![0; lengths.len()];
        happened[branch] = lengths[branch];
        loop {
            let mut models = Vec::new();
            for last in 0..lengths.len() {
                let Some(at) = happened[last].checked_sub(1) else { continue };
                let command = &branches[last].as_ref()[at];
                let known = if last == branch { &self.possible } else { &after };
                happened[last] = at;
                let before = &known[&happened];
                happened[last] = at + 1;
                for model in before {
                    if !self.spec.precondition(model, command) {
                        return Found::Refused(Place { branch: last, at });
                    }
                    let mut model = model.clone();
                    advance(self.spec, &mut model, command, Ref::in_branch(last, at));
                    self.seen += 1 + models.len() / COMPARISONS;
                    if self.seen > self.most {
                        return Found::TooMany;
                    }
                    if !models.contains(&model) {
                        models.push(model);
                    }
                }
            }
            after.insert(happened.clone(), models);
            let next = (0..lengths.len()).rev().find(|&other| other != branch && happened[other] < lengths[other]);
            let Some(next) = next else { break };
            happened[next] += 1;
            for (other, happened) in happened.iter_mut().enumerate().skip(next + 1) {
                *happened = if other == branch { *happened } else { 0 };
            }
        }
        self.possible.extend(after);
        Found::Fine
    }
}
