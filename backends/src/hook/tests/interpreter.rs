//! Attempts to disarm the hook from inside its own interpreter, and to act where it might not be asked.

use super::super::{HookPolicy, HookRules, arguments};
use super::world::{Arm, World, interpreters};
use super::{permitted, refused, refused_by};
use std::path::Path;
use std::process::Stdio;

/// Gets at the frames of a refusal: `frames` from the outermost to the hook's own. Without the hook there are none.
const FRAMES: &str = "frames = []
try: open(outside + '/missing', 'a+').close(); os.remove(outside + '/missing')
except PermissionError as error:
    trace = error.__traceback__
    while trace: frames.append(trace.tb_frame); trace = trace.tb_next
frames = [frame for frame in frames if frame.f_code.co_name != '<module>']
";

const READ: &str = "print(open(outside + '/secret').read())";

fn tamper(change: &str) -> String {
    format!("{FRAMES}{change}\n{READ}")
}

#[test]
fn a_function_of_the_hook_is_not_replaced_through_its_frame() {
    let replace = "for frame in frames:
    for value in list(frame.f_locals.values()):
        if type(value).__name__ == 'function':
            value.__code__ = (lambda path, follow: '/dev/null').__code__";
    refused_by(&tamper(replace), |rules| rules.guarded.clear());
    let shift = replace.replace(
        ".__code__ = (lambda path, follow: '/dev/null').__code__",
        ".__defaults__ = (print,) * 9",
    );
    refused(&tamper(&shift));
}

/// With the function that creates built-in modules, a program could have one that is not judged by its name.
#[test]
fn no_frame_shows_the_function_that_creates_built_in_modules() {
    let marker = "if any(type(value) is type(len) and value.__name__ == 'create_builtin' for value in values): open('marker', 'w')";
    let plain = "import _imp; values = [_imp.create_builtin]";
    refused_by(
        &format!(
            "{FRAMES}{plain}
for frame in frames:
    for value in frame.f_locals.get('own', ()): values.extend(value.__defaults__)
{marker}"
        ),
        |rules| rules.guarded.clear(),
    );
    for (attempt, call) in [
        ("a name that is no text", "name='\\ud800'"),
        ("a listed name", "name='_posixsubprocess'"),
        ("a number for a name", "name=7"),
    ] {
        refused(&format!(
            "{plain}
import types
def fail(depth):
    try: return fail(depth - 1) if depth else values[0](types.SimpleNamespace({call}))
    except BaseException as error:
        trace = error.__traceback__
        while trace: values.extend(trace.tb_frame.f_locals.values()); trace = trace.tb_next
for depth in range(99 if values[0].__name__ != 'create_builtin' else 0):
    sys.setrecursionlimit(100); fail(depth); sys.setrecursionlimit(1000)
{marker}
else: sys.exit('Operation not permitted: {attempt}')"
        ));
    }
}

