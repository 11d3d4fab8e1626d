//! The machine: registers, a labelled memory, a stack, and one step at a time.

use super::label::Label;
use super::rules::{Opcode, decide};
use forall::Arbitrary;
use forall::generate::{any, from_fn, vec};
use std::ops::{Range, RangeInclusive};

/// The range of register numbers.
pub const REGISTERS: Range<usize> = 0..10;
/// The range of integers in derived states.
const SMALL: RangeInclusive<i32> = -7..=7;
/// The maximum number of frames per stamp, and of cells per frame, in derived states.
const MOST: usize = 2;
/// The number of instructions in derived states.
const CODE: usize = 2;

/// The contents of a register or a cell.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Int(#[forall(with = SMALL)] i32),
    /// A place in memory.
    Pointer(Pointer),
    /// A label.
    Label(Label),
}

/// A place in memory.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// The frame that is pointed to.
    pub block: Block,
    /// The cell of the frame.
    #[forall(with = 0..=MOST as i32)]
    pub offset: i32,
}

/// The name of a frame in memory.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The index among the frames of its stamp.
    #[forall(with = 0..=MOST)]
    pub index: usize,
    /// The label of the frame's allocation. Frames are numbered per stamp, so that an index reveals nothing about other
    /// stamps.
    pub stamp: Label,
}

/// A value with its security label.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The value.
    pub value: Value,
    /// The label of the value.
    pub label: Label,
}

/// A frame of the memory.
#[derive(Arbitrary, Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The label of the contents.
    pub label: Label,
    /// The cells of the frame.
    #[forall(with = vec(any()).len(0..=MOST))]
    pub cells: Vec<Atom>,
}

/// The memory: for each stamp, in the order of [`Label::ALL`], its frames.
#[derive(Arbitrary, Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The frames.
    #[forall(with = from_fn(|source| [(); 4].map(|()| source.draw(vec(any()).len(0..=MOST)))))]
    pub frames: [Vec<Frame>; 4],
}

/// A program counter.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pc {
    /// The address of the next instruction.
    #[forall(with = 0..CODE as i32)]
    pub address: i32,
    /// The label of the program counter.
    pub label: Label,
}

/// The stack frame of a call.
#[derive(Arbitrary, Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The program counter to return to.
    pub return_pc: Pc,
    /// The registers to restore.
    #[forall(with = vec(any()).len(REGISTERS.len()))]
    pub saved: Vec<Atom>,
    /// The register of the result.
    #[forall(with = REGISTERS)]
    pub result: usize,
    /// The label of the result.
    pub label: Label,
}

