//! The clauses, and the methods that build a property from them.

use super::{Annotations, IntoOutcome, Printed};
use crate::choice::Source;
use std::any::Any;
use std::fmt::{self, Debug};

/// The telescope without clauses. [`forall()`] begins a property with its first variable.
///
/// ```
/// use forall::property::{Empty, Outcome, Telescope};
/// let property = Empty.check(|()| 2 + 2 == 4);
/// assert_eq!(property.run_on(()), Outcome::Pass);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Empty;

/// Begins a property: for all values that `generate` produces. The methods of [`Telescope`] add clauses.
///
/// ```
/// use forall::property::{self, Telescope};
/// let property = property::forall("n", |(), s| s.draw(0..10u32)).check(|(n, ())| *n < 10);
/// forall::check("below ten", &property);
/// ```
pub fn forall<T: Debug, F: Fn(&(), &mut Source) -> T>(name: &'static str, generate: F) -> Forall<Empty, F> {
    Empty.forall(name, generate)
}

/// A quantifier: for all values of a generator, in the environment of the earlier clauses.
///
/// ```
/// use forall::property::{self, Telescope};
/// let pairs = property::forall("a", |(), s| s.draw(0..10u32)).forall("b", |(a, ()), s| s.draw(*a..10));
/// assert_eq!((pairs.previous.name, pairs.name), ("a", "b"));
/// assert_eq!(format!("{pairs:?}"), r#"Empty.forall("a").forall("b")"#);
/// ```
pub struct Forall<P: Telescope, Q: Quantify<P::Env>> {
    /// The earlier clauses.
    pub previous: P,
    /// The variable's name.
    pub name: &'static str,
    /// The variable's type in source form, if given.
    #[doc(hidden)]
    pub type_text: Option<&'static str>,
    /// Its generator.
    #[doc(hidden)]
    pub quantify: Q,
    /// How its values are printed.
    #[doc(hidden)]
    pub printed: fn(&Q::Value) -> Printed,
    /// Its annotations.
    #[doc(hidden)]
    pub annotations: Annotations<P::Env, Q::Value>,
}

/// An assumption: tests in which it does not hold are discarded.
///
/// ```
/// use forall::property::{self, Predicate, Telescope};
/// let even = property::forall("n", |(), s| s.draw(0..10u32)).implies(|(n, ())| n % 2 == 0);
/// assert!(even.predicate.holds(&(4, ())));
/// assert_eq!(even.previous.name, "n");
/// ```
#[derive(Clone, Copy)]
pub struct Implies<P, F> {
    /// The earlier clauses.
    pub previous: P,
    /// The source of the assumption, if written with a macro.
    pub text: &'static str,
    /// The assumption.
    pub predicate: F,
}

/// A contract of the variable's generator. A value that violates it is reported as an invalid generator, not as a
/// failed property: see [`Forall::contract`].
///
/// ```
/// use forall::property::{self, Predicate, Telescope};
/// let doubled = property::forall("n", |(), s| 2 * s.draw(0..10u32)).contract(|(n, ())| n % 2 == 0);
/// assert!(doubled.predicate.holds(&(4, ())));
/// assert!(!doubled.predicate.holds(&(5, ())));
/// ```
#[derive(Clone, Copy)]
pub struct Contract<P, F> {
    /// The earlier clauses.
    pub previous: P,
    /// The source of the contract, if written with a macro.
    pub text: &'static str,
    /// The contract.
    pub predicate: F,
}

/// A whole property: the clauses and the conclusion.
///
/// ```
/// use forall::property::{self, Property, Telescope};
/// let property = property::forall("n", |(), s| s.draw(0..10u32)).check(|(n, ())| *n < 10);
/// assert!((property.conclusion)(&(3, ())));
/// assert_eq!(property.outline().quantifiers[0].name, "n");
/// ```
#[derive(Clone, Copy)]
#[must_use = "a property does nothing until it is passed to `forall::check` or a `Run`"]
pub struct Check<P, F> {
    /// The clauses.
    pub previous: P,
    /// The conclusion.
    pub conclusion: F,
}

/// A conclusion that takes the environment by value: see [`Telescope::check_owned`].
///
/// ```
/// use forall::property::{CheckOwned, Conclude, Outcome};
/// let conclusion = CheckOwned(|(xs, ()): (Vec<u8>, ())| xs.into_iter().all(|x| x < 10));
/// assert_eq!(conclusion.conclude((vec![1, 2], ())), Outcome::Pass);
/// ```
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct CheckOwned<F>(pub F);

