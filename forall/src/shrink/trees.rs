//! Moves subtrees to other places.
//!
//! Trees of the same size have many forms, and a bug often does not depend on some of the differences: one form should
//! be reported. Neighbouring subtrees of one kind are swapped if that is simpler. If that is not possible, one of them
//! moves into the other: it takes the place of a leaf there, or of the leaf's neighbour, which then takes the leaf's.
//! Or it is removed, and two subtrees of the other are swapped, because one of them is then in the wrong place. Not
//! covered: moves between subtrees that are not neighbours.

use super::edit;
use super::search::Search;
use super::structure::{Part, Structure, is_tree};
use crate::choice::Item;
use std::ops::Range;

/// Subtrees with more parts than this are only swapped: moving would take a run for each of their leaves.
const MAX_PARTS: usize = 24;

pub(super) fn trees(search: &mut Search<'_>) {
    let mut at = 0;
    while let Some((a, b)) = neighbours(&search.structure()).get(at).cloned() {
        at += 1;
        let items = search.items();
        let (first, second) = (items[a.range.clone()].to_vec(), items[b.range.clone()].to_vec());
        let swapped = edit::changed(items, &[(a.range.clone(), &second), (b.range.clone(), &first)]);
        if search.consider(swapped) {
            continue;
        }
        let Some(leaf) = search.simplest(a.label).map(<[Item]>::to_vec) else { continue };
        let pair = (&a, &b);
        if move_into(search, pair, &a, &second, &leaf)
            || move_into(search, pair, &b, &first, &leaf)
            || swap_inside(search, pair, &a, &second, &leaf)
            || swap_inside(search, pair, &b, &first, &leaf)
            || turn(search, &a)
        {
            at = 0;
        }
    }
}

/// Proposes the tree around `left`, its first subtree, rotated to the right: `((A x B) y C)` as `(A x (B y C))`.
fn turn(search: &mut Search<'_>, left: &Part) -> bool {
    let structure = search.structure();
    let neighbours = neighbours(&structure);
    let Some((a, b)) = neighbours.iter().find(|(a, _)| left.holds(a)) else { return false };
    // The constructor, which precedes A, is swapped with A and the items between A and B.
    let turned = edit::changed(
        search.items(),
        &[
            (left.range.start..a.range.start, &[]),
            (b.range.start..b.range.start, &search.items()[left.range.start..a.range.start]),
        ],
    );
    search.consider(turned)
}

/// Proposes a leaf in place of the first of a pair, and the host containing the guest in place of the second.
fn move_into(search: &mut Search<'_>, (a, b): (&Part, &Part), host: &Part, guest: &[Item], leaf: &[Item]) -> bool {
    if guest == leaf {
        return false;
    }
    for (hosted, guest) in &hosted(search, host, guest, leaf) {
        let items = edit::changed(search.items(), &[(a.range.clone(), leaf), (b.range.clone(), hosted)]);
        let start = b.range.start - a.range.len() + leaf.len();
        if search.consider_part(items, start + guest.start..start + guest.end, a.label) {
            return true;
        }
    }
    false
}

/// Proposes a leaf in place of the first of a pair, and in place of the second the remaining one, with two neighbours
/// in it swapped.
fn swap_inside(search: &mut Search<'_>, (a, b): (&Part, &Part), stays: &Part, goes: &[Item], leaf: &[Item]) -> bool {
    let structure = search.structure();
    if goes == leaf || held(&structure, stays).len() > MAX_PARTS {
        return false;
    }
    for (c, d) in &neighbours(&structure) {
        let items = search.items();
        let (first, second) = (&items[c.range.clone()], &items[d.range.clone()]);
        if !stays.holds(c) || first == second {
            continue;
        }
        let inside = |part: &Part| part.range.start - stays.range.start..part.range.end - stays.range.start;
        let swapped = edit::changed(&items[stays.range.clone()], &[(inside(c), second), (inside(d), first)]);
        let items = edit::changed(items, &[(a.range.clone(), leaf), (b.range.clone(), &swapped)]);
        if search.consider(items) {
            return true;
        }
    }
    false
}

/// Consecutive subtrees of one kind in the same tree, outermost first. There may be other items between them.
fn neighbours(structure: &Structure) -> Vec<(Part, Part)> {
    let mut neighbours = Vec::new();
    for (at, a) in structure.spans.iter().enumerate() {
        if !is_tree(a) {
            continue;
        }
        // The part after all inner parts, and the one after that.
        let mut next = at + 1 + structure.inside(at).len();
        while let Some(b) = structure.spans.get(next)
            && b.depth >= a.depth
        {
            if (b.parent, b.label) == (a.parent, a.label) {
                neighbours.push((a.clone(), b.clone()));
                break;
            }
            next += 1 + structure.inside(next).len();
        }
    }
    neighbours
}

/// The subtrees inside a part that are of the same kind.
fn held(structure: &Structure, around: &Part) -> Vec<Part> {
    let mut parts = Vec::new();
    for part in &structure.spans {
        if around.holds(part) {
            parts.push(part.clone());
        }
    }
    parts
}

/// The host with the guest in place of one of its leaves, or of the leaf's neighbour; and the position of the guest.
fn hosted(search: &mut Search<'_>, host: &Part, guest: &[Item], leaf: &[Item]) -> Vec<(Vec<Item>, Range<usize>)> {
    let structure = search.structure();
    let items = search.items();
    let parts = held(&structure, host);
    let mut hosted = Vec::new();
    if parts.len() > MAX_PARTS {
        return hosted;
    }
    let place = |range: &Range<usize>| range.start - host.range.start..range.end - host.range.start;
    for slot in &parts {
        if items[slot.range.clone()] != *leaf {
            continue;
        }
        let own = &items[host.range.clone()];
        let start = place(&slot.range).start;
        hosted.push((edit::replaced(own, place(&slot.range), guest), start..start + guest.len()));
        for other in &parts {
            if other.parent != slot.parent || other.range == slot.range {
                continue;
            }
            let content = &items[other.range.clone()];
            let (range, other_range) = (place(&slot.range), place(&other.range));
            if other_range.start < range.start {
                let both = edit::replaced(own, range, content);
                let at = other_range.start..other_range.start + guest.len();
                hosted.push((edit::replaced(&both, other_range, guest), at));
            } else {
                let both = edit::replaced(own, other_range.clone(), guest);
                let start = other_range.start - range.len() + content.len();
                hosted.push((edit::replaced(&both, range, content), start..start + guest.len()));
            }
        }
    }
    hosted
}
