//! rust-bio's `ArrayBackedIntervalTree` (pull request 431): the index leaves out its top level where the number of
//! intervals is a power of two, so `find` misses intervals.

use crate::Bug;

/// The tree finds the intervals that a linear search finds.
pub fn holds(bug: Bug, intervals: &[(u8, u8)], query: &(u8, u8)) -> Option<bool> {
    let ordered = |&(a, b): &(u8, u8)| (a.min(b), a.max(b));
    let query = ordered(query);
    let tree = Tree::new(bug, intervals.iter().map(ordered).collect());
    let mut found = Vec::new();
    let top = tree.levels.len() - 1;
    (0..tree.levels[top].len()).for_each(|block| tree.find(query, top, block, &mut found));
    let overlaps = |interval: &&(u8, u8)| interval.0 <= query.1 && query.0 <= interval.1;
    Some(found.iter().eq(tree.intervals.iter().filter(overlaps)))
}

pub fn witness() -> (Vec<(u8, u8)>, (u8, u8)) {
    (vec![(0, 1), (2, 9)], (5, 6))
}

struct Tree {
    intervals: Vec<(u8, u8)>,
    /// `levels[k][i]` is the greatest end among the intervals of the `i`th block of `2^k`.
    levels: Vec<Vec<u8>>,
}

impl Tree {
    fn new(bug: Bug, mut intervals: Vec<(u8, u8)>) -> Self {
        intervals.sort_unstable();
        let mut levels: Vec<Vec<u8>> = vec![intervals.iter().map(|interval| interval.1).collect()];
        while 1 << levels.len() <= intervals.len() {
            let indexed = bug == Bug::Fixed || (1 << levels.len()) < intervals.len();
            let blocks = levels[levels.len() - 1].chunks(2);
            let level = blocks.map(|block| if indexed { block.iter().copied().max() } else { block.first().copied() });
            let level = level.flatten().collect();
            levels.push(level);
        }
        Tree { intervals, levels }
    }

    fn find(&self, query: (u8, u8), level: usize, block: usize, found: &mut Vec<(u8, u8)>) {
        match self.levels[level].get(block) {
            Some(end) if *end < query.0 => {}
            Some(_) if level > 0 => {
                self.find(query, level - 1, 2 * block, found);
                self.find(query, level - 1, 2 * block + 1, found);
            }
            Some(_) if self.intervals[block].0 <= query.1 => found.push(self.intervals[block]),
            _ => {}
        }
    }
}
