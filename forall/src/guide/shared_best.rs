//! The best input of a targeted search, shared with other workers by way of a folder: `FORALL_BEST=DIRECTORY`.
//!
//! The folder is a [`Directory`] with entries of [`Kind::Best`](crate::store::Kind). Whatever others put there is run, as it is, and
//! judged by the score that it has here; what an entry says of its score only decides what is run first. The best input of this search
//! is written there, and what it was seen to be better than is removed; of two that are as good the one with the smaller name stays, so
//! that all searches end with one. `cargo forall run --corpus` carries entries between such folders.

use crate::choice::Random;
use crate::guide::{Directive, Pool, Seed};
use crate::run::environment::variable;
use crate::sort::sort_by;
use crate::store::{Backend, Cursor, Directory, Entry, Id};
use std::time::{Duration, Instant};

/// So often the best input is written, and it is looked whether others have written one.
const LOOK: Duration = Duration::from_millis(500);

/// The clock is read only every so many tests.
const LOOK_TESTS: u32 = 64;

/// More entries are not read at once: a folder that somebody else filled is not to fill the memory.
const MOST: usize = 1000;

/// A pool whose best seed is shared.
pub(super) struct SharedBest<P: Pool> {
    pool: P,
    property: String,
    folder: Directory,
    cursor: Option<Cursor>,
    /// What others found and was not tried yet, with the scores that they say, the best last.
    others: Vec<(Id, Seed)>,
    /// What is being tried.
    trying: Option<(Id, Seed)>,
    /// The highest score so far.
    best: f64,
    /// The entry that has it.
    entry: Option<Id>,
    /// The input that has it, if that is in no entry.
    unsaved: Option<Seed>,
    tests: u32,
    looked: Instant,
}

impl<P: Pool> SharedBest<P> {
    /// Shares the best of `pool` where the environment says; none if it does not.
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

    /// Reads what others have found. What cannot be read is nothing to begin with.
    fn read(&mut self) {
        let Ok(listing) = self.folder.list(&self.property, self.cursor.as_ref()) else { return };
        self.cursor = Some(listing.cursor);
        for id in listing.ids.into_iter().take(MOST) {
            if self.entry != Some(id)
                && let Ok(Some(entry)) = self.folder.fetch(&self.property, id)
                && let Some(score) = entry.score()
            {
                self.others.push((id, Seed::new(entry.case, score)));
            }
        }
        sort_by(&mut self.others, |(_, a), (_, b)| a.utility.total_cmp(&b.utility));
    }

    /// Writes the best input down, if it is in no entry.
    fn write(&mut self) {
        if !self.others.is_empty() {
            // One of them may be better.
            return;
        }
        let Some(seed) = self.unsaved.take() else { return };
        // A full disk ends no search.
        if let Ok(id) = self.folder.save(&Entry::best(&*self.property, seed.case, seed.utility)) {
            self.stands(id);
        }
    }

    /// This entry has the highest score, and the one before it is not needed.
    fn stands(&mut self, id: Id) {
        if let Some(before) = self.entry.replace(id).filter(|before| *before != id) {
            let _ = self.folder.delete(&self.property, before);
        }
    }

    /// An entry of others has the score that it says, and that is as high as any.
    fn meets(&mut self, id: Id, score: f64) {
        match self.entry {
            Some(own) if score == self.best && own < id => {
                let _ = self.folder.delete(&self.property, id);
            }
            _ => {
                self.unsaved = None;
                self.stands(id);
            }
        }
    }
}

impl<P: Pool> Pool for SharedBest<P> {
    fn invest(&mut self, seed: Seed) {
        let score = seed.utility;
        // What is invested is what was sampled last.
        let tried = self.trying.take();
        if score >= self.best && score.is_finite() {
            match tried {
                // What it says is what it has, so it will be so for all who have this build.
                Some((id, tried)) if tried.utility == score => self.meets(id, score),
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
            // It was not of use, as was to be expected of it.
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

/// The search is over.
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

    /// What a search of its own finds in the folder, and does with it.
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
    fn what_others_found_is_tried_first_and_the_better_takes_its_place() {
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
    fn what_has_another_score_here_stays_for_those_who_said_so() {
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
    fn what_is_not_as_good_is_removed_when_it_was_tried() {
        let desk = Desk::new("not-as-good");
        let (mut two, mut random) = (desk.search(), Random::from_key(7));
        two.invest(Seed::new(case(9), 9.0));
        let folder = Directory::new(&desk.0);
        folder.save(&Entry::best("climbs", case(1), 1.0)).unwrap();
        folder.save(&Entry::best("climbs", case(3), 300.0)).unwrap();
        two.read();
        for _ in 0..3 {
            // Neither is of use here, and of one that was said.
            two.sample(&mut random);
        }
        drop(two);
        let mut scores = desk.scores();
        scores.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(scores, [Some(9.0), Some(300.0)]);
    }

    #[test]
    fn of_two_that_are_as_good_all_keep_the_same() {
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
    fn what_comes_while_it_runs_is_tried_and_what_says_no_number_is_left() {
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