/// An instruction. Operands are registers, unless stated otherwise.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
#[rustfmt::skip]
pub enum Instruction {
    Put { #[forall(with = SMALL)] value: i32, #[forall(with = REGISTERS)] to: usize },
    Mov { #[forall(with = REGISTERS)] from: usize, #[forall(with = REGISTERS)] to: usize },
    Load { #[forall(with = REGISTERS)] pointer: usize, #[forall(with = REGISTERS)] to: usize },
    Store { #[forall(with = REGISTERS)] pointer: usize, #[forall(with = REGISTERS)] from: usize },
    Write { #[forall(with = REGISTERS)] pointer: usize, #[forall(with = REGISTERS)] from: usize },
    BinOp {
        operator: Operator,
        #[forall(with = REGISTERS)] left: usize,
        #[forall(with = REGISTERS)] right: usize,
        #[forall(with = REGISTERS)] to: usize,
    },
    Nop,
    Halt,
    Jump { #[forall(with = REGISTERS)] address: usize },
    Bnz { #[forall(with = SMALL)] by: i32, #[forall(with = REGISTERS)] condition: usize },
    BCall {
        #[forall(with = REGISTERS)] address: usize,
        #[forall(with = REGISTERS)] label: usize,
        #[forall(with = REGISTERS)] result: usize,
    },
    BRet,
    Lab { #[forall(with = REGISTERS)] of: usize, #[forall(with = REGISTERS)] to: usize },
    PcLab { #[forall(with = REGISTERS)] to: usize },
    PutLab { label: Label, #[forall(with = REGISTERS)] to: usize },
    Alloc {
        #[forall(with = REGISTERS)] size: usize,
        #[forall(with = REGISTERS)] label: usize,
        #[forall(with = REGISTERS)] to: usize,
    },
    PGetOff { #[forall(with = REGISTERS)] pointer: usize, #[forall(with = REGISTERS)] to: usize },
    PSetOff {
        #[forall(with = REGISTERS)] pointer: usize,
        #[forall(with = REGISTERS)] offset: usize,
        #[forall(with = REGISTERS)] to: usize,
    },
    MSize { #[forall(with = REGISTERS)] pointer: usize, #[forall(with = REGISTERS)] to: usize },
    MLab { #[forall(with = REGISTERS)] pointer: usize, #[forall(with = REGISTERS)] to: usize },
}

/// An operation on two values.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// The sum of numbers.
    Add,
    /// The product of numbers.
    Multiply,
    /// The join of labels.
    Join,
    /// Whether a label flows to another.
    FlowsTo,
    /// Whether two values are equal.
    Equal,
}

/// A state of the machine.
#[derive(Arbitrary, Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The program.
    #[forall(with = vec(any()).len(CODE))]
    pub code: Vec<Instruction>,
    /// The memory.
    pub memory: Memory,
    /// The calls that have not returned, the innermost last.
    #[forall(with = vec(any()).len(0..=MOST))]
    pub stack: Vec<Call>,
    /// The registers.
    #[forall(with = vec(any()).len(REGISTERS.len()))]
    pub registers: Vec<Atom>,
    /// The program counter.
    pub pc: Pc,
}

impl Memory {
    /// Returns a frame, if it exists.
    pub fn frame(&self, block: Block) -> Option<&Frame> {
        self.frames[block.stamp as usize].get(block.index)
    }

    /// Returns a cell, if it exists.
    fn cell(&self, pointer: Pointer) -> Option<Atom> {
        self.frame(pointer.block)?.cells.get(usize::try_from(pointer.offset).ok()?).copied()
    }

    fn set(&mut self, pointer: Pointer, atom: Atom) -> Option<()> {
        let frame = self.frames[pointer.block.stamp as usize].get_mut(pointer.block.index)?;
        *frame.cells.get_mut(usize::try_from(pointer.offset).ok()?)? = atom;
        Some(())
    }

    fn allocate(&mut self, stamp: Label, frame: Frame) -> Block {
        let frames = &mut self.frames[stamp as usize];
        frames.push(frame);
        Block { index: frames.len() - 1, stamp }
    }
}

impl State {
    fn read(&self, register: usize) -> Option<Atom> {
        self.registers.get(register).copied()
    }

    fn read_int(&self, register: usize) -> Option<(i32, Label)> {
        match self.read(register)? {
            Atom { value: Value::Int(number), label } => Some((number, label)),
            _ => None,
        }
    }

    fn read_pointer(&self, register: usize) -> Option<(Pointer, Label)> {
        match self.read(register)? {
            Atom { value: Value::Pointer(pointer), label } => Some((pointer, label)),
            _ => None,
        }
    }

    fn read_label(&self, register: usize) -> Option<(Label, Label)> {
        match self.read(register)? {
            Atom { value: Value::Label(value), label } => Some((value, label)),
            _ => None,
        }
    }

    fn write(&mut self, register: usize, value: Value, label: Label) -> Option<()> {
        *self.registers.get_mut(register)? = Atom { value, label };
        Some(())
    }

    /// Returns the state after the next instruction; `None` if the machine is stuck.
    pub fn step(&self) -> Option<State> {
        let Pc { address, label: pc } = self.pc;
        let instruction = *self.code.get(usize::try_from(address).ok()?)?;
        let bottom = Label::L;
        let rule = |opcode, operands| decide(opcode, operands, pc);
        let mut next = self.clone();
        let (to_address, to_label) = match instruction {
            Instruction::Halt => return None,
            Instruction::Nop => (address + 1, rule(Opcode::Nop, [bottom; 4])?.pc),
            Instruction::Put { value, to } => {
                let decision = rule(Opcode::Put, [bottom; 4])?;
                next.write(to, Value::Int(value), decision.result)?;
                (address + 1, decision.pc)
            }
            Instruction::Mov { from, to } => {
                let atom = self.read(from)?;
                let decision = rule(Opcode::Mov, [atom.label, bottom, bottom, bottom])?;
                next.write(to, atom.value, decision.result)?;
                (address + 1, decision.pc)
            }
            Instruction::Load { pointer, to } => {
                let (pointer, a) = self.read_pointer(pointer)?;
                let frame = self.memory.frame(pointer.block)?;
                let content = self.memory.cell(pointer)?;
                let decision = rule(Opcode::Load, [a, frame.label, content.label, bottom])?;
                next.write(to, content.value, decision.result)?;
                (address + 1, decision.pc)
            }
            Instruction::Store { pointer, from } => {
                let (pointer, a) = self.read_pointer(pointer)?;
                let frame = self.memory.frame(pointer.block)?;
                let new = self.read(from)?;
                let decision = rule(Opcode::Store, [a, frame.label, new.label, bottom])?;
                next.memory.set(pointer, Atom { value: new.value, label: decision.result })?;
                (address + 1, decision.pc)
            }
            Instruction::Write { pointer, from } => {
                let (pointer, a) = self.read_pointer(pointer)?;
                let frame = self.memory.frame(pointer.block)?;
                let (new, old) = (self.read(from)?, self.memory.cell(pointer)?);
                let decision = rule(Opcode::Write, [a, frame.label, new.label, old.label])?;
                next.memory.set(pointer, Atom { value: new.value, label: decision.result })?;
                (address + 1, decision.pc)
            }
            Instruction::BinOp { operator, left, right, to } => {
                let (left, right) = (self.read(left)?, self.read(right)?);
                let value = operator.apply(left.value, right.value)?;
                let decision = rule(Opcode::BinOp, [left.label, right.label, bottom, bottom])?;
                next.write(to, value, decision.result)?;
                (address + 1, decision.pc)
            }
            Instruction::Jump { address } => {
                let (address, a) = self.read_int(address)?;
                (address, rule(Opcode::Jump, [a, bottom, bottom, bottom])?.pc)
            }
            Instruction::Bnz { by, condition } => {
                let (number, a) = self.read_int(condition)?;
                let decision = rule(Opcode::Bnz, [a, bottom, bottom, bottom])?;
                (if number != 0 { address.wrapping_add(by) } else { address + 1 }, decision.pc)
            }
            Instruction::BCall { address: target, label, result } => {
                let (target, a) = self.read_int(target)?;
                let (label, b) = self.read_label(label)?;
                let decision = rule(Opcode::BCall, [a, b, bottom, bottom])?;
                let return_pc = Pc { address: address + 1, label: decision.result };
                next.stack.push(Call { return_pc, saved: self.registers.clone(), result, label });
                (target, decision.pc)
            }
            Instruction::BRet => {
                let Call { return_pc, saved, result, label } = next.stack.pop()?;
                let returned = self.read(result)?;
                let decision = rule(Opcode::BRet, [returned.label, label, return_pc.label, bottom])?;
                next.registers = saved;
                next.write(result, returned.value, decision.result)?;
                (return_pc.address, decision.pc)
            }
            Instruction::Lab { of, to } => {
                let label = self.read(of)?.label;
                let decision = rule(Opcode::Lab, [bottom; 4])?;
                next.write(to, Value::Label(label), decision.result)?;
                (address + 1, decision.pc)
            }
            Instruction::PcLab { to } => {
                let decision = rule(Opcode::PcLab, [bottom; 4])?;
                next.write(to, Value::Label(pc), decision.result)?;
                (address + 1, decision.pc)
            }
            Instruction::PutLab { label, to } => {
                let decision = rule(Opcode::PutLab, [bottom; 4])?;
                next.write(to, Value::Label(label), decision.result)?;
                (address + 1, decision.pc)
            }
            Instruction::Alloc { size, label, to } => {
                let (size, a) = self.read_int(size)?;
                let (label, b) = self.read_label(label)?;
                let decision = rule(Opcode::Alloc, [a, b, label, bottom])?;
                let cells = vec![Atom { value: Value::Int(0), label: Label::L }; usize::try_from(size).ok()?];
                // The rules do not restrict the label of the frame.
                let block = next.memory.allocate(a.join(b).join(pc), Frame { label, cells });
                next.write(to, Value::Pointer(Pointer { block, offset: 0 }), decision.result)?;
                (address + 1, decision.pc)
            }
            Instruction::PGetOff { pointer, to } => {
                let (pointer, a) = self.read_pointer(pointer)?;
                let decision = rule(Opcode::PGetOff, [a, bottom, bottom, bottom])?;
                next.write(to, Value::Int(pointer.offset), decision.result)?;
                (address + 1, decision.pc)
            }
            Instruction::PSetOff { pointer, offset, to } => {
                let (pointer, a) = self.read_pointer(pointer)?;
                let (offset, b) = self.read_int(offset)?;
                let decision = rule(Opcode::PSetOff, [a, b, bottom, bottom])?;
                next.write(to, Value::Pointer(Pointer { offset, ..pointer }), decision.result)?;
                (address + 1, decision.pc)
            }
            Instruction::MSize { pointer, to } => {
                let (pointer, a) = self.read_pointer(pointer)?;
                let frame = self.memory.frame(pointer.block)?;
                let decision = rule(Opcode::MSize, [a, frame.label, bottom, bottom])?;
                next.write(to, Value::Int(frame.cells.len() as i32), decision.result)?;
                (address + 1, decision.pc)
            }
            Instruction::MLab { pointer, to } => {
                let (pointer, a) = self.read_pointer(pointer)?;
                let frame = self.memory.frame(pointer.block)?;
                let decision = rule(Opcode::MLab, [a, frame.label, bottom, bottom])?;
                next.write(to, Value::Label(frame.label), decision.result)?;
                (address + 1, decision.pc)
            }
        };
        next.pc = Pc { address: to_address, label: to_label };
        Some(next)
    }
}

impl Operator {
    fn apply(self, left: Value, right: Value) -> Option<Value> {
        match (self, left, right) {
            (Operator::Add, Value::Int(a), Value::Int(b)) => Some(Value::Int(a.wrapping_add(b))),
            (Operator::Multiply, Value::Int(a), Value::Int(b)) => Some(Value::Int(a.wrapping_mul(b))),
            (Operator::Join, Value::Label(a), Value::Label(b)) => Some(Value::Label(a.join(b))),
            (Operator::FlowsTo, Value::Label(a), Value::Label(b)) => Some(Value::Int(a.flows_to(b).into())),
            (Operator::Equal, a, b) => Some(Value::Int((a == b).into())),
            _ => None,
        }
    }
}
