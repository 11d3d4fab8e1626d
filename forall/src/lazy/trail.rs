//! The state of a search: which choices lead to where it is, and which come next.
//!
//! A search runs a property on one path after the other. The choices of a path are recorded on a *trail*, in the order
//! in which cells were forced; the next path is obtained by advancing the last choice that can be advanced. A block of
//! adjacent quantifiers of the same kind has one trail; a nested quantifier opens another block, and the cells of an
//! outer block that it forces go on the outer trail.
//!
//! # Rolling back
//!
//! From one path to the next most cells stay as they are. The values are therefore kept, and the cells decided after
//! the advanced choice are *emptied*: their contents are dropped while the surrounding values stay. That is sound if
//! there are no references into such a cell, which is so because
//!
//! - cells are emptied between evaluations only. A body sees its environment through a reference whose lifetime it cannot
//!   name, so no reference into the environment outlives the call;
//! - a cell has no owner other than the environment: live clones are counted (`clones.rs`), and as long as there is
//!   one, nothing is emptied;
//! - the environment cannot be taken apart through a shared reference: that would require a part with interior
//!   mutability or shared ownership, and types with such parts, or with unknown parts, declare it (`Series::opaque`);
//! - cells of earlier environments cannot be forced, and so never reach the trail: they belong to another epoch.
//!
//! Where one of these does not hold, the environment is dropped and rebuilt from the choices on the trail.

use super::attempt::Attempt;
use super::block::{Block, Choice, ROOT, UNKNOWN};
use super::buildable::Buildable;
use super::cell::chain;
use super::clones::{begin_counting, has_no_clones};
use super::fuel::{FUEL, stack_pointer};
use super::pending::Pending;
use super::quota::Quota;
use super::remarks::Remark;
use super::signal::Signal;
use super::stray::Strayed;
use super::twin::Rejections;
use super::unique::Observed;
use crate::generate::series::Extent;
pub(super) use crate::generate::series::Next;
use std::cell::{Cell, RefCell};
use std::ptr;
use std::sync::Arc;

thread_local! {
    /// The search that runs on this thread, if one does.
    static CURRENT: Cell<*const Search> = const { Cell::new(ptr::null()) };
    /// The number of the last environment.
    static EPOCH: Cell<u32> = const { Cell::new(0) };
}

/// A search.
pub(crate) struct Search {
    pub(super) blocks: RefCell<Vec<Block>>,
    /// The number of calls of bodies, including those of nested quantifiers.
    pub(super) evaluations: Cell<u64>,
    /// The number of evaluations before `is_over` is checked again, and the maximum.
    pub(super) pause: Cell<u64>,
    pub(super) limit: Cell<u64>,
    /// The shared quota, if any, that provides more evaluations.
    pub(super) quota: Option<Arc<Quota>>,
    pub(super) is_over: Box<dyn Fn() -> bool>,
    /// The number of variables drawn from their types, and the size of their combined domain.
    pub(super) typed: Cell<u32>,
    pub(super) space: Cell<f64>,
    /// The number of deferred cells that this evaluation may still force.
    pub(super) fuel: Cell<u64>,
    /// While a counterexample is being printed: cells on the trail are decided when they are made, others never.
    pub(super) frozen: Cell<bool>,
    /// Whether the creation of cells is being tracked.
    pub(super) watches: Cell<bool>,
    /// The attempts of connectives in progress, outermost first.
    pub(super) attempts: RefCell<Vec<Attempt>>,
    /// The signal that unwinds through the property, or was caught by it.
    pub(super) pending: Cell<Option<Pending>>,
    /// Whether there is an attempt or a pending signal, so that a decision may be refused.
    pub(super) guarded: Cell<bool>,
    /// The number of values of types, as far as known.
    pub(super) extent: RefCell<Extent>,
    /// The same, capped at several, for uniqueness.
    pub(super) up_to_several: RefCell<Extent>,
    /// Which constructors can be built, by their list and the depth.
    pub(super) buildable: RefCell<Vec<Buildable>>,
    /// The remarks of nested quantifiers, if recorded, and whether one requested that its witnesses be shown.
    pub(super) remarks: RefCell<Option<Vec<Remark>>>,
    pub(super) asks: Cell<bool>,
    /// Whether the property has a nested quantifier.
    pub(super) nests: Cell<bool>,
    /// Set while the witnesses of `exists_unique` are being compared.
    pub(super) observed: Cell<Option<Observed>>,
    /// The values of nested quantifiers for which evaluation did not end, innermost first.
    pub(super) endless_for: RefCell<Vec<String>>,
    /// Where the property diverged from the trail.
    pub(super) strayed: RefCell<Option<Strayed>>,
    /// The inputs that preconditions of parameters with a twin rejected.
    pub(super) rejections: Rejections,
    /// Where the stack was when the search began.
    pub(super) base: Cell<usize>,
}

/// The epoch while the previous environment is being dropped: nothing can be decided in it.
pub(super) const GONE: u32 = 0;

/// Evaluations between two looks at the clock.
const PAUSE: u64 = 1 << 12;

