-- Conditions on parts of a number: chance meets one of them in 16 million. Compiled with optimisation there may be no branch for each.
-- ==
-- property: nested at_once
#[prop]
entry nested (x: u32) : bool =
  if x % 256 == 77 then (if (x >> 8) % 256 == 99 then (if (x >> 16) % 256 == 33 then false else true) else true) else true
#[prop]
entry at_once (x: u32) : bool =
  i32.bool (x % 256 == 77) * i32.bool ((x >> 8) % 256 == 99) * i32.bool ((x >> 16) % 256 == 33) == 0
