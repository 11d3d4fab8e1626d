//! Properties of smallvec: a small vector behaves as `Vec` does.

use smallvec::SmallVec;

type Small = SmallVec<[u8; 4]>;

fn small(values: &[u8]) -> Small {
    Small::from_slice(values)
}

/// Checks that both vectors have the same elements.
fn same(small: &Small, expected: &[u8]) {
    assert_eq!((small.as_slice(), small.len(), small.is_empty()), (expected, expected.len(), expected.is_empty()));
    assert!(small.capacity() >= small.len());
}

crate::properties! {
    fn elements_are_pushed_and_popped(values: Vec<u8>, pops: u8) {
        let (mut own, mut model) = (Small::new(), Vec::new());
        for value in &values {
            own.push(*value);
            model.push(*value);
            same(&own, &model);
        }
        for _ in 0..pops % 16 {
            assert_eq!(own.pop(), model.pop());
            same(&own, &model);
        }
    }

    fn short_vectors_are_inline(values: Vec<u8>) {
        assert_eq!(small(&values).spilled(), values.len() > 4);
        assert_eq!(Small::from_vec(values.clone()).into_vec(), values);
        assert_eq!(small(&values).inline_size(), 4);
    }

    fn elements_are_inserted(values: Vec<u8>, at: usize, value: u8) {
        let (mut own, mut model) = (small(&values), values.clone());
        let at = at % (values.len() + 1);
        own.insert(at, value);
        model.insert(at, value);
        same(&own, &model);
    }

    fn elements_are_removed(values: Vec<u8>, at: usize, is_swapped: bool) {
        if !values.is_empty() {
            let (mut own, mut model) = (small(&values), values.clone());
            let at = at % values.len();
            if is_swapped {
                assert_eq!(own.swap_remove(at), model.swap_remove(at));
            } else {
                assert_eq!(own.remove(at), model.remove(at));
            }
            same(&own, &model);
        }
    }

    fn inserting_beyond_the_end_panics(values: Vec<u8>, more: u8) {
        let mut own = small(&values);
        let at = values.len() + 1 + usize::from(more);
        assert!(std::panic::catch_unwind(move || own.insert(at, 0)).is_err());
    }

    fn removing_beyond_the_end_panics(values: Vec<u8>, more: u8) {
        let mut own = small(&values);
        let at = values.len() + usize::from(more);
        assert!(std::panic::catch_unwind(move || own.remove(at)).is_err());
    }

    fn slices_are_inserted(values: Vec<u8>, at: usize, more: Vec<u8>) {
        let (mut own, mut model) = (small(&values), values.clone());
        let at = at % (values.len() + 1);
        own.insert_from_slice(at, &more);
        model.splice(at..at, more.iter().copied());
        same(&own, &model);
    }

    fn iterators_are_inserted(values: Vec<u8>, at: usize, more: Vec<u8>) {
        let (mut own, mut model) = (small(&values), values.clone());
        let at = at % (values.len() + 1);
        own.insert_many(at, more.iter().copied());
        model.splice(at..at, more.iter().copied());
        same(&own, &model);
        let (mut own, mut model) = (small(&values), values.clone());
        // An iterator that does not know its length.
        own.insert_many(at, more.iter().copied().filter(|value| value % 2 == 0));
        model.splice(at..at, more.iter().copied().filter(|value| value % 2 == 0));
        same(&own, &model);
    }

    fn slices_and_iterators_are_appended(values: Vec<u8>, more: Vec<u8>) {
        let expected: Vec<u8> = values.iter().chain(&more).copied().collect();
        let mut own = small(&values);
        own.extend_from_slice(&more);
        same(&own, &expected);
        let mut own = small(&values);
        own.extend(more.iter().copied());
        same(&own, &expected);
        let (mut own, mut other) = (small(&values), small(&more));
        own.append(&mut other);
        same(&own, &expected);
        same(&other, &[]);
    }

    fn a_vector_is_truncated(values: Vec<u8>, length: u8) {
        let (mut own, mut model) = (small(&values), values.clone());
        own.truncate(usize::from(length % 16));
        model.truncate(usize::from(length % 16));
        same(&own, &model);
        own.clear();
        same(&own, &[]);
    }

    fn a_vector_is_resized(values: Vec<u8>, length: u8, value: u8) {
        let (mut own, mut model) = (small(&values), values.clone());
        own.resize(usize::from(length % 16), value);
        model.resize(usize::from(length % 16), value);
        same(&own, &model);
        let mut own = small(&values);
        own.resize_with(usize::from(length % 16), || value);
        same(&own, &model);
    }

    fn elements_are_drained(values: Vec<u8>, from: usize, to: usize) {
        let (mut own, mut model) = (small(&values), values.clone());
        let from = from % (values.len() + 1);
        let to = from + to % (values.len() - from + 1);
        let drained: Vec<u8> = own.drain(from..to).collect();
        assert_eq!(drained, model.drain(from..to).collect::<Vec<_>>());
        same(&own, &model);
    }

    fn drained_elements_come_from_both_ends(values: Vec<u8>, from: usize) {
        let (mut own, mut model) = (small(&values), values.clone());
        let from = from % (values.len() + 1);
        let drained: Vec<u8> = own.drain(from..).rev().collect();
        assert_eq!(drained, model.drain(from..).rev().collect::<Vec<_>>());
        same(&own, &model);
    }

    fn elements_are_retained(values: Vec<u8>, parity: u8) {
        let (mut own, mut model) = (small(&values), values.clone());
        own.retain(|value| *value % 2 == parity % 2);
        model.retain(|value| *value % 2 == parity % 2);
        same(&own, &model);
    }

    fn duplicates_are_removed(values: Vec<u8>) {
        let values: Vec<u8> = values.iter().map(|value| value % 4).collect();
        let (mut own, mut model) = (small(&values), values.clone());
        own.dedup();
        model.dedup();
        same(&own, &model);
        let (mut own, mut model) = (small(&values), values);
        own.dedup_by_key(|value| *value / 2);
        model.dedup_by_key(|value| *value / 2);
        same(&own, &model);
    }

    fn capacities_grow_as_asked_and_shrink(values: Vec<u8>, more: u8) {
        let mut own = small(&values);
        own.reserve(more.into());
        assert!(own.capacity() >= values.len() + usize::from(more));
        same(&own, &values);
        own.shrink_to_fit();
        assert!(own.capacity() == values.len().max(4));
        own.reserve_exact(more.into());
        assert_eq!(own.capacity(), (values.len() + usize::from(more)).max(values.len().max(4)));
        own.grow(values.len() + usize::from(more));
        same(&own, &values);
        assert_eq!(Small::with_capacity(more.into()).capacity(), usize::from(more).max(4));
    }

    fn conversions_keep_the_elements(values: Vec<u8>) {
        assert_eq!(small(&values).into_vec(), values);
        assert_eq!(small(&values).into_boxed_slice().into_vec(), values);
        assert_eq!(values.iter().copied().collect::<Small>().as_slice(), &*values);
        assert_eq!(Small::from(&*values), small(&values));
        assert_eq!(small(&values).clone(), small(&values));
        assert_eq!(small(&values).into_inner().is_ok(), values.len() == 4);
    }

    fn iterators_yield_the_elements_once(values: Vec<u8>, taken: u8) {
        let mut own = small(&values).into_iter();
        let mut model = values.clone().into_iter();
        for at in 0..taken % 16 {
            let next = if at % 3 == 0 { (own.next_back(), model.next_back()) } else { (own.next(), model.next()) };
            assert_eq!(next.0, next.1);
        }
        assert_eq!((own.as_slice(), own.size_hint()), (model.as_slice(), model.size_hint()));
        assert_eq!(own.clone().collect::<Vec<_>>(), model.collect::<Vec<_>>());
    }

    fn vectors_compare_as_slices_do(a: Vec<u8>, b: Vec<u8>) {
        assert_eq!(small(&a) == small(&b), a == b);
        assert_eq!(small(&a).cmp(&small(&b)), a.cmp(&b));
        assert_eq!(small(&a).partial_cmp(&small(&b)), a.partial_cmp(&b));
        assert_eq!(format!("{:?}", small(&a)), format!("{a:?}"));
    }
}
