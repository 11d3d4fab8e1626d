//! radix_trie (issue 50): removing an absent key takes a child out of its node, finds that the labels differ, and never
//! puts the child back.

use crate::Bug;
use std::mem;

/// Removing an absent key loses no other key.
pub fn holds(bug: Bug, keys: &[String], absent: &str) -> Option<bool> {
    if keys.iter().any(|key| key == absent) {
        return None;
    }
    let mut root = Node::new(&[], false);
    keys.iter().for_each(|key| root.insert(key.as_bytes()));
    root.remove(bug, absent.as_bytes());
    Some(keys.iter().all(|key| root.contains(key.as_bytes())))
}

pub fn witness() -> (Vec<String>, String) {
    (vec!["tea".into()], "ten".into())
}

struct Node {
    label: Vec<u8>,
    terminal: bool,
    children: Vec<Node>,
}

impl Node {
    fn new(label: &[u8], terminal: bool) -> Self {
        Node { label: label.to_vec(), terminal, children: Vec::new() }
    }

    fn insert(&mut self, key: &[u8]) {
        let Some(first) = key.first() else {
            self.terminal = true;
            return;
        };
        let Some(child) = self.children.iter_mut().find(|child| child.label[0] == *first) else {
            self.children.push(Node::new(key, true));
            return;
        };
        let common = child.label.iter().zip(key).take_while(|(a, b)| a == b).count();
        if common < child.label.len() {
            let mut lower = Node::new(&child.label.split_off(common), mem::take(&mut child.terminal));
            lower.children = mem::take(&mut child.children);
            child.children.push(lower);
        }
        child.insert(&key[common..]);
    }

    fn remove(&mut self, bug: Bug, key: &[u8]) {
        let Some(first) = key.first() else {
            self.terminal = false;
            return;
        };
        let Some(index) = self.children.iter().position(|child| child.label[0] == *first) else { return };
        let mut child = self.children.swap_remove(index);
        let rest = key.strip_prefix(child.label.as_slice());
        if let Some(rest) = rest {
            child.remove(bug, rest);
        }
        let lost = bug == Bug::Present && rest.is_none();
        if !lost && (child.terminal || !child.children.is_empty()) {
            self.children.push(child);
        }
    }

    fn contains(&self, key: &[u8]) -> bool {
        let Some(first) = key.first() else { return self.terminal };
        let child = self.children.iter().find(|child| child.label[0] == *first);
        child.is_some_and(|child| key.strip_prefix(child.label.as_slice()).is_some_and(|rest| child.contains(rest)))
    }
}
