//! Which parts of a case to vary, and in which order.
//!
//! Large parts come first: what is inside a part that can be anything need not be looked at. What was found to be open one
//! part at a time is then varied together.

use super::part::{BARREN, ENOUGH, FEWEST, Part, values};
use super::vary::{Kind, Seen, Vary};
use super::{Any, Claim, Open, places, relations};
use crate::choice::{Choice, Item};
use crate::generate::{ELEMENT, FIXED_ELEMENT};
use crate::shrink::structure::{self, Group, Structure, outer_first};
use crate::sort::sort_by;
use std::ops::Range;

/// How many elements are added to a collection, in turn.
const ADDED: [usize; 5] = [1, 2, 1, 8, 64];
/// Of a case with more choices than this only whole variables are varied: nobody reads such a value part by part.
const MAX_CHOICES: usize = 2_000;

/// What can be said of the case.
pub(super) fn claims(vary: &mut Vary<'_>) -> Vec<Claim> {
    let names: Vec<&'static str> = vary.tester.property().outline().quantifiers.iter().map(|q| q.name).collect();
    // What a value became by steps cannot be told from its choices.
    let fixed: Vec<bool> =
        (0..names.len()).map(|v| vary.case.steps.iter().any(|step| step.quantifier() as usize == v)).collect();
    let structure = Structure::new(&vary.case.sequence, &fixed);
    let mut wholes = Vec::new();
    for span in &structure.spans {
        let Some(variable) = variable(span.label) else { continue };
        let mut whole = Part::new(variable, vec![span.range.clone()], Kind::Span(span.label, 0));
        if let [place] = structure.numbers_in(&span.range)
            && span.range.len() == 1
        {
            // A number can be varied more thoroughly than at random, unless more depends on it.
            let mut number = Part::new(variable, vec![*place..*place + 1], Kind::Number);
            number.explore(vary);
            if number.seen.unusable == 0 {
                wholes.push(number);
                continue;
            }
        }
        whole.explore(vary);
        wholes.push(whole);
    }
    let mut inner = Vec::new();
    let mut told = vec![true; names.len()];
    let is_readable = vary.items().len() <= MAX_CHOICES;
    for whole in wholes.iter().filter(|whole| is_readable && !whole.open && whole.ranges[0].len() > 1) {
        told[whole.variable] = inside(vary, &structure, whole, &mut inner);
    }
    let mut open: Vec<&Part> = wholes.iter().chain(&inner).filter(|part| part.open).collect();
    sort_by(&mut open, |a, b| outer_first(&a.ranges[0], &b.ranges[0]));
    let together = together(vary, &open);
    let mut claims = Vec::new();
    for (variable, told) in told.into_iter().enumerate() {
        let of = |part: &&Part| part.variable == variable;
        let whole = wholes.iter().find(of).filter(|whole| whole.open);
        if let Some(&Part { runs, every, .. }) = whole {
            let together = together.is_some();
            claims.push(Claim::Any(Any { variable, open: Open::Whole, together, runs, every }));
            continue;
        }
        let parts: Vec<&Part> = inner.iter().filter(of).collect();
        claims.extend(places::located(vary, variable, &parts, told, together));
    }
    claims.extend(relations::relations(vary, &wholes, &names));
    claims
}

fn variable(label: u32) -> Option<usize> {
    (label >> 31 == 1).then_some((label & !(1 << 31)) as usize)
}

