//! The generators of pairs of states, one per strategy. None of them calls the code under test.
//!
//! The states of a pair must be indistinguishable to an observer, and two independently drawn states never are. So the
//! second is a *variation* of the first: observable parts are equal, and the others are drawn again.

use super::label::Label;
use super::machine::{Atom, Block, Call, Frame, Instruction, Memory, Operator, Pc, Pointer, REGISTERS, State, Value};
use super::observe::Observer;
use crate::Strategy;
use forall::prelude::*;

/// The generators of one strategy.
#[derive(Clone, Copy, Debug)]
pub struct Generators {
    /// Draws the first state.
    pub first: fn(&mut Source) -> State,
    /// Draws the second state.
    pub second: fn(Observer, &State, &mut Source) -> State,
}

/// The generators of a strategy; none if the machine has no such strategy.
pub fn generators(strategy: Strategy) -> Option<Generators> {
    match strategy {
        Strategy::Type => Some(Generators { first: derived, second: |_, _, source| derived(source) }),
        Strategy::Fuzzing => Some(Generators { first: derived, second: |_, first, source| nearly(first, source) }),
        Strategy::Specification => Some(Generators { first: derived, second: by_definition }),
        Strategy::Bespoke => Some(Generators { first: runnable, second: variation }),
        // No integers would be drawn differently than by the bespoke strategy.
        Strategy::Plain => None,
    }
}

/// Any state.
fn derived(source: &mut Source) -> State {
    source.draw(any())
}

/// A copy in which a few atoms differ. The observer rarely misses them all; runners that mutate their inputs can
/// improve on that.
fn nearly(state: &State, source: &mut Source) -> State {
    let mut copy = state.clone();
    let cells = copy.memory.frames.iter_mut().flatten().flat_map(|frame| &mut frame.cells);
    let saved = copy.stack.iter_mut().flat_map(|call| &mut call.saved);
    let is_another = frequency([(15, constant(false)), (1, constant(true))]);
    for atom in copy.registers.iter_mut().chain(cells).chain(saved) {
        if source.draw(&is_another) {
            *atom = source.draw(any());
        }
    }
    copy
}

/// An indistinguishable state by definition: everything that the observer does not see is arbitrary.
fn by_definition(observer: Observer, state: &State, source: &mut Source) -> State {
    Variation { observer, atom: |_, source| source.draw(any()) }.state(state, source)
}

// The bespoke generator.

/// The length of the program: one instruction, repeated for each address to jump to.
const CODE: i32 = 2;
/// The number of frames in memory, and of cells in each.
const FRAMES: usize = 2;
const CELLS: usize = 2;
/// The maximum of integers that are neither addresses nor offsets.
const INTEGERS: i32 = 7;

/// A state that can take a step.
fn runnable(source: &mut Source) -> State {
    let mut memory = Memory::default();
    memory.frames[Label::L as usize] = source.draw(vec(from_fn(frame)).len(FRAMES));
    let registers = registers(source);
    let stack = source.draw(vec(from_fn(call)).len(0..=1));
    let instruction = instruction(&registers, &stack, source);
    State { code: vec![instruction; CODE as usize], memory, stack, registers, pc: pc(source) }
}

fn pc(source: &mut Source) -> Pc {
    Pc { address: source.draw(0..CODE), label: source.draw(any()) }
}

fn frame(source: &mut Source) -> Frame {
    Frame { label: source.draw(any()), cells: source.draw(vec(from_fn(atom)).len(CELLS)) }
}

fn registers(source: &mut Source) -> Vec<Atom> {
    source.draw(vec(from_fn(atom)).len(REGISTERS.len()))
}

fn call(source: &mut Source) -> Call {
    Call { return_pc: pc(source), saved: registers(source), result: source.draw(REGISTERS), label: source.draw(any()) }
}

fn atom(source: &mut Source) -> Atom {
    let value = match source.draw(0..3u8) {
        0 => integer(source),
        1 => pointer(source),
        _ => Value::Label(source.draw(any())),
    };
    Atom { value, label: source.draw(any()) }
}

