//! Laws of collecting: `FromIterator` and `Extend`.

use super::{holds, same};
use crate::generate::{Generator, vec};
use crate::property::{Empty, Outcome, Property, Telescope};
use std::fmt::Debug;

/// Checks that `FromIterator` and `Extend` agree: collecting some items and extending by others equals collecting all
/// of them, at once or one by one, and extending by nothing changes nothing. The generator produces the items.
///
/// ```
/// use forall::{laws, prelude::*};
/// use std::collections::BTreeSet;
/// forall::check("sets are extended", &laws::extend::<BTreeSet<u8>, _>(any::<u8>()));
/// ```
pub fn extend<C, G>(items: G) -> impl Property
where
    G: Generator<Value: Clone + Debug>,
    C: FromIterator<G::Value> + Extend<G::Value> + PartialEq + Debug,
{
    Empty.forall("items", move |(), source| (source.draw(vec(&items)), source.draw(vec(&items)))).check(
        |((first, then), ())| {
            let all: C = first.iter().chain(then).cloned().collect();
            let mut extended: C = first.iter().cloned().collect();
            extended.extend(Vec::new());
            let untouched: C = first.iter().cloned().collect();
            holds!(
                same(&extended, &untouched),
                "ExtendByNothing",
                "extending by no items changes the collection",
                "items" = first,
                "before" = untouched,
                "after" = extended
            );
            extended.extend(then.iter().cloned());
            holds!(
                same(&extended, &all),
                "Extend",
                "collecting `first` and extending by `then` differs from collecting both",
                "first" = first,
                "then" = then,
                "extended" = extended,
                "collected" = all
            );
            let mut one_by_one = untouched;
            for item in then {
                one_by_one.extend([item.clone()]);
            }
            holds!(
                same(&one_by_one, &all),
                "ExtendOneByOne",
                "extending by `then` one by one differs from extending at once",
                "first" = first,
                "then" = then,
                "one by one" = one_by_one,
                "at once" = all
            );
            Outcome::Pass
        },
    )
}
