//! Snapshots of the messages about invalid blocks, data, programs and servers: each names the position, and what is
//! expected there.

use forall_futhark::blocks::Blocks;
use forall_futhark::client::{Connection, Error, Options as Client, Server};
use forall_futhark::data::{Primitive, Value, differences, parse_values, read_values};
use forall_futhark::programs::{Options, Outcome, compiler_is_there, test_program, test_server};
use forall_futhark::properties::{Passed, Property, Rules, Settings, Stopped, run, run_compatible, validate};
use forall_futhark::serve::Native;
use forall_futhark_tests::faults::{Part, Servers, Verdict, verdict};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const SERVER: &str = env!("CARGO_BIN_EXE_forall-futhark-tests");

fn listed(texts: impl IntoIterator<Item = String>) -> String {
    texts.into_iter().map(|text| text + "\n\n").collect()
}

#[test]
fn invalid_test_blocks_are_reported() {
    let blocks = [
        "tags { a",
        "error: wrong\n-- input { 1 }",
        "property:",
        "properti: p",
        "Entry main\n-- input { 1 }",
        "input { 1 } output { 1 }\n-- warnnig: x",
        "property: p\n-- input { 1 }",
        "entry:",
        "input { 1 } output { 1 }\n-- nonsense",
        "input 1",
        "input { 1",
        "input @",
        "input { 1 } output 2",
        "\"no end",
        "\"a\" input { 1 }\n-- \"a\" input { 2 }",
        "input { 1 }\n\n-- ==\n-- tags { late }",
        "input { 1 }\n\n-- ==\n-- error: late",
        "input { 1 }\n-- ==\n-- input { 2 }",
        "random input { nonsense }",
    ];
    let told = blocks.map(|block| match Blocks::parse(&format!("-- ==\n-- {block}\nentry main = 1\n")) {
        Ok(_) => format!("{block}\nis fine"),
        Err(error) => format!("{block}\n{error}"),
    });
    insta::assert_snapshot!(listed(told));
}

#[test]
fn invalid_text_values_are_reported() {
    let texts = [
        "1x8",
        "hello",
        "[1, 2",
        "[]",
        "[[1], []]",
        "[[1], 2]",
        "[1, [2]]",
        "[[1, 2], [3]]",
        "[1i32, 2u8]",
        "[[1i32], \"a\"]",
        "[1, \"a\"]",
        "\"no end",
        "\"\\q\"",
        "empty([1]i32)",
        "empty([x]i32)",
        "empty([0]text)",
        "empty([0]i32",
    ];
    let told = texts.map(|text| match parse_values(text) {
        Ok(values) => format!("{text}\nis {}", values.len()),
        Err(error) => format!("{text}\n{error}"),
    });
    insta::assert_snapshot!(listed(told));
}

#[test]
fn invalid_binary_values_are_reported() {
    let bytes: [&[u8]; 6] = [
        b"b\x03\x00 i32",
        b"b\x02\x00text\x00\x00",
        b"b\x02\x00 i32\x01",
        b"b\x02\x02  i8\xff\xff\xff\xff\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"\xff\xfe",
        b"1 nonsense",
    ];
    let told = bytes.map(|bytes| match read_values(&mut &*bytes) {
        Ok(values) => format!("{bytes:?}\nis {}", values.len()),
        Err(error) => format!("{bytes:?}\n{error}"),
    });
    insta::assert_snapshot!(listed(told));
}

