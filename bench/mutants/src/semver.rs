//! Properties of semver: versions and requirements round-trip through their text, and order and matching follow the
//! specification.

use semver::{BuildMetadata, Comparator, Op, Prerelease, Version, VersionReq};
use std::cmp::Ordering;

/// Returns an identifier of a pre-release from any bytes: letters, digits and hyphens between dots.
fn identifier(bytes: &[u8]) -> String {
    let part = |part: &[u8]| -> String {
        let text: String =
            part.iter().map(|byte| char::from(b"0123456789abcdzABZ-"[usize::from(*byte) % 19])).collect();
        match text.parse::<u64>() {
            Ok(number) => number.to_string(),
            Err(_) if text.is_empty() || text.bytes().all(|byte| byte.is_ascii_digit()) => "x".to_owned(),
            Err(_) => text,
        }
    };
    bytes.chunks(3).map(part).collect::<Vec<_>>().join(".")
}

fn version(major: u64, minor: u64, patch: u64, pre: &[u8]) -> Version {
    let mut version = Version::new(major, minor, patch);
    version.pre = Prerelease::new(&identifier(pre)).expect("it is an identifier");
    version
}

fn op(number: u8) -> Op {
    [Op::Exact, Op::Greater, Op::GreaterEq, Op::Less, Op::LessEq, Op::Tilde, Op::Caret, Op::Wildcard]
        [usize::from(number) % 8]
}

/// Returns the order of two pre-releases that are not empty, as the specification defines it.
fn precedence(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.split('.'), b.split('.'));
    loop {
        let order = match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(left), Some(right)) => match (left.parse::<u64>(), right.parse::<u64>()) {
                (Ok(left), Ok(right)) => left.cmp(&right),
                (Ok(_), Err(_)) => Ordering::Less,
                (Err(_), Ok(_)) => Ordering::Greater,
                (Err(_), Err(_)) => left.cmp(right),
            },
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

