//! Attempts to start processes, to reach another one, and to change what the kernel keeps for this one.

use super::super::HookRules;
use super::{refused, refused_by, unjudged};

/// A shell that leaves a marker.
const SHELL: &str = "['/bin/sh', '-c', 'echo > marker']";

fn without_os(rules: &mut HookRules) {
    assert!(rules.namespaces.remove("os."));
}

#[test]
fn no_program_is_started() {
    refused_by("os.system('echo > marker')", without_os);
    refused_by(&format!("os.waitpid(os.posix_spawn('/bin/sh', {SHELL}, {{}}), 0)"), without_os);
    refused_by(&format!("os.execv('/bin/sh', {SHELL})"), without_os);
    refused_by(&format!("os.spawnv(os.P_WAIT, '/bin/sh', {SHELL})"), without_os);
    refused_by("os.fork() or open('marker', 'w')\nimport time; time.sleep(0.2)", without_os);
    refused_by("os.forkpty()[0] or open('marker', 'w')\nimport time; time.sleep(0.2)", without_os);
    refused(&format!("import pty; pty.spawn({SHELL})"));
    refused("os.popen('echo > marker').read()");
}

#[test]
fn subprocess_starts_nothing() {
    let unrefused = |rules: &mut HookRules| {
        rules.refusing.clear();
        assert!(rules.modules.remove("_posixsubprocess"));
        without_os(rules);
    };
    refused_by(&format!("import subprocess; subprocess.run({SHELL})"), unrefused);
    refused(&format!("import subprocess; subprocess.run({SHELL}, close_fds=False)"));
    refused(
        "import asyncio
async def main(): await (await asyncio.create_subprocess_shell('echo > marker')).wait()
asyncio.run(main())",
    );
}

#[test]
fn multiprocessing_starts_nothing() {
    for method in ["fork", "spawn", "forkserver"] {
        refused(&format!(
            "import multiprocessing
if __name__ == '__main__':
    process = multiprocessing.get_context('{method}').Process(target=os.close, args=(os.open('marker', os.O_CREAT),))
    os.remove('marker')
    process.start(); process.join()
    open('marker', 'w')"
        ));
    }
}

#[test]
fn the_module_behind_subprocess_stays_out_of_reach() {
    let attempt = |import: &str| {
        format!(
            "import subprocess
{import}
subprocess._fork_exec = module.fork_exec
subprocess._posixsubprocess = module
subprocess._USE_POSIX_SPAWN = False
subprocess.run({SHELL})"
        )
    };
    let unlisted = |rules: &mut HookRules| assert!(rules.modules.remove("_posixsubprocess"));
    refused_by(
        &attempt("sys.modules.pop('_posixsubprocess', None); import _posixsubprocess as module"),
        unlisted,
    );
    refused_by(
        &attempt(
            "import importlib.util
sys.modules.pop('_posixsubprocess', None)
module = importlib.util.module_from_spec(importlib.util.find_spec('_posixsubprocess'))",
        ),
        unlisted,
    );
}

#[test]
fn another_process_is_neither_signalled_nor_limited() {
    refused_by("os.kill(victim, 9)", |rules| unjudged(rules, "os.kill"));
    refused_by("os.killpg(victim, 9)", without_os);
    if cfg!(target_os = "linux") {
        refused_by(
            "import resource; resource.prlimit(victim, resource.RLIMIT_NOFILE, (77, 77))",
            |rules| {
                assert!(rules.namespaces.remove("resource."));
            },
        );
        refused_by(
            "import fcntl
read, write = os.pipe()
fcntl.fcntl(read, fcntl.F_SETOWN, victim)
fcntl.fcntl(read, fcntl.F_SETFL, os.O_ASYNC)
os.write(write, b'x')",
            |rules| unjudged(rules, "fcntl.fcntl"),
        );
    }
}

#[test]
fn a_terminal_takes_no_request_beyond_the_listed() {
    refused_by(
        "import fcntl, termios
terminal = os.openpty()[1]
fcntl.ioctl(terminal, termios.TIOCSWINSZ, b'\\x07\\0' * 4)
if os.get_terminal_size(terminal) == (7, 7): open('marker', 'w')",
        |rules| unjudged(rules, "fcntl.ioctl"),
    );
}

#[test]
fn nothing_is_written_to_the_system_log() {
    refused_by("import syslog; syslog.openlog('escapology'); open('marker', 'w')", |rules| {
        assert!(rules.namespaces.remove("syslog."));
    });
}
