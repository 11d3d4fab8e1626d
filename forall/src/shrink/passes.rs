//! The passes on choices, and the order in which they run.
//!
//! A pass is a function that proposes candidates to the gate. Passes run until each has run without success since the
//! last improvement, so no pass can improve the result: a common fixed point. Passes that are bold and cheap come
//! first, so that the others need not process what those remove. After each round the passes that made progress move to
//! the front: an input that could be improved in one way can often be improved that way again.

use super::search::Search;
use super::squares;
use super::{
    branches, carry, commands, counts, descend, elements, every, exchange, fold, indices, join, loops, lower, near,
    offset, order, pairs, permute, plain, raise, runs, sides, sieve, signs, simplify, small, together, trees,
};

/// A pass, and its name in the story.
pub(super) type Named = (&'static str, fn(&mut Search<'_>));

pub(super) const PASSES: &[Named] = &[
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
    ("elements of equally long collections", together::equally_long),
    ("elements of two collections", together::together),
    ("elements and a count", counts::counts),
    ("numbers of parts to zero", simplify::numbers_of_parts),
    ("divided collections", join::divide),
    ("sorted", order::sort),
    ("moved subtrees", trees::trees),
    ("subtrees from deeper down", descend::deeper),
    ("simpler branches", branches::branches),
];

/// The last resorts: their candidates rarely fail, so they run once the other passes make no progress.
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
    ("iterations of equally long loops", together::iterations),
    ("sorted iterations", order::iterations),
    ("exchanged values", exchange::exchange),
    ("exchanged ends", exchange::ends),
    ("uneven iterations", loops::uneven),
    ("iterations traded for a number", loops::traded),
    ("shorter branches", branches::shorter),
    ("inner forks", branches::forks),
    ("iterations and a count", counts::iterations),
    ("fewer inversions", permute::permute),
    (TIGHT, lower::tight),
    ("decrement one, maximise the rest", carry::carry),
    ("small numbers", small::small),
    ("runs that begin alike", runs::alike),
    ("runs of choices", runs::runs),
    ("runs traded for a number", runs::traded),
    ("discarded draws", sieve::attempts),
    ("past rejected numbers", sieve::numbers),
    ("past rejected pairs", sieve::pairs),
    ("every simpler input", every::every),
];

/// Edits that are even rarer of use, before random candidates and counted with them.
pub(super) const RARE: &[Named] = &[
    ("runs and their amounts", runs::amounts),
    ("runs traded for a larger number", runs::traded_for_more),
    ("zeros first", runs::zeros_first),
    ("swapped runs", runs::swapped),
    ("repeated numbers and their sum", pairs::repeated),
    ("numbers and their exclusive or", pairs::exclusive),
    ("numbers and their product", pairs::products),
    ("halves and a number of bits", pairs::shifted),
    ("sums of distant numbers", pairs::far_sums),
    ("some of several equal numbers", lower::some_equal),
    ("elements given to others", fold::given),
    ("divided loops", join::divided_loops),
    ("references to smaller numbers", exchange::referred),
    ("mirrored numbers", exchange::mirrored),
    ("decrement one, maximise its kind", carry::kinds),
    ("decrement one, maximise the rest but one", carry::but_one),
    ("simpler branches with other contents", branches::others),
    ("moved commands", commands::moved),
    ("one command for two", commands::two_for_one),
    ("a shorter run of commands", commands::rewritten),
    ("every simpler shape", every::shapes),
];

/// The only last-resort pass whose candidates are retried for flaky failures: it is the second half of "lower numbers".
const TIGHT: &str = "lower tight numbers";

/// After this many rounds with progress the last resorts run anyway: they might shorten a long sequence of small steps.
const ROUNDS: u32 = 4;

impl Search<'_> {
    /// Runs all passes until none makes progress. Returns whether any did.
    pub(super) fn shrink_choices(&mut self) -> bool {
        self.run_passes(PASSES.to_vec(), LAST)
    }

    pub(super) fn run_passes(&mut self, mut passes: Vec<Named>, last: &[Named]) -> bool {
        let before = self.accepted();
        let mut rounds = 0;
        loop {
            let (mut fruitful, mut stale) = (Vec::new(), Vec::new());
            for (place, &(name, pass)) in passes.iter().enumerate() {
                // If nothing more was gained, the last resorts come next; otherwise the successful passes run first.
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

    /// Runs passes one after the other, up to the first that finds a better case. Returns whether one did.
    pub(super) fn run_rare(&mut self, passes: &[Named]) -> bool {
        self.at_random = true;
        self.scans = true;
        let found = passes.iter().any(|&pass| self.run_pass(pass) > 0);
        self.scans = false;
        self.at_random = false;
        found
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
