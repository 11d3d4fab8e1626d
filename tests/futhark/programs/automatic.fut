-- What it gives is what it gives when it is compiled to sequential C.
-- ==
-- entry: next
-- input { 7i32 } auto output

-- ==
-- entry: all_next
-- random input { [10]i32 } auto output

entry next (x: i32) : i32 = x + 1
entry all_next [n] (xs: [n]i32) : [n]i32 = map (\x -> x + 1) xs
