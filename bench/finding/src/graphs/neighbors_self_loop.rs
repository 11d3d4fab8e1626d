//! petgraph before 0.2 (issue 31): in an undirected graph, the neighbors of a node list a self loop twice, once for each of
//! its ends.

use crate::Bug;

/// A node has one neighbor for each edge that touches it.
pub fn holds(bug: Bug, edges: &[(u8, u8)]) -> Option<bool> {
    Some(edges.iter().flat_map(|&(a, b)| [a, b]).all(|node| {
        let touching = edges.iter().filter(|edge| edge.0 == node || edge.1 == node).count();
        neighbors(bug, edges, node).len() == touching
    }))
}

pub fn witness() -> (Vec<(u8, u8)>,) {
    (vec![(3, 3)],)
}

fn neighbors(bug: Bug, edges: &[(u8, u8)], node: u8) -> Vec<u8> {
    let outgoing = edges.iter().filter(|edge| edge.0 == node).map(|edge| edge.1);
    let incoming = edges.iter().filter(|edge| edge.1 == node).map(|edge| edge.0);
    match bug {
        Bug::Present => outgoing.chain(incoming).collect(),
        Bug::Fixed => outgoing.chain(incoming.filter(|other| *other != node)).collect(),
    }
}
