//! The commands of a parallel test, and how they are drawn.

use super::generating::Draft;
use super::{Ref, Shared, Spec, interleaving};
use crate::choice::Source;
use std::sync::Arc;

/// The commands of a parallel test.
pub(super) struct Program<S: Spec> {
    /// Shared with other programs of the same run.
    pub(super) spec: Arc<S>,
    pub(super) prefix: Vec<S::Command>,
    pub(super) branches: Vec<Vec<S::Command>>,
    /// Whether it was written by hand: then nobody has looked at its preconditions.
    pub(super) by_hand: bool,
}

impl<S: Shared> Program<S> {
    /// Draws a program with so many branches.
    pub(super) fn generate(spec: Arc<S>, branches: usize, source: &mut Source) -> Self {
        Self::generate_some(spec, branches, &|_| true, source)
    }

    /// Draws a program of commands that are wanted.
    pub(super) fn generate_some(
        spec: Arc<S>,
        branches: usize,
        wanted: &dyn Fn(&S::Command) -> bool,
        source: &mut Source,
    ) -> Self {
        let tuning = spec.tuning();
        let (mut prefix, mut model) = (Vec::new(), spec.model());
        let mut lanes: Vec<Lane<S>> = Vec::new();
        lanes.resize_with(branches, || Lane { commands: Vec::new(), model: None });
        let mut draft = Draft::new(&*spec, wanted);
        draft.commands(tuning.prefix, source, &mut |draft, source| {
            let Some(command) = draft.command(None, &mut model, Ref::nth(prefix.len() as u32), source) else {
                return false;
            };
            prefix.push(command);
            true
        });
        draft.commands(branches * tuning.branch, source, &mut |draft, source| {
            // At random always a branch; where the choice is made simpler, the prefix at last.
            let lane = source.choice_with(branches as u64, |random, _| 1 + random.up_to(branches as u64 - 1));
            let Some(Lane { commands, model: state }) =
                (lane as usize).checked_sub(1).and_then(|lane| lanes.get_mut(lane))
            else {
                let Some(command) = draft.command(None, &mut model, Ref::nth(prefix.len() as u32), source) else {
                    return false;
                };
                prefix.push(command);
                return true;
            };
            if commands.len() >= tuning.branch {
                return false;
            }
            let state = state.get_or_insert_with(|| model.clone());
            let branch = lane as usize - 1;
            let result = Ref::in_branch(branch, commands.len());
            let Some(command) = draft.command(Some(branch), state, result, source) else { return false };
            commands.push(command);
            true
        });
        if prefix.is_empty() && lanes.iter().all(|lane| lane.commands.is_empty()) {
            draft.must_be_possible();
        }
        let branches = lanes.into_iter().map(|lane| lane.commands).collect();
        let mut program = Program { spec, prefix, branches, by_hand: false };
        interleaving::repair(&mut program);
        program
    }
}

/// A branch under generation, and what the model is after its commands, once it has some.
struct Lane<S: Spec> {
    commands: Vec<S::Command>,
    model: Option<S::Model>,
}
