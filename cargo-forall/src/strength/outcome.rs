//! The outcome as data, from which text, JSON and pages are rendered.

use super::judge::{Judged, Verdict};
use super::library::Library;
use super::mutant::Mutant;
use super::reach::Reach;
use super::score::Tally;
use super::tests::Test;
use std::collections::BTreeMap;

/// The outcome.
#[derive(Debug)]
pub struct Outcome<'a> {
    /// The code.
    pub library: &'a Library,
    /// The mutants that were judged.
    pub mutants: Vec<&'a Mutant>,
    /// The tests.
    pub tests: &'a [Test],
    /// The baseline of each test.
    pub reached: &'a [Reach],
    /// The verdicts.
    pub judged: &'a Judged,
    /// Whether all killers of each mutant are known.
    pub all_killers: bool,
    /// Inputs on which survivors differ from the original.
    pub differences: BTreeMap<u32, super::differ::Difference>,
}

impl<'a> Outcome<'a> {
    /// Returns the outcome without mutants and tests.
    pub fn empty(library: &'a Library, judged: &'a Judged) -> Self {
        let (mutants, differences) = (Vec::new(), BTreeMap::new());
        Self { library, mutants, tests: &[], reached: &[], judged, all_killers: false, differences }
    }

    /// The verdict on a mutant.
    pub fn verdict(&self, mutant: &Mutant) -> &'a Verdict {
        self.judged.verdicts.get(&mutant.id).unwrap_or(&Verdict::NotJudged)
    }

    /// Returns the counts of all verdicts.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        self.mutants.iter().for_each(|mutant| tally.add(self.verdict(mutant)));
        tally
    }

    /// Returns the counts of verdicts by function, in source order.
    pub fn functions(&self) -> BTreeMap<usize, Tally> {
        let mut functions: BTreeMap<usize, Tally> = BTreeMap::new();
        for mutant in &self.mutants {
            functions.entry(mutant.function).or_default().add(self.verdict(mutant));
        }
        functions
    }

    /// Returns the number of tests that reach a mutant, and how often they execute it.
    pub fn reach(&self, mutant: &Mutant) -> (usize, u64) {
        let counts: Vec<u64> = self.reached.iter().filter_map(|reach| reach.mutants.get(&mutant.id).copied()).collect();
        (counts.len(), counts.iter().sum())
    }

    /// Returns the survivors, most often executed first; among equals, those with the largest change first. Functions
    /// alternate.
    pub fn survivors(&self) -> Vec<&'a Mutant> {
        let mut survivors = self.mutants.clone();
        survivors.retain(|mutant| *self.verdict(mutant) == Verdict::Survived);
        survivors.sort_by_key(|mutant| {
            let (tests, count) = self.reach(mutant);
            (std::cmp::Reverse((tests, count)), std::cmp::Reverse(mutant.range.len()), mutant.id)
        });
        let mut seen: BTreeMap<usize, usize> = BTreeMap::new();
        let mut turns: Vec<(usize, &Mutant)> = Vec::new();
        for mutant in survivors {
            let turn = seen.entry(mutant.function).or_default();
            turns.push((*turn, mutant));
            *turn += 1;
        }
        turns.sort_by_key(|(turn, _)| *turn);
        turns.into_iter().map(|(_, mutant)| mutant).collect()
    }

    /// Returns the number of mutants that a test kills. It is a lower bound unless all killers are known.
    pub fn kills(&self, test: usize) -> usize {
        let is_killed = |verdict: &&Verdict| matches!(verdict, Verdict::Killed(by) if by.contains(&test));
        self.judged.verdicts.values().filter(is_killed).count()
    }

    /// Returns the mutants that only this test kills; none unless all killers are known.
    pub fn killed_alone(&self, test: usize) -> Vec<&'a Mutant> {
        let is_alone = |mutant: &&&Mutant| *self.verdict(mutant) == Verdict::Killed(vec![test]);
        self.mutants.iter().filter(|_| self.all_killers).filter(is_alone).copied().collect()
    }

    /// Returns the lines that a mutant changes, and their replacement.
    pub fn change(&self, mutant: &Mutant) -> (Vec<String>, Vec<String>) {
        let text = &self.library.file(mutant).text;
        let start = text[..mutant.range.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[mutant.range.end..].find('\n').map_or(text.len(), |at| mutant.range.end + at);
        let lines = |text: &str| -> Vec<String> {
            text.lines().map(|line| line.trim_end().to_owned()).filter(|line| !line.trim().is_empty()).collect()
        };
        let changed =
            format!("{}{}{}", &text[start..mutant.range.start], mutant.replacement, &text[mutant.range.end..end]);
        (lines(&text[start..end]), lines(&changed))
    }
}
