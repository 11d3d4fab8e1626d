//! jemalloc through its control interface, `mallctl`.
//!
//! Points of interest:
//!
//! - The model has no addresses. It has the *control knobs*, and the expected contents of eight slots: filling a slot again
//!   turns the previous block into garbage.
//! - Knobs have legal values and illegal ones, which must be rejected. Their initial values are read from the variable that configures jemalloc, so that the
//!   tests pass under any configuration; clean-up restores every knob, so that the next test starts in the state of its model.
//! - Blocks are allocated when the test is generated ([`Command::Store`]) and when it runs ([`Command::Allocate`]), with sizes that
//!   are powers of two; and are freed by another thread ([`Command::FreeElsewhere`]).
//! - A memory limit changes which responses are legal: without it a block of gigabytes must be allocated, with it the allocation may fail.
//! - One specification, two generators: [`JemallocSpec`] allocates, frees and reads, [`Controlled`] also sets the knobs.

mod control;

use control::{Arena, Block};
use forall::Arbitrary;
use forall::choice::Source;
use forall::generate::{Code, elements, frequency, from_fn};
use forall::machine::{Commands, Generated, Shared, Spec};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

pub use control::{Knob, Prepared, Refused, Statistics};

/// The number of slots.
pub const SLOTS: usize = 8;

/// A command to jemalloc.
#[derive(Arbitrary, Clone, Debug, PartialEq)]
pub enum Command {
    /// Stores a block that was allocated when this command was generated.
    Store(usize, Prepared),
    /// Allocates a block of this size, filled with this byte, in the test's own arena.
    Allocate(usize, usize, u8),
    /// Allocates a block at an address that is a multiple of its size.
    AllocateAligned(usize, usize),
    /// Resizes the block in a slot.
    Resize(usize, usize),
    /// Frees the block in a slot.
    Free(usize),
    /// Frees it on another thread.
    FreeElsewhere(usize),
    /// Checks the contents of the block in a slot.
    Read(usize),
    /// Allocates gigabytes, and frees them untouched.
    AllocateHuge,
    /// Reads the allocator's statistics.
    Statistics,
    /// Reads a knob.
    Get(Knob),
    /// Sets a knob.
    Set(Knob, i64),
    /// Sets or removes a limit on the memory of the process.
    Limit(bool),
    /// Returns unused pages of the test's arena to the system.
    Purge,
    /// The same for pages that were unused for long enough.
    Decay,
    /// Flushes the cache of this thread.
    FlushCache,
}

/// A response.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// Done.
    Done,
    /// Out of memory.
    OutOfMemory,
    /// To `Read`: the size, and the byte if all are the same.
    Contents(Option<(usize, Option<u8>)>),
    /// To `Get`.
    Value(i64),
    /// To `Set`.
    Set(Result<(), Refused>),
    /// To `Statistics`.
    Statistics(Statistics),
}

/// The model: the contents of the slots, and the values of the knobs.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    slots: [Option<(usize, u8)>; SLOTS],
    knobs: [i64; Knob::ALL.len()],
    limited: bool,
}

/// The slots, and the test's own arena.
#[derive(Debug)]
pub struct Memory {
    slots: [Mutex<Option<Block>>; SLOTS],
    arena: Arena,
}

/// A thread that frees the blocks sent to it.
static ELSEWHERE: LazyLock<Sender<Block>> = LazyLock::new(|| {
    let (sender, blocks) = channel::<Block>();
    std::thread::spawn(move || blocks.into_iter().for_each(drop));
    sender
});

/// The specification. Its commands allocate, free and read.
#[derive(Clone, Copy, Debug, Default)]
pub struct JemallocSpec;

/// The specification with a generator that also sets knobs.
pub type Controlled = Generated<JemallocSpec, WithControl>;

/// See [`Controlled`].
#[derive(Clone, Copy, Debug)]
pub struct WithControl;

impl Commands<JemallocSpec> for WithControl {
    fn generate(spec: &JemallocSpec, _: Option<usize>, model: &Model, source: &mut Source) -> Command {
        source.draw(frequency![
            2 => from_fn(|source: &mut Source| spec.generate(model, source)),
            1 => from_fn(control_command),
        ])
    }
}

/// A power of two, and sometimes one more or less: the boundaries of size classes.
fn size(source: &mut Source) -> usize {
    let power = 1usize << source.draw(0..=16u32);
    match source.choice(7) {
        6 => power + 1,
        7 => power - 1,
        _ => power,
    }
}

fn control_command(source: &mut Source) -> Command {
    match source.choice(4) {
        0 => Command::Purge,
        1 => Command::Decay,
        2 => Command::FlushCache,
        3 => Command::Limit(source.choice(1) == 1),
        _ => {
            let knob = source.draw(elements(Knob::ALL));
            Command::Set(knob, source.draw(elements(knob.values_to_try())))
        }
    }
}

impl Spec for JemallocSpec {
    type Command = Command;
    type Model = Model;
    type System = Arc<Memory>;
    type Response = Response;

    fn model(&self) -> Model {
        Model { slots: [None; SLOTS], knobs: Knob::ALL.map(Knob::at_start), limited: false }
    }

