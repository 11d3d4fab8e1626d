//! Indistinguishability for an observer, and well-formed states.

use super::label::Label;
use super::machine::{Atom, Block, Call, Frame, Memory, Pc, State, Value};

/// An observer who sees everything that may flow to a label.
#[derive(Clone, Copy, Debug)]
pub struct Observer(pub Label);

impl Observer {
    /// Returns whether the observer sees data with this label.
    pub fn sees(self, label: Label) -> bool {
        label.flows_to(self.0)
    }

    /// Returns whether the states are indistinguishable to the observer.
    pub fn confuses(self, one: &State, other: &State) -> bool {
        if one.code != other.code || !self.memories(&one.memory, &other.memory) {
            return false;
        }
        if self.sees(one.pc.label) || self.sees(other.pc.label) {
            one.pc == other.pc && self.atoms(&one.registers, &other.registers) && self.stacks(&one.stack, &other.stack)
        } else {
            self.stacks(self.visible(&one.stack), self.visible(&other.stack))
        }
    }

    fn atoms(self, one: &[Atom], other: &[Atom]) -> bool {
        let same = |(one, other): (&Atom, &Atom)| {
            one.label == other.label && (!self.sees(one.label) || one.value == other.value)
        };
        one.len() == other.len() && one.iter().zip(other).all(same)
    }

    /// Returns whether the frames that the observer may see exist in both memories and are equal; other frames do not
    /// matter.
    fn memories(self, one: &Memory, other: &Memory) -> bool {
        let same = |(one, other): (&Frame, &Frame)| {
            one.label == other.label && (!self.sees(one.label) || self.atoms(&one.cells, &other.cells))
        };
        Label::ALL.into_iter().filter(|&stamp| self.sees(stamp)).all(|stamp| {
            let (one, other) = (&one.frames[stamp as usize], &other.frames[stamp as usize]);
            one.len() == other.len() && one.iter().zip(other).all(same)
        })
    }

    fn stacks(self, one: &[Call], other: &[Call]) -> bool {
        let same = |(one, other): (&Call, &Call)| {
            let Pc { label, .. } = one.return_pc;
            if !self.sees(label) && !self.sees(other.return_pc.label) {
                return true;
            }
            one.return_pc == other.return_pc
                && (one.result, one.label) == (other.result, other.label)
                && self.atoms(&one.saved, &other.saved)
        };
        one.len() == other.len() && one.iter().zip(other).all(same)
    }

    /// Returns the stack without the topmost calls whose return the observer does not see.
    fn visible(self, stack: &[Call]) -> &[Call] {
        let last = stack.iter().rposition(|call| self.sees(call.return_pc.label));
        &stack[..last.map_or(0, |last| last + 1)]
    }

    /// Returns the frames that the observer can reach.
    fn reaches(self, state: &State) -> Vec<Block> {
        let mut reached: Vec<Block> = Vec::new();
        let add = |atoms: &[Atom], reached: &mut Vec<Block>| {
            for atom in atoms.iter().filter(|atom| self.sees(atom.label)) {
                if let Value::Pointer(pointer) = atom.value
                    && !reached.contains(&pointer.block)
                {
                    reached.push(pointer.block);
                }
            }
        };
        if self.sees(state.pc.label) {
            add(&state.registers, &mut reached);
        }
        for call in state.stack.iter().filter(|call| self.sees(call.return_pc.label)) {
            add(&call.saved, &mut reached);
        }
        let mut next = 0;
        while let Some(&block) = reached.get(next) {
            if let Some(frame) = state.memory.frame(block)
                && self.sees(frame.label)
            {
                add(&frame.cells, &mut reached);
            }
            next += 1;
        }
        reached
    }
}

/// Returns whether every holder of a pointer to a frame may observe its allocation.
pub fn is_well_stamped(state: &State) -> bool {
    let may_know = |observer: Observer| observer.reaches(state).into_iter().all(|block| observer.sees(block.stamp));
    Label::ALL.into_iter().map(Observer).all(may_know)
}