/// A temporary folder for one test, deleted with its contents.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("forall-messages-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, contents).unwrap();
        path
    }

    /// Writes a shell script.
    fn script(&self, name: &str, lines: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = self.file(name, format!("#!/bin/sh\n{lines}\n"));
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        path
    }

    /// Returns the output without the path of the folder.
    fn plain(&self, said: &str) -> String {
        without_how(&said.replace(&self.0.display().to_string(), "FOLDER"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

/// Removes the installation instructions, which differ between systems.
fn without_how(said: &str) -> String {
    let line = |line: &str| match (line.split_once("`; "), line.rsplit_once("; --futhark names another")) {
        (Some((missing, _)), Some(_)) if missing.contains("There is no compiler called") => {
            format!("{missing}`; HOW; --futhark names another")
        }
        _ => line.to_owned(),
    };
    said.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Returns options with the compiler that creates servers of twins.
fn options() -> Options {
    let mut options = Options::default();
    options.futhark = SERVER.to_owned();
    options.seed = 1;
    options
}

/// Returns the complete output for a program.
fn said(outcome: &Outcome) -> String {
    let titled = |title: &str, all: &[String]| all.iter().map(|one| format!("{title}: {one}\n\n")).collect::<String>();
    titled("failed", &outcome.failures) + &titled("warning", &outcome.warnings) + &titled("left out", &outcome.skipped)
}

#[test]
fn invalid_scripts_are_reported() {
    let scripts = [
        "same 1 +",
        "(same 1",
        "{x = 1, y 2}",
        "let x = 1 same x",
        "let (x, y) = (1, 2, 3) in same x",
        "$restore \"values\"",
        "$loaddata 7",
        "$loaddata \"nothing\"",
        "nowhere 1",
        "add 1",
        "flag 1",
        "same origin",
        "same true",
        "same (1, 2)",
        "abscissa {x = 1}",
        "same [1",
        "?",
        "fails 1",
    ];
    let folder = Folder::new("scripts");
    let cases: String =
        scripts.iter().map(|script| format!("-- script input {{ {script} }} output {{ 1 }}\n")).collect();
    let program = folder.file("called.fut", format!("-- ==\n-- entry: same\n{cases}"));
    insta::assert_snapshot!(folder.plain(&said(&test_program(&program, &options()))));
}

#[test]
fn invalid_properties_are_reported() {
    let folder = Folder::new("properties");
    let names = "cond_is_nowhere cond_is_no_condition print_is_no_text label_is_no_label says_nonsense never_counts \
                 is_too_large is_negative is_of_size_zero is_badly_labelled refuses refuses_some is_huge is_moody nobody same state_without_steps state_of_one state_with_generator \
                 state_steps_nowhere state_steps_wrongly state_system_steps_wrongly state_commands_wrongly state_begins_wrongly \
                 state_model_breaks state_system_breaks state_without_commands state_without_condition state_without_label";
    let lines: String = names.split(' ').map(|name| format!("-- property: {name}\n")).collect();
    let program =
        folder.file("mistakes.fut", format!("-- ==\n{lines}entry is_huge (xs: [1000000000]i32) : bool = true\n"));
    let mut options = options();
    options.log_candidates = Some(folder.0.join("log"));
    let outcome = test_program(&program, &options);
    let notes =
        outcome.properties.iter().map(|(name, passed)| format!("{name}: {:?} {:?}\n", passed.statistics, passed.notes));
    let said = folder.plain(&(said(&outcome) + &notes.collect::<String>())).replace(SERVER, "SERVER");
    // Whether the explanation was limited depends on the machine's speed.
    let is_limit =
        |line: &str| line.starts_with("note: explanation limited to") || line.starts_with("note: not explained");
    let said: Vec<&str> = said.lines().filter(|line| !is_limit(line)).collect();
    insta::assert_snapshot!(said.join("\n"));
    let log = std::fs::read_to_string(folder.0.join("log")).unwrap();
    assert!(log.contains("\",\"outcome\":\"its sizes do not fit\"}\n"), "{log}");
}

#[test]
fn untestable_programs_are_reported() {
    let folder = Folder::new("programs");
    let fine = "-- ==\n-- entry: same\n-- input { 1 } output { 1 }\n";
    let mut told = Vec::new();
    let mut tell = |what: &str, contents: &[u8], change: &dyn Fn(&mut Options)| {
        let program = folder.file("called.fut", contents);
        let mut options = options();
        change(&mut options);
        let outcome = test_program(&program, &options);
        told.push(folder.plain(&format!("# {what}\n{}\n{}", outcome.context.join("\n"), said(&outcome))));
    };
    tell("no UTF-8", b"\xff", &|_| {});
    tell("no compiler", fine.as_bytes(), &|options| options.futhark = "/no/such/compiler".to_owned());
    tell("a compiler that cannot be run", fine.as_bytes(), &|options| options.futhark = "/".to_owned());
    tell("a compiler that makes nothing", fine.as_bytes(), &|options| options.futhark = "/bin/true".to_owned());
    tell("a compiler that says nothing", fine.as_bytes(), &|options| options.futhark = "/bin/false".to_owned());
    let slow = folder.script("slow", "sleep 60").display().to_string();
    tell("a compiler that is slow", fine.as_bytes(), &|options| {
        options.futhark.clone_from(&slow);
        options.timeout = Duration::from_millis(300);
    });
    let junk = folder.script("junk", "echo \"Junk argument: $1\" >&2; echo Usage >&2; exit 1").display().to_string();
    tell("no such backend", fine.as_bytes(), &|options| {
        options.futhark.clone_from(&junk);
        options.backend = "fortran".to_owned();
    });
    tell("coverage of another backend", fine.as_bytes(), &|options| {
        options.backend = "opencl".to_owned();
        options.coverage = true;
    });
    tell("no such warning", b"-- ==\n-- warning: beware\n-- warning: [\n", &|_| {});
    tell("no such error", b"-- ==\n-- error: [\n", &|options| options.futhark = "/bin/true".to_owned());
    tell("it should be refused", b"-- ==\n-- error: wrong\n", &|options| options.futhark = "/bin/true".to_owned());
    tell("cases", b"-- ==\n-- entry: same\n-- input { 1 } error: division\n-- input { 1 2 } output { 1 }\n\
-- input { 1 } output { 2i64 }\n-- input { 1 } output { [1] }\n-- input { 1 } output { 1 2 }\n-- input @ none.gz output { 1 }\n\
-- input @ other output { 1 }\n-- disable input { 1 } output { 2 }\n", &|_| {});
    tell("errors", b"-- ==\n-- entry: fails\n-- input { 1 } error: [\n-- input { 1 } error: overflow\n-- input { 1 } output { 1 }\n", &|_| {});
    let unreadable = test_program(&folder.0.join("nothing.fut"), &options()).text();
    assert_eq!(unreadable, "cannot read it: No such file or directory (os error 2); name a file that can be read");
    insta::assert_snapshot!(told.join("\n"));
    insta::assert_snapshot!(
        "no_compiler",
        without_how(
            &compiler_is_there(&{
                let mut options = Options::default();
                options.futhark = "no-such-compiler".to_owned();
                options
            })
            .unwrap_err()
        )
    );
}

#[test]
fn servers_that_violate_the_protocol_are_reported() {
    let folder = Folder::new("servers");
    let ok = "echo '%%% OK'";
    let mut told = String::new();
    for (what, script, patience) in [
        ("ends at once", "echo nothing to do >&2; exit 3".to_owned(), 20_000),
        ("never begins", "sleep 60".to_owned(), 200),
        ("has no words", format!("{ok}; read line; printf '\\377\\n'; sleep 60"), 20_000),
        ("says half of it", format!("{ok}; read line; echo i32; echo bool; exit 1"), 20_000),
        ("does not answer", format!("{ok}; read line; sleep 60"), 200),
        ("closes its output", format!("{ok}; read line; exec >&-; sleep 60"), 20_000),
        // Both lines are one write, so that the second has arrived when the first is read.
        ("says too much", r"printf '%%%%%% OK\n%%%%%% OK\n'; cat".to_owned(), 20_000),
        ("refuses", format!("{ok}; read line; echo '%%% FAILURE'; echo not now; {ok}; cat"), 20_000),
    ] {
        let server = folder.script("server", &script);
        let client = Client::default().timeout(Duration::from_millis(patience));
        let Err(error) = Server::start(&server.display().to_string(), &client) else { panic!("{what}: it started") };
        told += &format!("# {what}\n{error}\n\n");
    }
    let started = |name: &str| {
        let server = folder.script(name, &format!("{ok}; read line; sleep 60"));
        Connection::start(&server.display().to_string(), &Client::default()).unwrap()
    };
    let mut late = started("too_late");
    late.ends_at(Some(Instant::now()));
    told += &format!("# the time limit was over before\n{}\n\n", late.ask(&["types"]).unwrap_err());
    let mut late = started("late");
    late.ends_at(Some(Instant::now() + Duration::from_millis(100)));
    // The delay depends on the machine.
    let lost = late.ask(&["types"]).unwrap_err().to_string();
    told += &format!(
        "# the time limit is over\n{}\n\n",
        lost.replace(&lost[lost.find("over ").unwrap() + 5..lost.find(" later").unwrap()], "T")
    );
    told += &format!("# no words\n{}\n\n", started("quotes").ask(&["call", "\"f\""]).unwrap_err());
    insta::assert_snapshot!(folder.plain(&told));
}

#[test]
fn servers_without_properties() {
    let twin = |name: &str, only: Option<&str>| {
        let mut options = options();
        options.program_options = vec![name.to_owned()];
        options.entry_point = only.map(str::to_owned);
        let outcome = test_server(Path::new(SERVER), &options);
        assert!(outcome.could_not_run, "{name}");
        outcome.text().replace(SERVER, "SERVER")
    };
    insta::assert_snapshot!(listed([twin("prims", None), twin("prop_pass", Some("sorted"))]));
}

#[test]
fn a_server_that_ends_before_the_first_test_could_not_run() {
    let folder = Folder::new("ends");
    // Ends at the query for the inputs of the property.
    let script = OLD.replace("inputs) echo counter ;;", "attributes) echo prop ;; inputs) exit 1 ;;");
    let script = script.replace("kind) echo 'Unknown command: kind' >&2; exit 1 ;;", "kind) echo opaque ;;");
    let outcome = test_server(&folder.script("ends", &script), &Options::default());
    let text = outcome.text();
    assert!(outcome.could_not_run && text.contains("the server was lost after `inputs one`: it ended"), "{text}");
}

#[test]
fn invalid_client_calls_are_reported() {
    let server = |name: &str| Server::start(SERVER, &Client::default().argument(name)).unwrap();
    let mistakes = server("mistakes");
    let origin = mistakes.call("origin", &[]).unwrap();
    let number = mistakes.put(&[Value::scalar(1i32)]).unwrap().remove(0);
    let array = mistakes.put(&[Value::array([1u8])]).unwrap().remove(0);
    let told: [Result<(), Error>; 9] = [
        mistakes.project(&number, "x").map(drop),
        mistakes.project(&origin, "z").map(drop),
        mistakes.destruct(&origin).map(drop),
        mistakes.index(&origin, &[0]).map(drop),
        mistakes.unzip(&array).map(drop),
        mistakes.kind("shape").map(drop),
        mistakes.call("fails", &[&number]).map(drop),
        mistakes.call("two words \"", &[]).map(drop),
        mistakes.set(&array, &[7], &number),
    ];
    let told = told.map(|told| told.unwrap_err().to_string().replace(&format!("{}", std::process::id()), "PID"));
    insta::assert_snapshot!(listed(told));
}

#[test]
fn unexpected_values_are_reported() {
    let values = |text: &str| parse_values(text).unwrap();
    let told = [("1", "1 2"), ("1i32", "1i64"), ("[1, 2]", "[1]"), ("[1, 2]", "[1, 3]"), ("0.5f32", "0.7f32")]
        .map(|(got, expected)| differences(&values(got), &values(expected), Default::default()).join("\n"));
    insta::assert_snapshot!(listed(told));
    assert_eq!(
        "i128".parse::<Primitive>().unwrap_err().to_string(),
        "not a primitive type: these are i8 to i64, u8 to u64, f16, f32, f64 and bool"
    );
}

/// Returns the property of a twin.
fn property(twin: &str, name: &str) -> Property {
    let blocks = Blocks::parse(&format!("-- ==\n-- property: {name}\n")).unwrap();
    let server = Server::start(SERVER, &Client::default().argument(twin)).unwrap();
    let (properties, _) = validate(&server, &blocks, Rules::Ours, &|_| None).unwrap();
    properties.into_iter().find(|property| property.name == name).unwrap()
}

#[test]
fn timeouts_name_the_operation() {
    let folder = Folder::new("slow");
    let mut settings = Settings::default();
    settings.program = folder.0.join("program");
    let told = ["is_made", "is_made_smaller", "is_tried_smaller"].map(|name| {
        let property = property("slow", name);
        let server = Server::start(SERVER, &Client::default().argument("slow")).unwrap();
        server.ends_at(Some(Instant::now() + Duration::from_secs(2)));
        match run_compatible(&server, &property, &settings) {
            Err(Stopped::TimedOut(phase)) => phase,
            _ => panic!("{name} had time"),
        }
    });
    insta::assert_snapshot!(listed(told));
}

#[test]
fn servers_lost_during_a_run_are_reported() {
    let folder = Folder::new("lost");
    let mut settings = Settings::default();
    settings.seed = 1;
    settings.tests = 20;
    settings.program = folder.0.join("program");
    let start = |words: &[&str]| {
        let client = words.iter().fold(Client::default(), |client, word| client.argument(*word));
        Server::start(SERVER, &client)
    };
    let gone = || Err(Error::Impossible("there is no such machine any more".to_owned()));
    let told = |ended: Result<Passed, Stopped>| match ended {
        Ok(passed) => format!("passed\n{}", passed.notes.join("\n")),
        Err(Stopped::Failed(failure)) => format!("{}\nphase: {}", failure.text, failure.phase),
        Err(_) => panic!("another end"),
    };
    let number = std::cell::Cell::new(0);
    let nth = || number.replace(number.get() + 1);
    let never = run(&|| gone(), &property("prop_pass", "rev_rev"), &settings);
    let then_gone =
        run(&|| if nth() == 0 { start(&["mistakes"]) } else { gone() }, &property("mistakes", "is_fatal"), &settings);
    let all = listed([told(never), told(then_gone)]);
    // On a busy machine the exchange has one candidate.
    insta::assert_snapshot!(all.replace(SERVER, "SERVER").replace("is_fatal v1 v0", "is_fatal v2 v0"));
    // A server that crashes once, somewhere.
    settings.tests = 1;
    let rev_rev = property("prop_pass", "rev_rev");
    let mut once = (100..2000).step_by(20).map(|after: u64| {
        number.set(0);
        let die = after.to_string();
        let start = || if nth() == 0 { start(&["prop_pass", "die", &die]) } else { start(&["prop_pass"]) };
        told(run(&start, &rev_rev, &settings))
    });
    let once = once.find(|told| told.contains("passed when it was retried alone")).unwrap();
    insta::assert_snapshot!("lost_once", once.replace(SERVER, "SERVER"));
}

#[test]
fn a_server_lost_while_a_candidate_is_fetched_and_not_restarted_is_reported() {
    let folder = Folder::new("fetched");
    let mut settings = Settings::default();
    (settings.seed, settings.tests, settings.program) = (1, 1, folder.0.join("program"));
    let property = property("prop_gen_shrink", "arr_shrink");
    let mark = folder.0.join("mark").display().to_string();
    let told = |at: u32| {
        let words = ["prop_gen_shrink", "fault", "exit", &at.to_string(), &mark];
        let client = words.iter().fold(Client::default(), |client, word| client.argument(*word));
        let is_first = std::cell::Cell::new(true);
        let start = || match is_first.replace(false) {
            true => Server::start(SERVER, &client),
            false => Err(Error::Impossible("there is no such machine any more".to_owned())),
        };
        match run(&start, &property, &settings) {
            Err(Stopped::Failed(failure)) => failure.text,
            _ => panic!("another end at {at}"),
        }
    };
    // The answer at which a candidate is fetched depends on the commands that precede it.
    let all: Vec<String> = (1..60).map(told).collect();
    assert!(all.iter().any(|told| told.contains("\n  It could not be restarted.")), "{}", listed(all));
}

#[test]
fn the_maximum_length_of_sequences_is_reported() {
    let settings = {
        let mut settings = Settings::default();
        (settings.tests, settings.size) = (1, 1000);
        settings
    };
    let start = || Server::start(SERVER, &Client::default().argument("steady"));
    let Ok(passed) = run(&start, &property("steady", "counted"), &settings) else { panic!("the property holds") };
    assert_eq!(passed.notes, ["sequences have at most 400 commands"]);
}

#[test]
fn servers_with_invalid_responses_are_reported() {
    // The faulty answers: to the first `restore`, the first call, `free`, and the last command of an exchange.
    let places = [
        ("twice", 11, Servers::First),
        ("twice", 14, Servers::First),
        ("chatty", 10, Servers::First),
        ("refuse", 10, Servers::First),
        ("refuse", 12, Servers::First),
        ("refuse", 15, Servers::First),
        ("nothing_stored", 10, Servers::First),
        ("other_stored", 10, Servers::First),
        ("more_stored", 10, Servers::First),
        ("refuse", 10, Servers::All),
    ];
    let mut told = String::new();
    for (fault, at, servers) in places {
        let Verdict::NotPassed(text) = verdict(SERVER, "typed", fault, at, servers, Part::Requested).unwrap() else {
            panic!("{fault} at {at} in {servers:?}");
        };
        told += &format!("# {fault}, answer {at}, {servers:?}\n{text}\n\n");
    }
    insta::assert_snapshot!(without_folders(&told));
    // A label call that is rejected because the server lost a variable is not a failure of the label.
    for at in [19, 31, 211] {
        let verdict = verdict(SERVER, "labelled", "refuse", at, Servers::First, Part::Requested).unwrap();
        assert!(matches!(verdict, Verdict::NotPassed(_)), "{at}: {verdict:?}");
    }
}

/// Removes the names of the folders for transferring values.
fn without_folders(told: &str) -> String {
    let mut parts = told.split("/dev/shm/forall-values-");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + "VALUES" + part.trim_start_matches(|c: char| c.is_alphanumeric()))
}

/// A server of Futhark 0.25, which does not report kinds: it has one opaque type, and one entry point with two outputs.
const OLD: &str = r#"echo '%%% OK'
while read command name rest; do
  case "$command" in
    types) echo counter ;;
    entry_points) echo one; echo two ;;
    inputs) echo counter ;;
    outputs) [ "$name" = two ] && echo i32; echo bool ;;
    fields) echo '%%% FAILURE'; echo 'Not a record type' ;;
    kind) echo 'Unknown command: kind' >&2; exit 1 ;;
  esac
  echo '%%% OK'
