//! Relations between one, two or three variables, or between numbers or characters in one variable.
//!
//! None of them can be anything when varied alone, but they can when varied together, as long as they stay related. So
//! values are run that distinguish relations (`pairs.rs`), and a relation is claimed if the property failed whenever it
//! held (`tally.rs`). The claim that the property passed otherwise is made only if no run refutes it, whatever the run
//! was for.

use super::pairs::{try_one, try_pairs, try_three};
use super::part::Part;
use super::tally::{Found, Place, Tally};
use super::tree::Mark;
use super::vary::{Kind, Vary};
use super::{Claim, Related};
use crate::sort::sort_by;

/// With more variables, or numbers in them, not every pair is tried.
const MAX_PARTS: usize = 6;

/// The names of numbers in a variable: the first pair of which no variable has the name.
const NAMES: [[&str; 2]; 3] = [["x", "y"], ["p", "q"], ["i", "j"]];

fn free_names(names: &[&'static str]) -> [&'static str; 2] {
    let is_free = |pair: &&[&str; 2]| !names.contains(&pair[0]) && !names.contains(&pair[1]);
    *NAMES.iter().find(is_free).unwrap_or(&NAMES[0])
}

/// Claims about variables none of which can be anything when varied alone.
pub(super) fn relate(vary: &mut Vary<'_>, wholes: &[Part], names: &[&'static str], claims: &mut Vec<Claim>) {
    let mut closed = Vec::new();
    for part in wholes {
        if !part.open && closed.len() < MAX_PARTS {
            closed.push(part);
        }
    }
    let mut add = |parts: &[&Part], found: Option<Found>| {
        let Some(Found { terms, relation, failed, passed }) = found else { return false };
        let alone = names.len() == parts.len();
        claims.push(Claim::Related(Related { terms, relation, within: None, alone, failed, passed }));
        true
    };
    if let [one, two, three] = closed[..] {
        let found = related_wholes(vary, &[one, two, three], names);
        if add(&closed, found) {
            return;
        }
    }
    let mut is_related = vec![false; wholes.len()];
    for (place, right) in wholes.iter().enumerate().take(MAX_PARTS) {
        for (before, left) in wholes[..place].iter().enumerate() {
            // A part that is open next to one value of another part need not be open next to its other values.
            if left.open && right.open {
                continue;
            }
            let parts = [left, right];
            let found = related_wholes(vary, &parts, names);
            if add(&parts, found) {
                (is_related[before], is_related[place]) = (true, true);
            }
        }
    }
    for (place, part) in wholes.iter().enumerate() {
        if !is_related[place] && !part.open {
            let found = related_wholes(vary, &[part], names);
            add(&[part], found);
        }
    }
}

/// The same for numbers in one variable.
pub(super) fn relate_within(vary: &mut Vary<'_>, parts: &[Part], names: &[&'static str], claims: &mut Vec<Claim>) {
    let mut numbers: Vec<(&Part, usize)> = Vec::new();
    for part in parts {
        if let Some(node) = own_item(part, parts)
            && numbers.len() < MAX_PARTS
        {
            numbers.push((part, node));
        }
    }
    let mut is_related = vec![false; numbers.len()];
    for place in 0..numbers.len() {
        for before in 0..place {
            let pair = [numbers[before], numbers[place]];
            if pair[0].0.variable == pair[1].0.variable && relate_numbers(vary, &pair, names, claims) {
                (is_related[before], is_related[place]) = (true, true);
            }
        }
    }
    for (place, &number) in numbers.iter().enumerate() {
        if !is_related[place] {
            relate_numbers(vary, &[number], names, claims);
        }
    }
    for variable in 0..names.len() {
        relate_characters(vary, variable, parts, names, claims);
    }
}

