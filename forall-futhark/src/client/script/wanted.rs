//! What is asked for at the end of an exchange, and what came of it.

use super::Made;
use crate::data::Value;

/// Values that are asked for, by section. Most are one truth value each, so none has a list of its own.
#[derive(Default)]
pub(crate) struct Wanted {
    /// Each section, and where its part of `made` ends.
    sections: Vec<(usize, usize)>,
    made: Vec<Made>,
}

impl Wanted {
    /// What is wanted of one section.
    pub(crate) fn of(section: usize, made: impl IntoIterator<Item = Made>) -> Self {
        let mut wanted = Self::default();
        wanted.push(section, made);
        wanted
    }

    /// Room for so many sections.
    pub(crate) fn with_capacity(sections: usize) -> Self {
        Self { sections: Vec::with_capacity(sections), made: Vec::with_capacity(sections) }
    }

    /// Asks for something of another section.
    pub(crate) fn push(&mut self, section: usize, made: impl IntoIterator<Item = Made>) {
        self.made.extend(made);
        self.sections.push((section, self.made.len()));
    }

    /// How many sections there are.
    pub(crate) fn len(&self) -> usize {
        self.sections.len()
    }

    /// The sections that something is asked of.
    pub(crate) fn sections(&self) -> impl Iterator<Item = usize> {
        self.sections.iter().map(|(section, _)| *section)
    }

    /// Each section with what is wanted of it.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &[Made])> {
        let mut begin = 0;
        self.sections.iter().map(move |(section, end)| {
            let made = &self.made[begin..*end];
            begin = *end;
            (*section, made)
        })
    }
}

/// What came of a section.
#[derive(Debug)]
pub(crate) enum Got {
    /// The truth value that alone was wanted.
    Truth(bool),
    /// For each that was wanted, the values that it is made of.
    Values(Vec<Vec<Value>>),
}

impl Got {
    /// Whether the first of the values is true.
    pub(crate) fn is_true(&self) -> bool {
        match self {
            Self::Truth(truth) => *truth,
            Self::Values(values) => truth(values),
        }
    }

    /// For each that was wanted, the values that it is made of.
    pub(crate) fn values(self) -> Vec<Vec<Value>> {
        match self {
            Self::Truth(truth) => vec![vec![Value::scalar(truth)]],
            Self::Values(values) => values,
        }
    }
}

/// Whether the first of some values is true.
pub(crate) fn truth(values: &[Vec<Value>]) -> bool {
    values.first().and_then(|first| first.first()).and_then(Value::get) == Some(true)
}
