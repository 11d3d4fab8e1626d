//! Messages that a user meets on a command line that is wrong, and the help of commands that other tests do not ask: pinned, all of them.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use insta::assert_snapshot;
use support::{Workspace, unwrapped};

#[test]
fn invalid_arguments_are_reported_with_examples() {
    let workspace = Workspace::new("wrong", &["plain"]);
    let mut said = String::new();
    for arguments in [
        &["run", "--tests", "many"][..],
        &["run", "--tests", "0"],
        &["run", "--seed", "0xg"],
        &["run", "--seed", "-1"],
        &["run", "--for", "0s"],
        &["run", "--for", "soon"],
        &["run", "--threads", "0"],
        &["run", "--shard", "3"],
        &["run", "--shard", "0/3"],
        &["run", "--shard", "auto/x"],
        &["fuzz", "--execs", "0"],
        &["fuzz", "--timeout", "0s"],
        &["run", "--corpus", "", "--for", "1s"],
        &["corpus", "stats", "redis:host"],
        &["corpus", "stats", "ftp://host"],
        &["run", "--archive", ""],
        &["sample"],
        &["write", "round-trip", "one"],
        &["completions", "tcsh"],
        &["corpus"],
        &["futhark"],
        &["futhark", "test"],
        &["futhark", "test", "no-such-folder"],
        &["futhark", "test", "no-such-folder", "--seed", "0xg"],
        &["report", "--tests", "1", "--for", "1s"],
        &["frobnicate"],
    ] {
        said += &format!("$ forall {}\n{}\n", arguments.join(" "), workspace.forall(arguments));
    }
    assert_snapshot!("wrong_arguments", said);
}

#[test]
fn each_command_reports_a_missing_selection() {
    let workspace = Workspace::new("helped", &[]);
    for (name, arguments) in [
        ("help_fuzz", &["fuzz", "--help"][..]),
        ("help_race", &["race", "--help"]),
        ("help_instrumented", &["instrumented", "--help"]),
        ("help_corpus", &["corpus", "--help"]),
        ("help_futhark", &["futhark", "--help"]),
        ("help_futhark_test", &["futhark", "test", "--help"]),
        ("help_futhark_sample", &["futhark", "sample", "--help"]),
    ] {
        assert_snapshot!(name, workspace.forall(arguments));
    }
}

#[test]
fn a_workspace_without_tests_gets_advice() {
    let workspace = Workspace::new("nothing", &[]);
    std::fs::remove_file(workspace.path("Cargo.toml")).unwrap();
    // Above the folder there is a workspace of our own.
    let outside = std::env::temp_dir().join(format!("forall-nothing-{}", std::process::id()));
    std::fs::create_dir_all(&outside).unwrap();
    let said = workspace.said(workspace.command(&["run"]).current_dir(&outside).output().unwrap());
    std::fs::remove_dir_all(&outside).unwrap();
    assert_snapshot!("no_package", unwrapped(&said).replace(&*outside.to_string_lossy(), "[folder]"));
    // Without cargo.
    let said = workspace.said(workspace.command(&["list"]).env("CARGO", "/no/such/cargo").output().unwrap());
    assert_snapshot!("no_cargo", unwrapped(&said));
}

const DISCARDS: &str = r#"
#[cfg(test)]
mod tests {
    use forall::prelude::*;

    #[forall::test]
    fn few_are_left(#[forall(range(0..100_000u32).filter(|n| *n % 500 == 7))] n: u32) {
        assert!(n % 500 == 7);
    }

    #[forall::test]
    fn none_is_left(#[forall(range(0..100_000u32).filter(|n| *n > 200_000))] n: u32) {
        assert!(n > 200_000);
    }

    #[forall::test]
    #[example(7)]
    fn not_seven(n: u8) {
        assert!(n != 7);
    }

    #[forall::test]
    fn slow_to_shrink(n: u64) {
        assert!(n < 1000);
    }

    #[forall::test]
    fn many_rows(n: u16) {
        tabulate!("row", n);
        cover!(5.0, n > 9, "large");
    }
}
"#;

