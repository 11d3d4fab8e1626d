//! Tests that pass, and tests that end the process.

#[forall::test]
fn passes(xs: Vec<u8>) {
    assert!(xs.iter().map(|&x| u64::from(x)).sum::<u64>() <= 255 * xs.len() as u64);
}

#[forall::test]
fn branches(xs: Vec<u8>) {
    let mut sum = 0u32;
    for x in xs {
        sum += match x {
            0..10 => 1,
            10..100 => 2,
            _ if sum > 3 => 3,
            _ => 4,
        };
    }
    assert!(sum < u32::MAX);
}

#[forall::test]
fn leaves_a_file(x: u8) {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        if let Some(folder) = std::env::var_os("PROCESSES") {
            std::fs::write(std::path::Path::new(&folder).join(std::process::id().to_string()), []).unwrap();
        }
    });
    assert!(u32::from(x) < 256);
}

#[forall::test]
fn announces(x: u8) {
    forall::feature!("sixteenth", x / 16);
}

#[forall::test]
fn aborts(x: u16) {
    if x == 999 {
        std::process::abort();
    }
}

#[forall::test]
fn overflows_its_stack(x: u16) {
    fn deeper(n: u64) -> u64 {
        if n == 0 { 0 } else { std::hint::black_box(deeper(n + 1) + 1) }
    }
    if x == 999 {
        std::hint::black_box(deeper(1));
    }
}

#[forall::test]
fn hangs(x: u16) {
    while x == 999 {
        std::hint::spin_loop();
    }
}

#[forall::test]
fn aborts_on_many(xs: Vec<u16>) {
    if xs.len() > 2 && xs[1] > 99 {
        std::process::abort();
    }
}

#[forall::test]
#[should_panic(expected = "too large")]
fn is_to_fail(x: u16) {
    assert!(x < 10, "too large");
}
