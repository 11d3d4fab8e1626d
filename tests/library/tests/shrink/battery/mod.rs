//! Properties with known truth: checks that claims about their counterexamples are true, and that simple truths are claimed.
//!
//! `values.rs` has the kinds of values and conditions on them, `properties.rs` builds properties from them, and `matching.rs`
//! decides whether a claim covers an input. This file judges the claims. The conditions come in two halves: the explainer was tuned
//! on the first, and never saw the second.

mod matching;
mod properties;
mod values;

use forall::explain::{Any, Claim, Open, Related, Relation, Term};
use forall::prelude::*;
use forall::run::{Run, Settings, Store, Tester};
use matching::{captured, length, matches};
use properties::{FAMILIES, Known, Simple};

/// The result for a property.
pub struct Judged {
    pub family: &'static str,
    pub half: u64,
    /// The share of its generator's values that pass.
    pub passing: f64,
    /// Whether something simple is true of its counterexample, and whether that was claimed.
    pub simple: Option<bool>,
    /// The claims, each with the share of inputs that refute it.
    pub claims: Vec<(String, f64)>,
    /// The property and its counterexample, for people.
    pub text: String,
    /// The cost of the explanation.
    pub evaluations: u64,
    pub seconds: f64,
}

/// How thoroughly a property is judged.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Inputs that are drawn to find out how many pass.
    pub drawn: u64,
    /// Inputs that each claim is held against.
    pub against: u64,
}

/// Judges so many properties that pass for 0.3 to 50 % of their generator's values.
pub fn judge(count: usize, seed: u64, effort: Effort) -> Vec<Judged> {
    let mut judged = Vec::new();
    for number in 0.. {
        if judged.len() >= count {
            break;
        }
        let mut s = Source::random(seed, number, 100);
        let (family, own, make) = FAMILIES[number as usize % FAMILIES.len()];
        let half = own.unwrap_or(number / FAMILIES.len() as u64 % 2);
        let mut known = make(&mut s, half);
        (known.family, known.half) = (family, half);
        judged.extend(judge_one(&known, number, effort));
    }
    judged
}

fn judge_one(known: &Known, number: u64, effort: Effort) -> Option<Judged> {
    let draw = |index: u64| {
        let mut s = Source::random(number, index, index as u32 % 101);
        let values: Vec<_> = known.draws.iter().map(|draw| (draw.value)(&mut s)).collect();
        (known.passes)(&values)
    };
    let share = |count: u64| (0..count).filter(|&index| draw(index)).count() as f64 / count as f64;
    // Most are far from the limits.
    let about = share(effort.drawn / 10);
    if about > 0.6 {
        return None;
    }
    // Properties that rarely pass are easily overlooked, and the generator of conditions produces few of them.
    if about > 0.1 && known.simple.is_none() && !number.is_multiple_of(4) {
        return None;
    }
    let passing = share(effort.drawn);
    if !(0.003..=0.5).contains(&passing) {
        return None;
    }
    let settings = Settings::new().seed(number).tests(2_000).store(Store::Off).enumerate(false);
    let found = Run::new("battery", &*known.property).settings(settings).report().counterexample?;
    Tester::new("battery", &*known.property, 1).run(&found.case);
    let minimal = known.ran.borrow().clone();
    let texts: Vec<String> = minimal.iter().map(|value| value.printed().text().to_owned()).collect();
    let claims = &found.explanation.claims;
    let mut refuted = Vec::new();
    for claim in claims {
        // For each claim: the inputs that it says fail, how many of them pass; and those that it says pass, and fail.
        let (mut spoken, mut against) = ([0u64; 2], [0u64; 2]);
        for index in 0..effort.against {
            let mut s = Source::random(number, 1 << 32 | index, index as u32 % 101);
            let mut values = minimal.clone();
            for (variable, value) in values.iter_mut().enumerate() {
                let draw = &known.draws[variable];
                *value = match is_varied(claim, claims, variable, texts.len()) {
                    How::Not => continue,
                    How::Near if draw.all && s.choice(1) > 0 => value.near(&mut s),
                    How::Near | How::Whole => (draw.value)(&mut s),
                };
            }
            let now: Vec<String> = values.iter().map(|value| value.printed().text().to_owned()).collect();
            let Some(says_fail) = says(claim, claims, &texts, &now) else { continue };
            spoken[usize::from(says_fail)] += 1;
            against[usize::from(says_fail)] += u64::from((known.passes)(&values) == says_fail);
        }
        let share = |at: usize| against[at] as f64 / spoken[at].max(1) as f64;
        refuted.push((claim.to_string(), share(0).max(share(1))));
    }
    let simple = known.simple.map(|simple| {
        claims.iter().zip(&refuted).any(|(claim, (_, refuted))| {
            let is_it = match (simple, claim) {
                (Simple::Open(variable), Claim::Any(any)) => any.variable == variable,
                (Simple::Related, Claim::Related(_)) => true,
                _ => false,
            };
            is_it && *refuted < 0.003
        })
    });
    Some(Judged {
        family: known.family,
        half: known.half,
        passing,
        simple,
        claims: refuted,
        text: format!("passes if {}; {}", known.condition, texts.join(", ")),
        evaluations: found.explanation.evaluations,
        seconds: found.explanation.time.as_secs_f64(),
    })
}

