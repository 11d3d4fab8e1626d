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
        // Where elements begin that are not the first, and where collections end and begin.
        let mut begins = vec![false; search.items().len() + 1];
        let (mut ends, mut starts) = (begins.clone(), begins.clone());
        for group in &structure.groups {
            for element in group.elements.iter().skip(1) {
                begins[element.start] = true;
            }
            ends[group.stop.map_or(0, |stop| stop + 1)] = true;
            starts[group.whole.start] = true;
        }
        loop {
            let Some(end) = (1..at.min(ends.len())).rev().find(|&end| ends[end] && begins[end]) else { return };
            at = end;
            let most = starts.len().min(end + 2 + MAX_BEFORE);
            let next = (end + 1..most).find(|&start| starts[start]).unwrap_or(end + 1);
            // What was joined may be joined again; if not, go on before it.
            if search.consider(edit::replaced(search.items(), end - 1..next, &[])) {
                break;
            }
        }
    }
}

/// For each collection that ends inside an element of another, moves its last element out of it.
pub(super) fn divide(search: &mut Search<'_>) {
    let mut at = 0;
    while at < search.structure().groups.len() {
        let structure = search.structure();
        // Where elements end.
        let mut ends = vec![false; search.items().len() + 1];
        for element in structure.groups.iter().flat_map(|group| &group.elements) {
            ends[element.end] = true;
        }
        while let Some(group) = structure.groups.get(at) {
            at += 1;
            if let (Some(stop), Some(last)) = (group.stop.filter(|&stop| ends[stop + 1]), group.elements.last()) {
                let mut items = search.items().to_vec();
                let stop = items.remove(stop);
                items.insert(last.start, stop);
                if search.consider(items) {
                    break;
                }
            }
        }
    }
}
