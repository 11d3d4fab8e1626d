//! A runner that says to the server what `futhark test` says, command by command: values in temporary files, one answer awaited
//! after the other, and a `free` before everything that makes a variable. Its first words are held against the recorded traffic.

use forall_futhark::client::{Connection, Error, Generation};
use forall_futhark::data::Value;
use forall_futhark::properties::Property;
use std::path::Path;

/// Tests a property that holds with so many candidates; how many commands it took. `recording` is what the real runner and a
/// server said to each other; servers of the older generation do not know all of it.
pub fn run(
    server: &mut Connection,
    generation: Generation,
    property: &Property,
    tests: u64,
    recording: &str,
) -> Result<u64, String> {
    let folder = std::env::temp_dir().join(format!("forall-baseline-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut runner = Runner { server, generation, folder: &folder, commands: 0, said: Vec::new() };
    let mut seed = 123u64;
    let mut done = Ok(());
    for _ in 0..tests {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        done = runner.candidate(property, seed);
        if !runner.said.is_empty() && generation == Generation::Current && done.is_ok() {
            done = is_recorded(&std::mem::take(&mut runner.said), recording);
        }
        if done.is_err() {
            break;
        }
    }
    let commands = runner.commands;
    std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    done.map(|()| commands)
}

struct Runner<'a> {
    server: &'a mut Connection,
    generation: Generation,
    folder: &'a Path,
    commands: u64,
    /// The commands for the first candidate.
    said: Vec<String>,
}

/// Whether the real runner said the same for a candidate.
fn is_recorded(said: &[String], recording: &str) -> Result<(), String> {
    let recorded: Vec<&str> = recording.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    match recorded.windows(said.len()).any(|window| window == said) {
        true => Ok(()),
        false => Err(format!("the baseline sends commands that `futhark test` does not:\n{}", said.join("\n"))),
    }
}

impl Runner<'_> {
    /// Makes a candidate, and asks the property.
    fn candidate(&mut self, property: &Property, seed: u64) -> Result<(), String> {
        let size = property.attribute.size.unwrap_or(50);
        match &property.attribute.generator {
            Some(generator) => {
                let out = format!("{generator}_out");
                self.put("runPBT_size", &Value::scalar(size))?;
                self.put("runPBT_seed", &Value::scalar(seed))?;
                self.try_free(&out)?;
                self.say(&["call", generator, &out, "runPBT_size", "runPBT_seed"])?;
                self.say(&["free", "runPBT_size", "runPBT_seed"])?;
                self.try_free("runPBT_input")?;
                self.say(&["rename", &out, "runPBT_input"])?;
                self.try_free(&out)?;
            }
            None => {
                self.try_free("runPBT_input")?;
                self.say(&["inputs", &property.name])?;
                if self.generation == Generation::Current {
                    for of in ["[]i32", "i32", "i32"] {
                        self.say(&["kind", of])?;
                    }
                }
                self.try_free("runPBT_input")?;
                let elements: Vec<i32> = (0..size).map(|at| (seed >> (at % 32)) as i32).collect();
                self.put("runPBT_input", &Value::array(elements))?;
            }
        }
        self.try_free("runPBT_ok")?;
        self.say(&["call", &property.name, "runPBT_ok", "runPBT_input"])?;
        let file = self.folder.join("get.tmp");
        self.say(&["store", &file.to_string_lossy(), "runPBT_ok"])?;
        let bytes = std::fs::read(&file).map_err(|error| error.to_string())?;
        let _ = std::fs::remove_file(&file);
        let holds = forall_futhark::data::read_values(&mut &bytes[..]).map_err(|error| error.to_string())?;
        self.say(&["free", "runPBT_ok"])?;
        match holds.first().and_then(Value::get) {
            Some(true) => Ok(()),
            _ => Err("the property does not hold".to_owned()),
        }
    }

    fn put(&mut self, name: &str, value: &Value) -> Result<(), String> {
        let file = self.folder.join("put.tmp");
        std::fs::write(&file, value.to_bytes()).map_err(|error| error.to_string())?;
        self.say(&["restore", &file.to_string_lossy(), name, &value.type_name()])?;
        std::fs::remove_file(&file).map_err(|error| error.to_string())
    }

    fn say(&mut self, words: &[&str]) -> Result<(), String> {
        self.count(words);
        self.server.ask(words).map(drop).map_err(|error| error.to_string())
    }

    fn count(&mut self, words: &[&str]) {
        let is_first = self.said.len() as u64 == self.commands;
        self.commands += 1;
        if is_first {
            let folder = format!("{}/", self.folder.display());
            self.said.push(words.join(" ").replace(&folder, ""));
        }
    }

    /// There may be no such variable.
    fn try_free(&mut self, name: &str) -> Result<(), String> {
        self.count(&["free", name]);
        match self.server.ask(&["free", name]) {
            Ok(_) | Err(Error::Refused(_)) => Ok(()),
            Err(lost) => Err(lost.to_string()),
        }
    }
}
