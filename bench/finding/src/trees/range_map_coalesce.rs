//! rangemap 0.1.8 (issue 24): inserting over a range with the same start does not merge the new range with an equal
//! neighbor on the left.

use crate::Bug;

/// Ranges that touch have different values, and every number has the value inserted last.
pub fn holds(bug: Bug, inserts: &[(u8, u8, bool)]) -> Option<bool> {
    let mut map = Vec::new();
    let mut model = [None; 256];
    for &(start, end, value) in inserts {
        if start < end {
            insert(bug, &mut map, Entry { start: start.into(), end: end.into(), value });
            model[usize::from(start)..usize::from(end)].fill(Some(value));
        }
    }
    let coalesced = map.windows(2).all(|pair| pair[0].end < pair[1].start || pair[0].value != pair[1].value);
    let find = |key: u16| map.iter().find(|entry| (entry.start..entry.end).contains(&key)).map(|entry| entry.value);
    Some(coalesced && (0..=255).all(|key| find(key) == model[usize::from(key)]))
}

pub fn witness() -> (Vec<(u8, u8, bool)>,) {
    (vec![(99, 200, true), (190, 200, false), (190, 200, true)],)
}

#[derive(Clone, Copy)]
struct Entry {
    start: u16,
    end: u16,
    value: bool,
}

fn insert(bug: Bug, map: &mut Vec<Entry>, new: Entry) {
    let replaces = map.iter().any(|old| old.start == new.start);
    let mut pieces = vec![new];
    for &old in map.iter() {
        let left = Entry { end: old.end.min(new.start), ..old };
        let right = Entry { start: old.start.max(new.end), ..old };
        pieces.extend([left, right].into_iter().filter(|piece| piece.start < piece.end));
    }
    pieces.sort_by_key(|piece| piece.start);
    map.clear();
    for piece in pieces {
        let apart = bug == Bug::Present && replaces && piece.start == new.start;
        match map.last_mut() {
            Some(last) if last.end == piece.start && last.value == piece.value && !apart => last.end = piece.end,
            _ => map.push(piece),
        }
    }
}
