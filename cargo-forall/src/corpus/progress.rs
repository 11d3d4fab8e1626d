//! The progress of a shard in the corpus: the tests that it ran, so that a restarted worker continues there, and the
//! part of the campaign's budget that it has spent.
//!
//! A shard has one entry for each property, seed and build, and one for its budget. A worker replaces its entry every
//! few seconds. The tests of a shard run in a fixed order, so one index identifies those that ran.

use super::link::Link;
use crate::corpus::told;
use crate::properties::Property;
use crate::screen::one_line;
use crate::shard::Part;
use crate::{Error, scratch, trouble};
use forall::__record as record;
use forall::protocol::{Decode as _, Encode as _};
use forall::store::{Entry, Id, Kind};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The shortest and the longest interval at which progress is saved. If a worker is killed, the tests of one interval
/// are repeated.
const PERIODS: (u64, u64) = (2, 20);

/// The number of saves per second, of all shards together, above which the interval grows.
const SAVES: u64 = 500;

/// Returns the interval for a shard.
fn period(part: &Part) -> Duration {
    Duration::from_secs((part.shard.of() / SAVES).clamp(PERIODS.0, PERIODS.1))
}

record! {
    /// The progress of a shard with one seed.
    Reached {
        /// The build of the tests: another build starts over.
        build: Option<String>,
        /// All tests of the shard with lower indices ran.
        next: u64,
        /// The number of seconds that the shard has spent.
        spent: f64,
    }
}

record! {
    /// The seed of a shard's last campaign.
    Seed {
        /// The seed, in hexadecimal.
        seed: String,
    }
}

/// Reports that a shard begins with its first test, because its earlier workers had another seed.
fn compare_seeds(link: &mut Link, property: &Property, part: &Part) {
    let (mut saved, entries) = Saved::named(link, format!("{} (shard {})", property.name, part.shard));
    let seed = format!("{:#x}", part.seed);
    let before = entries.iter().find_map(|entry| Seed::read(&entry.message));
    if before.as_ref().is_some_and(|before| before.seed == seed) {
        return;
    }
    if let Some(Seed { seed: before }) = before {
        let before = one_line(&before);
        link.note(format!(
            "forall: {} starts again in shard {}: the seed is {seed}, and that of the earlier workers was {before}",
            property.name, part.shard
        ));
    }
    saved.save(link, Seed { seed }.encode());
}

/// The entries of a shard under one name.
struct Saved {
    name: String,
    /// The entries with this name, which the next one replaces.
    ids: Vec<Id>,
}

impl Saved {
    /// Reads the entries of a shard, and their contents.
    fn read(link: &mut Link, of: &str, part: &Part, seed: u64) -> (Self, Vec<Reached>) {
        let (saved, entries) = Self::named(link, format!("{of} (shard {}, seed {seed:#x})", part.shard));
        (saved, entries.iter().filter_map(|entry| Reached::read(&entry.message)).collect())
    }

    /// Reads the entries under a name.
    fn named(link: &mut Link, name: String) -> (Self, Vec<Entry>) {
        let ids = link.ask(|corpus| corpus.entries(Kind::Progress).list(&name, None)).unwrap_or_default().ids;
        let entries = ids.iter().filter_map(|id| link.fetch(Kind::Progress, &name, *id)).collect();
        (Self { name, ids }, entries)
    }

    /// Replaces the entries.
    fn save(&mut self, link: &mut Link, message: String) {
        let mut entry = Entry::statistics(&*self.name, message);
        entry.kind = Kind::Progress;
        let Some(id) = link.save_progress(entry) else { return };
        self.ids.retain(|old| {
            *old != id && link.change(|corpus| corpus.entries(Kind::Progress).delete(&self.name, *old)).is_none()
        });
        self.ids.push(id);
    }
}

/// The progress of one property in one slice.
pub struct Progress {
    saved: Saved,
    /// The file that the test program reads and writes: see the library's `FORALL_CHECKPOINT`.
    file: PathBuf,
    reached: Reached,
    /// The index at which this worker began.
    first: u64,
    began: Instant,
    period: Duration,
    next: Instant,
}

