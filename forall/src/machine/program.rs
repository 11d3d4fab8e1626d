//! The commands of a parallel test, and how they are drawn.

use super::generating::{Draft, Wanted, up_to};
use super::misused::senseless;
use super::picture::type_of;
use super::{Ref, Shared, Spec, interleaving};
use crate::choice::Source;
use crate::generate::Lengths;
use crate::panic;
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
        Self::generate_some(spec, branches, None, source)
    }

    /// Draws a program of commands that are wanted, if not all are.
    pub(super) fn generate_some(spec: Arc<S>, branches: usize, wanted: Wanted<'_, S>, source: &mut Source) -> Self {
        if spec.tuning().branch == 0 {
            senseless(
                Some(type_of::<S>()),
                "its `tuning` has `branch: 0`, so that nothing happens at the same time: set it to 1 or more",
            );
        }
        let mut prefix = Vec::new();
        let mut lanes: Vec<Lane<S>> = Vec::new();
        lanes.resize_with(branches, || Lane { commands: Vec::new(), model: None });
        let mut draft = Draft::new(&*spec, wanted);
        let drawn = panic::catch_once(|| draw(&*spec, &mut draft, &mut prefix, &mut lanes, source));
        draft.must_have_ended(drawn, &|| {
            let branches: Vec<_> = lanes.iter().map(|lane| &lane.commands).collect();
            format!("{prefix:?}, and {branches:?} in branches")
        });
        if prefix.is_empty() && lanes.iter().all(|lane| lane.commands.is_empty()) {
            draft.must_be_possible(source);
        }
        let branches = lanes.into_iter().map(|lane| lane.commands).collect();
        let mut program = Program { spec: Arc::clone(&spec), prefix, branches, by_hand: false };
        let repaired = panic::catch_once(|| interleaving::repair(&mut program));
        draft.must_have_ended(repaired, &|| format!("{:?}, and others in branches", program.prefix));
        program
    }

    /// Whether it has no commands at all.
    pub(super) fn is_empty(&self) -> bool {
        self.prefix.is_empty() && self.branches.iter().all(Vec::is_empty)
    }
}

/// Draws the commands of a program.
fn draw<S: Shared>(
    spec: &S,
    draft: &mut Draft<'_, S>,
    prefix: &mut Vec<S::Command>,
    lanes: &mut [Lane<S>],
    source: &mut Source,
) {
    let (tuning, branches, mut model) = (spec.tuning(), lanes.len(), spec.model());
    draft.commands((tuning.prefix, up_to), source, &mut |draft, source| {
        let Some(command) = draft.command(None, &mut model, Ref::nth(prefix.len() as u32), source) else {
            return false;
        };
        prefix.push(command);
        true
    });
    // In a program without branches, nothing happens at the same time: only a prefix is cut short.
    source.stop_simplifying();
    let mut drawn = 0;
    // The chance that two commands conflict grows with the square of their number.
    draft.commands((branches * tuning.branch, Lengths::mostly_long), source, &mut |draft, source| {
        // At random always a branch, each before one comes again, so that something happens at the same time in most programs; where
        // the choice is made simpler, the prefix at last.
        let lane = source.uncopied_choice(branches as u64, |random, _| match drawn < branches as u64 {
            true => 1 + drawn,
            false => 1 + random.up_to(branches as u64 - 1),
        });
        drawn += 1;
        let Some(Lane { commands, model: state }) = (lane as usize).checked_sub(1).and_then(|lane| lanes.get_mut(lane))
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
}

/// A branch under generation, and what the model is after its commands, once it has some.
struct Lane<S: Spec> {
    commands: Vec<S::Command>,
    model: Option<S::Model>,
}
