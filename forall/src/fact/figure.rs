//! The figures of facts, as events carry them.

use super::Fact;
use std::fmt;
use std::time::Duration;

/// A figure of a fact.
#[doc(hidden)]
#[derive(Clone, PartialEq)]
pub enum Value {
    Text(String),
    Whole(u64),
    Number(f64),
    Flag(bool),
    List(Vec<String>),
    Nothing,
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => text.fmt(f),
            Value::Whole(number) => number.fmt(f),
            Value::Number(number) => number.fmt(f),
            Value::Flag(flag) => flag.fmt(f),
            Value::List(texts) => texts.fmt(f),
            Value::Nothing => f.write_str("null"),
        }
    }
}

pub(super) trait Figure {
    fn value(&self) -> Value;
}

impl Figure for String {
    fn value(&self) -> Value {
        Value::Text(self.clone())
    }
}

impl Figure for &'static str {
    fn value(&self) -> Value {
        Value::Text((*self).to_owned())
    }
}

impl Figure for u64 {
    fn value(&self) -> Value {
        Value::Whole(*self)
    }
}

impl Figure for f64 {
    fn value(&self) -> Value {
        Value::Number(*self)
    }
}

impl Figure for bool {
    fn value(&self) -> Value {
        Value::Flag(*self)
    }
}

/// In seconds.
impl Figure for Duration {
    fn value(&self) -> Value {
        Value::Number(self.as_secs_f64())
    }
}

impl Figure for Vec<String> {
    fn value(&self) -> Value {
        Value::List(self.clone())
    }
}

/// Its name.
impl Figure for Box<Fact> {
    fn value(&self) -> Value {
        Value::Text(self.name().to_owned())
    }
}

impl<T: Figure> Figure for Option<T> {
    fn value(&self) -> Value {
        if let Some(figure) = self { figure.value() } else { Value::Nothing }
    }
}

/// The location of a saved failure that no longer fails, which determines whether it is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(hidden)]
pub enum Kept {
    /// Local, in `.forall/`: it is deleted.
    Local,
    /// Committed, in `forall-regressions/`.
    Committed,
    /// Local, where another property has the same name.
    Shared,
    /// In a shared corpus, in `FORALL_CORPUS`.
    Corpus,
}

impl Figure for Kept {
    fn value(&self) -> Value {
        Value::Text(
            match self {
                Kept::Local => "local",
                Kept::Committed => "committed",
                Kept::Shared => "shared",
                Kept::Corpus => "corpus",
            }
            .to_owned(),
        )
    }
}
