//! The passes that run late: when others make no progress, and when most candidates are rejected.

use super::{ALIKE, AND_A_COUNT, ENDS, EVERY, EXCHANGED, ITERATIONS, only, only_of_all, shrink, shrink_without};
use crate::choice::Source;
use crate::generate::{Arbitrary, Coded, GeneratorExt, any, from_fn, range, shuffle, vec};
use crate::property::{Empty, Telescope};

#[test]
fn wide_characters_become_plain_ones() {
    let property = Empty.forall("text", |(), s| s.draw(any::<String>())).check(|(text, ())| text.len() < 6);
    let wide = u64::from('\u{800}'.encode());
    only("plain characters", property, &[1, wide, 1, wide, 0], &[1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0]);
}

#[test]
fn two_values_change_places() {
    let property = Empty.forall("xs", |(), s| s.draw(vec(any::<u8>()))).check(|(xs, ())| {
        let [a, b, c] = xs[..] else { return true };
        a == b || a != c
    });
    only("exchanged values", property, &[1, 1, 1, 0, 1, 1, 0], &[1, 0, 1, 1, 1, 0, 0]);
}

#[test]
fn the_value_that_comes_more_often_becomes_the_smaller_one() {
    let property = Empty.forall("xs", |(), s| s.draw(vec(any::<u8>()))).check(|(xs, ())| {
        let often = |count: usize| xs.iter().any(|x| xs.iter().filter(|other| *other == x).count() == count);
        xs.len() != 6 || !often(4) || !often(2)
    });
    let list = |values: [u64; 6]| [values.map(|value| [1, value]).concat(), vec![0]].concat();
    only("exchanged values", property, &list([0, 0, 1, 1, 1, 1]), &list([0, 0, 0, 0, 1, 1]));
}

#[test]
fn a_count_goes_down_with_the_draws_of_an_iteration() {
    let steps = |s: &mut Source| {
        let count = s.choice(30);
        let step = |_| {
            let (a, b, kind) = (s.choice(99), s.choice(99), s.choice(4));
            // Some draw one more choice.
            (kind, a, if kind == 2 { s.choice(50) } else { b })
        };
        (0..count).map(step).collect::<Vec<_>>()
    };
    let property = Empty.forall("steps", move |(), s| steps(s)).forall("n", |_, s| s.draw(any::<u8>())).check(
        |(_, (steps, ()))| {
            let first = steps.iter().position(|(kind, a, _)| *kind == 2 && *a > 60);
            first.is_none_or(|first| steps[first + 1..].iter().all(|(kind, a, _)| *kind != 3 || *a < 70))
        },
    );
    let (first, second, other, more) = ([70, 5, 2, 5], [80, 5, 3], [8, 8, 1], [9, 9, 2, 9]);
    let given = [&[7][..], &other, &more, &first, &other, &more, &second, &other, &[6]].concat();
    only_of_all(ITERATIONS, property, &given, &[2, 61, 0, 2, 0, 70, 0, 3, 0]);
}

#[test]
fn an_iteration_is_traded_for_a_larger_number_before_the_loop() {
    // A stack that starts with some elements: pushing one is equivalent to starting with it.
    let stack = |s: &mut Source| {
        let mut depth = s.choice(8);
        let count = s.choice(10);
        let step = |_| {
            let pops = depth > 0 && s.choice(1) == 1;
            if !pops {
                s.choice(50);
            }
            depth = if pops { depth - 1 } else { depth + 1 };
            pops
        };
        (0..count).map(step).collect::<Vec<_>>()
    };
    let property = Empty
        .forall("steps", move |(), s| stack(s))
        .check(|(steps, ())| !steps.windows(2).any(|two| two == [true, false]));
    only("iterations traded for a number", property, &[0, 3, 7, 1, 9], &[1, 2, 1, 0]);
}

#[test]
fn the_same_two_numbers_are_swapped_everywhere_at_once() {
    // A cell that refers to another one, and that one.
    let cells = |s: &mut Source| [(); 4].map(|()| s.choice(5));
    let property = Empty.forall("cells", move |(), s| cells(s)).check(|(cells, ())| {
        let [a, b, c, d] = *cells;
        (a, b) == (0, 0) || (a, b) != (c, d)
    });
    only("exchanged values", property, &[1, 0, 1, 0], &[0, 1, 0, 1]);
}

