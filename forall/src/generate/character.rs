//! Characters.
//!
//! The order of simplicity: a to z, A to Z, 0 to 9, space, the rest of printable ASCII, control characters, and then
//! Unicode by code point. In random mode most are ASCII, and many of the others are of kinds that break programs:
//! combining, right to left, zero width, outside the basic plane.

use super::integer::{Bias, Coded, codes_below, distance};
use super::range::{Ranged, offset};
use super::{Arbitrary, Code};
use crate::choice::generator::OfOneChoice;
use crate::choice::{Draw, Random, Source, scale};

/// The number of characters: code points without the surrogates.
const COUNT: u32 = 0x11_0000 - GAP;
/// The number of surrogates.
const GAP: u32 = 0x800;
const GAP_START: u32 = 0xd800;

/// ASCII, the simplest first.
const SIMPLEST: [u8; 128] = {
    let mut order = [0; 128];
    let mut next = 0;
    let mut class = 0;
    while class < 6 {
        let mut byte = 0u8;
        while byte < 128 {
            let of = match byte {
                b'a'..=b'z' => 0,
                b'A'..=b'Z' => 1,
                b'0'..=b'9' => 2,
                b' ' => 3,
                b'!'..=b'~' => 4,
                _ => 5,
            };
            if of == class {
                order[next] = byte;
                next += 1;
            }
            byte += 1;
        }
        class += 1;
    }
    order
};

/// Troublesome characters in addition to ordinary control characters.
const SPECIAL: [char; 32] = [
    '\0',
    '\u{7f}',
    '\u{80}',
    '\u{85}',
    '\u{a0}',
    '\u{ad}',
    'ß',
    'é',
    '\u{301}',
    '\u{308}',
    'İ',
    'ı',
    'ſ',
    'ﬀ',
    '\u{5d0}',
    '\u{627}',
    '\u{202e}',
    '\u{200b}',
    '\u{200d}',
    '\u{200f}',
    '\u{2028}',
    '漢',
    '한',
    '\u{d7ff}',
    '\u{e000}',
    '\u{feff}',
    '\u{fffd}',
    '\u{ffff}',
    '😀',
    '\u{1f1e9}',
    '\u{e0001}',
    '\u{10ffff}',
];

/// Troublesome characters, including control characters.
#[cfg(feature = "regex")]
pub(super) fn stumbling_blocks() -> impl Iterator<Item = char> {
    ('\u{1}'..' ').chain(SPECIAL)
}

/// A character as a choice.
pub(crate) fn code_of(c: char) -> u64 {
    c.encode().into()
}

/// The place of a code point among all characters.
pub(super) const fn ordinal(c: char) -> u32 {
    let point = c as u32;
    if point >= GAP_START { point - GAP } else { point }
}

pub(super) const fn from_ordinal(ordinal: u32) -> char {
    let point = if ordinal >= GAP_START { ordinal + GAP } else { ordinal };
    match char::from_u32(point) {
        Some(c) => c,
        None => char::MAX,
    }
}

impl Coded for char {
    type Code = u32;

    #[inline]
    fn encode(self) -> u32 {
        match SIMPLEST.iter().position(|&byte| char::from(byte) == self) {
            Some(code) => code as u32,
            None => ordinal(self),
        }
    }

    #[inline]
    fn decode(code: u32) -> char {
        match SIMPLEST.get(code as usize) {
            Some(&byte) => char::from(byte),
            None => from_ordinal(code.min(COUNT - 1)),
        }
    }
}

/// 52 in 64 are printable ASCII.
pub(super) const PLAIN: u32 = 52 * Bias::SIXTYFOURTH;

/// A random character: one word.
#[inline(always)]
pub(super) fn random(random: &mut Random) -> char {
    let draw = random.draw();
    if draw.selector < PLAIN { printable(draw) } else { unusual(*random, draw) }
}

#[inline(always)]
fn printable(draw: Draw) -> char {
    ((draw.word >> 32).wrapping_mul(95) >> 32).wrapping_add(32) as u8 as char
}

/// The rarer kinds. By value, so that the source stays in registers.
#[inline(never)]
fn unusual(random: Random, draw: Draw) -> char {
    match (draw.selector - PLAIN) / Bias::SIXTYFOURTH {
        0..5 => {
            let earlier = random.earlier(distance(draw));
            if earlier.selector < PLAIN { printable(earlier) } else { plane(earlier) }
        }
        5 | 6 => char::from(scale(draw.word, 31) as u8),
        7..10 => SPECIAL[scale(draw.word, SPECIAL.len() as u64 - 1) as usize],
        _ => plane(draw),
    }
}

/// Two, three and four bytes in UTF-8 equally often.
fn plane(draw: Draw) -> char {
    let (start, end) = match draw.selector % 3 {
        0 => (0x80, 0x7ff),
        1 => (0x800, 0xffff - GAP),
        _ => (0x1_0000 - GAP, COUNT - 1),
    };
    from_ordinal(start + scale(draw.word, u64::from(end - start)) as u32)
}

/// The first characters of two, three and four bytes in UTF-8.
const WIDE: [u32; 3] = [0x80, 0x800, 0x1_0000 - GAP];

/// Whether a choice up to `max` is a character.
pub(crate) fn is_character(max: u64) -> bool {
    max == u64::from(COUNT - 1)
}

