//! Values as Futhark programs exchange them: scalars and regular arrays of twelve element types.
//!
//! Values are transferred in two formats, which may be mixed in one file: [binary](read_values) and
//! [text](parse_values). Records, tuples and sums have no format of their own: a server writes their parts, one after
//! the other.
//!
//! ```
//! use forall_futhark::data::{Value, parse_values, read_values};
//!
//! let values = parse_values("[1u8, 2, 3] true").unwrap();
//! assert_eq!(values, [Value::array([1u8, 2, 3]), Value::scalar(true)]);
//! assert_eq!(values[0].to_string(), "[1u8, 2u8, 3u8]");
//!
//! let mut bytes = Vec::new();
//! for value in &values {
//!     value.write(&mut bytes).unwrap();
//! }
//! assert_eq!(read_values(&mut &bytes[..]).unwrap(), values);
//! ```

mod binary;
mod compare;
mod print;
mod shape;
mod text;

pub use binary::{BinaryError, read_value, read_values};
pub(crate) use binary::{binary_in, truth_in, values_in};
pub use compare::{Tolerance, differences};
pub use half::f16;
pub use text::{TextError, parse_values};

pub(crate) use text::Cursor;

use shape::Shape;
use std::fmt;
use std::str::FromStr;

/// The type of an element.
///
/// ```
/// use forall_futhark::data::Primitive;
/// assert_eq!("u16".parse(), Ok(Primitive::U16));
/// assert_eq!(Primitive::F64.to_string(), "f64");
/// assert_eq!(Primitive::Bool.bytes(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Primitive {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
    Bool,
}

/// All primitive types, in the order in which servers list them.
///
/// ```
/// assert_eq!(forall_futhark::data::PRIMITIVES.len(), 12);
/// ```
pub const PRIMITIVES: [Primitive; 12] = [
    Primitive::I8,
    Primitive::I16,
    Primitive::I32,
    Primitive::I64,
    Primitive::U8,
    Primitive::U16,
    Primitive::U32,
    Primitive::U64,
    Primitive::F16,
    Primitive::F32,
    Primitive::F64,
    Primitive::Bool,
];

impl Primitive {
    /// Returns the name of the type in Futhark.
    ///
    /// ```
    /// assert_eq!(forall_futhark::data::Primitive::I32.name(), "i32");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Bool => "bool",
        }
    }

    /// Returns the number of bytes of an element in the binary format.
    ///
    /// ```
    /// assert_eq!(forall_futhark::data::Primitive::F16.bytes(), 2);
    /// ```
    pub const fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 | Self::Bool => 1,
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }
}

impl fmt::Display for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Primitive {
    type Err = NotPrimitive;

    fn from_str(name: &str) -> Result<Self, NotPrimitive> {
        Ok(match name {
            "i8" => Self::I8,
            "i16" => Self::I16,
            "i32" => Self::I32,
            "i64" => Self::I64,
            "u8" => Self::U8,
            "u16" => Self::U16,
            "u32" => Self::U32,
            "u64" => Self::U64,
            "f16" => Self::F16,
            "f32" => Self::F32,
            "f64" => Self::F64,
            "bool" => Self::Bool,
            _ => return Err(NotPrimitive),
        })
    }
}

/// The error for a name that is not a primitive type.
///
/// ```
/// use forall_futhark::data::{NotPrimitive, Primitive};
/// assert_eq!("i128".parse::<Primitive>(), Err(NotPrimitive));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPrimitive;

impl fmt::Display for NotPrimitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a primitive type: these are i8 to i64, u8 to u64, f16, f32, f64 and bool")
    }
}

impl std::error::Error for NotPrimitive {}

