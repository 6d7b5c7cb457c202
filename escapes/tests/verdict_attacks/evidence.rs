//! What a program gives out, plants or leaves: no leak is hidden by it, and nothing of ours is forged.

use super::*;
use fixtures::decoy::{Evidence, Placed, Site};

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
