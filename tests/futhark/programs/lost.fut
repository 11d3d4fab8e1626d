-- What ends its server, and what never ends: the rest of the file is run all the same.
-- ==
-- entry: boom
-- input { 5i64 } output { 5i64 }
-- input { -1i64 } output { 5i64 }
-- input { -2i64 } output { 5i64 }
-- input { 6i64 } output { 7i64 }

-- ==
-- property: hangs fails labelled slowly_labelled holds

def forever (x: i64) : i64 = loop y = x while y != y + 1 do y * 3 + 1
entry boom (n: i64) : i64 = if n == -1 then length (replicate n 0) else if n < 0 then forever n else n
#[prop]
entry hangs (x: i64) : bool = x <= 100 || forever x == 0
#[prop]
entry fails (x: i64) : bool = x < 1000
entry bad_label (x: i64) : i64 = 1 / (x / 1000000)
#[prop(label(bad_label))]
entry labelled (x: i64) : bool = x == x
entry slow_label (x: i64) : i64 = if x > 7 then forever x else 3
#[prop(label(slow_label))]
entry slowly_labelled (x: i64) : bool = x == x
#[prop]
entry holds (x: i64) : bool = x == x
