//! The garbage collector of the crate `dumpster`, which finds cycles and works on several threads.
//!
//! Points of interest: the model is only the graph of reachable objects. A reachable object must exist, with its value;
//! an unreachable one may linger, since the crate promises no more: [`Command::Alive`] may return more than the model
//! has, and never less. Elements are canaries, which turn a premature free into a failure. At the end of a test on one
//! thread nothing may be left, including cycles.

use dumpster::sync::{CollectInfo, Gc, collect, default_collect_condition, set_collect_condition};
use dumpster::{Trace, TraceWith, Visitor};
use forall::Arbitrary;
use forall::choice::Source;
use forall::generate::{Code, any};
use forall::machine::elements::{Cage, Canary};
use forall::machine::{Shared, Spec};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The number of roots.
const ROOTS: usize = 4;

/// A command to the heap. Numbers refer to roots.
#[derive(Arbitrary, Clone, Debug, PartialEq)]
pub enum Command {
    /// Sets a root to a new object with this value.
    New(Root, u8),
    /// Lets the object at the first root point to the one at the second.
    Link(Root, Root),
    /// Sets the first root to the second.
    Copy(Root, Root),
    /// Sets a root to the object that its object points to.
    Advance(Root),
    /// Clears a root.
    Clear(Root),
    /// Reads the value of an object.
    Read(Root),
    /// Counts the live objects.
    Alive,
    /// Collects garbage.
    Collect,
    /// Sets when garbage is collected from now on.
    Collecting(When),
}

/// One of four.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq)]
pub enum Root {
    /// The first.
    A,
    /// The second.
    B,
    /// The third.
    C,
    /// The last.
    D,
}

/// When garbage is collected.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq)]
pub enum When {
    /// When the collector decides.
    Sometimes,
    /// Whenever something is dropped.
    Always,
    /// On request.
    Asked,
}

/// A response.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// Done.
    Done,
    /// To `Read`.
    Value(Option<u8>),
    /// To `Alive`.
    Number(usize),
}

#[derive(Trace)]
struct Object {
    value: Value,
    next: Mutex<Option<Gc<Object>>>,
}

struct Value(Canary<u8>);

// SAFETY: there are no references to other objects in it.
unsafe impl<V: Visitor> TraceWith<V> for Value {
    fn accept(&self, _: &mut V) -> Result<(), ()> {
        Ok(())
    }
}

/// The roots, and the source of the objects' values.
pub struct Heap {
    roots: Mutex<[Option<Gc<Object>>; ROOTS]>,
    cage: Cage,
}

impl Heap {
    fn roots(&self) -> MutexGuard<'_, [Option<Gc<Object>>; ROOTS]> {
        self.roots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The old object is dropped after the roots are unlocked.
    fn set(&self, root: Root, object: Option<Gc<Object>>) {
        let before = std::mem::replace(&mut self.roots()[root as usize], object);
        drop(before);
    }
}

impl Object {
    fn next(&self) -> MutexGuard<'_, Option<Gc<Object>>> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The graph of reachable objects: each has a number, a value, and the number of the next. Numbers follow the order in
/// which objects are reached from the roots, so that equal graphs are equal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    roots: [Option<usize>; ROOTS],
    objects: Vec<(u8, Option<usize>)>,
}

impl Graph {
    fn number(&self, root: Root) -> Option<usize> {
        self.roots[root as usize]
    }

    /// Renumbers the reachable objects, and forgets the others.
    fn tidy(&mut self) {
        let old = std::mem::take(self);
        let mut numbers = vec![None; old.objects.len()];
        for (root, start) in old.roots.into_iter().enumerate() {
            let mut at = start;
            while let Some(number) = at.filter(|number| numbers[*number].is_none()) {
                numbers[number] = Some(self.objects.len());
                self.objects.push(old.objects[number]);
                at = old.objects[number].1;
            }
            self.roots[root] = start.and_then(|number| numbers[number]);
        }
        for (_, next) in &mut self.objects {
            *next = next.and_then(|number| numbers[number]);
        }
    }
}

