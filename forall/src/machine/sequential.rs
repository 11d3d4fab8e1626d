//! One command after the other: does the system agree with its model?

use super::generating::{Draft, advance, up_to};
use super::last_words::LastWords;
use super::misused::{go_on, invalid_specification};
use super::picture::{steps, type_of};
use super::{Ref, Results, Spec};
use crate::choice::Source;
use crate::context;
use crate::generate::{Arbitrary, Code, Generator};
use crate::panic::{self, Caught, Unwound};
use crate::property::{Failure, FailureKind, Outcome};
use std::fmt;

/// A sequence of commands of a specification, for a sequential test.
///
/// As the parameter of a test it is generated from the model; [`check`](Sequential::check) runs it:
///
/// ```
/// # use forall::choice::Source;
/// use forall::machine::{Sequential, Spec};
/// use forall::property::Outcome;
/// # use std::collections::BTreeSet;
/// # #[derive(Clone, Debug)]
/// # enum Command { Insert(u8), Len }
/// #[derive(Default)]
/// struct Set;
/// # impl Spec for Set {
/// #     type Command = Command;
/// #     type Model = Vec<u8>;
/// #     type System = BTreeSet<u8>;
/// #     type Response = usize;
/// #     fn model(&self) -> Vec<u8> { Vec::new() }
/// #     fn generate(&self, _: &Vec<u8>, source: &mut Source) -> Command {
/// #         if source.choice(1) == 0 { Command::Len } else { Command::Insert(source.draw(0..4)) }
/// #     }
/// #     fn next(&self, model: &mut Vec<u8>, command: &Command) {
/// #         if let Command::Insert(value) = command { model.push(*value); }
/// #     }
/// #     fn system(&self) -> BTreeSet<u8> { BTreeSet::new() }
/// #     fn run(&self, system: &mut BTreeSet<u8>, command: &Command) -> usize {
/// #         match command {
/// #             Command::Insert(value) => usize::from(system.insert(*value)),
/// #             Command::Len => system.len(),
/// #         }
/// #     }
/// #     fn postcondition(&self, model: &Vec<u8>, command: &Command, response: &usize) -> bool {
/// #         match command {
/// #             Command::Insert(_) => *response <= 1,
/// #             Command::Len => *response == model.len(),
/// #         }
/// #     }
/// #     fn expected(&self, model: &Vec<u8>, _: &Command) -> Option<String> { Some(model.len().to_string()) }
/// # }
/// // impl Spec for Set { … }, with a model that forgets that a set has no duplicates.
///
/// let property = forall::prelude::property! { forall commands: Sequential<Set>; check commands.check() };
/// # let settings = forall::run::Settings::new().store(forall::run::Store::Off);
/// # let report = forall::run::Run::new("set", &property).settings(settings).report();
/// # /*
/// let report = Run::new("set", &property).report();
/// # */
/// let failure = report.counterexample.unwrap().failure;
/// assert_eq!(failure.message, "\
/// the system disagrees with the model
///
///     Insert(0) : 1
///     Insert(0) : 0
///     Len       : 1    expected 2");
/// ```
pub struct Sequential<S: Spec> {
    spec: S,
    commands: Vec<S::Command>,
}

impl<S: Spec + Default> Sequential<S> {
    /// Creates a sequence from its commands, for tests that are written by hand or pasted from a report.
    ///
    /// See [`Sequential::test`].
    pub fn of(commands: impl IntoIterator<Item = S::Command>) -> Self {
        Self::with(S::default(), commands)
    }
}

impl<S: Spec> Sequential<S> {
    /// Creates a sequence as [`Sequential::of`] does, for a specification without a default.
    ///
    /// See [`sequential`].
    pub fn with(spec: S, commands: impl IntoIterator<Item = S::Command>) -> Self {
        Self { spec, commands: commands.into_iter().collect() }
    }