/// The same for the characters of a string in a variable.
fn relate_characters(
    vary: &mut Vary<'_>,
    variable: usize,
    parts: &[Part],
    names: &[&'static str],
    claims: &mut Vec<Claim>,
) {
    let Some(Some(text)) = vary.texts.get(variable) else { return };
    // Strings with the numbers that show in them, in order: one for each character.
    let mut strings: Vec<(usize, Vec<&Part>)> = Vec::new();
    for node in 0..text.len() {
        let mut shown: Vec<&Part> = Vec::new();
        for part in parts {
            if part.variable == variable && part.kind == Kind::Number && part.changed.contains(&node) {
                shown.push(part);
            }
        }
        let characters = if text.is_text(node) { text.characters(node) } else { 0 };
        if (2..=MAX_PARTS).contains(&characters) && shown.len() == characters {
            sort_by(&mut shown, |a, b| a.ranges[0].start.cmp(&b.ranges[0].start));
            strings.push((node, shown));
        }
    }
    for (node, shown) in &strings {
        for right in 1..shown.len() {
            for left in 0..right {
                let pair = [shown[left], shown[right]];
                if pair[0].open || pair[1].open {
                    continue;
                }
                let free = free_names(names);
                let item = |place| Place { variable, node: *node, character: Some(place) };
                let found = related(vary, &pair, &[item(left), item(right)], &free);
                let (Some(Found { terms, relation, failed, passed }), Some(text)) = (found, &vary.texts[variable])
                else {
                    continue;
                };
                let named = text.with_names(*node, &[(left, free[0]), (right, free[1])]);
                let within = Some(format!("{} = {named}", names[variable]));
                let alone = names.len() == 1;
                claims.push(Claim::Related(Related { terms, relation, within, alone, failed, passed }));
            }
        }
    }
}

/// Adds claims about numbers in one variable, each with the item in which it shows. Returns whether there are any.
fn relate_numbers(
    vary: &mut Vary<'_>,
    numbers: &[(&Part, usize)],
    names: &[&'static str],
    claims: &mut Vec<Claim>,
) -> bool {
    let variable = numbers[0].0.variable;
    let free = free_names(names);
    let (mut parts, mut items, mut marks) = (Vec::new(), Vec::new(), Vec::new());
    for (number, &(part, node)) in numbers.iter().enumerate() {
        parts.push(part);
        items.push(Place { variable, node, character: None });
        marks.push((node, Mark::Named(free[number])));
    }
    let found = related(vary, &parts, &items, &free[..numbers.len()]);
    let (Some(Found { terms, relation, failed, passed }), Some(text)) = (found, &vary.texts[variable]) else {
        return false;
    };
    let within = Some(format!("{} = {}", names[variable], text.pattern(&marks)));
    claims.push(Claim::Related(Related { terms, relation, within, alone: names.len() == 1, failed, passed }));
    true
}

/// The only item in which a number that matters shows, if nothing else that matters shows there.
fn own_item(part: &Part, parts: &[Part]) -> Option<usize> {
    let node = *part.changed.first().filter(|_| !part.open && part.kind == Kind::Number)?;
    for other in parts {
        let is_same = other.ranges == part.ranges;
        let is_small = matches!(other.kind, Kind::Number | Kind::Loose);
        for &changed in &other.changed {
            if other.variable == part.variable && is_small && (changed == node) != is_same {
                return None;
            }
        }
    }
    Some(node)
}

/// The relation between whole variables when the property fails.
fn related_wholes(vary: &mut Vary<'_>, parts: &[&Part], names: &[&'static str]) -> Option<Found> {
    let (mut items, mut own) = (Vec::new(), Vec::new());
    for part in parts {
        items.push(Place { variable: part.variable, node: 0, character: None });
        own.push(names[part.variable]);
    }
    related(vary, parts, &items, &own)
}

/// The relation between parts when the property fails. `items` are those in which they show.
fn related(vary: &mut Vary<'_>, parts: &[&Part], items: &[Place], names: &[&str]) -> Option<Found> {
    let mut closed = true;
    for part in parts {
        closed &= !part.open;
    }
    let mut tally = Tally::new(vary, items, closed)?;
    // Values that change other variables cannot be run.
    let left_alone = match parts {
        [one] => try_one(vary, one, &mut tally),
        [one, two] => try_pairs(vary, [one, two], &mut tally),
        _ => try_three(vary, parts, &mut tally),
    };
    if !left_alone || vary.cut_short.is_some() {
        return None;
    }
    tally.found(names)
}
