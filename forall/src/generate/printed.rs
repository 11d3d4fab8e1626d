//! Values as text.

use super::{Arbitrary, Code};

/// A printed value, in the available forms.
///
/// ```
/// use forall::property::Printed;
/// assert_eq!(Printed::code(&vec![1u8]).code.as_deref(), Some("vec![1]"));
/// assert_eq!(Printed::debug(&"x").debug.as_deref(), Some("\"x\""));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Printed {
    /// Rust code for the value.
    #[doc(hidden)]
    pub code: Option<String>,
    /// Its `Debug`, or the result of a `print` annotation.
    #[doc(hidden)]
    pub debug: Option<String>,
    /// The name of its type, as the compiler has it.
    #[doc(hidden)]
    pub type_name: &'static str,
    /// The modules outside of which the code does not compile, because it names fields that are private to them.
    #[doc(hidden)]
    pub private_to: Vec<&'static str>,
    /// Whether the body drew it: see [`Draws`](crate::property::Draws).
    #[doc(hidden)]
    pub in_body: bool,
}

impl Printed {
    /// Prints a value as its type name only.
    ///
    /// ```
    /// assert_eq!(forall::property::Printed::type_name(&|| 3).code, None);
    /// assert_eq!(forall::property::Printed::type_name(&3u8).type_name, "u8");
    /// ```
    #[doc(hidden)]
    pub fn type_name<T>(_: &T) -> Self {
        Self { type_name: std::any::type_name::<T>(), ..Self::default() }
    }

    /// Returns the best available form: code, else `Debug`, else the name of the type.
    ///
    /// ```
    /// use forall::property::Printed;
    /// assert_eq!(Printed::code(&vec![1u8]).text(), "vec![1]");
    /// assert_eq!(Printed::debug(&vec![1u8]).text(), "[1]");
    /// assert_eq!(Printed::type_name(&1u8).text(), "u8");
    /// ```
    pub fn text(&self) -> &str {
        self.code.as_deref().or(self.debug.as_deref()).unwrap_or(self.type_name)
    }

    /// Prints a value as Rust code.
    ///
    /// ```
    /// use forall::property::Printed;
    /// assert_eq!(Printed::code(&"x".to_owned()).code.as_deref(), Some("String::from(\"x\")"));
    /// ```
    #[doc(hidden)]
    pub fn code<T: Arbitrary>(value: &T) -> Self {
        let mut code = Code::default();
        value.print(&mut code);
        code.printed(std::any::type_name::<T>())
    }
}
