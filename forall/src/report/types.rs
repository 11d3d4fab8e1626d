//! The names of types as written in source code.
//!
//! `std::any::type_name` returns the path of the definition (`alloc::vec::Vec<i32>`), which is often private. This
//! module turns it into one that compiles in a `let`: the prelude's name, the public path in `std`, or the last segment
//! of a user's type, which their test has in scope. For types that cannot be named, the result is `None`.

use crate::kind::{Kind, NO_NAME};
use crate::sort::retain;
use crate::text::joined;
use crate::within;

/// Types of the standard library: where they are defined (first module, without the crate), their name, their public
/// path.
const PUBLIC: &[(&str, &str, &str)] = &[
    ("alloc", "Global", ""),
    ("ascii", "AsciiChar", ""),
    ("borrow", "Cow", "std::borrow::Cow"),
    ("boxed", "Box", "Box"),
    ("cell", "Cell", "std::cell::Cell"),
    ("cell", "OnceCell", "std::cell::OnceCell"),
    ("cell", "RefCell", "std::cell::RefCell"),
    ("cmp", "Ordering", "std::cmp::Ordering"),
    ("cmp", "Reverse", "std::cmp::Reverse"),
    ("collections", "BTreeMap", "std::collections::BTreeMap"),
    ("collections", "BTreeSet", "std::collections::BTreeSet"),
    ("collections", "BinaryHeap", "std::collections::BinaryHeap"),
    ("collections", "Bound", "std::ops::Bound"),
    ("collections", "HashMap", "std::collections::HashMap"),
    ("collections", "HashSet", "std::collections::HashSet"),
    ("collections", "LinkedList", "std::collections::LinkedList"),
    ("collections", "VecDeque", "std::collections::VecDeque"),
    ("convert", "Infallible", "std::convert::Infallible"),
    ("ffi", "CStr", "std::ffi::CStr"),
    ("ffi", "CString", "std::ffi::CString"),
    ("ffi", "OsStr", "std::ffi::OsStr"),
    ("ffi", "OsString", "std::ffi::OsString"),
    ("marker", "PhantomData", "std::marker::PhantomData"),
    ("net", "IpAddr", "std::net::IpAddr"),
    ("net", "Ipv4Addr", "std::net::Ipv4Addr"),
    ("net", "Ipv6Addr", "std::net::Ipv6Addr"),
    ("net", "SocketAddr", "std::net::SocketAddr"),
    ("net", "SocketAddrV4", "std::net::SocketAddrV4"),
    ("net", "SocketAddrV6", "std::net::SocketAddrV6"),
    ("num", "NonZero", "std::num::NonZero"),
    ("num", "Saturating", "std::num::Saturating"),
    ("num", "Wrapping", "std::num::Wrapping"),
    ("ops", "Bound", "std::ops::Bound"),
    ("ops", "ControlFlow", "std::ops::ControlFlow"),
    ("ops", "Range", "std::ops::Range"),
    ("ops", "RangeFrom", "std::ops::RangeFrom"),
    ("ops", "RangeFull", "std::ops::RangeFull"),
    ("ops", "RangeInclusive", "std::ops::RangeInclusive"),
    ("ops", "RangeTo", "std::ops::RangeTo"),
    ("ops", "RangeToInclusive", "std::ops::RangeToInclusive"),
    ("option", "Option", "Option"),
    ("path", "Path", "std::path::Path"),
    ("path", "PathBuf", "std::path::PathBuf"),
    ("pin", "Pin", "std::pin::Pin"),
    ("rc", "Rc", "std::rc::Rc"),
    ("result", "Result", "Result"),
    ("string", "String", "String"),
    ("sync", "Arc", "std::sync::Arc"),
    ("sync", "Mutex", "std::sync::Mutex"),
    ("sync", "RwLock", "std::sync::RwLock"),
    ("time", "Duration", "std::time::Duration"),
    ("time", "Instant", "std::time::Instant"),
    ("time", "SystemTime", "std::time::SystemTime"),
    ("vec", "Vec", "Vec"),
];

const PRIMITIVES: &[&str] = &[
    "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
    "f32", "f64",
];

/// Deeper types have no name here: it would be unreadable.
const MAX_DEPTH: usize = 64;