    /// Returns the commands.
    ///
    /// ```
    /// # use forall::{choice::Source, machine::{Sequential, Spec}};
    /// # #[derive(Default)]
    /// # struct Any;
    /// # impl Spec for Any {
    /// #     type Command = u8;
    /// #     type Model = ();
    /// #     type System = ();
    /// #     type Response = ();
    /// #     fn model(&self) {}
    /// #     fn generate(&self, _: &(), source: &mut Source) -> u8 { source.draw(0..9) }
    /// #     fn next(&self, _: &mut (), _: &u8) {}
    /// #     fn system(&self) {}
    /// #     fn run(&self, _: &mut (), _: &u8) {}
    /// #     fn postcondition(&self, _: &(), _: &u8, _: &()) -> bool { true }
    /// # }
    /// assert_eq!(Sequential::<Any>::of([1, 2]).commands(), [1, 2]);
    /// ```
    pub fn commands(&self) -> &[S::Command] {
        &self.commands
    }

    /// Runs the commands on a new system, and compares it with the model: the body of a test.
    ///
    /// See [`Sequential`].
    pub fn check(&self) -> Outcome {
        match self.run() {
            Ok(()) => Outcome::Pass,
            Err(Disagreement { failure, beside }) => {
                if context::wants_notes() {
                    for note in beside.into_iter().chain(self.pasted()) {
                        context::note(note);
                    }
                }
                Outcome::Fail(Box::new(failure))
            }
        }
    }

    /// Runs the commands, and panics if the system disagrees with the model: for a test pasted from a report.
    ///
    /// ```
    /// # use forall::{choice::Source, machine::{Sequential, Spec}};
    /// # #[derive(Default)]
    /// # struct Any;
    /// # impl Spec for Any {
    /// #     type Command = u8;
    /// #     type Model = ();
    /// #     type System = ();
    /// #     type Response = ();
    /// #     fn model(&self) {}
    /// #     fn generate(&self, _: &(), source: &mut Source) -> u8 { source.draw(0..9) }
    /// #     fn next(&self, _: &mut (), _: &u8) {}
    /// #     fn system(&self) {}
    /// #     fn run(&self, _: &mut (), _: &u8) {}
    /// #     fn postcondition(&self, _: &(), _: &u8, _: &()) -> bool { true }
    /// # }
    /// Sequential::<Any>::of([1, 2]).test();
    /// ```
    #[track_caller]
    pub fn test(&self) {
        if let Err(Disagreement { failure, beside }) = self.run() {
            let beside = beside.map_or(String::new(), |text| format!("\n\n{text}"));
            panic!("{}{beside}", by_hand(&failure));
        }
    }

    fn run(&self) -> Result<(), Disagreement> {
        let Self { spec, commands } = self;
        let mut model = spec.model();
        let mut system = called(|| spec.system())
            .map_err(|caught| Disagreement::panicked(caught, "the system panicked in its creation", ""))?;
        let mut responses = Vec::new();
        let last_words = LastWords::begin(context::context());
        let ended = panic::catch_once(|| self.run_on(&mut model, &mut system, &mut responses, &last_words));
        last_words.record(|| "cleaning up".to_owned());
        let cleaned = called(|| spec.cleanup(system));
        let shown = || self.shown(&responses, None);
        match ended {
            Ok(ended) => ended?,
            Err(Unwound::Panic(caught)) => {
                return Err(Disagreement::panicked(caught, &format!("{IN_SPECIFICATION}, after"), &shown()));
            }
            Err(Unwound::Signal(signal)) => go_on(signal),
        }
        match cleaned {
            Ok(Ok(())) => Ok(()),
            Ok(Err(why)) => {
                let failure = Failure::new(FailureKind::Error, format!("cleaning up failed: {why}"));
                Err(Disagreement { failure, beside: Some(format!("before that\n{}", shown())) })
            }
            Err(caught) => {
                let doing = format!("the system panicked in its cleanup after {} commands", commands.len());
                Err(Disagreement::panicked(caught, &doing, &shown()))
            }
        }
    }

