//! Draws in a property's body: a parameter `s: &mut Source` of `#[forall::test]` and `#[forall::property]`.
//!
//! Its value is a fork of the test's source, so the draws of the body are recorded, replayed, shrunk and saved like
//! other choices. In the body it is a [`Draws`], which reports each draw as a variable.

use super::printing::debug_text;
use super::{Binding, Outline, Printed};
use crate::choice::{DRAW, MAX_ITEMS, Overrun, Shown, Source};
use crate::generate::{Arbitrary, Generator};
use std::any::type_name;
use std::fmt::Debug;
use std::ops::{Deref, DerefMut};
use std::panic::resume_unwind;
use std::thread::{self, ThreadId};

/// A source for the body of a property: see [`Draws`].
///
/// ```
/// use forall::choice::Source;
///
/// #[forall::property]
/// fn removes_what_it_inserted(s: &mut Source) {
///     let mut set = std::collections::BTreeSet::new();
///     for _ in 0..s.draw(0..10) {
///         let key: u8 = s.draw(0..100);
///         set.insert(key);
///         assert!(set.remove(&key));
///     }
/// }
/// forall::check("sets", &removes_what_it_inserted::property());
/// ```
impl Arbitrary for Source {
    #[inline]
    fn arbitrary(source: &mut Source) -> Self {
        source.fork()
    }
}

/// The source that a body draws from: a [`Source`] whose draws are printed in the report.
///
/// A parameter `s: &mut Source` of `#[forall::test]` or `#[forall::property]` is a `&mut Draws` in the body. The report
/// of a failure prints each draw, by the name that [`draw_as`](Draws::draw_as) gives it or as `draw 1`, `draw 2`, and
/// so on, in the order of the choices: the draws of a fork appear where the fork was created.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Run, Settings, Store};
///
/// #[forall::property]
/// fn is_sorted(s: &mut Source) {
///     let mut all = Vec::new();
///     while s.draw_as("go on", any::<bool>()) {
///         all.push(s.draw(0..10));
///         assert!(all.is_sorted(), "{all:?}");
///     }
/// }
///
/// let report = Run::new("sorted", &is_sorted::property()).settings(Settings::new().store(Store::Off)).report();
/// let drawn = report.counterexample.unwrap().bindings;
/// let shown: Vec<_> = drawn[1..].iter().map(|draw| format!("{} = {}", draw.name, draw.printed.text())).collect();
/// assert_eq!(shown, ["go on = true", "draw 2 = 1", "go on 2 = true", "draw 4 = 0"]);
/// ```
///
/// The values need `Debug`, except for [`draw_silent`](Draws::draw_silent). It derefs to a [`Source`]: a function that
/// takes `&mut Source` accepts it, and the draws of that function are not printed. `s.draw(from_fn(function))` prints
/// the function's result.
///
/// Draw on one thread only: the order of draws on several threads varies from run to run, so the input could not be
/// replayed. A test that draws on several threads is reported as misuse. Give each thread its own source, created with
/// [`fork`](Draws::fork) before the thread starts.
///
/// ```
/// use forall::prelude::*;
///
/// #[forall::property]
/// fn adds_up(s: &mut Source) {
///     let mut forks = [s.fork(), s.fork()];
///     let total: u32 = std::thread::scope(|scope| {
///         let threads = forks.each_mut().map(|fork| scope.spawn(|| fork.draw(0..10u32)));
///         threads.into_iter().map(|thread| thread.join().unwrap()).sum()
///     });
///     assert!(total < 20);
/// }
/// forall::check("threads", &adds_up::property());
/// ```
#[derive(Debug)]
pub struct Draws<'a> {
    source: Held<'a>,
    /// The thread that draws.
    thread: Option<ThreadId>,
    /// The number of draws.
    draws: usize,
}

#[derive(Debug)]
enum Held<'a> {
    Borrowed(&'a mut Source),
    Owned(Source),
}

impl<'a> Draws<'a> {
    /// Creates the draws of a body from `source`. The attributes do this for a parameter `&mut Source`.
    ///
    /// ```
    /// use forall::property::{self, Draws, Telescope};
    /// use forall::choice::Source;
    /// let property = property::forall("s", |(), s: &mut Source| s.fork()).check_owned(|(mut s, ())| {
    ///     let mut s = Draws::new(&mut s);
    ///     s.draw(0..10u32) < 10
    /// });
    /// forall::check("by hand", &property);
    /// ```
    #[doc(hidden)]
    pub fn new(source: &'a mut Source) -> Self {
        Self { source: Held::Borrowed(source), thread: None, draws: 0 }
    }

