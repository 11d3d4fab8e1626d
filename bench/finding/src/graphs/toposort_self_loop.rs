//! Ruby's tsort (issue 4), and guppy (pull request 590): a cycle is a component of two nodes or more, so a node that depends
//! on itself is sorted without an error.

use crate::Bug;

/// In a topological order, every edge leads to a later node.
pub fn holds(bug: Bug, graph: &[Vec<u8>]) -> Option<bool> {
    let graph: Vec<Vec<usize>> =
        graph.iter().map(|targets| targets.iter().map(|target| usize::from(*target) % graph.len()).collect()).collect();
    let Some(order) = sort(bug, &graph) else { return Some(true) };
    let place = |node: usize| order.iter().position(|other| *other == node);
    let forward = |node: usize| graph[node].iter().all(|target| place(node) < place(*target));
    Some(order.len() == graph.len() && (0..graph.len()).all(forward))
}

pub fn witness() -> (Vec<Vec<u8>>,) {
    (vec![vec![0]],)
}

/// Removes nodes without incoming edges until none is left. Returns `None` for a cycle.
fn sort(bug: Bug, graph: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut left: Vec<usize> = (0..graph.len()).collect();
    let mut order = vec![];
    while !left.is_empty() {
        let blocks = |from: usize, node: usize| graph[from].contains(&node) && (bug == Bug::Fixed || from != node);
        let free = left.iter().position(|node| !left.iter().any(|from| blocks(*from, *node)))?;
        order.push(left.remove(free));
    }
    Some(order)
}
