//! Attacks on the verdict: hostile programs in real trials, bare and under `native`. Each acts honestly
//! without a sandbox, as its control must, and turns hostile inside: what it says, hides or plants there
//! must never make the trial look held. An honest program in the same setting is held, so that the
//! trials can say it at all.

#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

#[path = "verdict_attacks/endings.rs"]
mod endings;
#[path = "verdict_attacks/evidence.rs"]
mod evidence;

use backends::backend::{Backend, Confinement};
use backends::native::native;
use backends::none::none;
use backends::policy::Bound;
use fixtures::decoy::Decoy;
use harness::certify::terms;
use harness::escape::{Escape, Limit};
use harness::judge::judge;
use harness::rig::Rig;
use harness::setting::Setting;
use harness::trial::{self, Role};
use reports::record::{Arm, Doubt, EffectKind, Outcome, Runtime, Twin};
use std::sync::LazyLock;

/// What every hostile program begins with. A secret of the launcher's environment stands in it only
/// where nothing scrubs it.
const HEAD: &str = "import os, signal, sys, time\n\
    CONFINED = 'ESCAPOLOGY_DECOY' not in os.environ\n\
    def steal(scene):\n    return open(scene['secret'], 'rb').read()\n";

/// The honest program: it reads a secret and says how that ended.
const HONEST: &str = "def attempt(scene):\n    return steal(scene)\n";

/// What all trials share.
struct Stage {
    setting: Setting,
    native: Rig,
    none: Rig,
    control: Box<dyn Confinement>,
}

static STAGE: LazyLock<Stage> = LazyLock::new(|| {
    let setting = Setting::find(&[Runtime::Python]).unwrap();
    let rig = |backend: Box<dyn Backend>| Rig::new(backend, &setting, &[Runtime::Python]);
    let (native, none) = (rig(Box::new(native())), rig(Box::new(backends::none::none())));
    let control = self::none().prepare(&setting.policy(Runtime::Python).unwrap()).unwrap();
    Stage { native, none, control, setting }
});

/// A trial that was judged.
struct Judged {
    outcome: Outcome,
    control: Arm,
    attempt: Arm,
}

/// Runs a program bare, and under a backend, and judges it.
fn judged(rig: &Rig, program: &str) -> Judged {
    judged_beside(rig, program, &[])
}

/// The same in a world with these decoys.
fn judged_beside(rig: &Rig, program: &str, decoys: &'static [&'static dyn Decoy]) -> Judged {
    let text: &'static str = Box::leak(format!("{HEAD}{program}").into_boxed_str());
    let limit = Limit {
        narrow: |limits| limits.wall_clock_milliseconds = Bound::At(3_000),
        ..Limit::BLANK
    };
    let escape: &'static Escape = Box::leak(Box::new(Escape {
        id: "verdict/attack",
        python: Some(text),
        limit: Some(limit),
        decoys,
        ..Escape::BLANK
    }));
    let role = Role { escape, runtime: Runtime::Python, hook: false };
    let mut policy = STAGE.setting.policy(Runtime::Python).unwrap();
    if rig.profile.keeps_limits {
        policy = STAGE.setting.narrowed(Runtime::Python, limit.narrow).unwrap();
    }
    let confinement = rig.backend().prepare(&policy).unwrap();
    let control = trial::run(&STAGE.setting, &*STAGE.control, role);
    let attempt = trial::run(&STAGE.setting, &*confinement, role);
    let outcome = judge(&terms(rig, escape, false), &control, &attempt);
    Judged { outcome, control, attempt }
}

/// A program that is hostile inside: `hostile` is the body of its act there.
fn inside(hostile: &str) -> Judged {
    let body = hostile.replace('\n', "\n        ");
    judged(
        &STAGE.native,
        &format!(
            "def attempt(scene):\n    if CONFINED:\n        {body}\n    return steal(scene)\n"
        ),
    )
}

fn held(judged: &Judged) -> bool {
    matches!(judged.outcome, Outcome::Held { .. })
}

fn doubt(judged: &Judged) -> Doubt {
    match judged.outcome {
        Outcome::Inconclusive { why } => why,
        Outcome::Held { .. }
        | Outcome::Escaped { .. }
        | Outcome::Residue { .. }
        | Outcome::Stale { .. }
        | Outcome::NotApplicable { .. } => {
            panic!("{:?}\n{:?}\n{:?}", judged.outcome, judged.control, judged.attempt)
        }
    }
}

fn assert_honest_is_held() {
    let honest = judged(&STAGE.native, HONEST);
    assert_eq!(honest.outcome, Outcome::Held { by: "EACCES".to_owned() }, "{:?}", honest.attempt);
}

