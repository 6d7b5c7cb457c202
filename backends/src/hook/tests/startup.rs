//! Nothing that the run directory or the environment holds runs before the program does, or in place of a module that
//! the start imports: no hook is there to see it.

use super::super::{HookRules, arguments, plain_arguments};
use super::world::{Interpreter, World, command, interpreters};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;

/// Modules that the interpreter, the bootstrap or an honest program imports.
const SHADOWS: [&str; 6] = ["sitecustomize", "usercustomize", "json", "random", "types", "runpy"];

/// Leaves modules and a `.pth` file that leave a mark in the folder `ran` when they run.
fn lay_traps(world: &World, interpreter: &Interpreter) {
    let ran = world.path("run/ran");
    fs::create_dir(&ran).unwrap();
    let trap = |name: &str| format!("open({:?}, 'w').close()\n", ran.join(name));
    for name in SHADOWS {
        fs::write(world.path("run").join(format!("{name}.py")), trap(name)).unwrap();
    }
    let version = interpreter.library.file_name().unwrap();
    let site = world.path("run/base/lib").join(version).join("site-packages");
    fs::create_dir_all(&site).unwrap();
    fs::write(site.join("trap.pth"), format!("import os; {}", trap("pth"))).unwrap();
    fs::write(world.path("run/program.py"), "import json, random, sys\n").unwrap();
}

/// The traps that ran when the interpreter was started with these arguments in an environment that names them.
fn ran(world: &World, interpreter: &Interpreter, arguments: Vec<OsString>) -> BTreeSet<String> {
    let run = world.path("run");
    let ended = command(&interpreter.executable)
        .args(arguments)
        .env("PYTHONPATH", &run)
        .env("PYTHONUSERBASE", run.join("base"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(&run)
        .output()
        .unwrap();
    let names = fs::read_dir(run.join("ran")).unwrap();
    let mut names: BTreeSet<String> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    if !ended.status.success() {
        names.insert(format!("the program failed: {}", String::from_utf8_lossy(&ended.stderr)));
    }
    names
}

#[test]
fn nothing_of_the_run_directory_or_the_environment_runs_before_the_program() {
    for interpreter in interpreters() {
        let world = World::new();
        lay_traps(&world, interpreter);
        let program = world.path("run/program.py");
        let plain = plain_arguments(&program, &[]);
        assert_eq!(ran(&world, interpreter, plain), BTreeSet::new(), "{interpreter:?}");
        let policy = world.policy(interpreter);
        let hooked = arguments(&policy, &HookRules::standard(), &program, &[]).unwrap();
        assert_eq!(ran(&world, interpreter, hooked), BTreeSet::new(), "{interpreter:?}");
        // The control: as anybody would start it, it falls into the traps.
        let careless = ran(&world, interpreter, vec![program.into()]);
        for trap in ["json", "pth", "sitecustomize"] {
            assert!(careless.contains(trap), "{interpreter:?} {careless:?}");
        }
    }
}
