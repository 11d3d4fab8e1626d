//! `lru-slab` 0.1.2 (pull request 2): removing a vacant slot added it to the list of free slots a second time, so that
//! two later values got the same slot.

use crate::Bug;
use std::collections::BTreeMap;

crate::input! {
    pub enum SlabOperation { Insert(u16), Remove(u8) }
}

pub fn holds(bug: Bug, operations: &[SlabOperation]) -> Option<bool> {
    let (mut slab, mut model) = (Slab::default(), BTreeMap::new());
    for operation in operations {
        match operation {
            SlabOperation::Insert(value) => {
                let slot = slab.insert(*value);
                if model.insert(slot, *value).is_some() {
                    return Some(false);
                }
            }
            SlabOperation::Remove(slot) => {
                let slot = usize::from(*slot);
                if slab.remove(bug, slot) != model.remove(&slot) {
                    return Some(false);
                }
            }
        }
    }
    Some(true)
}

pub fn witness() -> (Vec<SlabOperation>,) {
    use SlabOperation::*;
    (vec![Insert(1), Remove(0), Remove(0), Insert(2), Insert(3)],)
}

#[derive(Default)]
struct Slab {
    slots: Vec<Option<u16>>,
    free: Vec<usize>,
}

impl Slab {
    fn insert(&mut self, value: u16) -> usize {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() - 1
        });
        self.slots[slot] = Some(value);
        slot
    }

    fn remove(&mut self, bug: Bug, slot: usize) -> Option<u16> {
        let value = self.slots.get_mut(slot)?.take();
        if bug == Bug::Present || value.is_some() {
            self.free.push(slot);
        }
        value
    }
}
