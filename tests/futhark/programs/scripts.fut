-- Cases whose inputs are expressions, and one whose input is compressed.
-- ==
-- entry: total
-- script input { numbers 4 } output { 6i64 }
-- script input { doubled (numbers 4i64) } output { 12i64 }
-- script input { [1i64, 2i64] } output { 3i64 }
-- script input { let n = 3i64 in doubled (numbers n) } output { 6i64 }
-- script input { let (a, _b) = both 5 in a } output { 10i64 }
-- script input { $loaddata "numbers.in" } output { 60i64 }
-- input @ numbers.in.gz output { 60i64 }

-- ==
-- entry: weigh
-- script input { (numbers 3, 2) } output { 6i64 }
-- script input { (let (xs, k) = both 3 in (xs, k)) } output { 9i64 }

-- ==
-- entry: area
-- script input { {width = 3, height = 4} } output { 12i64 }

entry numbers (n: i64) : []i64 = iota n
entry doubled (xs: []i64) : []i64 = map (* 2) xs
entry both (n: i64) : ([]i64, i64) = (iota n, n)
entry total (xs: []i64) : i64 = i64.sum xs
entry weigh (xs: []i64) (factor: i64) : i64 = factor * i64.sum xs
type size = {width: i64, height: i64}
entry area (s: size) : i64 = s.width * s.height
