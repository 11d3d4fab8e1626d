//! x
use forall::generate::*;
use forall::property::*;
use std::hint::black_box;
fn go(p: &dyn Property, n: u64) {
    let at = std::sync::atomic::AtomicU64::new(0);
    let mut i = 0;
    while i < n {
        let end = (i + 64).min(n);
        let r = p.run_block(
            &Block { seed: 42, start: i, end, size: i * ((100 << 32) / n), step: (100 << 32) / n, want: u64::MAX },
            &at,
        );
        assert!(r.2);
        i = end;
    }
}
macro_rules! case {
    ($g:expr, $n:expr) => {
        go(
            &Empty.forall(|(), s| s.draw($g)).check(|(a, ())| {
                black_box(a);
                true
            }),
            $n,
        )
    };
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: u64 = a[2].parse().unwrap();
    match a[1].as_str() {
        "vec50" => case!(vec(any::<i32>()).len(50), n),
        "vec" => case!(vec(any::<i32>()).len(0..=100), n),
        "anyvec" => case!(any::<Vec<i32>>(), n),
        "str" => case!(string(any()).len(0..=100), n),
        "strcount" => go(
            &Empty.forall(|(), s| s.draw(string(any()).len(0..=100))).check(|(a, ())| {
                black_box(a.chars().count());
                std::str::from_utf8(a.as_bytes()).is_ok()
            }),
            n,
        ),
        "range" => case!(vec(0..1000i32).len(50), n),
        "narrow" => case!(vec(0..10i32).len(50), n),
        "f64" => case!(vec(any::<f64>()).len(50), n),
        "oneof" => case!(vec(forall::one_of![constant(1), 0..10, any()]).len(50), n),
        _ => panic!(),
    }
}
