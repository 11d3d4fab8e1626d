//! Properties of bit-vec: a bit vector behaves as a `Vec<bool>` does.

use bit_vec::BitVec;

fn bits(values: &[bool]) -> BitVec {
    values.iter().copied().collect()
}

/// Returns as many bits as the numbers ask for, so that they fill several blocks.
fn long(bytes: &[u8]) -> Vec<bool> {
    bytes.iter().flat_map(|byte| (0..8).map(move |at| byte >> at & 1 == 1)).collect()
}

fn same(bits: &BitVec, expected: &[bool]) {
    assert_eq!((bits.len(), bits.is_empty()), (expected.len(), expected.is_empty()));
    assert!(bits.eq_vec(expected), "{bits:?} {expected:?}");
    assert_eq!(bits.iter().collect::<Vec<_>>(), expected);
}

/// Combines two vectors of one length. Returns whether the operation reports a change, and whether there is one.
fn combined(a: &[u8], b: &[u8], own: fn(&mut BitVec, &BitVec) -> bool, model: fn(bool, bool) -> bool) -> (bool, bool) {
    let (mut left, mut right) = (long(a), long(b));
    let length = left.len().min(right.len());
    left.truncate(length);
    right.truncate(length);
    let mut result = bits(&left);
    let changed = own(&mut result, &bits(&right));
    let expected: Vec<bool> = left.iter().zip(&right).map(|(a, b)| model(*a, *b)).collect();
    same(&result, &expected);
    (changed, expected != left)
}

/// Checks that an operation says whether it changed a bit. Those that negate also count bits after the end, in 0.8.0.
fn reported((reported, changed): (bool, bool)) {
    assert_eq!(reported, changed);
}

