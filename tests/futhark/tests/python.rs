//! The Futhark project's own Python libraries (`futhark-data`, `futhark-server`) check our data formats and our server.
//!
//! `FUTHARK_PYTHON` names a Python that has these libraries; the default is `python3`.

use forall::choice::Source;
use forall::generate::any;
use forall_futhark::data::{Element, Value, f16, read_values};
use std::path::Path;
use std::process::Command;

/// Returns the output of the script; `None` if there is no Python with the libraries.
fn check(test: &str, words: &[&str]) -> Option<String> {
    let python = std::env::var("FUTHARK_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_them = Command::new(&python).args(["-c", "import futhark_data, futhark_server"]).output();
    if !has_them.is_ok_and(|output| output.status.success()) {
        assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none(), "{test} needs futhark-data and futhark-server");
        eprintln!("SKIPPED {test}: {python} has no futhark-data and futhark-server");
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/check.py");
    let output = Command::new(python).arg(script).args(words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Appends scalars, and arrays of every rank up to three, that include the extremes.
fn of<T: Element>(extremes: &[T], mut draw: impl FnMut() -> T, to: &mut Vec<Value>) {
    to.extend(extremes.iter().map(|one| Value::scalar(*one)));
    to.push(Value::array(extremes));
    to.push(Value::array(Vec::<T>::new()));
    for shape in [vec![3], vec![2, 5], vec![0, 4], vec![3, 1, 2]] {
        let count = shape.iter().product();
        to.extend(Value::shaped((0..count).map(|_| draw()).collect(), &shape));
    }
}

#[test]
fn values_are_read_and_written_as_by_the_python_library() {
    let mut source = Source::random(1, 0, 50);
    let mut values = Vec::new();
    macro_rules! integers {
        ($($T:ty)*) => { $(of::<$T>(&[<$T>::MIN, 0, 1, <$T>::MAX], || source.draw(any::<$T>()), &mut values);)* };
    }
    integers!(i8 i16 i32 i64 u8 u16 u32 u64);
    of(&[false, true], || source.draw(any::<bool>()), &mut values);
    of(&[0.0f32, -0.0, f32::MAX, f32::INFINITY, f32::MIN_POSITIVE], || source.draw(any::<f32>()), &mut values);
    of(&[0.0f64, -0.0, f64::MAX, f64::NEG_INFINITY, 5e-324], || source.draw(any::<f64>()), &mut values);
    of(&[f16::ZERO, f16::MAX, f16::INFINITY, f16::NAN], || f16::from_f32(source.draw(any::<f32>())), &mut values);
    let directory = std::env::temp_dir().join(format!("forall-python-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let [ours, theirs] = ["ours", "theirs"].map(|name| directory.join(name));
    let bytes: Vec<u8> = values.iter().flat_map(Value::to_bytes).collect();
    std::fs::write(&ours, &bytes).unwrap();
    let words = ["data", ours.to_str().unwrap(), theirs.to_str().unwrap()];
    if let Some(said) = check("values_are_read_and_written_as_by_the_python_library", &words) {
        assert_eq!(said.lines().count(), values.len());
        assert!(said.starts_with("int8 [] ['-128']\n"), "{said}");
        let written = std::fs::read(&theirs).unwrap();
        assert_eq!(read_values(&mut &written[..]).unwrap(), values);
        assert!(written == bytes, "the bytes differ");
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn our_server_serves_the_python_client() {
    let words = ["server", env!("CARGO_BIN_EXE_forall-futhark-tests"), "prims"];
    let Some(said) = check("our_server_serves_the_python_client", &words) else { return };
    let expected = "add_i16 ['i32', 'i32'] ['i32']\n42\nf16 1.5\nf32 1.5\nf64 1.5\nUnknown variable: sum\n";
    assert_eq!(said, expected);
}