/// A generator with access to the earlier variables.
///
/// Implemented by closures `|env, source| …`. A named type that implements it makes the property's type nameable, which
/// is what the attribute macros do.
///
/// ```
/// use forall::choice::Source;
/// use forall::property::Quantify;
///
/// struct Index;
/// impl Quantify<(Vec<u8>, ())> for Index {
///     type Value = usize;
///     fn generate(&self, (xs, ()): &(Vec<u8>, ()), source: &mut Source) -> usize {
///         source.draw(0..=xs.len())
///     }
/// }
/// ```
pub trait Quantify<Env> {
    /// The type of the variable.
    type Value;

    /// Produces a value.
    fn generate(&self, env: &Env, source: &mut Source) -> Self::Value;

    /// Produces a value on tape. Such runs do not justify another monomorphised copy of the generator, so the attribute
    /// macros call code that all properties of a crate share.
    ///
    /// ```
    /// use forall::choice::Source;
    /// use forall::property::Quantify;
    /// let digit = |(): &(), source: &mut Source| source.draw(0..10u32);
    /// let (mut first, mut again) = (Source::random(1, 0, 100), Source::random(1, 0, 100));
    /// assert_eq!(digit.generate(&(), &mut first), digit.generate_again(&(), &mut again));
    /// ```
    #[doc(hidden)]
    fn generate_again(&self, env: &Env, source: &mut Source) -> Self::Value {
        self.generate(env, source)
    }
}

impl<Env, T, F: Fn(&Env, &mut Source) -> T> Quantify<Env> for F {
    type Value = T;

    #[inline(always)]
    fn generate(&self, env: &Env, source: &mut Source) -> T {
        self(env, source)
    }
}

/// A condition on an environment. Implemented by closures `|env| …`.
///
/// ```
/// use forall::property::Predicate;
/// assert!((|env: &(u8, ())| env.0 > 0).holds(&(1, ())));
/// ```
pub trait Predicate<Env> {
    /// Returns whether the condition holds.
    ///
    /// ```
    /// use forall::property::Predicate;
    /// assert!(!(|(n, ()): &(u8, ())| *n < 3).holds(&(7, ())));
    /// ```
    fn holds(&self, env: &Env) -> bool;
}

impl<Env, F: Fn(&Env) -> bool> Predicate<Env> for F {
    #[inline(always)]
    fn holds(&self, env: &Env) -> bool {
        self(env)
    }
}

/// A sequence of clauses that binds an environment, with the methods that add clauses.
///
/// ```
/// use forall::property::{self, Telescope};
/// let property = property::forall("n", |(), s| s.draw(0..10u8)).check(|(n, ())| *n < 10);
/// # let _ = property;
/// ```
pub trait Telescope: Sized {
    /// The values bound so far: `(latest, (before, … ()))`.
    type Env;

    /// Adds a variable: for all values that `generate` produces. Reports print them with `Debug`.
    ///
    /// ```
    /// use forall::property::{self, Printing, Telescope};
    /// let telescope = property::forall("xs", |(), s| s.draw(forall::generate::vec(0..10u8)));
    /// let mut bindings = Vec::new();
    /// telescope.show(&(vec![1], ()), &mut bindings);
    /// assert_eq!(bindings[0].printed.text(), "[1]");
    /// ```
    fn forall<T: Debug, F: Fn(&Self::Env, &mut Source) -> T>(self, name: &'static str, generate: F) -> Forall<Self, F> {
        Forall::new(self, name, generate, Printed::debug)
    }

    /// Adds a variable as [`Telescope::forall`] does, for values without `Debug`: they are printed by the name of their
    /// type, or by [`Forall::print`].
    ///
    /// ```
    /// use forall::property::{Empty, Printing, Telescope};
    /// struct Secret(u32);
    /// let telescope = Empty.forall_opaque("secret", |(), s| Secret(s.draw(0..10)));
    /// let mut bindings = Vec::new();
    /// telescope.show(&(Secret(1), ()), &mut bindings);
    /// assert!(bindings[0].printed.text().ends_with("Secret"));
    /// ```
    #[doc(hidden)]
    fn forall_opaque<T, F: Fn(&Self::Env, &mut Source) -> T>(self, name: &'static str, generate: F) -> Forall<Self, F> {
        Forall::new(self, name, generate, Printed::type_name)
    }

