-- The future work that the paper on property-based testing in Futhark lists: a property for each item that needs no other file.
-- ==
-- property: status cycling labelled valid_only

-- A shrinker with a status: 0 for a smaller value, 1 for the next tactic, 2 for no more.
entry gen_number (size: i64) (seed: u64) : i64 = i64.u64 (seed % 1000000) + size
entry tactics (x: i64) (tactic: u64) : (i64, i8) =
  if tactic == 0 then (x / 2, 0)
  else if tactic == 1 then (x - 1000, 0)
  else if tactic == 2 then (x - 1, 0)
  else (x, 2)
#[prop(gen(gen_number), shrink(tactics))]
entry status (x: i64) : bool = x < 1000

-- A shrinker that runs in a circle: 5, 6, 7, 5.
entry circle (x: i64) (_: u64) : i64 = if x > 7 then 7 else if x == 7 then 5 else x + 1
#[prop(gen(gen_number), shrink(circle))]
entry cycling (x: i64) : bool = x < 5

-- Statistics of candidates by a classifier.
entry parity (x: i64) : []u8 = if x % 2 == 0 then "even" else "odd"
#[prop(gen(gen_number), label(parity))]
entry labelled (x: i64) : bool = x >= 0

-- A condition.
entry is_even (x: i64) : bool = x % 2 == 0
#[prop(gen(gen_number), cond(is_even))]
entry valid_only (x: i64) : bool = x / 2 * 2 == x
