//! Attempts to import what reaches past the hook.

use super::super::HookRules;
use super::world::{Arm, World, interpreters};
use super::{refused, refused_by};

/// Whether this interpreter has the module or not: the import is judged by its name before anything is searched.
#[test]
fn each_listed_module_is_refused_and_every_other_is_not() {
    let interpreter = &interpreters()[0];
    for module in HookRules::standard().modules.iter().map(String::as_str).chain(["harmless"]) {
        let program = format!(
            "sys.path.insert(0, '.')
open('{module}.py', 'w').write('open(\"marker\", \"w\")')
sys.modules.pop('{module}', None)
sys.meta_path[:] = [finder for finder in sys.meta_path if finder.__name__ == 'PathFinder']
import {module}"
        );
        let effect = |rules: HookRules| {
            let mut world = World::new();
            let seen = world.run(interpreter, &program, &Arm::Hook(rules));
            (world.effect(&seen), seen.refused())
        };
        let mut rules = HookRules::standard();
        let listed = rules.modules.remove(module);
        assert_eq!(effect(HookRules::standard()), (!listed, listed), "{module}");
        assert_eq!(effect(rules), (true, false), "{module}");
    }
}

/// Ends the program with the word that says so, unless the interpreter has one of these modules.
fn with_module(names: &str, program: &str) -> String {
    format!(
        "import importlib, importlib.util
names = [name for name in {names} if importlib.util.find_spec(name)]
if not names: print('absent'); sys.exit()
{program}"
    )
}

#[test]
fn no_native_function_is_called() {
    refused("import ctypes; ctypes.CDLL(None).creat(os.fsencode(outside) + b'/new', 0o600)");
    refused(
        "import ctypes; ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_int)(('creat', ctypes.CDLL(None)))(os.fsencode(outside) + b'/new', 0o600)",
    );
    refused(
        "import _ctypes; _ctypes.call_function(_ctypes.dlsym(_ctypes.dlopen(None, 2), 'creat'), (os.fsencode(outside) + b'/new', 0o600))",
    );
}

#[test]
fn no_other_interpreter_runs() {
    let create = "module = importlib.import_module(names[0])
interpreter = module.create()
module.run_string(interpreter, 'open(%r, \"w\")' % (outside + '/new'))";
    refused_by(&with_module("['_interpreters', '_xxsubinterpreters']", create), |rules| {
        rules.modules.retain(|module| !module.ends_with("interpreters"));
        rules.fatal.clear();
    });
    let run =
        "import _testcapi; _testcapi.run_in_subinterp('open(%r, \"w\")' % (outside + '/new'))";
    refused(&with_module("['_testcapi']", run));
}

/// Where the modules that create interpreters are permitted, the creation itself ends the process.
#[test]
fn the_birth_of_an_interpreter_is_fatal() {
    let program = with_module(
        "['_xxsubinterpreters']",
        "importlib.import_module(names[0]).create(); open('marker', 'w')",
    );
    for interpreter in interpreters() {
        let mut rules = HookRules::standard();
        rules.modules.clear();
        let mut world = World::new();
        let seen = world.run(interpreter, &program, &Arm::Hook(rules.clone()));
        if seen.stdout.trim() == "absent" {
            continue;
        }
        assert_eq!(seen.status, Some(86), "{interpreter:?} {seen:?}");
        assert!(!world.effect(&seen));
        rules.fatal.remove("cpython.PyInterpreterState_New");
        let mut world = World::new();
        let seen = world.run(interpreter, &program, &Arm::Hook(rules));
        assert!(world.effect(&seen), "{interpreter:?} {seen:?}");
    }
}

#[test]
fn readline_reads_and_writes_nothing() {
    let read = "import readline; readline.read_history_file(outside + '/secret'); print(readline.get_history_item(1))";
    refused(&with_module("['readline']", read));
    let write =
        "import readline; readline.add_history('x'); readline.write_history_file(outside + '/new')";
    refused(&with_module("['readline']", write));
}

#[test]
fn tcl_and_old_databases_write_nothing() {
    let write = "import _tkinter; _tkinter.create(None, '', 'Tk', False, False, False).call('open', outside + '/new', 'w')";
    refused(&with_module("['_tkinter']", write));
    let write =
        "import importlib; importlib.import_module(names[0]).open(outside + '/new', 'n').close()";
    refused(&with_module("['_dbm', '_gdbm']", write));
}

#[test]
fn shared_memory_is_not_reached_by_name() {
    let name = "name = '/escapology-%d' % os.getpid()";
    refused(&with_module(
        "['_posixshmem']",
        &format!(
            "import _posixshmem; {name}; _posixshmem.shm_open(name, os.O_CREAT | os.O_RDWR, mode=0o600); _posixshmem.shm_unlink(name); open('marker', 'w')"
        ),
    ));
}

/// A copy of an extension module is native code of the program's own making.
const COPY: &str = "import importlib.util, importlib.machinery, shutil
name = next(name for name in ('_lsprof', '_queue', '_json') if (importlib.util.find_spec(name).origin or '').startswith('/'))
file = importlib.util.find_spec(name).origin
";

#[test]
fn an_extension_module_outside_the_native_roots_is_not_loaded() {
    let load = "shutil.copyfile(file, 'copy.so'); sys.modules.pop(name, None)
spec = importlib.util.spec_from_file_location(name, loader=importlib.machinery.ExtensionFileLoader(name, os.getcwd() + '/copy.so'))
importlib.util.module_from_spec(spec); open('marker', 'w')";
    refused(&format!("{COPY}{load}"));
    refused(&format!(
        "{COPY}{}",
        load.replace("'copy.so')", "'copy.so'); os.symlink(os.path.dirname(file), 'lib')")
            .replace("'/copy.so'", "'/lib/../../../../../../../../..' + os.getcwd() + '/copy.so'")
    ));
}

/// The initialiser is chosen by the name, so a listed module hides behind a package's name.
#[test]
fn a_listed_extension_module_is_not_loaded_under_another_name() {
    refused_by(
        "import importlib.util, importlib.machinery
file = importlib.util.find_spec('_ctypes').origin
spec = importlib.util.spec_from_file_location('package._ctypes', loader=importlib.machinery.ExtensionFileLoader('package._ctypes', file))
importlib.util.module_from_spec(spec); open('marker', 'w')",
        |rules| {
            rules.modules.remove("_ctypes");
        },
    );
}

#[test]
fn sqlite_loads_no_extension() {
    refused_by(
        "import sqlite3
connection = sqlite3.connect(':memory:')
if not hasattr(connection, 'enable_load_extension'): print('absent'); sys.exit()
connection.enable_load_extension(True); open('marker', 'w')",
        |rules| {
            assert!(rules.namespaces.remove("sqlite3."));
        },
    );
}
