//! The exit codes of `certify` and `probe`, and which one a verdict has.

use crate::record::{Bar, Outcome, UsefulOutcome};
use crate::verdict::{BackendVerdict, Verdict};
use backends::tier::Tier;

/// How a run ends. The worst of its backends decides, and a proof is worse than a doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The expected tier is earned, or nothing was expected and nothing got out.
    Earned,
    /// An escape got out, or the expected tier is not earned.
    NotEarned,
    /// The command line is wrong.
    Usage,
    /// Nothing is shown either way: inconclusive trials, a filtered run, or no such backend here.
    Inconclusive,
}

impl Exit {
    /// The code that the process ends with.
    pub fn code(self) -> u8 {
        match self {
            Self::Earned => 0,
            Self::NotEarned => 1,
            Self::Usage => 2,
            Self::Inconclusive => 3,
        }
    }
}

/// How a run with this verdict ends. Where a tier is expected, every backend must have earned it;
/// where none is, nothing may have got out and everything must have been shown.
pub fn exit(verdict: &Verdict, expected: Option<Tier>) -> Exit {
    let ends: Vec<Exit> =
        verdict.backends.iter().map(|backend| backend_exit(backend, expected)).collect();
    if ends.contains(&Exit::NotEarned) {
        Exit::NotEarned
    } else if ends.is_empty() || ends.contains(&Exit::Inconclusive) {
        Exit::Inconclusive
    } else {
        Exit::Earned
    }
}

fn backend_exit(backend: &BackendVerdict, expected: Option<Tier>) -> Exit {
    let Some(expected) = expected else { return unexpected(backend) };
    if backend.tier.is_some_and(|tier| tier >= expected) {
        return limits_exit(backend);
    }
    let shown = backend.stands_in_the_way.iter().any(|obstacle| obstacle.why.is_proof());
    if shown || got_out(backend) { Exit::NotEarned } else { Exit::Inconclusive }
}

/// No tier rests on the limits, but a promise to keep them that is broken is no success.
fn limits_exit(backend: &BackendVerdict) -> Exit {
    let limits = &backend.kept_limits;
    if !limits.promised {
        Exit::Earned
    } else if !limits.exceeded.is_empty() {
        Exit::NotEarned
    } else if !limits.inconclusive.is_empty() {
        Exit::Inconclusive
    } else {
        Exit::Earned
    }
}

fn unexpected(backend: &BackendVerdict) -> Exit {
    if got_out(backend) {
        return Exit::NotEarned;
    }
    let open =
        backend.cells.iter().any(|cell| matches!(cell.outcome, Outcome::Inconclusive { .. }))
            || backend
                .useful
                .iter()
                .any(|case| matches!(case.outcome, UsefulOutcome::Inconclusive { .. }));
    if open || !backend.available { Exit::Inconclusive } else { Exit::Earned }
}

