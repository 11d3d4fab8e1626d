//! Effect's `Trie` (issue 7773): removing a key prunes every node on its path that has no children left, including one
//! that ends a shorter key.

use crate::Bug;

/// Removing one prefix of a routing table keeps all others.
pub fn holds(bug: Bug, prefixes: &[Vec<bool>], removed: &[bool]) -> Option<bool> {
    let mut root = Node::default();
    prefixes.iter().for_each(|prefix| root.insert(prefix));
    root.insert(removed);
    root.remove(bug, removed);
    let kept = prefixes.iter().filter(|prefix| *prefix != removed).all(|prefix| root.contains(prefix));
    Some(kept && !root.contains(removed))
}

pub fn witness() -> (Vec<Vec<bool>>, Vec<bool>) {
    (vec![vec![true]], vec![true, false])
}

#[derive(Default)]
struct Node {
    terminal: bool,
    children: [Option<Box<Node>>; 2],
}

impl Node {
    fn insert(&mut self, prefix: &[bool]) {
        match prefix.split_first() {
            None => self.terminal = true,
            Some((bit, rest)) => self.children[usize::from(*bit)].get_or_insert_default().insert(rest),
        }
    }

    fn remove(&mut self, bug: Bug, prefix: &[bool]) {
        let Some((bit, rest)) = prefix.split_first() else {
            self.terminal = false;
            return;
        };
        let slot = &mut self.children[usize::from(*bit)];
        let Some(child) = slot else { return };
        child.remove(bug, rest);
        let childless = child.children.iter().all(Option::is_none);
        if childless && (bug == Bug::Present || !child.terminal) {
            *slot = None;
        }
    }

    fn contains(&self, prefix: &[bool]) -> bool {
        match prefix.split_first() {
            None => self.terminal,
            Some((bit, rest)) => self.children[usize::from(*bit)].as_ref().is_some_and(|child| child.contains(rest)),
        }
    }
}
