use super::{Connection, Options};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

/// Long exchanges, with a server that takes a while for each command, and in time for each.
#[test]
#[ignore = "slow: 7 s"]
fn a_long_exchange_may_take_longer_than_the_limit_of_a_command() {
    const COMMANDS: usize = 20;
    let path = std::env::temp_dir().join(format!("forall-steady-server-{}", std::process::id()));
    std::fs::write(&path, "#!/bin/sh\necho '%%% OK'\nwhile read line; do sleep 0.15; echo '%%% OK'; done\n").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let options = Options::default().timeout(Duration::from_secs(2));
    let mut connection = Connection::start(path.to_str().unwrap(), &options).unwrap();
    // The second exchange sleeps for most of the time that the first took.
    for _ in 0..2 {
        let sent = Instant::now();
        connection.send(["inputs f\n"; COMMANDS]).unwrap();
        connection.let_it_work(COMMANDS, sent);
        for _ in 0..COMMANDS {
            connection.is_done("inputs f").unwrap();
        }
        connection.note_pace(COMMANDS, sent.elapsed());
        connection.done("inputs f");
    }
    assert!(connection.stop().is_some());
    std::fs::remove_file(path).unwrap();
}
