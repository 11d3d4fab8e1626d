//! Replaces a tree by one of its subtrees.
//!
//! If only a part of an expression is needed for the failure, shrinking descends: each tree is replaced by one of its
//! own subtrees of the same kind, largest first, and so on. Single steps may fail where several at once succeed: two
//! negations can only be removed together, and a subtree that draws more higher up, where more size is left, may be
//! shorter only some levels up. So all subtrees, however deep, are tried as replacements. Not covered: parts
//! without a span, which are only reached by deleting runs of choices.

use super::edit;
use super::search::Search;
use super::structure::{Part, Structure, is_tree};
use crate::choice::{Sequence, Span};
use crate::sort::sort_by;
use std::ops::Range;

/// A tree is replaced by at most this many of its parts, largest first: there may be too many to try all.
const MAX_PARTS: usize = 24;

/// Replaces each subtree, outermost first, by its children of the same kind.
pub(super) fn descend(search: &mut Search<'_>) {
    let mut at = 0;
    while at < search.structure().spans.len() {
        let structure = search.structure();
        let part = &structure.spans[at];
        at += 1;
        if !is_tree(part) {
            continue;
        }
        let mut children = children(&structure, at - 1);
        sort_by(&mut children, |a, b| b.range.len().cmp(&a.range.len()));
        for child in &children {
            let by = search.items()[child.range.clone()].to_vec();
            let items = edit::replaced(search.items(), part.range.clone(), &by);
            if search.consider(items) {
                // A different tree is here now: look at it again.
                at -= 1;
                break;
            }
        }
    }
}

/// Replaces each subtree, outermost first, by any subtree of the same kind inside it.
pub(super) fn deeper(search: &mut Search<'_>) {
    let mut at = 0;
    while at < search.structure().spans.len() {
        let structure = search.structure();
        let part = &structure.spans[at];
        at += 1;
        if !is_tree(part) {
            continue;
        }
        let mut inner = Vec::new();
        for other in structure.inside(at - 1) {
            if part.holds(other) {
                inner.push(other.clone());
            }
        }
        sort_by(&mut inner, |a, b| b.range.len().cmp(&a.range.len()));
        for by in inner.iter().take(MAX_PARTS) {
            let hoisted = hoisted(&search.best.sequence, part, by);
            if let Some(hoisted) = hoisted
                && search.consider_sequence(hoisted)
            {
                at -= 1;
                break;
            }
        }
    }
}

/// The sequence with a part replaced by one of its inner parts, and the spans that are then expected.
fn hoisted(sequence: &Sequence, part: &Part, by: &Part) -> Option<Sequence> {
    let Sequence { size, items, spans } = sequence;
    let (old, new) = (inside(spans, part)?, inside(spans, by)?);
    let removed = (part.range.len() - by.range.len()) as u32;
    let (start, end) = (part.range.start as u32, part.range.end as u32);
    let shift = by.range.start as u32 - start;
    let follow = |place: u32| if place < end { place } else { place - removed };
    let mut hoisted = Vec::with_capacity(spans.len());
    for span in &spans[..old.start] {
        hoisted.push(Span { end: follow(span.end), ..*span });
    }
    for span in &spans[new] {
        hoisted.push(Span { start: span.start - shift, end: span.end - shift, ..*span });
    }
    for span in &spans[old.end..] {
        hoisted.push(Span { start: follow(span.start), end: follow(span.end), ..*span });
    }
    let items = edit::replaced(items, part.range.clone(), &items[by.range.clone()]);
    Some(Sequence { size: *size, items, spans: hoisted })
}

/// The positions of a part and the parts inside it in the list of spans.
fn inside(spans: &[Span], part: &Part) -> Option<Range<usize>> {
    let (start, end) = (part.range.start as u32, part.range.end as u32);
    let mut first = 0;
    while (spans.get(first)?.label, spans[first].start, spans[first].end) != (part.label, start, end) {
        first += 1;
    }
    // Spans are listed as they were opened. For empty spans at the end it is unknown whether they are inside; they are
    // assumed to be.
    let mut after = first;
    while after < spans.len() && start <= spans[after].start && spans[after].end <= end {
        after += 1;
    }
    Some(first..after)
}

/// The outermost parts of the same kind inside.
fn children(structure: &Structure, part: usize) -> Vec<Part> {
    let mut children: Vec<Part> = Vec::new();
    for other in structure.inside(part) {
        let outside = children.last().is_none_or(|child| child.range.end <= other.range.start);
        if outside && structure.spans[part].holds(other) {
            children.push(other.clone());
        }
    }
    children
}
