//! NetworkX (issue 494): Bellman-Ford reports a negative cycle if the last of its rounds still improves a distance, as
//! on a path. It needs one more round to decide.

use crate::Bug;

/// Without negative weights, the distances agree with the Floyd-Warshall algorithm.
pub fn holds(bug: Bug, nodes: &u8, edges: &[(u8, u8, u8)]) -> Option<bool> {
    let nodes = usize::from(*nodes % 16) + 1;
    let node = |index: u8| usize::from(index) % nodes;
    let edges: Vec<_> = edges.iter().map(|edge| (node(edge.0), node(edge.1), i64::from(edge.2))).collect();
    let expected = all_distances(nodes, &edges).swap_remove(0);
    Some(bellman_ford(bug, nodes, &edges) == Some(expected))
}

pub fn witness() -> (u8, Vec<(u8, u8, u8)>) {
    (1, vec![(0, 1, 5)])
}

type Edge = (usize, usize, i64);

/// Returns the distances from node 0, or `None` for a negative cycle.
fn bellman_ford(bug: Bug, nodes: usize, edges: &[Edge]) -> Option<Vec<Option<i64>>> {
    let mut distances = vec![None; nodes];
    distances[0] = Some(0);
    let rounds = match bug {
        Bug::Present => nodes - 1,
        Bug::Fixed => nodes,
    };
    let mut improved = false;
    for _ in 0..rounds {
        improved = false;
        for &(from, to, weight) in edges {
            let Some(distance) = distances[from].map(|distance: i64| distance + weight) else { continue };
            if distances[to].is_none_or(|known| distance < known) {
                distances[to] = Some(distance);
                improved = true;
            }
        }
    }
    (!improved).then_some(distances)
}

fn all_distances(nodes: usize, edges: &[Edge]) -> Vec<Vec<Option<i64>>> {
    let shorter = |a: Option<i64>, b: Option<i64>| [a, b].into_iter().flatten().min();
    let mut table = vec![vec![None; nodes]; nodes];
    for &(from, to, weight) in edges {
        table[from][to] = shorter(table[from][to], Some(weight));
    }
    (0..nodes).for_each(|node| table[node][node] = Some(0));
    for via in 0..nodes {
        for from in 0..nodes {
            for to in 0..nodes {
                let detour = table[from][via].zip(table[via][to]).map(|(a, b)| a + b);
                table[from][to] = shorter(table[from][to], detour);
            }
        }
    }
    table
}
