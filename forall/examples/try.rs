use forall::generate::*;
use forall::property::*;
use forall::run::*;
fn main() {
    let p = Empty
        .forall("xs", |(), s| s.draw(vec(any::<i32>())))
        .forall("n", |_, s| s.draw(0..50usize))
        .implies(|(n, _)| n % 2 == 0)
        .check(|(n, (xs, ()))| {
            assert!(xs.iter().filter(|x| **x as usize > *n).count() < 3);
        });
    let r = Run::new("try", &p).report();
    println!("{:?} {:?}", r.verdict, r.statistics);
    let c = r.counterexample.unwrap();
    println!("{:#?} {:?} {:?}", c.bindings, c.failure, c.shrinking);
    let p = Empty.forall("a", |(), s| s.draw(any::<u8>())).check(|(_a, ())| true);
    println!("{:?}", Run::new("try", &p).report());
    let p = Empty
        .forall("a", |(), s| s.draw(any::<u64>()))
        .shrink(|_, a| Box::new([0, a / 2, a.saturating_sub(1)].into_iter()))
        .check(|(a, ())| *a < 1234);
    println!("{:?}", Run::new("try", &p).report());
    let p = Empty.forall("a", |(), s| s.draw(any::<u64>())).implies(|(a, ())| *a == 987654321).check(|(_a, ())| true);
    println!("{:?}", Run::new("try", &p).report());
    let p = Empty.forall("a", |(), s| s.draw(any::<u64>())).contract(|(a, ())| *a < 1000).check(|(_a, ())| true);
    println!("{:?}", Run::new("try", &p).report());
    let p = Empty
        .forall("a", |(), s| {
            let x = s.draw(any::<u64>());
            assert!(x < 77777);
            x
        })
        .check(|(_a, ())| true);
    println!("{:?}", Run::new("try", &p).report());
    if std::env::args().count() > 1 {
        let p = Empty.forall("a", |(), s| s.draw(any::<u64>())).check(|(a, ())| {
            if *a < u64::MAX {
                std::process::exit(0)
            }
        });
        println!("{:?}", Run::new("try", &p).report());
    }
}
