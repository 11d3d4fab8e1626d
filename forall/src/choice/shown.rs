//! A value that the body of a property drew, as text.

/// A draw of a body, for the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Its name.
    pub(crate) name: Option<String>,
    /// The `Debug` output of the value.
    pub(crate) text: String,
    /// Its type name, from `std::any::type_name`.
    pub(crate) type_name: &'static str,
    /// Its position among the choices: the forks that it is in, and its position in the last of them. Draws are shown in
    /// this order, since that of several threads varies.
    pub(crate) place: Vec<u32>,
}

pub(crate) use searched::collect;

pub(crate) mod searched {
    //! The draws of a search, which has no tape.

    use super::Shown;
    use std::cell::RefCell;

    thread_local! {
        static SHOWN: RefCell<Option<Vec<Shown>>> = const { RefCell::new(None) };
    }

    /// Returns the result of `body`, and the draws of a search on this thread meanwhile.
    pub(crate) fn collect<T>(body: impl FnOnce() -> T) -> (T, Vec<Shown>) {
        SHOWN.set(Some(Vec::new()));
        let value = body();
        (value, SHOWN.take().unwrap_or_default())
    }

    /// Records a draw, if enabled.
    pub(crate) fn show(shown: &mut dyn FnMut() -> Shown) {
        if SHOWN.with_borrow(Option::is_some) {
            let shown = shown();
            SHOWN.with_borrow_mut(|all| all.as_mut().map(|all| all.push(shown)));
        }
    }
}
