//! toposort for JavaScript (issue 2), and the publisher tool of smithy-rs (pull request 1049): nodes stay on the search
//! path after the search leaves them, so a cycle is reported in an acyclic graph with two paths to a node.

use crate::Bug;

/// A graph whose edges lead to greater nodes has a topological order.
pub fn holds(bug: Bug, graph: &[Vec<u8>]) -> Option<bool> {
    let later = |node: usize, target: &u8| Some(usize::from(*target) % graph.len()).filter(|target| *target > node);
    let graph: Vec<Vec<usize>> = graph
        .iter()
        .enumerate()
        .map(|(node, targets)| targets.iter().filter_map(|target| later(node, target)).collect())
        .collect();
    let order = sort(bug, &graph);
    Some(order.is_some_and(|order| order.len() == graph.len()))
}

pub fn witness() -> (Vec<Vec<u8>>,) {
    (vec![vec![1, 2], vec![2], vec![]],)
}

/// Returns `None` for a cycle.
fn sort(bug: Bug, graph: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut order = vec![];
    for node in 0..graph.len() {
        visit(bug, graph, node, &mut vec![], &mut order)?;
    }
    Some(order)
}

fn visit(bug: Bug, graph: &[Vec<usize>], node: usize, path: &mut Vec<usize>, order: &mut Vec<usize>) -> Option<()> {
    if path.contains(&node) {
        return None;
    }
    if order.contains(&node) {
        return Some(());
    }
    path.push(node);
    for target in &graph[node] {
        visit(bug, graph, *target, path, order)?;
    }
    if bug == Bug::Fixed {
        path.pop();
    }
    order.push(node);
    Some(())
}
