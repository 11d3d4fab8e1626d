-- A sum without a generator, of which older servers tell nothing; and an array of tuples, whose name says it all.
-- ==
-- property: shapes_are_small few_pairs

type shape = #circle f32 | #square i32
#[prop]
entry shapes_are_small (s: shape) : bool = match s case #circle _ -> true case #square n -> n < 7
#[prop]
entry few_pairs (xs: [](i32, bool)) : bool = length xs < 3