#[test]
fn a_turn_of_a_loop_is_traded_for_a_larger_number_before_it() {
    let counted_up = |s: &mut Source| {
        let mut number = s.choice(99);
        while s.choice(9) > 0 {
            s.choice(50);
            number += 1;
        }
        number
    };
    let property = Empty.forall("n", move |(), s| counted_up(s)).check(|(n, ())| *n < 100);
    only("runs traded for a number", property, &[97, 1, 7, 1, 7, 1, 7, 0], &[99, 1, 0, 0]);
}

#[test]
fn subtrees_of_hand_written_recursion_are_hoisted_with_missing_draws_added() {
    fn formula(s: &mut Source, depth: u32) -> Vec<u64> {
        if depth == 0 || s.choice(2) == 0 {
            return vec![s.choice(9)];
        }
        let left = formula(s, depth - 1);
        let operator = s.choice(3);
        [left, vec![10 + operator], formula(s, depth - 1)].concat()
    }
    let property =
        Empty.forall("formula", |(), s| formula(s, 3)).check(|(text, ())| !text.windows(2).any(|two| two == [13, 0]));
    // (0+(0+(0/0))), in which the last two digits are at the depth limit.
    only_of_all(ALIKE, property, &[1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 0], &[1, 0, 0, 3, 0, 0]);
}