/// The source form of the type that `std::any::type_name` calls `name`, if it has one.
pub(crate) fn annotation(name: &str) -> Option<String> {
    let mut parser = Parser { rest: name, depth: 0 };
    let annotation = parser.one_type()?;
    parser.rest.is_empty().then_some(annotation)
}

/// The source form of a type that the user wrote as `text`, if it is allowed in a `let`. Removes spaces that
/// `stringify!` adds.
pub(crate) fn written(text: &str) -> Option<String> {
    let has_word = |word: &str| text.split(NO_NAME).any(|found| found == word);
    if text.trim().is_empty() || has_word("impl") {
        return None;
    }
    if within::contains(text, "->") {
        return Some(text.to_owned());
    }
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    for (spaced, tight) in
        &[(" <", "<"), ("< ", "<"), (" >", ">"), (" ,", ","), (" ::", "::"), (":: ", "::"), ("& ", "&")]
    {
        out = within::replaced(&out, spaced, tight);
    }
    Some(out)
}

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl Parser<'_> {
    fn eat(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn one_type(&mut self) -> Option<String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let found = if self.eat("&mut ") {
            format!("&mut {}", self.one_type()?)
        } else if self.eat("&'_ ") || self.eat("&") {
            format!("&{}", self.one_type()?)
        } else if self.eat("(") {
            let items = self.list(")")?;
            if items.len() == 1 { format!("({},)", items[0]) } else { format!("({})", joined(&items, ", ")) }
        } else if self.eat("[") {
            let element = self.one_type()?;
            let length = if self.eat("; ") { format!("; {}", self.literal()?) } else { String::new() };
            self.eat("]").then(|| format!("[{element}{length}]"))?
        } else {
            self.path()?
        };
        self.depth -= 1;
        Some(found)
    }

    fn list(&mut self, close: &str) -> Option<Vec<String>> {
        let mut items = Vec::new();
        while !self.eat(close) {
            items.push(if self.at_literal() { self.literal()? } else { self.one_type()? });
            if !self.eat(", ") {
                self.eat(",");
                return self.eat(close).then_some(items);
            }
        }
        Some(items)
    }

    fn at_literal(&self) -> bool {
        let digit: Kind = |c| c.is_ascii_digit() || c == '-';
        self.rest.starts_with(digit) || self.rest.starts_with("true") || self.rest.starts_with("false")
    }

    /// The argument of a const parameter, or the length of an array.
    fn literal(&mut self) -> Option<String> {
        let other: Kind = |c| !c.is_ascii_alphanumeric() && c != '-' && c != '_';
        let end = self.rest.find(other).unwrap_or(self.rest.len());
        let (literal, rest) = self.rest.split_at(end);
        self.rest = rest;
        if literal.is_empty() { None } else { Some(literal.to_owned()) }
    }

    fn path(&mut self) -> Option<String> {
        let mut segments = vec![self.segment()?];
        while self.eat("::") {
            segments.push(self.segment()?);
        }
        let public = public_path(&segments)?;
        if !self.eat("<") {
            return Some(public);
        }
        let hashed = matches!(public.as_str(), "std::collections::HashMap" | "std::collections::HashSet");
        let mut arguments = self.arguments(hashed)?;
        retain(&mut arguments, |argument| !argument.is_empty());
        Some(if arguments.is_empty() { public } else { format!("{public}<{}>", joined(&arguments, ", ")) })
    }

    /// The arguments of a type; empty text for an implied one.
    fn arguments(&mut self, hashed: bool) -> Option<Vec<String>> {
        let mut arguments = Vec::new();
        loop {
            let implied = ["std::hash::random::RandomState", "std::collections::hash::map::RandomState"];
            if hashed && implied.iter().any(|state| self.eat(state))
                || self.eat("alloc::alloc::Global")
                || self.eat("'_")
            {
                arguments.push(String::new());
            } else {
                arguments.push(if self.at_literal() { self.literal()? } else { self.one_type()? });
            }
            if self.eat(">") {
                return Some(arguments);
            }
            if !self.eat(", ") {
                return None;
            }
        }
    }

    /// One segment of a path. Only segments that are not types may be in braces: the function or block around a local
    /// type.
    fn segment(&mut self) -> Option<String> {
        let end = if self.rest.starts_with('{') {
            within::find(self.rest, "::").unwrap_or(self.rest.len())
        } else {
            let other: Kind = |c| NO_NAME(c) && c != '#';
            self.rest.find(other).unwrap_or(self.rest.len())
        };
        let (segment, rest) = self.rest.split_at(end);
        self.rest = rest;
        if segment.is_empty() { None } else { Some(segment.to_owned()) }
    }
}