/// How a variable is varied to hold a claim against it.
enum How {
    Not,
    Whole,
    Near,
}

fn is_varied(claim: &Claim, claims: &[Claim], variable: usize, count: usize) -> How {
    match claim {
        Claim::Any(any) => {
            let is_own = |other: &Any| other.variable == variable && (other == any || any.together && other.together);
            let own = claims.iter().find_map(|claim| match claim {
                Claim::Any(other) if is_own(other) => Some(&other.open),
                _ => None,
            });
            match own {
                Some(Open::Whole) => How::Whole,
                Some(_) => How::Near,
                None => How::Not,
            }
        }
        Claim::Related(related) => {
            let own = &NAMES[variable..=variable];
            let is_own = match &related.within {
                Some(within) => within.starts_with(&format!("{} = ", own[0])),
                None => related.terms.iter().any(|term| is_named(term, own[0])),
            };
            if is_own || related.alone && count == 1 { How::Near } else { How::Not }
        }
        _ => How::Not,
    }
}

const NAMES: [&str; 3] = ["a", "b", "c"];

/// The claim's prediction for an input of variables named `a`, `b` and `c`: fails, passes, or none.
pub fn says(claim: &Claim, claims: &[Claim], minimal: &[String], now: &[String]) -> Option<bool> {
    match claim {
        Claim::Any(any) => {
            for (variable, text) in now.iter().enumerate() {
                let own = claims.iter().find_map(|other| match other {
                    Claim::Any(other) if other.variable == variable => Some(other),
                    _ => None,
                });
                let fits = match own {
                    Some(own) if own == any || any.together => match &own.open {
                        Open::Whole => true,
                        Open::Pattern(pattern) if own.together => text == &minimal[variable] || matches(pattern, text),
                        Open::Pattern(pattern) => {
                            text == &minimal[variable] || one_at_a_time(pattern, &minimal[variable], text)
                        }
                        _ => false,
                    },
                    _ => text == &minimal[variable],
                };
                if !fits {
                    return None;
                }
            }
            (now != minimal).then_some(true)
        }
        Claim::Related(related) => {
            let operands = operands(related, now)?;
            let holds = operands.windows(2).map(|pair| relates(related.relation, &pair[0], &pair[1]));
            let holds = holds.collect::<Option<Vec<bool>>>()?.into_iter().all(|holds| holds);
            if holds { Some(true) } else { related.passed.map(|_| false) }
        }
        _ => None,
    }
}

