-- Shrinkers that are asked many times for each value, of values that servers of Futhark 0.25 give as several.
-- ==
-- property: by_tactics by_chance of_a_pair
entry twenty (_: i64) (seed: u64) : []i32 = replicate 20 (1000 + i32.u64 (seed % 2))

entry tactic (xs: []i32) (number: u64) : ([]i32, i8) =
  if number == 0 then (drop 1 xs, i8.bool (length xs <= 1))
  else if number == 1 then (map (/ 2) xs, 0)
  else (xs, 2)
#[prop(gen(twenty), shrink(tactic))]
entry by_tactics (xs: []i32) : bool = length xs < 2

entry by_a_number (xs: []i32) (number: u64) : []i32 =
  if number % 2 == 0 then take (length xs / 2) xs else drop 1 xs
#[prop(gen(twenty), shrink(by_a_number))]
entry by_chance (xs: []i32) : bool = length xs < 2

entry pair (_: i64) (seed: u64) : ([]i32, []i32) = (replicate 3 (i32.u64 seed), replicate 3 (i32.u64 seed))
entry one_of_the_pair (p: ([]i32, []i32)) (number: u64) : ([]i32, []i32) =
  if number % 2 == 0 then (take (length p.0 / 2) p.0, p.1) else (p.0, take (length p.1 / 2) p.1)
#[prop(gen(pair), shrink(one_of_the_pair))]
entry of_a_pair (xs: []i32) (ys: []i32) : bool = length xs + length ys < 2
