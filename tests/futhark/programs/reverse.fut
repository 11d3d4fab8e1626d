-- Reversing, by cases and by properties.
-- ==
-- entry: rev
-- input { [1, 2, 3] } output { [3, 2, 1] }
-- input { empty([0]i32) } output { empty([0]i32) }

-- ==
-- property: twice_is_nothing keeps_the_sum

entry rev [n] (xs: [n]i32) : [n]i32 = reverse xs

#[prop]
entry twice_is_nothing (xs: []i32) : bool = and (map2 (==) xs (reverse (reverse xs)))

#[prop(size(20))]
entry keeps_the_sum (xs: []i32) : bool = i32.sum xs == i32.sum (reverse xs)
