//! Which parts of a case to vary, in which order, and what may be said of them afterwards.
//!
//! Large parts come first: what is inside a part that can be anything need not be looked at. What was found to be open one
//! part at a time is then varied together. A part is said to be open only where it can be told from its neighbours: if a
//! choice that matters shows in the same place of the text, that place is not marked.

use super::tree::{Mark, Tree};
use super::vary::{Contents, Kind, Seen, Vary};
use super::{Any, Claim, Open, relations};
use crate::choice::{Choice, Item};
use crate::generate::{ELEMENT, FIXED_ELEMENT};
use crate::shrink::edit;
use crate::shrink::structure::{Group, Structure, outer_first};
use crate::sort::sort_by;
use std::ops::Range;

/// Fewer runs than this say nothing, unless there are no other values.
const FEWEST: u64 = 20;
/// So many runs are enough for a part.
const ENOUGH: u64 = 100;
/// After so many proposals in a row that could not be run a part is given up, or has no other values.
const BARREN: u32 = 60;
/// All values of a choice with no larger maximum are tried.
const SMALL: u64 = 255;
/// Of larger choices all values below this are: the bug may be about one small number.
const SWEPT: u64 = 128;
/// Of a choice among more alternatives than this not all are tried.
const MANY_BRANCHES: u64 = 7;
/// How many elements are added to a collection, in turn.
const ADDED: [usize; 5] = [1, 2, 1, 8, 64];
/// Numbers that programs are often about, and their neighbours.
const SPECIAL: [u64; 14] =
    [200, 256, 500, 1_000, 1_024, 4_096, 10_000, 1 << 15, 1 << 16, 100_000, 1_000_000, 1 << 31, 1 << 32, 1 << 53];

/// A part of the case, and what came of varying it.
pub(super) struct Part {
    pub(super) variable: usize,
    pub(super) ranges: Vec<Range<usize>>,
    pub(super) kind: Kind,
    /// What was tried in its place.
    pub(super) tried: Vec<Contents>,
    seen: Seen,
    /// The items of the variable's text that read differently then.
    changed: Vec<usize>,
    pub(super) open: bool,
    runs: u64,
    every: bool,
}

impl Part {
    pub(super) fn new(variable: usize, ranges: Vec<Range<usize>>, kind: Kind) -> Self {
        Self {
            variable,
            ranges,
            kind,
            tried: Vec::new(),
            seen: Seen::default(),
            changed: Vec::new(),
            open: false,
            runs: 0,
            every: false,
        }
    }

    fn holds(&self, range: &Range<usize>) -> bool {
        self.ranges.iter().any(|own| own.start <= range.start && range.end <= own.end)
    }

    /// Whether it is the place behind a collection's elements, where others may be added.
    fn is_addition(&self) -> bool {
        self.ranges[0].is_empty()
    }

    /// Runs one variation. False if there is no need to go on: the property passed.
    fn take(&mut self, vary: &mut Vary<'_>, contents: Contents, barren: &mut u32) -> bool {
        let Some(ran) = vary.run(&self.ranges, &contents, &[self.variable], &mut self.seen) else {
            *barren += 1;
            return true;
        };
        *barren = 0;
        self.runs += 1;
        self.changed.extend_from_slice(&ran.changed);
        self.tried.push(contents);
        ran.fails
    }

    /// Varies the part until the property passes or enough was tried.
    fn explore(&mut self, vary: &mut Vary<'_>) {
        let mut allowed = (vary.left() / 4).max(FEWEST);
        let mut barren = 0;
        let mut every = false;
        if self.kind == Kind::Number {
            let (values, all) = values(vary, self.ranges[0].start);
            every = all;
            if all && vary.left() > 2 * SMALL {
                allowed = SMALL;
            }
            for value in values {
                if self.runs >= allowed || vary.left() == 0 {
                    every = false;
                    break;
                }
                if !self.take(vary, vec![vec![value]], &mut barren) {
                    return;
                }
            }
        }
        let enough = allowed.min(self.runs.max(ENOUGH));
        let (mut round, mut barren) = (0, 0);
        while !every && self.runs < enough && barren < BARREN && vary.left() > 0 {
            if let Some(contents) = vary.generate(&self.kind, &self.ranges, round) {
                if !self.take(vary, contents, &mut barren) {
                    return;
                }
            } else {
                barren += 1;
            }
            round += 1;
        }
        self.conclude(vary, every);
    }

    /// Says that the part is open, if the runs are enough for that.
    fn conclude(&mut self, vary: &Vary<'_>, every: bool) {
        // A part with few other values runs out of them.
        let all = self.seen.unusable == 0 && (every || vary.cut_short.is_none());
        self.every = every && all;
        self.open = self.runs >= FEWEST || self.runs > 0 && all;
    }