#[test]
fn commands_on_unusual_properties() {
    let workspace = Workspace::new("odd", &["shop"]);
    workspace.write("shop/src/lib.rs", DISCARDS);
    let some = workspace.forall(&["sample", "few_are_left", "--seed", "7"]);
    assert!(some.contains("the property discards "), "{some}");
    assert_snapshot!("sample_none", workspace.forall(&["sample", "none_is_left", "--seed", "7"]));
    assert_snapshot!("explain_example", workspace.forall(&["explain", "not_seven", "--seed", "7"]));
    let bench = unwrapped(&workspace.forall(&["bench", "slow_to_shrink"]));
    let (_, told) = bench.split_once("shrinking took").unwrap_or_else(|| panic!("{bench}"));
    assert_snapshot!("bench_failing", told);
    let bench = workspace.forall(&["bench", "few_are_left", "--tests", "1000"]);
    assert!(bench.ends_with("    built without optimisation; add --release to measure optimised code\n"), "{bench}");
    workspace.forall(&["run", "slow_to_shrink", "--seed", "7"]);
    assert_snapshot!("explain_kept", workspace.forall(&["explain", "slow_to_shrink"]));
    for (name, told) in [
        ("not_seven", &["The charts below are from a second run without it."][..]),
        ("slow_to_shrink", &["\"shrinking\"", "cargo forall replay slow_to_shrink"]),
    ] {
        let mut command = workspace.command(&["report", name, "--seed", "7", "-o", "page.html"]);
        command.env("FORALL_STORE", "off").output().unwrap();
        let page = std::fs::read_to_string(workspace.path("page.html")).unwrap();
        assert!(told.iter().all(|told| page.contains(told)), "{name}: {}", page.split_once("id=\"data\">").unwrap().1);
    }
    assert_snapshot!("run_many_rows", workspace.forall(&["run", "many_rows", "--seed", "7"]));
    let mut kept = std::fs::read_dir(workspace.path("shop/.forall")).unwrap().flatten().map(|entry| entry.path());
    let kept = kept.find(|path| path.to_string_lossy().contains("slow_to_shrink")).unwrap();
    let case = std::fs::read_dir(kept).unwrap().flatten().next().unwrap().path();
    let said = workspace.forall(&["replay", "many_rows", &case.to_string_lossy()]);
    assert_snapshot!("replay_of_another", unwrapped(&said));
    // A committed regression that can no longer be read.
    workspace.forall(&["review", "--keep"]);
    let regressions = std::fs::read_dir(workspace.path("shop/forall-regressions")).unwrap();
    for folder in regressions.flatten() {
        for file in std::fs::read_dir(folder.path()).unwrap().flatten() {
            std::fs::write(file.path(), "scribble").unwrap();
        }
    }
    assert_snapshot!("damaged_regression", unwrapped(&workspace.forall(&["run", "slow_to_shrink", "--seed", "7"])));
}

#[test]
fn an_empty_selection_is_reported() {
    let workspace = Workspace::new("untested", &["shop"]);
    let manifest = std::fs::read_to_string(workspace.path("shop/Cargo.toml")).unwrap();
    workspace.write("shop/Cargo.toml", &(manifest + "\n[lib]\ntest = false\n"));
    assert_snapshot!("no_tests", workspace.forall(&["list"]));
    // A library and a program of one package, with one name.
    let workspace = Workspace::new("two-programs", &["shop"]);
    let library = std::fs::read_to_string(workspace.path("shop/src/lib.rs")).unwrap();
    workspace.write("shop/src/main.rs", &(library + "\nfn main() {}\n"));
    assert_snapshot!("two_programs", workspace.forall(&["sample", "nothing_costs_nothing"]));
    workspace.write("nothing.case", "property shop::tests::more_pieces_cost_more\n");
    let said = workspace.forall(&["replay", "more_pieces", "--lib", "nothing.case"]);
    assert_snapshot!("replay_without_input", unwrapped(&said));
    let mut command = workspace.command(&["replay", "more_pieces", "--lib", "nothing.case"]);
    let said = unwrapped(&workspace.said(command.env("FORALL_STORE", "finds").output().unwrap()));
    assert!(said.ends_with(" saved inputs are the .case files in finds and forall-regressions"), "{said}");
}

#[test]
fn a_full_disk_is_reported() {
    let workspace = Workspace::new("full", &[]);
    let mut command = workspace.command(&["completions", "bash"]);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    assert_snapshot!("completions_full", workspace.said(command.stdout(full).output().unwrap()));
}

/// A compiler that makes a server in the language of the shell: its entry point `same` takes a number.
const COMPILER: &str = r#"#!/bin/sh
while [ "$1" != -o ]; do shift; done
cat > "$2" <<'END'
#!/bin/sh
echo '%%% OK'
while read command name rest; do
  case "$command" in
    types) echo i32 ;;
    kind) echo primitive ;;
    entry_points) echo same ;;
    inputs|output) echo i32 ;;
  esac
  echo '%%% OK'
done
END
chmod +x "$2"
"#;

#[test]
fn a_missing_futhark_compiler_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let workspace = Workspace::new("futhark-needs", &[]);
    workspace.write("compiler", COMPILER);
    std::fs::set_permissions(workspace.path("compiler"), std::fs::Permissions::from_mode(0o755)).unwrap();
    workspace.write("packed.fut", "-- ==\n-- entry: same\n-- input @ values.gz output { 1 }\n");
    workspace.write("nothing.fut", "entry same (x: i32) = x\n");
    // Without gzip.
    for tool in ["sh", "cat", "chmod"] {
        std::fs::create_dir_all(workspace.path("bin")).unwrap();
        std::os::unix::fs::symlink(format!("/bin/{tool}"), workspace.path("bin").join(tool)).unwrap();
    }
    let test = |arguments: &[&str], variable: (&str, &str)| {
        let options = ["--no-terminal", "--futhark", "./compiler", "--seed", "1"];
        let arguments = [&["futhark", "test"], &options[..], arguments].concat();
        workspace.said(workspace.command(&arguments).env(variable.0, variable.1).output().unwrap())
    };
    let bin = workspace.path("bin").display().to_string();
    let said = [
        test(&["packed.fut"], ("PATH", &bin)),
        test(&["packed.fut"], ("TMPDIR", "/no/such/folder")),
        test(&["packed.fut", "--coverage"], ("CC", "/no/such/cc")),
        test(&["nothing.fut", "--entry-point", "same"], ("LANG", "C")),
    ];
    let said = regex::Regex::new("forall-futhark-[A-Za-z0-9]+")
        .unwrap()
        .replace_all(&said.join("\n"), "[folder]")
        .into_owned();
    assert_snapshot!("futhark_needs", said);
}