    fn generate(&self, _: &Model, source: &mut Source) -> Command {
        let slot = source.draw(0..SLOTS);
        match source.choice(9) {
            0 => Command::Read(slot),
            1 => Command::Free(slot),
            2 => Command::FreeElsewhere(slot),
            3 | 4 => Command::Allocate(slot, size(source), source.draw(0..=255)),
            5 => Command::Store(slot, Prepared::new(size(source), source.draw(0..=255))),
            6 => Command::AllocateAligned(slot, size(source).next_power_of_two()),
            7 => Command::Resize(slot, size(source).max(1)),
            8 => Command::Get(source.draw(elements(Knob::ALL))),
            _ if source.choice(3) == 3 => Command::AllocateHuge,
            _ => Command::Statistics,
        }
    }

    fn next(&self, model: &mut Model, command: &Command) {
        match command {
            Command::Store(slot, prepared) => model.slots[*slot] = Some(prepared.contents()),
            // An empty block has no fill byte.
            Command::Allocate(slot, size, byte) => {
                model.slots[*slot] = Some((*size, if *size > 0 { *byte } else { 0 }))
            }
            Command::AllocateAligned(slot, size) => model.slots[*slot] = Some((*size, 0)),
            Command::Resize(slot, size) => {
                if let Some((before, _)) = &mut model.slots[*slot] {
                    *before = *size;
                }
            }
            Command::Free(slot) | Command::FreeElsewhere(slot) => model.slots[*slot] = None,
            Command::Set(knob, value) if knob.is_legal(*value) => model.knobs[*knob as usize] = *value,
            Command::Limit(limited) => model.limited = *limited,
            _ => {}
        }
    }

    fn system(&self) -> Arc<Memory> {
        Arc::new(Memory { slots: Default::default(), arena: Arena::create() })
    }

    fn run(&self, memory: &mut Arc<Memory>, command: &Command) -> Response {
        match command {
            Command::Store(slot, prepared) => memory.fill(*slot, Block::prepared(prepared)),
            Command::Allocate(slot, size, byte) => memory.fill(*slot, memory.arena.allocate(*size, *byte)),
            Command::AllocateAligned(slot, size) => memory.fill(*slot, memory.arena.allocate_aligned(*size)),
            Command::Resize(slot, size) => match memory.slot(*slot).as_mut().is_none_or(|block| block.resize(*size)) {
                true => Response::Done,
                false => Response::OutOfMemory,
            },
            Command::Free(slot) => {
                drop(memory.slot(*slot).take());
                Response::Done
            }
            Command::FreeElsewhere(slot) => {
                if let Some(block) = memory.slot(*slot).take() {
                    // If the thread has ended, the block is freed here, which is fine.
                    drop(ELSEWHERE.send(block));
                }
                Response::Done
            }
            Command::Read(slot) => Response::Contents(memory.slot(*slot).as_ref().map(Block::contents)),
            Command::AllocateHuge => match memory.arena.allocate_huge() {
                true => Response::Done,
                false => Response::OutOfMemory,
            },
            Command::Statistics => Response::Statistics(Statistics::now()),
            Command::Get(knob) => Response::Value(knob.get(&memory.arena)),
            Command::Set(knob, value) => Response::Set(knob.set(&memory.arena, *value)),
            Command::Limit(limited) => {
                control::limit_memory(*limited);
                Response::Done
            }
            Command::Purge => {
                memory.arena.purge();
                Response::Done
            }
            Command::Decay => {
                memory.arena.decay();
                Response::Done
            }
            Command::FlushCache => {
                control::flush_cache();
                Response::Done
            }
        }
    }

    fn postcondition(&self, model: &Model, command: &Command, response: &Response) -> bool {
        match (command, response) {
            (Command::Read(slot), Response::Contents(contents)) => {
                // An empty block has no fill byte, and neither has a block whose fill byte is unknown.
                let expected = model.slots[*slot].map(|(size, byte)| (size, (size > 0).then_some(byte)));
                *contents == expected
            }
            // Freed address space may be reused even above the limit.
            (Command::AllocateHuge, Response::Done) => true,
            (Command::AllocateHuge, Response::OutOfMemory) => model.limited,
            (Command::Get(knob), Response::Value(value)) => *value == model.knobs[*knob as usize],
            (Command::Set(knob, value), Response::Set(set)) => set.is_ok() == knob.is_legal(*value),
            (Command::Statistics, Response::Statistics(statistics)) => statistics.make_sense(),
            (_, Response::Done) => true,
            _ => false,
        }
    }

    fn expected(&self, model: &Model, command: &Command) -> Option<String> {
        match command {
            Command::Read(slot) => Some(format!("{:?}", model.slots[*slot])),
            Command::Get(knob) => Some(model.knobs[*knob as usize].to_string()),
            _ => None,
        }
    }

    fn cleanup(&self, memory: Arc<Memory>) -> Result<(), String> {
        for knob in Knob::ALL {
            let start = knob.at_start();
            knob.set(&memory.arena, start).map_err(|Refused| format!("{knob:?} cannot be turned back to {start}"))?;
        }
        control::limit_memory(false);
        Ok(())
    }

    fn code(&self, command: &Command) -> Option<String> {
        Code::of(command)
    }
}

impl Shared for JemallocSpec {
    fn share(&self, memory: &mut Arc<Memory>) -> Arc<Memory> {
        Arc::clone(memory)
    }
}

impl Memory {
    fn slot(&self, slot: usize) -> MutexGuard<'_, Option<Block>> {
        self.slots[slot].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores a block in a slot; the previous one becomes garbage.
    fn fill(&self, slot: usize, block: Option<Block>) -> Response {
        match block {
            Some(block) => {
                *self.slot(slot) = Some(block);
                Response::Done
            }
            None => Response::OutOfMemory,
        }
    }
}
