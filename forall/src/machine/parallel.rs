//! Concurrent branches: is there an order of their commands that explains all responses?

use super::misused::{go_on, misused};
use super::picture::type_of;
use super::program::Program;
use super::provoke::Noise;
use super::repeat::{self, Repeats};
use super::round::{Ended, How, Rounds};
use super::sequential::{by_hand, print_list};
use super::team::{Job, Team, Watched};
use super::{Drawing, Picture, Shared, Spec, interleaving, narrow};
use crate::choice::Source;
use crate::context;
use crate::generate::{Arbitrary, Code, Generator};
use crate::linearizability::Order;
use crate::property::{Failure, FailureKind, Outcome};
use std::fmt;
use std::sync::Arc;

/// A parallel program of a specification: a prefix of commands that run one after the other, then `BRANCHES` sequences
/// that run at the same time, each on its own thread.
///
/// [`check`](Parallel::check) repeats it on new systems, records the times of call and return and the response of each
/// command, and searches for an order of the commands, consistent with the times, in which the model allows every
/// response: the system is *linearizable*.
///
/// ```
/// # use forall::choice::Source;
/// use forall::machine::{Parallel, Shared, Spec, refute};
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU32, Ordering};
///
/// /// Hands out numbers, each once: so it should.
/// #[derive(Default)]
/// struct Tickets;
///
/// impl Spec for Tickets {
///     type Command = ();
///     type Model = u32;
///     type System = Arc<AtomicU32>;
///     type Response = u32;
///     fn model(&self) -> u32 { 0 }
///     fn generate(&self, _: &u32, _: &mut Source) {}
///     fn next(&self, model: &mut u32, (): &()) { *model += 1 }
///     fn system(&self) -> Arc<AtomicU32> { Arc::default() }
///     fn run(&self, system: &mut Arc<AtomicU32>, (): &()) -> u32 {
///         let ticket = system.load(Ordering::SeqCst);
///         std::thread::yield_now();
///         system.store(ticket + 1, Ordering::SeqCst);
///         ticket
///     }
///     fn postcondition(&self, model: &u32, (): &(), response: &u32) -> bool { response == model }
/// }
///
/// impl Shared for Tickets {
///     fn share(&self, system: &mut Arc<AtomicU32>) -> Arc<AtomicU32> { Arc::clone(system) }
/// }
///
/// let property = forall::prelude::property! { forall program: Parallel<Tickets>; check program.check() };
/// // It does not hold, and that is what we want to see.
/// let report = refute("tickets", &property, forall::run::Settings::new());
/// assert!(report.counterexample.unwrap().failure.message.starts_with("no order of the commands explains the responses"));
/// ```
///
/// A choice assigns each command to a branch; 0 is the prefix. Shrinking therefore deletes commands, moves them to
/// other branches or to the prefix, and simplifies their arguments, by the usual passes. Preconditions hold in every
/// interleaving: commands that violate them are omitted.
pub struct Parallel<S: Spec, const BRANCHES: usize = 2> {
    pub(super) program: Arc<Program<S>>,
}

/// The result of running a parallel program.
///
/// ```
/// # use forall::choice::Source;
/// # use forall::machine::{Parallel, Shared, Spec};
/// # #[derive(Default)]
/// # struct Nothing;
/// # impl Spec for Nothing {
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
/// # impl Shared for Nothing {
/// #     fn share(&self, _: &mut ()) {}
/// # }
/// let ran = Parallel::<Nothing>::of(vec![], vec![vec![1], vec![2]]).run();
/// assert!(ran.failure.is_none() && ran.repetitions >= 25);
/// ```
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Ran {
    /// The number of repetitions.
    pub repetitions: u64,
    /// The failure, if there was one.
    pub failure: Option<Failure>,
    /// The run that failed.
    pub picture: Option<Picture>,
    /// The number of undecided repetitions: there were too many interleavings to search.
    pub undecided: u64,
}

impl<S: Shared + Default, const BRANCHES: usize> Parallel<S, BRANCHES> {
    /// Creates a program from its commands, for tests that are written by hand or pasted from a report.
    ///
    /// See [`Ran`].
    pub fn of(prefix: Vec<S::Command>, branches: Vec<Vec<S::Command>>) -> Self {
        Self::with(S::default(), prefix, branches)
    }
}