fn integer(source: &mut Source) -> Value {
    Value::Int(source.draw(frequency([(1, 0..=0), (10, 0..=CODE - 1), (10, -INTEGERS..=INTEGERS)])))
}

fn pointer(source: &mut Source) -> Value {
    let block = Block { index: source.draw(0..FRAMES), stamp: Label::L };
    Value::Pointer(Pointer { block, offset: source.draw(0..CELLS as i32) })
}

/// Draws an instruction whose operands have the right kind, if possible.
fn instruction(registers: &[Atom], stack: &[Call], source: &mut Source) -> Instruction {
    let holding = |wanted: fn(&Value) -> bool| -> Vec<usize> {
        REGISTERS.filter(|&register| wanted(&registers[register].value)).collect()
    };
    let pointers = holding(|value| matches!(value, Value::Pointer(_)));
    let integers = holding(|value| matches!(value, Value::Int(_)));
    let addresses = holding(|value| matches!(value, Value::Int(0..CODE)));
    let labels = holding(|value| matches!(value, Value::Label(_)));
    let if_any = |weight: u32, needed: &[&Vec<usize>]| if needed.iter().any(|one| one.is_empty()) { 0 } else { weight };
    let one_of = elements::<usize, &[usize]>;
    source.draw(frequency![
        1 => constant(Instruction::Nop),
        10 => from_fn(|source| Instruction::PcLab { to: source.draw(REGISTERS) }),
        10 => from_fn(|source| Instruction::Lab { of: source.draw(REGISTERS), to: source.draw(REGISTERS) }),
        10 => from_fn(|source| Instruction::PutLab { label: source.draw(any()), to: source.draw(REGISTERS) }),
        10 => from_fn(|source| Instruction::Put { value: source.draw(-INTEGERS..=INTEGERS), to: source.draw(REGISTERS) }),
        10 => from_fn(|source| Instruction::Mov { from: source.draw(REGISTERS), to: source.draw(REGISTERS) }),
        if_any(10, &[&pointers]) => from_fn(|source| Instruction::MLab {
            pointer: source.draw(one_of(&pointers)),
            to: source.draw(REGISTERS),
        }),
        if_any(10, &[&pointers]) => from_fn(|source| Instruction::MSize {
            pointer: source.draw(one_of(&pointers)),
            to: source.draw(REGISTERS),
        }),
        if_any(10, &[&pointers]) => from_fn(|source| Instruction::PGetOff {
            pointer: source.draw(one_of(&pointers)),
            to: source.draw(REGISTERS),
        }),
        if_any(10, &[&pointers, &integers]) => from_fn(|source| Instruction::PSetOff {
            pointer: source.draw(one_of(&pointers)),
            offset: source.draw(one_of(&integers)),
            to: source.draw(REGISTERS),
        }),
        if_any(30, &[&pointers]) => from_fn(|source| Instruction::Load {
            pointer: source.draw(one_of(&pointers)),
            to: source.draw(REGISTERS),
        }),
        if_any(100, &[&pointers]) => from_fn(|source| Instruction::Store {
            pointer: source.draw(one_of(&pointers)),
            from: source.draw(REGISTERS),
        }),
        if_any(100, &[&pointers]) => from_fn(|source| Instruction::Write {
            pointer: source.draw(one_of(&pointers)),
            from: source.draw(REGISTERS),
        }),
        if_any(30, &[&integers]) => from_fn(|source| Instruction::BinOp {
            operator: source.draw(any::<Operator>()),
            left: source.draw(one_of(&integers)),
            right: source.draw(one_of(&integers)),
            to: source.draw(REGISTERS),
        }),
        if_any(100, &[&integers, &labels]) => from_fn(|source| Instruction::Alloc {
            size: source.draw(one_of(&integers)),
            label: source.draw(one_of(&labels)),
            to: source.draw(REGISTERS),
        }),
        if_any(10, &[&addresses]) => from_fn(|source| Instruction::Jump { address: source.draw(one_of(&addresses)) }),
        if_any(10, &[&integers]) => from_fn(|source| Instruction::Bnz {
            by: source.draw(-1..=CODE),
            condition: source.draw(one_of(&integers)),
        }),
        if_any(10, &[&addresses, &labels]) => from_fn(|source| Instruction::BCall {
            address: source.draw(one_of(&addresses)),
            label: source.draw(one_of(&labels)),
            result: source.draw(REGISTERS),
        }),
        if stack.is_empty() { 0 } else { 100 } => constant(Instruction::BRet),
    ])
}

