//! Structural shrinking, shared by implementations of `Arbitrary`: fewer parts first, then simpler parts.

use super::Arbitrary;

/// Simpler versions of a value with `parts`, of which at least `min` must stay: first with a run of parts removed, the
/// longest runs first; then with one part simplified. Stops at parts that cannot be copied.
pub(super) fn shrink_parts<'a, P: 'a, T: 'a>(
    parts: Vec<P>,
    min: usize,
    duplicate: fn(&P) -> Option<T>,
    shrink: fn(&P) -> Box<dyn Iterator<Item = T> + 'a>,
) -> impl Iterator<Item = Vec<T>> + 'a {
    let count = parts.len();
    let mut run = count.saturating_sub(min);
    let mut at = 0;
    let mut part = 0;
    let mut simpler: Option<Box<dyn Iterator<Item = T> + 'a>> = None;
    std::iter::from_fn(move || {
        while run > 0 {
            if at + run > count {
                run /= 2;
                at = 0;
                continue;
            }
            let mut kept = Vec::new();
            for part in parts[..at].iter().chain(&parts[at + run..]) {
                kept.push(duplicate(part)?);
            }
            at += run;
            return Some(kept);
        }
        while part < count {
            let next = simpler.get_or_insert_with(|| shrink(&parts[part])).next();
            let Some(next) = next else {
                simpler = None;
                part += 1;
                continue;
            };
            let mut all = Vec::new();
            for other in &parts[..part] {
                all.push(duplicate(other)?);
            }
            all.push(next);
            for other in &parts[part + 1..] {
                all.push(duplicate(other)?);
            }
            return Some(all);
        }
        None
    })
}

/// The same for values in a row.
pub(super) fn shrink_values<'a, T: Arbitrary + 'a>(
    values: impl IntoIterator<Item = &'a T>,
    min: usize,
) -> impl Iterator<Item = Vec<T>> + 'a {
    shrink_parts(values.into_iter().collect::<Vec<&'a T>>(), min, |value| value.duplicate(), |value| value.shrink())
}

/// Copies of all values, if each can be copied.
pub(super) fn duplicates<'a, T: Arbitrary + 'a, C: FromIterator<T>>(
    values: impl IntoIterator<Item = &'a T>,
) -> Option<C> {
    values.into_iter().map(Arbitrary::duplicate).collect()
}
