//! Writes mutants into a source: each becomes a branch at its position. Line numbers do not change.

use super::mutant::{Edit, Edition, Mutant};
use super::switch::CRATE;
use std::collections::BTreeMap;
use std::ops::Range;

/// A rewritten file.
#[derive(Debug, Default)]
pub struct Rewritten {
    /// The rewritten source.
    pub text: String,
    /// The code of each mutant alone, as byte ranges of the rewritten source.
    pub own: Vec<(u32, Range<usize>)>,
    /// The code that each mutant encloses, including its own.
    pub around: Vec<(u32, Range<usize>)>,
    /// The original pieces: their starts in the rewritten source, and their ranges in the original.
    pieces: Vec<(usize, Range<usize>)>,
}

impl Rewritten {
    /// Returns the position in the original for a position in the rewritten source. Inserted code has the position where
    /// it was inserted.
    pub fn original(&self, at: usize) -> usize {
        let before = self.pieces.partition_point(|(start, _)| *start <= at);
        let piece = before.checked_sub(1).map(|piece| &self.pieces[piece]);
        piece.map_or(at, |(start, original)| (original.start + at - start).min(original.end))
    }

    fn push(&mut self, text: &str, original: Range<usize>) {
        self.pieces.push((self.text.len(), original.clone()));
        self.text += &text[original];
    }
}

/// A piece of the source with insertions before and after it.
struct Site {
    range: Range<usize>,
    before: String,
    after: String,
    /// The mutants, with the ranges of their code in `before`.
    mutants: Vec<(u32, Range<usize>)>,
}

/// Writes the mutants of a file into its source.
pub fn rewrite(text: &str, mutants: &[&Mutant], edition: Edition) -> Rewritten {
    let mut sites = sites(mutants);
    // Rewritten code names the crate as `::name`.
    if let Edition::RootOf2015(at) = edition {
        let before = format!("extern crate {CRATE}; ");
        sites.push(Site { range: at..at, before, after: String::new(), mutants: Vec::new() });
    }
    // Outer insertions first; insertions at a position come before code that begins there.
    sites.sort_by_key(|site| {
        (
            site.range.start,
            !site.range.is_empty(),
            std::cmp::Reverse(site.range.end),
            site.mutants.first().map(|it| it.0),
        )
    });
    let mut rewritten = Rewritten::default();
    let mut open: Vec<(usize, &Site, usize)> = Vec::new();
    let mut at = 0;
    let close_before = |place: usize, at: &mut usize, out: &mut Rewritten, open: &mut Vec<(usize, &Site, usize)>| {
        while let Some((end, site, start)) = open.pop_if(|(end, ..)| *end <= place) {
            out.push(text, *at..end);
            *at = end;
            out.text += &site.after;
            let whole = start..out.text.len();
            out.around.extend(site.mutants.iter().map(|(mutant, _)| (*mutant, whole.clone())));
        }
    };
    for site in &sites {
        close_before(site.range.start, &mut at, &mut rewritten, &mut open);
        rewritten.push(text, at..site.range.start);
        at = site.range.start;
        let start = rewritten.text.len();
        rewritten.text += &site.before;
        let own = |code: &Range<usize>| start + code.start..start + code.end;
        rewritten.own.extend(site.mutants.iter().map(|(mutant, code)| (*mutant, own(code))));
        open.push((site.range.end, site, start));
    }
    close_before(text.len(), &mut at, &mut rewritten, &mut open);
    rewritten.push(text, at..text.len());
    rewritten
}

