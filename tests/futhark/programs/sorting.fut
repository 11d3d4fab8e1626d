-- A sort by counting, and what makes a sort right.
-- ==
-- property: is_sorted keeps_elements sorted_stays

def rank [n] (xs: [n]i32) (i: i64) : i64 =
  i64.sum (map (\j -> i64.bool (xs[j] < xs[i] || (xs[j] == xs[i] && j < i))) (iota n))

def sort [n] (xs: [n]i32) : [n]i32 =
  scatter (replicate n 0) (map (rank xs) (iota n)) xs

def occurrences [n] (xs: [n]i32) (x: i32) : i64 = i64.sum (map (\y -> i64.bool (x == y)) xs)

entry ascending (size: i64) (seed: u64) : []i32 =
  map (\i -> i32.i64 i * i32.u64 (seed % 5)) (iota size)

#[prop(size(30))]
entry is_sorted (xs: []i32) : bool =
  let ys = sort xs
  in all (\i -> i == 0 || ys[i - 1] <= ys[i]) (indices ys)

#[prop(size(30))]
entry keeps_elements (xs: []i32) : bool =
  let ys = sort xs
  in all (\x -> occurrences xs x == occurrences ys x) xs

#[prop(gen(ascending), size(30))]
entry sorted_stays (xs: []i32) : bool = and (map2 (==) xs (sort xs))
