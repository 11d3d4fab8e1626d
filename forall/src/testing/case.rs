//! An input of a property as data and as text.

use crate::choice::{DecodeError, Sequence};
use crate::property::Step;
use crate::whole::whole;
use std::fmt::{self, Write};

/// An input of a property: choices, and steps on the values that they produce.
///
/// ```
/// use forall::choice::Sequence;
/// use forall::property::Step;
/// use forall::run::Case;
///
/// let case = Case { sequence: Sequence::from_values(10, &[3]), steps: vec![Step::Shrink { quantifier: 0, candidate: 4 }] };
/// let text = case.to_text();
/// assert!(text.ends_with("+s0.4"));
/// assert_eq!(Case::from_text(&text).unwrap().steps, case.steps);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Case {
    /// The choices.
    #[doc(hidden)]
    pub sequence: Sequence,
    /// The steps on values.
    #[doc(hidden)]
    pub steps: Vec<Step>,
}

/// The reason why a string is not a case.
///
/// ```
/// use forall::run::{Case, CaseError};
/// assert!(matches!(Case::from_text("2-%"), Err(CaseError::Sequence(_))));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub enum CaseError {
    /// The choices cannot be read.
    #[doc(hidden)]
    Sequence(DecodeError),
    /// A part after the choices is not a step.
    #[doc(hidden)]
    Step(String),
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CaseError::Sequence(error) => error.fmt(f),
            CaseError::Step(text) => write!(f, "`{text}` is not a step: steps look like s0.3, m0.17 or d4"),
        }
    }
}

impl std::error::Error for CaseError {}

impl Case {
    /// Returns the case as a short string to paste: the choices, then `+` and each step.
    ///
    /// ```
    /// use forall::{choice::Sequence, run::Case};
    /// let case = Case { sequence: Sequence::from_values(10, &[3]), steps: vec![] };
    /// assert_eq!(case.to_text(), case.sequence.to_text(), "there are no steps");
    /// ```
    pub fn to_text(&self) -> String {
        self.to_text_with_shape(self.sequence.shape())
    }

    /// The text of a parsed case, whose sequence has lost its shape, with its original shape.
    pub(crate) fn to_text_with_shape(&self, shape: u64) -> String {
        let mut text = self.sequence.to_text_with_shape(shape);
        text.push_str(&self.steps_text());
        text
    }

    /// The steps, each after a `+`.
    pub(crate) fn steps_text(&self) -> String {
        let mut text = String::new();
        for step in &self.steps {
            let written = match step {
                Step::Shrink { quantifier, candidate } => write!(text, "+s{quantifier}.{candidate}"),
                Step::Mutate { quantifier, seed } => write!(text, "+m{quantifier}.{seed}"),
                Step::Search { depth } => write!(text, "+d{depth}"),
            };
            debug_assert!(written.is_ok(), "writing to a string does not fail");
        }
        text
    }

    /// Returns the depth of the exhaustive search that found the case, if one did: then its choices belong to that
    /// search.
    ///
    /// ```
    /// use forall::run::Case;
    /// assert_eq!(Case::default().searched_to(), None);
    /// ```
    #[inline]
    #[doc(hidden)]
    pub fn searched_to(&self) -> Option<u32> {
        match self.steps.first() {
            Some(Step::Search { depth }) => Some(*depth),
            _ => None,
        }
    }

    /// Parses the string that [`Case::to_text`] returns.
    ///
    /// ```
    /// use forall::{choice::Sequence, run::Case};
    /// let case = Case { sequence: Sequence::from_values(10, &[3]), steps: vec![] };
    /// assert_eq!(Case::from_text(&case.to_text()).unwrap(), case);
    /// assert!(Case::from_text("three").is_err());
    /// ```
    pub fn from_text(text: &str) -> Result<Self, CaseError> {
        Ok(Self::from_text_with_shape(text)?.0)
    }

    /// Parses a case, and the shape of its sequence when it was written.
    pub(crate) fn from_text_with_shape(text: &str) -> Result<(Self, u64), CaseError> {
        let mut parts = text.trim().split('+');
        let (sequence, shape) = Sequence::from_text(parts.next().unwrap_or("")).map_err(CaseError::Sequence)?;
        let mut steps = Vec::new();
        for part in parts {
            match step(part) {
                Some(step) => steps.push(step),
                None => return Err(CaseError::Step(part.to_owned())),
            }
        }
        Ok((Self { sequence, steps }, shape))
    }
}

fn step(text: &str) -> Option<Step> {
    if let Some(depth) = text.strip_prefix('d') {
        return Some(Step::Search { depth: whole(depth)? });
    }
    let (quantifier, number) = text.get(1..)?.split_once('.')?;
    let quantifier = whole(quantifier)?;
    match text.as_bytes()[0] {
        b's' => Some(Step::Shrink { quantifier, candidate: whole(number)? }),
        b'm' => Some(Step::Mutate { quantifier, seed: whole(number)? }),
        _ => None,
    }
}
