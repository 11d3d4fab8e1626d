//! Printing values as text.

use super::{Element, Value, each, f16};
use std::fmt::{self, Write};

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.elements.is_empty() {
            f.write_str("empty(")?;
            for length in &*self.shape {
                write!(f, "[{length}]")?;
            }
            return write!(f, "{})", self.primitive());
        }
        each!(&self.elements, xs => rows(xs, &self.shape, f))
    }
}

fn rows<T: Printed>(elements: &[T], shape: &[usize], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some((length, inner)) = shape.split_first() else { return f.write_str(&elements[0].with_suffix()) };
    let separator = if inner.is_empty() { ", " } else { ",\n" };
    f.write_char('[')?;
    for (index, row) in elements.chunks(elements.len() / length).enumerate() {
        if index > 0 {
            f.write_str(separator)?;
        }
        rows(row, inner, f)?;
    }
    f.write_char(']')
}

/// The format of an element.
pub(super) trait Printed: Element {
    /// Formats the element as in a program: `1u8`, `f32.inf`.
    fn with_suffix(self) -> String;

    /// Formats the element as in a message that compares values: `1`, `Infinity`, `True`.
    fn plain(self) -> String;
}

macro_rules! integers {
    ($($T:ty)*) => {$(
        impl Printed for $T {
            fn with_suffix(self) -> String {
                format!("{self}{}", Self::PRIMITIVE)
            }

            fn plain(self) -> String {
                self.to_string()
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 u8 u16 u32 u64);

impl Printed for bool {
    fn with_suffix(self) -> String {
        self.to_string()
    }

    fn plain(self) -> String {
        if self { "True" } else { "False" }.to_owned()
    }
}

macro_rules! floats {
    ($($T:ty, |$x:ident| $shown:expr;)*) => {$(
        impl Printed for $T {
            fn with_suffix(self) -> String {
                let name = Self::PRIMITIVE.name();
                if self.is_nan() {
                    format!("{name}.nan")
                } else if self.is_infinite() {
                    format!("{}{name}.inf", if self.is_sign_negative() { "-" } else { "" })
                } else {
                    self.plain() + name
                }
            }

            fn plain(self) -> String {
                let $x = self;
                if self.is_nan() {
                    "NaN".to_owned()
                } else if self.is_infinite() {
                    if self.is_sign_negative() { "-Infinity" } else { "Infinity" }.to_owned()
                } else {
                    decimal(&$shown)
                }
            }
        }
    )*};
}

floats! {
    f16, |x| format!("{:e}", x.to_f32());
    f32, |x| format!("{x:e}");
    f64, |x| format!("{x:e}");
}

/// Converts the shortest digits, `1.25e-2`, to the format of the Futhark tools: plain between 0.1 and 10⁷, otherwise
/// with an exponent, and always with a digit after the point.
fn decimal(scientific: &str) -> String {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    if digits.chars().all(|c| c == '0') {
        return format!("{sign}0.0");
    }
    let or_zero = |digits: &str| if digits.is_empty() { "0".to_owned() } else { digits.to_owned() };
    match exponent {
        -1 => format!("{sign}0.{digits}"),
        0..7 => {
            let before = exponent as usize + 1;
            let padded = format!("{digits:0<before$}");
            format!("{sign}{}.{}", &padded[..before], or_zero(&padded[before..]))
        }
        _ => format!("{sign}{}.{}e{exponent}", &digits[..1], or_zero(&digits[1..])),
    }
}