crate::properties! {
    fn a_version_is_parsed_as_it_is_printed(major: u64, minor: u64, patch: u64, pre: Vec<u8>, build: Vec<u8>) {
        let mut version = version(major, minor, patch, &pre);
        version.build = BuildMetadata::new(&identifier(&build)).unwrap();
        assert_eq!(Version::parse(&version.to_string()).unwrap(), version);
    }

    fn the_text_of_a_version_has_its_parts(major: u64, minor: u64, patch: u64, pre: Vec<u8>) {
        let text = version(major, minor, patch, &pre).to_string();
        let pre = identifier(&pre);
        let end = if pre.is_empty() { String::new() } else { format!("-{pre}") };
        assert_eq!(text, format!("{major}.{minor}.{patch}{end}"));
    }

    fn parsing_any_text_does_not_panic(text: String) {
        if let Ok(version) = Version::parse(&text) {
            assert_eq!(version.to_string(), text);
        }
        if let Ok(requirement) = VersionReq::parse(&text) {
            assert_eq!(VersionReq::parse(&requirement.to_string()).unwrap(), requirement);
        }
    }

    fn a_leading_zero_is_an_error(major: u32, minor: u32) {
        assert!(Version::parse(&format!("0{major}.{minor}.0")).is_err());
        assert!(Version::parse(&format!("{major}.0{minor}.0")).is_err());
    }

    fn a_version_needs_three_parts(major: u32, minor: u32) {
        assert!(Version::parse(&format!("{major}.{minor}")).is_err());
        assert!(Version::parse(&format!("{major}.{minor}.")).is_err());
        assert!(Version::parse(&format!("{major}.{minor}.1.2")).is_err());
    }

    fn numbers_beyond_64_bits_are_errors(more: u32) {
        let text = (u128::from(u64::MAX) + u128::from(more) + 1).to_string();
        assert!(Version::parse(&format!("{text}.0.0")).is_err());
        assert!(Version::parse(&format!("{}.0.0", u64::MAX)).is_ok());
    }

    fn numbers_come_before_pre_releases(a: (u8, u8, u8), b: (u8, u8, u8)) {
        let of = |(major, minor, patch): (u8, u8, u8)| Version::new(major.into(), minor.into(), patch.into());
        assert_eq!(of(a).cmp(&of(b)), a.cmp(&b));
        assert_eq!(of(a) == of(b), a == b);
    }

    fn pre_releases_are_ordered_as_specified(a: Vec<u8>, b: Vec<u8>) {
        let (left, right) = (identifier(&a), identifier(&b));
        let order = Prerelease::new(&left).unwrap().cmp(&Prerelease::new(&right).unwrap());
        let expected = match (left.is_empty(), right.is_empty()) {
            (false, false) => precedence(&left, &right),
            (left, right) => left.cmp(&right),
        };
        assert_eq!(order, expected, "{left:?} {right:?}");
    }

    fn a_pre_release_comes_before_its_release(numbers: (u8, u8, u8), pre: Vec<u8>) {
        let (major, minor, patch) = numbers;
        let early = version(major.into(), minor.into(), patch.into(), &pre);
        let release = Version::new(major.into(), minor.into(), patch.into());
        assert_eq!(early < release, !early.pre.is_empty());
    }

    fn build_metadata_does_not_count_for_precedence(build: Vec<u8>, other: Vec<u8>) {
        let of = |bytes: &[u8]| {
            let mut version = Version::new(1, 2, 3);
            version.build = BuildMetadata::new(&identifier(bytes)).unwrap();
            version
        };
        assert_eq!(of(&build).cmp_precedence(&of(&other)), Ordering::Equal);
        assert_eq!(of(&build).cmp(&of(&other)) == Ordering::Equal, of(&build) == of(&other));
    }

    fn identifiers_keep_their_text(bytes: Vec<u8>) {
        let text = identifier(&bytes);
        let pre = Prerelease::new(&text).unwrap();
        assert_eq!((pre.as_str(), pre.is_empty()), (&*text, text.is_empty()));
        assert_eq!(pre.clone(), pre);
        assert_eq!(BuildMetadata::new(&text).unwrap().as_str(), text);
    }

    fn identifiers_with_other_characters_are_errors(before: Vec<u8>, other: char) {
        let is_allowed = other.is_ascii_alphanumeric() || other == '-' || other == '.';
        let text = format!("{}x{other}x", identifier(&before).replace('.', "a"));
        assert_eq!(Prerelease::new(&text).is_ok(), is_allowed, "{text:?}");
    }

    fn a_requirement_is_parsed_as_it_is_printed(parts: Vec<(u8, u8, Option<u8>, Option<u8>)>) {
        let comparator = |&(number, major, minor, patch): &(u8, u8, Option<u8>, Option<u8>)| {
            let op = op(number);
            let minor = minor.filter(|_| op != Op::Wildcard || patch.is_some());
            let patch = minor.and(patch).filter(|_| op != Op::Wildcard);
            let of = |part: Option<u8>| part.map(u64::from);
            Comparator { op, major: major.into(), minor: of(minor), patch: of(patch), pre: Prerelease::EMPTY }
        };
        let requirement = VersionReq { comparators: parts.iter().take(32).map(comparator).collect() };
        if requirement != VersionReq::STAR {
            assert_eq!(VersionReq::parse(&requirement.to_string()).unwrap(), requirement, "{requirement}");
        }
    }

    fn exact_requirements_match_one_version(a: (u8, u8, u8), b: (u8, u8, u8)) {
        let requirement = VersionReq::parse(&format!("={}.{}.{}", a.0, a.1, a.2)).unwrap();
        assert_eq!(requirement.matches(&Version::new(b.0.into(), b.1.into(), b.2.into())), a == b);
    }

    fn caret_requirements_keep_the_first_number_that_is_not_zero(a: (u8, u8, u8), b: (u8, u8, u8)) {
        let (a, b) = ((a.0 % 3, a.1 % 3, a.2 % 3), (b.0 % 3, b.1 % 3, b.2 % 3));
        let requirement = VersionReq::parse(&format!("^{}.{}.{}", a.0, a.1, a.2)).unwrap();
        let same = match a {
            (0, 0, _) => a == b,
            (0, ..) => (a.0, a.1) == (b.0, b.1),
            _ => a.0 == b.0,
        };
        assert_eq!(requirement.matches(&Version::new(b.0.into(), b.1.into(), b.2.into())), b >= a && same);
    }

    fn short_caret_requirements_match_from_their_start(major: u8, minor: u8, b: (u8, u8, u8)) {
        let (major, minor, b) = (major % 3, minor % 3, (b.0 % 3, b.1 % 3, b.2 % 3));
        let version = Version::new(b.0.into(), b.1.into(), b.2.into());
        assert_eq!(VersionReq::parse(&format!("^{major}")).unwrap().matches(&version), b.0 == major);
        let expected = b.0 == major && if major == 0 { b.1 == minor } else { b.1 >= minor };
        assert_eq!(VersionReq::parse(&format!("^{major}.{minor}")).unwrap().matches(&version), expected);
    }

    fn tilde_requirements_keep_the_minor_number(a: (u8, u8, u8), b: (u8, u8, u8)) {
        let (a, b) = ((a.0 % 3, a.1 % 3, a.2 % 3), (b.0 % 3, b.1 % 3, b.2 % 3));
        let version = Version::new(b.0.into(), b.1.into(), b.2.into());
        let whole = VersionReq::parse(&format!("~{}.{}.{}", a.0, a.1, a.2)).unwrap();
        assert_eq!(whole.matches(&version), (a.0, a.1) == (b.0, b.1) && b.2 >= a.2);
        assert_eq!(VersionReq::parse(&format!("~{}.{}", a.0, a.1)).unwrap().matches(&version), (a.0, a.1) == (b.0, b.1));
        assert_eq!(VersionReq::parse(&format!("~{}", a.0)).unwrap().matches(&version), a.0 == b.0);
    }

    fn comparisons_follow_the_order(a: (u8, u8, u8), b: (u8, u8, u8)) {
        let (a, b) = ((a.0 % 3, a.1 % 3, a.2 % 3), (b.0 % 3, b.1 % 3, b.2 % 3));
        let version = Version::new(b.0.into(), b.1.into(), b.2.into());
        let matches = |op: &str| VersionReq::parse(&format!("{op}{}.{}.{}", a.0, a.1, a.2)).unwrap().matches(&version);
        assert_eq!((matches(">"), matches(">="), matches("<"), matches("<=")), (b > a, b >= a, b < a, b <= a));
    }

    fn short_comparisons_ignore_missing_parts(a: (u8, u8), b: (u8, u8, u8)) {
        let (a, b) = ((a.0 % 3, a.1 % 3), (b.0 % 3, b.1 % 3, b.2 % 3));
        let version = Version::new(b.0.into(), b.1.into(), b.2.into());
        let matches = |op: &str| VersionReq::parse(&format!("{op}{}.{}", a.0, a.1)).unwrap().matches(&version);
        let short = (b.0, b.1);
        assert_eq!((matches(">"), matches(">="), matches("<"), matches("<=")), (short > a, short >= a, short < a, short <= a));
        let major = |op: &str| VersionReq::parse(&format!("{op}{}", a.0)).unwrap().matches(&version);
        assert_eq!((major(">"), major(">="), major("<"), major("<=")), (b.0 > a.0, b.0 >= a.0, b.0 < a.0, b.0 <= a.0));
        assert_eq!(major("="), b.0 == a.0);
    }

    fn wildcards_match_omitted_components(a: (u8, u8), b: (u8, u8, u8)) {
        let (a, b) = ((a.0 % 3, a.1 % 3), (b.0 % 3, b.1 % 3, b.2 % 3));
        let version = Version::new(b.0.into(), b.1.into(), b.2.into());
        for star in ["*", "x", "X"] {
            assert_eq!(VersionReq::parse(&format!("{}.{star}", a.0)).unwrap().matches(&version), a.0 == b.0);
            assert_eq!(VersionReq::parse(&format!("{}.{}.{star}", a.0, a.1)).unwrap().matches(&version), a == (b.0, b.1));
            assert!(VersionReq::parse(star).unwrap().matches(&version));
        }
    }

    fn all_comparators_must_match(low: (u8, u8, u8), high: (u8, u8, u8), b: (u8, u8, u8)) {
        let text = format!(">={}.{}.{}, <{}.{}.{}", low.0, low.1, low.2, high.0, high.1, high.2);
        let matches = VersionReq::parse(&text).unwrap().matches(&Version::new(b.0.into(), b.1.into(), b.2.into()));
        assert_eq!(matches, b >= low && b < high);
    }

    fn pre_releases_match_only_if_named(a: (u8, u8, u8), pre: Vec<u8>, other: Vec<u8>) {
        let (pre, other) = (identifier(&pre), identifier(&other));
        let (major, minor, patch) = a;
        if !pre.is_empty() && !other.is_empty() {
            let requirement = VersionReq::parse(&format!(">={major}.{minor}.{patch}-{pre}")).unwrap();
            let mut version = Version::new(major.into(), minor.into(), patch.into());
            version.pre = Prerelease::new(&other).unwrap();
            assert_eq!(requirement.matches(&version), precedence(&other, &pre) != Ordering::Less);
            let star = VersionReq::STAR.matches(&version);
            version.patch += 1;
            assert!(!star && !requirement.matches(&version), "no comparator has a pre-release of this version");
        }
    }

    fn spaces_do_not_change_a_requirement(a: (u8, u8, u8), spaces: u8) {
        let space = " ".repeat(usize::from(spaces % 4));
        let text = format!("{space}>={space}{}.{}.{}{space},{space}<9{space}", a.0, a.1, a.2);
        assert_eq!(VersionReq::parse(&text).unwrap(), VersionReq::parse(&text.replace(' ', "")).unwrap());
    }
}
