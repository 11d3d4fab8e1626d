//! The recipes of `docs/campaigns/`: those that can run here are run, the others are held against the schemas of who reads them.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod servers;
#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use serde_json::Value;
use servers::{Running, free_port, installed, skipped};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use support::Workspace;

/// The properties for the recipes: one with a bug that each worker finds, and one of which each worker runs a part.
const SHOP: &str = "
#[cfg(test)]
mod tests {
    use forall::prelude::*;

    #[forall::test]
    fn pieces_are_few(#[forall(0..200u32)] pieces: u32) {
        assert!(pieces < 100);
    }

    #[forall::test(tests = 400)]
    fn sums_commute(a: u32, b: u32) {
        assert_eq!(a.wrapping_add(b), b.wrapping_add(a));
    }
}
";

fn project(name: &str) -> Workspace {
    let workspace = Workspace::new(name, &["shop"]);
    workspace.write("shop/src/lib.rs", SHOP);
    workspace
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

fn recipe(name: &str) -> PathBuf {
    repository().join("docs/campaigns").join(name)
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout == b"0\n"
}

/// A command of a user who has installed `cargo forall`, in a copy of the sample workspace whose tests are built.
fn in_the_project(workspace: &Workspace, program: &str) -> Command {
    let listed = workspace.command(&["list"]).output().unwrap();
    assert!(listed.status.success(), "{}", workspace.said(listed));
    let installed = Path::new(env!("CARGO_BIN_EXE_cargo-forall")).parent().unwrap();
    let path = format!("{}:{}:/usr/sbin", installed.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(program);
    for (name, value) in workspace.command(&[]).get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.current_dir(workspace.path("")).env("PATH", path).env("CAMPAIGN_TIME", "1s");
    command.env("CAMPAIGN_BUDGET", "8s").stdin(Stdio::null());
    command
}

fn said(output: &Output) -> String {
    format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// All shards have told what they did, and the bug of the sample is one entry.
fn the_campaign_is_in(workspace: &Workspace, corpus: &str, shards: usize) {
    let output = workspace.command(&["corpus", "stats", "--json", corpus]).output().unwrap();
    let stats: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
    let find = |name: &str| {
        let all = stats["properties"].as_array().unwrap();
        all.iter().find(|one| one["property"].as_str().unwrap().ends_with(name)).unwrap_or_else(|| panic!("{stats:#}"))
    };
    assert_eq!(find("pieces_are_few")["failures"], 1, "{stats:#}");
    let told = find("sums_commute")["told"].as_array().unwrap();
    let shard = |told: &Value| told["shard"].as_str().unwrap().to_owned();
    assert_eq!(told.iter().map(shard).collect::<BTreeSet<_>>().len(), shards, "{stats:#}");
}

/// Runs the recipe for Slurm as an array of four on a cluster of three nodes.
fn slurm(test: &str, corpus: &dyn Fn(&Workspace) -> Option<String>) {
    if !["slurmctld", "slurmd", "munged"].iter().all(|program| installed(&format!("/usr/sbin/{program}"))) {
        return skipped(test, "slurm-wlm and munge are not installed");
    }
    if !is_root() {
        return skipped(test, "a node daemon of Slurm must be started by root");
    }
    let workspace = project(test);
    let Some(corpus) = corpus(&workspace) else { return };
    // Names of sockets must be short.
    let cluster = std::env::temp_dir().join(format!("forall-{test}-{}", std::process::id()));
    let mut command = in_the_project(&workspace, repository().join(".ci/slurm").to_str().unwrap());
    let archived = workspace.command(&["archive", "tests"]).output().unwrap();
    assert!(archived.status.success(), "{}", said(&archived));
    command.arg(&cluster).args(["sbatch", "--wait", "--array=0-3"]).arg(recipe("slurm.sh")).arg(&corpus);
    let output = command.output().unwrap();
    let here = fs::read_dir(workspace.path("")).unwrap().flatten();
    let is_log = |file: &fs::DirEntry| file.file_name().to_string_lossy().starts_with("forall-");
    let logs: Vec<String> = here.filter(is_log).map(|file| fs::read_to_string(file.path()).unwrap()).collect();
    let all = format!("{}\n{}", said(&output), logs.join("\n----\n"));
    assert_eq!(output.status.code(), Some(1), "something was found, so 1 is how tasks end:\n{all}");
    for shard in 1..=4 {
        assert!(logs.iter().any(|log| log.contains(&format!("shard {shard}/4"))), "{all}");
    }
    the_campaign_is_in(&workspace, &corpus, 4);
    fs::remove_dir_all(cluster).unwrap();
}

#[test]
#[ignore = "slow: 40 s"]
fn slurm_runs_a_job_array_over_a_directory() {
    slurm("slurm-directory", &|workspace| Some(workspace.path("corpus").display().to_string()));
}

#[cfg(feature = "redis")]
#[test]
#[ignore = "slow: 20 s"]
fn slurm_runs_a_job_array_over_redis() {
    let server = std::cell::OnceCell::new();
    slurm("slurm-redis", &|workspace| {
        if !installed("redis-server") {
            skipped("slurm-redis", "redis-server is not installed");
            return None;
        }
        let port = free_port();
        let mut command = Command::new("redis-server");
        command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", ""]).arg("--dir");
        command.arg(workspace.path("")).stdout(Stdio::null());
        let _ = server.set(Running::start(&mut command, port));
        Some(format!("redis://127.0.0.1:{port}"))
    });
}

#[test]
#[ignore = "slow: 20 s"]
fn ssh_starts_a_worker_on_each_host() {
    let test = "ssh";
    if !installed("/usr/sbin/sshd") || !installed("ssh-keygen") || !is_root() {
        return skipped(test, "an sshd of the test's own is needed (openssh-server, and root)");
    }
    let workspace = project(test);
    let mut command = in_the_project(&workspace, "bash");
    for key in ["host", "user"] {
        let mut keygen = Command::new("ssh-keygen");
        keygen.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(workspace.path(key));
        assert!(keygen.status().unwrap().success());
    }
    fs::create_dir_all("/run/sshd").unwrap();
    let port = free_port();
    let (path, here) = (workspace.path("user.pub").display().to_string(), workspace.path("").display().to_string());
    // The environment of a user on the host.
    let environment: Vec<String> = ["PATH", "CARGO_TARGET_DIR", "CARGO_NET_OFFLINE", "CARGO_TERM_QUIET"]
        .map(|name| {
            let value = command.get_envs().find(|(known, _)| *known == name).unwrap().1.unwrap();
            format!("{name}={}", value.display())
        })
        .to_vec();
    let environment = environment.join(" ");
    workspace.write(
        "sshd.conf",
        &format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {here}/host\nAuthorizedKeysFile {path}\nPidFile none\nStrictModes no\n\
             UsePAM no\nPermitRootLogin yes\nSetEnv {environment}\n"
        ),
    );
    workspace.write(
        "ssh.conf",
        &format!(
            "Host *\nHostName 127.0.0.1\nPort {port}\nIdentityFile {here}/user\nUser root\nStrictHostKeyChecking no\n\
             UserKnownHostsFile /dev/null\nLogLevel ERROR\n"
        ),
    );
    let mut server = Command::new("/usr/sbin/sshd");
    server.args(["-D", "-e", "-f"]).arg(workspace.path("sshd.conf")).stderr(Stdio::null());
    let _server = Running::start(&mut server, port);
    // An ssh whose configuration names the hosts.
    workspace.write("bin/ssh", &format!("#!/bin/sh\nexec /usr/bin/ssh -F {here}/ssh.conf \"$@\"\n"));
    fs::set_permissions(workspace.path("bin/ssh"), fs::Permissions::from_mode(0o755)).unwrap();
    let before = command.get_envs().find(|(name, _)| *name == "PATH").unwrap().1.unwrap().display().to_string();
    command.env("PATH", format!("{}:{before}", workspace.path("bin").display()));
    let corpus = workspace.path("corpus").display().to_string();
    let output = command.arg(recipe("ssh.sh")).args([&corpus, "host-1", "host-2", "host-3"]).output().unwrap();
    let logs: String = (1..=3)
        .map(|host| fs::read_to_string(workspace.path(&format!("host-{host}.log"))).unwrap_or_default())
        .collect();
    assert!(output.status.success(), "{}\n{logs}", said(&output));
    for shard in 1..=3 {
        assert!(logs.contains(&format!("shard {shard}/3")), "{logs}");
    }
    the_campaign_is_in(&workspace, &corpus, 3);
}

/// A Python that has `check_jsonschema` and `kubernetes_validate`, which bring the schemas along.
fn schemas(test: &str) -> Option<String> {
    let python = std::env::var("SCHEMA_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_them = Command::new(&python).args(["-c", "import check_jsonschema, kubernetes_validate"]).output();
    if has_them.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    skipped(test, "no Python with check-jsonschema and kubernetes-validate (SCHEMA_PYTHON names one)");
    None
}

/// The checker's verdict: whether the file conforms to the schema.
fn keeps_to(python: &str, checker: &[&str], file: &Path) -> Result<(), String> {
    let output = Command::new(python).arg("-m").args(checker).arg(file).output().unwrap();
    if output.status.success() { Ok(()) } else { Err(said(&output)) }
}

#[test]
fn files_for_services_keep_to_their_schemas() {
    let Some(python) = schemas("schemas") else { return };
    let github = ["check_jsonschema", "--builtin-schema", "vendor.github-workflows"];
    let gitlab = ["check_jsonschema", "--builtin-schema", "vendor.gitlab-ci"];
    let kubernetes = ["kubernetes_validate", "--strict"];
    for (checker, file, of_importance) in [
        (&github[..], "github.yml", "runs-on"),
        (&github, "oss-fuzz/.github/workflows/clusterfuzzlite.yml", "runs-on"),
        (&gitlab, "gitlab.yml", "script"),
        (&kubernetes, "kubernetes.yaml", "completionMode"),
    ] {
        if let Err(wrong) = keeps_to(&python, checker, &recipe(file)) {
            panic!("{file}: {wrong}");
        }
        // The checker is one: it notices what is misspelt.
        let text = fs::read_to_string(recipe(file)).unwrap().replace(of_importance, "misspelt");
        let misspelt = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("misspelt-{}", file.replace('/', "-")));
        fs::write(&misspelt, text).unwrap();
        assert!(keeps_to(&python, checker, &misspelt).is_err(), "{file} without {of_importance}");
    }
}

/// The commands of this program in a text, their arguments apart.
fn commands(text: &str) -> Vec<Vec<String>> {
    let plain = text
        .replace("${{ matrix.shard }}", "3")
        .replace("$shard/$#", "3/8")
        .replace("$seed", "7")
        .replace("${CAMPAIGN_TIME:-1h}", "1h")
        .replace("${CAMPAIGN_TESTS:-tests}", "tests")
        .replace("${CAMPAIGN_BUDGET:-${SLURM_ARRAY_TASK_COUNT}h}", "64h")
        .replace("\\\n", " ");
    let lines = plain.lines().filter(|line| !line.trim_start().starts_with(['#', '|']));
    lines
        .filter_map(|line| {
            // A list of YAML, or words of a shell up to what it does with them.
            let line = line.replace("[cargo, forall, ", "cargo forall ").replace("${SLURM_CPUS_PER_TASK:-1}", "1");
            let (_, rest) = line.split_once("cargo forall ").or(line.split_once("exec forall "))?;
            let rest = rest.split([']', '#', '|', '>', '&']).next().unwrap().replace(['"', '\'', '`', ','], "");
            let words = rest.split_whitespace().map(|word| word.replace('$', ""));
            Some(words.collect())
        })
        .collect()
}

#[test]
fn the_volume_of_the_kubernetes_job_is_claimed_for_pods_on_several_nodes() {
    let text = fs::read_to_string(recipe("kubernetes.yaml")).unwrap();
    let (claim, job) = text.split_once("\n---\n").expect("two objects");
    let name = job.split_once("claimName: ").unwrap().1.split('}').next().unwrap();
    assert!(claim.contains("kind: PersistentVolumeClaim") && claim.contains(&format!("\n  name: {name}\n")), "{claim}");
    assert!(claim.contains("accessModes: [ReadWriteMany]"), "several pods mount it at once: {claim}");
    assert!(job.contains("kind: Job") && job.contains("parallelism: 16"), "{job}");
    // A pod that replaces another takes up the rest of the budget, and an eviction is not a failure.
    assert!(job.contains("--budget, 64h") && !job.contains("--for"), "{job}");
    let (ignored, counted) = job.split_once("onExitCodes").unwrap();
    assert!(ignored.contains("action: Ignore") && ignored.contains("type: DisruptionTarget"), "{ignored}");
    assert!(!counted.contains("action: Ignore"), "{counted}");
}

#[test]
fn every_command_of_the_recipes_is_accepted() {
    for file in ["README.md", "github.yml", "gitlab.yml", "kubernetes.yaml", "slurm.sh", "ssh.sh"] {
        let commands = commands(&fs::read_to_string(recipe(file)).unwrap());
        assert!(!commands.is_empty(), "{file}");
        for command in commands {
            // Arguments are looked at from the left: whatever is wrong comes before the help.
            let output = Command::new(env!("CARGO_BIN_EXE_forall")).args(&command).arg("--help").output().unwrap();
            assert!(output.status.success(), "{file}: {command:?}: {}", said(&output));
        }
    }
}

#[test]
#[ignore = "slow: 60 s"]
fn the_project_for_fuzzing_fleets_is_built_and_fuzzed() {
    let test = "oss-fuzz";
    if !installed("c++") {
        return skipped(test, "a C++ compiler is needed (g++), for libFuzzer");
    }
    let project = recipe("oss-fuzz");
    let fetched = Command::new("cargo").args(["fetch", "--locked"]).current_dir(project.join("fuzz")).output().unwrap();
    if !fetched.status.success() {
        return skipped(test, &format!("the crate libfuzzer-sys cannot be fetched:\n{}", said(&fetched)));
    }
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let (out, inputs) = (scratch.join("out"), scratch.join("inputs"));
    let _ = fs::remove_dir_all(&out);
    let _ = fs::remove_dir_all(&inputs);
    fs::create_dir_all(&out).unwrap();
    fs::create_dir_all(&inputs).unwrap();
    let mut build = Command::new(project.join(".clusterfuzzlite/build.sh"));
    build
        .current_dir(&project)
        .env("OUT", &out)
        .env("CARGO_TARGET_DIR", scratch.join("target"))
        // Without optimisation this takes a quarter of the time.
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .env("SANITIZER", "none");
    let built = build.env_remove("RUSTFLAGS").stdin(Stdio::null()).output().unwrap();
    assert!(built.status.success(), "{}", said(&built));
    let mut fuzz = Command::new(out.join("numerals"));
    fuzz.args(["-max_total_time=1", "-print_final_stats=1", "-seed=7"])
        .arg(format!("-artifact_prefix={}/", out.display()));
    let fuzzed = fuzz.arg(&inputs).output().unwrap();
    let text = said(&fuzzed);
    assert!(fuzzed.status.success(), "{text}");
    // Its counters guide it: the inputs with new coverage are in the folder.
    assert!(text.contains("inline 8-bit counters") && text.contains("stat::number_of_executed_units"), "{text}");
    assert!(fs::read_dir(&inputs).unwrap().count() > 10, "{text}");
}
