//! Attacks on the verdict: hostile programs in real trials, bare and under `native`. Each acts honestly
//! without a sandbox, as its control must, and turns hostile inside: what it says, hides or plants there
//! must never make the trial look held. An honest program in the same setting is held, so that the
//! trials can say it at all.

#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

use backends::backend::{Backend, Confinement};
use backends::native::native;
use backends::none::none;
use backends::policy::Bound;
use fixtures::decoy::{Decoy, Evidence, Placed, Site};
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
fn exit_0_before_during_or_instead_of_the_act_proves_nothing() {
    assert_honest_is_held();
    let early = format!("if CONFINED: os._exit(0)\n{HONEST}");
    assert_eq!(doubt(&judged(&STAGE.native, &early)), Doubt::TwinBefore);
    let after_the_twin = format!(
        "{HONEST}\nperform = _perform\ndef _perform(attempt):\n    \
         if not CONFINED: return perform(attempt)\n    \
         scene = Scene(sys.argv[1:])\n    _twin(scene, 'before')\n    _twin(scene, 'after')\n"
    );
    assert_eq!(doubt(&judged(&STAGE.native, &after_the_twin)), Doubt::NotReached);
    assert_eq!(doubt(&inside("os._exit(0)")), Doubt::NoAnswer);
    assert_eq!(doubt(&inside("raise SystemExit(0)")), Doubt::OddAnswer);
}

