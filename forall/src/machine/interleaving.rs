//! Preconditions in every interleaving: whichever branch comes first, each command must be allowed when its turn comes.

use super::generating::advance;
use super::program::Program;
use super::spec::has_preconditions;
use super::{Ref, Shared};

/// A command of a branch.
#[derive(Clone, Copy)]
struct Place {
    branch: usize,
    at: usize,
}

/// What can be said of a program's preconditions.
enum Found {
    /// They hold in every interleaving.
    Fine,
    /// One does not hold in some interleaving; or an earlier one does not hold in the prefix.
    Refused(Place),
    /// There are more interleavings than may be looked at.
    TooMany,
}

/// Takes out commands that are not allowed in some interleaving, until all are; and commands at the ends of branches, as long
/// as there are too many interleavings to look at.
pub(super) fn repair<S: Shared>(program: &mut Program<S>) {
    let Some(model) = repair_prefix(program) else { return };
    loop {
        match look(program, model.clone()) {
            Found::Fine => return,
            Found::Refused(Place { branch, at }) => drop(program.branches[branch].remove(at)),
            Found::TooMany => {
                let longest = (0..program.branches.len()).max_by_key(|&branch| program.branches[branch].len());
                if let Some(branch) = longest {
                    program.branches[branch].pop();
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
    match look(program, model) {
        Found::Refused(Place { branch, at }) => {
            Some(format!("{:?} of branch {}, in some interleaving,", program.branches[branch][at], branch + 1))
        }
        Found::Fine | Found::TooMany => None,
    }
}

/// Whether there are preconditions, as far as the first command tells.
fn is_conditional<S: Shared>(program: &Program<S>) -> bool {
    let first = program.branches.iter().flatten().chain(&program.prefix).next();
    first.is_some_and(|command| has_preconditions(&*program.spec, &program.spec.model(), command))
}

/// Takes what is not allowed out of the prefix. The model after it; none if there are no preconditions, or nothing to look at.
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

/// Configurations by how many commands have happened: how far each branch is, and the models that are possible then.
fn look<S: Shared>(program: &Program<S>, model: S::Model) -> Found {
    let most = program.spec.tuning().interleavings;
    let mut level: Vec<(Vec<usize>, Vec<S::Model>)> = vec![(vec![0; program.branches.len()], vec![model])];
    let mut seen = 0;
    while !level.is_empty() {
        let mut next: Vec<(Vec<usize>, Vec<S::Model>)> = Vec::new();
        for (happened, models) in &level {
            for branch in 0..program.branches.len() {
                let at = happened[branch];
                let Some(command) = program.branches[branch].get(at) else { continue };
                let mut after = happened.clone();
                after[branch] += 1;
                let place = match next.iter().position(|(other, _)| *other == after) {
                    Some(place) => place,
                    None => {
                        next.push((after, Vec::new()));
                        next.len() - 1
                    }
                };
                for model in models {
                    if !program.spec.precondition(model, command) {
                        return Found::Refused(Place { branch, at });
                    }
                    let mut model = model.clone();
                    advance(&*program.spec, &mut model, command, Ref::in_branch(branch, at));
                    if !next[place].1.contains(&model) {
                        seen += 1;
                        next[place].1.push(model);
                    }
                }
                if seen > most {
                    return Found::TooMany;
                }
            }
        }
        level = next;
    }
    Found::Fine
}