fn public_path(segments: &[String]) -> Option<String> {
    let last = segments.last()?;
    if last.starts_with('{') || matches!(last.as_str(), "dyn" | "impl" | "fn" | "unsafe" | "extern" | "_") {
        return None;
    }
    if segments.len() == 1 {
        // Other names without a path are not nameable types: `for<'a> …`, a type parameter.
        return if PRIMITIVES.contains(&last.as_str()) { Some(last.clone()) } else { None };
    }
    if !matches!(segments[0].as_str(), "core" | "alloc" | "std") {
        return Some(last.clone());
    }
    let known = PUBLIC.iter().find(|(module, name, _)| *module == segments[1] && *name == last.as_str());
    known.map(|(.., public)| (*public).to_owned()).filter(|public| !public.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::any::type_name;
    use std::collections::{BTreeMap, HashMap, HashSet};

    struct Mine<T, const N: usize>(#[allow(dead_code)] [T; N]);

    fn of<T: ?Sized>() -> Option<String> {
        annotation(type_name::<T>())
    }

    #[test]
    fn standard_types_have_their_public_names() {
        assert_eq!(of::<Vec<Option<String>>>().unwrap(), "Vec<Option<String>>");
        assert_eq!(
            of::<HashMap<u8, HashSet<char>>>().unwrap(),
            "std::collections::HashMap<u8, std::collections::HashSet<char>>"
        );
        assert_eq!(of::<BTreeMap<(), (u8,)>>().unwrap(), "std::collections::BTreeMap<(), (u8,)>");
        assert_eq!(of::<Result<Box<str>, [&str; 3]>>().unwrap(), "Result<Box<str>, [&str; 3]>");
        assert_eq!(of::<std::num::NonZeroU8>().unwrap(), "std::num::NonZero<u8>");
        assert_eq!(of::<std::borrow::Cow<'static, str>>().unwrap(), "std::borrow::Cow<str>");
        assert_eq!(of::<std::ops::RangeInclusive<i32>>().unwrap(), "std::ops::RangeInclusive<i32>");
    }

    #[test]
    fn implied_arguments_are_omitted() {
        let with_state = "std::collections::hash::map::HashMap<i32, alloc::vec::Vec<u8, alloc::alloc::Global>, std::hash::random::RandomState>";
        assert_eq!(annotation(with_state).unwrap(), "std::collections::HashMap<i32, Vec<u8>>");
    }

    #[test]
    fn user_types_are_named_by_their_last_segment() {
        struct Local;
        assert_eq!(of::<Mine<Vec<u8>, 3>>().unwrap(), "Mine<Vec<u8>, 3>");
        assert_eq!(of::<Local>().unwrap(), "Local");
        assert_eq!(annotation("krate::f::{{closure}}::Local").unwrap(), "Local");
    }

    #[test]
    fn unnameable_types_have_no_name() {
        fn name_of<T>(_: &T) -> &'static str {
            type_name::<T>()
        }
        assert_eq!(annotation(name_of(&|x: u8| x)), None);
        assert_eq!(of::<Box<dyn Fn(u8) -> u8>>(), None);
        assert_eq!(of::<fn(u8) -> u8>(), None);
        assert_eq!(of::<std::vec::IntoIter<u8>>(), None);
        for broken in ["", "a::", "Vec<", "a::b<c::d", "(u8", "[u8; ", "a::b>", "<a::b as c::d>::e", "é::{"] {
            assert_eq!(annotation(broken), None, "{broken}");
        }
        assert_eq!(annotation(&"&".repeat(10_000)), None);
    }

    #[test]
    fn written_types_are_kept_except_for_spaces_added_by_stringify() {
        assert_eq!(written("Vec < i32 >").unwrap(), "Vec<i32>");
        assert_eq!(written("std :: rc :: Rc<(u8 , u8)>").unwrap(), "std::rc::Rc<(u8, u8)>");
        assert_eq!(written("Box<dyn Fn(u8) -> u8>").unwrap(), "Box<dyn Fn(u8) -> u8>");
        assert_eq!(written("impl Fn()"), None);
        assert_eq!(written(""), None);
    }
}
