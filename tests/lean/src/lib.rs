//! The lean core, `default-features = false`: properties, generators, shrinking, and saved failures.
//!
//! `cargo test -p forall-lean` builds nothing else, so the compiler of `rust-version` runs these tests in CI, as the current one does.
//! Among the other packages of the workspace, the features of those are enabled here, and tests of what is disabled are skipped;
//! CI sets `LEAN_CORE=1` where they must run.

#[cfg(test)]
mod tests {
    use forall::prelude::*;
    use forall::run::{Report, Run, Settings, Store, Verdict};
    use std::process::Command;

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

    fn report(settings: Settings) -> Report {
        let property = property! { forall n: u64; check n.count_ones() <= 64 };
        Run::new("lean", &property).settings(settings.store(Store::Off)).report()
    }

    /// Whether the test `name` is skipped, because other packages enable their features.
    fn is_skipped(name: &str) -> bool {
        let is_full = report(Settings::new().runner("targeted")).verdict.is_success();
        if is_full {
            println!("SKIPPED {name}: other packages enable the `full` feature");
            assert!(std::env::var_os("LEAN_CORE").is_none(), "run `cargo test -p forall-lean` alone");
        }
        is_full
    }

    const ADD: &str = "Run `cargo add --dev forall --features full`";

    #[test]
    fn settings_that_require_a_feature_stop_the_run_with_the_command_that_enables_it() {
        if is_skipped("settings_that_require_a_feature_stop_the_run_with_the_command_that_enables_it") {
            return;
        }
        let isolation = "Isolation, with `isolate`, `timeout`, `memory` and `stack`,";
        let new = Settings::new;
        for (settings, what) in [
            (new().runner("targeted"), "The runner `targeted`"),
            (new().runner("exhaustive"), "The runner `exhaustive`"),
            (new().isolate(true), isolation),
            (new().timeout("1s"), isolation),
            (new().memory("64MB"), isolation),
            (new().stack("1MB"), isolation),
        ] {
            let Verdict::Misconfigured(why) = report(settings).verdict else { panic!("{what} is not rejected") };
            let expected = format!(
                "{what} requires the `full` feature, which is not enabled.\n{ADD}, or add `\"full\"` to the `features` of \
                 forall in Cargo.toml; the property was not run."
            );
            assert_eq!(why.to_string(), expected);
        }
    }

    #[test]
    fn threads_that_require_a_feature_produce_a_warning() {
        if is_skipped("threads_that_require_a_feature_produce_a_warning") {
            return;
        }
        let report = report(Settings::new().threads(4));
        assert_eq!(report.verdict, Verdict::Passed);
        let warnings: Vec<String> = report.warnings.iter().map(ToString::to_string).collect();
        let expected = format!(
            "4 threads were requested, but the feature `full` is not enabled: the property was tested on one.\n{ADD}."
        );
        assert_eq!(warnings, [expected]);
    }

    /// Run by the test below, in a process of its own.
    #[forall::test]
    #[ignore = "the test below runs it"]
    fn counted(n: u64) {
        assert!(n.count_ones() <= 64);
    }

    #[test]
    fn ignored_variables_and_files_produce_warnings() {
        if is_skipped("ignored_variables_and_files_produce_warnings") {
            return;
        }
        let package = forall::scratch_dir().unwrap();
        let package = package.canonicalize().unwrap();
        std::fs::write(package.join("forall.toml"), "tests = 7\n").unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "tests::counted", "--ignored", "--nocapture"]);
        command.env("CARGO_MANIFEST_DIR", &package).env("FORALL_STORE", "off").env("FORALL_PROFILE", "ci");
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        // Reports are wrapped to the width of a terminal.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(output.status.success(), "{text}");
        let file = package.join("forall.toml");
        for what in ["FORALL_PROFILE", &file.display().to_string()] {
            let expected = format!(
                "{what} has no effect: it requires the `full` feature, which is not enabled. {ADD}, or remove it"
            );
            assert!(text.contains(&expected), "{expected}: {text}");
        }
    }
}
