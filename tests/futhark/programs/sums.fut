-- A sum without a generator, of which older servers tell nothing, alone and in a record; and an array of tuples, whose name says it all.
-- ==
-- property: shapes_are_small few_pairs deep_named

type shape = #circle f32 | #square i32
#[prop]
entry shapes_are_small (s: shape) : bool = match s case #circle _ -> true case #square n -> n < 7
#[prop]
entry few_pairs (xs: [](i32, bool)) : bool = length xs < 3

type holder = {count: i32, held: shape}
#[prop]
entry deep_named (h: holder) : bool = match h.held case #circle _ -> true case #square n -> n < h.count + 7
