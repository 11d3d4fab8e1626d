//! Comparison of a program's results with the expected values.

use super::print::Printed;
use super::{Elements, Value, each, f16};

/// The tolerance for floats: absolute, or relative to the largest expected element.
///
/// ```
/// assert_eq!(forall_futhark::data::Tolerance::default().0, 0.002);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance(pub f64);

impl Default for Tolerance {
    fn default() -> Self {
        Self(0.002)
    }
}

/// Returns the differences, one line each; empty if the values agree.
///
/// Integers and booleans must be equal. Floats may differ by the tolerance; NaN agrees with NaN.
///
/// ```
/// use forall_futhark::data::{Tolerance, Value, differences};
/// let got = [Value::array([1i32, 2, 3])];
/// let expected = [Value::array([1i32, 2, 4])];
/// assert_eq!(differences(&got, &expected, Tolerance::default()), ["Value #0 index [2]: expected 4, got 3"]);
/// ```
pub fn differences(got: &[Value], expected: &[Value], tolerance: Tolerance) -> Vec<String> {
    if got.len() != expected.len() {
        return vec![format!("Expected {} values, got {}", expected.len(), got.len())];
    }
    let mut all = Vec::new();
    for (index, (got, expected)) in got.iter().zip(expected).enumerate() {
        compare(index, got, expected, tolerance, &mut all);
    }
    all
}

fn compare(index: usize, got: &Value, expected: &Value, tolerance: Tolerance, all: &mut Vec<String>) {
    if got.primitive() != expected.primitive() {
        let (wanted, had) = (expected.primitive(), got.primitive());
        all.push(format!("Value #{index}: expected value of type {wanted}, got {had}"));
    } else if *got.shape != *expected.shape {
        let (wanted, had) = (brackets(&expected.shape), brackets(&got.shape));
        all.push(format!("Value #{index}: expected array of shape {wanted}, got {had}"));
    } else {
        each!(&expected.elements, xs => elements(index, &got.elements, xs, &expected.shape, tolerance, all));
    }
}

fn elements<T: Compared>(
    index: usize,
    got: &Elements,
    expected: &[T],
    shape: &[usize],
    tolerance: Tolerance,
    all: &mut Vec<String>,
) {
    let Some(got) = T::of(got) else { return };
    let largest = expected.iter().map(|x| x.magnitude()).fold(0.0, f64::max);
    let allowed = tolerance.0.max(tolerance.0 * largest);
    for (place, (got, wanted)) in got.iter().zip(expected).enumerate() {
        if !got.agrees(*wanted, allowed) {
            let (got, wanted) = (got.plain(), wanted.plain());
            let at =
                if shape.is_empty() { String::new() } else { format!(" index {}", brackets(&indices(place, shape))) };
            all.push(format!("Value #{index}{at}: expected {wanted}, got {got}"));
        }
    }
}

/// Returns the index in each dimension of the element at `place`, in row-major order.
pub(crate) fn indices(mut place: usize, shape: &[usize]) -> Vec<usize> {
    let mut indices = vec![0; shape.len()];
    for (index, length) in indices.iter_mut().zip(shape).rev() {
        *index = place % length;
        place /= length;
    }
    indices
}

fn brackets(numbers: &[usize]) -> String {
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    format!("[{}]", numbers.join(","))
}

/// An element that can be compared with an expected one.
trait Compared: Printed {
    fn agrees(self, expected: Self, allowed: f64) -> bool;

    /// Returns the magnitude of the element, if it is a finite float; otherwise 0.
    fn magnitude(self) -> f64 {
        0.0
    }
}

macro_rules! exact {
    ($($T:ty)*) => {$(
        impl Compared for $T {
            fn agrees(self, expected: Self, _: f64) -> bool {
                self == expected
            }
        }
    )*};
}

exact!(i8 i16 i32 i64 u8 u16 u32 u64 bool);

macro_rules! close {
    ($($T:ty)*) => {$(
        impl Compared for $T {
            fn agrees(self, expected: Self, allowed: f64) -> bool {
                let (got, expected) = (f64::from(self), f64::from(expected));
                got == expected || got.is_nan() && expected.is_nan() || (got - expected).abs() <= allowed
            }

            fn magnitude(self) -> f64 {
                let magnitude = f64::from(self).abs();
                if magnitude.is_finite() { magnitude } else { 0.0 }
            }
        }
    )*};
}

close!(f16 f32 f64);
