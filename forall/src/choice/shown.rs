//! A value that a property drew while its body ran, as text.

/// A draw of a body, as a report shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The name that it was given.
    pub(crate) name: Option<String>,
    /// The `Debug` of the value.
    pub(crate) text: String,
    /// The name of its type, as the compiler has it.
    pub(crate) type_name: &'static str,
}

pub(crate) use searched::collect;

pub(crate) mod searched {
    //! The draws of a search, which has no tape to keep them beside.

    use super::Shown;
    use std::cell::RefCell;

    thread_local! {
        static SHOWN: RefCell<Option<Vec<Shown>>> = const { RefCell::new(None) };
    }

    /// What `body` returns, and what was drawn meanwhile on this thread in a search.
    pub(crate) fn collect<T>(body: impl FnOnce() -> T) -> (T, Vec<Shown>) {
        SHOWN.set(Some(Vec::new()));
        let value = body();
        (value, SHOWN.take().unwrap_or_default())
    }

    /// Keeps a draw, if that is wanted.
    pub(crate) fn show(shown: &mut dyn FnMut() -> Shown) {
        if SHOWN.with_borrow(Option::is_some) {
            let shown = shown();
            SHOWN.with_borrow_mut(|all| all.as_mut().map(|all| all.push(shown)));
        }
    }
}
