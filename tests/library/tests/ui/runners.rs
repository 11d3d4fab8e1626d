use forall::run::{Report, Session};

#[forall::runner]
fn targeted(session: Session<'_>) -> Report {
    forall::run::generational(session)
}

#[forall::runner]
fn generational(session: Session<'_>) -> Report {
    forall::run::generational(session)
}

#[forall::runner]
async fn waits(session: Session<'_>) -> Report {
    forall::run::generational(session)
}

#[forall::runner]
struct Mine;

#[forall::runner(tests = 5)]
fn with_settings(session: Session<'_>) -> Report {
    forall::run::generational(session)
}

#[forall::runner]
fn returns_nothing(_: Session<'_>) {}

#[forall::runner]
fn takes_two(session: Session<'_>, _: u32) -> Report {
    forall::run::generational(session)
}

mod runners {
    #[forall::runner]
    pub fn mine(session: super::Session<'_>) -> super::Report {
        forall::run::generational(session)
    }
}

#[forall::test(runner = runners::mine)]
fn by_path(_: u8) {}

fn main() {}
