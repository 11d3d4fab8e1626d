//! Which parts of a case to vary, and in which order.
//!
//! Large parts come first: what is inside a part that can be anything need not be looked at. What was found to be open one
//! part at a time is then varied together. (Plain loops, here and in the files beside: chains of iterators are dear to
//! compile, and this runs once.)

use super::part::{BARREN, ENOUGH, FEWEST, Part, values};
use super::vary::{Kind, Seen, Vary};
use super::{Any, Claim, Open, places, relations};
use crate::choice::{Choice, Item};
use crate::generate::{ELEMENT, FIXED_ELEMENT};
use crate::shrink::structure::{Group, Structure, outer_first};
use crate::sort::order;
use std::ops::Range;

/// How many elements are added to a collection, in turn.
const ADDED: [usize; 5] = [1, 2, 1, 8, 64];
/// So many combinations of contents for several parts are all run.
const FEW_COMBINATIONS: u64 = 256;
/// Of a case with more choices than this only whole variables are varied: nobody reads such a value part by part.
const MAX_CHOICES: usize = 2_000;

/// What can be said of the case.
pub(super) fn claims(vary: &mut Vary<'_>) -> Vec<Claim> {
    let names = vary.names();
    // What a value became by steps cannot be told from its choices.
    let mut fixed = vec![false; names.len()];
    for step in &vary.case.steps {
        if let Some(fixed) = fixed.get_mut(step.quantifier() as usize) {
            *fixed = true;
        }
    }
    let structure = Structure::new(&vary.case.sequence, &fixed);
    let mut parts = Vec::new();
    for span in &structure.spans {
        if let Some(variable) = variable(span.label) {
            parts.push(whole(vary, &structure, variable, span.label, &span.range));
        }
    }
    let wholes = parts.len();
    let mut told = vec![true; names.len()];
    for place in 0..wholes {
        let Part { variable, open, .. } = parts[place];
        // Of a value that reads differently each time it cannot be told what a part of it is.
        let is_told = vary.texts.get(variable).is_some_and(Option::is_some);
        if !open && is_told && parts[place].ranges[0].len() > 1 && vary.items().len() <= MAX_CHOICES {
            let range = parts[place].ranges[0].clone();
            told[variable] = inside(vary, &structure, variable, &range, &mut parts);
        }
    }
    let together = together(vary, &parts);
    let mut claims = Vec::new();
    for (variable, told) in told.into_iter().enumerate() {
        for part in &parts[..wholes] {
            if part.variable == variable && part.open {
                let Part { runs, every, .. } = *part;
                let together = together.is_some();
                claims.push(Claim::Any(Any { variable, open: Open::Whole, together, runs, every, up_to_depth: None }));
            }
        }
        places::locate(vary, variable, &parts[wholes..], told, together, &mut claims);
    }
    relations::relate(vary, &parts[..wholes], &names, &mut claims);
    relations::relate_within(vary, &parts[wholes..], &names, &mut claims);
    claims
}

fn variable(label: u32) -> Option<usize> {
    (label >> 31 == 1).then_some((label & !(1 << 31)) as usize)
}

/// Varies a whole variable.
fn whole(vary: &mut Vary<'_>, structure: &Structure, variable: usize, label: u32, range: &Range<usize>) -> Part {
    // A number can be varied more thoroughly than at random, unless more depends on it.
    if range.len() == 1 && structure.numbers_in(range).len() == 1 {
        let mut number = Part::new(variable, range.clone(), Kind::Number);
        number.explore(vary, 0);
        if number.seen.unusable == 0 {
            return number;
        }
    }
    let mut whole = Part::new(variable, range.clone(), Kind::Span(label, 0));
    whole.explore(vary, 0);
    whole
}

/// Varies the parts of a variable that cannot be anything as a whole. Whether all choices showed where in the text they are.
fn inside(
    vary: &mut Vary<'_>,
    structure: &Structure,
    variable: usize,
    range: &Range<usize>,
    parts: &mut Vec<Part>,
) -> bool {
    let first = parts.len();
    add_parts(structure, variable, range, parts);
    let extent = |part: &Part| part.ranges[0].start..part.ranges[part.ranges.len() - 1].end;
    let order = order(parts.len() - first, &|a, b| outer_first(&extent(&parts[first + a]), &extent(&parts[first + b])));
    let mut told = true;
    for (done, &place) in order.iter().enumerate() {
        let is_open = is_inside_open(&parts[first..], &parts[first + place].ranges);
        let part = &mut parts[first + place];
        if is_open {
            continue;
        }
        part.explore(vary, order.len() - done - 1);
        if part.kind == Kind::Number && part.runs == 0 && part.seen.unusable > 0 {
            part.explore_loose(vary);
            if part.runs == 0 {
                part.changed = shown(vary, part);
                told &= !part.changed.is_empty();
            }
        }
    }
    for group in &structure.groups {
        if is_collection(structure, range, group)
            && !is_inside_open(&parts[first..], std::slice::from_ref(&group.whole))
        {
            let part = lengthen(vary, variable, group);
            told &= !part.changed.is_empty();
            parts.push(part);
        }
    }
    told && vary.cut_short.is_none()
}

