//! The chapters of the book, so that `cargo test` compiles and runs their Rust. What they show of a terminal, and what else
//! they say that can be checked, is the business of `tests/book/`.

macro_rules! chapters {
    ($($name:ident)*) => {
        $(
            #[doc = include_str!(concat!("src/", stringify!($name), ".md"))]
            pub mod $name {}
        )*

        /// The names of the chapters: the files of `src/` without those of mdBook.
        pub const CHAPTERS: &[&str] = &[$(stringify!($name)),*];
    };
}

chapters! {
    introduction
    first
    kept
    generators
    shrinking
    statistics
    tool
    machines
    exhaustive
    fuzzing
    cores
    isolation
    runners
    futhark
    proptest
    quickcheck
    ci
    settings
    stability
}
