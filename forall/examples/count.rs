use forall::generate::*;
use forall::property::*;
use std::hint::black_box;
fn go(p: &dyn Property, n: u64) {
    let at = Progress::default();
    let mut i = 0;
    while i < n {
        let end = (i + 64).min(n);
        let r = p
            .run_block(&Block { seed: 42, indices: i..end, size: i * ((100 << 32) / n), growth: (100 << 32) / n }, &at);
        assert!(r.failure.is_none());
        i = end;
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: u64 = a[2].parse().unwrap();
    match a[1].as_str() {
        "unit" => go(&Empty.forall("a", |(), s| s.draw(any::<()>())).check(|((), ())| black_box(true)), n),
        "pair" => go(
            &Empty
                .forall("a", |(), s| s.draw(any::<u64>()))
                .forall("b", |_, s| s.draw(any::<u64>()))
                .check(|(a, (b, ()))| a.wrapping_add(*b) == black_box(b.wrapping_add(*a))),
            n,
        ),
        "vec50" => go(
            &Empty.forall("a", |(), s| s.draw(vec(any::<i32>()).len(50))).check(|(a, ())| {
                black_box(a);
                true
            }),
            n,
        ),
        _ => panic!(),
    }
}
