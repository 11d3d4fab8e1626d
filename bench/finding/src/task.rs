//! Tasks: declared by the area modules, each in one half of the comparison.

use crate::{Plan, Search, Tool};

/// The version that a property tests: with the bug, or fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    Present,
    Fixed,
}

/// The half of a task: generators are tuned on one half, and evaluated on the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    Tuned,
    HeldOut,
}

impl Half {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tuned => "tuned",
            Self::HeldOut => "held-out",
        }
    }
}

/// A bug, with the property that it breaks. Declared by [`tasks!`](crate::tasks).
pub struct Task {
    pub area: &'static str,
    pub name: &'static str,
    /// Returns whether the property holds for the input that shows the bug.
    pub witness: fn(Bug) -> Option<bool>,
    /// Runs a tool's search for a counterexample.
    pub search: fn(Tool, Bug, &Plan) -> Search,
}

impl Task {
    /// Returns the half of this task: halves alternate in the alphabetical order of each area, so that both have
    /// equally many tasks of each kind.
    pub fn half(&self) -> Half {
        let before = all().filter(|other| other.area == self.area && other.name < self.name).count();
        if before % 2 == 0 { Half::Tuned } else { Half::HeldOut }
    }
}

/// Returns the tasks of all areas.
pub fn all() -> impl Iterator<Item = &'static Task> {
    let own = [crate::parsers::TASKS, crate::dates::TASKS, crate::caches::TASKS, crate::encoders::TASKS];
    let others = [crate::trees::TASKS, crate::arithmetic::TASKS, crate::text::TASKS, crate::graphs::TASKS];
    own.into_iter().chain(others).flatten()
}

/// Declares the tasks of an area, and their modules: `tasks! { "area"; task(argument: Type, …); … }`.
///
/// Each tool is given only the types, so that its own generators are compared.
#[macro_export]
macro_rules! tasks {
    ($area:literal; $($name:ident($($argument:ident: $type:ty),+);)*) => {
        $(pub mod $name;)*

        /// The tasks of this area.
        pub const TASKS: &[$crate::Task] = &[$($crate::Task {
            area: $area,
            name: stringify!($name),
            witness: |bug| {
                let ($($argument,)+): ($($type,)+) = $name::witness();
                $crate::Trial::start().test(|| $name::holds(bug, $(&$argument),+))
            },
            search: |tool, bug, plan| match tool {
                $crate::Tool::Forall => {
                    let trial = $crate::Trial::start();
                    let property = $crate::private::property! {
                        $(forall $argument: $type;)+
                        check $crate::tools::forall::outcome(trial.test(|| $name::holds(bug, $($argument),+)))
                    };
                    $crate::tools::forall::search(stringify!($name), &property, plan);
                    trial.end()
                }
                $crate::Tool::Proptest => {
                    $crate::tools::proptest::search(plan, |($($argument,)+): &($($type,)+)| $name::holds(bug, $($argument),+))
                }
                $crate::Tool::Quickcheck => {
                    $crate::tools::quickcheck::search(plan, move |($($argument,)+): &($($type,)+)| $name::holds(bug, $($argument),+))
                }
                $crate::Tool::Hegel => {
                    $crate::tools::hegel::search(plan, |($($argument,)+): &($($type,)+)| $name::holds(bug, $($argument),+))
                }
            },
        }),*];
    };
}
