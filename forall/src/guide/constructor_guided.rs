//! The constructor-guided runner: a search for valid inputs of new forms.

use crate::guide::guided;
use crate::guide::{Guide, Interactions, Observed, shape};
use crate::run::runners::Named;
use crate::run::{Report, Session};

inventory::submit! { Named { learns: true, ..Named::new("constructors", constructor_guided) } }

/// The number of constructors in a combination, each nested somewhere inside the one before it.
const STRENGTH: u32 = 4;

/// A runner guided by the structure of valid inputs: which constructors occur together, and which numbers are equal. It
/// keeps inputs of new forms and mutates the rarest first.
///
/// This is `runner = "constructors"`. Use it for preconditions that hardly any generated input satisfies except small
/// ones, such as sorted trees and well-typed programs, without a dedicated generator. It uses only the choices of the
/// generators.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Run, Settings, Store, Verdict};
/// use forall::guide::constructor_guided;
///
/// #[derive(Arbitrary, Debug)]
/// enum Term { Zero, Successor(Box<Term>), IsZero(Box<Term>), If(Box<Term>, Box<Term>, Box<Term>) }
/// #[derive(PartialEq)]
/// enum Type { Number, Truth }
/// fn type_of(term: &Term) -> Option<Type> {
///     match term {
///         Term::Zero => Some(Type::Number),
///         Term::Successor(n) => type_of(n).filter(|ty| *ty == Type::Number),
///         Term::IsZero(n) => type_of(n).filter(|ty| *ty == Type::Number).map(|_| Type::Truth),
///         Term::If(test, yes, no) => {
///             type_of(test).filter(|ty| *ty == Type::Truth)?;
///             type_of(yes).filter(|ty| type_of(no).as_ref() == Some(ty))
///         }
///     }
/// }
/// fn branches(term: &Term) -> u32 {
///     match term {
///         Term::Zero => 0,
///         Term::Successor(inner) | Term::IsZero(inner) => branches(inner),
///         Term::If(test, yes, no) => 1 + branches(test) + branches(yes) + branches(no),
///     }
/// }
///
/// // Well-typed terms are rare, and random generation practically never produces one with four conditionals.
/// let property = property! { forall term: Term; implies type_of(term).is_some(); check branches(term) < 4 };
/// let settings = Settings::new().tests(10_000).seed(1).store(Store::Off);
/// let session = Run::new("few branches", &property).settings(settings).session().unwrap();
/// assert_eq!(constructor_guided(session).verdict, Verdict::Failed);
/// ```
pub fn constructor_guided(session: Session<'_>) -> Report {
    let mut interactions = Interactions::new(STRENGTH);
    let meetings = move |test: &Observed<'_>, met: &mut Vec<u64>| interactions.of(&test.case.sequence, met);
    let shapes = |test: &Observed<'_>, features: &mut Vec<u64>| features.push(shape(&test.case.sequence));
    guided(session, &mut [Guide::elites(meetings), Guide::elites(shapes)])
}
