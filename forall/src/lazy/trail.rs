//! The state of a search: which choices lead to where it is, and which come next.
//!
//! A search runs a property on one path after the other. What a path is made of stands on a *trail*, in the order in which
//! cells were forced; the next path has the last choice advanced that can be. A block of like quantifiers has one trail; a
//! quantifier inside of the property opens another block, and what it forces of an outer block goes on the outer trail.
//!
//! # Taking back
//!
//! From one path to the next most cells stay as they are. So the values are kept, and the cells that were decided after the
//! choice that is advanced are *emptied*: what is in them is dropped while the values around them stay. That is sound if
//! nobody has a reference into such a cell, which is so because
//!
//! - cells are emptied between evaluations only. A body sees its environment through a reference whose lifetime it cannot
//!   name, so no reference into the environment outlives the call;
//! - a cell has no other owner than the environment: each clone of a cell that is alive is counted (`clones.rs`), and while
//!   there is one, nothing is emptied;
//! - the environment cannot be taken apart through a shared reference: that needs a part with interior or shared ownership,
//!   and those who make such parts, or whose parts we do not know, say so ([`Series::opaque`](super::Series::opaque));
//! - cells of earlier environments cannot be forced, and so do not come to the trail: they are of another epoch.
//!
//! Where one of these does not hold, the environment is dropped and made again, by the choices on the trail.

use super::buildable::Buildable;
use super::clones::{begin_counting, has_no_clones};
use super::pins::{FREE, Pins};
use super::remarks::Remark;
use super::signal::Signal;
use super::stray::Strayed;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ptr;

thread_local! {
    /// The search that runs on this thread, if one does.
    static CURRENT: Cell<*const Search> = const { Cell::new(ptr::null()) };
    /// The number of the last environment.
    static EPOCH: Cell<u32> = const { Cell::new(0) };
}

/// The number of alternatives of a choice that was made elsewhere, until it is made here.
const UNKNOWN: u32 = u32::MAX;

/// What made a choice or a cell when no cell was being decided: the making of the environment.
pub(crate) const ROOT: u32 = u32::MAX;

/// Where a cell comes from, and how deep its value may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seed {
    /// The environment it belongs to.
    pub(crate) epoch: u32,
    /// The decision that made it, by its place on the trail, and its place among those that this decision made.
    pub(crate) parent: u32,
    pub(crate) ordinal: u32,
    pub(crate) depth: u16,
    pub(crate) block: u16,
}

/// A search.
pub(crate) struct Search {
    pub(super) blocks: RefCell<Vec<Block>>,
    /// Calls of bodies, those of inner quantifiers included.
    pub(super) evaluations: Cell<u64>,
    /// How many there may be before `is_over` is asked again, and at all.
    pub(super) pause: Cell<u64>,
    pub(super) limit: Cell<u64>,
    pub(super) is_over: Box<dyn Fn() -> bool>,
    /// The variables that were drawn by their types, and how many values they have together.
    pub(super) typed: Cell<u32>,
    pub(super) space: Cell<f64>,
    /// How many deferred cells this evaluation may still force.
    pub(super) fuel: Cell<u64>,
    /// While a counterexample is shown: cells are decided as they are made if they stand on the trail, and else never.
    pub(super) frozen: Cell<bool>,
    /// Whether anyone wants to know of cells that are made.
    pub(super) watches: Cell<bool>,
    /// While a connective tries whether a side can be decided as it is: how many cells may be decided for that.
    pub(super) allowance: Cell<Option<u32>>,
    /// And of which blocks: those that were open when it began.
    pub(super) guarded: Cell<usize>,
    /// Which types have no value, by the function that counts their values, and the depth.
    pub(super) empty: RefCell<HashMap<(usize, u32), bool>>,
    /// Which constructors can be built, by their list and the depth.
    pub(super) buildable: RefCell<Vec<Buildable>>,
    /// What quantifiers inside say, if anyone listens, and whether one wants its witnesses to be shown.
    pub(super) remarks: RefCell<Option<Vec<Remark>>>,
    pub(super) asks: Cell<bool>,
    /// Where the property did not go as the trail says.
    pub(super) strayed: RefCell<Option<Strayed>>,
    /// Where the stack was when the search began.
    base: Cell<usize>,
}