    fn run_on(
        &self,
        model: &mut S::Model,
        system: &mut S::System,
        responses: &mut Vec<S::Response>,
        last_words: &LastWords,
    ) -> Result<(), Disagreement> {
        let Self { spec, commands } = self;
        for (number, command) in commands.iter().enumerate() {
            if !spec.precondition(model, command) {
                // Only in a sequence that was written by hand.
                let text = format!(
                    "the precondition refuses step {number}, {command:?}: remove the step, or relax the precondition"
                );
                return Err(Failure::new(FailureKind::Error, text).into());
            }
            let resolved = spec.resolve(command, &Results::in_sequence(responses));
            let command = resolved.as_ref().unwrap_or(command);
            last_words.record(|| format!("{command:?}"));
            let response = called(|| spec.run(system, command)).map_err(|caught| {
                let doing = format!("the system panicked in {command:?}");
                Disagreement::panicked(caught, &doing, &self.shown(responses, Some("panicked")))
            })?;
            last_words.record(|| format!("    : {response:?}"));
            responses.push(response);
            if !spec.postcondition(model, command, &responses[number]) {
                let expected = spec.expected(model, command).map(|text| format!("expected {text}"));
                let shown = self.shown(responses, expected.as_deref());
                let text = format!("the system disagrees with the model\n\n{shown}");
                return Err(Failure::new(FailureKind::Falsified, text).into());
            }
            advance(spec, model, &commands[number], Ref::nth(number as u32));
            spec.invariant(model, system).map_err(|why| self.broken("an invariant does not hold", &why, responses))?;
        }
        spec.at_end(model, system).map_err(|why| self.broken("the final check (`at_end`) failed", &why, responses))
    }

    fn broken(&self, what: &str, why: &str, responses: &[S::Response]) -> Disagreement {
        let shown = self.shown(responses, None);
        Failure::new(FailureKind::Falsified, format!("{what}: {why}\n\n{shown}")).into()
    }

    /// The steps so far with their responses, and a remark about the last.
    fn shown(&self, responses: &[S::Response], last: Option<&str>) -> String {
        let mut rows = Vec::new();
        for (number, command) in self.commands.iter().enumerate().take(responses.len() + 1) {
            match responses.get(number) {
                Some(response) => rows.push((format!("{command:?}"), Some(format!("{response:?}")))),
                // The step that did not finish.
                None if last.is_some() => rows.push((format!("{command:?}"), None)),
                None => {}
            }
        }
        steps(&rows, last)
    }

    /// The sequence as a test.
    fn pasted(&self) -> Option<String> {
        let mut code = Code::default();
        print_list(&self.spec, "of([", &self.commands, "])", &mut code);
        let (code, spec) = (code.finish()?, type_of::<S>());
        Some(format!("as a test:\n#[test]\nfn pasted() {{\n    Sequential::<{spec}>::{code}.test();\n}}"))
    }
}

/// The message about a panic outside of the system.
pub(super) const IN_SPECIFICATION: &str = "the specification panicked, in a check or in its model";

/// A failure as the text of a panic, for tests without a report.
#[inline]
pub(super) fn by_hand(Failure { message, location, .. }: &Failure) -> String {
    match location {
        Some(location) => format!("{message}, at {location}"),
        None => message.clone(),
    }
}

/// Calls a function of the system, and catches its panic. Our own signals pass through.
pub(super) fn called<T>(body: impl FnOnce() -> T) -> Result<T, Caught> {
    match panic::catch_once(body) {
        Ok(value) => Ok(value),
        Err(Unwound::Panic(caught)) => Err(caught),
        Err(Unwound::Signal(signal)) => go_on(signal),
    }
}