/// The specification. With `ALONE`, one thread does everything, and nothing may be left at the end.
#[derive(Clone, Copy, Debug, Default)]
pub struct CollectorSpec<const ALONE: bool>;

impl<const ALONE: bool> Spec for CollectorSpec<ALONE> {
    type Command = Command;
    type Model = Graph;
    type System = Arc<Heap>;
    type Response = Response;

    fn model(&self) -> Graph {
        Graph::default()
    }

    fn generate(&self, _: &Graph, source: &mut Source) -> Command {
        source.draw(any())
    }

    fn next(&self, model: &mut Graph, command: &Command) {
        match *command {
            Command::New(root, value) => {
                model.roots[root as usize] = Some(model.objects.len());
                model.objects.push((value, None));
            }
            Command::Link(from, to) => {
                let next = model.number(to);
                if let Some(number) = model.number(from) {
                    model.objects[number].1 = next;
                }
            }
            Command::Copy(to, from) => model.roots[to as usize] = model.number(from),
            Command::Advance(root) => {
                model.roots[root as usize] = model.number(root).and_then(|number| model.objects[number].1);
            }
            Command::Clear(root) => model.roots[root as usize] = None,
            Command::Read(_) | Command::Alive | Command::Collect | Command::Collecting(_) => {}
        }
        model.tidy();
    }

    fn system(&self) -> Arc<Heap> {
        Arc::new(Heap { roots: Mutex::default(), cage: Cage::new() })
    }

    fn run(&self, heap: &mut Arc<Heap>, command: &Command) -> Response {
        match *command {
            Command::New(root, value) => {
                let value = Value(heap.cage.canary(value));
                heap.set(root, Some(Gc::new(Object { value, next: Mutex::default() })));
            }
            Command::Link(from, to) => {
                let roots = heap.roots();
                let next = roots[to as usize].clone();
                let before =
                    roots[from as usize].as_ref().and_then(|object| std::mem::replace(&mut *object.next(), next));
                drop(roots);
                drop(before);
            }
            Command::Copy(to, from) => {
                let mut roots = heap.roots();
                let object = roots[from as usize].clone();
                let before = std::mem::replace(&mut roots[to as usize], object);
                drop(roots);
                drop(before);
            }
            Command::Advance(root) => {
                let mut roots = heap.roots();
                let next = roots[root as usize].as_ref().and_then(|object| object.next().clone());
                let before = std::mem::replace(&mut roots[root as usize], next);
                drop(roots);
                drop(before);
            }
            Command::Clear(root) => heap.set(root, None),
            Command::Read(root) => {
                let object = heap.roots()[root as usize].clone();
                return Response::Value(object.map(|object| *object.value.0.get()));
            }
            Command::Alive => return Response::Number(heap.cage.alive()),
            Command::Collect => collect(),
            Command::Collecting(when) => set_collect_condition(match when {
                When::Sometimes => default_collect_condition,
                When::Always => |_: &CollectInfo| true,
                When::Asked => |_: &CollectInfo| false,
            }),
        }
        Response::Done
    }

    fn postcondition(&self, model: &Graph, command: &Command, response: &Response) -> bool {
        match (command, response) {
            (Command::Read(root), Response::Value(value)) => {
                *value == model.number(*root).map(|number| model.objects[number].0)
            }
            (Command::Alive, Response::Number(alive)) => *alive >= model.objects.len(),
            (Command::Read(_) | Command::Alive, _) => false,
            (_, response) => *response == Response::Done,
        }
    }

    fn at_end(&self, _: &Graph, heap: &mut Arc<Heap>) -> Result<(), String> {
        if !ALONE {
            return Ok(());
        }
        *heap.roots() = Default::default();
        collect();
        heap.cage.check()
    }

    fn cleanup(&self, heap: Arc<Heap>) -> Result<(), String> {
        set_collect_condition(default_collect_condition);
        drop(heap);
        collect();
        Ok(())
    }

    fn code(&self, command: &Command) -> Option<String> {
        Code::of(command)
    }
}

impl<const ALONE: bool> Shared for CollectorSpec<ALONE> {
    fn share(&self, heap: &mut Arc<Heap>) -> Arc<Heap> {
        Arc::clone(heap)
    }
}
