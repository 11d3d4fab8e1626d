//! Strings, and types that contain one.

use super::character::escape;
use super::integer::distance;
use super::lengths::{Lengths, Parts, build_on_tape};
use super::shrink::shrink_parts;
use super::{Arbitrary, Code, Generator, any};
use crate::choice::{Random, Source};
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// Returns a generator of strings with characters from `chars`: up to `size` of them, unless [`len`](StringOf::len) is
/// called.
///
/// ```
/// use forall::{choice::Source, generate::{any, string}};
/// let mut source = Source::random(1, 0, 100);
/// let word = source.draw(string('a'..='z').len(1..=8));
/// assert!(word.chars().all(|c| c.is_ascii_lowercase()) && !word.is_empty());
/// assert!(source.draw(string(any())).chars().count() <= 100);
/// ```
pub fn string<G: Generator<Value = char>>(chars: G) -> StringOf<G> {
    StringOf { chars, lengths: Lengths::SIZED }
}

/// The generator that [`string`] returns.
#[derive(Clone, Copy, Debug)]
pub struct StringOf<G> {
    chars: G,
    lengths: Lengths,
}

impl<G> StringOf<G> {
    /// Sets the number of characters (not bytes): a number or a range.
    ///
    /// ```
    /// use forall::{choice::Source, generate::string};
    /// let code = Source::random(1, 0, 100).draw(string('0'..='9').len(6));
    /// assert_eq!(code.len(), 6);
    /// ```
    #[inline(always)]
    pub fn len(mut self, lengths: impl Into<Lengths>) -> Self {
        self.lengths = lengths.into();
        self
    }
}

impl<G: Generator<Value = char>> Generator for StringOf<G> {
    type Value = String;

    #[inline(always)]
    fn generate(&self, source: &mut Source) -> String {
        if !source.is_random() {
            return self.on_tape(source);
        }
        let after = begin(source);
        let (random, size) = source.stream();
        let length = match self.lengths.fixed() {
            Some(length) => length,
            None => self.lengths.plan(random, size).length,
        };
        let part = self.lengths.part_size(size, length);
        let mut text = String::with_capacity(length);
        let mut left = length;
        while left > 0 {
            if self.lengths.are_sized() {
                source.set_size(part);
            }
            text.push(self.chars.generate(source));
            left -= 1;
        }
        if self.lengths.are_sized() {
            source.set_size(size);
        }
        source.replace_random(after);
        text
    }
}

impl<G: Generator<Value = char>> StringOf<G> {
    #[cold]
    #[inline(never)]
    fn on_tape(&self, source: &mut Source) -> String {
        if let Some((max, value_of)) = self.chars.one_choice()
            && let Some(elements) = self.lengths.elements_ahead(source)
        {
            return elements.map(|code| value_of(code.min(max))).collect();
        }
        let mut text = String::new();
        let after = if source.is_at_random_end() { Some(begin(source)) } else { None };
        build_on_tape(source, self.lengths, Parts::Characters, &mut |source| {
            text.push(self.chars.generate(source));
            true
        });
        if let Some(after) = after {
            source.replace_random(after);
        }
        text
    }
}

/// Moves the random stream to a position for a string, and returns the one at which to continue.
///
/// A string is one draw of the main stream; its length and characters come from a stream that the draw selects. Strings
/// are too long to be equal by chance, yet equal strings expose many bugs. Therefore one string in eight reuses an
/// earlier draw of the test, as numbers do, and equals the earlier string if that draw made one.
#[inline(always)]
fn begin(source: &mut Source) -> Random {
    let random = source.stream().0;
    let mut draw = random.draw();
    if draw.selector >> 29 == 0 {
        draw = random.earlier(distance(draw));
    }
    source.replace_random(Random::from_key(draw.word))
}

/// Simpler strings: shorter ones first, then simpler characters.
#[inline]
pub(super) fn shrink_text(text: &str) -> impl Iterator<Item = String> + '_ {
    shrink_parts(text.chars().collect(), 0, |c| Some(*c), |c| Box::new(c.shrink().collect::<Vec<_>>().into_iter()))
        .map(|chars| chars.into_iter().collect())
}

/// Writes a string literal.
#[inline]
pub(super) fn literal(text: &str, code: &mut Code) {
    code.push("\"");
    for c in text.chars() {
        escape(c, '"', code);
    }
    code.push("\"");
}

/// A string in which one character is removed, inserted or replaced.
#[inline]
fn mutated(text: &str, source: &mut Source) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let at = source.choice(chars.len() as u64) as usize;
    match source.choice(2) {
        0 if at < chars.len() => drop(chars.remove(at)),
        1 if at < chars.len() => chars[at] = source.draw(any()),
        _ => chars.insert(at, source.draw(any())),
    }
    chars.into_iter().collect()
}

impl Arbitrary for String {
    in_search!(plain, |series| series.list::<char>().into_iter().collect(), |extent| extent.lists::<char>());

    #[inline(always)]
    fn arbitrary(source: &mut Source) -> String {
        string(any()).generate(source)
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        Box::new(shrink_text(self))
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        Some(self.clone())
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        code.push("String::from(");
        literal(self, code);
        code.push(")");
    }

    #[inline]
    fn mutate(self, source: &mut Source) -> Self {
        mutated(&self, source)
    }
}

macro_rules! holds_text {
    ($($t:ty, $open:literal, $close:literal;)*) => {$(
        impl Arbitrary for $t {
            #[inline]
            fn arbitrary(source: &mut Source) -> Self {
                String::arbitrary(source).into()
            }

            #[inline]
            fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
                Box::new(shrink_text(self).map(Into::into))
            }

            #[inline]
            fn duplicate(&self) -> Option<Self> {
                Some(self.clone())
            }

            #[inline]
            fn print(&self, code: &mut Code) {
                code.push($open);
                literal(self, code);
                code.push($close);
            }

            #[inline]
            fn mutate(self, source: &mut Source) -> Self {
                mutated(&self, source).into()
            }
        }
    )*};
}

holds_text! {
    Box<str>, "Box::from(", ")";
    Rc<str>, "std::rc::Rc::from(", ")";
    Arc<str>, "std::sync::Arc::from(", ")";
    Cow<'static, str>, "std::borrow::Cow::Borrowed(", ")";
}
