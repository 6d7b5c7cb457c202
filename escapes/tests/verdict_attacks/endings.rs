//! How a program ends, or does not: no end is taken for a denial but one that the sandbox gave.

use super::*;

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
