//! The chapters of the book, so that `cargo test` compiles and runs their Rust examples. `tests/book/` checks their terminal sessions,
//! links and names.

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
    getting_started
    generators
    shrinking
    saving
    statistics
    tool
    strength
    ci
    machines
    exhaustive
    twins
    fuzzing
    runners
    parallel
    isolation
    campaigns
    futhark
    proptest
    quickcheck
    settings
    stability
}