impl<S: Shared, const BRANCHES: usize> Parallel<S, BRANCHES> {
    /// Creates a program as [`Parallel::of`] does, for a specification without a default.
    ///
    /// See [`parallel`].
    pub fn with(spec: S, prefix: Vec<S::Command>, branches: Vec<Vec<S::Command>>) -> Self {
        Self { program: Arc::new(Program { spec: Arc::new(spec), prefix, branches, by_hand: true, forks: None }) }
    }

    /// Repeats the program, and checks that each time some order of its commands explains the responses and respects
    /// real time: the body of a test.
    ///
    /// See [`Parallel`].
    pub fn check(&self) -> Outcome {
        self.outcome(Some(Order::RealTime))
    }

    /// Like [`Parallel::check`], but only the order of commands within each branch counts: sequential consistency. No
    /// memory barriers are then added for the time stamps, so that reordering by the processor between commands can
    /// show.
    ///
    /// ```
    /// # use forall::choice::Source;
    /// # use forall::machine::{Parallel, Shared, Spec};
    /// # use forall::property::Outcome;
    /// # #[derive(Default)]
    /// # struct Nothing;
    /// # impl Spec for Nothing {
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
    /// # impl Shared for Nothing {
    /// #     fn share(&self, _: &mut ()) {}
    /// # }
    /// let program = Parallel::<Nothing>::of(vec![], vec![vec![1], vec![2]]);
    /// assert_eq!(program.check_sequential_consistency(), Outcome::Pass);
    /// ```
    #[doc(hidden)]
    pub fn check_sequential_consistency(&self) -> Outcome {
        self.outcome(Some(Order::PerProcess))
    }

    /// Repeats the program without checking the responses of its branches: only panics, crashes and hangs are failures.
    ///
    /// ```
    /// # use forall::choice::Source;
    /// # use forall::machine::{Parallel, Shared, Spec};
    /// # use forall::property::Outcome;
    /// # #[derive(Default)]
    /// # struct Nothing;
    /// # impl Spec for Nothing {
    /// #     type Command = u8;
    /// #     type Model = ();
    /// #     type System = ();
    /// #     type Response = ();
    /// #     fn model(&self) {}
    /// #     fn generate(&self, _: &(), source: &mut Source) -> u8 { source.draw(0..9) }
    /// #     fn next(&self, _: &mut (), _: &u8) {}
    /// #     fn system(&self) {}
    /// #     fn run(&self, _: &mut (), _: &u8) {}
    /// #     fn postcondition(&self, _: &(), _: &u8, _: &()) -> bool { false }
    /// # }
    /// # impl Shared for Nothing {
    /// #     fn share(&self, _: &mut ()) {}
    /// # }
    /// let program = Parallel::<Nothing>::of(vec![], vec![vec![1], vec![2]]);
    /// assert_eq!(program.stress(), Outcome::Pass);
    /// ```
    pub fn stress(&self) -> Outcome {
        self.outcome(None)
    }

    /// Like [`Parallel::check`], but returns more details.
    ///
    /// See [`Ran`].
    #[doc(hidden)]
    pub fn run(&self) -> Ran {
        self.repeat(Some(Order::RealTime))
    }

    /// Repeats the program, and panics if no order explains the responses: for a test pasted from a report.
    ///
    /// ```
    /// # use forall::choice::Source;
    /// # use forall::machine::{Parallel, Shared, Spec};
    /// # #[derive(Default)]
    /// # struct Nothing;
    /// # impl Spec for Nothing {
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
    /// # impl Shared for Nothing {
    /// #     fn share(&self, _: &mut ()) {}
    /// # }
    /// Parallel::<Nothing>::of(vec![], vec![vec![1], vec![2]]).test();
    /// ```
    #[track_caller]
    pub fn test(&self) {
        self.must_pass(Some(Order::RealTime));
    }

    /// Runs [`Parallel::check_sequential_consistency`], and panics if it fails.
    ///
    /// ```
    /// # use forall::choice::Source;
    /// # use forall::machine::{Parallel, Shared, Spec};
    /// # #[derive(Default)]
    /// # struct Nothing;
    /// # impl Spec for Nothing {
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
    /// # impl Shared for Nothing {
    /// #     fn share(&self, _: &mut ()) {}
    /// # }
    /// Parallel::<Nothing>::of(vec![], vec![vec![1], vec![2]]).test_sequential_consistency();
    /// ```
    #[track_caller]
    pub fn test_sequential_consistency(&self) {
        self.must_pass(Some(Order::PerProcess));
    }