/// The number of the next environment. Numbers are not reused: otherwise a cell that was kept would be mistaken for one
/// of a later environment.
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
    /// A search with at most `limit` evaluations, which stops when `is_over` returns true; that is checked now and
    /// then.
    pub(crate) fn new(limit: u64, is_over: impl Fn() -> bool + 'static) -> Self {
        Self {
            blocks: RefCell::default(),
            evaluations: Cell::new(0),
            pause: Cell::new(limit.min(PAUSE)),
            limit: Cell::new(limit),
            quota: None,
            is_over: Box::new(is_over),
            typed: Cell::new(0),
            space: Cell::new(1.0),
            fuel: Cell::new(FUEL),
            frozen: Cell::new(false),
            watches: Cell::new(false),
            attempts: RefCell::default(),
            pending: Cell::new(None),
            guarded: Cell::new(false),
            extent: RefCell::default(),
            up_to_several: RefCell::new(Extent::up_to_several()),
            buildable: RefCell::default(),
            remarks: RefCell::default(),
            asks: Cell::new(false),
            nests: Cell::new(false),
            observed: Cell::new(None),
            endless_for: RefCell::default(),
            strayed: RefCell::default(),
            rejections: Rejections::default(),
            base: Cell::new(0),
        }
    }

    /// Makes this the search of the thread while `body` runs.
    pub(crate) fn enter<R>(&self, body: impl FnOnce() -> R) -> R {
        let _restore = Restore(CURRENT.replace(self));
        self.base.set(stack_pointer());
        chain::in_search(body)
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
        if let Some(quota) = &self.quota
            && made >= self.limit.get()
        {
            self.limit.set(made + quota.claim());
        }
        if made >= self.limit.get() || (self.is_over)() {
            self.raise(Signal::Spent);
        }
        self.pause.set(self.limit.get().min(made + PAUSE));
    }

    /// Records a variable drawn from its type, which has this many values.
    pub(crate) fn count_variable(&self, values: impl FnOnce() -> f64) {
        self.typed.set(self.typed.get() + 1);
        // Computed once, when the search begins.
        if self.evaluations.get() == 0 {
            self.space.set(self.space.get() * values());
        }
    }

    /// Returns the number of variables drawn by their types so far, and the number of their combinations of values.
    pub(crate) fn variables(&self) -> (u32, f64) {
        (self.typed.get(), self.space.get())
    }

    /// A quantifier inside wants its witnesses to be shown.
    pub(super) fn ask_for_witnesses(&self) {
        self.asks.set(true);
    }

    /// Whether one does.
    pub(crate) fn asks_for_witnesses(&self) -> bool {
        self.asks.get()
    }

    /// Runs `body` in a new block of depth `depth`. Blocks are nested.
    pub(crate) fn in_block<R>(&self, depth: u32, body: impl FnOnce(usize) -> R) -> R {
        struct Close<'a>(&'a Search);
        impl Drop for Close<'_> {
            fn drop(&mut self) {
                // Not dropped while borrowed: it owns nothing that belongs to user code.
                self.0.blocks.borrow_mut().pop();
            }
        }
        let number = {
            let mut blocks = self.blocks.borrow_mut();
            let around = blocks.iter().map(|block| block.decisions.len()).sum();
            blocks.push(Block { around, ..Block::new(depth) });
            blocks.len() - 1
        };
        let _close = Close(self);
        body(number)
    }

    /// The depth of the innermost block.
    pub(crate) fn inherited_depth(&self) -> u32 {
        self.blocks.borrow().last().map_or(0, |block| block.depth)
    }

    /// The block of a choice that does not know its block: that of the cell being decided, or the innermost.
    pub(crate) fn innermost(&self) -> usize {
        let blocks = self.blocks.borrow();
        blocks.iter().rposition(|block| block.open != ROOT).unwrap_or(blocks.len().saturating_sub(1))
    }

    /// Begins an environment: replays the choices on the trail from the first.
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

    /// Runs `body`, which builds an environment in which no path is run.
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

    /// Changes the number of cells made outside of a series, and returns the old one.
    pub(crate) fn count_made(&self, block: usize, change: impl FnOnce(u32) -> u32) -> u32 {
        let made = &mut self.blocks.borrow_mut()[block].made;
        let before = *made;
        *made = change(before);
        before
    }

    /// Marks the environment as not able to be rolled back.
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
            // Choices of cells decided in between belong to those cells, which look them up themselves.
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
        let asked = block.asked();
        if let Some(choice) = block.trail.get_mut(block.next) {
            block.next += 1;
            if choice.max == UNKNOWN {
                (choice.max, choice.owner, choice.asked) = (max, block.open, asked);
            }
            if choice.max == max && choice.asked == asked {
                return choice.value;
            }
            block.strayed = true;
            return choice.value.min(max);
        }
        block.trail.push(Choice { value: 0, max, owner: block.open, asked });
        block.next += 1;
        0
    }

    /// The next path.
    pub(crate) fn advance(&self, number: usize, keeps: bool) -> Next {
        self.raise_again();
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
                    block.epoch = GONE;
                    return Next::Done;
                }
                match block.trail.last_mut() {
                    None => {
                        block.epoch = GONE;
                        return Next::Done;
                    }
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
            self.blocks.borrow_mut()[number].epoch = GONE;
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

    fn can_take_back(&self, block: usize) -> bool {
        let blocks = self.blocks.borrow();
        blocks[block].plain && has_no_clones(block, blocks[block].epoch)
    }
}