/// The elements of a value, in row-major order.
///
/// ```
/// use forall_futhark::data::{Element, Elements};
/// assert_eq!(i16::elements(vec![1, 2]), Elements::I16(vec![1, 2]));
/// ```
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Elements {
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    F16(Vec<f16>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    Bool(Vec<bool>),
}

/// Runs the same code for elements of any type.
macro_rules! each {
    ($elements:expr, $xs:ident => $body:expr) => {
        match $elements {
            $crate::data::Elements::I8($xs) => $body,
            $crate::data::Elements::I16($xs) => $body,
            $crate::data::Elements::I32($xs) => $body,
            $crate::data::Elements::I64($xs) => $body,
            $crate::data::Elements::U8($xs) => $body,
            $crate::data::Elements::U16($xs) => $body,
            $crate::data::Elements::U32($xs) => $body,
            $crate::data::Elements::U64($xs) => $body,
            $crate::data::Elements::F16($xs) => $body,
            $crate::data::Elements::F32($xs) => $body,
            $crate::data::Elements::F64($xs) => $body,
            $crate::data::Elements::Bool($xs) => $body,
        }
    };
}
pub(crate) use each;

/// Runs the same code for a primitive type known at run time, with the Rust type of its elements.
macro_rules! of_type {
    ($primitive:expr, $T:ident => $body:expr) => {
        match $primitive {
            $crate::data::Primitive::I8 => {
                type $T = i8;
                $body
            }
            $crate::data::Primitive::I16 => {
                type $T = i16;
                $body
            }
            $crate::data::Primitive::I32 => {
                type $T = i32;
                $body
            }
            $crate::data::Primitive::I64 => {
                type $T = i64;
                $body
            }
            $crate::data::Primitive::U8 => {
                type $T = u8;
                $body
            }
            $crate::data::Primitive::U16 => {
                type $T = u16;
                $body
            }
            $crate::data::Primitive::U32 => {
                type $T = u32;
                $body
            }
            $crate::data::Primitive::U64 => {
                type $T = u64;
                $body
            }
            $crate::data::Primitive::F16 => {
                type $T = half::f16;
                $body
            }
            $crate::data::Primitive::F32 => {
                type $T = f32;
                $body
            }
            $crate::data::Primitive::F64 => {
                type $T = f64;
                $body
            }
            $crate::data::Primitive::Bool => {
                type $T = bool;
                $body
            }
        }
    };
}
pub(crate) use of_type;

/// A Rust type that corresponds to a primitive type.
///
/// ```
/// use forall_futhark::data::{Element, Primitive};
/// assert_eq!(u8::PRIMITIVE, Primitive::U8);
/// ```
pub trait Element: Copy + PartialEq + fmt::Debug + 'static {
    /// The primitive type.
    const PRIMITIVE: Primitive;

    /// Wraps elements of this type.
    fn elements(elements: Vec<Self>) -> Elements;

    /// Returns the elements, if they are of this type.
    fn of(elements: &Elements) -> Option<&[Self]>;

    /// Creates an element from [`Primitive::bytes`] little-endian bytes.
    fn from_bytes(bytes: &[u8]) -> Self;

    /// Appends the little-endian bytes of the element.
    fn push_bytes(self, to: &mut Vec<u8>);

    /// Appends the little-endian bytes of all elements.
    #[doc(hidden)]
    fn push_all(elements: &[Self], to: &mut Vec<u8>) {
        elements.iter().for_each(|element| element.push_bytes(to));
    }

    /// Returns whether two elements are the same: all NaNs are the same, but 0.0 and −0.0 are not.
    fn same(self, other: Self) -> bool;
}

macro_rules! element {
    ($($T:ty, $variant:ident, |$a:ident, $b:ident| $same:expr;)*) => {$(
        impl Element for $T {
            const PRIMITIVE: Primitive = Primitive::$variant;

            fn elements(elements: Vec<Self>) -> Elements {
                Elements::$variant(elements)
            }

            fn of(elements: &Elements) -> Option<&[Self]> {
                match elements {
                    Elements::$variant(elements) => Some(elements),
                    _ => None,
                }
            }

            fn from_bytes(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<Self>()];
                own.copy_from_slice(bytes);
                Self::from_le_bytes(own)
            }

            fn push_bytes(self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }

            fn push_all(elements: &[Self], to: &mut Vec<u8>) {
                let begin = to.len();
                to.resize(begin + size_of_val(elements), 0);
                let places = to[begin..].chunks_exact_mut(size_of::<Self>());
                places.zip(elements).for_each(|(place, element)| place.copy_from_slice(&element.to_le_bytes()));
            }

            fn same(self, other: Self) -> bool {
                let ($a, $b) = (self, other);
                $same
            }
        }
    )*};
}

element! {
    i8, I8, |a, b| a == b;
    i16, I16, |a, b| a == b;
    i32, I32, |a, b| a == b;
    i64, I64, |a, b| a == b;
    u8, U8, |a, b| a == b;
    u16, U16, |a, b| a == b;
    u32, U32, |a, b| a == b;
    u64, U64, |a, b| a == b;
    f16, F16, |a, b| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    f32, F32, |a, b| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    f64, F64, |a, b| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
}

impl Element for bool {
    const PRIMITIVE: Primitive = Primitive::Bool;

    fn elements(elements: Vec<Self>) -> Elements {
        Elements::Bool(elements)
    }

    fn of(elements: &Elements) -> Option<&[Self]> {
        match elements {
            Elements::Bool(elements) => Some(elements),
            _ => None,
        }
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        bytes[0] != 0
    }

    fn push_bytes(self, to: &mut Vec<u8>) {
        to.push(self.into());
    }

    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl Elements {
    /// Returns the type of the elements.
    ///
    /// ```
    /// use forall_futhark::data::{Elements, Primitive};
    /// assert_eq!(Elements::Bool(vec![]).primitive(), Primitive::Bool);
    /// ```
    pub fn primitive(&self) -> Primitive {
        fn of<T: Element>(_: &[T]) -> Primitive {
            T::PRIMITIVE
        }
        each!(self, xs => of(xs))
    }

    /// Returns the number of elements.
    ///
    /// ```
    /// assert_eq!(forall_futhark::data::Elements::U8(vec![1, 2]).len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        each!(self, xs => xs.len())
    }