/// If a choice of `code` up to `max` is a character, its length in UTF-8; otherwise 1.
#[inline]
pub(crate) fn utf8_width(code: u64, max: u64) -> usize {
    let mut width = 1;
    for &wide in &WIDE {
        width += usize::from(is_character(max) && u64::from(wide) <= code);
    }
    width
}

/// If a choice of `code` up to `max` is a character: the codes of the simplest ones of two, three and four bytes, as
/// far as they are simpler.
pub(crate) fn simplest_wide(code: u64, max: u64) -> Vec<u64> {
    let mut codes = Vec::new();
    for &wide in &WIDE {
        if is_character(max) && u64::from(wide) < code {
            codes.push(u64::from(wide));
        }
    }
    codes
}

/// If a choice of `code` up to `max` is a character: the codes of simpler candidates for it, the simplest first. Its
/// other case, and troublesome ones.
pub(crate) fn stand_ins(code: u64, max: u64) -> Vec<u64> {
    let Ok(code) = u32::try_from(code) else { return Vec::new() };
    if !is_character(max) {
        return Vec::new();
    }
    let c = char::decode(code);
    let mut codes = Vec::new();
    let mut add = |other: char| {
        let other = u64::from(other.encode());
        if other < u64::from(code) && !codes.contains(&other) {
            codes.push(other);
        }
    };
    for other in c.to_lowercase() {
        add(other);
    }
    for other in c.to_uppercase() {
        add(other);
    }
    for &other in &SPECIAL {
        add(other);
    }
    // Also the first letter that does not round-trip through a change of case, the first beyond ASCII, white space.
    for &other in &['µ', 'ª', ' '] {
        add(other);
    }
    crate::sort::sort_by(&mut codes, u64::cmp);
    codes
}

/// Writes a character between the quotes `quote`, as Rust code.
pub(super) fn escape(c: char, quote: char, code: &mut Code) {
    match c {
        '\0' => code.push("\\0"),
        '\'' | '"' if c == quote => write!(code, "\\{c}"),
        '\'' | '"' => write!(code, "{c}"),
        // Readable letters and signs; nothing that combines or changes the direction.
        ' '..='~' | '\t' | '\n' | '\r' => push_debug(c, code),
        _ if c.is_alphanumeric() && !is_rtl(c) => push_debug(c, code),
        _ => write!(code, "\\u{{{:x}}}", u32::from(c)),
    }
}

/// Writes a character as its `Debug` prints it between the quotes.
fn push_debug(c: char, code: &mut Code) {
    let quoted = format!("{c:?}");
    code.push(&quoted[1..quoted.len() - 1]);
}

fn is_rtl(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// The index of the last character, counting from `a` = 0.
const LAST_FROM_A: u64 = char::MAX as u64 - GAP as u64 - 'a' as u64;

/// The characters from `a` on, by number.
fn from_a(number: u32) -> char {
    let code = 'a' as u32 + number;
    char::from_u32(if code < GAP_START { code } else { code + GAP }).unwrap_or(char::MAX)
}

impl Arbitrary for char {
    in_search!(
        plain,
        |series| {
            let characters = u64::from(series.depth()).min(LAST_FROM_A) + 1;
            from_a(series.choose(characters) as u32)
        },
        |extent| u64::from(extent.depth()).min(LAST_FROM_A) as f64 + 1.0
    );

    const ONE_CHOICE: Option<OfOneChoice<char>> = Some((COUNT as u64 - 1, |code| char::decode(code as u32)));

    #[inline(always)]
    fn arbitrary(source: &mut Source) -> char {
        if source.is_random() {
            random(source.stream().0)
        } else {
            if let Some(quoted) = source.literal_char() {
                let code = u64::from(quoted.encode());
                return char::decode(source.choice_on_tape(u64::from(COUNT - 1), &|_, _| code) as u32);
            }
            let pick = |stream: &mut Random, _| u64::from(random(stream).encode());
            char::decode(source.choice_on_tape(u64::from(COUNT - 1), &pick) as u32)
        }
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let code = self.encode();
        let by_class = ['a', 'A', '0', ' '].into_iter().filter(move |c| c.encode() < code);
        let lower = self.to_lowercase().filter(move |c| c.encode() < code);
        Box::new(by_class.chain(lower).chain(codes_below(u128::from(code)).map(|code| char::decode(code as u32))))
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        Some(*self)
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        code.push("'");
        escape(*self, '\'', code);
        code.push("'");
    }
}

impl Ranged for char {
    const LEAST: Self = '\0';
    const GREATEST: Self = char::MAX;

    #[inline(always)]
    fn between(low: Self, high: Self, source: &mut Source) -> Self {
        let start = ordinal(low);
        let span = u64::from(ordinal(high).wrapping_sub(start));
        if !source.is_random()
            && let Some(quoted) = source.literal_char().filter(|quoted| (low..=high).contains(quoted))
        {
            let above = u64::from(ordinal(quoted) - start);
            return from_ordinal(start.wrapping_add(source.choice_on_tape(span, &|_, _| above) as u32));
        }
        let above = source.choice_with(span, |random, _| offset(random, span, 0)) as u32;
        from_ordinal(start.wrapping_add(above))
    }

    fn before(self) -> Self {
        from_ordinal(ordinal(self).saturating_sub(1))
    }
}
