-- What forall understands beyond futhark test.
-- ==
-- property: sums_commute zips_fit both_small at_most_nine by_status condition_keeps
-- property: ring_is_a_queue good_ring_is_a_queue counters_agree tables_fit

-- Several parameters; lengths that are related.
#[prop]
entry sums_commute (x: i32) (y: i32) : bool = x + y == y + x
#[prop(size(20))]
entry zips_fit [n] (xs: [n]i32) (ys: [n]i32) : bool = length (zip xs ys) == n
#[prop]
entry both_small (x: i32) (ys: []u8) : bool = x < 5 || length ys < 2

-- What a generator made, smaller by its type.
entry evens (size: i64) (seed: u64) : []i64 = map (\i -> i64.u64 (seed >> u64.i64 (i % 50)) % 100) (iota size)
#[prop(gen(evens), shrink(auto))]
entry at_most_nine (xs: []i64) : bool = all (< 50) xs

entry number (_: i64) (seed: u64) : i32 = i32.u64 seed
entry tactic (x: i32) (tactic: u64) : (i32, i8) =
  if tactic == 0 then (x / 2, i8.bool (x / 2 == x))
  else if tactic == 1 then (if x > 0 then x - 1 else x + 1, 0)
  else (x, 2)
#[prop(gen(number), shrink(tactic))]
entry by_status (x: i32) : bool = x < 17

-- A condition says what counts, so that values may become smaller by their type.
entry is_sorted (xs: []i32) : bool = all (\i -> i == 0 || xs[i - 1] <= xs[i]) (indices xs)
entry ascending (size: i64) (seed: u64) : []i32 = map (\i -> i32.i64 i * (1 + i32.u64 (seed % 5))) (iota size)
#[prop(gen(ascending), cond(is_sorted))]
entry condition_keeps (xs: []i32) : bool = length xs < 3 || xs[1] == 0

-- A queue, and a ring that should be one. A command pushes a number that is not negative, and pops if it is.
type~ queue = ?[n].{items: [n]i32, answer: i32}
type ring = {buffer: [4]i32, from: i64, count: i64, answer: i32}
entry empty_queue : queue = {items = [], answer = 0}
entry empty_ring : ring = {buffer = [0, 0, 0, 0], from = 0, count = 0, answer = 0}
entry queue_step (q: queue) (c: i32) : queue =
  if c >= 0 then (if length q.items < 4 then {items = q.items ++ [c], answer = 1} else {items = q.items, answer = 0})
  else if length q.items > 0 then {items = drop 1 q.items, answer = q.items[0]} else {items = q.items, answer = -1}
def ring_with (place: i64 -> i64 -> i64) (r: ring) (c: i32) : ring =
  if c >= 0
  then if r.count < 4 then {buffer = copy r.buffer with [place r.from r.count] = c, from = r.from, count = r.count + 1, answer = 1}
       else r with answer = 0
  else if r.count > 0 then {buffer = r.buffer, from = (r.from + 1) % 4, count = r.count - 1, answer = r.buffer[r.from]}
       else r with answer = -1
entry bad_ring_step (r: ring) (c: i32) : ring = ring_with (\from count -> i64.min 3 (from + count)) r c
entry ring_step (r: ring) (c: i32) : ring = ring_with (\from count -> (from + count) % 4) r c
#[prop(model(empty_queue), step_model(queue_step), system(empty_ring), step_system(bad_ring_step))]
entry ring_is_a_queue (q: queue) (r: ring) : bool = q.answer == r.answer && length q.items == r.count
#[prop(model(empty_queue), step_model(queue_step), system(empty_ring), step_system(ring_step))]
entry good_ring_is_a_queue (q: queue) (r: ring) : bool = q.answer == r.answer && length q.items == r.count

-- States that are random at first; commands that the program makes for the model, conditions on them, and names for them.
entry start_at (size: i64) (seed: u64) : i64 = if size == 0 then 0 else i64.u64 (seed % u64.i64 size)
entry next (m: i64) (_size: i64) (seed: u64) : i64 = if m > 3 then -1 else i64.u64 (seed % 3)
entry makes_sense (m: i64) (c: i64) : bool = m + c >= 0
entry step (m: i64) (c: i64) : i64 = m + c
entry wrong_step (s: i64) (c: i64) : i64 = if c == 2 then s + 1 else s + c
entry show (c: i64) : []u8 = if c < 0 then "down" else if c == 0 then "stay" else if c == 1 then "up" else "jump"
#[prop(model(start_at), step_model(step), system(start_at), step_system(wrong_step), command(next), cond(makes_sense), print(show), label(show), at_end)]
entry counters_agree (m: i64) (s: i64) : bool = m == s

-- Lengths that a type relates.
type~ table = ?[n].{keys: [n]i64, vals: [n]i32}
#[prop]
entry tables_fit (t: table) : bool = length (zip t.keys t.vals) >= 0
