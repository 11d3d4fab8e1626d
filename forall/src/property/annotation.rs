//! Annotations of a quantifier, in addition to its generator: shrinker, mutator, printer, feedback, and custom
//! annotations for your own runner.
//!
//! Ordinary random tests use no annotations, so they cost nothing there. Guided runners use mutators and feedback
//! during tests.

use super::mutating::{Place, Rebind};
use super::printing::bind;
use super::{Binding, MAX_CANDIDATES, Measure, Outline, Printed, Quantifier, Step, Stop};
use crate::choice::{Source, Span};
use crate::context::draw_times;
use crate::panic::drop_quietly;
use std::any::Any;
use std::fmt;

/// Simpler values in an environment, the simplest first.
///
/// ```
/// use forall::property::ShrinkFn;
/// let halves: ShrinkFn<(), u32> = Box::new(|(), n| Box::new([0, n / 2].into_iter()));
/// assert_eq!(halves(&(), &10).collect::<Vec<_>>(), [0, 5]);
/// ```
#[doc(hidden)]
pub type ShrinkFn<Env, T> = Box<dyn for<'a> Fn(&'a Env, &'a T) -> Box<dyn Iterator<Item = T> + 'a> + Send + Sync>;

/// A mutated value in an environment.
///
/// ```
/// use forall::choice::Source;
/// use forall::property::MutateFn;
/// let nudge: MutateFn<(), u32> = Box::new(|(), n, source| n + source.draw(0..=1));
/// assert!((10..=11).contains(&nudge(&(), 10, &mut Source::random(1, 0, 100))));
/// ```
#[doc(hidden)]
pub type MutateFn<Env, T> = Box<dyn Fn(&Env, T, &mut Source) -> T + Send + Sync>;

/// The text of a value in an environment.
///
/// ```
/// use forall::property::PrintFn;
/// let hex: PrintFn<(), u32> = Box::new(|(), n| format!("{n:#x}"));
/// assert_eq!(hex(&(), &255), "0xff");
/// ```
#[doc(hidden)]
pub type PrintFn<Env, T> = Box<dyn Fn(&Env, &T) -> String + Send + Sync>;

/// The score of a value in an environment; higher is better.
///
/// ```
/// use forall::property::FeedbackFn;
/// let length: FeedbackFn<(), String> = Box::new(|(), text| text.len() as f64);
/// assert!(length(&(), &"longer".to_owned()) > length(&(), &"short".to_owned()));
/// ```
#[doc(hidden)]
pub type FeedbackFn<Env, T> = Box<dyn Fn(&Env, &T) -> f64 + Send + Sync>;

/// The annotations of one quantifier of type `T` in an environment `Env`.
///
/// Four kinds have their own fields. You may attach others for a custom runner to read: at most one value of each type.
///
/// ```
/// use forall::property::{self, Telescope};
///
/// struct Weight(u32);
/// let quantified = property::forall("n", |(), s| s.draw(0..10u32)).with(Weight(3));
/// assert_eq!(quantified.annotations.get::<Weight>().unwrap().0, 3);
/// assert!(quantified.annotations.shrinker.is_none());
/// ```
#[doc(hidden)]
pub struct Annotations<Env, T> {
    /// How to shrink the value.
    #[doc(hidden)]
    pub shrinker: Option<ShrinkFn<Env, T>>,
    /// How to mutate the value.
    #[doc(hidden)]
    pub mutator: Option<MutateFn<Env, T>>,
    /// How to print the value.
    #[doc(hidden)]
    pub printer: Option<PrintFn<Env, T>>,
    /// How to score the value.
    #[doc(hidden)]
    pub feedback: Option<FeedbackFn<Env, T>>,
    others: Vec<Box<dyn Any + Send + Sync>>,
}

impl<Env, T> Annotations<Env, T> {
    /// No annotations. This is a constant because each property would have to compile a call.
    #[doc(hidden)]
    pub const NONE: Self = Self { shrinker: None, mutator: None, printer: None, feedback: None, others: Vec::new() };

    /// Adds an annotation; replaces an earlier one of the same type.
    ///
    /// ```
    /// use forall::property::Annotations;
    /// let mut annotations = Annotations::<(), u32>::default();
    /// annotations.insert("first");
    /// annotations.insert("second");
    /// assert_eq!(annotations.get::<&str>(), Some(&"second"));
    /// ```
    #[doc(hidden)]
    pub fn insert<A: Any + Send + Sync>(&mut self, annotation: A) {
        self.others.retain(|other| !other.is::<A>());
        self.others.push(Box::new(annotation));
    }

    // The following is here and not with the clauses, so that properties over the same types share it.

