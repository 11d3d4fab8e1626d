//! Sequences as bytes and text: exact, versioned, and safe to read from anywhere.

use forall::choice::{Choice, DecodeError, Item, Random, Sequence, Source};

/// A sequence with everything in it, from a random program of draws, spans and forks.
fn arbitrary_sequence(seed: u64) -> Sequence {
    let mut random = Random::from_key(seed);
    let mut source = Source::record(seed, 0, (seed % 200) as u32);
    fn program(source: &mut Source, random: &mut Random, depth: u32) {
        for _ in 0..random.up_to(6) {
            match random.up_to(5) {
                0 if depth > 0 => source.span(3, |source| program(source, random, depth - 1)),
                1 if depth > 0 => {
                    let mut fork = source.fork();
                    program(&mut fork, random, depth - 1);
                }
                2 => assert!(source.choice(0) == 0),
                _ => {
                    source.choice(random.word() >> random.up_to(63));
                }
            }
        }
    }
    program(&mut source, &mut random, 3);
    source.into_sequence()
}

#[test]
fn bytes_and_text_round_trip() {
    for seed in 0..2000 {
        let sequence = arbitrary_sequence(seed);
        let (from_bytes, shape) = Sequence::from_bytes(&sequence.to_bytes()).unwrap();
        let (from_text, text_shape) = Sequence::from_text(&sequence.to_text()).unwrap();
        assert_eq!(from_bytes, from_text);
        assert_eq!((shape, text_shape), (sequence.shape(), sequence.shape()));
        assert_eq!(from_bytes.size, sequence.size);
        let weights = |sequence: &Sequence| sequence.items.iter().map(Item::weight).collect::<Vec<_>>();
        assert_eq!(weights(&from_bytes), weights(&sequence));
    }
}

#[test]
fn any_bytes_decode_to_something_or_to_an_error() {
    let mut decoded = 0;
    for seed in 0..20_000 {
        let mut random = Random::from_key(seed);
        let mut bytes: Vec<u8> = (0..random.up_to(40)).map(|_| random.word() as u8 >> random.up_to(7)).collect();
        if let Some(version) = bytes.first_mut() {
            *version = 2;
        }
        decoded += u32::from(Sequence::from_bytes(&bytes).is_ok());
    }
    assert!(decoded > 1000, "most inputs should get past the header: {decoded}");
}

#[test]
fn damaged_bytes_replay_without_panicking() {
    for seed in 0..2000 {
        let mut random = Random::from_key(seed);
        let mut bytes = arbitrary_sequence(seed).to_bytes();
        let at = random.up_to(bytes.len() as u64 - 1) as usize;
        bytes[at] ^= 1 << random.up_to(7);
        bytes.truncate(bytes.len() - random.up_to(2) as usize);
        if let Ok((sequence, _)) = Sequence::from_bytes(&bytes) {
            let mut source = Source::replay(&sequence);
            for _ in 0..20 {
                let mut fork = source.fork();
                assert!(source.choice(9) <= 9);
                assert!(fork.choice(4) <= 4);
            }
        }
    }
}

#[test]
fn a_text_with_an_invalid_character_is_rejected() {
    let text = arbitrary_sequence(17).to_text();
    for at in 2..text.len() {
        let mut damaged = text.clone().into_bytes();
        damaged[at] = if damaged[at] == b'A' { b'B' } else { b'A' };
        let damaged = String::from_utf8(damaged).unwrap();
        assert!(Sequence::from_text(&damaged).is_err(), "{damaged} was taken for {text}");
    }
    let (at, letter) = (text.len() / 2, "é");
    let foreign = format!("{}{letter}{}", &text[..at], &text[at..]);
    assert_eq!(Sequence::from_text(&foreign), Err(DecodeError::Character('é', at)));
}

#[test]
fn a_truncated_text_is_rejected() {
    let text = arbitrary_sequence(17).to_text();
    for end in 0..text.len() {
        assert!(Sequence::from_text(&text[..end]).is_err(), "{} was taken", &text[..end]);
    }
    assert!(Sequence::from_text(&format!("  {text}\n")).is_ok(), "white space around it does no harm");
}

#[test]
fn forks_that_reach_beyond_their_parents_are_rejected() {
    let sequence = Sequence {
        size: 0,
        items: vec![
            Item::Fork { len: 1 },
            Item::Fork { len: 5 },
            Item::Choice(Choice { value: 0, max: 0 }),
            Item::Choice(Choice { value: 0, max: 0 }),
        ],
        spans: Vec::new(),
    };
    assert_eq!(Sequence::from_bytes(&sequence.to_bytes()), Err(DecodeError::Malformed));
}

#[test]
fn numbers_that_do_not_fit_are_rejected() {
    let header = [2, 10, 0, 0, 0, 0, 0, 0, 0, 0];
    let with = |tail: &[u8]| Sequence::from_bytes(&[&header[..], tail].concat());
    let largest = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x03];
    assert_eq!(with(&largest).unwrap().0.values().collect::<Vec<_>>(), [u64::MAX]);
    let one_more = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x04];
    assert_eq!(with(&one_more), Err(DecodeError::Malformed));
    assert_eq!(with(&[0xff; 40]), Err(DecodeError::Malformed));
    assert_eq!(with(&[0xff]), Err(DecodeError::CutOff));
}

#[test]
fn other_versions_are_named() {
    assert_eq!(Sequence::from_bytes(&[7, 0]), Err(DecodeError::Version(7)));
    assert_eq!(Sequence::from_text("7-AAAA"), Err(DecodeError::Version(7)));
    assert_eq!(Sequence::from_bytes(&[1, 0]), Err(DecodeError::Version(1)));
    assert_eq!(Sequence::from_text("hello"), Err(DecodeError::NoVersion));
    assert_eq!(Sequence::from_text("one-two"), Err(DecodeError::NoVersion));
}

#[test]
fn shorter_is_simpler_then_smaller_from_the_left() {
    let ordered = [&[][..], &[0], &[9], &[0, 0], &[0, 1], &[1, 0], &[0, 0, 0]];
    let sequences: Vec<_> = ordered.iter().map(|values| Sequence::from_values(5, values)).collect();
    assert!(sequences.is_sorted());
    assert_eq!(sequences[3].cmp(&sequences[3].clone()), std::cmp::Ordering::Equal);
}
