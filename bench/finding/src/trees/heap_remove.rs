//! priority-queue (issue 28) and keyed_priority_queue 0.3.1 (issue 12): removing an inner element moves the last one
//! into its place and sifts it down, but never up.

use crate::Bug;

/// After one element is removed, the others are popped from the greatest to the smallest.
pub fn holds(bug: Bug, priorities: &[u8], index: &usize) -> Option<bool> {
    if priorities.is_empty() {
        return None;
    }
    let mut heap = Heap::default();
    priorities.iter().for_each(|&priority| heap.push(priority));
    heap.remove(bug, index % priorities.len());
    let mut popped = Vec::new();
    while !heap.0.is_empty() {
        popped.push(heap.remove(bug, 0));
    }
    Some(popped.is_sorted_by(|a, b| a >= b))
}

pub fn witness() -> (Vec<u8>, usize) {
    (vec![0, 1, 2, 3, 4, 5, 6], 3)
}

#[derive(Default)]
struct Heap(Vec<u8>);

impl Heap {
    fn push(&mut self, priority: u8) {
        self.0.push(priority);
        self.sift_up(self.0.len() - 1);
    }

    fn remove(&mut self, bug: Bug, index: usize) -> u8 {
        let removed = self.0.swap_remove(index);
        if index < self.0.len() {
            self.sift_down(index);
            if bug == Bug::Fixed {
                self.sift_up(index);
            }
        }
        removed
    }

    fn sift_up(&mut self, mut index: usize) {
        while index > 0 && self.0[(index - 1) / 2] < self.0[index] {
            self.0.swap(index, (index - 1) / 2);
            index = (index - 1) / 2;
        }
    }

    fn sift_down(&mut self, mut index: usize) {
        let len = self.0.len();
        while let Some(child) = (2 * index + 1..len.min(2 * index + 3)).max_by_key(|&child| self.0[child]) {
            if self.0[child] <= self.0[index] {
                return;
            }
            self.0.swap(index, child);
            index = child;
        }
    }
}
