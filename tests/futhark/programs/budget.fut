-- A shrinker that would take a step for each number, from a billion on; and a property that takes a while.
-- ==
-- property: budget

entry gen_billion (_: i64) (seed: u64) : i64 = 1000000000 + i64.u64 (seed % 1000)
entry one_less (x: i64) (_: u64) : i64 = x - 1
#[prop(gen(gen_billion), shrink(one_less))]
entry budget (x: i64) : bool = (loop y = x for i < 5000000 do y * 6364136223846793005 + i) == 0 && x < 0
