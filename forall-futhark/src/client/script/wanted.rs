//! The values requested at the end of an exchange, and the results.

use super::Made;
use crate::data::Value;

/// The requested values, by section. Most sections request a single boolean, so all of them share one list.
#[derive(Default)]
pub(crate) struct Wanted {
    /// Each section, and the end of its range in `made`.
    sections: Vec<(usize, usize)>,
    made: Vec<Made>,
}

impl Wanted {
    /// Requests values of one section.
    pub(crate) fn of(section: usize, made: impl IntoIterator<Item = Made>) -> Self {
        let mut wanted = Self::default();
        wanted.push(section, made);
        wanted
    }

    /// Creates an empty request with capacity for this many sections.
    pub(crate) fn with_capacity(sections: usize) -> Self {
        Self { sections: Vec::with_capacity(sections), made: Vec::with_capacity(sections) }
    }

    /// Requests values of another section.
    pub(crate) fn push(&mut self, section: usize, made: impl IntoIterator<Item = Made>) {
        self.made.extend(made);
        self.sections.push((section, self.made.len()));
    }

    /// Returns the number of sections.
    pub(crate) fn len(&self) -> usize {
        self.sections.len()
    }

    /// Returns the sections with requested values.
    pub(crate) fn sections(&self) -> impl Iterator<Item = usize> {
        self.sections.iter().map(|(section, _)| *section)
    }

    /// Returns each section with its requested variables.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &[Made])> {
        let mut begin = 0;
        self.sections.iter().map(move |(section, end)| {
            let made = &self.made[begin..*end];
            begin = *end;
            (*section, made)
        })
    }
}

/// The result of a section.
#[derive(Debug)]
pub(crate) enum Got {
    /// A boolean, if the section requested only that.
    Truth(bool),
    /// For each requested variable, the values that it consists of.
    Values(Vec<Vec<Value>>),
}

impl Got {
    /// Returns whether the first value is `true`.
    pub(crate) fn is_true(&self) -> bool {
        match self {
            Self::Truth(truth) => *truth,
            Self::Values(values) => truth(values),
        }
    }

    /// Returns, for each requested variable, the values that it consists of.
    pub(crate) fn values(self) -> Vec<Vec<Value>> {
        match self {
            Self::Truth(truth) => vec![vec![Value::scalar(truth)]],
            Self::Values(values) => values,
        }
    }
}

/// Returns whether the first of the values is `true`.
pub(crate) fn truth(values: &[Vec<Value>]) -> bool {
    values.first().and_then(|first| first.first()).and_then(Value::get) == Some(true)
}
