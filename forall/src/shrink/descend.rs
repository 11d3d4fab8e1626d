//! A subtree in place of the tree that it is part of.
//!
//! When a bug needs only a part of an expression, the way there leads down: each tree is replaced by one of its own
//! subtrees of the same kind, the largest first, and so on from there. Then by a simpler tree of the same kind elsewhere.
//! What this misses: parts without a span, which only deleting runs of choices can bring up.

use super::edit;
use super::search::Search;
use super::structure::{Part, Structure, is_tree};
use crate::sort::sort_by;

/// Each subtree, outer ones first, by its children of the same kind.
pub(super) fn descend(search: &mut Search<'_>) {
    let mut at = 0;
    while at < search.structure().spans.len() {
        let structure = search.structure();
        let part = &structure.spans[at];
        at += 1;
        if !is_tree(part) {
            continue;
        }
        let mut children = children(&structure, part);
        sort_by(&mut children, |a, b| b.range.len().cmp(&a.range.len()));
        for child in children {
            let by = search.items()[child.range.clone()].to_vec();
            let items = edit::replaced(search.items(), part.range.clone(), &by);
            if search.consider(items) {
                // There is another tree here now: look at it again.
                at -= 1;
                break;
            }
        }
    }
}

/// The outermost parts of the same kind inside.
fn children(structure: &Structure, part: &Part) -> Vec<Part> {
    let mut children: Vec<Part> = Vec::new();
    for other in &structure.spans {
        if part.holds(other) && children.iter().all(|child| child.range.end <= other.range.start) {
            children.push(other.clone());
        }
    }
    children
}
