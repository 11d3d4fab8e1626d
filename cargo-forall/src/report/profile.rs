//! The source lines that an instrumented program executed.
//!
//! The compiler writes a map from counters to source regions into the program (LLVM's coverage mapping format, versions 6
//! and 7), and the program writes its counters to a profile when it exits (the raw profile format, versions 9 and 10). Both
//! are read here, as `llvm-cov` does, which stable toolchains lack.

use super::inflate::inflated;
use std::collections::BTreeMap;

/// The counters of a program, by the function's name and hash.
pub type Counts = BTreeMap<(u64, u64), Vec<u64>>;

/// The lines with code, from 1, and how much of each was executed.
pub type Lines = BTreeMap<u32, Reach>;

/// How much of a line was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// No part of the line.
    Nothing,
    /// Some parts of the line.
    Part,
    /// The whole line.
    All,
}

/// Adds the counters of a profile. `None` if it has an unknown format.
pub fn add(profile: &[u8], counts: &mut Counts) -> Option<()> {
    const MAGIC: u64 = u64::from_be_bytes(*b"\xffl\x70rofr\x81");
    const RECORD: usize = 64;
    let header = |at: usize| word(profile, at * 8);
    let fields = match header(1)? & 0xffff_ffff {
        9 => 14,
        10 => 16,
        _ => return None,
    };
    if header(0)? != MAGIC {
        return None;
    }
    let [ids, number, padding, counters, first] = [2, 3, 4, 5, 10].map(header);
    let (number, first) = (number? as usize, first?);
    let data = fields * 8 + ids? as usize;
    let start = data + number * RECORD + padding? as usize;
    for at in 0..number {
        let record = data + at * RECORD;
        let key = (word(profile, record)?, word(profile, record + 8)?);
        // Relative to this record; the header's address is relative to the first one.
        let offset = word(profile, record + 16)?.wrapping_sub(first.wrapping_sub((at * RECORD) as u64)) as usize;
        let length = half(profile, record + 48)? as usize;
        if offset / 8 + length > counters? as usize {
            return None;
        }
        let known = counts.entry(key).or_insert_with(|| vec![0; length]);
        for (known, at) in known.iter_mut().zip(0..length) {
            *known += word(profile, start + offset + at * 8)?;
        }
    }
    Some(())
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn half(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// A part of a function's source.
#[derive(Debug)]
struct Region {
    start: (u32, u32),
    end: (u32, u32),
    /// The number of executions.
    count: u64,
}

/// Returns the executed lines of each file of a program. `None` if the program has no map, or one of an unknown format.
pub fn lines(program: &[u8], counts: &Counts) -> Option<BTreeMap<String, Lines>> {
    let names = filenames(section(program, "__llvm_covmap")?)?;
    let functions = section(program, "__llvm_covfun")?;
    let mut files: BTreeMap<String, BTreeMap<u32, (bool, bool)>> = BTreeMap::new();
    let mut at = 0;
    while at + 28 <= functions.len() {
        let (name, length) = (word(functions, at)?, half(functions, at + 8)? as usize);
        let (hash, file) = (word(functions, at + 12)?, word(functions, at + 20)?);
        let mapping = functions.get(at + 28..at + 28 + length)?;
        at = (at + 28 + length).next_multiple_of(8);
        let (Some(names), none) = (names.get(&file), Vec::new()) else { continue };
        let counters = counts.get(&(name, hash)).unwrap_or(&none);
        for (file, regions) in regions(&mut Bytes(mapping), counters)? {
            let known = files.entry(names.get(file)?.clone()).or_default();
            for (line, (some, all)) in reached(regions) {
                // A generic function has a copy for each type, and one that was never compiled counts as not executed.
                let known = known.entry(line).or_insert((false, false));
                *known = (known.0 | some, known.1 | all);
            }
        }
    }
    let reach = |(some, all): (bool, bool)| match (some, all) {
        (false, _) => Reach::Nothing,
        (true, false) => Reach::Part,
        (true, true) => Reach::All,
    };
    let lines = |lines: BTreeMap<u32, (bool, bool)>| lines.into_iter().map(|(at, it)| (at, reach(it))).collect();
    Some(files.into_iter().map(|(name, it)| (name, lines(it))).collect())
}

/// For each line of a function, whether some of its regions, and all of them, were executed. Of nested regions, the
/// innermost counts.
fn reached(mut regions: Vec<Region>) -> BTreeMap<u32, (bool, bool)> {
    regions.sort_by_key(|region| (region.start, std::cmp::Reverse(region.end)));
    let mut lines: BTreeMap<u32, (bool, bool)> = BTreeMap::new();
    for Region { start, end, count } in regions {
        let is_hit = count > 0;
        for line in start.0..=end.0 {
            let whole = line != start.0 && line != end.0;
            let known = lines.get(&line).copied().filter(|_| !whole);
            let (some, all) = known.unwrap_or((is_hit, is_hit));
            lines.insert(line, (some | is_hit, all & is_hit));
        }
    }
    lines
}

/// Bytes that are read from the front.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    /// A number in groups of seven bits, the lowest first.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }
}

/// The files of each compilation unit, by the hash of the list.
fn filenames(mut section: &[u8]) -> Option<BTreeMap<u64, Vec<String>>> {
    let mut all = BTreeMap::new();
    while section.len() >= 16 {
        let (length, version) = (half(section, 4)? as usize, half(section, 12)?);
        // Counted from 0.
        if !(5..=6).contains(&version) {
            return None;
        }
        let list = section.get(16..16 + length)?;
        let mut bytes = Bytes(list);
        let number = bytes.number()?;
        let (length_of_names, compressed) = (bytes.number()? as usize, bytes.number()?);
        let unpacked;
        if compressed != 0 {
            // Two bytes of header precede the data.
            unpacked = inflated(bytes.0.get(2..)?, length_of_names)?;
            bytes = Bytes(&unpacked);
        }
        let mut names: Vec<String> = Vec::new();
        for _ in 0..number {
            let length = bytes.number()? as usize;
            let name = String::from_utf8_lossy(bytes.take(length)?).into_owned();
            // The first one is the directory of the compiler.
            let directory = names.first().filter(|_| !name.starts_with('/'));
            names.push(directory.map_or_else(|| name.clone(), |directory| format!("{directory}/{name}")));
        }
        all.insert(md5(list), names);
        section = section.get((16 + length).next_multiple_of(8)..).unwrap_or_default();
    }
    Some(all)
}

/// The regions of a function, by the index of their file.
fn regions(bytes: &mut Bytes<'_>, counters: &[u64]) -> Option<BTreeMap<usize, Vec<Region>>> {
    let mut number = || bytes.number();
    let mut files = Vec::new();
    for _ in 0..number()? {
        files.push(number()? as usize);
    }
    // A sum or difference refers to any other.
    let mut expressions = Vec::new();
    for _ in 0..number()? {
        expressions.push((number()?, number()?));
    }
    let mut values: Vec<Option<u64>> = vec![None; expressions.len()];
    let mut found: BTreeMap<usize, Vec<Region>> = BTreeMap::new();
    for file in files {
        let mut line = 0;
        for _ in 0..number()? {
            let header = number()?;
            let (mut counter, mut is_code) = (header, true);
            if header & 3 == 0 {
                counter = 0;
                if header & 4 == 0 {
                    match header >> 3 {
                        0 => {}
                        // Both outcomes of a branch; its condition has a region of its own.
                        4 => (_, _, is_code) = (number()?, number()?, false),
                        5 => (_, _, is_code) = (number()?, number()?, false),
                        6 => {
                            for _ in 0..5 {
                                number()?;
                            }
                            is_code = false;
                        }
                        _ => is_code = false,
                    }
                } else {
                    is_code = false;
                }
            }
            let (lines, column, more, last) = (number()?, number()?, number()?, number()?);
            line += lines as u32;
            // The highest bit marks the gap between two regions.
            if is_code && last & 1 << 31 == 0 {
                let (start, end) = ((line, column as u32), (line + more as u32, last as u32));
                let count = value(counter, counters, &expressions, &mut values);
                found.entry(file).or_default().push(Region { start, end, count });
            }
        }
    }
    Some(found)
}

/// The value of a counter, or of an expression over counters.
fn value(encoded: u64, counters: &[u64], expressions: &[(u64, u64)], values: &mut [Option<u64>]) -> u64 {
    let at = (encoded >> 2) as usize;
    match encoded & 3 {
        0 => 0,
        1 => counters.get(at).copied().unwrap_or(0),
        kind => {
            let Some(&(left, right)) = expressions.get(at) else { return 0 };
            if let Some(known) = values[at] {
                return known;
            }
            // Against cycles.
            values[at] = Some(0);
            let [left, right] = [left, right].map(|side| value(side, counters, expressions, values));
            let result = if kind == 2 { left.saturating_sub(right) } else { left.saturating_add(right) };
            values[at] = Some(result);
            result
        }
    }
}

/// The contents of a section of a program in the ELF format.
fn section<'a>(program: &'a [u8], name: &str) -> Option<&'a [u8]> {
    if !program.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (table, size) = (word(program, 0x28)? as usize, half(program, 0x3a)? as usize & 0xffff);
    let (number, names) = (half(program, 0x3c)? as usize & 0xffff, half(program, 0x3e)? as usize & 0xffff);
    let header = |at: usize| program.get(table + at * size..table + (at + 1) * size);
    let contents = |header: &[u8]| {
        let (offset, length) = (word(header, 0x18)? as usize, word(header, 0x20)? as usize);
        program.get(offset..offset.checked_add(length)?)
    };
    let names = contents(header(names)?)?;
    let is_it = |header: &&[u8]| {
        let at = half(header, 0).unwrap_or(u32::MAX) as usize;
        names
            .get(at..)
            .is_some_and(|rest| rest.strip_prefix(name.as_bytes()).is_some_and(|end| end.first() == Some(&0)))
    };
    contents((0..number).filter_map(header).find(is_it)?)
}

