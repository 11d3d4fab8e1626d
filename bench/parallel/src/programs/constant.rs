//! Nothing is generated and nothing is checked: what is left is the loop.

use forall::prelude::*;
use forall::property::Property;

pub fn property() -> Box<dyn Property + Sync> {
    Box::new(property! { forall nothing: (); check matches!(nothing, ()) })
}