/// Whether, with the hook off, an escape got out that neither the backend nor the rung allows, a limit
/// was exceeded that the backend promises to keep, or useful work is broken.
fn got_out(backend: &BackendVerdict) -> bool {
    backend.cells.iter().any(|cell| {
        !cell.hook && cell.bar == Bar::S1 && matches!(cell.outcome, Outcome::Escaped { .. })
    }) || limits_exit(backend) == Exit::NotEarned
        || backend
            .useful
            .iter()
            .any(|case| !case.hook && matches!(case.outcome, UsefulOutcome::Broken { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use crate::verdict::Why;

    /// The end of a sample run after its first backend was changed.
    fn end(expected: Option<Tier>, change: impl FnOnce(&mut BackendVerdict)) -> Exit {
        let mut verdict = sample::verdict();
        assert_eq!(exit(&verdict, expected), Exit::Earned);
        change(&mut verdict.backends[0]);
        exit(&verdict, expected)
    }

    fn lowered(backend: &mut BackendVerdict, why: Why) {
        backend.tier = Some(Tier::S0);
        backend.stands_in_the_way = vec![sample::obstacle("fs-read/open", why)];
    }

    #[test]
    fn the_codes_are_those_that_are_documented() {
        let codes =
            [Exit::Earned, Exit::NotEarned, Exit::Usage, Exit::Inconclusive].map(Exit::code);
        assert_eq!(codes, [0, 1, 2, 3]);
    }

    #[test]
    fn a_lower_tier_is_a_failure_where_something_is_shown_and_open_where_nothing_is() {
        let s1 = Some(Tier::S1);
        for why in [Why::Escaped, Why::Residue, Why::Broken, Why::Unprotected, Why::NoMechanism] {
            assert_eq!(end(s1, |backend| lowered(backend, why)), Exit::NotEarned);
        }
        for why in [Why::Inconclusive, Why::NothingHeld, Why::NothingPlanned] {
            assert_eq!(end(s1, |backend| lowered(backend, why)), Exit::Inconclusive);
        }
    }

    #[test]
    fn a_lower_expectation_is_met_by_a_lower_tier() {
        assert_eq!(end(Some(Tier::S0), |backend| lowered(backend, Why::Escaped)), Exit::Earned);
    }

    #[test]
    fn a_filtered_run_and_a_missing_backend_earn_no_tier() {
        for why in [Why::Filtered, Why::Unavailable] {
            let not_judged = |backend: &mut BackendVerdict| {
                lowered(backend, why);
                backend.tier = None;
            };
            assert_eq!(end(Some(Tier::S1), not_judged), Exit::Inconclusive);
            assert_eq!(end(Some(Tier::S0), not_judged), Exit::Inconclusive);
        }
        assert_eq!(end(None, |backend| backend.available = false), Exit::Inconclusive);
    }

    #[test]
    fn an_escape_of_a_filtered_run_is_told_although_no_tier_is_judged() {
        let escaped = |backend: &mut BackendVerdict| {
            backend.tier = None;
            backend.cells[0].outcome = sample::escaped();
        };
        assert_eq!(end(Some(Tier::S1), escaped), Exit::NotEarned);
        assert_eq!(end(None, escaped), Exit::NotEarned);
    }

    #[test]
    fn without_an_expectation_nothing_may_get_out_and_nothing_may_be_open() {
        assert_eq!(
            end(None, |backend| backend.cells[0].outcome = sample::inconclusive()),
            Exit::Inconclusive
        );
        assert_eq!(
            end(None, |backend| {
                backend.cells[0].outcome = sample::inconclusive();
                backend.cells[1].outcome = sample::escaped();
            }),
            Exit::NotEarned
        );
        assert_eq!(
            end(None, |backend| backend.useful[0].outcome = sample::broken()),
            Exit::NotEarned
        );
        assert_eq!(end(None, |backend| backend.cells[0].outcome = sample::stale()), Exit::Earned);
    }

    #[test]
    fn what_the_rung_allows_and_the_hook_column_decide_no_end() {
        let allowed = |backend: &mut BackendVerdict| {
            backend.cells[0].outcome = sample::escaped();
            backend.cells[0].bar = Bar::Residue;
        };
        let hooked = |backend: &mut BackendVerdict| {
            backend.cells[0].outcome = sample::escaped();
            backend.cells[0].hook = true;
        };
        for expected in [None, Some(Tier::S1)] {
            assert_eq!(end(expected, allowed), Exit::Earned);
            assert_eq!(end(expected, hooked), Exit::Earned);
        }
        let open = |backend: &mut BackendVerdict| {
            lowered(backend, Why::Inconclusive);
            allowed(backend);
        };
        assert_eq!(end(Some(Tier::S1), open), Exit::Inconclusive);
    }

    #[test]
    fn a_limit_decides_the_end_where_it_was_promised_and_never_the_tier() {
        let named = || std::collections::BTreeSet::from(["resource/sleep (native)".to_owned()]);
        for expected in [None, Some(Tier::S0), Some(Tier::S1)] {
            let exceeded = |promised| {
                end(expected, |backend| {
                    backend.kept_limits.promised = promised;
                    backend.kept_limits.exceeded = named();
                })
            };
            assert_eq!(exceeded(true), Exit::NotEarned);
            assert_eq!(exceeded(false), Exit::Earned);
        }
        let open = |backend: &mut BackendVerdict| {
            backend.kept_limits.promised = true;
            backend.kept_limits.inconclusive = named();
        };
        assert_eq!(end(Some(Tier::S1), open), Exit::Inconclusive);
    }

    #[test]
    fn no_backend_at_all_shows_nothing() {
        let mut verdict = sample::verdict();
        assert_eq!(exit(&verdict, None), Exit::Earned);
        verdict.backends.clear();
        assert_eq!(exit(&verdict, None), Exit::Inconclusive);
        assert_eq!(exit(&verdict, Some(Tier::S1)), Exit::Inconclusive);
    }
}
