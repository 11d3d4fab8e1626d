//! An interpretation that measures the candidates of shrinkers.

use super::{Contract, Empty, Forall, Implies, Mutating, Predicate, Printed, Printing, Quantify, Telescope};
use crate::hash::Fnv;

/// Measures the candidates of a telescope's shrinkers for given values.
///
/// To apply one, see [`Mutating`].
///
/// ```
/// use forall::property::{self, Shrinking, Telescope};
/// let telescope = property::forall("n", |(), s| s.draw(0..100u32)).shrink(|(), n| Box::new(0..*n));
/// let mut candidates = Vec::new();
/// telescope.candidates(&(5, ()), 0, &mut candidates);
/// assert_eq!(candidates.len(), 5);
/// ```
#[doc(hidden)]
pub trait Shrinking: Telescope {
    /// Appends a measure of each candidate for the variable with this number, from 0, in the shrinker's order; none if it
    /// has no shrinker.
    ///
    /// A shrinker may return endless candidates: only the first [`MAX_CANDIDATES`] are used.
    fn candidates(&self, env: &Self::Env, quantifier: u32, candidates: &mut Vec<Measure>);
}

/// The maximum number of candidates of one variable: later ones are ignored.
///
/// ```
/// use forall::property::{self, MAX_CANDIDATES, Shrinking, Telescope};
/// let endless = property::forall("n", |(), s| s.draw(0..10u32)).shrink(|(), _| Box::new(std::iter::repeat(0)));
/// let mut candidates = Vec::new();
/// endless.candidates(&(5, ()), 0, &mut candidates);
/// assert_eq!(candidates.len(), MAX_CANDIDATES);
/// ```
#[doc(hidden)]
pub const MAX_CANDIDATES: usize = 1000;

/// The size and identity of a value, for a search that cannot store values.
///
/// Both are computed from the printed value, which a report needs anyway. The length of the text would be a bad
/// measure, since `10` is hardly larger than `9`, and `1e16` is not smaller than `1001.0`. So words are counted, and
/// numbers are summed up.
///
/// ```
/// use forall::property::{Measure, Printed};
/// let size = |printed: Printed| Measure::of(&printed).size;
/// assert_eq!(size(Printed::code(&7u32)), size(Printed::code(&-1_000_000i64)));
/// assert!(size(Printed::code(&vec![100u8])) < size(Printed::code(&vec![1u8, 2])));
/// assert!(size(Printed::debug(&"abc")) > size(Printed::debug(&"a")));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
#[doc(hidden)]
pub struct Measure {
    /// The number of words, opening brackets and quoted bytes of its text. 0 for a value without a text.
    pub size: u32,
    /// The sum of its numbers, without their signs.
    pub magnitude: f64,
    /// A hash of its text, if it has one.
    pub text: Option<u64>,
    /// Whether equal texts mean equal values, because the text is code. `Debug` output may omit something.
    pub exact: bool,
}

impl Measure {
    /// Creates the measure of a value with this text.
    ///
    /// ```
    /// use forall::property::{Measure, Printed};
    /// let measure = Measure::of(&Printed::code(&Some(3u8)));
    /// assert_eq!((measure.size, measure.magnitude, measure.exact), (3, 3.0, true), "`Some`, `(` and `3`");
    /// assert_eq!(Measure::of(&Printed::type_name(&3u8)).text, None);
    /// ```
    pub fn of(printed: &Printed) -> Self {
        let Some(text) = printed.code.as_deref().or(printed.debug.as_deref()) else { return Self::default() };
        let (size, magnitude) = measure(text);
        Self { size, magnitude, text: Some(Fnv::of(text)), exact: printed.code.is_some() }
    }

    /// The measure of a value that `print` prints. A value whose `Debug` panics has no text.
    pub(super) fn shown_by(print: &dyn Fn() -> Printed) -> Self {
        crate::panic::catch(print).map_or(Self::default(), |printed| Self::of(&printed))
    }
}

/// The number of words, opening brackets and quoted bytes of a text, and the sum of its numbers.
fn measure(text: &str) -> (u32, f64) {
    let (mut size, mut magnitude) = (0u32, 0.0);
    let (mut quoted, mut escaped, mut word) = (false, false, None);
    for (at, c) in text.char_indices() {
        if quoted {
            quoted = c != '"' || escaped;
            escaped = c == '\\' && !escaped;
            // A wide character counts as much as the plain ones that could replace it.
            let bytes = c.len_utf8() as u32;
            size = size.saturating_add(if quoted { bytes } else { 0 });
            continue;
        }
        // `1.5`, `-3` and `1e-7` are one word each; fields and paths are several.
        let goes_on = c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
        if matches!(c, '(' | '[' | '{') || goes_on && word.is_none() {
            size = size.saturating_add(1);
        }
        if goes_on {
            word = word.or(Some(at));
        } else if let Some(start) = word.take() {
            magnitude += number(&text[start..at]);
        }
        quoted = c == '"';
    }
    (size, magnitude + word.map_or(0.0, |start| number(&text[start..])))
}

/// The number in a word, without its sign and type suffix (`7i32`); 0 if it is not a number.
fn number(word: &str) -> f64 {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let [b'0'..=b'9', ..] = digits.as_bytes() else { return 0.0 };
    let mut end = 0;
    while end < digits.len() && !matches!(digits.as_bytes()[end], b'i' | b'u' | b'f') {
        end += 1;
    }
    digits[..end].parse().unwrap_or(0.0)
}

impl Shrinking for Empty {
    fn candidates(&self, _: &(), _: u32, _: &mut Vec<Measure>) {}
}

impl<P: Shrinking + Mutating + Printing, Q: Quantify<P::Env>> Shrinking for Forall<P, Q> {
    fn candidates(&self, (value, env): &Self::Env, quantifier: u32, candidates: &mut Vec<Measure>) {
        if self.previous.quantifiers() == quantifier {
            self.annotations.candidates(env, value, self.printed, candidates);
        } else {
            self.previous.candidates(env, quantifier, candidates);
        }
    }
}

impl<P: Shrinking, F: Predicate<P::Env>> Shrinking for Implies<P, F> {
    fn candidates(&self, env: &Self::Env, quantifier: u32, candidates: &mut Vec<Measure>) {
        self.previous.candidates(env, quantifier, candidates);
    }
}

impl<P: Shrinking, F: Predicate<P::Env>> Shrinking for Contract<P, F> {
    fn candidates(&self, env: &Self::Env, quantifier: u32, candidates: &mut Vec<Measure>) {
        self.previous.candidates(env, quantifier, candidates);
    }
}

#[cfg(test)]
mod tests {
    use super::measure;

    #[test]
    fn the_size_of_printed_values_counts_tokens_and_magnitudes() {
        for (text, expected) in [
            ("", (0, 0.0)),
            ("-12.5e-1", (1, 1.25)),
            ("vec![1, 2]", (4, 3.0)),
            ("[7i32, -0.5f32]", (3, 7.5)),
            ("Node(Leaf, Leaf)", (4, 0.0)),
            (r#"String::from("a\"7")"#, (7, 0.0)),
            ("Point { x: 1, y: -2 }", (6, 3.0)),
        ] {
            assert_eq!(measure(text), expected, "{text}");
        }
    }
}
