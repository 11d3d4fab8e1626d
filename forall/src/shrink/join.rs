//! Two neighbouring collections as one, or divided otherwise.
//!
//! In `[[1, 2], [3]]` no inner list can lose an element if three numbers are needed; but one list of three is simpler than
//! two lists. The choice to stop at the end of one collection and what begins the next one are removed together. And in
//! `[[[]]]` the innermost list may as well stand beside the one around it, `[[], []]`, which is simpler: the choice to stop
//! moves before the last element. What this misses: collections that are not neighbours, which sorting brings together.

use super::edit;
use super::search::Search;

/// What stands before a collection in its element, such as the key of a map, has no more choices than this.
const MAX_BEFORE: usize = 4;

/// For each end of a collection, removes the choice to stop together with the choice that begins the next element around,
/// and what stands in it before the next collection.
pub(super) fn join(search: &mut Search<'_>) {
    let mut at = usize::MAX;
    loop {
        let structure = search.structure();
        let begins = |end: usize| structure.groups.iter().any(|g| g.elements.iter().skip(1).any(|e| e.start == end));
        let mut last = 0;
        for group in &structure.groups {
            let end = group.stop.map_or(0, |stop| stop + 1);
            if last < end && end < at && begins(end) {
                last = end;
            }
        }
        if last == 0 {
            return;
        }
        let end = last;
        let next = structure.groups.iter().map(|group| group.whole.start).filter(|&start| start > end).min();
        let next = next.filter(|&next| next <= end + 1 + MAX_BEFORE).unwrap_or(end + 1);
        let items = edit::replaced(search.items(), end - 1..next, &[]);
        // What was joined may be joined again; if not, go on before it.
        search.consider(items);
        at = end;
    }
}

/// For each collection that ends inside an element of another, moves its last element out of it.
pub(super) fn divide(search: &mut Search<'_>) {
    let mut at = 0;
    while let Some(group) = search.structure().groups.get(at).cloned() {
        at += 1;
        let structure = search.structure();
        let ends = |stop: usize| structure.groups.iter().any(|g| g.elements.iter().any(|e| e.end == stop + 1));
        if let (Some(stop), Some(last)) = (group.stop.filter(|&stop| ends(stop)), group.elements.last()) {
            let mut items = search.items().to_vec();
            let stop = items.remove(stop);
            items.insert(last.start, stop);
            search.consider(items);
        }
    }
}
