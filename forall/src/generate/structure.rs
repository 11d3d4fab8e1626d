//! Helpers of [`Arbitrary`] for structure: code, constructors, heights.

use super::Arbitrary;
use super::printed::Printed;
use std::fmt::{self, Write as _};

/// Rust code under construction, the output of [`Arbitrary::print`].
///
/// ```
/// use forall::generate::Code;
/// assert_eq!(Code::of(&vec![1u8, 2]).as_deref(), Some("vec![1, 2]"));
/// ```
#[derive(Debug, Default)]
pub struct Code {
    text: String,
    opaque: bool,
    private_to: Vec<&'static str>,
}

impl Code {
    /// Returns the code of a value, or `None` if it, or a part of it, has no code form.
    ///
    /// ```
    /// use forall::generate::Code;
    /// assert_eq!(Code::of(&(1u8, "x".to_owned())).as_deref(), Some("(1, String::from(\"x\"))"));
    /// ```
    pub fn of<T: Arbitrary>(value: &T) -> Option<String> {
        let mut code = Self::default();
        value.print(&mut code);
        code.finish()
    }

    /// Appends a string.
    ///
    /// ```
    /// let mut code = forall::generate::Code::default();
    /// code.push("Even(");
    /// code.push("4)");
    /// assert_eq!(code.finish().as_deref(), Some("Even(4)"));
    /// ```
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends formatted text; `write!(code, "Even({n})")` calls it.
    ///
    /// ```
    /// let mut code = forall::generate::Code::default();
    /// write!(code, "Even({})", 4);
    /// assert_eq!(code.finish().as_deref(), Some("Even(4)"));
    /// ```
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a string cannot fail; a `Display` that fails leaves its text incomplete.
        let _ = self.text.write_fmt(text);
    }

    /// Appends a list of values, separated by commas, between `open` and `close`.
    ///
    /// ```
    /// let mut code = forall::generate::Code::default();
    /// code.list("Stack::from([", &[1u8, 2], "])");
    /// assert_eq!(code.finish().as_deref(), Some("Stack::from([1, 2])"));
    /// ```
    pub fn list<'a, T: Arbitrary + 'a>(&mut self, open: &str, values: impl IntoIterator<Item = &'a T>, close: &str) {
        self.push(open);
        for (i, value) in values.into_iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            value.print(self);
        }
        self.push(close);
    }

    /// Marks the value, or the part that is being printed, as one without a code form.
    ///
    /// ```
    /// let mut code = forall::generate::Code::default();
    /// code.push("Connection(");
    /// code.opaque();
    /// assert_eq!(code.finish(), None);
    /// ```
    pub fn opaque(&mut self) {
        self.opaque = true;
    }

    /// Declares that the code names fields that are private to a module: outside of it, it does not compile.
    ///
    /// ```
    /// let mut code = forall::generate::Code::default();
    /// code.push("Even { half: 2 }");
    /// code.private_to(module_path!());
    /// assert_eq!(code.modules(), [module_path!()]);
    /// ```
    #[doc(hidden)]
    pub fn private_to(&mut self, module: &'static str) {
        if !self.private_to.contains(&module) {
            self.private_to.push(module);
        }
    }

    /// Returns the modules outside of which the code does not compile.
    ///
    /// ```
    /// assert!(forall::generate::Code::default().modules().is_empty());
    /// ```
    #[doc(hidden)]
    pub fn modules(&self) -> &[&'static str] {
        &self.private_to
    }

    /// Returns the code, or `None` if some part was opaque.
    ///
    /// ```
    /// assert_eq!(forall::generate::Code::default().finish().as_deref(), Some(""));
    /// ```
    pub fn finish(self) -> Option<String> {
        if self.opaque { None } else { Some(self.text) }
    }

    /// The text, whether it is code or not.
    #[cfg(feature = "full")]
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// As a value's text.
    pub(crate) fn printed(mut self, type_name: &'static str) -> Printed {
        let private_to = std::mem::take(&mut self.private_to);
        Printed { code: self.finish(), debug: None, type_name, private_to, in_body: false }
    }
}

/// Receives the constructors of a value from [`Arbitrary::visit`].
///
/// ```
/// use forall::generate::{Arbitrary, Visitor};
///
/// struct Names(Vec<String>);
/// impl Visitor for Names {
///     fn enter(&mut self, type_name: &'static str, constructor: &'static str, _index: u32) {
///         self.0.push(format!("{type_name}::{constructor}"));
///     }
///     fn leave(&mut self) {}
/// }
///
/// let mut names = Names(Vec::new());
/// Some(true).visit(&mut names);
/// assert_eq!(names.0, ["Option::Some", "bool::true"]);
/// ```
#[doc(hidden)]
pub trait Visitor {
    /// Enters a constructor; everything entered before its `leave` belongs to its fields.
    fn enter(&mut self, type_name: &'static str, constructor: &'static str, index: u32);
    /// The constructor entered last ends.
    fn leave(&mut self);
}
