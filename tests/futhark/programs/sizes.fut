-- Sizes that types relate: computed, constants, declared in another file, said by another parameter. And some that are not understood.
-- ==
-- property: one_longer always_three_hundred twice_as_wide tables_fit tables_are_small made_wrongly counts_agree
-- property: as_many_as_said two_fewer rows_are_of_one_width rows_stay_so too_many computed_elsewhere

import "lib/tables"

def half = 150i64
def k: i64 = 2 * half

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

#[prop]
entry as_many_as_said (n: i64) (xs: [n]i32) : bool = length xs == n && n < 5
#[prop]
entry two_fewer [n] (xs: [n]u8) (ys: [n - 2]u8) : bool = n < 4

-- Servers of 0.25 do not look at the sizes inside of records.
type row [w] 't = {cells: [w]t, borders: [w + 1]t}
#[prop]
entry rows_are_of_one_width (r: row [width] i32) : bool = length r.cells == 3 && length r.borders == 4 && r.cells[2] < 9

entry rows (size: i64) (seed: u64) : row [width] i32 = {cells = replicate width (i32.i64 size), borders = replicate (width + 1) 50}
#[prop(gen(rows), shrink(auto))]
entry rows_stay_so (r: row [width] i32) : bool = length r.cells == 3 && length r.borders == 4 && r.borders[3] < 20

#[prop]
entry too_many (xs: [1000000000]i32) : bool = length xs == 1000000000
def next (x: i64) : i64 = x + 1
#[prop]
entry computed_elsewhere (xs: [next 3]i32) : bool = length xs == 4