/// The quantifiers that share a trail.
pub(super) struct Block {
    pub(super) epoch: u32,
    pub(super) depth: u32,
    pub(super) trail: Vec<Choice>,
    /// So many choices at its beginning are given, and not advanced: a part of a search has them.
    pub(super) given: usize,
    /// The next choice to be made: before the end of the trail it is made as it stands there.
    pub(super) next: usize,
    pub(super) decisions: Vec<Decision>,
    /// The decision that is being made, or [`ROOT`].
    pub(super) open: u32,
    /// Whether the environment can be taken back.
    pub(super) plain: bool,
    /// How many cells were made for the decision that is being made, or the environment, other than by a series.
    pub(super) made: u32,
    /// Something did not go as the trail says.
    pub(super) strayed: bool,
    /// While a counterexample is widened: what is decided already, and how many choices of the decision that is being made, or
    /// of the environment, were taken from there.
    pub(super) pins: Option<Pins>,
    pub(super) pinned: u32,
    /// Where the cells of each variable that is drawn by its type begin.
    pub(super) variables: Vec<u32>,
    /// Of a quantifier inside: its variable and the type of that.
    pub(super) quantifier: (&'static str, &'static str),
    /// Where it matters: the cells that were made, by what made them, and how many values they can have.
    pub(super) undecided: Option<Vec<(u32, u32, f64)>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) value: u32,
    pub(super) max: u32,
    /// The decision it belongs to, or [`ROOT`].
    pub(super) owner: u32,
}

/// A cell that was decided.
#[derive(Clone, Copy)]
pub(super) struct Decision {
    pub(super) cell: *const (),
    pub(super) empty: unsafe fn(*const ()),
    /// Its first choice.
    pub(super) start: u32,
    /// The decision in whose making this one was made, or itself.
    pub(super) outermost: u32,
    pub(super) parent: u32,
    pub(super) ordinal: u32,
    /// While a counterexample is widened: its pin.
    pub(super) pin: u32,
}

/// How a search goes on after a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// With the environment as it is now.
    Resume,
    /// With a new environment.
    Rebuild,
    /// Not at all: all paths were seen.
    Done,
}

/// The deferred cells that one evaluation may force: more than a structure has that fits a bounded search, and reached within
/// a second where there is no end, also without optimisation.
const FUEL: u64 = 1 << 20;

/// And the stack that it may take for that, in bytes: half of what a thread of the test harness has. Functions that recur along
/// an endless structure come to the end of the stack before they come to the end of the fuel.
const STACK: usize = 1 << 20;

/// About where the stack is.
#[inline(never)]
fn stack_pointer() -> usize {
    let here = 0u8;
    &raw const here as usize
}

/// Evaluations between two looks at the clock.
const PAUSE: u64 = 1 << 12;

/// The number of another environment. None comes again: a cell that someone kept would be taken for one of a later one.
pub(super) fn next_epoch() -> u32 {
    let epoch = EPOCH.get().wrapping_add(1);
    if epoch == 0 {
        Signal::Spent.unwind();
    }
    EPOCH.set(epoch);
    epoch
}

/// Runs `body` with the search that runs on this thread, if one does.
#[inline]
pub(crate) fn with_current<R>(body: impl FnOnce(Option<&Search>) -> R) -> R {
    let current = CURRENT.get();
    // SAFETY: it is set for the duration of `Search::enter` only, which borrows the search, and reset however that ends.
    body(unsafe { current.as_ref() })
}

/// Whether a search runs on this thread.
pub(crate) fn is_searching() -> bool {
    !CURRENT.get().is_null()
}

/// Restores what was current, however a search is left.
struct Restore(*const Search);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