/// Varies the parts of a variable that cannot be anything as a whole. Whether all choices showed where in the text they are.
fn inside(vary: &mut Vary<'_>, structure: &Structure, whole: &Part, found: &mut Vec<Part>) -> bool {
    let range = &whole.ranges[0];
    let is_within = |inner: &Range<usize>| range.start <= inner.start && inner.end <= range.end;
    let mut parts: Vec<Part> = Vec::new();
    let mut add = |ranges: Vec<Range<usize>>, kind| parts.push(Part::new(whole.variable, ranges, kind));
    for (place, span) in structure.spans.iter().enumerate() {
        if variable(span.label).is_some() || !is_within(&span.range) || span.range.len() < 2 {
            continue;
        }
        let alike = |other: &&structure::Part| other.label == span.label && other.range.start == span.range.start;
        let kind = Kind::Span(span.label, structure.spans[..place].iter().filter(alike).count());
        match span.label {
            // Behind the choice to go on.
            ELEMENT if span.range.len() > 2 => add(vec![span.range.start + 1..span.range.end], Kind::Elements),
            ELEMENT | FIXED_ELEMENT => {}
            _ if span.range != *range => add(vec![span.range.clone()], kind),
            _ => {}
        }
    }
    let is_collection = |group: &&Group| {
        let is_element =
            |element: &Range<usize>| structure.spans.iter().any(|span| span.label == ELEMENT && span.range == *element);
        is_within(&group.whole) && group.elements.first().map_or(group.stop.is_some(), is_element)
    };
    let groups: Vec<&Group> = structure.groups.iter().filter(is_collection).collect();
    for group in &groups {
        if group.whole != *range {
            add(vec![group.whole.clone()], Kind::Collection);
        }
        let elements: Vec<_> = group.elements.iter().map(|element| element.start + 1..element.end).collect();
        if elements.len() > 1 && elements.iter().all(|element| !element.is_empty()) {
            add(elements, Kind::Elements);
        }
    }
    for &number in structure.numbers_in(range) {
        add(vec![number..number + 1], Kind::Number);
    }
    let order = |a: &Part, b: &Part| {
        let extent = |part: &Part| part.ranges[0].start..part.ranges[part.ranges.len() - 1].end;
        outer_first(&extent(a), &extent(b))
    };
    sort_by(&mut parts, order);
    let first = found.len();
    let mut told = true;
    for mut part in parts {
        if found[first..].iter().any(|outer| outer.open && part.ranges.iter().all(|range| outer.holds(range))) {
            continue;
        }
        part.explore(vary);
        if part.kind == Kind::Number && part.runs == 0 {
            if part.seen.unusable > 0 {
                part.explore_loose(vary);
            }
            if part.runs == 0 && part.seen.unusable > 0 {
                part.changed = shown(vary, &part);
                told &= !part.changed.is_empty();
            }
        }
        found.push(part);
    }
    for group in groups {
        if !found[first..].iter().any(|outer| outer.open && outer.holds(&group.whole)) {
            told &= lengthen(vary, whole.variable, group, found);
        }
    }
    told && vary.cut_short.is_none()
}

/// Where a number shows in the text of its variable, though it cannot be varied alone: another variable depends on it.
fn shown(vary: &Vary<'_>, part: &Part) -> Vec<usize> {
    for value in values(vary, part.ranges[0].start).0.into_iter().take(5) {
        if let Some(shown) = vary.shows(&part.ranges, &vec![vec![value]], part.variable) {
            return shown;
        }
    }
    Vec::new()
}

/// Whether a collection may have more elements, and where in the text its length shows. Whether that could be seen.
fn lengthen(vary: &mut Vary<'_>, variable: usize, group: &Group, found: &mut Vec<Part>) -> bool {
    let end = group.stop.unwrap_or(group.whole.end);
    let mut part = Part::new(variable, vec![end..end], Kind::Collection);
    let allowed = (vary.left() / 4).clamp(FEWEST, ENOUGH);
    let (mut round, mut barren) = (0, 0);
    let mut passed = false;
    while !passed && part.runs < allowed && barren < BARREN / 4 && vary.left() > 0 {
        let pool = vary.elements(group.whole.start, round).unwrap_or_default();
        let mut content = Vec::new();
        for element in pool.iter().cycle().take(ADDED[round as usize % ADDED.len()]) {
            content.push(Item::Choice(Choice { value: 1, max: 1 }));
            content.extend_from_slice(element);
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
    // Where dots cannot be put, such as in a string, there is no good way to say it.
    let place = vary.texts[variable].as_ref().and_then(|text| Some((text, text.around(&part.changed)?)));
    let shows = place
        .is_some_and(|(text, node)| text.may_have_more(node) && part.changed.iter().all(|&changed| changed == node));
    part.open = !passed && part.runs >= FEWEST && shows;
    let told = !part.changed.is_empty();
    found.push(part);
    told
}

/// Varies all open parts at once: how often, if the property never passed.
fn together(vary: &mut Vary<'_>, open: &[&Part]) -> Option<u64> {
    if let [] | [_] = open {
        return Some(0);
    }
    let mut variables = Vec::new();
    let mut ranges: Vec<(Range<usize>, usize, usize)> = Vec::new();
    for (number, part) in open.iter().enumerate() {
        variables.push(part.variable);
        for (place, range) in part.ranges.iter().enumerate() {
            ranges.push((range.clone(), number, place));
        }
    }
    sort_by(&mut ranges, |a, b| a.0.start.cmp(&b.0.start).then(a.0.end.cmp(&b.0.end)));
    let places: Vec<Range<usize>> = ranges.iter().map(|(range, ..)| range.clone()).collect();
    let mut seen = Seen::default();
    let (mut runs, mut barren) = (0, 0);
    while runs < ENOUGH && barren < BARREN {
        let mut picked = Vec::new();
        for part in open {
            picked.push(&part.tried[vary.random.up_to(part.tried.len() as u64 - 1) as usize]);
        }
        let contents = ranges.iter().map(|(_, part, place)| picked[*part][*place].clone()).collect();
        match vary.run(&places, &contents, &variables, &mut seen) {
            Some(ran) if !ran.fails => return None,
            Some(_) => (runs, barren) = (runs + 1, 0),
            None => barren += 1,
        }
    }
    let enough = runs >= FEWEST || runs > 0 && vary.cut_short.is_none();
    enough.then_some(runs)
}
