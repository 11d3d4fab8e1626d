//! Varies all open parts at once: a part that can be anything while the rest is unchanged need not be open when
//! everything varies.

use super::part::{BARREN, ENOUGH, FEWEST, FIRST_FRESH, FRESH, Part};
use super::vary::{Contents, Seen, Vary, same_values};
use crate::choice::{Item, shortlex};
use crate::sort::order;
use std::cmp::Ordering;

/// Up to this many combinations of contents for several parts are run exhaustively.
const FEW_COMBINATIONS: u64 = 256;
/// The maximum number of contents tried for each part that are reused while the others vary.
const MAX_TRIED: usize = 400;
/// The number of combinations in which all parts are equal, as far as possible.
const ALIKE: usize = 40;
/// With more parts than this, not every part is left out once.
const MAX_LEFT_OUT: usize = 20;

/// The result of varying all open parts at once.
pub(super) struct Joint {
    /// Whether they can be anything at the same time.
    pub(super) together: bool,
    /// How often they were varied.
    runs: u64,
    /// Whether these were all combinations of the contents tried for each part; always true for a single part.
    all: bool,
}

impl Joint {
    /// The number of runs behind a claim about some parts, and whether they are exhaustive, given the same for each
    /// part alone.
    pub(super) fn evidence(&self, runs: u64, every: bool) -> (u64, bool) {
        if !self.together || self.runs == 0 || self.all && every { (runs, every) } else { (self.runs, false) }
    }

    /// Varies all open parts together, and closes those that turn out not to be open.
    pub(super) fn of(vary: &mut Vary<'_>, parts: &mut [Part]) -> Self {
        for part in &mut *parts {
            part.test_literals(vary);
        }
        let joint = loop {
            match Self::vary(vary, parts) {
                Ok(joint) => break joint,
                Err(closed) => parts[closed].open = false,
            }
        };
        // Each part alone, if the joint runs say nothing about it.
        if !joint.together || joint.runs == 0 {
            for part in parts {
                if part.runs < FRESH {
                    part.test(vary);
                }
            }
        }
        joint
    }

    /// The same with the given parts; `Err` with the index of a part that is not open.
    fn vary(vary: &mut Vary<'_>, parts: &[Part]) -> Result<Self, usize> {
        let (mut open, mut places) = (Vec::new(), Vec::new());
        let mut combinations = 1u64;
        for (place, part) in parts.iter().enumerate() {
            if part.open {
                open.push(part);
                places.push(place);
                // Each part may also stay unchanged.
                combinations = combinations.saturating_mul(part.tried.len() as u64 + 1);
            }
        }
        let all = open.len() < 2 || combinations <= FEW_COMBINATIONS;
        let mut combined = Combined::new(open);
        if combined.parts.len() < 2 {
            return Ok(Self { together: true, runs: 0, all });
        }
        let mut most = 0;
        for part in &combined.parts {
            most = part.tried.len().min(MAX_TRIED).max(most);
        }
        let enough = (2 + combined.parts.len().min(MAX_LEFT_OUT) + ALIKE + most) as u64 + ENOUGH / 2;
        let rounds = Rounds { combinations: all.then_some(combinations), enough, most };
        vary.foresee(true, |vary| {
            combined.clone().first_that_passes(vary, &rounds);
        });
        if let Some(contents) = combined.first_that_passes(vary, &rounds) {
            return combined.refuted(vary, &contents, &places, all);
        }
        let runs = combined.runs;
        let all = all && vary.cut_short.is_none();
        let together = runs >= FEWEST && vary.cut_short.is_none() || runs > 0 && all;
        // All combinations of some values of a part say nothing about its other values.
        let mut every = all;
        for part in &combined.parts {
            every &= part.every;
        }
        if together && !every {
            vary.begin_testing();
            vary.foresee(true, |vary| {
                combined.clone().fresh(vary);
            });
            let passed = combined.fresh(vary);
            vary.testing = false;
            if let Some(contents) = passed {
                return combined.refuted(vary, &contents, &places, all);
            }
        }
        Ok(Self { together, runs: combined.runs, all })
    }
}

/// Which combinations of the open parts are run.
struct Rounds {
    /// All of them, if they are few.
    combinations: Option<u64>,
    /// Otherwise this many, with the contents that were tried for a part, of which there are at most `most`.
    enough: u64,
    most: usize,
}

/// The open parts.
#[derive(Clone)]
struct Combined<'p> {
    parts: Vec<&'p Part>,
    /// The ranges of all parts in order: the index of the part and of its range.
    places: Vec<(usize, usize)>,
    /// For each part, the indices of the smallest and the largest contents that were tried.
    extremes: Vec<(usize, usize)>,
    seen: Seen,
    runs: u64,
}

impl<'p> Combined<'p> {
    fn new(parts: Vec<&'p Part>) -> Self {
        let (mut unordered, mut extremes) = (Vec::new(), Vec::new());
        for (number, part) in parts.iter().enumerate() {
            for place in 0..part.ranges.len() {
                unordered.push((number, place));
            }
            let (mut least, mut greatest) = (0, 0);
            for place in 0..part.tried.len() {
                if compare(part, place, least).is_lt() {
                    least = place;
                }
                if compare(part, place, greatest).is_gt() {
                    greatest = place;
                }
            }
            extremes.push((least, greatest));
        }
        let range = |place: usize| &parts[unordered[place].0].ranges[unordered[place].1];
        // An addition comes after a part that ends where it starts.
        let order =
            order(unordered.len(), &|a, b| range(a).start.cmp(&range(b).start).then(range(b).end.cmp(&range(a).end)));
        let mut places = Vec::new();
        for &place in &order {
            places.push(unordered[place]);
        }
        Self { parts, places, extremes, seen: Seen::default(), runs: 0 }
    }

