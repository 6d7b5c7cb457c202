//! The only place where the outcome of a trial is made. Pure and total, and blind to every word that
//! a program says unless it makes the outcome worse.

use nix::errno::Errno;
use nix::sys::signal::Signal;
use reports::record::{Answer, Arm, Doubt, EffectKind, Finish, Outcome, Start, Terms, Twin};
use std::collections::BTreeSet;

/// Judges one trial: the same program without a sandbox (`control`) and under it (`attempt`).
///
/// An effect always wins, even over a broken control. Only a trial without any doubt is held.
pub fn judge(terms: &Terms, control: &Arm, attempt: &Arm) -> Outcome {
    if let Some(outcome) = escaped(terms, attempt) {
        return outcome;
    }
    if let Some(why) = broken_instrument(control, attempt) {
        return Outcome::Inconclusive { why };
    }
    if control.effects.is_empty() {
        return match absence(terms, &control.answer) {
            Some(evidence) => Outcome::NotApplicable { evidence },
            None => Outcome::Inconclusive { why: Doubt::ControlWithoutEffect },
        };
    }
    match (stopped(terms, attempt), &terms.gap) {
        (Ok(_), Some(reason)) if !terms.hook => Outcome::Stale { reason: reason.clone() },
        (Ok(by), Some(_) | None) => Outcome::Held { by },
        (Err(why), Some(_) | None) => Outcome::Inconclusive { why },
    }
}

/// The outcome of an attempt that had an effect, whatever its control showed.
pub fn escaped(terms: &Terms, attempt: &Arm) -> Option<Outcome> {
    let evidence: BTreeSet<EffectKind> = attempt.effects.iter().map(|effect| effect.kind).collect();
    if evidence.is_empty() {
        return None;
    }
    Some(match &terms.gap {
        Some(reason) => Outcome::Residue { reason: reason.clone(), evidence },
        None => Outcome::Escaped { evidence },
    })
}

/// Why nothing can be learnt from this trial, even of the surface itself.
fn broken_instrument(control: &Arm, attempt: &Arm) -> Option<Doubt> {
    if matches!(control.start, Start::Refused(_)) {
        return Some(Doubt::ControlNotStarted);
    }
    if (control.twin_before, control.twin_after) != (Twin::Proved, Twin::Proved) {
        return Some(Doubt::ControlTwin);
    }
    if !control.reached {
        return Some(Doubt::ControlNotReached);
    }
    if !(control.findings.is_empty() && attempt.findings.is_empty()) {
        return Some(Doubt::Swept);
    }
    None
}

/// The proof that this host has no such surface: the unconfined act was answered so by the kernel.
fn absence(terms: &Terms, answer: &Answer) -> Option<String> {
    match answer {
        Answer::Errno(errno) if terms.absence.contains(errno) => {
            Some(format!("the control ended with {}", errno_name(*errno)))
        }
        Answer::None
        | Answer::Done
        | Answer::Errno(_)
        | Answer::Exception(_)
        | Answer::Killed(_) => None,
    }
}

/// What stopped the act, or why nobody knows that it was stopped.
fn stopped(terms: &Terms, attempt: &Arm) -> Result<String, Doubt> {
    if matches!(attempt.start, Start::Refused(_)) {
        return Err(Doubt::NotStarted);
    }
    if attempt.twin_before != Twin::Proved {
        return Err(Doubt::TwinBefore);
    }
    if !attempt.reached {
        return Err(Doubt::NotReached);
    }
    let by = match ended_by(terms, attempt).or_else(|| ended_by_limit(terms, attempt)) {
        Some(by) => by,
        None => {
            finished(&attempt.answer, attempt.finish)?;
            stopper(terms, &attempt.answer)?
        }
    };
    if attempt.twin_after == Twin::Proved { Ok(by) } else { Err(Doubt::TwinAfter) }
}

/// The exit code by which the sandbox ended the program in its act, if it did.
fn ended_by(terms: &Terms, attempt: &Arm) -> Option<String> {
    match (&attempt.answer, attempt.finish) {
        (Answer::None, Finish::Exited(code)) if terms.exits.contains(&code) => {
            Some(format!("exit {code}"))
        }
        (
            Answer::None
            | Answer::Done
            | Answer::Errno(_)
            | Answer::Exception(_)
            | Answer::Killed(_),
            Finish::NotStarted
            | Finish::Exited(_)
            | Finish::Signalled(_)
            | Finish::TimedOut
            | Finish::OutputCapped
            | Finish::QuotaExceeded
            | Finish::CpuTimeExceeded,
        ) => None,
    }
}

/// The limit that ended the program in its act, if the act was to exceed that limit.
fn ended_by_limit(terms: &Terms, attempt: &Arm) -> Option<String> {
    let limit = attempt.finish.limit()?;
    let in_its_act = attempt.answer == Answer::None;
    (in_its_act && terms.ends.contains(&attempt.finish)).then(|| format!("limit {limit}"))
}

/// Whether the program's end follows from its answer: dead by the same signal, or alive to its end.
fn finished(answer: &Answer, finish: Finish) -> Result<(), Doubt> {
    match finish {
        Finish::NotStarted => Err(Doubt::NotStarted),
        Finish::TimedOut => Err(Doubt::TimedOut),
        Finish::OutputCapped => Err(Doubt::OutputCapped),
        Finish::QuotaExceeded => Err(Doubt::QuotaExceeded),
        Finish::CpuTimeExceeded => Err(Doubt::CpuTimeExceeded),
        Finish::Exited(code) => match answer {
            Answer::None => Err(Doubt::NoAnswer),
            Answer::Done | Answer::Errno(_) | Answer::Exception(_) if code == 0 => Ok(()),
            Answer::Done | Answer::Errno(_) | Answer::Exception(_) | Answer::Killed(_) => {
                Err(Doubt::OddFinish)
            }
        },
        Finish::Signalled(signal) => match answer {
            Answer::None => Err(Doubt::NoAnswer),
            Answer::Killed(by) if *by == signal => Ok(()),
            Answer::Done | Answer::Errno(_) | Answer::Exception(_) | Answer::Killed(_) => {
                Err(Doubt::OddFinish)
            }
        },
    }
}

/// The name of what stopped the act, if the backend's mechanism can stop an act that way.
fn stopper(terms: &Terms, answer: &Answer) -> Result<String, Doubt> {
    match answer {
        Answer::None => Err(Doubt::NoAnswer),
        Answer::Done if terms.silent => Ok("silence".to_owned()),
        Answer::Errno(errno) if terms.errnos.contains(errno) => Ok(errno_name(*errno)),
        Answer::Exception(class) if terms.exceptions.contains(class) => Ok(class.clone()),
        Answer::Killed(signal) if terms.signals.contains(signal) => Ok(signal_name(*signal)),
        Answer::Done | Answer::Errno(_) | Answer::Exception(_) | Answer::Killed(_) => {
            Err(Doubt::OddAnswer)
        }
    }
}

fn errno_name(errno: i32) -> String {
    let known = Errno::from_raw(errno);
    if known == Errno::UnknownErrno { format!("errno {errno}") } else { format!("{known:?}") }
}

fn signal_name(signal: i32) -> String {
    Signal::try_from(signal)
        .map_or_else(|_unknown| format!("signal {signal}"), |known| known.as_str().to_owned())
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
