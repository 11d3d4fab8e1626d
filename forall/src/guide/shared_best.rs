//! The best input of a targeted search, shared with other workers through a directory: `FORALL_BEST=DIRECTORY`.
//!
//! It is a store [`Directory`] with entries of [`Kind::Best`](crate::store::Kind). Entries of other workers are run
//! unchanged and judged by their score here; the score stored in an entry only determines the order. The best input of
//! this search is written there, and worse ones are removed; of two equally good ones, the one with the smaller name is
//! kept, so that all searches end up with the same one. `cargo forall run --corpus` copies entries between such
//! directories.

use crate::choice::Random;
use crate::guide::{Directive, Pool, Seed};
use crate::run::environment::variable;
use crate::sort::sort_by;
use crate::store::{Backend, Cursor, Directory, Entry, Id};
use std::time::{Duration, Instant};

/// How often the best input is written, and entries of others are read.
const LOOK: Duration = Duration::from_millis(500);

/// The clock is read once per this many tests.
const LOOK_TESTS: u32 = 64;

/// The limit on entries that are read at once, so that a foreign directory cannot fill the memory.
const MAX_READ: usize = 1000;

/// A pool whose best seed is shared.
pub(super) struct SharedBest<P: Pool> {
    pool: P,
    property: String,
    folder: Directory,
    cursor: Option<Cursor>,
    /// Entries of other workers that have not been run yet, with their claimed scores, best last.
    others: Vec<(Id, Seed)>,
    /// The entry being run.
    trying: Option<(Id, Seed)>,
    /// The highest score so far.
    best: f64,
    /// The entry with it.
    entry: Option<Id>,
    /// The input with it, if it has no entry yet.
    unsaved: Option<Seed>,
    tests: u32,
    looked: Instant,
}

impl<P: Pool> SharedBest<P> {
    /// Shares the best of `pool` in the directory of the environment; `None` if it is not set.
    pub(super) fn from_environment(pool: P, property: &str) -> Result<Self, P> {
        match variable("FORALL_BEST").filter(|value| !value.is_empty()) {
            Some(folder) => Ok(Self::new(pool, property, Directory::new(folder))),
            None => Err(pool),
        }
    }

    fn new(pool: P, property: &str, folder: Directory) -> Self {
        let mut shared = Self {
            pool,
            property: property.to_owned(),
            folder,
            cursor: None,
            others: Vec::new(),
            trying: None,
            best: f64::NEG_INFINITY,
            entry: None,
            unsaved: None,
            tests: 0,
            looked: Instant::now(),
        };
        shared.read();
        shared
    }

    /// Reads the entries of others. Unreadable ones are ignored.
    fn read(&mut self) {
        let Ok(listing) = self.folder.list(&self.property, self.cursor.as_ref()) else { return };
        self.cursor = Some(listing.cursor);
        for id in listing.ids.into_iter().take(MAX_READ) {
            if self.entry != Some(id)
                && let Ok(Some(entry)) = self.folder.fetch(&self.property, id)
                && let Some(score) = entry.score()
            {
                self.others.push((id, Seed::new(entry.case, score)));
            }
        }
        sort_by(&mut self.others, |(_, a), (_, b)| a.utility.total_cmp(&b.utility));
    }

    /// Writes the best input, if it has no entry yet.
    fn write(&mut self) {
        if !self.others.is_empty() {
            // Another one may be better.
            return;
        }
        let Some(seed) = self.unsaved.take() else { return };
        // A full disk does not end the search.
        if let Ok(id) = self.folder.save(&Entry::best(&*self.property, seed.case, seed.utility)) {
            self.set_best(id);
        }
    }

    /// Records that this entry has the highest score, so the previous one is obsolete.
    fn set_best(&mut self, id: Id) {
        if let Some(before) = self.entry.replace(id).filter(|before| *before != id) {
            let _ = self.folder.delete(&self.property, before);
        }
    }

    /// Records that an entry of another worker has its claimed score, which is at least as high as any.
    fn confirm(&mut self, id: Id, score: f64) {
        match self.entry {
            Some(own) if score == self.best && own < id => {
                let _ = self.folder.delete(&self.property, id);
            }
            _ => {
                self.unsaved = None;
                self.set_best(id);
            }
        }
    }
}

impl<P: Pool> Pool for SharedBest<P> {
    fn invest(&mut self, seed: Seed) {
        let score = seed.utility;
        // The invested seed is the last sampled one.
        let tried = self.trying.take();
        if score >= self.best && score.is_finite() {
            match tried {
                // Its claim is confirmed, so it holds for every worker with this build.
                Some((id, tried)) if tried.utility == score => self.confirm(id, score),
                _ if score > self.best => self.unsaved = Some(seed.clone()),
                _ => {}
            }
            self.best = score;
        }
        self.pool.invest(seed);
    }

    fn revise(&mut self) {
        self.pool.revise();
    }

    fn sample(&mut self, random: &mut Random) -> Directive<'_> {
        self.tests = self.tests.wrapping_add(1);
        if self.tests.is_multiple_of(LOOK_TESTS) && self.looked.elapsed() >= LOOK {
            self.looked = Instant::now();
            self.read();
            self.write();
        }
        if let Some((id, tried)) = self.trying.take()
            && tried.utility < self.best
        {
            // It was useless, as expected.
            let _ = self.folder.delete(&self.property, id);
        }
        self.trying = self.others.pop();
        match &self.trying {
            Some((_, seed)) => Directive::Try(seed),
            None => self.pool.sample(random),
        }
    }

    fn best(&self) -> Option<&Seed> {
        self.pool.best()
    }
}