    /// Runs [`Parallel::stress`], and panics if it fails.
    ///
    /// ```
    /// # use forall::choice::Source;
    /// # use forall::machine::{Parallel, Shared, Spec};
    /// # #[derive(Default)]
    /// # struct Nothing;
    /// # impl Spec for Nothing {
    /// #     type Command = u8;
    /// #     type Model = ();
    /// #     type System = ();
    /// #     type Response = ();
    /// #     fn model(&self) {}
    /// #     fn generate(&self, _: &(), source: &mut Source) -> u8 { source.draw(0..9) }
    /// #     fn next(&self, _: &mut (), _: &u8) {}
    /// #     fn system(&self) {}
    /// #     fn run(&self, _: &mut (), _: &u8) {}
    /// #     fn postcondition(&self, _: &(), _: &u8, _: &()) -> bool { false }
    /// # }
    /// # impl Shared for Nothing {
    /// #     fn share(&self, _: &mut ()) {}
    /// # }
    /// Parallel::<Nothing>::of(vec![], vec![vec![1], vec![2]]).test_stress();
    /// ```
    #[track_caller]
    pub fn test_stress(&self) {
        self.must_pass(None);
    }

    #[track_caller]
    fn must_pass(&self, order: Option<Order>) {
        let Ran { failure: Some(failure), picture, .. } = self.repeat(order) else { return };
        match picture {
            // It is a note in a report.
            Some(picture) if matches!(failure.kind, FailureKind::Panic | FailureKind::Error) => {
                panic!("{}\n\n{}", by_hand(&failure), picture.text().trim_end())
            }
            _ => panic!("{}", failure.message),
        }
    }

    fn outcome(&self, order: Option<Order>) -> Outcome {
        let Ran { failure, undecided, .. } = self.repeat(order);
        if undecided > 0 {
            context::label("not decided: too many interleavings");
        }
        if self.program.branches.iter().filter(|branch| !branch.is_empty()).count() < 2 {
            context::label("no concurrency: only one branch has commands");
        }
        match failure {
            None => {
                if repeat::is_lost() {
                    context::note(narrow::narrowed(self, order));
                }
                Outcome::Pass
            }
            Some(failure) => {
                if context::wants_notes()
                    && let Some(pasted) = self.pasted(order)
                {
                    context::note(pasted);
                }
                Outcome::Fail(Box::new(failure))
            }
        }
    }

    fn repeat(&self, order: Option<Order>) -> Ran {
        match self.controlled(order) {
            Some(ran) => ran,
            None => self.repeat_on_threads(order),
        }
    }

    pub(super) fn repeat_on_threads(&self, order: Option<Order>) -> Ran {
        let branches: Vec<usize> = self.program.branches.iter().map(Vec::len).collect();
        self.repeat_with(order, Repeats::of(&self.program.spec.tuning(), &branches))
    }

    pub(super) fn repeat_with(&self, order: Option<Order>, repeats: Repeats) -> Ran {
        let tuning = self.program.spec.tuning();
        if let Some(failure) = self.refused() {
            return Ran { repetitions: 0, failure: Some(failure), picture: None, undecided: 0 };
        }
        let give_up_after = repeats.give_up_after;
        let _noise = if tuning.provoke.signals { Noise::begin() } else { None };
        let how = How { is_controlled: false, order, provoke: tuning.provoke, repeats };
        let rounds = Arc::new(Rounds::new(Arc::clone(&self.program), how, context::context()));
        let team = Team::of(self.program.branches.len()).unwrap_or_else(|why| misused(why));
        let job: Job = {
            let rounds = Arc::clone(&rounds);
            Arc::new(move |member| rounds.member(member))
        };
        let Watched { came_to_its_end, longest_pause } = team.run(&job, &|| rounds.pulse(), give_up_after);
        rounds.repeats().learn_pace(came_to_its_end, longest_pause);
        let Ended { repetitions, failure, picture, signal, undecided } =
            if came_to_its_end { rounds.ended() } else { rounds.hung() };
        if let Some(signal) = signal {
            go_on(signal);
        }
        rounds.repeats().learn(failure.is_some(), repetitions);
        Ran {
            repetitions,
            failure: failure.map(|failure| self.described(failure, picture.as_ref())),
            picture,
            undecided,
        }
    }

    /// Why a hand-written program cannot be run, if it is invalid.
    pub(super) fn refused(&self) -> Option<Failure> {
        if self.program.branches.is_empty() {
            misused("a parallel program needs at least one branch: `vec![vec![]]` is one without commands".to_owned());
        }
        let command = interleaving::refused(&self.program)?;
        let text = format!("the precondition refuses {command}: remove the command, or relax the precondition");
        Some(Failure::new(FailureKind::Error, text))
    }

