//! Records: structs that are JSON objects on the wire, written and read by the same list of fields.

use crate::json::{Object, quoted};
use crate::statistics::ByName;

use crate::json::JsonValue;

/// A value that can be written.
pub trait Encode {
    /// The value as JSON, in one line.
    fn encode(&self) -> String;
}

/// A value that can be read.
pub trait Decode: Sized {
    /// The value, if the JSON represents one.
    fn decode(json: &JsonValue) -> Option<Self>;

    /// Parses a text. `None` if it is truncated, or another value.
    fn read(text: &str) -> Option<Self> {
        Self::decode(&JsonValue::read(text)?)
    }
}

/// An object with fields.
pub trait Record {
    /// Adds the fields to an object.
    fn fields(&self, object: &mut Object);
}

impl<T: Record> Encode for T {
    fn encode(&self) -> String {
        let mut object = Object::new();
        self.fields(&mut object);
        object.end()
    }
}

/// Declares records: structs with a field for each key of an object. A field has the name of its key, or `as "key"`.
///
/// Fields in brackets, at the end, are written only where they differ from their default.
#[doc(hidden)]
#[macro_export]
macro_rules! __record {
    ($(
        $(#[$about:meta])*
        $name:ident {
            $($(#[$of:meta])* $field:ident $(as $key:literal)?: $type:ty,)*
            $([$($(#[$rare_of:meta])* $rare:ident: $rare_type:ty,)*])?
        }
    )*) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $($(#[$of])* pub $field: $type,)*
            $($($(#[$rare_of])* pub $rare: $rare_type,)*)?
        }

        impl $crate::protocol::Record for $name {
            fn fields(&self, object: &mut $crate::protocol::parts::Object) {
                $(object.raw($crate::__key!($field $($key)?), &$crate::protocol::Encode::encode(&self.$field));)*
                $($(if self.$rare != <$rare_type>::default() {
                    object.raw(stringify!($rare), &$crate::protocol::Encode::encode(&self.$rare));
                })*)?
            }
        }

        $crate::__decode! {
            $name { $($field $crate::__key!($field $($key)?),)* $($($rare stringify!($rare),)*)? }
        }
    )*};
}

/// The key of a field.
#[doc(hidden)]
#[macro_export]
macro_rules! __key {
    ($field:ident $key:literal) => {
        $key
    };
    ($field:ident) => {
        stringify!($field)
    };
}

/// The reader of a record.
#[doc(hidden)]
#[macro_export]
macro_rules! __decode {
    ($name:ident { $($field:ident $key:expr,)* }) => {
        impl $crate::protocol::Decode for $name {
            #[inline]
            fn decode(json: &$crate::protocol::parts::JsonValue) -> Option<Self> {
                $crate::protocol::parts::is_object(json)
                    .then(|| Self { $($field: $crate::protocol::parts::field(json, $key),)* })
            }
        }
    };
}

/// Declares an enum that is a keyword on the wire. An unknown keyword becomes the last variant.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$of:meta])* $variant:ident $word:literal,)* } else $(#[$else_of:meta])* $else:ident $else_word:literal) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name {
            $($(#[$of])* $variant,)*
            $(#[$else_of])*
            #[default]
            $else,
        }

        impl $name {
            /// All variants.
            #[allow(dead_code, reason = "tests go through all words of all enums")]
            pub const ALL: &[Self] = &[$(Self::$variant,)* Self::$else];

            /// Returns the keyword.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                    Self::$else => $else_word,
                }
            }
        }

        impl $crate::protocol::Encode for $name {
            fn encode(&self) -> String {
                $crate::json::quoted(self.word())
            }
        }

        impl $crate::protocol::Decode for $name {
            #[inline]
            fn decode(json: &$crate::json::JsonValue) -> Option<Self> {
                Some(match json.as_str()? {
                    $($word => Self::$variant,)*
                    _ => Self::$else,
                })
            }
        }
    };
}
pub(crate) use words;

/// Returns whether a record can be read from this JSON.
#[inline]
pub fn is_object(json: &JsonValue) -> bool {
    matches!(json, JsonValue::Object(_))
}

/// Returns a field of an object; its default if it is missing or has another type.
pub fn field<T: Decode + Default>(json: &JsonValue, key: &str) -> T {
    json.get(key).and_then(T::decode).unwrap_or_default()
}

impl Encode for u64 {
    fn encode(&self) -> String {
        self.to_string()
    }
}

impl Encode for bool {
    fn encode(&self) -> String {
        self.to_string()
    }
}

impl Encode for f64 {
    /// NaN and infinities are `null` in JSON.
    fn encode(&self) -> String {
        if self.is_finite() { format!("{self}") } else { "null".to_owned() }
    }
}

impl Encode for String {
    fn encode(&self) -> String {
        quoted(self)
    }
}

impl<T: Encode> Encode for Option<T> {
    fn encode(&self) -> String {
        match self {
            Some(value) => value.encode(),
            None => "null".to_owned(),
        }
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn encode(&self) -> String {
        let mut list = "[".to_owned();
        for item in self {
            if list.len() > 1 {
                list.push(',');
            }
            list += &item.encode();
        }
        list + "]"
    }
}

impl<T: Encode> Encode for ByName<T> {
    fn encode(&self) -> String {
        let mut object = Object::new();
        for (name, value) in self {
            object.raw(name, &value.encode());
        }
        object.end()
    }
}

mod decode {
    use super::{ByName, Decode, JsonValue};

    impl Decode for u64 {
        #[inline]
        fn decode(json: &JsonValue) -> Option<Self> {
            match json {
                JsonValue::Number(digits) => digits.parse().ok(),
                _ => None,
            }
        }
    }

    impl Decode for f64 {
        #[inline]
        fn decode(json: &JsonValue) -> Option<Self> {
            match json {
                JsonValue::Number(digits) => digits.parse().ok().filter(|number: &f64| number.is_finite()),
                _ => None,
            }
        }
    }

    impl Decode for bool {
        #[inline]
        fn decode(json: &JsonValue) -> Option<Self> {
            match json {
                JsonValue::Bool(flag) => Some(*flag),
                _ => None,
            }
        }
    }

    impl Decode for String {
        #[inline]
        fn decode(json: &JsonValue) -> Option<Self> {
            json.as_str().map(str::to_owned)
        }
    }

    impl<T: Decode> Decode for Option<T> {
        #[inline]
        fn decode(json: &JsonValue) -> Option<Self> {
            Some(T::decode(json))
        }
    }

    impl<T: Decode> Decode for Vec<T> {
        #[inline]
        fn decode(json: &JsonValue) -> Option<Self> {
            match json {
                JsonValue::Array(items) => Some(items.iter().filter_map(T::decode).collect()),
                _ => None,
            }
        }
    }

    impl<T: Decode> Decode for ByName<T> {
        #[inline]
        fn decode(json: &JsonValue) -> Option<Self> {
            match json {
                JsonValue::Object(fields) => {
                    Some(fields.iter().filter_map(|(name, value)| Some((name.clone(), T::decode(value)?))).collect())
                }
                _ => None,
            }
        }
    }
}