/// Writes the best input when the search is over.
impl<P: Pool> Drop for SharedBest<P> {
    fn drop(&mut self) {
        self.others.clear();
        self.write();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Sequence;
    use crate::guide::{Energy, Heap};
    use crate::run::Case;

    fn case(value: u64) -> Case {
        Case { sequence: Sequence::from_values(100, &[value]), steps: Vec::new() }
    }

    /// A separate search that runs the entries in the directory.
    struct Desk(std::path::PathBuf);

    impl Desk {
        fn new(test: &str) -> Self {
            let root = std::env::temp_dir().join(format!("forall-best-{test}-{}", std::process::id()));
            let _ = std::fs::remove_dir_all(&root);
            Self(root)
        }

        fn search(&self) -> SharedBest<Heap> {
            SharedBest::new(Heap::new(Energy::constant(5)), "climbs", Directory::new(&self.0))
        }

        /// The scores in the folder.
        fn scores(&self) -> Vec<Option<f64>> {
            let folder = Directory::new(&self.0);
            let ids = folder.list("climbs", None).unwrap().ids;
            ids.into_iter().map(|id| folder.fetch("climbs", id).unwrap().unwrap().score()).collect()
        }
    }

    impl Drop for Desk {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn entries_of_others_run_first_and_better_ones_replace_the_best() {
        let desk = Desk::new("better");
        let mut one = desk.search();
        one.invest(Seed::new(case(3), 3.0));
        drop(one);
        assert_eq!(desk.scores(), [Some(3.0)]);
        let (mut two, mut random) = (desk.search(), Random::from_key(7));
        assert!(matches!(two.sample(&mut random), Directive::Try(seed) if seed.case == case(3)));
        two.invest(Seed::new(case(3), 3.0));
        two.invest(Seed::new(case(9), 9.0));
        assert!(matches!(two.sample(&mut random), Directive::Mutate(seed) if seed.case == case(9)));
        drop(two);
        assert_eq!(desk.scores(), [Some(9.0)]);
    }

    #[test]
    fn an_entry_with_another_score_here_stays_for_its_author() {
        let desk = Desk::new("other-build");
        Directory::new(&desk.0).save(&Entry::best("climbs", case(3), 300.0)).unwrap();
        let (mut two, mut random) = (desk.search(), Random::from_key(7));
        two.sample(&mut random);
        two.invest(Seed::new(case(3), 3.0));
        two.invest(Seed::new(case(9), 9.0));
        drop(two);
        let mut scores = desk.scores();
        scores.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(scores, [Some(9.0), Some(300.0)]);
    }

    #[test]
    fn worse_entries_are_removed_after_they_ran() {
        let desk = Desk::new("not-as-good");
        let (mut two, mut random) = (desk.search(), Random::from_key(7));
        two.invest(Seed::new(case(9), 9.0));
        let folder = Directory::new(&desk.0);
        folder.save(&Entry::best("climbs", case(1), 1.0)).unwrap();
        folder.save(&Entry::best("climbs", case(3), 300.0)).unwrap();
        two.read();
        for _ in 0..3 {
            // Neither is useful here, and the score of one is confirmed.
            two.sample(&mut random);
        }
        drop(two);
        let mut scores = desk.scores();
        scores.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(scores, [Some(9.0), Some(300.0)]);
    }

    #[test]
    fn of_two_equally_good_entries_all_searches_keep_the_same() {
        for (own, other) in [(1, 2), (2, 1)] {
            let desk = Desk::new("as-good");
            let (mut one, mut two) = (desk.search(), desk.search());
            one.invest(Seed::new(case(own), 5.0));
            two.invest(Seed::new(case(other), 5.0));
            one.write();
            two.write();
            for (search, theirs) in [(&mut one, other), (&mut two, own)] {
                search.read();
                while let Directive::Try(seed) = search.sample(&mut Random::from_key(7)) {
                    let seed = seed.clone();
                    assert_eq!(seed.case, case(theirs));
                    search.invest(seed);
                }
            }
            drop((one, two));
            let folder = Directory::new(&desk.0);
            let least = [1, 2].map(|value| Entry::best("climbs", case(value), 5.0).id()).into_iter().min();
            assert_eq!(folder.list("climbs", None).unwrap().ids.first().copied(), least);
            assert_eq!(desk.scores(), [Some(5.0)]);
        }
    }

    #[test]
    fn entries_that_arrive_meanwhile_run_and_those_without_a_score_are_ignored() {
        let desk = Desk::new("meanwhile");
        let (mut one, mut two) = (desk.search(), desk.search());
        two.invest(Seed::new(case(5), 5.0));
        two.write();
        Directory::new(&desk.0).save(&Entry::best("climbs", case(6), f64::INFINITY)).unwrap();
        one.read();
        let mut random = Random::from_key(7);
        assert!(matches!(one.sample(&mut random), Directive::Try(seed) if seed.case == case(5)));
        one.invest(Seed::new(case(5), 5.0));
        one.invest(Seed::new(case(5), f64::INFINITY));
        assert!(!matches!(one.sample(&mut random), Directive::Try(_)));
        drop(one);
        let mut scores = desk.scores();
        scores.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(scores, [None, Some(5.0)]);
    }
}