    /// The value after the steps for this variable, if they apply.
    fn take(&self, steps: &[Step], own: u32, env: &Env, value: T) -> Option<T> {
        let mut value = value;
        for step in steps {
            value = match *step {
                Step::Shrink { quantifier, candidate } if quantifier == own => {
                    let simpler = self.shrinker.as_ref()?(env, &value).nth(candidate as usize);
                    simpler?
                }
                Step::Mutate { quantifier, seed } if quantifier == own => {
                    self.mutator.as_ref()?(env, value, &mut Source::random(seed, 0, 100))
                }
                _ => value,
            };
        }
        Some(value)
    }

    /// Measures the candidates of the shrinker for a value, if there is a shrinker.
    pub(super) fn candidates(&self, env: &Env, value: &T, printed: fn(&T) -> Printed, candidates: &mut Vec<Measure>) {
        let Some(shrink) = &self.shrinker else { return };
        let mut left = MAX_CANDIDATES;
        for candidate in shrink(env, value) {
            candidates.push(Measure::shown_by(&|| self.show(env, &candidate, printed)));
            drop_quietly(candidate);
            left -= 1;
            if left == 0 {
                break;
            }
        }
    }

    /// The environment with one more variable: its value is generated again, and the steps for it are applied.
    pub(super) fn walk(
        &self,
        walked: Result<Env, Stop>,
        source: &mut Source,
        steps: &[Step],
        own: &Place,
        clause: &dyn Rebind<Env, T>,
    ) -> Result<(T, Env), Stop> {
        let began = draw_times::begin();
        let bound = self.bind_in(walked?, source, steps, own, clause);
        draw_times::end(own.number, began);
        bound
    }

    fn bind_in(
        &self,
        env: Env,
        source: &mut Source,
        steps: &[Step],
        own: &Place,
        clause: &dyn Rebind<Env, T>,
    ) -> Result<(T, Env), Stop> {
        source.open_span(Span::variable_label(own.number));
        #[cfg(not(feature = "coverage"))]
        let value = clause.again(&env, source);
        #[cfg(feature = "coverage")]
        let value = crate::compared::unlogged(|| clause.again(&env, source));
        source.close_span();
        if source.is_rejected() {
            let mut bindings = Vec::new();
            if source.prints_discarded() {
                clause.show_before(&env, &mut bindings);
            }
            return Err(Stop::discarded(own.clause, own.name, bindings));
        }
        let Some(value) = self.take(steps, own.number, &env, value) else { return Err(Stop::NoSuchStep) };
        if let Some(feedback) = &self.feedback {
            crate::context::target_by(&mut || feedback(&env, &value));
        }
        Ok((value, env))
    }

    /// Adds the variable to an outline.
    pub(super) fn outline(&self, name: &'static str, outline: &mut Outline) {
        outline.quantifiers.push(Quantifier {
            name,
            type_name: std::any::type_name::<T>(),
            shrinks: self.shrinker.is_some(),
            mutates: self.mutator.is_some(),
        });
    }

    /// The text of the value: by the printer annotation, or else by `printed`.
    pub(super) fn show(&self, env: &Env, value: &T, printed: fn(&T) -> Printed) -> Printed {
        match &self.printer {
            Some(print) => Printed { debug: Some(print(env, value)), ..Printed::type_name(value) },
            None => printed(value),
        }
    }

    /// Adds the variable to the bindings.
    pub(super) fn show_in(
        &self,
        env: &Env,
        value: &T,
        printed: fn(&T) -> Printed,
        name: &'static str,
        type_text: Option<&'static str>,
        bindings: &mut Vec<Binding>,
    ) {
        bind(bindings, name, type_text, self.show(env, value, printed));
    }

    /// Returns the annotation of type `A`.
    ///
    /// ```
    /// use forall::property::Annotations;
    /// let mut annotations = Annotations::<(), u32>::default();
    /// annotations.insert(3u8);
    /// assert_eq!((annotations.get::<u8>(), annotations.get::<u16>()), (Some(&3), None));
    /// ```
    #[doc(hidden)]
    pub fn get<A: Any>(&self) -> Option<&A> {
        self.others.iter().find_map(|other| other.downcast_ref())
    }
}

impl<Env, T> Default for Annotations<Env, T> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<Env, T> fmt::Debug for Annotations<Env, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Annotations")
            .field("shrinker", &self.shrinker.is_some())
            .field("mutator", &self.mutator.is_some())
            .field("printer", &self.printer.is_some())
            .field("feedback", &self.feedback.is_some())
            .field("others", &self.others.len())
            .finish()
    }
}
