//! Platforms without isolation: isolated runs are rejected.

use crate::fact::Fact;
use crate::run::Settings;
use crate::run::elsewhere::{Begun, Lent};
use crate::run::protocol::Asked;

pub(super) fn is_offered(_: &Asked) -> bool {
    false
}

pub(super) fn begin<'a>(_: &Lent<'a, '_>, is_sensible: bool, settings: &Settings, _: u64) -> Begun<'a> {
    match is_sensible && settings.isolates() {
        true => Begun::Refused(Fact::IsolationNeedsLinux),
        false => Begun::Here(None),
    }
}
