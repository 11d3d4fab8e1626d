//! Laws of equality, order and hash.

use super::{few, holds};
use crate::generate::Generator;
use crate::property::{Empty, Outcome, Property, Telescope};
use std::cmp::Ordering;
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Checks that `==` is an equivalence (reflexive, symmetric, transitive), and that `!=` is its negation.
///
/// For types that are `PartialEq` but not `Eq`, such as those that contain floats, use [`partial_eq`].
///
/// ```
/// use forall::{laws, prelude::*};
/// forall::check("equality of texts", &laws::eq(any::<Option<String>>()));
/// ```
pub fn eq<G: Generator<Value: PartialEq + Debug>>(generator: G) -> impl Property {
    Empty.forall("values", move |(), source| few(&generator, source)).check(|(values, ())| {
        for a in values {
            let equal = PartialEq::eq(a, a);
            holds!(equal, "Reflexivity", "not a == a", "a" = a);
        }
        equality(values)
    })
}

/// Checks that `==` is symmetric and transitive, and that `!=` is its negation: the laws of every `PartialEq`,
/// including those with values that equal nothing.
///
/// ```
/// use forall::{laws, prelude::*};
/// forall::check("equality of numbers", &laws::partial_eq(any::<f64>()));
/// ```
pub fn partial_eq<G: Generator<Value: PartialEq + Debug>>(generator: G) -> impl Property {
    Empty.forall("values", move |(), source| few(&generator, source)).check(|(values, ())| equality(values))
}

fn equality<T: PartialEq + Debug>(values: &[T]) -> Outcome {
    for a in values {
        for b in values {
            let equal = a == b;
            holds!(equal == (b == a), "Symmetry", "a == b is {equal}, and b == a is not", "a" = a, "b" = b);
            holds!(equal != (a != b), "Negation", "a == b and a != b are both {equal}", "a" = a, "b" = b);
            if !equal {
                continue;
            }
            for c in values {
                let next = b == c;
                holds!(!next || a == c, "Transitivity", "a == b and b == c, but not a == c", "a" = a, "b" = b, "c" = c);
            }
        }
    }
    Outcome::Pass
}

/// Checks that `cmp` is a total order that agrees with `==`, `partial_cmp` and `<`, `<=`, `>`, `>=`.
///
/// ```
/// use forall::{laws, prelude::*};
/// forall::check("order of texts", &laws::ord(any::<(String, u8)>()));
/// ```
pub fn ord<G: Generator<Value: Ord + Debug>>(generator: G) -> impl Property {
    Empty.forall("values", move |(), source| few(&generator, source)).check(|(values, ())| {
        for a in values {
            for b in values {
                let (ours, theirs) = (a.cmp(b), b.cmp(a));
                holds!(
                    ours == theirs.reverse(),
                    "Antisymmetry",
                    "a.cmp(b) is {ours:?}, and b.cmp(a) is {theirs:?}",
                    "a" = a,
                    "b" = b
                );
                let partial = a.partial_cmp(b);
                holds!(
                    partial == Some(ours),
                    "PartialOrder",
                    "a.cmp(b) is {ours:?}, and a.partial_cmp(b) is {partial:?}",
                    "a" = a,
                    "b" = b
                );
            }
        }
        order(values)
    })
}

/// Checks that `partial_cmp` is an order that agrees with `==` and with `<`, `<=`, `>`, `>=`. Values may be
/// incomparable.
///
/// ```
/// use forall::{laws, prelude::*};
/// forall::check("order of numbers", &laws::partial_ord(any::<f64>()));
/// ```
pub fn partial_ord<G: Generator<Value: PartialOrd + Debug>>(generator: G) -> impl Property {
    Empty.forall("values", move |(), source| few(&generator, source)).check(|(values, ())| order(values))
}

fn order<T: PartialOrd + Debug>(values: &[T]) -> Outcome {
    for a in values {
        for b in values {
            let ordering = a.partial_cmp(b);
            holds!(
                ordering == b.partial_cmp(a).map(Ordering::reverse),
                "Duality",
                "a.partial_cmp(b) is {ordering:?}, and b.partial_cmp(a) is not the reverse",
                "a" = a,
                "b" = b
            );
            holds!(
                (ordering == Some(Ordering::Equal)) == (a == b),
                "EqualityAgrees",
                "a.partial_cmp(b) is {ordering:?}, but `a == b` disagrees",
                "a" = a,
                "b" = b
            );
            let [less, greater] = [Ordering::Less, Ordering::Greater].map(|wanted| ordering == Some(wanted));
            let equal = ordering == Some(Ordering::Equal);
            let expected = [less, less || equal, greater, greater || equal];
            let operators = [a < b, a <= b, a > b, a >= b];
            holds!(
                operators == expected,
                "OperatorsAgree",
                "a.partial_cmp(b) is {ordering:?}, and [a < b, a <= b, a > b, a >= b] is {operators:?}",
                "a" = a,
                "b" = b
            );
            for c in values {
                let (next, both) = (b.partial_cmp(c), a.partial_cmp(c));
                let transitive = !less || next != Some(Ordering::Less) || both == Some(Ordering::Less);
                holds!(transitive, "Transitivity", "a < b and b < c, but not a < c", "a" = a, "b" = b, "c" = c);
                holds!(
                    !equal || both == next,
                    "Transitivity",
                    "a and b are equal, but a.partial_cmp(c) is {both:?} and b.partial_cmp(c) is {next:?}",
                    "a" = a,
                    "b" = b,
                    "c" = c
                );
            }
        }
    }
    Outcome::Pass
}

/// Checks that equal values have equal hashes.
///
/// ```
/// use forall::{laws, prelude::*};
/// forall::check("hash of texts", &laws::hash(any::<Vec<char>>()));
/// ```
pub fn hash<G: Generator<Value: PartialEq + Hash + Debug>>(generator: G) -> impl Property {
    Empty.forall("values", move |(), source| few(&generator, source)).check(|(values, ())| {
        for (index, a) in values.iter().enumerate() {
            for b in &values[index..] {
                let equal = a == b;
                let agree = !equal || hashed(a) == hashed(b);
                holds!(agree, "HashAgrees", "a == b, but their hashes differ", "a" = a, "b" = b);
            }
        }
        Outcome::Pass
    })
}

fn hashed<T: Hash>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