/// Draws an indistinguishable state that differs in the parts that the observer does not see. Values usually keep their
/// kind, so that both states can take the same steps.
fn variation(observer: Observer, state: &State, source: &mut Source) -> State {
    let atom = |old: &Atom, source: &mut Source| {
        if source.draw(frequency([(9, constant(false)), (1, constant(true))])) {
            return atom(source);
        }
        let value = match old.value {
            Value::Int(_) => integer(source),
            Value::Pointer(_) => pointer(source),
            Value::Label(_) => Value::Label(source.draw(any())),
        };
        Atom { value, label: source.draw(any()) }
    };
    Variation { observer, atom }.state(state, source)
}

/// Draws the parts that an observer does not see again.
struct Variation {
    observer: Observer,
    /// Draws an atom that replaces another.
    atom: fn(&Atom, &mut Source) -> Atom,
}

impl Variation {
    fn state(&self, state: &State, source: &mut Source) -> State {
        let State { code, memory, stack, registers, pc } = state;
        let seen = self.observer.sees(pc.label);
        State {
            code: code.clone(),
            memory: self.memory(memory, source),
            stack: stack.iter().map(|call| self.call(call, source)).collect(),
            registers: if seen { self.atoms(registers, source) } else { self.anew(registers, source) },
            pc: if seen { *pc } else { self.unseen_pc(code.len(), source) },
        }
    }

    /// Keeps visible atoms; of the others, only the label.
    fn atoms(&self, atoms: &[Atom], source: &mut Source) -> Vec<Atom> {
        let vary = |atom: &Atom| match self.observer.sees(atom.label) {
            true => *atom,
            false => Atom { value: (self.atom)(atom, source).value, label: atom.label },
        };
        atoms.iter().map(vary).collect()
    }

    fn anew(&self, atoms: &[Atom], source: &mut Source) -> Vec<Atom> {
        atoms.iter().map(|atom| (self.atom)(atom, source)).collect()
    }

    fn memory(&self, memory: &Memory, source: &mut Source) -> Memory {
        let mut varied = memory.clone();
        for frame in varied.frames.iter_mut().flatten() {
            if self.observer.sees(frame.label) {
                frame.cells = self.atoms(&frame.cells, source);
                continue;
            }
            frame.cells = self.anew(&frame.cells, source);
            // The length of the frame is secret as well.
            if let Some(last) = frame.cells.last().copied()
                && source.draw(any())
            {
                frame.cells.push((self.atom)(&last, source));
            }
        }
        varied
    }

    fn call(&self, call: &Call, source: &mut Source) -> Call {
        if self.observer.sees(call.return_pc.label) {
            return Call { saved: self.atoms(&call.saved, source), ..call.clone() };
        }
        Call {
            return_pc: self.unseen_pc(CODE as usize, source),
            saved: self.anew(&call.saved, source),
            result: source.draw(REGISTERS),
            label: source.draw(any()),
        }
    }

    /// Draws a program counter that the observer does not see. One exists: an observer who sees every label would see
    /// the old one.
    fn unseen_pc(&self, code: usize, source: &mut Source) -> Pc {
        let unseen: Vec<Label> = Label::ALL.into_iter().filter(|&label| !self.observer.sees(label)).collect();
        Pc { address: source.draw(0..=code.saturating_sub(1)) as i32, label: source.draw(elements(&unseen)) }
    }
}
