//! LightGraphs.jl (issue 834): the map of a bipartite graph skips components of fewer than three nodes, so both ends of a
//! lone edge get the same color.

use crate::Bug;

/// The ends of an edge have different colors.
pub fn holds(bug: Bug, nodes: &u8, edges: &[(u8, u8)]) -> Option<bool> {
    let nodes = usize::from(*nodes % 16) + 1;
    let edges: Vec<_> = edges.iter().map(|edge| (usize::from(edge.0) % nodes, usize::from(edge.1) % nodes)).collect();
    // Graphs that are not bipartite have no colors.
    let colors = colors(bug, nodes, &edges)?;
    Some(edges.iter().all(|(a, b)| colors[*a] != colors[*b]))
}

pub fn witness() -> (u8, Vec<(u8, u8)>) {
    (1, vec![(0, 1)])
}

fn colors(bug: Bug, nodes: usize, edges: &[(usize, usize)]) -> Option<Vec<bool>> {
    let smallest = match bug {
        Bug::Present => 3,
        Bug::Fixed => 1,
    };
    let mut colors = vec![false; nodes];
    let mut seen = vec![false; nodes];
    for start in 0..nodes {
        if seen[start] {
            continue;
        }
        let mut component = vec![(start, false)];
        let mut done = 0;
        while let Some(&(node, color)) = component.get(done) {
            done += 1;
            seen[node] = true;
            let out = edges.iter().filter(|edge| edge.0 == node).map(|edge| edge.1);
            for neighbor in out.chain(edges.iter().filter(|edge| edge.1 == node).map(|edge| edge.0)) {
                match component.iter().find(|known| known.0 == neighbor) {
                    Some(known) if known.1 == color => return None,
                    Some(_) => {}
                    None => component.push((neighbor, !color)),
                }
            }
        }
        if component.len() >= smallest {
            component.iter().for_each(|&(node, color)| colors[node] = color);
        }
    }
    Some(colors)
}
