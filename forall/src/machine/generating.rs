//! Drawing commands, one after the other, each in the state that those before it lead to.

use super::misused::senseless;
use super::picture::type_of;
use super::{Ref, Spec};
use crate::choice::Source;
use crate::generate::{Lengths, build};
use std::fmt::Debug;

/// How often a command is drawn to see whether any may come first.
const TRIES: u64 = 1000;

/// So many commands there may be in the smallest tests: fewer do not meet.
const FEW: usize = 6;

/// Commands under generation.
pub(super) struct Draft<'a, S: Spec> {
    spec: &'a S,
    /// Which commands are wanted at all.
    wanted: &'a dyn Fn(&S::Command) -> bool,
    /// Commands that were drawn and may not come where they would.
    refused: u64,
}

impl<'a, S: Spec> Draft<'a, S> {
    pub(super) fn new(spec: &'a S, wanted: &'a dyn Fn(&S::Command) -> bool) -> Self {
        Self { spec, wanted, refused: 0 }
    }

    /// Draws up to `most` commands, no more than a few in small tests, and calls `add` with each; it says whether it can be used.
    pub(super) fn commands(
        &mut self,
        most: usize,
        source: &mut Source,
        add: &mut dyn FnMut(&mut Self, &mut Source) -> bool,
    ) {
        let most = most.min(source.size() as usize + FEW);
        build(source, Lengths::from(0..=most), false, |source| {
            let added = add(self, source);
            self.refused += u64::from(!added);
            added
        });
    }

    /// Draws one command that may come in this state, and tells the model about it.
    pub(super) fn command(
        &mut self,
        branch: Option<usize>,
        model: &mut S::Model,
        result: Ref,
        source: &mut Source,
    ) -> Option<S::Command> {
        let command = match branch {
            Some(branch) => self.spec.generate_in(branch, model, source),
            None => self.spec.generate(model, source),
        };
        if source.is_rejected() || self.is_refused(model, &command) {
            return None;
        }
        advance(self.spec, model, &command, result);
        Some(command)
    }

    fn is_refused(&self, model: &S::Model, command: &S::Command) -> bool {
        !(self.wanted)(command)
            || !self.spec.precondition(model, command)
            || self.spec.known_issue(command).is_some_and(|issue| issue.leaves_out())
    }

    /// Called when no command came out: complains if none can ever come first.
    pub(super) fn must_be_possible(&self) {
        if self.refused == 0 {
            return;
        }
        let model = self.spec.model();
        for index in 0..TRIES {
            let command = self.spec.generate(&model, &mut Source::random(0, index, 100));
            if !self.is_refused(&model, &command) {
                return;
            }
        }
        senseless(
            Some(type_of::<S>()),
            &format!(
                "no command may come first: of {TRIES} that were drawn in the first state of the model, the precondition or a \
             known issue refuses all; let `generate` draw commands that `precondition` allows there"
            ),
        );
    }
}

/// Tells the model about a command and what its response will be known as.
pub(super) fn advance<S: Spec>(spec: &S, model: &mut S::Model, command: &S::Command, result: Ref) {
    spec.next(model, command);
    spec.bind(model, command, result);
}

/// What kind of command it is: the first word of how it is shown, which is the name of its variant.
pub(super) fn kind_of(command: &impl Debug) -> String {
    let mut text = format!("{command:?}");
    text.truncate(text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len()));
    text
}