    /// Adds an assumption: tests in which `predicate` does not hold are discarded.
    ///
    /// ```
    /// use forall::property::{self, Outcome, Telescope};
    /// let property = property::forall("n", |(), s| s.draw(0..10u32))
    ///     .implies(|(n, ())| *n != 0)
    ///     .check(|(n, ())| 10 % n < *n);
    /// assert_eq!(property.run_on((0, ())), Outcome::Discard);
    /// assert_eq!(property.run_on((7, ())), Outcome::Pass);
    /// ```
    fn implies<F: Fn(&Self::Env) -> bool>(self, predicate: F) -> Implies<Self, F> {
        Implies { previous: self, text: "", predicate }
    }

    /// Completes the property: `conclusion` must hold.
    ///
    /// ```
    /// use forall::property::{self, Telescope};
    /// let property = property::forall("n", |(), s| s.draw(0..10u32)).check(|(n, ())| *n < 5);
    /// assert!(property.run_on((7, ())).is_fail());
    /// assert!(!property.run_on((3, ())).is_fail());
    /// ```
    fn check<R: IntoOutcome, F: Fn(&Self::Env) -> R>(self, conclusion: F) -> Check<Self, F> {
        Check { previous: self, conclusion }
    }

    /// Completes the property with a `conclusion` that takes the environment by value, for bodies that consume their
    /// input.
    ///
    /// ```
    /// use forall::property::{self, Telescope};
    /// use forall::generate::any;
    /// let property = property::forall("text", |(), s| s.draw(any::<String>())).check_owned(|(text, ())| {
    ///     let bytes = text.clone().into_bytes();
    ///     String::from_utf8(bytes).is_ok_and(|again| again == text)
    /// });
    /// forall::check("texts are UTF-8", &property);
    /// ```
    #[doc(hidden)]
    fn check_owned<R: IntoOutcome, F: Fn(Self::Env) -> R>(self, conclusion: F) -> Check<Self, CheckOwned<F>> {
        Check { previous: self, conclusion: CheckOwned(conclusion) }
    }
}

impl Telescope for Empty {
    type Env = ();
}

impl<P: Telescope, Q: Quantify<P::Env>> Telescope for Forall<P, Q> {
    type Env = (Q::Value, P::Env);
}

impl<P: Telescope, F: Predicate<P::Env>> Telescope for Implies<P, F> {
    type Env = P::Env;
}

impl<P: Telescope, F: Predicate<P::Env>> Telescope for Contract<P, F> {
    type Env = P::Env;
}

impl<P: Telescope, Q: Quantify<P::Env>> Forall<P, Q> {
    /// Creates a quantifier without annotations.
    ///
    /// ```
    /// use forall::choice::Source;
    /// use forall::property::{Empty, Forall, Printed, Quantify, Telescope};
    /// struct Digit;
    /// impl Quantify<()> for Digit {
    ///     type Value = u32;
    ///     fn generate(&self, (): &(), source: &mut Source) -> u32 { source.draw(0..10) }
    /// }
    /// let property = Forall::new(Empty, "digit", Digit, Printed::code).check(|(digit, ())| *digit < 10);
    /// forall::check("digits", &property);
    /// ```
    #[doc(hidden)]
    pub fn new(previous: P, name: &'static str, quantify: Q, printed: fn(&Q::Value) -> Printed) -> Self {
        Self { previous, name, type_text: None, quantify, printed, annotations: Annotations::NONE }
    }

    /// Shrinks this variable by `shrink`, which returns simpler values in the environment before the variable.
    ///
    /// ```
    /// use forall::property::{self, Telescope};
    /// // A shrinker that depends on an earlier variable: it never goes below `low`.
    /// let property = property::forall("low", |(), s| s.draw(0..10u32))
    ///     .forall("n", |(low, ()), s| s.draw(*low..100))
    ///     .shrink(|(low, ()), n| Box::new(*low..*n))
    ///     .check(|(n, (low, ()))| n >= low);
    /// # let _ = property;
    /// ```
    pub fn shrink(
        mut self,
        shrink: impl for<'a> Fn(&'a P::Env, &'a Q::Value) -> Box<dyn Iterator<Item = Q::Value> + 'a> + Send + Sync + 'static,
    ) -> Self {
        self.annotations.shrinker = Some(Box::new(shrink));
        self
    }