/// A disagreement between system and model.
struct Disagreement {
    failure: Failure,
    /// A separate note: bugs are distinguished by the text of a panic, so the steps that led to it are not part of the
    /// text.
    beside: Option<String>,
}

impl From<Failure> for Disagreement {
    #[inline]
    fn from(failure: Failure) -> Self {
        Self { failure, beside: None }
    }
}

impl Disagreement {
    /// A panic, where it occurred, and the steps that led to it.
    #[inline]
    fn panicked(caught: Caught, doing: &str, shown: &str) -> Self {
        let beside = format!("{doing}\n{shown}").trim_end().to_owned();
        Self { failure: caught.into(), beside: Some(beside) }
    }
}

impl<S: Spec> fmt::Debug for Sequential<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.commands).finish()
    }
}

fn generate<S: Spec>(spec: &S, source: &mut Source) -> Vec<S::Command> {
    let tuning = spec.tuning();
    if tuning.commands == 0 {
        invalid_specification(
            Some(type_of::<S>()),
            "its `tuning` has `commands: 0`, which leaves nothing to test: set it to 1 or more",
        );
    }
    let most = tuning.commands_at(source.size());
    let mut commands = Vec::new();
    let mut draft = Draft::new(spec, None);
    let drawn = panic::catch_once(|| {
        let mut model = spec.model();
        draft.commands((most, up_to), source, &mut |draft, source| {
            let Some(command) = draft.command(None, &mut model, Ref::nth(commands.len() as u32), source) else {
                return false;
            };
            commands.push(command);
            true
        });
    });
    draft.must_have_ended(drawn, &|| format!("{commands:?}"));
    if commands.is_empty() {
        draft.must_be_possible(source);
    }
    commands
}

impl<S: Spec + Default> Arbitrary for Sequential<S> {
    fn arbitrary(source: &mut Source) -> Self {
        let spec = S::default();
        let commands = generate(&spec, source);
        Self { spec, commands }
    }

    fn print(&self, code: &mut Code) {
        print_list(&self.spec, "Sequential::of([", &self.commands, "])", code);
    }
}

/// Commands as code.
pub(super) fn print_list<S: Spec>(spec: &S, open: &str, commands: &[S::Command], close: &str, code: &mut Code) {
    code.push(open);
    for (at, command) in commands.iter().enumerate() {
        code.push(if at > 0 { ", " } else { "" });
        match spec.code(command) {
            Some(text) => code.push(&text),
            None => code.opaque(),
        }
    }
    code.push(close);
}

/// Returns a generator of command sequences, for a specification without a default because it has parameters.
///
/// ```
/// # use forall::{choice::Source, prelude::*};
/// use forall::machine::{Spec, sequential};
///
/// /// A counter that goes up to a number, and begins again.
/// #[derive(Clone)]
/// struct Cycle { length: u32 }
/// impl Spec for Cycle {
///     type Command = ();
///     // …
/// #   type Model = u32;
/// #   type System = u32;
/// #   type Response = u32;
/// #   fn model(&self) -> u32 { 0 }
/// #   fn generate(&self, _: &u32, _: &mut Source) {}
/// #   fn next(&self, model: &mut u32, (): &()) { *model = (*model + 1) % self.length }
/// #   fn system(&self) -> u32 { 0 }
/// #   fn run(&self, system: &mut u32, (): &()) -> u32 { let n = *system; *system = (n + 1) % self.length; n }
/// #   fn postcondition(&self, model: &u32, (): &(), response: &u32) -> bool { response == model }
/// }
///
/// let property = property! {
///     forall length in 1..10u32;
///     forall commands in sequential(Cycle { length: *length });
///     check commands.check()
/// };
/// forall::check("cycles", &property);
/// ```
pub fn sequential<S: Spec + Clone>(spec: S) -> impl Generator<Value = Sequential<S>> {
    crate::generate::from_fn(move |source| {
        let commands = generate(&spec, source);
        Sequential { spec: spec.clone(), commands }
    })
}