done"#;

/// A server whose type has two fields, but that stores only one.
const LIES: &str = r#"echo '%%% OK'
while read command name rest; do
  case "$command" in
    types) echo point ;;
    kind) echo record ;;
    fields) echo x u8; echo y u8 ;;
    entry_points) echo origin ;;
    output) echo point ;;
    store) cp one "$name" ;;
  esac
  echo '%%% OK'
done"#;

#[test]
fn unsupported_commands_of_servers_are_reported() {
    let folder = Folder::new("old");
    let old = Server::start(&folder.script("old", OLD).display().to_string(), &Client::default()).unwrap();
    let values: Vec<Value> = (0..97).map(Value::scalar).collect();
    let attributes = |_: &str| Some(vec!["prop".to_owned()]);
    let blocks = Blocks::parse("-- ==\n-- property: one\n").unwrap();
    let counter = "counter is opaque: write an entry point that returns what you need of it";
    assert_eq!(old.put_all(&[("counter", 1i32.into_datum())]).map(drop).unwrap_err().to_string(), counter);
    let mut told = vec![
        old.attributes("two").unwrap_err().to_string(),
        old.call("two", &[]).map(drop).unwrap_err().to_string(),
        validate(&old, &blocks, Rules::Ours, &attributes).unwrap().1.join("\n"),
    ];
    let held = old.put(&values).and_then(|_held| old.put(&values[..1]).map(drop));
    told.push(held.unwrap_err().to_string());
    folder.file("one", b"b\x02\x00  u8\x07");
    let client = Client::default().directory(&folder.0);
    let wrong = Server::start(&folder.script("wrong", LIES).display().to_string(), &client).unwrap();
    told.push(wrong.fetch(&wrong.call("origin", &[]).unwrap()).unwrap_err().to_string());
    insta::assert_snapshot!(listed(told));
}

