//! Which protections a backend claims, and which of them were seen.

use backends::protection::{State, Support};
use reports::verdict::Promise;

/// A row for each protection, in the order of protections.
pub(super) fn promises(support: &Support) -> Vec<Promise> {
    let mut promises: Vec<Promise> = support
        .protections
        .iter()
        .map(|seen| Promise { protection: seen.protection, active: seen.state == State::Active })
        .collect();
    promises.sort_unstable_by_key(|promise| promise.protection);
    promises
}

#[cfg(test)]
mod tests {
    use super::*;
    use backends::protection::{Protection, Seen};

    #[test]
    fn each_protection_is_told_once_in_order_and_only_what_was_seen_is_active() {
        let seen = |protection, state| Seen { protection, state };
        let support = Support {
            protections: vec![
                seen(Protection::Network, State::Active),
                seen(Protection::FileRead, State::Unavailable("no Landlock".to_owned())),
                seen(Protection::Spawn, State::Active),
            ],
        };
        let told: Vec<_> =
            promises(&support).iter().map(|one| (one.protection, one.active)).collect();
        assert_eq!(
            told,
            [(Protection::FileRead, false), (Protection::Spawn, true), (Protection::Network, true),]
        );
    }
}
