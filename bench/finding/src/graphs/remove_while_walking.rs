//! petgraph (pull request 596): a walker goes on to the next edge after it removed one. But the removal moved the last edge
//! into the place of the removed one, and the walker misses it.

use crate::Bug;

/// Detaching a node removes its outgoing edges, and no others.
pub fn holds(bug: Bug, edges: &[(u8, u8)], node: &u8) -> Option<bool> {
    let mut left = edges.to_vec();
    detach(bug, &mut left, *node);
    let mut expected: Vec<_> = edges.iter().copied().filter(|edge| edge.0 != *node).collect();
    left.sort_unstable();
    expected.sort_unstable();
    Some(left == expected)
}

pub fn witness() -> (Vec<(u8, u8)>, u8) {
    (vec![(0, 1), (0, 2)], 0)
}

fn detach(bug: Bug, edges: &mut Vec<(u8, u8)>, node: u8) {
    let mut index = 0;
    while index < edges.len() {
        if edges[index].0 == node {
            edges.swap_remove(index);
            if bug == Bug::Fixed {
                continue;
            }
        }
        index += 1;
    }
}