    /// Runs combinations of contents that were tried, and returns the first that passes.
    fn first_that_passes(&mut self, vary: &mut Vary<'_>, rounds: &Rounds) -> Option<Vec<Option<Contents>>> {
        let mut barren = 0;
        for round in 0..rounds.combinations.unwrap_or(u64::MAX) {
            let all = rounds.combinations.is_some();
            if !all && (round >= rounds.enough && self.runs >= ENOUGH || barren >= BARREN) {
                break;
            }
            let picked = if all { self.combination(round) } else { self.pick(vary, round as usize, rounds.most) };
            let contents = self.contents(&picked);
            match self.run(vary, &contents) {
                Some(false) => return Some(contents),
                Some(true) => barren = 0,
                None => barren += 1,
            }
        }
        None
    }

    /// One of all combinations.
    fn combination(&self, number: u64) -> Vec<usize> {
        let mut rest = number;
        let mut picked = Vec::new();
        for part in &self.parts {
            let count = part.tried.len() as u64 + 1;
            picked.push((rest % count) as usize);
            rest /= count;
        }
        picked
    }

    /// The contents of each part in round `round`: all largest, all smallest, all largest but one, all equal, each of
    /// the tried contents in turn (`most` of them), and then random ones.
    fn pick(&self, vary: &mut Vary<'_>, round: usize, most: usize) -> Vec<usize> {
        let count = self.parts.len();
        let alike = round.wrapping_sub(2 + count.min(MAX_LEFT_OUT));
        let mut picked = Vec::new();
        for (number, part) in self.parts.iter().enumerate() {
            let (least, greatest) = self.extremes[number];
            picked.push(match round {
                0 => greatest,
                1 => least,
                _ if round - 2 < count.min(MAX_LEFT_OUT) => {
                    if number == round - 2 {
                        least
                    } else {
                        greatest
                    }
                }
                _ if alike < ALIKE => {
                    let other = self.parts[alike % count];
                    let wanted = alike / count % other.tried.len();
                    let mut place = 0;
                    while place < part.tried.len() && !same(part, place, other, wanted) {
                        place += 1;
                    }
                    if place < part.tried.len() { place } else { wanted % part.tried.len() }
                }
                _ if alike < ALIKE + most => (alike + 7 * number) % part.tried.len(),
                // The smallest, the largest, or any; the last index stands for the unchanged contents.
                _ => match vary.random.up_to(7) {
                    0 => least,
                    1 => greatest,
                    _ => vary.random.up_to(part.tried.len() as u64) as usize,
                },
            });
        }
        picked
    }

    /// The contents of each part in a combination; none for an unchanged part.
    fn contents(&self, picked: &[usize]) -> Vec<Option<Contents>> {
        let mut contents = Vec::new();
        for (part, &picked) in self.parts.iter().zip(picked) {
            contents.push(part.tried.get(picked).cloned());
        }
        contents
    }

    /// Runs many combinations of values that the generator makes, and returns the first that passes.
    fn fresh(&mut self, vary: &mut Vary<'_>) -> Option<Vec<Option<Contents>>> {
        let (wanted, mut barren, mut round) = (self.runs + FRESH, 0, FIRST_FRESH);
        while self.runs < wanted && barren < BARREN && vary.may_go_on() {
            round += 1;
            let mut contents = Vec::new();
            for (number, part) in self.parts.iter().enumerate() {
                // Each part in another round, so that the sizes differ.
                contents.push(part.fresh(vary, round + 3 * number as u64));
            }
            match self.run(vary, &contents) {
                Some(false) => return Some(contents),
                Some(true) => barren = 0,
                None => barren += 1,
            }
        }
        None
    }

    /// The conclusion from a passing combination: the index of a part that is not open, if the property also passes
    /// with that part changed alone.
    fn refuted(
        &mut self,
        vary: &mut Vary<'_>,
        contents: &[Option<Contents>],
        places: &[usize],
        all: bool,
    ) -> Result<Joint, usize> {
        for number in 0..self.parts.len() {
            let mut alone = Vec::new();
            for (other, content) in contents.iter().enumerate() {
                alone.push(content.clone().filter(|_| other == number));
            }
            if contents[number].is_some() && self.run(vary, &alone) == Some(false) {
                return Err(places[number]);
            }
        }
        Ok(Joint { together: false, runs: self.runs, all })
    }

    /// Runs a combination, and returns whether the property failed, or `None` if the run is no evidence.
    fn run(&mut self, vary: &mut Vary<'_>, contents: &[Option<Contents>]) -> Option<bool> {
        let (mut ranges, mut spliced, mut variables) = (Vec::new(), Vec::new(), Vec::new());
        for &(number, place) in &self.places {
            let part = self.parts[number];
            variables.push(part.variable);
            ranges.push(part.ranges[place].clone());
            spliced.push(match &contents[number] {
                Some(content) => content.get(place)?.clone(),
                None => vary.items()[part.ranges[place].clone()].to_vec(),
            });
        }
        let ran = vary.run(&ranges, &spliced, &variables, &mut self.seen)?;
        self.runs += 1;
        Some(ran.fails)
    }
}

/// Which of two contents that were tried is simpler.
fn compare(part: &Part, a: usize, b: usize) -> Ordering {
    shortlex(&whole(part, a), &whole(part, b))
}

/// Whether two parts were tried with the same contents.
fn same(part: &Part, a: usize, other: &Part, b: usize) -> bool {
    same_values(&whole(part, a), &whole(other, b))
}

fn whole(part: &Part, tried: usize) -> Vec<Item> {
    part.tried[tried].concat()
}
