mod programs;
use forall::run::*;
fn main() {
    for name in std::env::args().skip(1) {
        let p = programs::Program::named(&name).unwrap();
        let property = (p.property)();
        for bug in [false, true] {
            if bug && p.with_bug.is_none() { continue }
            for seed in 0..if bug {20} else {1} {
            let tests: u64 = std::env::var("TESTS").unwrap().parse().unwrap();
            let set = Settings::new().tests(tests).seed(seed).exhaustive(false).store(Store::Off).explain(0).size(p.size);
            let r = p.run_with(bug, || Run::new(name.clone(), &*property).settings(set).report());
            println!("{name} {bug} {:?} {:?} {:?}", r.verdict, r.time, (r.statistics.valid, r.statistics.discarded));
            if let Some(c) = r.counterexample { if seed == 0 {for b in c.bindings { println!("  {} = {}", b.name, b.printed.text());} println!("{:?} {}",c.shrinking.evaluations, c.failure.message);} }
            }
        }
    }
}