impl Progress {
    /// Reads the progress of a shard, for a slice with this seed.
    pub fn begin(link: &mut Link, property: &Property, part: &Part, seed: u64) -> Result<Self, Error> {
        if seed == part.seed {
            compare_seeds(link, property, part);
        }
        let (saved, all) = Saved::read(link, &property.name, part, seed);
        let build = told::build(&property.binary.path);
        let (same, others): (Vec<Reached>, Vec<Reached>) = all.into_iter().partition(|reached| reached.build == build);
        let reached = same.into_iter().max_by_key(|reached| reached.next);
        match &reached {
            Some(reached) if reached.next > 0 => link.note(format!(
                "forall: {} continues at test {}, where an earlier worker of shard {} ended",
                property.name, reached.next, part.shard
            )),
            None if !others.is_empty() => link.note(format!(
                "forall: {} starts again in shard {}: the tests were rebuilt",
                property.name, part.shard
            )),
            _ => {}
        }
        let reached = reached.unwrap_or(Reached { build, ..Reached::default() });
        let directory = property.binary.path.parent().unwrap_or(Path::new("."));
        let file = scratch::file(directory, ".checkpoint")?;
        fs::write(&file, format!("{:020}\n", reached.next))
            .map_err(|error| trouble::no_build("write", &file, error))?;
        let (now, period, first) = (Instant::now(), period(part), reached.next);
        Ok(Self { saved, file, reached, first, began: now, period, next: now + period })
    }

    /// Returns the file for the test program.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Returns whether an earlier worker has run tests.
    pub fn has_begun(&self) -> bool {
        self.reached.next > 0
    }

    /// Returns the index at which this worker began, and the one after its last test.
    pub fn indices(&self) -> (u64, u64) {
        (self.first, self.reached.next)
    }

    /// Saves the progress of the running property periodically.
    pub fn tick(&mut self, link: &mut Link) {
        if Instant::now() >= self.next {
            self.save(link);
        }
    }

    /// Saves the progress.
    pub fn save(&mut self, link: &mut Link) {
        self.next = Instant::now() + self.period;
        let next = fs::read_to_string(&self.file).ok().and_then(|text| text.trim().parse().ok());
        if let Some(next) = next.filter(|next| *next > self.reached.next) {
            let spent = self.reached.spent + self.began.elapsed().as_secs_f64();
            (self.reached.next, self.reached.spent, self.began) = (next, spent, Instant::now());
            self.saved.save(link, self.reached.encode());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.file);
    }
}

/// One shard's part of a campaign's budget: successive workers of the shard share it.
pub struct Budget {
    saved: Saved,
    before: f64,
    share: f64,
    began: Instant,
    period: Duration,
    next: Instant,
}

impl Budget {
    /// Reads the time that the shard has spent of `total`, the time of all shards together.
    pub fn begin(link: &mut Link, part: &Part, total: Duration) -> Self {
        let (saved, all) = Saved::read(link, "the campaign", part, part.seed);
        let before = all.iter().map(|reached| reached.spent).fold(0.0, f64::max);
        let (now, share) = (Instant::now(), total.as_secs_f64() / part.shard.of() as f64);
        Self { saved, before, share, began: now, period: period(part), next: now }
    }

    /// Returns the shard's remaining time; `None` if it is spent.
    pub fn left(&self) -> Option<Duration> {
        let left = self.share - self.before - self.began.elapsed().as_secs_f64();
        (left > 0.0).then(|| Duration::from_secs_f64(left))
    }

    /// Returns the share of a shard, in seconds.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// Saves the spent time periodically.
    pub fn tick(&mut self, link: &mut Link) {
        if Instant::now() >= self.next {
            self.save(link);
        }
    }

