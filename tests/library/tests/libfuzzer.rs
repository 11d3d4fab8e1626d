//! A property as a target of libFuzzer: the entry is called as a fuzzer would call it.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};

#[forall::property]
fn no_seven_comes_third(xs: Vec<u8>) {
    forall::assume!(xs.first() != Some(&255));
    assert!(xs.get(2) != Some(&7), "there it is");
}

forall::fuzz_target!(no_seven_comes_third);

fn call(bytes: &[u8]) -> i32 {
    // SAFETY: pointer and length are those of a slice.
    unsafe { LLVMFuzzerTestOneInput(bytes.as_ptr(), bytes.len()) }
}

#[test]
fn any_bytes_are_an_input() {
    // SAFETY: there are no bytes.
    assert_eq!(unsafe { LLVMFuzzerTestOneInput(std::ptr::null(), 0) }, 0);
    for length in 0..300 {
        let bytes: Vec<u8> = (0..length).map(|at: u32| (at * at % 251) as u8 & !7).collect();
        assert!(matches!(call(&bytes), 0 | -1));
    }
}

#[test]
fn a_discarded_test_is_not_added_to_the_corpus() {
    // One more element, which is 255; no more.
    assert_eq!([call(&[1, 255, 0]), call(&[1, 254, 0])], [-1, 0]);
}

/// The child of the tests below: this program, which calls the target with bytes from the environment.
#[test]
#[ignore = "aborts on purpose; run by the test below"]
fn child() {
    let bytes = std::env::var("TARGET_BYTES").unwrap();
    call(&bytes.split(',').map(|byte| byte.parse().unwrap()).collect::<Vec<_>>());
}

fn child_with(bytes: &str, store: &Path) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "child", "--nocapture"]);
    command.env("TARGET_BYTES", bytes).env("FORALL_STORE", store).output().unwrap()
}

#[test]
fn a_failing_property_is_reported_saved_and_aborts() {
    let store = std::env::temp_dir().join(format!("forall-libfuzzer-{}", std::process::id()));
    let output = child_with("1,9,1,9,1,7,1,9,0", &store);
    let said = String::from_utf8_lossy(&output.stderr);
    const SIGABRT: i32 = 6;
    assert_eq!(output.status.signal(), Some(SIGABRT), "{said}");
    assert!(said.contains("let xs: Vec<u8> = vec![0, 0, 7];") && said.contains("there it is"), "{said}");
    assert_eq!(std::fs::read_dir(&store).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir()).count(), 1);
    assert!(child_with("1,9,1,9,1,8,0", &store).status.success());
    std::fs::remove_dir_all(&store).unwrap();
}
