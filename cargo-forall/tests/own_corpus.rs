//! A custom corpus, as in `examples/log_corpus.rs`.

#[path = "../examples/log_corpus.rs"]
mod log_corpus;

use cargo_forall::corpus::{self, Access};
use forall::run::Case;
use forall::store::{Entry, Kind};
use std::path::Path;

#[test]
fn a_custom_corpus_backend_satisfies_the_four_operations() {
    corpus::register("log", log_corpus::Log::open);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-corpus.log");
    let _ = std::fs::remove_file(&file);
    let address = format!("log://{}", file.display());
    assert!(corpus::open_for(&address, Access::Read).unwrap().properties().is_err(), "reading makes nothing");
    let (one, two) = (corpus::open(&address).unwrap(), corpus::open(&address).unwrap());
    let (failure, seed) = (Entry::failure("shop::sums", Case::default()), Entry::seed("shop::sums", Case::default()));
    let id = one.entries(Kind::Failure).save(&failure).unwrap();
    one.entries(Kind::Failure).save(&failure).unwrap();
    one.entries(Kind::Seed).save(&seed).unwrap();
    let listing = two.entries(Kind::Failure).list("shop::sums", None).unwrap();
    assert_eq!(listing.ids, [id], "twice is once, and kinds are apart");
    assert_eq!(two.entries(Kind::Failure).fetch("shop::sums", id).unwrap(), Some(failure));
    assert!(two.entries(Kind::Failure).list("shop::sums", Some(&listing.cursor)).unwrap().ids.is_empty());
    assert!(two.entries(Kind::Failure).delete("shop::sums", id).unwrap());
    assert!(!one.entries(Kind::Failure).delete("shop::sums", id).unwrap());
    assert_eq!(one.properties().unwrap().into_iter().collect::<Vec<_>>(), ["shop::sums"]);
}