fn sites(mutants: &[&Mutant]) -> Vec<Site> {
    let mut sites = Vec::new();
    // All replacements of an expression share an `if`.
    let mut instead: BTreeMap<(usize, usize), Vec<(u32, &str)>> = BTreeMap::new();
    let mut site = |id: u32, range: Range<usize>, before: String, after: &str| {
        let own = 0..before.len();
        sites.push(Site { range, before, after: after.to_owned(), mutants: vec![(id, own)] });
    };
    for mutant in mutants {
        let id = mutant.id;
        let is = format!("::{CRATE}::is({id})");
        match &mutant.edit {
            Edit::Instead(range, code) => instead.entry((range.start, range.end)).or_default().push((id, code)),
            Edit::Return(at, value) => site(id, *at..*at, format!("if {is} {{ return {value}; }} "), ""),
            Edit::Without(range) => site(id, range.clone(), format!("if !{is} {{ "), " }"),
            Edit::Statement(range, code) => {
                site(id, range.clone(), format!("if {is} {{ {code} }} else {{ "), " }");
            }
            Edit::Not(range) => site(id, range.clone(), format!("({is} ^ ("), "))"),
            Edit::OneMore(range) => {
                let after = format!(") {{ it => if {is} {{ it.wrapping_add(1) }} else {{ it }} }})");
                site(id, range.clone(), "(match (".to_owned(), &after);
            }
            Edit::Beside(at, test) => site(id, *at..*at, test.clone(), ""),
            Edit::NoMatch(at) => site(id, *at..*at, format!(" if !{is}"), ""),
            Edit::NoGuard(range) => site(id, range.clone(), format!("!{is} && ("), ")"),
        }
    }
    for ((start, end), codes) in instead {
        let (mut before, mut mutants) = ("(".to_owned(), Vec::new());
        for (id, code) in codes {
            let from = before.len();
            before += &format!("if ::{CRATE}::is({id}) {{ {code} }} else ");
            mutants.push((id, from..before.len()));
        }
        sites.push(Site { range: start..end, before: before + "{ ", after: " })".to_owned(), mutants });
    }
    sites
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;

    /// The source with all its mutants, called `is` for short.
    fn rewritten(source: &str) -> String {
        let found = find::find(source, 0, &[], &find::Options::default()).unwrap();
        let mutants: Vec<&Mutant> = found.mutants.iter().collect();
        let rewritten = rewrite(source, &mutants, Edition::Since2018);
        assert!(crate::rust::items(&rewritten.text).is_some(), "{}", rewritten.text);
        for (mutant, range) in &rewritten.around {
            assert!(rewritten.text[range.clone()].contains(&format!("is({mutant})")), "{mutant} {range:?}");
        }
        let at = rewritten.text.rfind('}').unwrap();
        assert_eq!(rewritten.original(at), source.rfind('}').unwrap(), "places can be traced back");
        for (mutant, range) in &rewritten.own {
            let function = &found.functions[found.mutants[*mutant as usize - 1].function].range;
            assert!(function.contains(&rewritten.original(range.start)), "inserted code, too: {mutant} {range:?}");
        }
        rewritten.text.replace(&format!("::{CRATE}::"), "")
    }

    #[test]
    fn nested_mutants_are_branches_of_one_source() {
        let text = rewritten("fn f(a: Own, b: Own) -> Own { a + b * c }");
        let expected = "fn f(a: Own, b: Own) -> Own { if is(1) { return Default::default(); } \
                        (if is(2) { (a) - (b * c) } else if is(3) { (a) * (b * c) } else { \
                        a + (if is(4) { (b) + (c) } else if is(5) { (b) / (c) } else { b * c }) }) }";
        assert_eq!(text, expected);
    }

    #[test]
    fn the_root_of_a_2015_crate_declares_the_switch_before_its_first_item() {
        let source = "#![no_std]\n//! A crate.\n/// A function.\nfn f() -> bool { a() }";
        let found = find::find(source, 0, &[], &find::Options::default()).unwrap();
        let mutants: Vec<&Mutant> = found.mutants.iter().take(1).collect();
        let text = rewrite(source, &mutants, Edition::RootOf2015(found.start)).text;
        let start = "#![no_std]\n//! A crate.\nextern crate __forall_mutants; /// A function.\nfn f() -> bool { if ::";
        assert!(text.starts_with(start), "{text}");
    }

    #[test]
    fn lines_stay_where_they_are() {
        let source = "fn f(xs: &mut Vec<u8>) {\n    xs.push(\n        1,\n    );\n    if xs.is_empty() {\n        xs.clear();\n    }\n}\n";
        let text = rewritten(source);
        let line = |text: &str, what: &str| text.lines().position(|line| line.contains(what)).unwrap();
        for what in ["xs.is_empty", "xs.clear"] {
            assert_eq!(line(&text, what), line(source, what), "{text}");
        }
    }

    #[test]
    fn an_error_is_ignored_or_its_statement_removed() {
        let text = rewritten("fn f() -> Result<(), Error> { g()?; h() }");
        assert!(text.contains("if !is(2) { if is(3) { let _ = g(); } else { g()?; } } h()"), "{text}");
    }

    #[test]
    fn arms_guards_and_numbers_are_rewritten_in_place() {
        let text = rewritten("fn f(n: Own) -> Own { match n { 1 => a, 2 if go() => b, _ => c } }");
        assert!(text.contains("1 if !is(2) => a, 2 if !is(3) && ((is(4) ^ (go()))) => b, _ => c"), "{text}");
        let text = rewritten("fn f() -> usize { count() }");
        let expected = "(match (count()) { it => if is(3) { it.wrapping_add(1) } else { it } })";
        assert!(text.contains(expected), "{text}");
    }
}
