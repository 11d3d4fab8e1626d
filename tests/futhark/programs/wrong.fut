-- Programs with planted bugs.
-- ==
-- property: sort_loses_nothing sum_is_small

-- Equal elements go to one place.
def rank [n] (xs: [n]i32) (i: i64) : i64 = i64.sum (map (\j -> i64.bool (xs[j] < xs[i])) (iota n))
def sort [n] (xs: [n]i32) : [n]i32 = scatter (replicate n (-1)) (map (rank xs) (iota n)) xs

#[prop(size(10))]
entry sort_loses_nothing (xs: []i32) : bool =
  let ys = sort xs
  in all (\x -> i64.sum (map (\y -> i64.bool (x == y)) xs) == i64.sum (map (\y -> i64.bool (x == y)) ys)) xs

#[prop(size(10))]
entry sum_is_small (xs: []i32) : bool = i32.sum xs < 1000