    /// As [`Part::explore`] for a choice on which it depends how many others follow.
    fn explore_loose(&mut self, vary: &mut Vary<'_>) {
        let place = self.ranges[0].start;
        let (now, max) = (edit::value(&vary.items()[place]), edit::max(&vary.items()[place]));
        let allowed = (vary.left() / 4).clamp(FEWEST, ENOUGH);
        let mut known = None;
        let (mut round, mut barren) = (0, 0);
        while self.runs < allowed && barren < BARREN / 4 && vary.left() > 0 {
            let value = round % (max.min(MANY_BRANCHES) + 1);
            round += 1;
            if value == now && known.is_none() {
                continue;
            }
            let Some((found, content)) = vary.loose(place, value, self.variable, known, round) else {
                barren += 1;
                continue;
            };
            known = Some(found);
            (self.kind, self.ranges) = (Kind::Loose, vec![place..place + 1 + found.follow]);
            if !self.take(vary, vec![content], &mut barren) {
                return;
            }
        }
        self.conclude(vary, false);
    }
}

/// Values worth a try for the choice at a place, and whether they are all there are.
fn values(vary: &Vary<'_>, place: usize) -> (Vec<Item>, bool) {
    let Item::Choice(Choice { value: now, max }) = vary.items()[place] else { return (Vec::new(), false) };
    let mut values = Vec::new();
    for item in vary.items().iter().take(20) {
        let other = edit::value(item);
        values.extend_from_slice(&[other, other.saturating_add(1), other.saturating_sub(1)]);
    }
    values.extend_from_slice(&[max, max.wrapping_sub(1), max / 2, max / 2 + 1]);
    for number in vary.numbers_told() {
        // As signed numbers are coded, too: positive ones are odd, negative ones are even.
        let twice = number.saturating_mul(2);
        values.extend_from_slice(&[number, twice.saturating_sub(1), twice]);
    }
    let all = max <= SMALL;
    for value in 0..if all { max + 1 } else { SWEPT } {
        values.push(value);
    }
    for special in SPECIAL {
        values.extend_from_slice(&[special, special - 1, 2 * special - 1, 2 * special]);
    }
    let mut items = Vec::new();
    for value in values {
        let item = Item::Choice(Choice { value, max });
        if value <= max && value != now && !items.contains(&item) {
            items.push(item);
        }
    }
    (items, all)
}

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
    for whole in wholes.iter().filter(|whole| !whole.open && whole.ranges[0].len() > 1) {
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
        claims.extend(located(vary, variable, &parts, told, together));
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
        let alike = |other: &&crate::shrink::structure::Part| {
            other.label == span.label && other.range.start == span.range.start
        };
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

/// What can be said of the parts of a variable: where they are in its text, if that can be told.
fn located(vary: &Vary<'_>, variable: usize, parts: &[&Part], told: bool, together: Option<u64>) -> Vec<Claim> {
    let text = vary.texts[variable].as_ref().filter(|_| told);
    let (mut marks, mut marked, mut elsewhere) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts.iter().filter(|part| part.open) {
        match text.and_then(|text| places(text, part, parts)) {
            Some(places) => {
                marks.extend_from_slice(&places);
                marked.push(part.runs);
            }
            // What such a part is made of was guessed by its place.
            None if part.kind == Kind::Loose => {}
            None => elsewhere.push(part.runs),
        }
    }
    let mut claims = Vec::new();
    let mut claim = |open: Open, runs: &[u64]| {
        let Some(&fewest) = runs.iter().min() else { return };
        let runs = together.filter(|&together| together > 0 && runs.len() > 1).unwrap_or(fewest);
        claims.push(Claim::Any(Any { variable, open, together: together.is_some(), runs, every: false }));
    };
    if let Some(text) = text {
        claim(Open::Pattern(text.pattern(&marks)), &marked);
    }
    claim(Open::Parts, &elsewhere);
    claims
}

/// Where an open part is in the text of its variable; nothing if something that matters shows in the same place.
fn places(text: &Tree, part: &Part, all: &[&Part]) -> Option<Vec<(usize, Mark)>> {
    let around = text.around(&part.changed)?;
    if part.is_addition() {
        return Some(vec![(around, Mark::More)]);
    }
    // Elements that are varied together have a place each.
    let nodes = if part.ranges.len() > 1 { text.items_with(around, &part.changed) } else { vec![around] };
    for other in all {
        // Larger parts need not be asked: all their choices are parts, too.
        let matters = !other.open && (matches!(other.kind, Kind::Number | Kind::Loose) || other.is_addition());
        for &node in nodes.iter().filter(|_| matters) {
            if other.changed.iter().any(|&changed| text.is_inside(changed, node)) {
                return None;
            }
        }
    }
    let mut places = Vec::new();
    for node in nodes {
        places.push((node, Mark::Replace("_")));
    }
    Some(places)
}
