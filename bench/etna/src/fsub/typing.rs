//! The type checker. It shifts and substitutes with the code under test, so most bugs affect it as well.

use super::reduce::{shift_type, substitute_in_type};
use super::syntax::{Entry, Term, Type};

/// The work limit of a check. With some mutants the checker would not terminate: terms that exceed the limit count as
/// ill-typed.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The maximum nesting depth of promotions and subtyping.
    pub depth: u32,
    /// The maximum number of promotions and subtyping steps.
    pub steps: u32,
}

/// Checks terms in an environment, the innermost entry last.
struct Checker {
    environment: Vec<Entry>,
    effort: Effort,
}

/// Returns the type of a closed term, if it has one.
pub fn type_of(term: &Term, effort: Effort) -> Option<Type> {
    Checker { environment: Vec::new(), effort }.type_of(term)
}

/// Returns whether a closed term has this type or a subtype of it.
pub fn has_type(term: &Term, ty: &Type, effort: Effort) -> bool {
    let mut checker = Checker { environment: Vec::new(), effort };
    checker.type_of(term).is_some_and(|found| checker.is_subtype(effort.depth, &found, ty))
}

impl Checker {
    fn type_of(&mut self, term: &Term) -> Option<Type> {
        let depth = self.effort.depth;
        match term {
            Term::Var(index) => {
                let ty = self.variable(*index)?;
                self.is_environment_well_formed().then_some(ty)
            }
            Term::Abs(ty, body) => {
                let result = self.within(Entry::Variable(ty.clone()), |checker| checker.type_of(body))?;
                Some(Type::fun(ty.clone(), result))
            }
            Term::App(function, argument) => {
                let function = self.type_of(function)?;
                let Type::Fun(expected, result) = self.promoted(depth, function)? else { return None };
                let argument = self.type_of(argument)?;
                self.is_subtype(depth, &argument, &expected).then_some(*result)
            }
            Term::TypeAbs(bound, body) => {
                let body = self.within(Entry::Bound(bound.clone()), |checker| checker.type_of(body))?;
                Some(Type::all(bound.clone(), body))
            }
            Term::TypeApp(body, ty) => {
                let body = self.type_of(body)?;
                let Type::All(bound, body) = self.promoted(depth, body)? else { return None };
                self.is_subtype(depth, ty, &bound).then(|| substitute_in_type(&body, 0, ty))
            }
        }
    }

    /// Returns the result of `check` with an additional entry.
    fn within<T>(&mut self, entry: Entry, check: impl FnOnce(&mut Self) -> T) -> T {
        self.environment.push(entry);
        let checked = check(self);
        self.environment.pop();
        checked
    }

    /// Returns a type; for a variable, its bound, promoted as well.
    fn promoted(&mut self, depth: u32, ty: Type) -> Option<Type> {
        self.work(depth)?;
        if !self.is_environment_well_formed() || !self.is_well_formed(&ty) {
            return None;
        }
        match ty {
            Type::Var(index) => {
                let bound = self.bound(index)?;
                self.promoted(depth - 1, bound)
            }
            ty => Some(ty),
        }
    }

    fn is_subtype(&mut self, depth: u32, lower: &Type, upper: &Type) -> bool {
        if self.work(depth).is_none() {
            return false;
        }
        match (lower, upper) {
            (_, Type::Top) => self.is_environment_well_formed() && self.is_well_formed(lower),
            (Type::Var(_), _) if lower == upper => self.is_environment_well_formed() && self.is_well_formed(lower),
            (Type::Var(index), _) => match self.bound(*index) {
                Some(bound) => self.is_subtype(depth - 1, &bound, upper),
                None => false,
            },
            (Type::Fun(a, b), Type::Fun(c, d)) => self.is_subtype(depth - 1, c, a) && self.is_subtype(depth - 1, b, d),
            (Type::All(a, b), Type::All(c, d)) => {
                self.is_subtype(depth - 1, c, a)
                    && self.within(Entry::Bound((**c).clone()), |checker| checker.is_subtype(depth - 1, b, d))
            }
            _ => false,
        }
    }

    /// Counts one step; `None` if a limit is exceeded.
    fn work(&mut self, depth: u32) -> Option<()> {
        self.effort.steps = self.effort.steps.checked_sub(1)?;
        (depth > 0).then_some(())
    }

    /// Returns the type of a variable, in the whole environment.
    fn variable(&self, mut index: i32) -> Option<Type> {
        let mut binders = 0;
        for entry in self.environment.iter().rev() {
            match entry {
                Entry::Bound(_) => binders += 1,
                Entry::Variable(ty) if index == 0 => return Some(lifted(ty, binders)),
                Entry::Variable(_) => index -= 1,
            }
        }
        None
    }

    /// Returns the bound of a type variable, in the whole environment.
    fn bound(&self, mut index: i32) -> Option<Type> {
        let mut binders = 0;
        for entry in self.environment.iter().rev() {
            if let Entry::Bound(bound) = entry {
                binders += 1;
                if index == 0 {
                    return Some(lifted(bound, binders));
                }
                index -= 1;
            }
        }
        None
    }

    fn is_well_formed(&self, ty: &Type) -> bool {
        is_bound(self.environment.iter().filter(|entry| matches!(entry, Entry::Bound(_))).count(), ty)
    }

    fn is_environment_well_formed(&self) -> bool {
        let mut binders = 0;
        self.environment.iter().all(|entry| match entry {
            Entry::Variable(ty) => is_bound(binders, ty),
            Entry::Bound(ty) => {
                binders += 1;
                is_bound(binders - 1, ty)
            }
        })
    }
}

/// Returns a type, lifted under this many type binders.
fn lifted(ty: &Type, binders: u32) -> Type {
    (0..binders).fold(ty.clone(), |ty, _| shift_type(0, &ty))
}

/// Returns whether all variables of a type are below the number of binders.
fn is_bound(binders: usize, ty: &Type) -> bool {
    match ty {
        Type::Top => true,
        Type::Var(index) => usize::try_from(*index).is_ok_and(|index| index < binders),
        Type::Fun(argument, result) => is_bound(binders, argument) && is_bound(binders, result),
        Type::All(bound, body) => is_bound(binders, bound) && is_bound(binders + 1, body),
    }
}