#[test]
fn the_end_of_a_custom_server_is_reported() {
    use forall_futhark::serve::Program;
    let folder = Folder::new("own");
    let program = || Program::new().function("same", |xs: Vec<i32>| xs);
    let end = |commands: &str| program().answer(&mut commands.as_bytes(), &mut Vec::new()).unwrap_err();
    let restore = |bytes: &[u8], of: &str| end(&format!("restore {} x {of}\n", folder.file("values", bytes).display()));
    struct Gone;
    impl std::io::Write for Gone {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut told = vec![
        restore(b"b", "i32"),
        restore(b"b\x03", "i32"),
        restore(b"b\x02", "i32"),
        restore(b"b\x02\x00 i", "i32"),
        restore(b"b\x02\x01 i32", "i32"),
        restore(b"b\x02\x00 i32", "[]i32"),
        restore(b"b\x02\x00text", "i32"),
        restore(b"b\x02\x00  u8\x01", "i32"),
        restore(b"b\x02\x01  u8", "[]i32"),
        restore(b"b\x02\x01 i32", "[]i32"),
        restore(b"b\x02\x01 i32\x02\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00", "[]i32"),
    ];
    told.push(program().answer(&mut &b"types\n"[..], &mut Gone).unwrap_err());
    let deep = Value::shaped(vec![1u8], &[1; 256]).unwrap();
    told.push(deep.write(&mut Vec::new()).unwrap_err().to_string());
    insta::assert_snapshot!(listed(told));
}

#[test]
fn a_variable_of_a_failed_command_has_no_value() {
    use forall_futhark::serve::Program;
    let folder = Folder::new("empty");
    let program = Program::new().function("same", |xs: Vec<i32>| xs);
    let commands = format!("new_array x []i32 1\nstore {} x\n", folder.0.join("values").display());
    let mut answers = Vec::new();
    program.answer(&mut commands.as_bytes(), &mut answers).unwrap();
    let answers = String::from_utf8(answers).unwrap();
    assert!(answers.contains("x has no value: the command that should have created it failed\n"), "{answers}");
}
