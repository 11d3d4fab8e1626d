-- What forall understands beyond futhark test: conditions, labels, printers, and sums without a generator.
-- ==
-- property: halves_of_even_numbers never_counts short_or_long shapes_are_small

entry is_even (x: i32) : bool = x % 2 == 0
entry never (_: i32) : bool = false
entry kind (xs: []u8) : []u8 = if length xs < 3 then "short" else "long"
entry show_number (x: i32) : []u8 = if x == 4 then "four" else "another"

#[prop(cond(is_even), print(show_number))]
entry halves_of_even_numbers (x: i32) : bool = x / 2 * 2 == x && x != 4
#[prop(cond(never))]
entry never_counts (x: i32) : bool = x == x
#[prop(label(kind), size(8))]
entry short_or_long (xs: []u8) : bool = length xs <= 8

type shape = #circle f32 | #square i32
#[prop]
entry shapes_are_small (s: shape) : bool = match s case #circle _ -> true case #square n -> n < 7
