//! indextree (issue 71): the traversal of `remove_subtree` looks for a sibling of the parent only, not of more distant
//! ancestors, and ends too early.

use super::Tree;
use crate::Bug;

/// Removing the root frees every node of the arena.
pub fn holds(bug: Bug, tree: &Tree) -> Option<bool> {
    let mut arena = Vec::new();
    add(&mut arena, tree, None);
    Some(freed(bug, &arena) == arena.len())
}

pub fn witness() -> (Tree,) {
    let tree = |children| Tree { children };
    (tree(vec![tree(vec![tree(vec![tree(vec![])])]), tree(vec![])]),)
}

#[derive(Default)]
struct Node {
    parent: Option<usize>,
    first_child: Option<usize>,
    next_sibling: Option<usize>,
}

fn add(arena: &mut Vec<Node>, tree: &Tree, parent: Option<usize>) -> usize {
    let index = arena.len();
    arena.push(Node { parent, ..Node::default() });
    let mut previous: Option<usize> = None;
    for child in &tree.children {
        let child = add(arena, child, Some(index));
        match previous {
            None => arena[index].first_child = Some(child),
            Some(previous) => arena[previous].next_sibling = Some(child),
        }
        previous = Some(child);
    }
    index
}

/// Returns the nodes that removing the root frees.
fn freed(bug: Bug, arena: &[Node]) -> usize {
    let mut count = 0;
    let mut cursor = Some(0);
    while let Some(node) = cursor {
        count += 1;
        cursor = arena[node].first_child;
        let mut ancestor = Some(node);
        let mut steps = 0;
        while let (None, Some(index)) = (cursor, ancestor) {
            if bug == Bug::Present && steps == 2 {
                break;
            }
            cursor = arena[index].next_sibling;
            ancestor = arena[index].parent;
            steps += 1;
        }
    }
    count
}