/// Adds the parts of a variable.
fn add_parts(structure: &Structure, variable: usize, range: &Range<usize>, parts: &mut Vec<Part>) {
    let mut add = |range: Range<usize>, kind| parts.push(Part::new(variable, range, kind));
    for (place, span) in structure.spans.iter().enumerate() {
        if span.label >> 31 == 1 || !holds(range, &span.range) || span.range.len() < 2 || span.range == *range {
            continue;
        }
        let mut ordinal = 0;
        for other in &structure.spans[..place] {
            ordinal += usize::from(other.label == span.label && other.range.start == span.range.start);
        }
        match span.label {
            // Behind the choice to go on.
            ELEMENT if span.range.len() > 2 => add(span.range.start + 1..span.range.end, Kind::Elements),
            ELEMENT | FIXED_ELEMENT => {}
            label => add(span.range.clone(), Kind::Span(label, ordinal)),
        }
    }
    for &number in structure.numbers_in(range) {
        add(number..number + 1, Kind::Number);
    }
    for group in &structure.groups {
        if !is_collection(structure, range, group) {
            continue;
        }
        if group.whole != *range {
            parts.push(Part::new(variable, group.whole.clone(), Kind::Collection));
        }
        let mut elements = Vec::new();
        for element in &group.elements {
            if element.len() > 1 {
                elements.push(element.start + 1..element.end);
            }
        }
        if elements.len() > 1 {
            parts.push(Part::of_many(variable, elements, Kind::Elements));
        }
    }
}

fn holds(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Whether a group in a range is a collection: its elements begin with the choice to go on.
fn is_collection(structure: &Structure, range: &Range<usize>, group: &Group) -> bool {
    let Some(first) = group.elements.first() else { return holds(range, &group.whole) && group.stop.is_some() };
    for span in &structure.spans {
        if span.label == ELEMENT && span.range == *first {
            return holds(range, &group.whole);
        }
    }
    false
}

/// Whether some ranges are inside of a part that can be anything.
fn is_inside_open(parts: &[Part], ranges: &[Range<usize>]) -> bool {
    for outer in parts {
        let mut held = 0;
        for range in ranges {
            for own in &outer.ranges {
                held += usize::from(outer.open && holds(own, range));
            }
        }
        if held == ranges.len() {
            return true;
        }
    }
    false
}

/// Where a number shows in the text of its variable, though it cannot be varied alone: another variable depends on it.
fn shown(vary: &Vary<'_>, part: &Part) -> Vec<usize> {
    for &value in values(vary, part.ranges[0].start).0.iter().take(5) {
        if let Some(shown) = vary.shows(&part.ranges, &vec![vec![value]], part.variable) {
            return shown;
        }
    }
    Vec::new()
}

/// Whether a collection may have more elements, and where in the text its length shows.
fn lengthen(vary: &mut Vary<'_>, variable: usize, group: &Group) -> Part {
    let end = group.stop.unwrap_or(group.whole.end);
    let mut part = Part::new(variable, end..end, Kind::Collection);
    part.elements = group.elements.len();
    let allowed = (vary.left() / 4).clamp(FEWEST, ENOUGH);
    let (mut round, mut barren) = (0, 0);
    let mut passed = false;
    while !passed && part.runs < allowed && barren < BARREN / 4 && vary.left() > 0 {
        let pool = vary.elements(group.whole.start, round).unwrap_or_default();
        let mut content = Vec::new();
        for place in 0..if pool.is_empty() { 0 } else { ADDED[round as usize % ADDED.len()] } {
            content.push(Item::Choice(Choice { value: 1, max: 1 }));
            content.extend_from_slice(&pool[place % pool.len()]);
        }
        round += 1;
        if content.is_empty() {
            barren += 1;
            continue;
        }
        passed = !part.take(vary, vec![content], &mut barren);
    }
    if part.runs == 0
        && let Some(last) = group.elements.last()
        && let Some(changed) = vary.look(std::slice::from_ref(last), &vec![Vec::new()], variable)
    {
        part.changed = changed;
    }
    part.open = !passed && part.runs >= FEWEST;
    part
}

/// Varies all open parts at once: how often, if the property never passed.
fn together(vary: &mut Vary<'_>, parts: &[Part]) -> Option<u64> {
    let (mut variables, mut open, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for (number, part) in parts.iter().enumerate() {
        if part.open {
            variables.push(part.variable);
            open.push(number);
            for place in 0..part.ranges.len() {
                all.push((number, place));
            }
        }
    }
    if open.len() < 2 {
        return Some(0);
    }
    let range = |place: usize| &parts[all[place].0].ranges[all[place].1];
    // An addition stands behind what ends where it begins.
    let order = order(all.len(), &|a, b| range(a).start.cmp(&range(b).start).then(range(b).end.cmp(&range(a).end)));
    let mut ranges = Vec::new();
    for &place in &order {
        ranges.push(range(place).clone());
    }
    // Each may stay as it is, too. If there are few combinations, all are run.
    let mut combinations = 1u64;
    for &number in &open {
        combinations = combinations.saturating_mul(parts[number].tried.len() as u64 + 1);
    }
    let all_of_them = combinations <= FEW_COMBINATIONS;
    let mut seen = Seen::default();
    let (mut runs, mut barren, mut combination) = (0, 0, 0);
    while if all_of_them { combination < combinations } else { runs < ENOUGH && barren < BARREN } {
        let mut picked = vec![0; parts.len()];
        let mut rest = combination;
        for &number in &open {
            let last = parts[number].tried.len() as u64;
            picked[number] = if all_of_them { rest % (last + 1) } else { vary.random.up_to(last) } as usize;
            rest /= last + 1;
        }
        combination += 1;
        let mut contents = Vec::new();
        for &place in &order {
            let (number, range) = all[place];
            let part = &parts[number];
            contents.push(match part.tried.get(picked[number]) {
                Some(tried) => tried[range].clone(),
                None => vary.items()[part.ranges[range].clone()].to_vec(),
            });
        }
        match vary.run(&ranges, &contents, &variables, &mut seen) {
            Some(ran) if !ran.fails => return None,
            Some(_) => (runs, barren) = (runs + 1, 0),
            None => barren += 1,
        }
    }
    let enough = runs >= FEWEST || runs > 0 && all_of_them && vary.cut_short.is_none();
    enough.then_some(runs)
}