impl Search {
    /// A search that makes at most `limit` evaluations, and stops when `is_over` says so, which is asked now and then.
    pub(crate) fn new(limit: u64, is_over: impl Fn() -> bool + 'static) -> Self {
        Self {
            blocks: RefCell::default(),
            evaluations: Cell::new(0),
            pause: Cell::new(limit.min(PAUSE)),
            limit: Cell::new(limit),
            is_over: Box::new(is_over),
            typed: Cell::new(0),
            space: Cell::new(1.0),
            fuel: Cell::new(FUEL),
            frozen: Cell::new(false),
            watches: Cell::new(false),
            allowance: Cell::new(None),
            guarded: Cell::new(0),
            empty: RefCell::default(),
            buildable: RefCell::default(),
            remarks: RefCell::default(),
            asks: Cell::new(false),
            strayed: RefCell::default(),
            base: Cell::new(0),
        }
    }

    /// Makes this the search of the thread while `body` runs.
    pub(crate) fn enter<R>(&self, body: impl FnOnce() -> R) -> R {
        let _restore = Restore(CURRENT.replace(self));
        self.base.set(stack_pointer());
        body()
    }

    pub(crate) fn evaluations(&self) -> u64 {
        self.evaluations.get()
    }

    /// Counts an evaluation, before it begins.
    #[inline]
    pub(crate) fn begin_evaluation(&self) {
        let made = self.evaluations.get();
        if made >= self.pause.get() {
            self.look_up(made);
        }
        self.evaluations.set(made + 1);
        self.fuel.set(FUEL);
    }

    #[cold]
    fn look_up(&self, made: u64) {
        if made >= self.limit.get() || (self.is_over)() {
            Signal::Spent.unwind();
        }
        self.pause.set(self.limit.get().min(made + PAUSE));
    }

    /// A variable is drawn by its type, which has so many values.
    pub(crate) fn count_variable(&self, values: impl FnOnce() -> f64) {
        self.typed.set(self.typed.get() + 1);
        // Asked for once: when the search begins.
        if self.evaluations.get() == 0 {
            self.space.set(self.space.get() * values());
        }
    }

    /// How many variables were drawn by their types so far, and how many values they have together.
    pub(crate) fn variables(&self) -> (u32, f64) {
        (self.typed.get(), self.space.get())
    }

    /// Counts a deferred cell that is forced.
    pub(crate) fn burn(&self) {
        let left = self.fuel.get();
        if left == 0 || self.base.get().abs_diff(stack_pointer()) > STACK {
            Signal::Endless.unwind();
        }
        self.fuel.set(left - 1);
    }

    /// A quantifier inside wants its witnesses to be shown.
    pub(super) fn ask_for_witnesses(&self) {
        self.asks.set(true);
    }

    /// Whether one does.
    pub(crate) fn asks_for_witnesses(&self) -> bool {
        self.asks.get()
    }

