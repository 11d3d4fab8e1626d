//! An interpretation that prints the values of an environment.

use super::qualify::qualify;
use super::{Contract, Empty, Forall, Implies, Outline, Quantify, Telescope};
pub use crate::generate::printed::Printed;
use crate::panic::{Unwound, catch};
use std::fmt::Debug;
use std::panic::resume_unwind;

/// An interpretation that prints the variables of a telescope.
///
/// ```
/// use forall::property::{self, Printing, Telescope};
/// let telescope = property::forall("n", |(), s| s.draw(0..10u32));
/// let mut bindings = Vec::new();
/// telescope.show(&(7, ()), &mut bindings);
/// assert_eq!(bindings[0].name, "n");
/// assert_eq!(bindings[0].printed.debug.as_deref(), Some("7"));
/// ```
pub trait Printing: Telescope {
    /// Appends the variables of `env`, outermost first.
    ///
    /// ```
    /// use forall::property::{self, Printing, Telescope};
    /// let telescope = property::forall("a", |(), s| s.draw(0..10u32)).forall("b", |_, s| s.draw(0..10u32));
    /// let mut bindings = Vec::new();
    /// telescope.show(&(2, (1, ())), &mut bindings);
    /// assert_eq!((bindings[0].name, bindings[0].printed.text()), ("a", "1"));
    /// ```
    fn show(&self, env: &Self::Env, bindings: &mut Vec<Binding>);

    /// Appends the variables and assumptions of the telescope, outermost first.
    ///
    /// ```
    /// use forall::property::{self, Outline, Printing, Telescope};
    /// let mut outline = Outline::default();
    /// property::forall("n", |(), s| s.draw(0..10u32)).outline(&mut outline);
    /// assert_eq!(outline.quantifiers[0].name, "n");
    /// ```
    fn outline(&self, outline: &mut Outline);
}

/// One variable of a counterexample.
///
/// ```
/// use forall::choice::{Sequence, Source};
/// use forall::prelude::*;
/// use forall::property::Property;
/// let property = property! { forall n: u8 in 0..10; check *n < 10 };
/// let bindings = property.print(&mut Source::replay(&Sequence::from_values(100, &[3])), &[]).unwrap();
/// let n = &bindings[0];
/// assert_eq!((n.name, n.type_text, n.printed.text()), ("n", Some("u8"), "3"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Its name.
    pub name: &'static str,
    /// Its type in source form, if given.
    #[doc(hidden)]
    pub type_text: Option<&'static str>,
    /// The printed value.
    pub printed: Printed,
}

/// The `Debug` of a value. If it panics, the panic's message is printed instead.
pub(crate) fn debug_text(value: &dyn Debug) -> String {
    match catch(|| format!("{value:?}")) {
        Ok(text) => text,
        Err(Unwound::Panic(caught)) => format!("<printing it panicked: {caught}>"),
        Err(Unwound::Signal(signal)) => resume_unwind(signal),
    }
}

impl Printed {
    /// Prints a value with `Debug`.
    ///
    /// ```
    /// use forall::property::Printed;
    /// assert_eq!(Printed::debug(&Some("x")).debug.as_deref(), Some("Some(\"x\")"));
    /// ```
    #[doc(hidden)]
    pub fn debug<T: Debug>(value: &T) -> Self {
        Self { debug: Some(debug_text(value)), ..Self::type_name(value) }
    }
}

impl Printing for Empty {
    fn show(&self, _: &(), _: &mut Vec<Binding>) {}

    fn outline(&self, _: &mut Outline) {}
}

/// Adds a variable and its value.
pub(super) fn bind(
    bindings: &mut Vec<Binding>,
    name: &'static str,
    type_text: Option<&'static str>,
    mut printed: Printed,
) {
    // A borrowing parameter is bound to the value that it borrows from.
    let borrows = matches!(type_text, Some(text) if text.starts_with('&')) && !printed.type_name.starts_with('&');
    if let Some(code) = &mut printed.code
        && borrows
    {
        let mutably = matches!(type_text, Some(text) if text.starts_with("&mut "));
        code.insert_str(0, if mutably { "&mut " } else { "&" });
    }
    if let (Some(code), Some(written)) = (&mut printed.code, type_text) {
        qualify(code, written);
    }
    bindings.push(Binding { name, type_text, printed });
}

impl<P: Printing, Q: Quantify<P::Env>> Printing for Forall<P, Q> {
    fn show(&self, (value, env): &Self::Env, bindings: &mut Vec<Binding>) {
        self.previous.show(env, bindings);
        self.annotations.show_in(env, value, self.printed, self.name, self.type_text, bindings);
    }

    fn outline(&self, outline: &mut Outline) {
        self.previous.outline(outline);
        self.annotations.outline(self.name, outline);
    }
}

impl<P: Printing, F> Printing for Implies<P, F>
where
    Self: Telescope<Env = P::Env>,
{
    fn show(&self, env: &Self::Env, bindings: &mut Vec<Binding>) {
        self.previous.show(env, bindings);
    }

    fn outline(&self, outline: &mut Outline) {
        self.previous.outline(outline);
        outline.assumptions.push(self.text);
    }
}

impl<P: Printing, F> Printing for Contract<P, F>
where
    Self: Telescope<Env = P::Env>,
{
    fn show(&self, env: &Self::Env, bindings: &mut Vec<Binding>) {
        self.previous.show(env, bindings);
    }

    fn outline(&self, outline: &mut Outline) {
        self.previous.outline(outline);
    }
}
