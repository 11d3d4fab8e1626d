-- Counting the zeros at the end of an array: by a reduction, and what it should be.
-- ==
-- entry: trailing_zeros
-- input { [0, 1, 0, 0] } output { 2i64 }
-- input { [1] } output { 0i64 }

-- ==
-- property: is_the_longest_run

def trailing [n] (xs: [n]i32) : i64 =
  let join (l1: i64, t1: i64) (l2: i64, t2: i64) = (l1 + l2, if t2 == l2 then t1 + t2 else t2)
  in (reduce join (0, 0) (map (\x -> (1, i64.bool (x == 0))) xs)).1

entry trailing_zeros (xs: []i32) : i64 = trailing xs

entry few_values (size: i64) (seed: u64) : []i32 =
  map (\i -> i32.u64 ((seed >> u64.i64 (i % 60)) % 3)) (iota size)

#[prop(gen(few_values), size(40))]
entry is_the_longest_run (xs: []i32) : bool =
  let n = length xs
  let k = trailing xs
  in 0 <= k && k <= n && all (== 0) (drop (n - k) xs) && (k == n || xs[n - k - 1] != 0)
