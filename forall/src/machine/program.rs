//! The commands of a parallel test, and how they are drawn.

use super::generating::{Draft, Wanted, up_to};
use super::misused::invalid_specification;
use super::picture::type_of;
use super::schedule::Forks;
use super::{Ref, Shared, Spec, interleaving};
use crate::choice::Source;
use crate::generate::Lengths;
use crate::panic;
use std::sync::{Arc, Mutex};

/// The commands of a parallel test.
pub(super) struct Program<S: Spec> {
    /// Shared with other programs of the same run.
    pub(super) spec: Arc<S>,
    pub(super) prefix: Vec<S::Command>,
    pub(super) branches: Vec<Vec<S::Command>>,
    /// Whether it was written by hand: then its preconditions are unchecked.
    pub(super) by_hand: bool,
    /// The choices of its schedule, if it has one.
    pub(super) forks: Option<Mutex<Forks>>,
}

impl<S: Shared> Program<S> {
    /// Draws a program with this many branches.
    pub(super) fn generate(spec: Arc<S>, branches: usize, source: &mut Source) -> Self {
        Self::generate_some(spec, branches, None, source)
    }

    /// Draws a program of commands that are wanted, if not all are.
    pub(super) fn generate_some(spec: Arc<S>, branches: usize, wanted: Wanted<'_, S>, source: &mut Source) -> Self {
        if spec.tuning().branch == 0 {
            invalid_specification(
                Some(type_of::<S>()),
                "its `tuning` has `branch: 0`, so no commands run concurrently: set it to 1 or more",
            );
        }
        let mut prefix = Vec::new();
        let mut lanes: Vec<Lane<S>> = Vec::new();
        lanes.resize_with(branches, || Lane { commands: Vec::new(), forks: Vec::new(), model: None });
        let root = Forks::are_wanted(&*spec, source).then(|| source.fork());
        let mut draft = Draft::new(&*spec, wanted);
        // A shape makes commands similar, and similar commands rarely reveal that they interfered.
        let drawn = panic::catch_once(|| {
            source.seldom_shaped(|source| draw(&*spec, &mut draft, &mut prefix, &mut lanes, source));
        });
        draft.must_have_ended(drawn, &|| {
            let branches: Vec<_> = lanes.iter().map(|lane| &lane.commands).collect();
            format!("{prefix:?}, and {branches:?} in branches")
        });
        if prefix.is_empty() && lanes.iter().all(|lane| lane.commands.is_empty()) {
            draft.must_be_possible(source);
        }
        let (branches, mut forks): (Vec<_>, Vec<_>) = lanes.into_iter().map(|lane| (lane.commands, lane.forks)).unzip();
        let mut program = Program { spec: Arc::clone(&spec), prefix, branches, by_hand: false, forks: None };
        let repaired = panic::catch_once(|| interleaving::repair(&mut program, &mut forks));
        draft.must_have_ended(repaired, &|| format!("{:?}, and others in branches", program.prefix));
        program.forks = root.map(|root| Mutex::new(Forks { root, commands: forks }));
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
    // In a program without branches nothing runs concurrently, so only the prefix is shortened.
    source.stop_simplifying();
    let mut drawn = 0;
    // The chance that two commands conflict grows with the square of their number.
    draft.commands((branches * tuning.branch, Lengths::mostly_long), source, &mut |draft, source| {
        // A random choice is always a branch, and each branch gets one command before any gets a second, so that most
        // programs have concurrent commands; the simplest choice is the prefix.
        let lane = source.uncopied_choice(branches as u64, |random, _| match drawn < branches as u64 {
            true => 1 + drawn,
            false => 1 + random.up_to(branches as u64 - 1),
        });
        drawn += 1;
        let Some(Lane { commands, forks, model: state }) =
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
        // Within the command's part of the tape, so that deleting the command deletes its preemptions.
        if Forks::are_wanted(spec, source) {
            forks.push(source.fork());
        }
        true
    });
}

/// A branch under generation, and the model after its commands, if it has any.
struct Lane<S: Spec> {
    commands: Vec<S::Command>,
    /// The sources for the preemptions of each command, if there is a schedule.
    forks: Vec<Source>,
    model: Option<S::Model>,
}
