//! Moves numbers that are close to each other by the same amount.
//!
//! If a bug needs three numbers close to each other, such as the ends of two intervals and a point between them, their
//! position on the number line does not matter, but neither one nor two of them can be lowered without the third. So
//! all numbers that are close together are moved together: the first one to 0, or the one nearest to 0, or as far
//! towards 0 as possible. Not covered: numbers that are far from each other and must keep their distances, and clusters
//! near 0.

use super::edit;
use super::fold::{decode, encode};
use super::lower::bits;
use super::search::Search;

/// Numbers no further from each other than this are moved together, if they are further than this from 0.
const NEAR: i128 = 64;

/// Inputs with more numbers are skipped: all pairs are compared.
const MANY: usize = 200;

pub(super) fn near(search: &mut Search<'_>) {
    for &signed in &[true, false] {
        let mut at = 0;
        while at < search.structure().numbers.len().min(MANY) {
            move_cluster(search, at, signed);
            at += 1;
        }
    }
}

/// Moves the number at an index in the list of all numbers, and the later ones close to it.
fn move_cluster(search: &mut Search<'_>, at: usize, signed: bool) {
    let structure = search.structure();
    let number = |place| decode(search.value(place), signed);
    let first = number(structure.numbers[at]);
    let (mut cluster, mut nearest) = (Vec::new(), first);
    for &place in &structure.numbers[at..structure.numbers.len().min(MANY)] {
        let other = number(place);
        if (other - first).abs() <= NEAR {
            cluster.push((place, other));
            nearest = if other.abs() < nearest.abs() { other } else { nearest };
        }
    }
    if first.abs() <= NEAR || cluster.len() < 2 {
        return;
    }
    let attempt = |search: &mut Search<'_>, by: i128| {
        let mut changes = Vec::with_capacity(cluster.len());
        for &(place, number) in &cluster {
            let Some(code) = encode(number - by, search.max(place), signed) else { return false };
            changes.push((place, code));
        }
        let moved = edit::with_values(search.items(), &changes);
        search.consider_some(moved)
    };
    // A single step first: usually the distances do not matter.
    if attempt(search, nearest.signum()) && !attempt(search, first) && !attempt(search, nearest) {
        let left = u64::try_from(nearest.abs()).unwrap_or(u64::MAX);
        bits(search, left, &mut |search, left| attempt(search, nearest - nearest.signum() * i128::from(left)));
    }
}
