//! Two neighbouring collections as one.
//!
//! In `[[1, 2], [3]]` no inner list can lose an element if three numbers are needed; but one list of three is simpler than
//! two lists. The choice to stop at the end of one collection and what begins the next one are removed together. What this
//! misses: collections that are not neighbours, which sorting and shortening bring together.

use super::edit;
use super::search::Search;

/// For each end of a collection, removes the choice to stop together with the choice that begins the next element around.
pub(super) fn join(search: &mut Search<'_>) {
    let mut at = usize::MAX;
    loop {
        let structure = search.structure();
        let ends = structure.groups.iter().filter(|group| group.open).map(|group| group.whole.end);
        let begins = |end: &usize| structure.groups.iter().any(|g| g.elements.iter().skip(1).any(|e| e.start == *end));
        let Some(end) = ends.filter(|&end| end < at).filter(begins).max() else { return };
        let items = edit::without(search.items(), &[end - 1..end + 1]);
        // What was joined may be joined again; if not, go on before it.
        search.consider(items);
        at = end;
    }
}
