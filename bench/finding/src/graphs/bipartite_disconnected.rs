//! petgraph (pull requests 479 and 481): `is_bipartite_undirected` colors only the component of its start, and misses
//! odd cycles elsewhere.

use crate::Bug;

/// A graph is bipartite if no node reaches itself in an odd number of steps.
pub fn holds(bug: Bug, nodes: &u8, edges: &[(u8, u8)]) -> Option<bool> {
    let nodes = usize::from(*nodes % 16) + 1;
    let mut neighbors = vec![vec![]; nodes];
    for &(a, b) in edges {
        let (a, b) = (usize::from(a) % nodes, usize::from(b) % nodes);
        neighbors[a].push(b);
        neighbors[b].push(a);
    }
    let expected = !(0..nodes).any(|node| has_odd_walk(&neighbors, node));
    Some(is_bipartite(bug, &neighbors) == expected)
}

pub fn witness() -> (u8, Vec<(u8, u8)>) {
    (3, vec![(1, 2), (2, 3), (3, 1)])
}

fn is_bipartite(bug: Bug, neighbors: &[Vec<usize>]) -> bool {
    let mut colors = vec![None; neighbors.len()];
    let starts = match bug {
        Bug::Present => 1,
        Bug::Fixed => neighbors.len(),
    };
    for start in 0..starts {
        let mut queue = vec![];
        if colors[start].is_none() {
            colors[start] = Some(false);
            queue.push((start, false));
        }
        while let Some((node, color)) = queue.pop() {
            for &neighbor in &neighbors[node] {
                match colors[neighbor] {
                    Some(other) if other == color => return false,
                    Some(_) => {}
                    None => {
                        colors[neighbor] = Some(!color);
                        queue.push((neighbor, !color));
                    }
                }
            }
        }
    }
    true
}

fn has_odd_walk(neighbors: &[Vec<usize>], start: usize) -> bool {
    let mut reached = vec![[false; 2]; neighbors.len()];
    let mut queue = vec![(start, 0)];
    while let Some((node, parity)) = queue.pop() {
        if !std::mem::replace(&mut reached[node][parity], true) {
            queue.extend(neighbors[node].iter().map(|neighbor| (*neighbor, 1 - parity)));
        }
    }
    reached[start][1]
}
