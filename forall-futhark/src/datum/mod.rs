//! Values of any Futhark type, and the corresponding Rust values.

pub(crate) mod print;
pub(crate) mod types;

use crate::data::{Element, Elements, Primitive, Value, each, of_type};
use types::{Leaf, Structure, Types};

/// A value of any Futhark type.
///
/// ```
/// use forall_futhark::data::Value;
/// use forall_futhark::datum::{Datum, Native};
/// assert_eq!((1i32, true).into_datum(), Datum::Record(vec![Datum::Value(Value::scalar(1i32)), Datum::Value(Value::scalar(true))]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// A primitive value, or an array of primitive values.
    Value(Value),
    /// The fields of a record, in alphabetical order; the parts of a tuple.
    Record(Vec<Datum>),
    /// A variant, by its index in alphabetical order, and its payload.
    Sum {
        /// The index of the variant.
        variant: usize,
        /// The payload.
        payload: Vec<Datum>,
    },
    /// An array of records or sums, row by row.
    Array {
        /// The length of each dimension.
        shape: Vec<usize>,
        /// The elements; their number matches the shape.
        elements: Vec<Datum>,
    },
}

impl Datum {
    /// Appends the parts of the value in the binary format, in the order in which servers store them.
    pub(crate) fn push_bytes(&self, type_name: &str, types: &Types, bytes: &mut Vec<u8>) {
        match self {
            Self::Value(value) => value.push_bytes(bytes),
            Self::Record(fields) if !fields.is_empty() => {
                if let Structure::Record(of) = &*types.structure_of(type_name) {
                    fields.iter().zip(of).for_each(|(field, (_, of))| field.push_bytes(of, types, bytes));
                }
            }
            _ => self.leaves(type_name, types).iter().for_each(|leaf| leaf.push_bytes(bytes)),
        }
    }

