//! Implementations of `Arbitrary` for types of the operating system and C: `OsString`, `PathBuf`, `CString`.
//!
//! Their text is valid Unicode, since other text can be created only in platform-specific ways.

use super::lengths::{Lengths, Parts, build};
use super::shrink::{shrink_parts, shrink_values};
use super::text::{literal, shrink_text};
use super::{Arbitrary, Code, Generator, elements, string};
use crate::choice::Source;
use crate::sort::retain;
use std::ffi::{CString, OsString};
use std::path::PathBuf;

impl Arbitrary for OsString {
    #[inline]
    fn arbitrary(source: &mut Source) -> Self {
        String::arbitrary(source).into()
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        match self.to_str() {
            Some(text) => Box::new(shrink_text(text).map(Into::into)),
            None => Box::new(std::iter::empty()),
        }
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        Some(self.clone())
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        match self.to_str() {
            Some(text) => {
                code.push("std::ffi::OsString::from(");
                literal(text, code);
                code.push(")");
            }
            None => code.opaque(),
        }
    }
}

/// Path components that are special or awkward.
const PARTS: [&str; 8] = ["a", "..", ".", "file.txt", ".hidden", "with space", "ünïcode", "-rf"];

impl Arbitrary for PathBuf {
    /// A few parts, relative or from the root, some of them with a meaning: `..`, `.`, hidden files.
    #[inline]
    fn arbitrary(source: &mut Source) -> Self {
        let absolute = source.choice(1) == 1;
        let mut text = String::from(if absolute { "/" } else { "" });
        let mut first = true;
        build(source, Lengths::from(0..=6), Parts::MayRepeat, |source| {
            if !first {
                text.push('/');
            }
            first = false;
            match source.choice(1) {
                0 => text.push_str(elements(PARTS).generate(source)),
                _ => {
                    let part = string(super::any()).len(1..=8).generate(source);
                    text.extend(part.chars().map(|c| if matches!(c, '/' | '\\' | '\0' | ':') { '_' } else { c }));
                }
            }
            true
        });
        PathBuf::from(text)
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let Some(text) = self.to_str() else { return Box::new(std::iter::empty()) };
        let parts: Vec<&str> = text.split('/').collect();
        let fewer = shrink_parts(parts, 0, |part| Some(part.to_string()), |part| Box::new(shrink_text(part)));
        // An empty path has one empty component: without it, it is the same path.
        Box::new(fewer.map(|parts| parts.join("/")).filter(move |simpler| simpler != text).map(PathBuf::from))
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        Some(self.clone())
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        match self.to_str() {
            Some(text) => {
                code.push("std::path::PathBuf::from(");
                literal(text, code);
                code.push(")");
            }
            None => code.opaque(),
        }
    }
}

impl Arbitrary for CString {
    /// Any bytes except 0: text, or arbitrary.
    #[inline]
    fn arbitrary(source: &mut Source) -> Self {
        let bytes = if super::choose::something(source) {
            String::arbitrary(source).into_bytes()
        } else {
            Vec::<u8>::arbitrary(source)
        };
        from_bytes(bytes)
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        Box::new(shrink_values(self.as_bytes(), 0).filter(|bytes| !bytes.contains(&0)).map(from_bytes))
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        Some(self.clone())
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        code.push("std::ffi::CString::new(b\"");
        for byte in self.as_bytes() {
            code.push(&byte.escape_ascii().to_string());
        }
        code.push("\".to_vec()).unwrap()");
    }
}

#[inline]
fn from_bytes(mut bytes: Vec<u8>) -> CString {
    retain(&mut bytes, |byte| *byte != 0);
    CString::new(bytes).unwrap_or_default()
}
