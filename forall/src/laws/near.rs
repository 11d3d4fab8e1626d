//! A few values that are close to each other, since such values are more likely to violate laws.

use crate::choice::{Item, Random, Sequence, Source, scale};
use crate::generate::{Generator, GeneratorExt, from_fn, vec};
use std::cell::RefCell;

/// The maximum number of values: each test compares all of them instead of two or three.
const MOST_VALUES: usize = 8;

/// By how much a choice is changed. Adjacent signed numbers are two codes apart, and a letter and its other case are 26
/// codes apart.
const STEPS: [u64; 8] = [0, 1, 2, 2, 4, 10, 26, 26];

/// A few values, most of them close to another one, and generated at less than the test's size: small values are more
/// often equal.
pub(super) fn few<G: Generator>(generator: &G, source: &mut Source) -> Vec<G::Value> {
    let known: RefCell<Vec<Sequence>> = RefCell::default();
    let element = from_fn(|source| {
        let Some(draw) = source.hidden_draw() else { return generator.generate(source) };
        let mut known = known.borrow_mut();
        if !known.is_empty() && draw.selector & 3 != 0 {
            let mut random = Random::from_key(draw.word);
            let like = &known[random.up_to(known.len() as u64 - 1) as usize];
            let changed = changed(like, &mut random);
            let value = source.with_choices(&changed.items, |source| generator.generate(source));
            known.push(changed);
            return value;
        }
        known.extend(source.foresee(|source| drop(generator.generate(source))));
        generator.generate(source)
    });
    source.draw(vec(element.scale(|size| size.div_ceil(3))).len(1..=MOST_VALUES))
}

/// A sequence with one choice changed.
#[inline]
fn changed(sequence: &Sequence, random: &mut Random) -> Sequence {
    let mut changed = sequence.clone();
    let is_open = |item: &Item| matches!(item, Item::Choice(choice) if choice.max > 0);
    let open = changed.items.iter().filter(|item| is_open(item)).count() as u64;
    if open == 0 {
        return changed;
    }
    let at = random.up_to(open - 1) as usize;
    if let Some(Item::Choice(choice)) = changed.items.iter_mut().filter(|item| is_open(item)).nth(at) {
        let draw = random.draw();
        let step = STEPS[scale(draw.word, STEPS.len() as u64 - 1) as usize];
        choice.value = match draw.selector & 7 {
            0..3 => choice.value.saturating_sub(step),
            3..6 => choice.value.saturating_add(step).min(choice.max),
            // The sign of a number.
            6 => (choice.value ^ 1).min(choice.max),
            _ => random.up_to(choice.max),
        };
    }
    changed
}
