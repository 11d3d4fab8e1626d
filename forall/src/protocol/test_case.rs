//! A test with its values: a line in the form of OpenPBTStats, which Tyche opens. `forall::observe` has its meaning.

use super::Encode;
use crate::__record as record;
use crate::json::Object;

use super::Decode;
use crate::json::JsonValue;

record! {
    /// A test with its values.
    TestCase {
        /// Always `test_case`.
        kind as "type": String,
        /// Distinguishes the runs of a property: Unix time.
        run_start: f64,
        /// The name of the property.
        property: String,
        /// `passed`, `failed` or `gave_up`.
        status: String,
        /// The reason, as text.
        status_reason: String,
        /// The input, as a call of the property.
        representation: String,
        /// The values by variable.
        arguments: Fields<String>,
        /// How the input was generated.
        how_generated: String,
        /// The features of the test.
        features: Fields<Scalar>,
        /// Which lines ran; Tyche reads this field if present.
        coverage: Option<bool>,
        /// Where the time went, in seconds.
        timing: Fields<f64>,
        /// Data beyond Tyche's format.
        metadata: Metadata,
    }

    /// Data of a test beyond Tyche's format.
    Metadata {
        [
            /// The number of tests that it represents, including itself.
            stands_for: Option<u64>,
            /// Which features are labels.
            labels: Vec<String>,
            /// Which features are tables.
            tables: Vec<String>,
            /// Which features are `cover!` requirements.
            covers: Vec<String>,
            /// The number of places that were reached so far.
            reached: Option<u64>,
            /// The number of places.
            places: Option<u64>,
            /// The input, in a form that can be pasted.
            reproduction_decorator: Option<String>,
            /// Where the test failed.
            interesting_origin: Option<String>,
        ]
    }
}

/// Values by name, in order. A name may occur twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Fields<T>(pub Vec<(String, T)>);

impl<T> Default for Fields<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Fields<T> {
    /// Returns the first value with this name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

impl<T: Encode> Encode for Fields<T> {
    fn encode(&self) -> String {
        let mut object = Object::new();
        for (name, value) in &self.0 {
            object.raw(name, &value.encode());
        }
        object.end()
    }
}

impl<T: Decode> Decode for Fields<T> {
    #[inline]
    fn decode(json: &JsonValue) -> Option<Self> {
        match json {
            JsonValue::Object(fields) => {
                let fields = fields.iter().filter_map(|(name, value)| Some((name.clone(), T::decode(value)?)));
                Some(Self(fields.collect()))
            }
            _ => None,
        }
    }
}

/// A number or a string.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// A number.
    Number(f64),
    /// A string.
    Text(String),
}

impl Encode for Scalar {
    fn encode(&self) -> String {
        match self {
            Scalar::Number(number) => number.encode(),
            Scalar::Text(text) => text.encode(),
        }
    }
}

impl Decode for Scalar {
    #[inline]
    fn decode(json: &JsonValue) -> Option<Self> {
        match json {
            JsonValue::String(text) => Some(Scalar::Text(text.clone())),
            json => f64::decode(json).map(Scalar::Number),
        }
    }
}
