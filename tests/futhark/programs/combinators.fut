-- The library of generators and shrinkers, tested with itself.
-- ==
-- property: arrays_fit sorted_is_sorted permutations_have_all ranges_hold shrunk_is_small tactics_stop

import "lib/forall/generate"
module shrink = import "lib/forall/shrink"

entry some (size: i64) (seed: u64) : []i32 = array (i32_within (-5) 5) size seed
#[prop(gen(some))]
entry arrays_fit (xs: []i32) : bool = length xs <= 50 && all (\x -> -5 <= x && x <= 5) xs

entry in_order (size: i64) (seed: u64) : []i32 = sorted (i32_within 0 9) (<=) size seed
#[prop(gen(in_order))]
entry sorted_is_sorted (xs: []i32) : bool = all (\i -> i == 0 || xs[i - 1] <= xs[i]) (indices xs)

entry order (size: i64) (seed: u64) : []i64 = permutation size seed
#[prop(gen(order), size(20))]
entry permutations_have_all (xs: []i64) : bool = all (\i -> any (== i) xs) (iota (length xs))

entry numbers (size: i64) (seed: u64) : (i64, f64) = pair (either 50 sized (i64_within 3 4)) (f64_within 1 2) size seed
#[prop(gen(numbers))]
entry ranges_hold (p: (i64, f64)) : bool = -50 <= p.0 && p.0 <= 50 && 1 <= p.1 && p.1 <= 2

-- These are wrong, to see how small counterexamples get.
entry many (size: i64) (seed: u64) : (i32, []i64) = (any_i32 size (split seed 0), array any_i64 size (split seed 1))
entry smaller (p: (i32, []i64)) (random: u64) : (i32, []i64) =
  let (x, xs) = p
  in if random & 1 == 0 then (shrink.smaller_i32 x (random >> 1), xs) else (x, shrink.array shrink.smaller_i64 xs (random >> 1))
#[prop(gen(many), shrink(smaller))]
entry shrunk_is_small (p: (i32, []i64)) : bool = !(any (>= 10) p.1)

entry any_number (size: i64) (seed: u64) : i64 = any_i64 size seed
entry by_tactics (x: i64) (tactic: u64) : (i64, i8) = shrink.tactics 64 (==) shrink.smaller_i64 x tactic
#[prop(gen(any_number), shrink(by_tactics))]
entry tactics_stop (x: i64) : bool = x < 1000