fn relates(relation: Relation, left: &str, right: &str) -> Option<bool> {
    let equal = left == right;
    let known = |number: Option<i128>| number.filter(|number| *number < i128::MAX);
    let (left, right) = match (relation, number(left), number(right)) {
        (Relation::Equal, one, two) if known(one).is_none() || known(two).is_none() => return Some(equal),
        (Relation::Different, one, two) if known(one).is_none() || known(two).is_none() => return Some(!equal),
        (_, left, right) => (left?, right?),
    };
    Some(match relation {
        Relation::Equal => left == right,
        Relation::Different => left != right,
        Relation::Less => left < right,
        Relation::AtMost => left <= right,
        Relation::Greater => left > right,
        Relation::AtLeast => left >= right,
        Relation::Within(limit) => left.abs_diff(right) <= limit.into(),
        Relation::Apart(limit) => left.abs_diff(right) > limit.into(),
        _ => return None,
    })
}

fn is_named(term: &Term, name: &str) -> bool {
    matches!(term, Term::Value(own) | Term::Length(own) | Term::Characters(own) | Term::Negated(own) if own == name)
}

/// The related terms, as values of an input.
fn operands(related: &Related, now: &[String]) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    if let Some(within) = &related.within {
        let (name, pattern) = within.split_once(" = ")?;
        parts = named_parts(pattern, &now[NAMES.iter().position(|own| *own == name)?])?;
    }
    let mut operands = Vec::new();
    for term in &related.terms {
        let (Term::Value(name) | Term::Length(name) | Term::Characters(name) | Term::Negated(name)) = term else {
            return None;
        };
        let part = parts.iter().find(|(own, _)| own == name).map(|(_, text)| text.clone());
        let variable = || Some(now.get(NAMES.iter().position(|own| own == name)?)?.clone());
        let text = part.or_else(variable).unwrap_or_else(|| name.clone());
        operands.push(match term {
            Term::Length(_) | Term::Characters(_) => length(&text)?.to_string(),
            Term::Negated(_) => number(&text)?.checked_neg()?.to_string(),
            _ => text,
        });
    }
    Some(operands)
}

/// The text at the positions of `x` and `y`.
fn named_parts(pattern: &str, text: &str) -> Option<Vec<(String, String)>> {
    let is_named = |(at, c): &(usize, char)| {
        let byte = |at: usize| pattern.as_bytes().get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        matches!(c, 'x' | 'y') && !byte(at.wrapping_sub(1)) && !byte(at + 1) && !pattern[at + 1..].starts_with(':')
    };
    let places: Vec<(usize, char)> = pattern.char_indices().filter(is_named).collect();
    let mut blank = pattern.to_owned();
    for (at, _) in &places {
        blank.replace_range(at..&(at + 1), "_");
    }
    let found = captured(&blank, text)?;
    let known = captured(&blank, pattern)?;
    let mut parts = Vec::new();
    for (name, text) in known.into_iter().zip(found) {
        if matches!(&*name, "x" | "y") {
            parts.push((name, text));
        }
    }
    Some(parts)
}

/// Whether just one of the open places has another value.
fn one_at_a_time(pattern: &str, minimal: &str, text: &str) -> bool {
    let places: Vec<usize> = pattern.match_indices('_').map(|(at, _)| at).collect();
    if places.len() < 2 {
        return matches(pattern, text);
    }
    // The pattern with one open position: it matches the counterexample everywhere else.
    matches(pattern, text) && {
        let (mut same, mut other) = (0, 0);
        for (a, b) in minimal.split(", ").zip(text.split(", ")) {
            if a == b { same += 1 } else { other += 1 }
        }
        same > 0 && other == 1 && minimal.split(", ").count() == text.split(", ").count()
    }
}

