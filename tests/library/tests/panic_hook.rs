//! A property that replaces the panic hook. Alone in its binary: the hook is the whole process'.

use forall::generate::any;
use forall::property::{Empty, Telescope};
use forall::run::{Run, Settings, Store, Verdict};

#[test]
fn a_property_that_replaces_the_panic_hook_still_fails_with_its_message() {
    let before = std::panic::take_hook();
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| {
        std::panic::set_hook(Box::new(|_| {}));
        assert!(*n < 1000, "large");
    });
    let settings = Settings::new().seed(1).store(Store::Off);
    let report = Run::new("hook", &property).settings(settings).report();
    assert_eq!(report.verdict, Verdict::Failed);
    assert!(
        report.warnings.iter().any(|warning| warning.to_string().contains("hook was replaced")),
        "{:?}",
        report.warnings
    );
    let found = report.counterexample.unwrap();
    assert_eq!(found.failure.message, "large");
    assert_eq!(found.bindings[0].printed.debug.as_deref(), Some("1000"));

    // The next run has its own hook again, and says where it panics.
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| assert!(*n < 1000, "large"));
    let report = Run::new("after it", &property).settings(Settings::new().seed(1).store(Store::Off)).report();
    let place = report.counterexample.unwrap().failure.location;
    assert!(place.is_some_and(|place| place.file.ends_with("panic_hook.rs")));
    std::panic::set_hook(before);
}
