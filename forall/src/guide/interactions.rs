//! Interactions between the constructors of an input, which combinatorial testing covers.
//!
//! The idea is that of Goldstein, Hughes, Lampropoulos and Pierce ("Do Judge a Test by its Cover"): bugs occur where a
//! few constructors meet, one somewhere below the other, so a test suite should cover all combinations of *t* of them.

use super::printed::{Token, Tokens};
use super::{Novelty, Observed};
use crate::choice::{Enclosing, Sequence, constructor, leave};
use crate::generate::{ELEMENT, FIXED_ELEMENT};
use crate::hash::Fnv;
use crate::property::Binding;

/// The interactions of an input: chains of up to *t* constructors, each somewhere below the one before it.
///
/// They are computed from the choices, so they are available for every generator whose parts are
/// [spans](crate::choice::Source::span): a part of the input is a constructor, identified by its kind and by its first
/// choice with few alternatives. Or they are computed from printed values ([`of_values`](Self::of_values)).
///
/// ```
/// use forall::prelude::*;
/// use forall::guide::Interactions;
/// use forall::run::Tester;
/// # #[allow(dead_code)]
/// #[derive(Arbitrary, Debug)]
/// enum Tree { Leaf, Node(Box<Tree>, Box<Tree>) }
/// let property = property! { forall tree: Tree; check true };
/// let tester = Tester::new("trees", &property, 7);
/// let (mut interactions, mut met) = (Interactions::new(2), Vec::new());
/// for index in 0..20 {
///     interactions.of(&tester.choices(index, 20), &mut met);
/// }
/// met.sort();
/// met.dedup();
/// assert!(met.len() > 4, "leaf, node, and their nestings on the left and on the right");
/// ```
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Interactions {
    strength: u32,
    path: Vec<Enclosing>,
}

/// A choice with a greater maximum is a number, not a constructor.
pub(super) const FEW: u64 = 31;

/// The number of enclosing levels to consider: in a list of a thousand elements, everything is far below everything
/// else.
const DEPTH: usize = 16;

/// Children from this index on are treated alike.
const CHILDREN: u64 = 3;

impl Interactions {
    /// Creates interactions of up to `strength` constructors; 2 finds most; the maximum, 4, pays off if many inputs are
    /// discarded.
    ///
    /// ```
    /// # use forall::{choice::Sequence, guide::Interactions};
    /// let mut met = Vec::new();
    /// Interactions::new(2).of(&Sequence::default(), &mut met);
    /// assert!(met.is_empty());
    /// ```
    pub fn new(strength: u32) -> Self {
        Self { strength: strength.clamp(1, 4), path: Vec::new() }
    }

    /// Adds the interactions of an input to `met`, as hashes.
    ///
    /// ```
    /// # use forall::{choice::Source, generate::any, guide::Interactions};
    /// let mut source = Source::record(7, 0, 100);
    /// source.span(5, |source| source.draw(any::<bool>()));
    /// let mut met = Vec::new();
    /// Interactions::new(2).of(&source.into_sequence(), &mut met);
    /// assert_eq!(met.len(), 1);
    /// ```
    pub fn of(&mut self, input: &Sequence, met: &mut Vec<u64>) {
        self.path.clear();
        for (place, span) in input.spans.iter().enumerate() {
            // Elements are not constructors themselves; their contents are.
            if span.label == ELEMENT || span.label == FIXED_ELEMENT {
                continue;
            }
            leave(&mut self.path, span.start);
            let constructor = constructor(input, place, span, FEW);
            self.meet(constructor, met);
            self.path.push(Enclosing::new(constructor, span.end));
        }
    }

    /// Adds the interactions of values to `met`, as hashes. Names and brackets in the text are read as constructors and
    /// their contents; a small number is a constructor, and all large numbers count as equal.
    ///
    /// Printing a value takes longer than reading its choices, and shows more: constructors of values from functions
    /// without spans, or of computed values.
    ///
    /// ```
    /// use forall::prelude::*;
    /// use forall::guide::Interactions;
    /// use forall::run::Tester;
    /// // One choice, and no part that has parts.
    /// let pairs = from_fn(|source| { let n = source.draw(0..4u8); (Some(n), n % 2 == 0) });
    /// let property = property! { forall pair in &pairs; check pair.0.is_some() };
    /// let tester = Tester::new("pairs", &property, 7);
    /// let (mut interactions, mut met) = (Interactions::new(2), Vec::new());
    /// for index in 0..100 {
    ///     let (case, _) = tester.record(index, 20);
    ///     interactions.of_values(&tester.print(&case), &mut met);
    /// }
    /// met.sort();
    /// met.dedup();
    /// assert!(met.len() > 9, "the variable, a pair, `Some`, `true`, `false`, numbers; and which is inside which");
    /// ```
    #[doc(hidden)]
    pub fn of_values(&mut self, values: &[Binding], met: &mut Vec<u64>) {
        self.path.clear();
        for value in values {
            let name = Fnv::of(value.name);
            self.meet(name, met);
            self.path.push(Enclosing::new(name, 0));
            // Which of the open brackets belong to a constructor.
            let mut open = Vec::new();
            for token in Tokens::of(value.printed.text()) {
                match token {
                    Token::Constructor { name, opens } => {
                        self.meet(name, met);
                        if opens {
                            self.path.push(Enclosing::new(name, 0));
                            open.push(true);
                        }
                    }
                    Token::Call => open.push(false),
                    Token::Close => {
                        if open.pop() == Some(true) {
                            self.path.pop();
                        }
                    }
                }
            }
            self.path.clear();
        }
    }

    /// A constructor below those of the path.
    fn meet(&mut self, constructor: u64, met: &mut Vec<u64>) {
        if let Some(above) = self.path.last_mut() {
            above.children += 1;
        }
        met.push(constructor);
        chains(&self.path, constructor, self.strength - 1, met);
    }
}

/// Adds the chains of up to `more` constructors on the path that lead down to `below`.
fn chains(path: &[Enclosing], below: u64, more: u32, met: &mut Vec<u64>) {
    if more == 0 {
        return;
    }
    for at in (path.len().saturating_sub(DEPTH)..path.len()).rev() {
        let above = path[at];
        let chain = above.with(above.children.min(CHILDREN), below);
        met.push(chain);
        chains(&path[..at], chain, more - 1, met);
    }
}

impl Novelty<fn(&Observed<'_>, &mut Vec<u64>)> {
    /// Valid tests with new interactions are useful.
    ///
    /// ```
    /// use forall::guide::{Corpus, Guide, Interactions, Novelty};
    /// let guide = Guide::new(Novelty::of(Interactions::new(2)), Corpus::new());
    /// # let _ = guide;
    /// ```
    pub fn of(mut interactions: Interactions) -> Novelty<impl FnMut(&Observed<'_>, &mut Vec<u64>)> {
        Novelty::new(move |test: &Observed<'_>, met: &mut Vec<u64>| interactions.of(&test.case.sequence, met))
    }
}