fn number(text: &str) -> Option<i128> {
    if let Ok(number) = text.parse::<i128>() {
        return Some(number);
    }
    if text.parse::<u128>().is_ok() || matches!(text, "u128::MAX" | "i128::MAX") {
        // Two of these are not told apart.
        return Some(i128::MAX);
    }
    if let Some(literal) = text.strip_prefix('\'') {
        return Some(unescaped(literal.strip_suffix('\'')?)? as i128);
    }
    let wrapped = text.strip_prefix("Box::new(").and_then(|rest| rest.strip_suffix(')'));
    let non_zero = text.strip_prefix("std::num::NonZero::new(").and_then(|rest| rest.strip_suffix(").unwrap()"));
    if let Some(inner) = wrapped.or(non_zero) {
        return number(inner);
    }
    // A float in the order of all floats.
    if let Ok(number) = text.parse::<f64>() {
        let magnitude = i128::from(number.abs().to_bits());
        return Some(if number < 0.0 { -magnitude } else { magnitude });
    }
    let (name, end) = text.split_once("::")?;
    Some(match (name, end) {
        ("i8", "MIN") => i8::MIN.into(),
        ("i16", "MIN") => i16::MIN.into(),
        ("i32", "MIN") => i32::MIN.into(),
        ("i64", "MIN") => i64::MIN.into(),
        ("i8", "MAX") => i8::MAX.into(),
        ("i16", "MAX") => i16::MAX.into(),
        ("i32", "MAX") => i32::MAX.into(),
        ("i64", "MAX") => i64::MAX.into(),
        ("u8", "MAX") => u8::MAX.into(),
        ("u16", "MAX") => u16::MAX.into(),
        ("u32", "MAX") => u32::MAX.into(),
        ("u64" | "usize", "MAX") => u64::MAX.into(),
        _ => return None,
    })
}

/// The character that a literal stands for, by the standard library's own way of writing it.
fn unescaped(literal: &str) -> Option<u32> {
    let code = literal.strip_prefix("\\u{").and_then(|rest| rest.strip_suffix('}'));
    if let Some(code) = code {
        return u32::from_str_radix(code, 16).ok();
    }
    let mut chars = literal.chars();
    match (chars.next()?, chars.next()) {
        ('\\', Some(second)) => {
            (0..=127u8).map(char::from).find(|c| c.escape_debug().eq(['\\', second])).map(u32::from)
        }
        (c, _) => Some(c.into()),
    }
}

/// The summary of a set of properties.
#[derive(Debug)]
pub struct Figures {
    pub properties: usize,
    pub claims: usize,
    /// Claims that 1 % or more of the inputs they speak of refute.
    pub false_claims: usize,
    /// Properties that pass for 0.3 to 1 %, and those of them with a claim that 0.3 % or more refute.
    pub rare: usize,
    pub rare_false: usize,
    /// Properties with a simple true claim, and those of them that got one.
    pub simple: usize,
    pub found: usize,
    pub evaluations: f64,
    pub milliseconds: f64,
}

impl Figures {
    pub fn of<'a>(judged: impl Iterator<Item = &'a Judged>) -> Self {
        let mut figures = Self {
            properties: 0,
            claims: 0,
            false_claims: 0,
            rare: 0,
            rare_false: 0,
            simple: 0,
            found: 0,
            evaluations: 0.0,
            milliseconds: 0.0,
        };
        for one in judged {
            figures.properties += 1;
            figures.claims += one.claims.len();
            figures.false_claims += one.claims.iter().filter(|(_, refuted)| *refuted >= 0.01).count();
            let is_rare = one.passing < 0.01;
            figures.rare += usize::from(is_rare);
            figures.rare_false += usize::from(is_rare && one.claims.iter().any(|(_, refuted)| *refuted >= 0.003));
            figures.simple += usize::from(one.simple.is_some());
            figures.found += usize::from(one.simple == Some(true));
            figures.evaluations += one.evaluations as f64;
            figures.milliseconds += one.seconds * 1000.0;
        }
        figures.evaluations /= figures.properties.max(1) as f64;
        figures.milliseconds /= figures.properties.max(1) as f64;
        figures
    }

    /// The share of the properties that pass for 0.3 to 1 % of which something false is claimed.
    pub fn rare_share(&self) -> f64 {
        self.rare_false as f64 / self.rare.max(1) as f64
    }

    /// The share of simple true claims that were made.
    pub fn found_share(&self) -> f64 {
        self.found as f64 / self.simple.max(1) as f64
    }
}
