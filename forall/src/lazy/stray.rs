//! Properties that do not look at the same parts of the same input each time they run: where that was noticed.

use super::block::ROOT;
use super::remarks::short_name;
use super::signal::Signal;
use super::trail::{GONE, Search};
use super::variables::search_of;
use crate::property::Property;
use crate::property::walk::Walk;

/// Where a property did not go as the trail says.
#[derive(Clone, Copy, Debug)]
pub(super) enum Strayed {
    /// While it looked at a variable, by number.
    Variable(usize),
    /// Inside of the quantifier with this variable, of this type.
    Inside(&'static str, &'static str),
}

impl Search {
    /// The cells of the next variable begin here.
    pub(super) fn begin_variable(&self, block: usize, ordinal: u32) {
        self.blocks.borrow_mut()[block].variables.push(ordinal);
    }

    /// The quantifier that a block is of.
    pub(super) fn name_block(&self, block: usize, variable: &'static str, of_type: &'static str) {
        self.blocks.borrow_mut()[block].quantifier = (variable, of_type);
    }

    /// Whether the trail of a quantifier inside must be begun again, because a path on it did not go as it says. That is so if
    /// something around the quantifier was decided since it began: a connective may do without what it needed before. Where
    /// nothing was, it is the property that strays.
    pub(super) fn begins_again(&self, number: usize) -> bool {
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

    /// Ends the search: the property does not go as the trail of a block says.
    #[cold]
    pub(super) fn stray(&self, block: usize) -> ! {
        let place = match block {
            0 => self.variable_looked_at().map(Strayed::Variable),
            _ => {
                let (variable, of_type) = self.blocks.borrow()[block].quantifier;
                Some(Strayed::Inside(variable, of_type))
            }
        };
        self.strayed.replace(place);
        self.raise(Signal::Strayed);
    }

    /// The variable that was looked at last, if it was drawn by its type.
    fn variable_looked_at(&self) -> Option<usize> {
        let block = &self.blocks.borrow()[0];
        let mut decision = block.decisions.last()?;
        while decision.parent != ROOT {
            decision = block.decisions.get(decision.parent as usize)?;
        }
        block.variables.iter().rposition(|first| *first <= decision.ordinal)
    }
}

impl Walk<'_> {
    /// Where the property strayed, to stand in a sentence.
    pub(super) fn strayed_at(&self, property: &dyn Property) -> String {
        match *search_of(self.search).strayed.borrow() {
            Some(Strayed::Variable(variable)) => match property.outline().quantifiers.get(variable) {
                Some(quantifier) => format!(" (noticed when it had looked at `{}`)", quantifier.name),
                None => String::new(),
            },
            Some(Strayed::Inside(variable, of_type)) => {
                let colon = if variable.is_empty() { "" } else { ": " };
                let of_type = short_name(of_type);
                format!(" (noticed inside of the quantifier over `{variable}{colon}{of_type}`)")
            }
            None => String::new(),
        }
    }
}
