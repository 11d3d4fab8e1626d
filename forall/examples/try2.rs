use forall::generate::*;
use forall::property::*;
fn main() {
    let p = Empty
        .forall("xs", |(), s| s.draw(any::<Vec<i32>>()))
        .printed_by(forall::__printed!())
        .forall("n", |_, s| s.draw(0..50usize))
        .printed_by(forall::__printed!())
        .check(|(n, (xs, ()))| {
            let mut ys = xs.clone();
            ys.sort();
            ys.dedup();
            assert_eq!(xs.iter().filter(|x| **x as usize != *n).count(), ys.len())
        });
    forall::check("try::me", &p);
}
