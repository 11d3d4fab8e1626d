//! Which parts of a case to vary, and in which order.
//!
//! Large parts come first: the contents of a part that can be anything need not be examined. The parts that were found
//! to be open one at a time are then varied together. (Plain loops are used here and in the sibling modules: iterator
//! chains are expensive to compile, and this code runs once.)

use super::joint::Joint;
use super::notable::values;
use super::part::Part;
use super::vary::{Kind, Vary};
use super::{Any, Claim, Open, pattern, relations};
use crate::choice::DRAW;
use crate::generate::{ELEMENT, FIXED_ELEMENT};
use crate::shrink::edit;
use crate::shrink::structure::{Group, Structure, outer_first};
use crate::sort::order;
use std::ops::Range;

/// In a case with more choices than this, only whole variables are varied: a claim about a part of such a value is hard
/// to read.
const MAX_CHOICES: usize = 2_000;

/// The claims about the case.
pub(super) fn claims(vary: &mut Vary<'_>) -> Vec<Claim> {
    let names = vary.names();
    // A value changed by shrink steps cannot be recovered from its choices.
    let mut fixed = vec![false; names.len()];
    for step in &vary.case.steps {
        if let Some(fixed) = fixed.get_mut(step.quantifier() as usize) {
            *fixed = true;
        }
    }
    let structure = Structure::new(&vary.case.sequence, &fixed);
    let mut parts = Vec::new();
    // The body's draws come after the variables, in order.
    let mut draw = vary.quantifiers();
    for span in &structure.spans {
        let variable = match span.label {
            DRAW => {
                draw += 1;
                Some(draw - 1).filter(|draw| *draw < names.len())
            }
            label => variable(label).filter(|variable| !vary.is_source(*variable)),
        };
        if let Some(variable) = variable {
            parts.push(whole(vary, &structure, variable, span.label, &span.range));
        }
    }
    let wholes = parts.len();
    let mut told = vec![true; names.len()];
    for place in 0..wholes {
        let Part { variable, open, .. } = parts[place];
        // If a value prints differently each time, its parts cannot be located in the text.
        let is_told = vary.texts.get(variable).is_some_and(Option::is_some);
        if !open && is_told && parts[place].ranges[0].len() > 1 && vary.items().len() <= MAX_CHOICES {
            let range = parts[place].ranges[0].clone();
            told[variable] = inside(vary, &structure, variable, &range, &mut parts);
        }
    }
    let joint = Joint::of(vary, &mut parts);
    let mut claims = Vec::new();
    for (variable, &told) in told.iter().enumerate() {
        for part in &parts[..wholes] {
            if part.variable == variable && part.open {
                let (runs, every) = joint.evidence(part.runs, part.every);
                let together = joint.together;
                claims.push(Claim::Any(Any { variable, open: Open::Whole, together, runs, every, up_to_depth: None }));
            }
        }
        // If not every choice shows up in the text, it is unknown which places can be anything.
        if told
            && let Some(text) = &vary.texts[variable]
            && let Some(claim) = pattern::claim(text, variable, &parts[wholes..], &joint)
        {
            claims.push(claim);
        }
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
    // A number can be varied more systematically than at random, unless other values depend on it.
    if range.len() == 1 && structure.numbers_in(range).len() == 1 {
        let mut number = Part::new(variable, range.clone(), Kind::Number);
        number.explore(vary, 0);
        if number.seen.unusable == 0 {
            number.test(vary);
            return number;
        }
    }
    let mut whole = Part::new(variable, range.clone(), Kind::Span(label, 0));
    whole.explore(vary, 0);
    whole.test(vary);
    whole
}

/// Varies the parts of a variable that cannot be anything as a whole. Returns whether all choices could be located in
/// the text.
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
            let part = Part::lengthen(vary, variable, group);
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
            // After the "continue" choice.
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

/// Whether a group in a range is a collection: its elements start with a "continue" choice.
fn is_collection(structure: &Structure, range: &Range<usize>, group: &Group) -> bool {
    let Some(first) = group.elements.first() else { return holds(range, &group.whole) && group.stop.is_some() };
    for span in &structure.spans {
        if span.label == ELEMENT && span.range == *first {
            return holds(range, &group.whole);
        }
    }
    false
}

/// Whether some ranges are inside a part that can be anything.
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

/// Where a number appears in the text of its variable, although it cannot be varied alone because another variable
/// depends on it.
fn shown(vary: &Vary<'_>, part: &Part) -> Vec<usize> {
    let max = edit::max(&vary.items()[part.ranges[0].start]);
    for &value in values(vary, max).0.iter().take(6) {
        if let Some(shown) = vary.shows(&part.ranges, &vec![vec![value]], part.variable) {
            return shown;
        }
    }
    Vec::new()
}
