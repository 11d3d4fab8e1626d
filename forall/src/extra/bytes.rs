//! Bytes and strings with planted parts.

use crate::choice::Source;
use crate::generate::{Generator, GeneratorExt, any, elements, from_fn};

/// Invalid UTF-8: each of the kinds that decoders get wrong.
const DEFECTS: [&[u8]; 12] = [
    b"\x80",             // a continuation of nothing
    b"\xc3",             // the first of two, and no second
    b"\xe2\x82",         // the first two of three
    b"\xf0\x9f\x98",     // the first three of four
    b"\xc0\xaf",         // too long for what it is
    b"\xe0\x80\xaf",     // the same, longer
    b"\xed\xa0\x80",     // a surrogate
    b"\xed\xbf\xbf",     // another
    b"\xf4\x90\x80\x80", // above the last character
    b"\xfe",             // never in UTF-8
    b"\xff",             // nor this
    b"\xc3\x28",         // a continuation that is none
];

/// Returns a generator of bytes that are UTF-8 except for one or two defects: truncated characters, overlong encodings,
/// surrogates, invalid bytes. One in eight is valid UTF-8, to test that valid input is accepted. The simplest is empty.
///
/// ```
/// use forall::{choice::Source, extra::nearly_utf8};
/// let mut source = Source::random(1, 0, 50);
/// let valid = (0..800).filter(|_| std::str::from_utf8(&source.draw(nearly_utf8())).is_ok()).count();
/// assert!((50..150).contains(&valid), "{valid}");
/// ```
pub fn nearly_utf8() -> impl GeneratorExt<Value = Vec<u8>> + Copy {
    from_fn(|source: &mut Source| {
        let text = source.draw(any::<String>());
        let defects = match source.choice(7) {
            0 => 0,
            1..6 => 1,
            _ => 2,
        };
        let mut bytes = text.into_bytes();
        for _ in 0..defects {
            let defect = source.draw(elements(DEFECTS));
            // Anywhere: inside a character it splits that as well.
            let at = source.draw(0..=bytes.len());
            bytes.splice(at..at, defect.iter().copied());
        }
        bytes
    })
}

/// A string with another string inside, and its position.
///
/// ```
/// use forall::extra::Planted;
/// let planted = Planted { text: "haystack".to_owned(), needle: "stack".to_owned(), at: 3 };
/// assert!(planted.text[planted.at..].starts_with(&planted.needle));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planted {
    /// The string.
    pub text: String,
    /// The string inside.
    pub needle: String,
    /// The byte at which it begins. It may also occur earlier.
    pub at: usize,
}

/// Returns a generator of strings with a needle planted in them, each from its own generator. Random strings hardly
/// ever contain one.
///
/// ```
/// use forall::{choice::Source, extra::planted, prelude::*};
/// use forall::generate::string;
/// let found = Source::random(1, 0, 100).draw(planted(any::<String>(), string('a'..='c').len(1..4)));
/// assert!(found.text.contains(&found.needle));
/// ```
pub fn planted<T, N>(texts: T, needles: N) -> impl GeneratorExt<Value = Planted>
where
    T: Generator<Value = String>,
    N: Generator<Value = String>,
{
    from_fn(move |source: &mut Source| {
        let (mut text, needle) = (texts.generate(source), needles.generate(source));
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let at = places[source.choice(places.len() as u64 - 1) as usize];
        text.insert_str(at, &needle);
        // A needle that could overlap itself: sometimes its prefix precedes it.
        if needle.chars().count() > 1 && source.choice(3) == 3 {
            let first = needle.chars().next().map_or(0, char::len_utf8);
            text.insert_str(at, &needle[..first]);
            return Planted { text, needle, at: at + first };
        }
        Planted { text, needle, at }
    })
}
