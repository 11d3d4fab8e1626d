//! proto
use crate::choice::Source;

/// Empty
pub struct Empty;
/// Forall
pub struct Forall<P, Q> {
    prev: P,
    quantify: Q,
}
/// Check
pub struct Check<P, F> {
    prev: P,
    check: F,
}

/// T
pub trait Telescope: Sized {
    /// e
    type Env;
    /// f
    fn forall<T, F: Fn(&Self::Env, &mut Source) -> T>(self, f: F) -> Forall<Self, F> {
        Forall { prev: self, quantify: f }
    }
    /// c
    fn check<F: Fn(&Self::Env) -> bool>(self, f: F) -> Check<Self, F> {
        Check { prev: self, check: f }
    }
}
impl Telescope for Empty {
    type Env = ();
}

/// q
pub trait Quantify<Env> {
    /// v
    type Value;
    /// g
    fn generate(&self, env: &Env, source: &mut Source) -> Self::Value;
}
impl<Env, T, F: Fn(&Env, &mut Source) -> T> Quantify<Env> for F {
    type Value = T;
    #[inline(always)]
    fn generate(&self, env: &Env, source: &mut Source) -> T {
        self(env, source)
    }
}
impl<P: Telescope, Q: Quantify<P::Env>> Telescope for Forall<P, Q> {
    type Env = (Q::Value, P::Env);
}

/// g
pub trait Generating: Telescope {
    /// g
    fn generate(&self, source: &mut Source) -> Option<Self::Env>;
}
impl Generating for Empty {
    #[inline(always)]
    fn generate(&self, _: &mut Source) -> Option<()> {
        Some(())
    }
}
impl<P: Generating, Q: Quantify<P::Env>> Generating for Forall<P, Q> {
    #[inline(always)]
    fn generate(&self, source: &mut Source) -> Option<Self::Env> {
        match self.prev.generate(source) {
            Some(env) => {
                let value = self.quantify.generate(&env, source);
                if source.is_rejected() { None } else { Some((value, env)) }
            }
            None => None,
        }
    }
}

/// b
pub struct Block {
    /// s
    pub seed: u64,
    /// s
    pub start: u64,
    /// s
    pub end: u64,
    /// s
    pub size: u64,
    /// s
    pub step: u64,
    /// s
    pub want: u64,
}

/// p
pub trait Property {
    /// r
    fn run_block(&self, block: &Block, index: &std::sync::atomic::AtomicU64) -> (u64, u64, bool);
}
impl<P: Generating, F: Fn(&P::Env) -> bool> Property for Check<P, F> {
    fn run_block(&self, block: &Block, at: &std::sync::atomic::AtomicU64) -> (u64, u64, bool) {
        let mut source = Source::random(block.seed, block.start, 0);
        let mut size = block.size;
        let mut index = block.start;
        let mut valid = 0;
        while index < block.end {
            source.restart(block.seed, index, (size >> 32) as u32);
            at.store(index, std::sync::atomic::Ordering::Relaxed);
            size += block.step;
            match self.prev.generate(&mut source) {
                Some(env) => {
                    if !(self.check)(&env) {
                        return (index, valid, false);
                    }
                }
                None => {
                    valid += 1;
                    source = Source::random(0, 0, 0);
                }
            }
            index += 1;
        }
        (index, valid, true)
    }
}