crate::properties! {
    fn bits_are_pushed_and_popped(values: Vec<bool>, pops: u8) {
        let (mut own, mut model) = (BitVec::new(), Vec::new());
        for value in values {
            own.push(value);
            model.push(value);
        }
        same(&own, &model);
        for _ in 0..pops % 40 {
            assert_eq!(own.pop(), model.pop());
        }
        same(&own, &model);
    }

    fn bits_are_read_and_written(bytes: Vec<u8>, at: usize, value: bool) {
        let mut model = long(&bytes);
        let mut own = bits(&model);
        assert_eq!(own.get(at), model.get(at).copied());
        assert_eq!(own.get(model.len()), None);
        if !model.is_empty() {
            let at = at % model.len();
            assert_eq!((own.get(at), own[at]), (Some(model[at]), model[at]));
            own.set(at, value);
            model[at] = value;
            same(&own, &model);
        }
    }

    fn writing_beyond_the_end_panics(bytes: Vec<u8>, more: u8) {
        let mut own = bits(&long(&bytes));
        let at = own.len() + usize::from(more);
        assert!(std::panic::catch_unwind(move || own.set(at, true)).is_err());
    }

    fn a_vector_of_equal_bits_has_its_length(length: u8, value: bool) {
        same(&BitVec::from_elem(length.into(), value), &vec![value; length.into()]);
    }

    fn bytes_are_read_from_the_highest_bit(bytes: Vec<u8>) {
        let own = BitVec::from_bytes(&bytes);
        let expected: Vec<bool> = bytes.iter().flat_map(|byte| (0..8).rev().map(move |at| byte >> at & 1 == 1)).collect();
        same(&own, &expected);
        assert_eq!(own.to_bytes(), bytes);
    }

    fn the_last_byte_is_filled_with_zeros(values: Vec<bool>) {
        let byte = |part: &[bool]| part.iter().enumerate().fold(0u8, |byte, (at, bit)| byte | u8::from(*bit) << (7 - at));
        assert_eq!(bits(&values).to_bytes(), values.chunks(8).map(byte).collect::<Vec<_>>());
    }

    fn a_function_gives_each_bit(length: u8, odd: bool) {
        let expected: Vec<bool> = (0..usize::from(length)).map(|at| (at % 2 == 1) == odd).collect();
        same(&BitVec::from_fn(length.into(), |at| (at % 2 == 1) == odd), &expected);
    }

    fn and_takes_common_bits(a: Vec<u8>, b: Vec<u8>) { reported(combined(&a, &b, BitVec::and, |a, b| a & b)) }
    fn or_takes_all_bits(a: Vec<u8>, b: Vec<u8>) { reported(combined(&a, &b, BitVec::or, |a, b| a | b)) }
    fn xor_takes_different_bits(a: Vec<u8>, b: Vec<u8>) { reported(combined(&a, &b, BitVec::xor, |a, b| a ^ b)) }
    fn nand_is_not_and(a: Vec<u8>, b: Vec<u8>) { let _ = combined(&a, &b, BitVec::nand, |a, b| !(a & b)); }
    fn nor_is_not_or(a: Vec<u8>, b: Vec<u8>) { let _ = combined(&a, &b, BitVec::nor, |a, b| !(a | b)); }
    fn xnor_takes_equal_bits(a: Vec<u8>, b: Vec<u8>) { let _ = combined(&a, &b, BitVec::xnor, |a, b| a == b); }
    fn a_difference_removes_bits(a: Vec<u8>, b: Vec<u8>) { reported(combined(&a, &b, BitVec::difference, |a, b| a & !b)) }

    fn all_bits_are_set_cleared_and_negated(values: Vec<bool>) {
        let mut own = bits(&values);
        own.negate();
        same(&own, &values.iter().map(|value| !value).collect::<Vec<_>>());
        own.set_all();
        same(&own, &vec![true; values.len()]);
        assert!(own.all());
        own.clear();
        assert!(own.none() && !own.any());
    }

    fn bits_are_counted(bytes: Vec<u8>, extra: Vec<bool>) {
        let mut values = long(&bytes);
        values.extend(extra);
        let (own, ones) = (bits(&values), values.iter().filter(|value| **value).count());
        assert_eq!((own.count_ones(), own.count_zeros()), (ones as u64, (values.len() - ones) as u64));
        assert_eq!((own.all(), own.any(), own.none()), (ones == values.len(), ones > 0, ones == 0));
    }

    fn a_vector_is_truncated_and_grows(bytes: Vec<u8>, length: u8, more: u8, value: bool) {
        let mut model = long(&bytes);
        let mut own = bits(&model);
        own.truncate(length.into());
        model.truncate(length.into());
        same(&own, &model);
        own.grow(more.into(), value);
        model.resize(model.len() + usize::from(more), value);
        same(&own, &model);
        own.shrink_to_fit();
        same(&own, &model);
    }

    fn vectors_are_appended_and_split(a: Vec<u8>, b: Vec<bool>, at: usize) {
        let (mut left, mut right) = (bits(&long(&a)), bits(&b));
        left.append(&mut right);
        let mut model = long(&a);
        model.extend(&b);
        same(&left, &model);
        same(&right, &[]);
        let at = at % (model.len() + 1);
        let end = left.split_off(at);
        same(&end, &model.split_off(at));
        same(&left, &model);
    }

    fn bits_are_inserted(bytes: Vec<u8>, at: usize, value: bool) {
        let mut model = long(&bytes);
        let mut own = bits(&model);
        let at = at % (model.len() + 1);
        own.insert(at, value);
        model.insert(at, value);
        same(&own, &model);
    }

    fn vectors_compare_as_lists_do(a: Vec<bool>, b: Vec<bool>) {
        assert_eq!(bits(&a) == bits(&b), a == b);
        assert_eq!(bits(&a).cmp(&bits(&b)), a.cmp(&b));
    }

    fn a_vector_prints_its_bits(values: Vec<bool>) {
        let expected: String = values.iter().map(|value| if *value { '1' } else { '0' }).collect();
        assert_eq!(bits(&values).to_string(), expected);
    }

    fn capacities_are_as_asked(bytes: Vec<u8>, more: u8) {
        let mut own = bits(&long(&bytes));
        own.reserve(more.into());
        assert!(own.capacity() >= own.len() + usize::from(more));
        own.reserve_exact(more.into());
        assert!(own.capacity() >= own.len() + usize::from(more));
        same(&own, &long(&bytes));
    }
}