    /// Adds the picture of the run to the failure.
    pub(super) fn described(&self, mut failure: Failure, picture: Option<&Picture>) -> Failure {
        let Some(picture) = picture else { return failure };
        if crate::context::told::is_asked_for() {
            inventory::iter::<Drawing>().for_each(|guest| (guest.0)(picture));
        }
        let text = picture.text();
        match failure.kind {
            // The text of a panic is parsed for display, and errors are distinguished by their texts, so the picture of
            // a run must not be part of them.
            FailureKind::Panic | FailureKind::Error => {
                if context::wants_notes() {
                    context::note(text);
                }
            }
            _ => failure.message += &format!("\n\n{}", text.trim_end()),
        }
        failure
    }

    /// The program as a test that checks the same.
    pub(super) fn pasted(&self, order: Option<Order>) -> Option<String> {
        let mut code = Code::default();
        self.print_code("", &mut code);
        let (code, spec) = (code.finish()?, type_of::<S>());
        let test = match order {
            Some(Order::RealTime) => "test",
            Some(Order::PerProcess) => "test_sequential_consistency",
            None => "test_stress",
        };
        Some(format!("as a test:\n#[test]\nfn pasted() {{\n    Parallel::<{spec}, {BRANCHES}>::{code}.{test}();\n}}"))
    }

    fn print_code(&self, path: &str, code: &mut Code) {
        let Program { spec, prefix, branches, .. } = &*self.program;
        let spec = &**spec;
        print_list(spec, &format!("{path}of(vec!["), prefix, "], vec![", code);
        for (at, branch) in branches.iter().enumerate() {
            print_list(spec, if at > 0 { ", vec![" } else { "vec![" }, branch, "]", code);
        }
        code.push("])");
    }
}

impl<S: Spec, const BRANCHES: usize> fmt::Debug for Parallel<S, BRANCHES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Program { prefix, branches, .. } = &*self.program;
        f.debug_struct("Parallel").field("prefix", prefix).field("branches", branches).finish()
    }
}

impl<S: Shared + Default, const BRANCHES: usize> Arbitrary for Parallel<S, BRANCHES> {
    fn arbitrary(source: &mut Source) -> Self {
        Self { program: Arc::new(Program::generate(Arc::new(S::default()), BRANCHES, source)) }
    }

    fn print(&self, code: &mut Code) {
        self.print_code("Parallel::", code);
    }
}

/// Returns a generator of parallel programs, for a specification without a default because it has parameters.
///
/// ```
/// # use forall::{choice::Source, prelude::*};
/// use forall::machine::{Parallel, Shared, Spec, parallel};
/// use forall::run::{Run, Settings, Store};
/// use std::sync::{Arc, atomic::{AtomicU32, Ordering}};
///
/// /// A counter that begins anywhere.
/// #[derive(Clone)]
/// struct Counter { start: u32 }
/// impl Spec for Counter {
///     type Command = ();
///     // …
/// #   type Model = u32;
/// #   type System = Arc<AtomicU32>;
/// #   type Response = u32;
/// #   fn model(&self) -> u32 { self.start }
/// #   fn generate(&self, _: &u32, _: &mut Source) {}
/// #   fn next(&self, model: &mut u32, (): &()) { *model += 1 }
/// #   fn system(&self) -> Arc<AtomicU32> { Arc::new(self.start.into()) }
/// #   fn run(&self, system: &mut Arc<AtomicU32>, (): &()) -> u32 { system.fetch_add(1, Ordering::SeqCst) }
/// #   fn postcondition(&self, model: &u32, (): &(), response: &u32) -> bool { response == model }
/// }
/// # impl Shared for Counter {
/// #     fn share(&self, system: &mut Arc<AtomicU32>) -> Arc<AtomicU32> { Arc::clone(system) }
/// # }
///
/// let property = property! {
///     forall start in 0..1000u32;
///     forall program in parallel::<_, 2>(Counter { start: *start });
///     check program.check()
/// };
/// let settings = Settings::new().tests(20).store(Store::Off);
/// assert!(Run::new("counters", &property).settings(settings).report().verdict.is_success());
/// ```
pub fn parallel<S: Shared, const BRANCHES: usize>(spec: S) -> impl Generator<Value = Parallel<S, BRANCHES>> {
    let spec = Arc::new(spec);
    crate::generate::from_fn(move |source| Parallel {
        program: Arc::new(Program::generate(Arc::clone(&spec), BRANCHES, source)),
    })
}
