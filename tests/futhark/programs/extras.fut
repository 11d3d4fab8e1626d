-- What forall understands beyond futhark test: conditions, labels, printers, and sums without a generator.
-- ==
-- property: halves_of_even_numbers never_counts short_or_long shapes_are_small
-- property: shown_alike is_a_finite_number is_equal_to_itself sizes_are_small
-- property: both_small both_small_by_tactics both_small_by_type stack_is_a_stack

entry is_even (x: i32) : bool = x % 2 == 0
entry never (_: i32) : bool = false
entry kind (xs: []u8) : []u8 = if length xs < 3 then "short" else "long"
entry show_number (x: i32) : []u8 = if x == 4 then "four" else "another"

#[prop(cond(is_even), print(show_number))]
entry halves_of_even_numbers (x: i32) : bool = x / 2 * 2 == x && x != 4
#[prop(cond(never))]
entry never_counts (x: i32) : bool = x == x
entry big_or_small (x: i32) : []u8 = if x > 100 then "big" else "small"
#[prop(print(big_or_small))]
entry shown_alike (x: i32) : bool = x < 50
#[prop]
entry is_a_finite_number (x: f64) : bool = !(f64.isnan x || f64.isinf x)
#[prop]
entry is_equal_to_itself (x: f32) : bool = x == x
entry its_size (size: i64) (_: u64) : i64 = size
entry same (x: i64) (_: u64) : i64 = x
#[prop(gen(its_size), shrink(same), size(5))]
entry sizes_are_small (x: i64) : bool = x < 3
#[prop(label(kind), size(8))]
entry short_or_long (xs: []u8) : bool = length xs <= 8

type shape = #circle f32 | #square i32
#[prop]
entry shapes_are_small (s: shape) : bool = match s case #circle _ -> true case #square n -> n < 7

-- Several parameters, made together.
entry gen_pair (size: i64) (seed: u64) : (i32, []u8) = (i32.u64 (seed % 100), replicate size 1)
entry smaller_pair (p: (i32, []u8)) (tactic: u64) : ((i32, []u8), i8) =
  let (x, ys) = p
  let half = length ys / 2
  in if tactic == 0 then ((x / 2, ys), i8.bool (x == 0))
     else if tactic == 1 then ((x, take half ys), i8.bool (length ys == 0))
     else if tactic == 2 then ((x - 1, ys), i8.bool (x == 0))
     else if tactic == 3 then ((x, drop 1 ys), i8.bool (length ys == 0))
     else (p, 2)
#[prop(gen(gen_pair))]
entry both_small (x: i32) (ys: []u8) : bool = x < 5 || length ys < 2
#[prop(gen(gen_pair), shrink(smaller_pair))]
entry both_small_by_tactics (x: i32) (ys: []u8) : bool = x < 5 || length ys < 2
#[prop(gen(gen_pair), shrink(auto))]
entry both_small_by_type (x: i32) (ys: []u8) : bool = x < 5 || length ys < 2

-- A stack, and one that takes from the wrong end. Commands are made by their type.
type command = #pop | #push i32
entry nothing : []i32 = []
entry push_or_pop (s: []i32) (c: command) : []i32 =
  match c case #push x -> s ++ [x]
          case #pop -> take (i64.max 0 (length s - 1)) s
entry wrong_push_or_pop (s: []i32) (c: command) : []i32 =
  match c case #push x -> s ++ [x]
          case #pop -> drop (i64.min 1 (length s)) s
#[prop(model(nothing), step_model(push_or_pop), system(nothing), step_system(wrong_push_or_pop))]
entry stack_is_a_stack (m: []i32) (s: []i32) : bool = length m == 0 || last m == last s
