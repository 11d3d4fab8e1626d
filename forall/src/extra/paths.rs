//! File paths.

use crate::choice::Source;
use crate::generate::{GeneratorExt, any, elements, from_fn, string, vec};
use std::path::PathBuf;

/// Returns a generator of relative paths of up to five parts: plain names, hidden ones, extensions, spaces, Unicode,
/// `.` and `..`, names that some system reserves. No part contains a separator or a NUL, so every path can exist on
/// Unix.
///
/// ```
/// use forall::{choice::{Sequence, Source}, extra::file_path};
/// assert_eq!(Source::replay(&Sequence::default()).draw(file_path()).to_str(), Some("a"));
/// assert!(Source::random(1, 0, 100).draw(file_path()).is_relative());
/// ```
pub fn file_path() -> impl GeneratorExt<Value = PathBuf> + Copy {
    from_fn(|source: &mut Source| source.draw(vec(from_fn(part)).len(1..=5)).iter().collect())
}

#[inline]
fn part(source: &mut Source) -> String {
    const STRANGE: [&str; 10] = [".", "..", "~", "con", "NUL.txt", "a b", " ", "-rf", "$HOME", "%TEMP%"];
    let name = |source: &mut Source| source.draw(string('a'..='z').len(1..=8));
    match source.choice(15) {
        0..8 => name(source),
        8..11 => {
            let extension = source.draw(elements(["txt", "rs", "tar.gz", "JPG", ""]));
            format!("{}.{extension}", name(source))
        }
        11 | 12 => format!(".{}", name(source)),
        13 | 14 => source.draw(elements(STRANGE)).to_owned(),
        _ => {
            // A part has at most 255 bytes.
            let text: String = source.draw(string(any::<char>()).len(1..=60));
            text.chars().map(|c| if matches!(c, '/' | '\\' | '\0') { '_' } else { c }).collect()
        }
    }
}