    /// Returns whether there are no elements.
    ///
    /// ```
    /// assert!(forall_futhark::data::Elements::U8(vec![]).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Elements are equal if they have the same type and are the same in the sense of [`Element::same`].
impl PartialEq for Elements {
    fn eq(&self, other: &Self) -> bool {
        fn all_same<T: Element>(xs: &[T], other: &Elements) -> bool {
            T::of(other).is_some_and(|ys| xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| x.same(*y)))
        }
        each!(self, xs => all_same(xs, other))
    }
}

/// A scalar, or a regular array of any rank.
///
/// Equal values have the same type, shape and elements; unlike in Rust, NaN equals NaN.
///
/// ```
/// use forall_futhark::data::Value;
/// let matrix = Value::shaped(vec![1i32, 2, 3, 4, 5, 6], &[2, 3]).unwrap();
/// assert_eq!(matrix.to_string(), "[[1i32, 2i32, 3i32],\n[4i32, 5i32, 6i32]]");
/// assert_eq!(matrix.type_name(), "[][]i32");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    shape: Shape,
    elements: Elements,
}

impl Value {
    /// Creates a scalar.
    ///
    /// ```
    /// assert_eq!(forall_futhark::data::Value::scalar(7u64).to_string(), "7u64");
    /// ```
    pub fn scalar<T: Element>(element: T) -> Self {
        Self { shape: Shape::Scalar, elements: T::elements(vec![element]) }
    }

    /// Creates an array of rank 1.
    ///
    /// ```
    /// assert_eq!(forall_futhark::data::Value::array([true]).to_string(), "[true]");
    /// ```
    pub fn array<T: Element>(elements: impl Into<Vec<T>>) -> Self {
        let elements = elements.into();
        Self { shape: Shape::List([elements.len()]), elements: T::elements(elements) }
    }

    /// Creates an array of any rank from its elements in row-major order; `None` if their number does not match the
    /// shape.
    ///
    /// ```
    /// use forall_futhark::data::Value;
    /// assert!(Value::shaped(vec![1u8, 2, 3], &[2, 2]).is_none());
    /// assert_eq!(Value::shaped(Vec::<u8>::new(), &[0, 3]).unwrap().to_string(), "empty([0][3]u8)");
    /// ```
    pub fn shaped<T: Element>(elements: Vec<T>, shape: &[usize]) -> Option<Self> {
        Self::from_elements(T::elements(elements), shape)
    }

    /// Creates a value from elements of any type, as [`Value::shaped`] does.
    ///
    /// ```
    /// use forall_futhark::data::{Elements, Value};
    /// assert_eq!(Value::from_elements(Elements::I8(vec![1]), &[]), Some(Value::scalar(1i8)));
    /// ```
    pub fn from_elements(elements: Elements, shape: &[usize]) -> Option<Self> {
        (count(shape) == Some(elements.len())).then(|| Self { shape: shape.into(), elements })
    }

    /// Returns the length of each dimension; empty for a scalar.
    ///
    /// ```
    /// assert_eq!(forall_futhark::data::Value::array([1u8, 2]).shape(), [2]);
    /// ```
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the elements in row-major order; a scalar has one.
    ///
    /// ```
    /// use forall_futhark::data::{Elements, Value};
    /// assert_eq!(*Value::scalar(1.5f32).elements(), Elements::F32(vec![1.5]));
    /// ```
    pub fn elements(&self) -> &Elements {
        &self.elements
    }

    /// Returns the type of the elements.
    ///
    /// ```
    /// use forall_futhark::data::{Primitive, Value};
    /// assert_eq!(Value::array([1.0f64]).primitive(), Primitive::F64);
    /// ```
    pub fn primitive(&self) -> Primitive {
        self.elements.primitive()
    }

    /// Returns the value as a Rust scalar, if it has that type.
    ///
    /// ```
    /// use forall_futhark::data::Value;
    /// assert_eq!(Value::scalar(true).get::<bool>(), Some(true));
    /// assert_eq!(Value::scalar(1u8).get::<bool>(), None);
    /// ```
    pub fn get<T: Element>(&self) -> Option<T> {
        match T::of(&self.elements) {
            Some([element]) if self.shape.is_empty() => Some(*element),
            _ => None,
        }
    }

    /// Returns the name of the value's type as servers write it, without sizes.
    ///
    /// ```
    /// assert_eq!(forall_futhark::data::Value::array([1u8]).type_name(), "[]u8");
    /// ```
    pub fn type_name(&self) -> String {
        "[]".repeat(self.shape.len()) + self.primitive().name()
    }
}

/// Returns the number of elements of an array of this shape; `None` on overflow.
pub(crate) fn count(shape: &[usize]) -> Option<usize> {
    // An array with an empty dimension is empty.
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1usize, |all, length| all.checked_mul(*length))
}
