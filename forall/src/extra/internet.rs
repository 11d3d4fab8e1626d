//! Internet addresses, as strings.

use super::OWN_LABELS;
use crate::choice::Source;
use crate::generate::{Generator, GeneratorExt, any, elements, from_fn, string, vec};
use std::net::{Ipv4Addr, Ipv6Addr};

/// Letters and digits.
fn alphanumeric() -> impl Generator<Value = char> {
    from_fn(|source: &mut Source| {
        const ALL: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
        char::from(ALL[source.choice(ALL.len() as u64 - 1) as usize])
    })
}

/// One label of a host name: with inner hyphens, and at most 63 characters.
#[inline]
fn label(source: &mut Source) -> String {
    const LONGEST: u64 = 63;
    // Long ones are rare, and some have the maximum length.
    let most = if source.choice(15) == 15 { LONGEST } else { 12 };
    // Whether there is a hyphen and where, in one choice that is always made: so that the string can lose the hyphen,
    // or become too short for one, without an unused choice. One in eight has one.
    let hyphen = source.choice(8 * LONGEST - 1).checked_sub(7 * LONGEST);
    let mut text = source.draw(string(alphanumeric()).len(1..=most as usize));
    if let Some(at) = hyphen.filter(|_| text.len() > 2) {
        let at = 1 + at as usize % (text.len() - 2);
        text.replace_range(at..=at, "-");
    }
    text
}

/// Returns a generator of host names that end in a common domain: `a.com`, `x-1.shop.example`. At most 253 characters.
///
/// ```
/// use forall::{choice::Source, extra::host_name};
/// let name = Source::random(1, 0, 100).draw(host_name());
/// assert!(name.split('.').all(|label| (1..=63).contains(&label.len())) && name.len() <= 253);
/// ```
pub fn host_name() -> impl GeneratorExt<Value = String> + Copy {
    from_fn(|source: &mut Source| {
        const ENDS: [&str; 8] = ["com", "org", "net", "example", "io", "co.uk", "museum", "xn--p1ai"];
        let mut name = String::new();
        for label in source.draw(vec(from_fn(label)).len(1..=3)) {
            name += &label;
            name.push('.');
        }
        name + source.draw(elements(ENDS))
    })
}

/// Returns a generator of e-mail addresses that are valid by RFC 5321, from plain ones to those that many regular
/// expressions wrongly reject: with tags, dots, quotes, one-letter names and addresses in brackets.
///
/// ```
/// use forall::{choice::{Sequence, Source}, extra::email};
/// assert_eq!(Source::replay(&Sequence::default()).draw(email()), "a@a.com");
/// let address = Source::random(1, 0, 100).draw(email());
/// assert!(address.rsplit_once('@').is_some_and(|(local, host)| (1..=64).contains(&local.len()) && !host.is_empty()));
/// ```
pub fn email() -> impl GeneratorExt<Value = String> + Copy {
    from_fn(|source: &mut Source| {
        let local = source.span(LOCAL, |source| match source.choice(7) {
            0..5 => source.draw(string(alphanumeric()).len(1..=12)),
            5 => {
                let words = source.draw(vec(string(alphanumeric()).len(1..=8)).len(2..=3));
                words.join(".")
            }
            6 => {
                const SIGNS: &[char] =
                    &['+', '-', '_', '!', '#', '$', '%', '&', '\'', '*', '/', '=', '?', '^', '`', '{', '|', '}', '~'];
                let tag = source.draw(string(alphanumeric()).len(0..=8));
                format!("{}{}{tag}", source.draw(string(alphanumeric()).len(1..=8)), source.draw(elements(SIGNS)))
            }
            _ => {
                const QUOTED: &[char] = &['a', ' ', '@', '.', ',', ':', '(', ')'];
                format!("\"{}\"", source.draw(string(elements(QUOTED)).len(1..=10)))
            }
        });
        // Addresses are drawn beside names, since they make fewer choices, and would count as simpler.
        let mut host = source.draw(host_name());
        if source.choice(15) == 15 {
            host = format!("[{}]", source.draw(any::<Ipv4Addr>()));
        }
        format!("{local}@{host}")
    })
}

/// Returns a generator of `http` and `https` URLs, with hosts by name and by number, ports, paths, queries and
/// fragments, percent-encoded where needed.
///
/// ```
/// use forall::{choice::{Sequence, Source}, extra::url};
/// assert_eq!(Source::replay(&Sequence::default()).draw(url()), "http://a.com/");
/// assert!(Source::random(1, 0, 100).draw(url()).is_ascii());
/// ```
pub fn url() -> impl GeneratorExt<Value = String> + Copy {
    from_fn(|source: &mut Source| {
        let mut url = source.draw(elements(["http://", "https://"])).to_owned();
        let name = source.draw(host_name());
        url += &match source.choice(9) {
            8 => source.draw(any::<Ipv4Addr>()).to_string(),
            9 => format!("[{}]", source.draw(any::<Ipv6Addr>())),
            _ => name,
        };
        if source.choice(4) == 4 {
            url += &format!(":{}", source.draw(1..=u16::MAX));
        }
        url.push('/');
        // Separate labels, so that elements of one list are not mixed with those of the next.
        let path = source.span(PATH, |source| source.draw(vec(from_fn(|source| encoded(source, 0))).len(0..=4)));
        url += &path.join("/");
        let pair = from_fn(|source: &mut Source| {
            (source.span(KEY, |source| encoded(source, 1)), source.span(VALUE, |source| encoded(source, 0)))
        });
        let query = source.span(QUERY, |source| source.draw(vec(pair).len(0..=3)));
        for (at, (key, value)) in query.iter().enumerate() {
            url += &format!("{}{key}={value}", if at == 0 { '?' } else { '&' });
        }
        if source.choice(7) == 7 {
            url += &format!("#{}", encoded(source, 0));
        }
        url
    })
}

/// The local part of an e-mail address.
const LOCAL: u32 = OWN_LABELS + 10;
// The parts of a URL.
const PATH: u32 = OWN_LABELS;
const QUERY: u32 = OWN_LABELS + 1;
const KEY: u32 = OWN_LABELS + 2;
const VALUE: u32 = OWN_LABELS + 3;

/// A part of at least this many characters, percent-encoded.
#[inline]
fn encoded(source: &mut Source, least: usize) -> String {
    let text = source.draw(string(any::<char>()).len(least..=least + 7));
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => encoded.push(char::from(byte)),
            _ => encoded += &format!("%{byte:02X}"),
        }
    }
    encoded
}
