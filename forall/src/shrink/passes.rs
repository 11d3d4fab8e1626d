//! The passes on choices, and the order in which they run.
//!
//! A pass is a function that proposes candidates to the gate. Passes run until each has run without getting anywhere
//! since the last improvement, so the result is one that none of them can improve: a simultaneous fixed point. What is
//! bold and cheap comes first, since everything that it removes need not be looked at by the others. After each round the
//! passes that got somewhere move to the front: an input that could be improved in one way can often be improved so again.

use super::search::Search;
use super::squares;
use super::{
    branches, carry, commands, counts, descend, elements, every, exchange, fold, indices, join, loops, lower, near,
    offset, order, pairs, permute, plain, raise, runs, sides, sieve, signs, simplify, small, together, trees,
};

/// A pass, and its name in the story.
pub(super) type Named = (&'static str, fn(&mut Search<'_>));

pub(super) const PASSES: [Named; 31] = [
    ("simplest of all", simplify::everything),
    ("all numbers to zero", simplify::numbers),
    ("simplest parts", simplify::parts),
    ("subtrees for trees", descend::descend),
    ("elements as their sum", fold::fold),
    ("fewer outermost elements", elements::outermost),
    ("joined collections", join::join),
    ("fewer elements", elements::rough),
    ("fewer and larger elements", raise::raise),
    ("lengths", counts::lengths),
    ("fewer iterations", loops::loops),
    ("long runs", runs::long),
    ("plain characters", plain::plain),
    ("many numbers to zero", simplify::halves),
    ("lower numbers", lower::each),
    ("equal numbers together", lower::equal),
    ("many numbers sorted", order::numbers),
    ("neighbours as their sum", fold::neighbours),
    ("differences kept", pairs::differences),
    ("sums kept", pairs::sums),
    ("elements and their indices", indices::indices),
    ("elements one by one", elements::each),
    ("elements of collections alike", together::alike),
    ("elements of two collections", together::together),
    ("elements and a count", counts::counts),
    ("numbers of parts to zero", simplify::numbers_of_parts),
    ("divided collections", join::divide),
    ("sorted", order::sort),
    ("moved subtrees", trees::trees),
    ("subtrees from deeper down", descend::deeper),
    ("simpler branches", branches::branches),
];

/// The last resorts: what they propose rarely helps, so they run when nothing else gets anywhere.
pub(super) const LAST: &[Named] = &[
    ("notable floats", small::floats),
    ("numbers moved together", offset::offset),
    ("numbers near each other", near::near),
    ("elements moved on", join::move_on),
    ("other signs", signs::signs),
    ("neighbours together", elements::neighbours),
    ("rows and columns", squares::squares),
    ("squares of loops", sides::sides),
    ("fewer commands", commands::commands),
    ("joined iterations", join::iterations),
    ("iterations of loops alike", together::iterations),
    ("sorted iterations", order::iterations),
    ("exchanged values", exchange::exchange),
    ("exchanged ends", exchange::ends),
    ("uneven iterations", loops::uneven),
    ("shorter branches", branches::shorter),
    ("forks for forks", branches::forks),
    ("iterations and a count", counts::iterations),
    ("fewer inversions", permute::permute),
    (TIGHT, lower::tight),
    ("one lower, all behind at most", carry::carry),
    ("small numbers", small::small),
    ("runs that begin alike", runs::alike),
    ("runs of choices", runs::runs),
    ("rejected attempts", sieve::attempts),
    ("past rejected numbers", sieve::numbers),
    ("past rejected pairs", sieve::pairs),
    ("every simpler input", every::every),
];

/// The only last resort whose candidates are retried if the failure is flaky: it is the other half of "lower numbers".
const TIGHT: &str = "lower tight numbers";

/// After so many rounds in which something was gained the last resorts run all the same: the gains may be single steps of
/// a long way that they would shorten.
const ROUNDS: u32 = 4;

impl Search<'_> {
    /// Runs all passes until none gets anywhere. Whether any did.
    pub(super) fn shrink_choices(&mut self) -> bool {
        self.run_passes(PASSES.to_vec(), LAST)
    }

    pub(super) fn run_passes(&mut self, mut passes: Vec<Named>, last: &[Named]) -> bool {
        let before = self.accepted();
        let mut rounds = 0;
        loop {
            let (mut fruitful, mut stale) = (Vec::new(), Vec::new());
            for (place, &(name, pass)) in passes.iter().enumerate() {
                // If nothing more is gained, the last resorts come next; else those first that gained something.
                let then = if fruitful.is_empty() { last } else { &fruitful };
                self.begin_journal(|| [&passes[place..], then].concat());
                let gained = self.run_pass((name, pass));
                if gained > 0 { &mut fruitful } else { &mut stale }.push((name, pass));
                if !self.may_go_on() {
                    return self.accepted() > before;
                }
            }
            rounds += 1;
            if fruitful.is_empty() || rounds % ROUNDS == 0 {
                let mut gained = 0;
                for (place, &pass) in last.iter().enumerate() {
                    self.begin_journal(|| last[place..].to_vec());
                    self.scans = pass.0 != TIGHT;
                    gained += self.run_pass(pass);
                    self.scans = false;
                }
                if gained == 0 && fruitful.is_empty() {
                    return self.accepted() > before;
                }
            }
            fruitful.extend_from_slice(&stale);
            passes = fruitful;
        }
    }

    /// How often a pass found a better case.
    fn run_pass(&mut self, (name, pass): Named) -> u64 {
        let before = self.accepted();
        self.begin(name);
        pass(self);
        self.end_journal();
        self.accepted() - before
    }
}
