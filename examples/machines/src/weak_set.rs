//! A set of weak references. Elements disappear when their owners drop them, at any time: the contents of the set are
//! not determined by its commands.
//!
//! Points of interest: the model is the *best case*, in which nothing disappears. `count` may be less than the model's,
//! and `find` may find nothing; but the set must not contain a string that was never added. Half of the generated
//! strings are already in the model, because random ones would hardly ever match.

use forall::Arbitrary;
use forall::choice::Source;
use forall::generate::{Code, elements};
use forall::machine::{Shared, Spec, Tuning};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};

/// The set. It may contain equal strings several times.
#[derive(Debug, Default)]
pub struct WeakSet {
    elements: Mutex<Vec<Weak<str>>>,
}

impl WeakSet {
    fn elements(&self) -> MutexGuard<'_, Vec<Weak<str>>> {
        self.elements.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a string, until it is dropped.
    pub fn add(&self, text: &Arc<str>) {
        self.elements().push(Arc::downgrade(text));
    }

    /// Removes one equal string, if there is one. Searches and removes in two steps, which is not safe to share.
    pub fn remove(&self, text: &str) {
        let is_this = |element: &Weak<str>| element.upgrade().is_some_and(|element| &*element == text);
        let found = self.elements().iter().position(is_this);
        if let Some(at) = found {
            let mut elements = self.elements();
            if at < elements.len() {
                elements.swap_remove(at);
            }
        }
    }

    /// Returns an equal string, if there is one.
    pub fn find(&self, text: &str) -> Option<Arc<str>> {
        self.elements().iter().filter_map(Weak::upgrade).find(|element| **element == *text)
    }

    /// Returns the number of elements.
    pub fn count(&self) -> usize {
        self.elements().iter().filter(|element| element.strong_count() > 0).count()
    }
}

/// The set, and the owners that keep its elements alive: for a while, or for the whole test.
#[derive(Clone, Debug)]
pub struct Owned {
    set: Arc<WeakSet>,
    owners: Option<Arc<Mutex<Vec<Arc<str>>>>>,
}

/// A thread that drops values sent to it: the collector.
static COLLECTOR: LazyLock<Sender<Arc<str>>> = LazyLock::new(|| {
    let (sender, garbage) = channel::<Arc<str>>();
    std::thread::spawn(move || {
        for text in garbage {
            std::thread::yield_now();
            drop(text);
        }
    });
    sender
});

/// A command to the set.
#[derive(Arbitrary, Clone, Debug, PartialEq)]
pub enum Command {
    /// [`WeakSet::add`]
    Add(String),
    /// [`WeakSet::remove`]
    Remove(String),
    /// [`WeakSet::find`]
    Find(String),
    /// [`WeakSet::count`]
    Count,
}

/// A response.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// Nothing.
    Done,
    /// To `Find`.
    Found(Option<String>),
    /// To `Count`.
    Number(usize),
}

/// The specification. With `COLLECTED`, owners drop elements while the test runs. With `WRONG`, the model ignores
/// duplicates, which is plausible and wrong.
#[derive(Clone, Copy, Debug, Default)]
pub struct WeakSetSpec<const COLLECTED: bool, const WRONG: bool = false>;

impl<const COLLECTED: bool, const WRONG: bool> Spec for WeakSetSpec<COLLECTED, WRONG> {
    type Command = Command;
    type Model = Vec<String>;
    type System = Owned;
    type Response = Response;

    fn model(&self) -> Vec<String> {
        Vec::new()
    }

    fn generate(&self, model: &Vec<String>, source: &mut Source) -> Command {
        let kind = source.choice(3);
        if kind == 0 {
            return Command::Count;
        }
        let text = match !model.is_empty() && source.choice(1) == 0 {
            true => source.draw(elements(model.clone())),
            false => source.draw(forall::generate::string('a'..='z').len(0..4)),
        };
        [Command::Add, Command::Remove, Command::Find][kind as usize - 1](text)
    }

    fn next(&self, model: &mut Vec<String>, command: &Command) {
        match command {
            Command::Add(text) if WRONG && model.contains(text) => {}
            Command::Add(text) => model.push(text.clone()),
            Command::Remove(text) => {
                if let Some(at) = model.iter().position(|element| element == text) {
                    model.remove(at);
                }
            }
            Command::Find(_) | Command::Count => {}
        }
    }

    fn system(&self) -> Owned {
        Owned { set: Arc::default(), owners: (!COLLECTED).then(Arc::default) }
    }

    fn run(&self, system: &mut Owned, command: &Command) -> Response {
        match command {
            Command::Add(text) => {
                let text: Arc<str> = text.as_str().into();
                system.set.add(&text);
                match &system.owners {
                    Some(owners) => owners.lock().unwrap_or_else(PoisonError::into_inner).push(text),
                    // If the collector thread has ended, the string is dropped immediately, which is fine.
                    None => drop(COLLECTOR.send(text)),
                }
                Response::Done
            }
            Command::Remove(text) => {
                system.set.remove(text);
                Response::Done
            }
            Command::Find(text) => Response::Found(system.set.find(text).map(|found| found.to_string())),
            Command::Count => Response::Number(system.set.count()),
        }
    }

    fn postcondition(&self, model: &Vec<String>, command: &Command, response: &Response) -> bool {
        match (command, response) {
            (Command::Add(_) | Command::Remove(_), Response::Done) => true,
            (Command::Find(_), Response::Found(None)) => true,
            (Command::Find(text), Response::Found(Some(found))) => found == text && model.contains(text),
            (Command::Count, Response::Number(count)) => *count <= model.len(),
            _ => false,
        }
    }

    fn code(&self, command: &Command) -> Option<String> {
        Code::of(command)
    }

    fn tuning(&self) -> Tuning {
        crate::tickets::interrupted()
    }
}

impl<const COLLECTED: bool, const WRONG: bool> Shared for WeakSetSpec<COLLECTED, WRONG> {
    fn share(&self, system: &mut Owned) -> Owned {
        system.clone()
    }
}