    /// Runs `body` in a block of its own, to `depth`. Blocks lie in each other.
    pub(crate) fn in_block<R>(&self, depth: u32, body: impl FnOnce(usize) -> R) -> R {
        struct Close<'a>(&'a Search);
        impl Drop for Close<'_> {
            fn drop(&mut self) {
                // Not dropped while borrowed: it owns nothing that belongs to users.
                self.0.blocks.borrow_mut().pop();
            }
        }
        let number = {
            let mut blocks = self.blocks.borrow_mut();
            blocks.push(Block::new(depth));
            blocks.len() - 1
        };
        let _close = Close(self);
        body(number)
    }

    /// The depth of the innermost block.
    pub(crate) fn inherited_depth(&self) -> u32 {
        self.blocks.borrow().last().map_or(0, |block| block.depth)
    }

    /// The number of the innermost block.
    pub(crate) fn innermost(&self) -> usize {
        self.blocks.borrow().len().saturating_sub(1)
    }

    /// Begins an environment: the choices on the trail are made again from the first.
    pub(crate) fn begin_environment(&self, block: usize) -> u32 {
        let epoch = next_epoch();
        begin_counting(block, epoch);
        let block = &mut self.blocks.borrow_mut()[block];
        (block.epoch, block.next, block.open) = (epoch, 0, ROOT);
        (block.plain, block.made, block.pinned) = (true, 0, 0);
        block.decisions.clear();
        block.variables.clear();
        if let Some(undecided) = &mut block.undecided {
            undecided.clear();
        }
        epoch
    }

    /// Runs `body`, which makes an environment that no path is taken in.
    pub(crate) fn try_out<R>(&self, block: usize, body: impl FnOnce() -> R) -> R {
        self.begin_environment(block);
        let value = body();
        let block = &mut self.blocks.borrow_mut()[block];
        *block = Block::new(block.depth);
        value
    }

    /// The environment that is being made in a block.
    pub(crate) fn epoch(&self, block: usize) -> u32 {
        self.blocks.borrow()[block].epoch
    }

    /// The decision that is being made in a block, or [`ROOT`].
    pub(crate) fn owner(&self, block: usize) -> u32 {
        self.blocks.borrow()[block].open
    }

    /// Changes the number of cells that were made other than by a series; gives the one before.
    pub(crate) fn count_made(&self, block: usize, change: impl FnOnce(u32) -> u32) -> u32 {
        let made = &mut self.blocks.borrow_mut()[block].made;
        let before = *made;
        *made = change(before);
        before
    }

    /// The environment cannot be taken back.
    pub(crate) fn make_opaque(&self, block: usize) {
        self.blocks.borrow_mut()[block].plain = false;
    }

    /// One of `count` alternatives, by its number.
    #[inline]
    pub(crate) fn choose(&self, block: usize, count: u32) -> u32 {
        if count <= 1 {
            return 0;
        }
        let block = &mut self.blocks.borrow_mut()[block];
        let max = count - 1;
        if self.frozen.get() {
            // What was decided in between belongs to cells, which look it up themselves.
            while block.trail.get(block.next).is_some_and(|choice| choice.owner != block.open) {
                block.next += 1;
            }
            block.next += 1;
            return block.trail.get(block.next - 1).map_or(0, |choice| choice.value.min(max));
        }
        if let Some(pins) = &block.pins {
            let pin = block.decisions.get(block.open as usize).map_or(ROOT, |decision| decision.pin);
            if let Some(value) = pins.choice(pin, block.pinned) {
                block.pinned += 1;
                return value.min(max);
            }
        }
        if let Some(choice) = block.trail.get_mut(block.next) {
            block.next += 1;
            if choice.max == UNKNOWN {
                (choice.max, choice.owner) = (max, block.open);
            }
            if choice.max == max {
                return choice.value;
            }
            block.strayed = true;
            return choice.value.min(max);
        }
        block.trail.push(Choice { value: 0, max, owner: block.open });
        block.next += 1;
        0
    }

    /// The next path.
    pub(crate) fn advance(&self, number: usize, keeps: bool) -> Next {
        let target = {
            let mut blocks = self.blocks.borrow_mut();
            let block = &mut blocks[number];
            if block.next < block.trail.len() {
                block.strayed = true;
            }
            if block.strayed {
                drop(blocks);
                self.stray(number);
            }
            loop {
                if block.trail.len() <= block.given {
                    return Next::Done;
                }
                match block.trail.last_mut() {
                    None => return Next::Done,
                    Some(last) if last.value < last.max => {
                        last.value += 1;
                        break block.decisions.get(last.owner as usize).map_or(ROOT, |decision| decision.outermost);
                    }
                    Some(_) => {
                        block.trail.pop();
                    }
                }
            }
        };
        if target == ROOT || !keeps || !self.can_take_back(number) {
            return Next::Rebuild;
        }
        // While parts of the environment are dropped, nothing can be forced.
        let _restore = Restore(CURRENT.replace(ptr::null()));
        loop {
            let mut blocks = self.blocks.borrow_mut();
            let block = &mut blocks[number];
            if block.decisions.len() <= target as usize {
                return Next::Resume;
            }
            let Some(decision) = block.decisions.pop() else { return Next::Rebuild };
            block.next = decision.start as usize;
            block.open = ROOT;
            drop(blocks);
            // SAFETY: see the module's documentation. The cell is alive, since the environment that it was decided in is, and
            // cells that it holds come before it here.
            unsafe { (decision.empty)(decision.cell) };
        }
    }

    /// Begins a part of a search: the paths that begin with these choices.
    pub(super) fn begin_part(&self, block: usize, beginning: &[u32]) {
        let block = &mut self.blocks.borrow_mut()[block];
        block.trail = beginning.iter().map(|&value| Choice { value, max: UNKNOWN, owner: ROOT }).collect();
        block.given = beginning.len();
    }

    /// The choices of the path, each with the largest that it could have been.
    pub(super) fn choices(&self, block: usize) -> Vec<(u32, u32)> {
        let mut choices = Vec::new();
        for choice in &self.blocks.borrow()[block].trail {
            choices.push((choice.value, choice.max));
        }
        choices
    }

    /// The choices of the path.
    pub(super) fn path(&self, block: usize) -> Vec<u32> {
        self.blocks.borrow()[block].trail.iter().map(|choice| choice.value).collect()
    }

    /// What is left of a part whose search stopped before a path: that path, and all that come after it.
    pub(super) fn parts_left(&self, block: usize) -> Vec<Vec<u32>> {
        let path = self.path(block);
        let block = &self.blocks.borrow()[block];
        let mut parts = vec![path.clone()];
        for place in block.given..path.len() {
            for value in path[place] + 1..=block.trail[place].max {
                let mut beginning = path[..place].to_vec();
                beginning.push(value);
                parts.push(beginning);
            }
        }
        parts
    }

    fn can_take_back(&self, block: usize) -> bool {
        let blocks = self.blocks.borrow();
        blocks[block].plain && has_no_clones(block, blocks[block].epoch)
    }

    /// Begins to decide a cell. None if it must stay open.
    pub(crate) fn begin_decision(&self, seed: &Seed, cell: *const (), empty: unsafe fn(*const ())) -> Option<Open<'_>> {
        let number = usize::from(seed.block);
        let mut blocks = self.blocks.borrow_mut();
        let block = blocks.get_mut(number).filter(|block| block.epoch == seed.epoch)?;
        let (before, resume) = (block.open, self.frozen.get().then_some(block.next));
        if self.frozen.get() {
            let known = |old: &Decision| old.parent == seed.parent && old.ordinal == seed.ordinal;
            let index = block.decisions.iter().position(known)?;
            block.next = block.decisions[index].start as usize;
            block.open = index as u32;
        } else {
            if let Some(allowance) = self.allowance.get()
                && block.next >= block.trail.len()
                && number < self.guarded.get()
            {
                match allowance.checked_sub(1) {
                    Some(left) => self.allowance.set(Some(left)),
                    None => {
                        drop(blocks);
                        Signal::Undecided.unwind();
                    }
                }
            }
            let (start, index) = (block.next as u32, block.decisions.len() as u32);
            let outermost = block.decisions.get(before as usize).map_or(index, |outer| outer.outermost);
            let Seed { parent, ordinal, .. } = *seed;
            let pin = block.pins.as_ref().map_or(FREE, |pins| {
                let above = block.decisions.get(parent as usize).map_or(ROOT, |decision| decision.pin);
                pins.of_cell(above, ordinal)
            });
            block.decisions.push(Decision { cell, empty, start, outermost, parent, ordinal, pin });
            block.open = index;
        }
        let (made, pinned) = (std::mem::take(&mut block.made), std::mem::take(&mut block.pinned));
        Some(Open { search: self, block: number, index: block.open, before, made, pinned, resume })
    }
}

impl Block {
    pub(super) fn new(depth: u32) -> Self {
        Self {
            epoch: 0,
            depth,
            trail: Vec::new(),
            given: 0,
            next: 0,
            decisions: Vec::new(),
            open: ROOT,
            plain: true,
            made: 0,
            strayed: false,
            pins: None,
            pinned: 0,
            variables: Vec::new(),
            quantifier: ("", ""),
            undecided: None,
        }
    }
}

/// A decision under way.
pub(crate) struct Open<'a> {
    pub(crate) search: &'a Search,
    pub(crate) block: usize,
    pub(crate) index: u32,
    /// The decision in whose making it is made.
    before: u32,
    made: u32,
    pinned: u32,
    /// While a counterexample is shown: where the environment goes on.
    resume: Option<usize>,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if let Some(block) = self.search.blocks.borrow_mut().get_mut(self.block) {
            (block.open, block.made, block.pinned) = (self.before, self.made, self.pinned);
            if let Some(next) = self.resume {
                block.next = next;
            }
        }
    }
}
