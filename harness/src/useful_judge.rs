//! Judges useful work: over-denial is a defect as much as an escape is.

use reports::record::{Finish, Flaw, UsefulOutcome, UsefulRun};

/// Judges one piece of useful work, done without a sandbox and under it. Only what was seen from
/// outside counts as done, and a program that never ran proves nothing of the sandbox. What the host
/// lacks is proved by the control alone, and only if it failed.
pub fn judge_useful(control: &UsefulRun, confined: &UsefulRun) -> UsefulOutcome {
    if let (Some(_), Some(evidence)) = (flaw(control), &control.absent) {
        return UsefulOutcome::NotApplicable { evidence: evidence.clone() };
    }
    match (flaw(control), flaw(confined)) {
        (Some(_), Some(_) | None) => UsefulOutcome::Inconclusive { why: Flaw::Control },
        (None, Some(Flaw::NotStarted)) => UsefulOutcome::Inconclusive { why: Flaw::NotStarted },
        (None, Some(why)) => UsefulOutcome::Broken { why },
        (None, None) => UsefulOutcome::Works,
    }
}

fn flaw(run: &UsefulRun) -> Option<Flaw> {
    match run.finish {
        Finish::NotStarted => Some(Flaw::NotStarted),
        Finish::Exited(0) if run.proved => None,
        Finish::Exited(0) => Some(Flaw::Unproved),
        Finish::Exited(_) => Some(Flaw::Failed),
        Finish::Signalled(_) => Some(Flaw::Signalled),
        Finish::TimedOut => Some(Flaw::TimedOut),
        Finish::OutputCapped => Some(Flaw::OutputCapped),
        Finish::QuotaExceeded => Some(Flaw::QuotaExceeded),
        Finish::CpuTimeExceeded => Some(Flaw::CpuTimeExceeded),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn run(finish: Finish, proved: bool) -> UsefulRun {
        UsefulRun { finish, proved, absent: None, remark: String::new() }
    }

    fn works() -> UsefulRun {
        run(Finish::Exited(0), true)
    }

    #[test]
    fn work_that_is_done_twice_works() {
        assert_eq!(judge_useful(&works(), &works()), UsefulOutcome::Works);
    }

    #[test]
    fn every_way_to_fail_under_the_sandbox_has_its_flaw() {
        let broken = |finish, proved| judge_useful(&works(), &run(finish, proved));
        let table = [
            (Finish::Exited(0), false, Flaw::Unproved),
            (Finish::Exited(1), true, Flaw::Failed),
            (Finish::Signalled(31), true, Flaw::Signalled),
            (Finish::TimedOut, true, Flaw::TimedOut),
            (Finish::OutputCapped, true, Flaw::OutputCapped),
            (Finish::QuotaExceeded, true, Flaw::QuotaExceeded),
            (Finish::CpuTimeExceeded, true, Flaw::CpuTimeExceeded),
        ];
        for (finish, proved, why) in table {
            assert_eq!(broken(finish, proved), UsefulOutcome::Broken { why });
        }
        assert_eq!(
            broken(Finish::NotStarted, false),
            UsefulOutcome::Inconclusive { why: Flaw::NotStarted }
        );
    }

    #[test]
    fn work_that_fails_without_the_sandbox_proves_nothing() {
        let control = run(Finish::Exited(0), false);
        let inconclusive = UsefulOutcome::Inconclusive { why: Flaw::Control };
        assert_eq!(judge_useful(&control, &works()), inconclusive);
        assert_eq!(judge_useful(&control, &control), inconclusive);
        assert_eq!(judge_useful(&works(), &works()), UsefulOutcome::Works);
    }

    #[test]
    fn what_the_host_lacks_is_proved_by_a_control_that_failed_and_by_nothing_else() {
        let absent =
            |run: UsefulRun| UsefulRun { absent: Some("no module zoneinfo".into()), ..run };
        let failed = || run(Finish::Exited(1), false);
        let proof = UsefulOutcome::NotApplicable { evidence: "no module zoneinfo".into() };
        assert_eq!(judge_useful(&absent(failed()), &failed()), proof);
        assert_eq!(judge_useful(&absent(failed()), &works()), proof);
        let broken = UsefulOutcome::Broken { why: Flaw::Failed };
        assert_eq!(judge_useful(&works(), &absent(failed())), broken);
        assert_eq!(judge_useful(&absent(works()), &absent(failed())), broken);
        let control = UsefulOutcome::Inconclusive { why: Flaw::Control };
        assert_eq!(judge_useful(&failed(), &absent(failed())), control);
    }

    proptest! {
        #[test]
        fn nothing_works_that_was_not_proved_twice(
            codes in any::<(u8, u8)>(), proved in any::<(bool, bool)>(),
        ) {
            let (control, confined) = (codes.0 % 2, codes.1 % 2);
            let outcome = judge_useful(
                &run(Finish::Exited(control.into()), proved.0),
                &run(Finish::Exited(confined.into()), proved.1),
            );
            let fine = proved == (true, true) && (control, confined) == (0, 0);
            prop_assert_eq!(outcome == UsefulOutcome::Works, fine);
        }
    }
}