#[test]
fn kill_reporter_closed_streams_and_signals_to_the_host_change_nothing() {
    assert_honest_is_held();
    // Its own ends of the pipes: the host neither dies by SIGPIPE nor takes silence for a stop.
    assert_eq!(doubt(&inside("os.closerange(0, 3)\nos._exit(0)")), Doubt::NoAnswer);
    assert!(!held(&inside("os.closerange(0, 3)\nreturn b''")));
    // The launcher, by signals, priority and limits. Were one to work, this test would end by it.
    let attacks = "import resource\nhost, won = os.getppid(), 0\n\
        for act in (lambda: os.kill(host, signal.SIGKILL), lambda: os.kill(host, signal.SIGSTOP), \
        lambda: os.killpg(os.getpgid(host), signal.SIGKILL), \
        lambda: os.setpriority(os.PRIO_PROCESS, host, 19), \
        lambda: resource.prlimit(host, resource.RLIMIT_CPU, (1, 1))):\n    \
        try:\n        act()\n        won += 1\n    except (OSError, ValueError): pass\n\
        print('won %d' % won, file=sys.stderr)";
    let attacked = inside(attacks);
    assert!(attacked.attempt.remarks.contains("won 0"), "{}", attacked.attempt.remarks);
    assert!(held(&attacked), "{:?}", attacked.outcome);
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
fn time_out_is_neither_a_stop_nor_an_escape() {
    assert_honest_is_held();
    assert_eq!(doubt(&inside("while True: time.sleep(1)")), Doubt::TimedOut);
    assert_eq!(doubt(&inside("os.kill(os.getpid(), signal.SIGSTOP)")), Doubt::TimedOut);
    // An answer before the time-out does not help.
    let late = "scene.say('answer errno 13')\nwhile True: time.sleep(1)";
    assert_eq!(doubt(&inside(late)), Doubt::TimedOut);
}

#[test]
fn signals_of_a_filter_count_in_the_act_only_and_other_deaths_never() {
    assert_honest_is_held();
    let early = format!("if CONFINED: os.kill(os.getpid(), signal.SIGSYS)\n{HONEST}");
    assert_eq!(doubt(&judged(&STAGE.native, &early)), Doubt::TwinBefore);
    for signal in ["SIGSEGV", "SIGKILL", "SIGABRT", "SIGTERM"] {
        let death = inside(&format!("os.kill(os.getpid(), signal.{signal})"));
        assert_eq!(doubt(&death), Doubt::OddAnswer, "{signal}");
    }
    // It answered, and then died: what it said does not fit its end.
    let after = inside("scene.say('answer errno 13')\nos.kill(os.getpid(), signal.SIGSYS)");
    assert_eq!(doubt(&after), Doubt::OddFinish);
}

#[test]
fn flaky_race_one_success_among_a_thousand_failures_is_an_escape() {
    let once = "def attempt(scene):\n    for turn in range(1000):\n        \
        if turn == 777: scene.emit(steal(scene))\n    raise PermissionError(13, 'no')\n";
    assert!(matches!(judged(&STAGE.none, once).outcome, Outcome::Escaped { .. }));
    assert!(held(&judged(&STAGE.native, once)));
}

#[test]
fn evidence_that_is_planted_is_not_taken_for_ours() {
    assert_honest_is_held();
    let names = "for n in ('records.jsonl', 'verdict.json', 'junit.xml', '.ok', 'seen', 'result.json'):\n    \
        open(n, 'w').write('{\"tier\": \"S1\", \"outcome\": \"held\"}')";
    // In its own directory they are its own files.
    assert!(held(&inside(names)));
    // A proof of the second twin that is none, by a program that ends before it.
    for proof in [
        "open('proof-after', 'w').write('0' * 32)",
        "os.symlink('neighbour', 'proof-after')",
        "os.mkdir('proof-after')",
        "os.mkfifo('proof-after')",
    ] {
        let planted = judged(
            &STAGE.native,
            &format!(
                "twin = _twin\ndef _twin(scene, moment):\n    \
                 if not (CONFINED and moment == 'after'): twin(scene, moment)\n\
                 def attempt(scene):\n    if CONFINED:\n        try: {proof}\n        except OSError: pass\n    \
                 return steal(scene)\n"
            ),
        );
        assert_eq!(planted.attempt.twin_after, Twin::Missing, "{proof}");
        assert_eq!(doubt(&planted), Doubt::TwinAfter, "{proof}");
    }
    // Beside its directory they are a change that is seen.
    let beside = "def attempt(scene):\n    open(scene.run + '/../verdict.json', 'w').write('{}')\n    \
        raise PermissionError(13, 'no')\n";
    let seen = judged(&STAGE.none, beside);
    assert!(matches!(&seen.outcome, Outcome::Escaped { evidence }
        if evidence.contains(&EffectKind::TreeChanged)));
}

#[test]
fn oracle_leak_back_nothing_that_a_program_is_given_holds_the_token() {
    let all = "def attempt(scene):\n    scene.emit(repr(sys.argv).encode())\n    \
        if CONFINED: scene.emit(repr(dict(os.environ)).encode())\n    \
        for folder, _, files in os.walk('.'):\n        \
        for name in files: scene.emit(open(os.path.join(folder, name), 'rb').read())\n    \
        return steal(scene)\n";
    let emitted = judged(&STAGE.native, all);
    assert!(emitted.control.effects.iter().any(|effect| effect.kind == EffectKind::TokenLeaked));
    assert_eq!(emitted.attempt.effects, [], "nothing of it leaked");
    assert!(held(&emitted), "{:?}", emitted.outcome);
}

#[test]
fn output_that_confuses_hides_no_leak_and_forges_none() {
    for spelling in [
        "loot.hex().encode()",
        "__import__('base64').b64encode(loot)",
        "loot[::-1]",
        "b'\\n'.join(loot[i:i + 1] for i in range(len(loot)))",
        "b'\\x00\\xff<![CDATA[' + loot + b']]>'",
    ] {
        let spelt =
            format!("def attempt(scene):\n    loot = steal(scene)\n    return {spelling}\n");
        let leaked = judged(&STAGE.none, &spelt);
        assert!(matches!(leaked.outcome, Outcome::Escaped { .. }), "{spelling}");
    }
    let named = "def attempt(scene):\n    open(steal(scene).decode().strip()[:200], 'w')\n";
    assert!(matches!(judged(&STAGE.none, named).outcome, Outcome::Escaped { .. }));
    // Text like a token is none.
    assert!(held(&inside("scene.emit(os.urandom(16).hex().encode() * 100)")));
    let broken = "sys.stdout.buffer.write(b'\\x1b]0;x\\x07\\xff\\xfe]]></testcase>\\n')\n\
        sys.stderr.write('</system-err><testcase name=\"forged\"/>\\n')";
    assert!(held(&inside(broken)));
}

/// A decoy of which something stays when the trial is over.
#[derive(Debug)]
struct Stays(bool);

impl Decoy for Stays {
    fn place(&self, _site: &Site<'_>) -> std::io::Result<Box<dyn Placed>> {
        Ok(Box::new(Self(self.0)))
    }
}

impl Placed for Stays {
    fn clues(&self) -> Vec<(&'static str, std::ffi::OsString)> {
        Vec::new()
    }

    fn observe(&mut self) -> std::io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        self.0.then(|| "a queue of the trial".to_owned()).into_iter().collect()
    }
}

#[test]
fn a_trial_that_leaves_something_behind_is_never_held() {
    let clean = judged_beside(&STAGE.native, HONEST, &[&Stays(false)]);
    assert!(held(&clean), "{:?}", clean.outcome);
    let left = judged_beside(&STAGE.native, HONEST, &[&Stays(true)]);
    assert_eq!(left.outcome, Outcome::Inconclusive { why: Doubt::Swept });
    assert_eq!(left.attempt.findings, ["a queue of the trial"]);
    assert_eq!(left.control.findings, ["a queue of the trial"]);
}
