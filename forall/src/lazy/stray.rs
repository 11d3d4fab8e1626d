//! Reports properties that do not read the same parts of the same input in each run.

use super::block::ROOT;
use super::remarks::short_name;
use super::signal::Signal;
use super::trail::{GONE, Search};
use super::variables::search_of;
use crate::fact::Fact;
use crate::property::Property;
use crate::property::walk::Walk;

/// Where a run diverged from the trail.
#[derive(Clone, Copy, Debug)]
pub(super) enum Strayed {
    /// While reading a variable, given by its index.
    Variable(usize),
    /// Inside the quantifier over this variable, of this type.
    Inside(&'static str, &'static str),
}

impl Search {
    /// The cells of the next variable begin here.
    pub(super) fn begin_variable(&self, block: usize, ordinal: u32) {
        self.blocks.borrow_mut()[block].variables.push(ordinal);
    }

    /// Sets the quantifier that a block belongs to.
    pub(super) fn name_block(&self, block: usize, variable: &'static str, of_type: &'static str) {
        self.blocks.borrow_mut()[block].quantifier = (variable, of_type);
    }

    /// Whether the trail of a nested quantifier must be restarted because a path diverged from it. That is the case if
    /// something was decided in an enclosing block since it began: a connective may no longer need what it needed
    /// before. Otherwise the property is nondeterministic.
    pub(super) fn restarts(&self, number: usize) -> bool {
        let blocks = &mut *self.blocks.borrow_mut();
        let (outer, inner) = blocks.split_at_mut(number);
        let block = &mut inner[0];
        let around = outer.iter().map(|block| block.decisions.len()).sum();
        let strays = block.strayed || block.next < block.trail.len();
        if !strays || around == block.around {
            return false;
        }
        block.trail.clear();
        (block.strayed, block.around, block.epoch) = (false, around, GONE);
        true
    }

    /// Ends the search, because the property diverged from the trail of a block.
    #[cold]
    pub(super) fn stray(&self, block: usize) -> ! {
        let place = match block {
            0 => self.variable_read().map(Strayed::Variable),
            _ => {
                let (variable, of_type) = self.blocks.borrow()[block].quantifier;
                Some(Strayed::Inside(variable, of_type))
            }
        };
        self.strayed.replace(place);
        self.raise(Signal::Strayed);
    }

    /// The variable that was read last, if it was drawn from its type.
    fn variable_read(&self) -> Option<usize> {
        let block = &self.blocks.borrow()[0];
        let mut decision = block.decisions.last()?;
        while decision.parent != ROOT {
            decision = block.decisions.get(decision.parent as usize)?;
        }
        block.variables.iter().rposition(|first| *first <= decision.ordinal)
    }
}

impl Walk<'_> {
    /// Where the property diverged, as a phrase for a message.
    pub(super) fn strayed_at(&self, property: &dyn Property) -> Fact {
        let (mut named, mut inside) = (None, None);
        match *search_of(self.search).strayed.borrow() {
            Some(Strayed::Variable(variable)) => {
                named = property.outline().quantifiers.get(variable).map(|quantifier| quantifier.name.to_owned());
            }
            Some(Strayed::Inside(variable, of_type)) => {
                let colon = if variable.is_empty() { "" } else { ": " };
                inside = Some(format!("{variable}{colon}{}", short_name(of_type)));
            }
            None => {}
        }
        Fact::SearchStrayed { variable: named, quantifier: inside }
    }
}
