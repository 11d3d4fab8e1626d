//! Types and entry points, as servers describe them.

use crate::data::Primitive;

/// The commands that a server supports.
///
/// ```
/// use forall_futhark::client::Generation;
/// assert_ne!(Generation::Current, Generation::Legacy);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// Since 0.26.3: one output per call; attributes, kinds, sums, and arrays of records.
    Current,
    /// Before 0.26.3: several outputs per call, and records, but no other structured types.
    Legacy,
}

/// The structure of a type.
///
/// ```
/// use forall_futhark::client::Kind;
/// use forall_futhark::data::Primitive;
/// assert_ne!(Kind::Primitive(Primitive::I8), Kind::Opaque);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A scalar.
    Primitive(Primitive),
    /// An array, with its number of dimensions.
    Array {
        /// The type of the elements, which is not an array.
        element: String,
        /// The number of dimensions, at least one.
        rank: usize,
    },
    /// A record; a tuple is one with fields `0`, `1`, and so on.
    Record(Vec<Field>),
    /// A sum type, with its variants.
    Sum(Vec<Variant>),
    /// An opaque type: the server does not describe its structure.
    Opaque,
}

/// A field of a record.
///
/// ```
/// use forall_futhark::client::Field;
/// let field = Field { name: "x".into(), type_name: "f64".into() };
/// # let _ = field;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name of the field; a number for a part of a tuple.
    pub name: String,
    /// The type of the field.
    pub type_name: String,
}

/// A variant of a sum type.
///
/// ```
/// use forall_futhark::client::Variant;
/// let variant = Variant { name: "circle".into(), payload: vec!["f32".into()] };
/// # let _ = variant;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The name of the variant, without `#`.
    pub name: String,
    /// The types of the variant's payload.
    pub payload: Vec<String>,
}

/// An input or output of an entry point.
///
/// ```
/// use forall_futhark::client::Parameter;
/// let consumed = Parameter { type_name: "[]i32".into(), is_unique: true };
/// # let _ = consumed;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The type of the parameter.
    pub type_name: String,
    /// Whether the type is written with `*`: an input that is consumed, or an output that shares no memory with inputs.
    pub is_unique: bool,
}

impl Parameter {
    pub(super) fn parse(line: &str) -> Self {
        let (type_name, is_unique) = match line.strip_prefix('*') {
            Some(rest) => (rest, true),
            None => (line, false),
        };
        Self { type_name: type_name.to_owned(), is_unique }
    }
}