/// A corpus that was written by others.
struct Corpus(std::path::PathBuf);

impl Corpus {
    fn new(workspace: &Workspace) -> Self {
        use forall::store::Mark;
        workspace.write(&format!("corpus/{}", Mark::FILE), Mark::TEXT);
        Self(workspace.path("corpus"))
    }

    fn save(&self, folder: &str, entry: &forall::store::Entry) {
        use forall::store::{Backend, Directory};
        Directory::new(self.0.join(folder)).save(entry).unwrap();
    }
}

#[test]
fn messages_about_a_corpus() {
    use forall::run::Case;
    use forall::store::Entry;
    let workspace = Workspace::new("corpora", &[]);
    let corpus = Corpus::new(&workspace);
    let report = || workspace.forall(&["report", "--corpus", "corpus", "-o", "page.html"]);
    assert_snapshot!("empty_corpus", unwrapped(&report()));
    let told = |worker: &str, build: &str, began: u64| {
        format!(
            r#"{{"worker":"{worker}","build":"{build}","did":"fuzz","verdict":"passed","executions":1000,"edges":7,"places":40,"growth":[[1.0,7]],"began":{began},"time":1000.0}}"#
        )
    };
    corpus.save("statistics", &Entry::statistics("shop::sums", told("a:1", "b1", 1_700_000_000)));
    corpus.save("statistics", &Entry::statistics("shop::sums", told("b:2", "b2", 1_700_000_000)));
    corpus.save("statistics", &Entry::statistics("shop::sums", told("c:3", "b2", 12)));
    corpus.save("failures", &Entry::failure("shop::sums", Case::default()));
    let silent =
        r#"{"worker":"a:1","build":"b1","did":"run","verdict":"passed","valid":100,"began":1700000000,"time":9.0}"#;
    corpus.save("statistics", &Entry::statistics("shop::silent", silent));
    let folder = std::fs::read_dir(corpus.0.join("failures")).unwrap().next().unwrap().unwrap().path();
    std::fs::write(folder.join("00c0ffee00c0ffee.case"), "scribble").unwrap();
    assert_snapshot!("corpus_stats", workspace.forall(&["corpus", "stats", "corpus"]));
    assert!(report().starts_with("exit code 1"));
    let page = std::fs::read_to_string(workspace.path("page.html")).unwrap();
    let (_, json) = page.split_once(r#"id="data">"#).unwrap();
    let page: serde_json::Value = serde_json::from_str(json.split_once("</script>").unwrap().0).unwrap();
    let notes = page["campaign"]["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap());
    let notes: Vec<&str> = [page["title"].as_str().unwrap(), page["campaign"]["where"].as_str().unwrap()]
        .into_iter()
        .chain(notes)
        .collect();
    assert_snapshot!("corpus_notes", notes.join("\n"));
    let failure =
        &page["properties"].as_array().unwrap().iter().find(|one| one["name"] == "shop::sums").unwrap()["failures"][0];
    let failure = serde_json::to_string_pretty(failure).unwrap();
    assert_snapshot!("corpus_failure", failure.replace(&*workspace.path("").to_string_lossy(), "[workspace]/"));
    let renamed = ["shop::sums", "shop::totals"]
        .map(|new| unwrapped(&workspace.forall(&["corpus", "rename", "corpus", "shop::sums", new])));
    assert_snapshot!("corpus_rename", renamed.join("\n"));
    // More runs than a page shows. They are written as they are, without the care of a store.
    let mut folders = std::fs::read_dir(corpus.0.join("statistics")).unwrap().map(|folder| folder.unwrap().path());
    let folder = folders.find(|folder| folder.to_string_lossy().contains("totals")).unwrap();
    for number in 0..5100 {
        let entry = Entry::statistics("shop::totals", told(&format!("w:{number}"), "b1", 1_700_000_000 + number));
        std::fs::write(folder.join(format!("{}.case", entry.id())), entry.to_text()).unwrap();
    }
    report();
    let page = std::fs::read_to_string(workspace.path("page.html")).unwrap();
    assert!(page.contains("\"sampled\":\"These are the last 5,000 of 5,104 runs.\""), "{}", &page[page.len() - 3000..]);
}
