//! Implementations of `Arbitrary` for numbers with a meaning: `NonZero`, `Duration`, `SystemTime`.

use super::{Arbitrary, Code};
use crate::choice::{Random, Source};
use std::fmt::Display;
use std::num::NonZero;
use std::time::{Duration, SystemTime};

macro_rules! non_zero {
    ($($t:ident)*) => {$(
        impl Arbitrary for NonZero<$t> {
            in_search!(
                plain,
                |series| {
                    let number = series.non_zero($t::MIN as i128, $t::MAX as u128) as $t;
                    NonZero::new(number).unwrap_or(NonZero::<$t>::MIN_MAGNITUDE)
                },
                |extent| {
                    let (low, high) = extent.integers($t::MIN as i128, $t::MAX as u128);
                    (high - low) as f64
                }
            );

            #[inline]
            fn arbitrary(source: &mut Source) -> Self {
                // 0 becomes 1: the simplest stays the simplest.
                NonZero::new($t::arbitrary(source)).unwrap_or(NonZero::<$t>::MIN_MAGNITUDE)
            }

            #[inline]
            fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
                let one = if self.get() == 1 { Vec::new() } else { vec![Self::MIN_MAGNITUDE] };
                shrink_non_zero(one, &self.get(), Self::new)
            }

            #[inline]
            fn duplicate(&self) -> Option<Self> {
                Some(*self)
            }

            #[inline]
            fn print(&self, code: &mut Code) {
                print_non_zero(self, code);
            }

            #[inline]
            fn mutate(self, source: &mut Source) -> Self {
                NonZero::new(self.get().mutate(source)).unwrap_or(self)
            }
        }

        impl One for NonZero<$t> {
            const MIN_MAGNITUDE: Self = NonZero::new(1 as $t).unwrap();
        }
    )*};
}

/// Simpler values: the simplest one, if the value differs from it, and others.
fn shrink_non_zero<T: Arbitrary, N: 'static>(
    mut candidates: Vec<N>,
    value: &T,
    make: fn(T) -> Option<N>,
) -> Box<dyn Iterator<Item = N>> {
    for simpler in value.shrink() {
        candidates.extend(make(simpler));
    }
    Box::new(candidates.into_iter())
}

fn print_non_zero(value: &dyn Display, code: &mut Code) {
    write!(code, "std::num::NonZero::new({value}).unwrap()");
}

trait One {
    const MIN_MAGNITUDE: Self;
}

non_zero!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

const NANOS: u32 = 1_000_000_000;

/// Nanoseconds: none, a whole number of milliseconds, the last one, or any.
#[inline]
fn nanos(source: &mut Source) -> u32 {
    let pick = |random: &mut Random, _| {
        let draw = random.draw();
        match draw.selector >> 30 {
            0 => 0,
            1 => draw.word % 1000 * 1_000_000,
            2 if draw.word & 7 == 0 => u64::from(NANOS - 1),
            _ => draw.word % u64::from(NANOS),
        }
    };
    source.choice_with(u64::from(NANOS - 1), pick) as u32
}

impl Arbitrary for Duration {
    #[inline]
    fn arbitrary(source: &mut Source) -> Self {
        let seconds = u64::arbitrary(source);
        Duration::new(seconds, nanos(source))
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let (seconds, nanos) = (self.as_secs(), self.subsec_nanos());
        let fewer = seconds.shrink().map(move |seconds| Duration::new(seconds, nanos)).collect::<Vec<_>>();
        let rounder = nanos.shrink().map(move |nanos| Duration::new(seconds, nanos)).collect::<Vec<_>>();
        Box::new(fewer.into_iter().chain(rounder))
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        Some(*self)
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        write!(code, "std::time::Duration::new({}, {})", self.as_secs(), self.subsec_nanos());
    }
}

/// The last second of the year 9999, which most formats and all platforms can represent.
const LAST_SECOND: i64 = 253_402_300_799;

impl Arbitrary for SystemTime {
    /// Between the years 0 and 9999 or so, mostly around the epoch, on both sides of it.
    #[inline]
    fn arbitrary(source: &mut Source) -> Self {
        // Windows counts from the year 1601.
        let first = if cfg!(windows) { -11_644_473_600 } else { -62_167_219_200 };
        let seconds = source.draw(first..=LAST_SECOND);
        // Whole hundreds of nanoseconds: the resolution of the coarsest clock.
        from_epoch(seconds, nanos(source) / 100 * 100)
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let (seconds, nanos) = since_epoch(self);
        let nearer = seconds.shrink().map(move |seconds| from_epoch(seconds, nanos)).collect::<Vec<_>>();
        let rounder = (nanos / 100).shrink().map(move |n| from_epoch(seconds, n * 100)).collect::<Vec<_>>();
        Box::new(nearer.into_iter().chain(rounder))
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        Some(*self)
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        let (seconds, nanos) = since_epoch(self);
        let sign = if seconds < 0 { '-' } else { '+' };
        write!(code, "std::time::UNIX_EPOCH {sign} std::time::Duration::from_secs({})", seconds.unsigned_abs());
        if nanos > 0 {
            write!(code, " + std::time::Duration::from_nanos({nanos})");
        }
    }
}

#[inline]
fn from_epoch(seconds: i64, nanos: u32) -> SystemTime {
    let distance = Duration::from_secs(seconds.unsigned_abs());
    let epoch = SystemTime::UNIX_EPOCH;
    let time = if seconds < 0 { epoch.checked_sub(distance) } else { epoch.checked_add(distance) };
    time.and_then(|time| time.checked_add(Duration::from_nanos(u64::from(nanos)))).unwrap_or(epoch)
}

/// Seconds, and the nanoseconds to add to them.
#[inline]
fn since_epoch(time: &SystemTime) -> (i64, u32) {
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => (after.as_secs() as i64, after.subsec_nanos()),
        Err(before) => {
            let before = before.duration();
            match before.subsec_nanos() {
                0 => (-(before.as_secs() as i64), 0),
                nanos => (-(before.as_secs() as i64) - 1, NANOS - nanos),
            }
        }
    }
}