#[test]
fn writing_to_a_dead_frame_of_the_hook_changes_nothing() {
    refused(&tamper(
        "for frame in frames:
    for name in list(frame.f_locals):
        try: frame.f_locals[name] = ('/',)
        except Exception: pass",
    ));
    refused(&tamper("for frame in frames:
    for name in ('resolve', 'judge', 'startswith', 'read', 'write', 'type', 'str'): frame.f_globals[name] = lambda *args: True"));
    refused(&tamper(
        "for frame in frames:
    for value in frame.f_locals.values():
        if type(value) in (list, dict, set): value.clear()
    frame.f_builtins.clear() if frame.f_code.co_name == 'judge' else None",
    ));
}

#[test]
fn the_frames_above_the_program_hold_nothing_of_the_hook() {
    refused("frame = sys._getframe()
while frame:
    for name in list(frame.f_globals):
        if callable(frame.f_globals[name]) and frame.f_globals is not globals(): frame.f_globals[name] = lambda *args: True
    for value in list(frame.f_locals.values()):
        if type(value).__name__ == 'function' and value.__name__ in ('judge', 'resolve'): print(open(outside + '/secret').read())
    frame = frame.f_back
print(open(outside + '/secret').read())");
}

#[test]
fn replacing_what_the_hook_was_made_of_changes_nothing() {
    refused(
        "import builtins, io, posix
posix.lstat = posix.stat = os.lstat = os.stat = lambda path: os.stat_result([0] * 10)
posix.readlink = os.readlink = lambda path: 'program.py'
posix.getcwd = os.getcwd = lambda: granted
os.symlink(outside + '/secret', 'link')
builtins.type = lambda value: str
builtins.issubclass = builtins.isinstance = lambda *args: True
builtins.PermissionError = builtins.OSError = ValueError
sys.modules['posix'] = sys.modules['builtins'] = None
try: os.write(1, io.FileIO('link').read())
except BaseException as error: os.write(2, str(error).encode())
os._exit(0)",
    );
}

/// A comparison hands the dictionary of a type to the other side. The old methods are kept, since the interpreter caches them.
#[test]
fn replacing_the_methods_of_built_in_types_changes_nothing() {
    refused(
        "keep = []
class Thief:
    def __eq__(self, other):
        for name in ('startswith', 'split', 'join', 'partition', 'rpartition'):
            if name in other: keep.append(other[name]); other[name] = lambda *args: True
        return True
import io
str.__dict__ == Thief()
os.write(1, io.FileIO(outside + '/secret').read())",
    );
}

#[test]
fn the_hook_is_not_found_by_the_garbage_collector() {
    let search = "import gc
hooks = [value for value in gc.get_objects() if type(value).__name__ == 'function' and value.__name__ == 'judge']
for hook in hooks: hook.__code__ = (lambda *args: None).__code__
print(open(outside + '/secret').read())";
    refused_by(search, |rules| assert!(rules.namespaces.remove("gc.")));
    refused("import gc; gc.get_referrers(print); open('marker', 'w')");
    refused("import gc; gc.get_referents(print); open('marker', 'w')");
}

#[test]
fn tracing_and_further_hooks_are_refused() {
    let calls = [
        "sys.settrace(lambda *args: seen.append(args)); (lambda: None)(); sys.settrace(None); seen or sys.exit()",
        "sys.setprofile(lambda *args: seen.append(args)); (lambda: None)(); sys.setprofile(None); seen or sys.exit()",
        // Python 3.8 and later swallow the refusal of a hook, and do not add it.
        "sys.addaudithook(lambda *args: seen.append(args)); sys.audit('any'); seen or sys.exit('Operation not permitted')",
        "sys._current_frames()",
        "hasattr(sys, 'monitoring') and sys.monitoring.register_callback(0, 1, print)",
    ];
    for call in calls {
        let needs = if call.starts_with("hasattr") {
            "if not hasattr(sys, 'monitoring'): print('absent'); sys.exit()\n"
        } else {
            ""
        };
        refused_by(&format!("seen = []\n{needs}{call}; open('marker', 'w')"), |rules| {
            assert!(rules.namespaces.remove("sys."))
        });
    }
}

/// What outlives the modules is finalised after the hooks are gone.
#[test]
fn a_late_finaliser_does_not_act() {
    let holders = [
        "import codecs; codecs.register(Late(outside).search)",
        "import codecs; codecs.register_error('late', Late(outside).search)",
        "late = Late(outside); late.itself = late; late.module = sys.modules[__name__]; sys.late = late",
        "import threading; local = threading.local(); local.late = Late(outside); keep = [local]; keep.append(keep)",
        "import atexit; atexit.register(Late(outside).search)",
        "import builtins; builtins.late = Late(outside)",
    ];
    let mut without = 0;
    for holder in holders {
        let program = format!(
            "class Late:
    def __init__(self, outside): self.outside, self.open = outside, open
    def search(self, *args): return None
    def __del__(self): self.open(self.outside + '/new', 'w')
{holder}"
        );
        for interpreter in interpreters() {
            let run = |rules: HookRules| {
                let mut world = World::new();
                let seen = world.run(interpreter, &program, &Arm::Hook(rules));
                (world.effect(&seen), seen)
            };
            let (effect, seen) = run(HookRules::standard());
            assert!(!effect && seen.status == Some(0), "{holder} {interpreter:?} {seen:?}");
            let mut rules = HookRules::standard();
            assert!(rules.fatal.remove("cpython.PyInterpreterState_Clear"));
            without += usize::from(run(rules).0);
        }
    }
    assert!(without > 0, "no finaliser here outlives the hook, so nothing was tried");
}

#[test]
fn the_hook_is_asked_wherever_the_program_runs() {
    let late = "def act(open=open):
    try: open(outside + '/new', 'w')
    except PermissionError as error: print(error, file=sys.stderr)";
    let places = [
        "import threading; thread = threading.Thread(target=act); thread.start(); thread.join()",
        "import atexit; atexit.register(act)",
        "import signal; signal.signal(signal.SIGUSR1, lambda *args: act()); os.kill(os.getpid(), signal.SIGUSR1)",
        "import asyncio
async def main(): await asyncio.get_running_loop().run_in_executor(None, act)
asyncio.run(main())",
        "class Last:
    def __del__(self): act()
last = Last()",
        "exec(compile('act()', 'x', 'exec'), {'act': act})",
        "import pickle; pickle.loads(b'c__main__\\nact\\n(tR.')",
        "import weakref; value = type('T', (), {})(); weakref.finalize(value, act); del value",
        "def deep():
    try: deep()
    except RecursionError: pass
    act()
sys.setrecursionlimit(80); deep()",
    ];
    for place in places {
        refused(&format!("{late}\n{place}"));
    }
}

/// No name: neither a global nor an attribute nor a cell. What the hook works with comes with each call.
#[test]
fn the_hook_looks_up_no_name() {
    let bootstrap =
        arguments(&HookPolicy::default(), &HookRules::standard(), Path::new("/program.py"), &[])
            .unwrap()[7]
            .clone();
    for interpreter in interpreters() {
        let mut world = World::new();
        std::fs::write(world.path("run/bootstrap.py"), bootstrap.to_str().unwrap()).unwrap();
        let program = "def functions(code):
    for constant in code.co_consts:
        if hasattr(constant, 'co_names'): yield constant; yield from functions(constant)
for code in functions(compile(open('bootstrap.py').read(), 'bootstrap.py', 'exec')):
    if code.co_name in ('judge', 'resolve', 'unlisted', 'create_builtin', 'start'):
        print(code.co_name, code.co_names + code.co_freevars + code.co_cellvars != ())";
        let seen = world.run_file(interpreter, program, &Arm::Plain, Stdio::null());
        let mut lines: Vec<&str> = seen.stdout.lines().collect();
        lines.sort_unstable();
        assert_eq!(
            lines,
            [
                "create_builtin False",
                "judge False",
                "resolve False",
                "start True",
                "unlisted False"
            ],
            "{interpreter:?} {seen:?}"
        );
    }
}

#[test]
fn frames_serve_those_who_only_look() {
    permitted(
        "import collections, logging, warnings
point = collections.namedtuple('point', 'x y', defaults=[2])(1)
logging.basicConfig(stream=sys.stdout, format='%(funcName)s %(message)s')
logging.warning(point)
print(sys._getframe().f_code.co_name)",
    );
}