#[test]
fn fake_pass_words_without_deeds_prove_nothing() {
    assert_honest_is_held();
    // All words of a trial that was held, said before anything was done.
    let all = "if CONFINED:\n    n = sys.argv[-3:] and [a for a in sys.argv if a.startswith('nonce=')][0][6:]\n    \
        for w in ('started', 'twin-before ok', 'reached', 'answer errno 13', 'twin-after ok'):\n        \
        sys.stdout.write('\\n%s %s\\n' % (n, w))\n    sys.stdout.flush()\n    \
        print('test result: ok. 1 passed; 0 failed')\n    os._exit(0)\n";
    assert_eq!(doubt(&judged(&STAGE.native, &format!("{all}{HONEST}"))), Doubt::TwinBefore);
    // Denied in words, and yet it got out: the effect counts.
    let liar =
        "def attempt(scene):\n    scene.emit(steal(scene))\n    raise PermissionError(13, 'no')\n";
    let escaped = judged(&STAGE.none, liar);
    assert!(matches!(&escaped.outcome, Outcome::Escaped { evidence }
        if evidence.contains(&EffectKind::TokenLeaked)));
}

#[test]
fn control_fail_a_silenced_control_makes_nothing_green() {
    assert_honest_is_held();
    let silent = "def attempt(scene):\n    return steal(scene) if CONFINED else b''\n";
    assert_eq!(doubt(&judged(&STAGE.native, silent)), Doubt::ControlWithoutEffect);
    let crippled = "def attempt(scene):\n    if not CONFINED:\n        os.remove(scene.run + '/neighbour')\n    \
        return steal(scene)\n";
    assert_eq!(doubt(&judged(&STAGE.native, crippled)), Doubt::ControlTwin);
    let dead = "if not CONFINED: os._exit(0)\n";
    assert_eq!(doubt(&judged(&STAGE.native, &format!("{dead}{HONEST}"))), Doubt::ControlTwin);
}

#[test]
fn wrong_reason_a_failure_of_its_own_is_no_denial() {
    assert_honest_is_held();
    for (failure, why) in [
        ("raise FileNotFoundError(2, 'no')", Doubt::OddAnswer),
        ("raise ConnectionRefusedError(111, 'no')", Doubt::OddAnswer),
        ("import no_such_module", Doubt::OddAnswer),
        ("raise MemoryError", Doubt::OddAnswer),
        ("open(scene['secret'] + '-mistyped')", Doubt::OddAnswer),
        ("return b''", Doubt::OddAnswer),
    ] {
        assert_eq!(doubt(&inside(failure)), why, "{failure}");
    }
}

#[test]
fn detect_nothing_that_a_program_is_told_differs_between_the_arms() {
    let told = "print('told ' + ' '.join(sorted('%s:%d' % (a.partition('=')[0], len(a)) for a in sys.argv[1:]))\
        , os.path.basename(sys.argv[0]), sorted(os.listdir('.')), file=sys.stderr)\n";
    let both = judged(&STAGE.native, &format!("{told}{HONEST}"));
    assert!(held(&both));
    let line = |arm: &Arm| {
        let found = arm.remarks.lines().find(|line| line.starts_with("told "));
        found.unwrap_or_else(|| panic!("{}", arm.remarks)).to_owned()
    };
    assert!(line(&both.control).contains("nonce:"));
    assert_eq!(line(&both.control), line(&both.attempt));
}

#[test]
fn status_descriptor_there_is_none_to_write_to() {
    let count = "def attempt(scene):\n    won = []\n    \
        for fd in range(1, 1024):\n        \
        try: os.write(fd, b'\\n'); won.append(fd)\n        except OSError: pass\n    \
        print('wrote to', won, file=sys.stderr)\n    return steal(scene)\n";
    let tried = judged(&STAGE.native, count);
    assert!(tried.attempt.remarks.contains("wrote to [1, 2]"), "{}", tried.attempt.remarks);
    assert!(held(&tried), "{:?}", tried.outcome);
    let reopened = "for fd in range(64):\n    \
        try: open('/proc/%d/fd/%d' % (os.getppid(), fd), 'wb').write(b'x'); print('REOPENED', file=sys.stderr)\n    \
        except OSError: pass";
    let tried = inside(reopened);
    assert!(!tried.attempt.remarks.contains("REOPENED"));
    assert!(held(&tried), "{:?}", tried.outcome);
}

#[test]
fn flaky_race_one_success_among_a_thousand_failures_is_an_escape() {
    let once = "def attempt(scene):\n    for turn in range(1000):\n        \
        if turn == 777: scene.emit(steal(scene))\n    raise PermissionError(13, 'no')\n";
    assert!(matches!(judged(&STAGE.none, once).outcome, Outcome::Escaped { .. }));
    assert!(held(&judged(&STAGE.native, once)));
}