    /// Returns the parts of the value, in the order in which servers store them.
    pub(crate) fn leaves(&self, type_name: &str, types: &Types) -> Vec<Value> {
        match (self, &*types.structure_of(type_name)) {
            (Self::Value(value), _) => vec![value.clone()],
            (Self::Record(fields), Structure::Record(_)) if fields.is_empty() => vec![Value::scalar(false)],
            (Self::Record(fields), Structure::Record(of)) => {
                fields.iter().zip(of).flat_map(|(field, (_, of))| field.leaves(of, types)).collect()
            }
            (Self::Sum { variant, payload }, Structure::Sum(variants)) => {
                let (slots, places) = types.slots(variants);
                let mut values: Vec<Value> = slots.iter().map(|leaf| nothing(*leaf)).collect();
                let parts = payload.iter().zip(&variants[*variant].1);
                let own = parts.flat_map(|(part, of)| part.leaves(of, types));
                for (value, place) in own.zip(&places[*variant]) {
                    values[*place] = as_type(&value, slots[*place].primitive);
                }
                if variants.len() > 1 {
                    values.insert(0, Value::scalar(*variant as i8));
                }
                values
            }
            (Self::Array { shape, elements }, Structure::Array { element, .. }) => {
                let rows: Vec<Vec<Value>> = elements.iter().map(|one| one.leaves(element, types)).collect();
                types.leaves(element).iter().enumerate().map(|(at, leaf)| stack(&rows, at, *leaf, shape)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Builds a value of a type from its parts, which are consumed from the front; `None` if they do not fit.
    pub(crate) fn from_leaves(type_name: &str, leaves: &mut std::vec::IntoIter<Value>, types: &Types) -> Option<Self> {
        match &*types.structure_of(type_name) {
            Structure::Primitive(primitive) => leaves
                .next()
                .filter(|value| value.shape().is_empty() && value.primitive() == *primitive)
                .map(Self::Value),
            Structure::Record(fields) if fields.is_empty() => {
                leaves.next()?.get::<bool>().map(|_| Self::Record(Vec::new()))
            }
            Structure::Record(fields) => {
                let fields: Option<Vec<_>> =
                    fields.iter().map(|(_, of)| Self::from_leaves(of, leaves, types)).collect();
                fields.map(Self::Record)
            }
            Structure::Sum(variants) => {
                let (slots, places) = types.slots(variants);
                let variant = match variants.len() {
                    1 => 0,
                    _ => usize::try_from(leaves.next()?.get::<i8>()?).ok()?,
                };
                let values: Vec<Value> = leaves.by_ref().take(slots.len()).collect();
                let (_, payload) = variants.get(variant)?;
                let kinds = payload.iter().flat_map(|part| types.leaves(part).to_vec());
                let own: Option<Vec<Value>> = places[variant]
                    .iter()
                    .zip(kinds)
                    .map(|(place, leaf)| values.get(*place).map(|value| as_type(value, leaf.primitive)))
                    .collect();
                let mut own = own?.into_iter();
                let payload: Option<Vec<_>> = payload.iter().map(|of| Self::from_leaves(of, &mut own, types)).collect();
                Some(Self::Sum { variant, payload: payload? })
            }
            Structure::Array { element, rank } => match element.parse::<Primitive>() {
                Ok(primitive) => leaves
                    .next()
                    .filter(|value| value.shape().len() == *rank && value.primitive() == primitive)
                    .map(Self::Value),
                Err(_) => Self::array_from_leaves(element, *rank, leaves, types),
            },
        }
    }

    fn array_from_leaves(
        element: &str,
        rank: usize,
        leaves: &mut std::vec::IntoIter<Value>,
        types: &Types,
    ) -> Option<Self> {
        let columns: Vec<Value> = leaves.by_ref().take(types.leaves(element).len()).collect();
        let shape = columns.first()?.shape().get(..rank)?.to_vec();
        if columns.iter().any(|column| column.shape().get(..rank) != Some(&*shape)) {
            return None;
        }
        let count = shape.iter().product();
        let mut elements = Vec::with_capacity(count);
        for at in 0..count {
            let row: Vec<Value> = columns.iter().map(|column| part(column, rank, at, count)).collect();
            elements.push(Self::from_leaves(element, &mut row.into_iter(), types)?);
        }
        Some(Self::Array { shape, elements })
    }

    /// Returns the number of scalars in the value.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Value(value) => value.elements().len(),
            Self::Record(parts) | Self::Sum { payload: parts, .. } | Self::Array { elements: parts, .. } => {
                parts.iter().map(Self::count).sum()
            }
        }
    }

    /// Returns the length of each dimension of an array.
    pub(crate) fn shape(&self) -> &[usize] {
        match self {
            Self::Value(value) => value.shape(),
            Self::Array { shape, .. } => shape,
            Self::Record(_) | Self::Sum { .. } => &[],
        }
    }

    /// Returns the element of an array at an index, in row-major order.
    pub(crate) fn element(&self, at: usize) -> Self {
        match self {
            Self::Value(value) => Self::Value(part(value, value.shape().len(), at, value.elements().len())),
            Self::Array { elements, .. } => elements[at].clone(),
            Self::Record(_) | Self::Sum { .. } => self.clone(),
        }
    }

    /// Creates an array of elements.
    pub(crate) fn array_of(elements: Vec<Self>, element: &str, shape: &[usize]) -> Self {
        match element.parse::<Primitive>() {
            Ok(primitive) => {
                let rows: Vec<Vec<Value>> = elements
                    .into_iter()
                    .map(|one| match one {
                        Self::Value(value) => vec![value],
                        _ => Vec::new(),
                    })
                    .collect();
                Self::Value(stack(&rows, 0, Leaf { primitive, rank: 0 }, shape))
            }
            Err(_) => Self::Array { shape: shape.to_vec(), elements },
        }
    }
}

/// Returns the value of an unused slot.
fn nothing(leaf: Leaf) -> Value {
    let shape = vec![0; leaf.rank];
    let elements = of_type!(leaf.primitive, T => {
        let zero = T::from_bytes(&vec![0; leaf.primitive.bytes()]);
        T::elements(if leaf.rank == 0 { vec![zero] } else { Vec::new() })
    });
    Value::from_elements(elements, &shape).unwrap_or_else(|| Value::scalar(false))
}

/// Converts a value to another type of the same width, without changing its bits.
fn as_type(value: &Value, primitive: Primitive) -> Value {
    if value.primitive() == primitive {
        return value.clone();
    }
    let bytes = each!(value.elements(), xs => bytes_of(xs));
    let elements = of_type!(primitive, T => T::elements(bytes.chunks(primitive.bytes()).map(T::from_bytes).collect()));
    Value::from_elements(elements, value.shape()).unwrap_or_else(|| value.clone())
}

fn bytes_of<T: Element>(elements: &[T]) -> Vec<u8> {
    let mut bytes = Vec::new();
    elements.iter().for_each(|element| element.push_bytes(&mut bytes));
    bytes
}

/// Combines the leaf `at` of all rows into one array.
fn stack(rows: &[Vec<Value>], at: usize, leaf: Leaf, shape: &[usize]) -> Value {
    let mut whole = shape.to_vec();
    match rows.first() {
        Some(row) => whole.extend_from_slice(row[at].shape()),
        None => whole.extend(vec![0; leaf.rank]),
    }
    let mut bytes = Vec::new();
    for row in rows {
        bytes.extend(each!(row[at].elements(), xs => bytes_of(xs)));
    }
    let primitive = leaf.primitive;
    let elements = of_type!(primitive, T => T::elements(bytes.chunks(primitive.bytes()).map(T::from_bytes).collect()));
    Value::from_elements(elements, &whole).unwrap_or_else(|| nothing(Leaf { primitive, rank: whole.len() }))
}

/// Returns the part at an index of an array whose first `rank` dimensions contain `count` parts.
fn part(array: &Value, rank: usize, at: usize, count: usize) -> Value {
    let inner = &array.shape()[rank..];
    let length = array.elements().len() / count.max(1);
    let elements: Elements = each!(array.elements(), xs => slice_of(&xs[at * length..(at + 1) * length]));
    Value::from_elements(elements, inner).unwrap_or_else(|| array.clone())
}

fn slice_of<T: Element>(elements: &[T]) -> Elements {
    T::elements(elements.to_vec())
}

/// A Rust type that corresponds to a Futhark type.
///
/// ```
/// use forall_futhark::datum::Native;
/// assert_eq!(<(i32, Vec<bool>)>::type_name(), "(i32, []bool)");
/// assert_eq!(u8::from_datum(&7u8.into_datum()), Some(7));
/// ```
pub trait Native: Sized {
    /// Returns the name of the type in Futhark.
    fn type_name() -> String;

    /// Converts to a Futhark value.
    fn into_datum(self) -> Datum;

    /// Converts from a Futhark value; `None` if the value has another type.
    fn from_datum(datum: &Datum) -> Option<Self>;
}

macro_rules! native {
    ($($T:ty)*) => {$(
        impl Native for $T {
            fn type_name() -> String {
                Self::PRIMITIVE.name().to_owned()
            }

            fn into_datum(self) -> Datum {
                Datum::Value(Value::scalar(self))
            }

            fn from_datum(datum: &Datum) -> Option<Self> {
                match datum {
                    Datum::Value(value) => value.get(),
                    _ => None,
                }
            }
        }
    )*};
}

native!(i8 i16 i32 i64 u8 u16 u32 u64 crate::data::f16 f32 f64 bool);

impl<T: Element> Native for Vec<T> {
    fn type_name() -> String {
        format!("[]{}", T::PRIMITIVE)
    }

    fn into_datum(self) -> Datum {
        Datum::Value(Value::array(self))
    }

    fn from_datum(datum: &Datum) -> Option<Self> {
        match datum {
            Datum::Value(value) if value.shape().len() == 1 => T::of(value.elements()).map(<[T]>::to_vec),
            _ => None,
        }
    }
}

macro_rules! tuples {
    ($($($T:ident $at:tt)*;)*) => {$(
        impl<$($T: Native),*> Native for ($($T,)*) {
            fn type_name() -> String {
                let parts: Vec<String> = vec![$($T::type_name()),*];
                format!("({})", parts.join(", "))
            }

            fn into_datum(self) -> Datum {
                Datum::Record(vec![$(self.$at.into_datum()),*])
            }

            fn from_datum(datum: &Datum) -> Option<Self> {
                match datum {
                    #[allow(unused_variables, reason = "a unit has no parts")]
                    Datum::Record(parts) => Some(($($T::from_datum(parts.get($at)?)?,)*)),
                    _ => None,
                }
            }
        }
    )*};
}

tuples! {
    ;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
}
