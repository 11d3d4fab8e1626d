//! Serves the twin of a program: `forall-futhark-tests NAME [die|hang|truncate|garble BYTES]`.

use forall_futhark::serve::Misbehaviour;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(mut program) = words.first().and_then(|name| forall_futhark_tests::twin(name)) else {
        eprintln!("name one of the twins: {:?}", forall_futhark_tests::TWINS);
        std::process::exit(2);
    };
    if let [_, what, after] = &*words {
        match Misbehaviour::parse(what, after) {
            Some(how) => program = program.misbehave(how),
            None => {
                eprintln!("not a way to misbehave: {what} {after}");
                std::process::exit(2);
            }
        }
    }
    program.serve()
}
