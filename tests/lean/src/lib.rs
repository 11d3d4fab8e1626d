//! The lean core, `default-features = false`: properties, generators, shrinking, and saved failures.
//!
//! `cargo test -p forall-lean` builds nothing else, so the compiler of `rust-version` runs these tests in CI. Among the other packages
//! of the workspace, the features of those are enabled here.

#[cfg(test)]
mod tests {
    use forall::prelude::*;
    use forall::run::{Run, Settings, Store, Verdict};

    #[derive(Arbitrary, Clone, Debug, PartialEq)]
    enum Shape {
        Circle(u8),
        Rectangle { width: u8, height: u8 },
    }

    #[forall::test]
    fn reversing_twice_changes_nothing(xs: Vec<Shape>, text: String) {
        let mut twice = xs.clone();
        twice.reverse();
        twice.reverse();
        assert_eq!(twice, xs);
        let back: String = text.chars().rev().collect();
        assert_eq!(back.chars().rev().collect::<String>(), text);
    }

    #[test]
    fn a_failure_is_shrunk_saved_and_replayed() {
        let directory = forall::scratch_dir().unwrap();
        let property = property! {
            forall shapes: Vec<Shape>;
            check shapes.iter().all(|shape| !matches!(shape, Shape::Rectangle { width, height } if width > height))
        };
        let settings = |tests| Settings::new().seed(1).tests(tests).store(Store::Directory(directory.to_path_buf()));
        let report = Run::new("lean", &property).settings(settings(200)).report();
        assert_eq!(report.verdict, Verdict::Failed);
        let found = report.counterexample.unwrap();
        assert_eq!(found.bindings[0].printed.text(), "vec![Shape::Rectangle { width: 1, height: 0 }]");
        let replayed = Run::new("lean", &property).settings(settings(1)).report();
        assert_eq!(replayed.verdict, Verdict::Failed);
        assert_eq!(replayed.counterexample.unwrap().case, found.case);
    }
}
