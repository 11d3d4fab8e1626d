-- Sizes that are not understood: they are computed, constants, or declared in another file.
-- ==
-- property: one_longer always_three rows_and_columns tables_fit tables_are_small made_wrongly

import "lib/tables"

def k: i64 = 300

#[prop]
entry one_longer [n] (xs: [n+1]i32) (ys: [n]i32) : bool = length xs == length ys + 1
#[prop]
entry always_three (xs: [k]i32) : bool = length xs == 300
#[prop]
entry rows_and_columns [n] (xs: [n][n*2]u8) : bool = length xs == n
#[prop]
entry tables_fit (t: table) : bool = length (zip t.keys t.vals) >= 0
#[prop]
entry tables_are_small (t: table) : bool = all (< 7) t.vals

-- What a program makes is its own business.
entry four (_: i64) (_: u64) : []i32 = replicate 4 0
#[prop(gen(four))]
entry made_wrongly (xs: [k]i32) : bool = length xs == 300
