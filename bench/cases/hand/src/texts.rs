//! Texts that match a regular expression, as a person would build them: from tables that are made once.
//!
//! Of classes that hold both, characters of ASCII come nine times out of ten, and others as often of each width in UTF-8, as forall
//! has it. (Evenly, texts from `.` would nearly all be of characters that take four bytes, which no person wants, and which are
//! dearer to write.)

use bench_case::{Property, pattern};
use fastrand::Rng;
use regex_syntax::hir::{Class, HirKind};
use std::iter::repeat_with;

/// The length of the texts of one class.
const LENGTH: usize = 20;

/// Runs the tests of a case, if it is one.
pub fn check_texts<P: Property<String>>(case: &str, tests: u64) -> bool {
    match case {
        "address" => super::check::<_, P>(tests, address),
        "date" => super::check::<_, P>(tests, |rng| {
            let mut text = String::with_capacity(10);
            some(rng, DIGITS, 4, &mut text);
            text.push('-');
            some(rng, DIGITS, 2, &mut text);
            text.push('-');
            some(rng, DIGITS, 2, &mut text);
            text
        }),
        "letters" => super::check::<_, P>(tests, |rng| {
            let mut text = String::with_capacity(LENGTH);
            some(rng, LETTERS, LENGTH, &mut text);
            text
        }),
        "parts" => super::check::<_, P>(tests, |rng| {
            let mut text = String::with_capacity(2 * LENGTH);
            for _ in 0..LENGTH {
                text += ["ab", "cd", "ef"][rng.usize(0..3)];
            }
            text
        }),
        "greek" => {
            let class = characters(pattern(case));
            super::check::<_, P>(tests, |rng| {
                let mut text = String::with_capacity(3 * LENGTH);
                for _ in 0..LENGTH {
                    text.push(class[rng.usize(0..class.len())]);
                }
                text
            });
        }
        _ => {
            let class = characters(pattern(case));
            let wide = |width| class.iter().copied().filter(move |c| c.len_utf8() == width);
            let ascii: Vec<char> = wide(1).filter(|c| matches!(c, ' '..='~')).collect();
            let by_width: Vec<Vec<char>> = (2..=4).map(|width| wide(width).collect()).collect();
            let by_width: Vec<&Vec<char>> = by_width.iter().filter(|of_width| !of_width.is_empty()).collect();
            super::check::<_, P>(tests, |rng| {
                let mut text = String::with_capacity(2 * LENGTH);
                for _ in 0..LENGTH {
                    let table = match ascii.is_empty() || rng.u8(..) >= 230 {
                        true => by_width[rng.usize(0..by_width.len())],
                        false => &ascii,
                    };
                    text.push(table[rng.usize(0..table.len())]);
                }
                text
            });
        }
    }
    true
}

const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";
const DIGITS: &[u8] = b"0123456789";
const LETTERS_AND_DIGITS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";

fn address(rng: &mut Rng) -> String {
    let mut text = String::with_capacity(128);
    let word = |rng: &mut Rng, of, text: &mut String| {
        let length = rng.usize(1..=30);
        some(rng, of, length, text);
    };
    word(rng, LETTERS_AND_DIGITS, &mut text);
    for _ in 0..rng.usize(0..=2) {
        text.push('.');
        word(rng, LETTERS_AND_DIGITS, &mut text);
    }
    text.push('@');
    word(rng, LETTERS, &mut text);
    text.push('.');
    text += ["com", "org", "net"][rng.usize(0..3)];
    text
}

/// Adds some of these characters.
fn some(rng: &mut Rng, of: &[u8], length: usize, text: &mut String) {
    text.extend(repeat_with(|| char::from(of[rng.usize(0..of.len())])).take(length));
}

/// The characters of the one class in a pattern.
fn characters(pattern: &str) -> Vec<char> {
    let hir = regex_syntax::parse(pattern).expect("a pattern of the list");
    let HirKind::Repetition(repetition) = hir.kind() else { panic!("{pattern} is no repetition") };
    let HirKind::Class(Class::Unicode(class)) = repetition.sub.kind() else { panic!("{pattern} repeats no class") };
    class.iter().flat_map(|range| range.start()..=range.end()).collect()
}