    /// Saves the spent time.
    pub fn save(&mut self, link: &mut Link) {
        self.next = Instant::now() + self.period;
        let spent = self.before + self.began.elapsed().as_secs_f64();
        self.saved.save(link, Reached { spent, ..Reached::default() }.encode());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Binary;
    use crate::shard::{Part, wanted};

    /// A worker of a shard, with the corpus of a test.
    struct Desk {
        root: PathBuf,
        property: Property,
        part: Part,
        link: Link,
    }

    impl Desk {
        fn new(test: &str, program: &str) -> Self {
            let root = std::env::temp_dir().join(format!("forall-progress-{test}-{}", std::process::id()));
            fs::create_dir_all(&root).unwrap();
            let path = root.join(program);
            fs::write(&path, program).unwrap();
            let binary = Binary { path, package: "shop".to_owned(), package_directory: root.clone() };
            let property = Property { binary, ..Property::example("sorts") };
            let part = Part::of(Some(&wanted("3/4").unwrap()), Some(7)).unwrap().unwrap();
            let corpus = crate::corpus::open(root.join("corpus").to_str().unwrap()).unwrap();
            Self { root, property, part, link: Link::new(corpus) }
        }

        fn begin(&mut self) -> Progress {
            Progress::begin(&mut self.link, &self.property, &self.part, 7).unwrap()
        }

        /// Runs the tests up to this one, as a worker would.
        fn run_to(&mut self, next: u64) {
            let mut progress = self.begin();
            fs::write(progress.file(), format!("{next:020}\n")).unwrap();
            progress.save(&mut self.link);
        }
    }

    #[test]
    fn a_worker_continues_where_an_earlier_one_of_its_shard_ended() {
        let mut desk = Desk::new("continues", "program");
        assert!(!desk.begin().has_begun());
        desk.run_to(500);
        desk.run_to(900);
        let progress = desk.begin();
        assert_eq!(fs::read_to_string(progress.file()).unwrap().trim().parse(), Ok(900));
        let said = desk.link.take_said();
        let continues = "forall: sorts continues at test 900, where an earlier worker of shard 3/4 ended\n";
        assert!(said.ends_with(continues), "{said}");
        let name = &progress.saved.name;
        let listing = desk.link.ask(|corpus| corpus.entries(Kind::Progress).list(name, None)).unwrap();
        assert_eq!(listing.ids.len(), 1, "the later entry replaces the earlier one");
        let entry = desk.link.fetch(Kind::Progress, name, listing.ids[0]).unwrap();
        assert!(entry.to_text().contains("# How far the tests of a shard ran.\n"));
        assert!(desk.link.ask(|corpus| corpus.properties()).unwrap().is_empty(), "it is not a property");
        let mut other = Desk::new("continues", "rebuilt");
        assert!(!other.begin().has_begun(), "another build has other tests");
        assert_eq!(other.link.take_said(), "forall: sorts starts again in shard 3/4: the tests were rebuilt\n");
        fs::remove_dir_all(&desk.root).unwrap();
    }

    #[test]
    fn another_seed_begins_with_the_first_test_and_is_reported_once() {
        let mut desk = Desk::new("seed", "program");
        desk.run_to(500);
        assert!(!desk.link.take_said().contains("starts again"));
        desk.part = Part::of(Some(&wanted("3/4").unwrap()), Some(8)).unwrap().unwrap();
        let begin = |desk: &mut Desk| Progress::begin(&mut desk.link, &desk.property, &desk.part, 8).unwrap();
        assert!(!begin(&mut desk).has_begun());
        let says =
            "forall: sorts starts again in shard 3/4: the seed is 0x8, and that of the earlier workers was 0x7\n";
        assert_eq!(desk.link.take_said(), says);
        begin(&mut desk);
        assert_eq!(desk.link.take_said(), "");
        fs::remove_dir_all(&desk.root).unwrap();
    }

    #[test]
    fn progress_that_the_corpus_lost_is_saved_again() {
        let mut desk = Desk::new("lost", "program");
        desk.run_to(500);
        desk.link.losses();
        let corpus = desk.root.join("corpus");
        fs::remove_dir_all(&corpus).unwrap();
        crate::corpus::open(corpus.to_str().unwrap()).unwrap();
        assert_eq!(desk.link.losses(), 1);
        desk.link.take_said();
        let progress = desk.begin();
        assert_eq!(progress.indices(), (500, 500));
        assert!(desk.link.take_said().contains("sorts continues at test 500"));
        fs::remove_dir_all(&desk.root).unwrap();
    }

    #[test]
    fn the_workers_of_a_shard_share_its_part_of_the_budget() {
        let mut desk = Desk::new("budget", "program");
        let total = Duration::from_secs(400);
        let mut budget = Budget::begin(&mut desk.link, &desk.part, total);
        budget.began -= Duration::from_secs(70);
        assert!(budget.left().unwrap() <= Duration::from_secs(30), "its part is a quarter");
        budget.save(&mut desk.link);
        let mut next = Budget::begin(&mut desk.link, &desk.part, total);
        assert!(next.left().unwrap() <= Duration::from_secs(30));
        next.began -= Duration::from_secs(40);
        next.save(&mut desk.link);
        assert_eq!(Budget::begin(&mut desk.link, &desk.part, total).left(), None);
        fs::remove_dir_all(&desk.root).unwrap();
    }
}
