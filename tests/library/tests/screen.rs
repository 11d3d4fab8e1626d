//! The report of a failure fits on a screen: at most 24 lines of 80 columns for two variables of one line each, whatever failed and
//! wherever, with what a terminal breaks counted.

use forall::prelude::*;
use forall::report::{Style, render};
use forall::run::{Run, Settings, Store, Verdict};
use std::collections::{BTreeMap, BTreeSet};

const COLUMNS: usize = 80;
const LINES: usize = 24;

/// Several bugs, each with two variables. The functions under test are below.
mod bugs {
    use super::*;

    #[forall::property]
    fn keeps_the_length(xs: Vec<i32>, ys: Vec<i32>) {
        let mut all = xs.clone();
        all.extend(&ys);
        let sorted = sorted(&all);
        assert_eq!(sorted.len(), all.len(), "an element was lost");
    }

    #[forall::property]
    fn has_the_same_elements(xs: Vec<i32>, ys: Vec<i32>) {
        let all = [xs.as_slice(), ys.as_slice()].concat();
        assert_eq!(sorted(&all), all);
    }

    #[forall::property]
    fn every_index_is_valid(xs: Vec<u8>, n: usize) {
        let n = n % (xs.len() + 1);
        assert!(element(&xs, n) <= 100);
    }

    #[forall::property]
    fn no_debts(account: Account, amount: u32) {
        let mut after = account.clone();
        if after.withdraw(amount) {
            assert!(after.balance >= 0, "the balance is below zero");
        }
    }

    #[forall::property]
    fn nothing_changes(account: Account, amount: u32) {
        let mut after = account.clone();
        after.withdraw(amount);
        assert_eq!(after, account);
    }

    #[forall::property]
    fn all_values_are_empty(map: BTreeMap<u8, String>, key: u8) {
        let length = map.get(&key).map_or(0, String::len);
        assert_eq!(length, 0);
    }

    #[forall::property]
    fn half_is_less(a: u32, b: u32) -> bool {
        a / 2 <= b
    }

    #[forall::property]
    fn several_bugs(a: u8, b: u8) {
        let difference = a.checked_sub(b).expect("no overflow");
        assert!(difference < 200);
        assert_ne!(a.wrapping_add(b), 77);
        assert_eq!(1 / (a % 7), 1 / (b % 5));
    }

    #[forall::property]
    fn parses(text: String, other: String) -> Result<(), std::num::ParseIntError> {
        let sum = text.parse::<i64>()? + other.parse::<i64>()?;
        assert!(sum > 0);
        Ok(())
    }

    #[forall::property]
    fn numbers_are_everywhere(text: String, other: String) {
        let first: i32 = text.trim().parse().unwrap_or_default();
        let second: i32 = other.trim().parse().unwrap();
        assert!(first <= second);
    }

    #[forall::property]
    fn draws_in_its_body(s: &mut Source, n: u8) {
        let limit = s.draw_as("limit", 0..10u8);
        let all = s.draw(vec(any::<u8>()).len(3));
        assert!(n < limit.saturating_add(all[0]), "{n} is not below");
    }

    #[forall::property]
    fn a_function_of_many_lines(#[forall(vec(0..100i32).len(1..9))] xs: Vec<i32>, #[forall(0..9usize)] at: usize) {
        let mut sum = 0;
        for x in &xs {
            sum += x;
        }
        let mut least = i32::MAX;
        for x in &xs {
            least = least.min(*x);
        }
        let mut most = i32::MIN;
        for x in &xs {
            most = most.max(*x);
        }
        assert!(least <= most);
        let mean = sum / xs.len() as i32;
        assert_eq!(xs[at % xs.len()], mean, "element {at} of {xs:?} is not the mean, which is {mean}");
        assert!(sum >= most);
    }

    #[derive(Arbitrary, Clone, Debug, PartialEq)]
    pub struct Account {
        balance: i64,
        limit: Option<u32>,
    }

    impl Account {
        fn withdraw(&mut self, amount: u32) -> bool {
            let is_allowed = i64::from(amount) <= self.limit.map_or(1_000, i64::from);
            if is_allowed {
                self.balance = self.balance.wrapping_sub(i64::from(amount));
            }
            is_allowed
        }
    }

    /// Removes what is there twice.
    fn sorted(xs: &[i32]) -> Vec<i32> {
        xs.iter().copied().collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn element(xs: &[u8], n: usize) -> u8 {
        xs[n]
    }
}

/// The lines of a terminal that a text takes.
fn rows(text: &str) -> usize {
    text.lines().map(|line| line.chars().count().div_ceil(COLUMNS).max(1)).sum()
}

#[test]
fn a_failure_of_two_variables_takes_at_most_24_lines_of_80_columns() {
    let style = Style::plain().sources(true).width(COLUMNS);
    let directory = std::env::temp_dir().join(format!("forall-screen-{}", std::process::id()));
    let (mut judged, mut most) = (0, 0);
    for seed in 0..2 {
        for entry in forall::registry::all() {
            let settings = Settings::new().seed(seed).tests(2_000).store(Store::Directory(directory.clone()));
            let property = (entry.property)();
            let mut report = Run::named(entry.identity.clone(), &*property).settings(settings).report();
            // As in a test of its own.
            report.test = None;
            let text = render(&report, &style);
            assert_eq!(report.verdict, Verdict::Failed, "{text}");
            most = most.max(rows(&text));
            assert!(rows(&text) <= LINES, "{} lines:\n{text}", rows(&text));
            assert!(text.contains("\nreplay:   FORALL_DO='replay ") && text.contains("\ncommit:   "), "{text}");
            assert!(text.contains(" |     fn "), "{text}");
            assert!(!text.contains("let map: BTreeMap<u8, String> = std::"), "{text}");
            judged += 1;
        }
        std::fs::remove_dir_all(&directory).unwrap();
    }
    assert_eq!(judged, 2 * 12);
    assert!(most > LINES / 2, "{most}: is all of it there?");
}
