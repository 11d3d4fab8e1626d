-- Properties that hold, one for every way in which candidates are made and tried.
-- ==
-- property: typed made several conditioned labelled counted stepped

entry numbers (size: i64) (seed: u64) : []i32 = tabulate size (\at -> i32.u64 (seed >> u64.i64 (at % 60)))
entry pair (size: i64) (seed: u64) : (i64, i32) = (size, i32.u64 seed)
entry is_small (x: i32) : bool = i32.abs x % 3 != 0
entry kind (xs: []u8) : []u8 = if length xs < 3 then "short" else "long"
entry zero : i64 = 0
entry add (sum: i64) (x: i32) : i64 = sum + i64.i32 x
entry any_number (size: i64) (seed: u64) : i32 = i32.u64 (seed % u64.i64 (size + 1))
entry may_be_added (sum: i64) (_: i32) : bool = sum < 1 << 40

#[prop]
entry typed (xs: []i32) : bool = length xs <= 1000000
#[prop(gen(numbers))]
entry made (xs: []i32) : bool = length xs <= 1000000
#[prop(gen(pair))]
entry several (size: i64) (_: i32) : bool = size < 1000000
#[prop(cond(is_small))]
entry conditioned (x: i32) : bool = x != 0
#[prop(label(kind))]
entry labelled (xs: []u8) : bool = length xs <= 1000000
#[prop(model(zero), system(zero), step_model(add), step_system(add), command(any_number))]
entry counted (model: i64) (system: i64) : bool = model == system
#[prop(model(zero), system(zero), step_model(add), step_system(add), command(any_number), cond(may_be_added))]
entry stepped (model: i64) (system: i64) : bool = model == system