    /// Creates an independent source, for another thread or for draws that come later. The report prints its draws among
    /// those of the body, where the fork was created.
    ///
    /// ```
    /// use forall::{choice::Source, property::Draws};
    /// let mut source = Source::random(42, 0, 100);
    /// let mut fork = Draws::new(&mut source).fork();
    /// let drawn = std::thread::spawn(move || fork.draw(0..10u32)).join().unwrap();
    /// assert!(drawn < 10);
    /// ```
    pub fn fork(&mut self) -> Draws<'static> {
        // The order of forks matters as much as that of draws.
        self.begin();
        Draws { source: Held::Owned(Source::fork(self)), thread: None, draws: 0 }
    }

    /// Draws a value from a generator. The report prints it as `draw 1`, numbered among the draws of the body.
    ///
    /// ```
    /// use forall::{choice::Source, property::Draws};
    /// let mut source = Source::random(42, 0, 100);
    /// assert!(Draws::new(&mut source).draw(0..10u32) < 10);
    /// ```
    pub fn draw<G: Generator<Value: Debug>>(&mut self, generator: G) -> G::Value {
        self.draw_shown(None, generator)
    }

    /// Draws a value that the report prints by name. A repeated name gets a number: `key`, `key 2`, `key 3`.
    ///
    /// ```
    /// use forall::{choice::Source, property::Draws};
    /// let mut source = Source::random(42, 0, 100);
    /// assert!(Draws::new(&mut source).draw_as("key", 0..10u32) < 10);
    /// ```
    pub fn draw_as<G: Generator<Value: Debug>>(&mut self, name: &str, generator: G) -> G::Value {
        self.draw_shown(Some(name), generator)
    }

    /// Draws a value that is not printed and needs no `Debug`.
    ///
    /// ```
    /// use forall::{choice::Source, generate::from_fn, property::Draws};
    /// struct Handle(u32);
    /// let handle = from_fn(|s| Handle(s.draw(0..10)));
    /// let mut source = Source::random(42, 0, 100);
    /// assert!(Draws::new(&mut source).draw_silent(handle).0 < 10);
    /// ```
    pub fn draw_silent<G: Generator>(&mut self, generator: G) -> G::Value {
        self.begin();
        generator.generate(self)
    }

    fn draw_shown<G: Generator<Value: Debug>>(&mut self, name: Option<&str>, generator: G) -> G::Value {
        self.begin();
        self.open_span(DRAW);
        let value = generator.generate(self);
        self.close_span();
        if !self.is_random() {
            self.show(&mut || Shown {
                name: name.map(str::to_owned),
                text: debug_text(&value),
                type_name: type_name::<G::Value>(),
                place: Vec::new(),
            });
        }
        value
    }

    /// Starts a draw on this thread.
    fn begin(&mut self) {
        self.draws += 1;
        if self.draws > MAX_ITEMS {
            // A tape enforces the limit itself; in random mode an endless loop would otherwise go unnoticed.
            resume_unwind(Box::new(Overrun));
        }
        let this = thread::current().id();
        if *self.thread.get_or_insert(this) != this {
            self.say_several_threads();
        }
    }
}

impl Deref for Draws<'_> {
    type Target = Source;

    fn deref(&self) -> &Source {
        match &self.source {
            Held::Borrowed(source) => source,
            Held::Owned(source) => source,
        }
    }
}

impl DerefMut for Draws<'_> {
    fn deref_mut(&mut self) -> &mut Source {
        match &mut self.source {
            Held::Borrowed(source) => source,
            Held::Owned(source) => source,
        }
    }
}

impl Outline {
    /// Whether the body draws: then the values of a test are known only after it has run.
    pub(crate) fn draws(&self) -> bool {
        self.quantifiers.iter().any(|quantifier| quantifier.type_name == type_name::<Source>())
    }
}

impl Binding {
    /// Whether this variable is the source of the body: only its draws are printed.
    pub(crate) fn is_source(&self) -> bool {
        self.printed.in_body && self.printed.debug.is_none()
    }
}

impl Printed {
    /// A value that was drawn in the body.
    pub(crate) fn drawn(shown: Shown) -> Self {
        let Shown { text, type_name, .. } = shown;
        Self { debug: Some(text), type_name, in_body: true, ..Self::default() }
    }
}
