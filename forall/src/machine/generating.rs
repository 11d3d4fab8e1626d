//! Drawing commands, one after the other, each in the state that those before it lead to.

use super::misused::invalid_specification;
use super::picture::type_of;
use super::tuning::LARGEST;
use super::{Ref, Spec};
use crate::choice::Source;
use crate::context;
use crate::generate::{ELEMENT, Lengths, Parts, build};
use crate::panic::Unwound;
use std::fmt::Debug;
use std::panic::resume_unwind;

/// The number of draws to check whether any command is allowed first.
const TRIES: u64 = 1000;

/// The maximum number of commands in the smallest tests: fewer would hardly interact.
const FEW: usize = 6;

/// Which commands are wanted, if not all are.
pub(super) type Wanted<'a, S> = Option<&'a dyn Fn(&<S as Spec>::Command) -> bool>;

/// Commands under generation.
pub(super) struct Draft<'a, S: Spec> {
    spec: &'a S,
    wanted: Wanted<'a, S>,
    /// The number of drawn commands that were not allowed in their state.
    refused: u64,
    /// Whether the last command was refused.
    was_refused: bool,
    /// The command whose precondition is being checked.
    drawn: Option<S::Command>,
}

impl<'a, S: Spec> Draft<'a, S> {
    pub(super) fn new(spec: &'a S, wanted: Wanted<'a, S>) -> Self {
        Self { spec, wanted, refused: 0, was_refused: false, drawn: None }
    }

    /// Draws up to `most` commands, only a few in small tests, and calls `add` with each, which returns whether the
    /// command can be used.
    pub(super) fn commands(
        &mut self,
        (most, lengths): (usize, fn(usize) -> Lengths),
        source: &mut Source,
        add: &mut dyn FnMut(&mut Self, &mut Source) -> bool,
    ) {
        let size = source.size();
        let most = if size < LARGEST { most.min(size as usize + FEW) } else { most };
        let mut count = 0;
        build(source, lengths(most), Parts::AsDrawn, |source| {
            self.was_refused = false;
            let added = add(self, source);
            count += usize::from(added);
            added
        });
        if count == most && !source.is_random() {
            // A list that is full has no choice to stop. Without one, deleting a command would have the list continue with
            // the choices that follow it.
            source.open_span(ELEMENT);
            source.choice_on_tape(0, &|_, _| 0);
            source.close_span();
        }
        // A refused command is replaced by another one, unless too many were refused.
        if self.was_refused && context::is_active() {
            context::label("shortened: preconditions or known issues refused many commands in a row");
        }
    }

    /// Draws one command that is allowed in this state, and applies it to the model.
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
        let command = self.drawn.insert(command);
        self.was_refused = source.is_rejected() || is_refused(self.spec, self.wanted, model, command);
        self.refused += u64::from(self.was_refused);
        if !self.was_refused {
            advance(self.spec, model, command, result);
        }
        self.drawn.take().filter(|_| !self.was_refused)
    }

    /// Called after commands were drawn, with those that were accepted: reports a panic of the specification while
    /// drawing.
    pub(super) fn must_have_ended(&self, drawn: Result<(), Unwound>, so_far: &dyn Fn() -> String) {
        match drawn {
            Ok(()) => {}
            Err(Unwound::Signal(signal)) => resume_unwind(signal),
            Err(Unwound::Panic(caught)) => {
                let command = self.drawn.as_ref().map_or(String::new(), |command| format!("with {command:?} "));
                let why = format!("it panics while commands are generated, {command}after {}: {caught}", so_far());
                invalid_specification(Some(type_of::<S>()), &why)
            }
        }
    }

    /// Called when commands were drawn but none was accepted: the test is discarded. Reports an error if no command is
    /// ever allowed first.
    pub(super) fn must_be_possible(&self, source: &mut Source) {
        if self.refused == 0 || self.wanted.is_some() {
            return;
        }
        let model = self.spec.model();
        for index in 0..TRIES {
            let command = self.spec.generate(&model, &mut Source::random(0, index, 100));
            if !is_refused(self.spec, None, &model, &command) {
                source.reject();
                return;
            }
        }
        invalid_specification(
            Some(type_of::<S>()),
            &format!(
                "no command is allowed first: the precondition or a known issue refuses all of {TRIES} commands generated for \
             the initial model; `generate` must produce some that `precondition` allows there"
            ),
        );
    }
}

/// Up to `most` commands, each number equally likely.
#[inline]
pub(super) fn up_to(most: usize) -> Lengths {
    Lengths::from(0..=most)
}

/// Whether a command is not allowed in this state.
fn is_refused<S: Spec>(spec: &S, wanted: Wanted<'_, S>, model: &S::Model, command: &S::Command) -> bool {
    wanted.is_some_and(|wanted| !wanted(command))
        || !spec.precondition(model, command)
        || spec.known_issue(command).is_some_and(|issue| issue.leaves_out())
}

/// Applies a command to the model, and binds the reference to its response.
pub(super) fn advance<S: Spec>(spec: &S, model: &mut S::Model, command: &S::Command, result: Ref) {
    spec.next(model, command);
    spec.bind(model, command, result);
}

/// The kind of a command: the first word of its `Debug` output, which is the name of its variant.
pub(super) fn kind_of(command: &impl Debug) -> String {
    let mut text = format!("{command:?}");
    text.truncate(text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len()));
    text
}
