-- Sizes that are not understood: they are computed, constants, or declared in another file.
-- ==
-- property: one_longer always_three_hundred twice_as_wide tables_fit tables_are_small made_wrongly counts_agree

import "lib/tables"

def k: i64 = 300

#[prop]
entry one_longer [n] (xs: [n+1]i32) (ys: [n]i32) : bool = length xs == length ys + 1
#[prop]
entry always_three_hundred (xs: [k]i32) : bool = length xs == 300
#[prop]
entry twice_as_wide [n] (xs: [n][n*2]u8) : bool = length xs == n
#[prop]
entry tables_fit (t: table) : bool = length (zip t.keys t.vals) >= 0
#[prop]
entry tables_are_small (t: table) : bool = all (< 7) t.vals

-- What a program makes is its own business.
entry four (_: i64) (_: u64) : []i32 = replicate 4 0
#[prop(gen(four))]
entry made_wrongly (xs: [k]i32) : bool = length xs == 300

-- Commands are made by their type, too.
entry zero : i64 = 0
entry count (so_far: i64) (_: [k]i32) : i64 = so_far + 1
#[prop(model(zero), step_model(count), system(zero), step_system(count))]
entry counts_agree (m: i64) (s: i64) : bool = m == s
