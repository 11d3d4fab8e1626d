//! union-find (issue 12): the constructor of `UnionByRankSize` swaps its rank and its size, so the size of a set never
//! grows.

use crate::Bug;

/// The size of a set is the number of elements with the same representative.
pub fn holds(bug: Bug, unions: &[(u8, u8)]) -> Option<bool> {
    let mut sets = Sets { parents: (0..=255).collect(), info: vec![Info { rank: 0, size: 1 }; 256] };
    unions.iter().for_each(|&(a, b)| sets.union(bug, a.into(), b.into()));
    let mut members = [0; 256];
    (0..256).for_each(|element| members[sets.find(element)] += 1);
    Some((0..256).all(|root| members[root] == 0 || sets.info[root].size == members[root]))
}

pub fn witness() -> (Vec<(u8, u8)>,) {
    (vec![(0, 1)],)
}

#[derive(Clone, Copy)]
struct Info {
    rank: usize,
    size: usize,
}

struct Sets {
    parents: Vec<usize>,
    info: Vec<Info>,
}

impl Sets {
    fn find(&self, mut element: usize) -> usize {
        while self.parents[element] != element {
            element = self.parents[element];
        }
        element
    }

    fn union(&mut self, bug: Bug, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        let (upper, lower) = if self.info[a].rank < self.info[b].rank { (b, a) } else { (a, b) };
        let rank = self.info[upper].rank + usize::from(self.info[a].rank == self.info[b].rank);
        let size = self.info[upper].size + self.info[lower].size;
        self.parents[lower] = upper;
        self.info[upper] = match bug {
            Bug::Present => Info { rank: size, size: rank },
            Bug::Fixed => Info { rank, size },
        };
    }
}
