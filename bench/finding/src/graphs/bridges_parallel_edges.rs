//! igraph (issue 1180), samyama-graph (issue 1308) and the code of cp-algorithms (issue 959): the search for bridges
//! ignores every edge to the parent, not only the one that it traversed. So a pair of parallel edges counts as a
//! bridge.

use crate::Bug;

const MAX_NODES: usize = 16;

/// A bridge is an edge whose removal disconnects its ends.
pub fn holds(bug: Bug, nodes: &u8, edges: &[(u8, u8)]) -> Option<bool> {
    let nodes = usize::from(*nodes) % MAX_NODES + 1;
    let edges: Vec<_> = edges.iter().map(|edge| (usize::from(edge.0) % nodes, usize::from(edge.1) % nodes)).collect();
    let mut search = Search { bug, edges: &edges, order: vec![0; nodes], next: 1, bridges: vec![] };
    for node in 0..nodes {
        if search.order[node] == 0 {
            search.visit(node, None);
        }
    }
    search.bridges.sort_unstable();
    let expected = (0..edges.len()).filter(|edge| !still_connected(&edges, *edge));
    Some(search.bridges.into_iter().eq(expected))
}

pub fn witness() -> (u8, Vec<(u8, u8)>) {
    (1, vec![(0, 1), (0, 1)])
}

struct Search<'a> {
    bug: Bug,
    edges: &'a [(usize, usize)],
    order: Vec<usize>,
    next: usize,
    bridges: Vec<usize>,
}

impl Search<'_> {
    /// Returns the earliest node reachable from the subtree.
    fn visit(&mut self, node: usize, came_by: Option<(usize, usize)>) -> usize {
        self.order[node] = self.next;
        self.next += 1;
        let mut low = self.order[node];
        for (edge, ends) in self.edges.iter().enumerate() {
            let neighbor = match *ends {
                (a, b) if a == node => b,
                (a, b) if b == node => a,
                _ => continue,
            };
            let back = came_by.is_some_and(|(parent, last)| match self.bug {
                Bug::Present => parent == neighbor,
                Bug::Fixed => last == edge,
            });
            if back {
                continue;
            }
            if self.order[neighbor] > 0 {
                low = low.min(self.order[neighbor]);
                continue;
            }
            let below = self.visit(neighbor, Some((node, edge)));
            if below > self.order[node] {
                self.bridges.push(edge);
            }
            low = low.min(below);
        }
        low
    }
}

fn still_connected(edges: &[(usize, usize)], removed: usize) -> bool {
    let (start, end) = edges[removed];
    let mut reached = 1_u16 << start;
    for _ in 0..MAX_NODES {
        for (_, (a, b)) in edges.iter().enumerate().filter(|(edge, _)| *edge != removed) {
            let ends = 1 << a | 1 << b;
            reached |= if reached & ends == 0 { 0 } else { ends };
        }
    }
    reached & 1 << end != 0
}
