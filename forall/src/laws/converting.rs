//! Laws of conversions: round trips.

use super::{broken, holds, same};
use crate::generate::Generator;
use crate::property::{Empty, Outcome, Property, Telescope};
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// Checks that `FromStr` parses the output of `Display` as the same value.
///
/// ```
/// use forall::{laws, prelude::*};
/// forall::check("addresses are read back", &laws::display_from_str(any::<std::net::IpAddr>()));
/// ```
pub fn display_from_str<G>(generator: G) -> impl Property
where
    G: Generator<Value: Display + FromStr<Err: Debug> + PartialEq + Debug>,
{
    Empty.forall("value", move |(), source| generator.generate(source)).check(|(value, ())| {
        let text = value.to_string();
        match text.parse::<G::Value>() {
            Ok(read) => there_and_back(value, &text, &read),
            Err(error) => not_read(value, &text, &error),
        }
    })
}

/// Checks that `read` returns the value that `write` wrote. An error of either violates the law, so serde's formats can
/// be used directly.
///
/// ```
/// # mod serde_json {
/// #     pub fn to_string(n: &u32) -> Result<String, ()> { Ok(n.to_string()) }
/// #     pub fn from_str(text: &str) -> Result<u32, std::num::ParseIntError> { text.parse() }
/// # }
/// use forall::{laws, prelude::*};
/// let law = laws::round_trip(any::<u32>(), |n| serde_json::to_string(n), |text| serde_json::from_str(text));
/// forall::check("numbers as JSON", &law);
/// ```
pub fn round_trip<G, U, W, R, NotWritten, NotRead>(generator: G, write: W, read: R) -> impl Property
where
    G: Generator<Value: PartialEq + Debug>,
    U: Debug,
    W: Fn(&G::Value) -> Result<U, NotWritten>,
    R: Fn(&U) -> Result<G::Value, NotRead>,
    NotWritten: Debug,
    NotRead: Debug,
{
    Empty.forall("value", move |(), source| generator.generate(source)).check(move |(value, ())| {
        let written = match write(value) {
            Ok(written) => written,
            Err(error) => {
                let how = format_args!("the value cannot be serialized");
                return broken("Writes", how, &[("value", value), ("error", &error)]);
            }
        };
        match read(&written) {
            Ok(back) => there_and_back(value, &written, &back),
            Err(error) => not_read(value, &written, &error),
        }
    })
}

/// Checks that `back` undoes `forth`: `back(forth(a)) == a`.
///
/// ```
/// use forall::{laws, prelude::*};
/// forall::check("bytes of numbers", &laws::inverse(any::<u32>(), |n| n.to_le_bytes(), |bytes| u32::from_le_bytes(*bytes)));
/// ```
pub fn inverse<G, U, F, B>(generator: G, forth: F, back: B) -> impl Property
where
    G: Generator<Value: PartialEq + Debug>,
    U: Debug,
    F: Fn(&G::Value) -> U,
    B: Fn(&U) -> G::Value,
{
    Empty.forall("value", move |(), source| generator.generate(source)).check(move |(value, ())| {
        let there = forth(value);
        there_and_back(value, &there, &back(&there))
    })
}

fn there_and_back<T: PartialEq + Debug>(value: &T, there: &dyn Debug, back: &T) -> Outcome {
    let same = same(value, back);
    holds!(same, "RoundTrip", "the value read back differs", "value" = value, "there" = there, "back" = back);
    Outcome::Pass
}

#[inline]
fn not_read(value: &dyn Debug, there: &dyn Debug, error: &dyn Debug) -> Outcome {
    broken(
        "Reads",
        format_args!("the written value cannot be read back"),
        &[("value", value), ("there", there), ("error", error)],
    )
}