    /// Mutates this variable by `mutate` in runners that mutate.
    ///
    /// ```
    /// use forall::choice::{Sequence, Source};
    /// use forall::property::{self, Mutating, Step, Telescope};
    /// let telescope = property::forall("n", |(), s| s.draw(0..100u32)).mutate(|(), n, s| n + s.draw(1..=3));
    /// let mut source = Source::replay(&Sequence::from_values(100, &[50]));
    /// let (mutated, ()) = telescope.walk(&mut source, &[Step::Mutate { quantifier: 0, seed: 7 }]).unwrap();
    /// assert!((51..=53).contains(&mutated));
    /// ```
    pub fn mutate(
        mut self,
        mutate: impl Fn(&P::Env, Q::Value, &mut Source) -> Q::Value + Send + Sync + 'static,
    ) -> Self {
        self.annotations.mutator = Some(Box::new(mutate));
        self
    }

    /// Prints this variable by `print`, which may depend on the environment before it.
    ///
    /// ```
    /// use forall::property::{self, Telescope};
    /// let property = property::forall("base", |(), s| s.draw(2..=16u32))
    ///     .forall("n", |_, s| s.draw(0..1000u32))
    ///     .print(|(base, ()), n| format!("{n} in base {base}"))
    ///     .check(|(n, _)| *n < 1000);
    /// # let _ = property;
    /// ```
    pub fn print(mut self, print: impl Fn(&P::Env, &Q::Value) -> String + Send + Sync + 'static) -> Self {
        self.annotations.printer = Some(Box::new(print));
        self
    }

    /// Scores a value of this variable, for guided runners: higher is more promising.
    ///
    /// ```
    /// use forall::property::{self, Telescope};
    /// let longer_is_better = property::forall("xs", |(), s| s.draw(forall::generate::vec(0..10u8)))
    ///     .feedback(|(), xs| xs.len() as f64);
    /// let feedback = longer_is_better.annotations.feedback.as_ref().unwrap();
    /// assert_eq!(feedback(&(), &vec![1, 2, 3]), 3.0);
    /// ```
    pub fn feedback(mut self, feedback: impl Fn(&P::Env, &Q::Value) -> f64 + Send + Sync + 'static) -> Self {
        self.annotations.feedback = Some(Box::new(feedback));
        self
    }

    /// Attaches any annotation to the variable, for your own runner.
    ///
    /// ```
    /// use forall::property::{self, Telescope};
    /// struct Unit(&'static str);
    /// let weight = property::forall("weight", |(), s| s.draw(0..1000u32)).with(Unit("kg"));
    /// assert_eq!(weight.annotations.get::<Unit>().unwrap().0, "kg");
    /// ```
    pub fn with<A: Any + Send + Sync>(mut self, annotation: A) -> Self {
        self.annotations.insert(annotation);
        self
    }

    /// Adds a contract of this variable's generator. It is checked for every value that a generator, mutator or
    /// shrinker produces. A violation is reported as an invalid generator, mutator or shrinker, not as a failed
    /// property.
    ///
    /// ```
    /// use forall::property::{self, Telescope};
    /// let property = property::forall("n", |(), s| s.draw(0..10u32) * 2)
    ///     .contract(|(n, ())| n % 2 == 0)
    ///     .check(|(n, ())| *n < 20);
    /// # let _ = property;
    /// ```
    pub fn contract<F: Fn(&(Q::Value, P::Env)) -> bool>(self, promise: F) -> Contract<Self, F> {
        Contract { previous: self, text: "", predicate: promise }
    }

    #[doc(hidden)]
    pub fn printed_by(mut self, printed: fn(&Q::Value) -> Printed) -> Self {
        self.printed = printed;
        self
    }
}

impl<P, F> Implies<P, F> {
    #[doc(hidden)]
    pub fn text(mut self, text: &'static str) -> Self {
        self.text = text;
        self
    }
}

impl<P, F> Contract<P, F> {
    #[doc(hidden)]
    pub fn text(mut self, text: &'static str) -> Self {
        self.text = text;
        self
    }
}

impl<P: Telescope + Debug, Q: Quantify<P::Env>> Debug for Forall<P, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}.forall({:?})", self.previous, self.name)
    }
}

impl<P: Debug, F> Debug for Implies<P, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}.implies({})", self.previous, self.text)
    }
}

impl<P: Debug, F> Debug for Contract<P, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}.contract({})", self.previous, self.text)
    }
}

impl<P: Debug, F> Debug for Check<P, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}.check(…)", self.previous)
    }
}

impl<F> Debug for CheckOwned<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CheckOwned(…)")
    }
}