/// The first half of the MD5 hash, as a number: how the format refers to lists of files.
fn md5(bytes: &[u8]) -> u64 {
    const SHIFTS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize((bytes.len() + 9).next_multiple_of(64) - 8, 0);
    padded.extend((bytes.len() as u64 * 8).to_le_bytes());
    let mut state: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    for block in padded.chunks_exact(64) {
        let [mut a, mut b, mut c, mut d] = state;
        for step in 0..64 {
            let (mixed, at) = match step / 16 {
                0 => ((b & c) | (!b & d), step),
                1 => ((d & b) | (!d & c), 5 * step + 1),
                2 => (b ^ c ^ d, 3 * step + 5),
                _ => (c ^ (b | !d), 7 * step),
            };
            let constant = (f64::from(step as u32 + 1).sin().abs() * 4_294_967_296.0) as u32;
            let word = half(block, at % 16 * 4).unwrap_or_default();
            let sum = a.wrapping_add(mixed).wrapping_add(constant).wrapping_add(word);
            (a, d, c, b) = (d, c, b, b.wrapping_add(sum.rotate_left(SHIFTS[step / 16][step % 4])));
        }
        for (state, new) in state.iter_mut().zip([a, b, c, d]) {
            *state = state.wrapping_add(new);
        }
    }
    u64::from(state[1]) << 32 | u64::from(state[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_format() {
        // RFC 1321.
        let long = "1234567890".repeat(8);
        for (text, expected) in [
            ("", [0xd4, 0x1d, 0x8c, 0xd9, 0x8f, 0x00, 0xb2, 0x04]),
            ("abc", [0x90, 0x01, 0x50, 0x98, 0x3c, 0xd2, 0x4f, 0xb0]),
            (&long, [0x57, 0xed, 0xf4, 0xa2, 0x2b, 0xe3, 0xc9, 0x55]),
        ] {
            assert_eq!(md5(text.as_bytes()).to_le_bytes(), expected, "{text}");
        }
    }

    #[test]
    fn of_nested_regions_the_innermost_counts() {
        let region = |start: (u32, u32), end: (u32, u32), count: u64| Region { start, end, count };
        let lines = reached(vec![region((3, 20), (5, 6), 0), region((1, 1), (8, 2), 2), region((7, 5), (7, 9), 0)]);
        let (none, part, all) = ((false, false), (true, false), (true, true));
        let expected = [(1, all), (2, all), (3, part), (4, none), (5, part), (6, all), (7, part), (8, all)];
        assert_eq!(lines.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn sums_and_differences_of_counters_are_computed() {
        // The second counter minus the first; the first plus the former; itself.
        let expressions = [(5, 1), (1, 2), (10, 1)];
        let value = |encoded| value(encoded, &[3, 10], &expressions, &mut [None; 3]);
        assert_eq!([0, 1, 5, 2, 7, 10].map(value), [0, 3, 10, 7, 10, 0]);
        assert_eq!([13, 30].map(value), [0, 0], "there are no such counters");
    }

    #[test]
    fn other_data_is_neither_a_profile_nor_a_program() {
        for data in [&b""[..], &[7; 300], b"\x7fELF\x02\x01", b"\x81rforpl\xff\x0a\0\0\0\0\0\0\0"] {
            assert_eq!(add(data, &mut Counts::new()), None);
            assert_eq!(lines(data, &Counts::new()), None);
        }
    }
}