#[test]
fn columns_of_a_matrix_go_with_their_count() {
    let matrix = |s: &mut Source| {
        let (rows, columns) = (s.choice(8), s.choice(8));
        (0..rows).map(|_| (0..columns).map(|_| s.choice(9)).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    let property = Empty
        .forall("rows", move |(), s| matrix(s))
        .check(|(rows, ())| !(rows.len() > 1 && rows.iter().all(|row| row.last() == Some(&9))));
    only_of_all(ITERATIONS, property, &[3, 3, 1, 2, 9, 4, 5, 9, 7, 8, 9], &[2, 1, 9, 9]);
}

#[test]
fn iterations_of_a_loop_that_asks_whether_to_go_on_are_removed() {
    let steps = |s: &mut Source| {
        let mut steps = Vec::new();
        while s.choice(7) > 0 {
            steps.push((s.choice(99), s.choice(50), s.choice(40), s.choice(30)));
        }
        steps
    };
    let property = Empty
        .forall("steps", move |(), s| steps(s))
        .check(|(steps, ())| steps.iter().filter(|step| **step == (70, 7, 6, 5)).count() < 2);
    let (step, other) = ([1, 70, 7, 6, 5], [1, 8, 8, 8, 8]);
    let given = [&step[..], &other, &step, &other, &[0]].concat();
    only_of_all(ALIKE, property, &given, &[&step[..], &step, &[0]].concat());
}

#[test]
fn iterations_are_sorted() {
    let pairs = |s: &mut Source| {
        let count = s.choice(9);
        (0..count).map(|_| (s.choice(99), s.choice(50))).collect::<Vec<_>>()
    };
    let property =
        Empty.forall("pairs", move |(), s| pairs(s)).check(|(pairs, ())| pairs.len() != 2 || !pairs.contains(&(70, 7)));
    only("sorted iterations", property, &[2, 70, 7, 0, 0], &[2, 0, 0, 70, 7]);
}

/// A list drawn in a counted loop.
fn counted(s: &mut Source) -> Vec<u64> {
    let count = s.choice(20);
    (0..count).map(|_| s.choice(99)).collect()
}

#[test]
fn loops_inside_of_a_loop_are_joined() {
    let lists = |s: &mut Source| {
        let count = s.choice(20);
        (0..count).map(|_| counted(s)).collect::<Vec<_>>()
    };
    let property =
        Empty.forall("lists", move |(), s| lists(s)).check(|(lists, ())| lists.iter().map(Vec::len).sum::<usize>() < 5);
    only_of_all("joined iterations", property, &[2, 2, 0, 0, 3, 0, 0, 0], &[1, 5, 0, 0, 0, 0, 0]);
}

#[test]
fn loops_that_run_equally_often_get_shorter_together() {
    let property = Empty
        .forall("a", |(), s| counted(s))
        .forall("b", |_, s| counted(s))
        .check(|(b, (a, ()))| a.is_empty() || a.len() != b.len());
    let list = [4, 0, 0, 0, 0];
    only_of_all("iterations of equally long loops", property, &list.repeat(2), &[1, 0, 1, 0]);
}

#[test]
fn permutations_lose_their_inversions() {
    let property = Empty.forall("order", |(), s| s.draw(shuffle([0, 1, 2, 3, 4, 5]))).check(|(order, ())| {
        let place = |n: u32| order.iter().position(|other| *other == n);
        place(3) < place(4)
    });
    only("fewer inversions", property, &[0, 3, 0, 0, 0], &[0, 0, 0, 1, 0]);
}

#[test]
fn three_collections_of_one_length_get_shorter_together() {
    let property = Empty
        .forall("a", |(), s| s.draw(vec(any::<u8>())))
        .forall("b", |_, s| s.draw(vec(any::<u8>())))
        .forall("c", |_, s| s.draw(vec(any::<u8>())))
        .check(|(c, (b, (a, ())))| a.is_empty() || a.len() != b.len() || b.len() != c.len());
    let list = [1, 0, 1, 0, 1, 0, 0];
    only("elements of equally long collections", property, &list.repeat(3), &[1, 0, 0].repeat(3));
}

#[test]
fn equal_values_go_down_though_a_key_is_equal_to_them() {
    let property = Empty
        .forall("map", |(), s| s.draw(vec(any::<u8>().zip(any::<u8>()))))
        .check(|(map, ())| !matches!(map[..], [(a, x), (b, y)] if a != b && x == y));
    let (given, ideal) = ([1, 0, 1, 1, 1, 1, 0], [1, 0, 0, 1, 1, 0, 0]);
    // Exchanged values would do the same here.
    assert_eq!(shrink(&property, &given, EXCHANGED).0, ideal);
    assert_ne!(shrink_without(&property, &given, &[EVERY, EXCHANGED, "equal numbers together"]).0, ideal);
}

/// The operations of a stack, simplest first: push a number, double the last one, or add the last two.
fn overflows(commands: &[(u64, u64)]) -> bool {
    let mut stack: Vec<u8> = Vec::new();
    for &(kind, number) in commands {
        match (kind, &stack[..]) {
            (0, _) => stack.push(number as u8),
            (1, &[.., last]) => stack.push(last),
            (2, &[.., a, b]) => match a.checked_add(b) {
                Some(sum) => stack.push(sum),
                None => return true,
            },
            _ => {}
        }
    }
    false
}

fn command(source: &mut Source) -> (u64, u64) {
    match source.choice(2) {
        0 => (0, source.choice(255)),
        kind => (kind, 0),
    }
}

#[test]
fn commands_are_replaced_by_shorter_ones() {
    let property = Empty.forall("commands", |(), s| s.draw(vec(from_fn(command)))).check(|(list, ())| !overflows(list));
    // Push 1, push 255, add: a push and its double need fewer choices, and another number.
    let (given, ideal) = ([1, 0, 1, 1, 0, 255, 1, 2, 0], [1, 0, 128, 1, 1, 1, 2, 0]);
    for pass in ["fewer commands", "shorter branches"] {
        assert_eq!(shrink(&property, &given, pass).0, ideal, "the other pass does it");
    }
    let neither = ["fewer commands", "shorter branches", EVERY];
    assert_ne!(shrink_without(&property, &given, &neither).0, ideal);
}

#[test]
fn numbers_are_lowered_past_values_that_a_filter_rejects() {
    let property = Empty
        .forall("n", |(), s| s.draw(any::<u32>().filter(|n| n.wrapping_mul(0x9e37_79b9) >> 28 == 7)))
        .check(|(n, ())| *n < 1000);
    let accepted = |n: &u32| n.wrapping_mul(0x9e37_79b9) >> 28 == 7;
    let (given, least) = ((70_000..).find(accepted).unwrap(), (1000..).find(accepted).unwrap());
    only("past rejected numbers", property, &[given.into()], &[least.into()]);
}

#[test]
fn numbers_of_one_sign_are_lowered_past_values_that_an_assumption_rejects() {
    let property = Empty
        .forall("n", |(), s| s.draw(any::<i32>()))
        .implies(|(n, ())| n % 10 == 7 || n % 10 == -7)
        .check(|(n, ())| *n > -500);
    only("past rejected numbers", property, &[(-99_997i32).encode().into()], &[(-507i32).encode().into()]);
}

#[test]
fn a_sum_is_kept_past_rejected_values() {
    let pair = || range(0..100u32).zip(range(0..100u32)).filter(|(a, b)| a + b == 99);
    let property = Empty.forall("pair", move |(), s| s.draw(pair())).check(|((a, _), ())| *a < 30);
    only("past rejected pairs", property, &[99, 0], &[30, 69]);
}

#[test]
fn discarded_draws_of_a_loop_are_removed() {
    let until = |s: &mut Source| {
        while !s.is_rejected() {
            let pair = (u8::arbitrary(s), u8::arbitrary(s));
            if pair.0 % 4 == 3 && pair.1 > 0 {
                return pair;
            }
        }
        (0, 0)
    };
    let property =
        Empty.forall("xs", move |(), s| s.draw(vec(from_fn(until)))).check(|(xs, ())| xs.iter().all(|x| x.0 < 50));
    only("discarded draws", property, &[1, 60, 1, 61, 1, 63, 5, 0], &[1, 51, 1, 0]);
}

#[test]
fn nothing_is_tried_when_nothing_is_rejected() {
    let property = Empty
        .forall("xs", |(), s| s.draw(vec(any::<i32>())))
        .check(|(xs, ())| xs.iter().map(|x| i64::from(*x)).sum::<i64>() < 1000);
    let (_, story) = shrink(&property, &[1, 7001, 1, 9001, 0], "");
    let tried =
        |name: &str| story.passes.iter().filter(|pass| pass.name.contains(name)).map(|pass| pass.tried).sum::<u64>();
    assert_eq!((story.rejected, tried("rejected")), (0, 0), "{story:?}");
}

#[test]
fn all_simpler_inputs_are_tried_if_there_are_few() {
    fn chain(source: &mut Source) -> Vec<u64> {
        source.span(12, |source| match source.choice(3) {
            0 => vec![0],
            kind => [vec![kind], chain(source)].concat(),
        })
    }
    // Nothing else leads from one to the other, except a lucky branch.
    let property = Empty
        .forall("chain", |(), s| chain(s))
        .check(|(chain, ())| *chain != [3, 3, 1, 1, 0] && *chain != [1, 3, 0] && *chain != [2, 2, 0]);
    let given = [3, 3, 1, 1, 0];
    assert_eq!(shrink_without(&property, &given, &[]).0, [1, 3, 0]);
    assert_eq!(shrink_without(&property, &given, &[EVERY, "simpler branches"]).0, given);
}

#[test]
fn the_ends_of_iterations_change_places() {
    let property = Empty
        .forall("names", |(), s| {
            let count = s.draw(0..=5usize);
            (0..count).map(|_| (s.draw(0..10u8), counted(s))).collect::<Vec<_>>()
        })
        .check(|(names, ())| {
            let [a, b] = &names[..] else { return true };
            a.0 >= b.0 || a.1.len() + b.1.len() != 2 || a.1 == b.1 || a.1.len() == 1
        });
    only_of_all(ENDS, property, &[2, 0, 2, 0, 0, 1, 0], &[2, 0, 0, 1, 2, 0, 0]);
}

#[test]
fn an_iteration_is_removed_although_later_ones_then_draw_less() {
    let property = Empty
        .forall("deep", |(), s| {
            let (mut depth, mut pushed) = (0, Vec::new());
            for _ in 0..s.draw(0..=9usize) {
                // The operation is only drawn if there is something to remove.
                if depth > 0 && s.draw(0..3u8) == 2 {
                    depth -= 1;
                } else {
                    depth += 1;
                    pushed.push(s.draw(0..100u8));
                }
            }
            pushed
        })
        .check(|(pushed, ())| !pushed.contains(&77));
    assert_eq!(shrink_without(&property, &[3, 5, 0, 6, 0, 77], &[EVERY, "runs of choices"]).0, [1, 77]);
}

#[test]
fn a_number_an_iteration_and_the_count_of_its_loop_go_down_together() {
    let property = Empty
        .forall("limit", |(), s| s.draw(0..10usize))
        .forall("list", |_, s| counted(s))
        .check(|(list, (limit, ()))| list.last() != Some(&7) || *limit != list.len());
    assert_eq!(shrink_without(&property, &[4, 4, 0, 0, 0, 7], &[EVERY]).0, [1, 1, 7]);
    assert_ne!(shrink_without(&property, &[4, 4, 0, 0, 0, 7], &[EVERY, AND_A_COUNT]).0, [1, 1, 7]);
}

#[test]
fn a_later_alternative_that_draws_less_is_simpler() {
    let property = Empty
        .forall("either", |(), s| if s.draw(0..2u8) == 0 { Some(s.draw(0..200u8)) } else { None })
        .forall("flag", |_, s| s.draw(0..100u8))
        .check(|(flag, _)| *flag < 50);
    only("shorter branches", property, &[0, 0, 50], &[1, 50]);
}
