//! How a run ends: exit codes, output to the last byte, memory limits, launchers that are killed.

use super::{ESCAPOLOGY, Folder, command, ended, escapology};
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

#[test]
fn a_programs_own_end_is_passed_on() {
    let own = |code: i32| (code, format!("exit {code}"));
    let signal = |number: i32| (128 + number, format!("kill -{number} $$"));
    let ends = [0, 1, 2, 7, 124, 125, 126, 127, 128, 255].map(own);
    for (code, script) in ends.into_iter().chain([1, 2, 6, 9, 11, 13, 15].map(signal)) {
        let confined = escapology(&["run", "--", "/bin/sh", "-c", &script]);
        assert_eq!((confined.code, confined.error.as_str()), (code, ""), "{script}");
        // The test itself may run where signals are ignored, behind nohup(1) for instance.
        let bare = ["--default-signal", "/bin/sh", "-c", &script];
        let bare = ended(command("/usr/bin/env").args(bare));
        assert_eq!(bare.code, code, "{script}");
    }
}

#[test]
fn a_record_tells_a_programs_code_from_the_commands_own() {
    let folder = Folder::new();
    let late = escapology(&["run", "--json", "--timeout", "0.3", "--", "/bin/sleep", "600"]);
    assert_eq!(late.code, 124);
    assert!(String::from_utf8_lossy(&late.output).contains(r#""ended_by":"wall-clock limit""#));
    for code in [124, 125, 126, 127] {
        let exit = format!("exit {code}");
        let own = escapology(&["run", "--json", "--", "/bin/sh", "-c", &exit]);
        let record = String::from_utf8(own.output).unwrap();
        assert_eq!(own.code, code);
        assert!(record.contains(r#""ended_by":"program""#), "{record}");
        assert!(record.contains(&format!(r#""exit":{{"code":{code}}}"#)), "{record}");
    }
    let (plain, absent) = (folder.text("secret"), folder.text("absent"));
    for (code, arguments) in [
        (125, ["run", "--json", "--read", absent.as_str(), "--", "/bin/true"].as_slice()),
        (126, &["run", "--json", "--", &plain]),
        (127, &["run", "--json", "--", &absent]),
    ] {
        let refused = escapology(arguments);
        assert_eq!(refused.code, code, "{}", refused.error);
        assert!(refused.output.is_empty(), "nothing ran, so there is no record");
        assert_eq!(refused.error.lines().count(), 1, "{}", refused.error);
    }
}

#[test]
fn a_record_lies_where_the_program_cannot_put_its_own() {
    let folder = Folder::new();
    let (granted, precious) = (folder.text("granted"), folder.text("precious"));
    fs::create_dir(&granted).unwrap();
    fs::write(&precious, "kept").unwrap();
    // What an earlier program may have left: the record would be written to where the link leads.
    std::os::unix::fs::symlink(&precious, format!("{granted}/link")).unwrap();
    std::os::unix::fs::symlink(format!("{granted}/behind"), folder.text("way")).unwrap();
    fs::write(format!("{granted}/behind"), "").unwrap();
    let run = |record: &str| {
        let script = format!("echo ran > {granted}/ran");
        let arguments = ["run", "--write", &granted, "--record", record, "--", "/bin/sh", "-c"];
        escapology(&[arguments.as_slice(), &[script.as_str()]].concat())
    };
    for record in [format!("{granted}/new"), format!("{granted}/link"), folder.text("way")] {
        let refused = run(&record);
        assert_eq!(refused.code, 125, "{}", refused.error);
        assert!(refused.error.contains("where the program may write"), "{}", refused.error);
    }
    assert!(!Path::new(&format!("{granted}/ran")).exists());
    assert_eq!(fs::read_to_string(&precious).unwrap(), "kept");
    let beside = folder.text("record");
    assert_eq!(run(&beside).code, 0);
    assert!(fs::read_to_string(&beside).unwrap().contains(r#""exit":{"code":0}"#));
    assert!(Path::new(&format!("{granted}/ran")).exists());
}

#[test]
fn output_is_whole_at_the_sizes_of_pipes() {
    let folder = Folder::new();
    let file = folder.text("bytes");
    for size in [0, 1, 4095, 4096, 4097, 65_535, 65_536, 65_537, 200_000, 5_000_003_usize] {
        let mut state = 1_u32;
        let next = |_index| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        let bytes: Vec<u8> = (0..size).map(next).collect();
        fs::write(&file, &bytes).unwrap();
        let seen = escapology(&["run", "--read", &file, "--", "/bin/cat", &file]);
        assert_eq!(seen.code, 0, "{}", seen.error);
        assert!(seen.output == bytes, "{size} bytes on standard output");
    }
    for size in [65_535, 65_536, 65_537, 200_001_usize] {
        fs::write(&file, "e".repeat(size)).unwrap();
        let script = format!(r#"read -r -d "" all <"{file}"; printf %s "$all" >&2; exit 5"#);
        let seen = escapology(&["run", "--read", &file, "--", "/bin/bash", "-c", &script]);
        assert_eq!((seen.code, seen.error.len()), (5, size), "on standard error");
    }
}

#[test]
fn a_program_that_memory_is_short_for_is_said_to_be_so() {
    for (end, code) in [("kill -TRAP $$", 133), ("kill -ABRT $$", 134), ("exit 127", 127)] {
        let program = ["--", "/bin/bash", "-c", end];
        let limited = escapology(&[&["run", "--memory", "1G"], &program[..]].concat());
        assert_eq!(limited.code, code);
        assert!(limited.error.contains("1073741824 bytes"), "{end}: {:?}", limited.error);
        let free = escapology(&[&["run"], &program[..]].concat());
        assert_eq!((free.code, free.error.as_str()), (code, ""), "{end}");
    }
}

#[test]
fn what_a_killed_launcher_left_is_gone_after_the_next_run() {
    let folder = Folder::new();
    let temporary = folder.directory("temporary");
    let launcher = |program: &[&str]| {
        let mut run = command(ESCAPOLOGY);
        run.env("TMPDIR", &temporary).args(["run", "--"]).args(program);
        run
    };
    // `cat` lives until its input ends, and has begun when it has given back what it got.
    let begin = || {
        let mut run = launcher(&["/bin/cat"]);
        let mut child = run.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"x").unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        child
    };
    let directories = || fs::read_dir(&temporary).unwrap().count();
    let mut alive = begin();
    let mut killed = begin();
    assert_eq!(directories(), 2);
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(directories(), 2, "a killed launcher cannot remove its own");
    assert_eq!(ended(&mut launcher(&["/bin/true"])).code, 0);
    assert_eq!(directories(), 1, "that of a launcher that lives stays");
    drop(alive.stdin.take());
    assert!(alive.wait().unwrap().success());
    assert_eq!(directories(), 0);
    assert!(Path::new(&temporary).exists());
}

/// Before a run there is a probe, and a launcher may be killed in that, too.
#[test]
fn what_a_killed_probe_left_is_gone_after_the_next_run() {
    let folder = Folder::new();
    let temporary = PathBuf::from(folder.directory("temporary"));
    let [stale, alive, strange] = ["escapology-probe-stale", "escapology-probe-alive", "other"]
        .map(|name| {
            let place = temporary.join(name);
            fs::create_dir_all(place.join("confined/deeper")).unwrap();
            fs::write(place.join("secret"), name).unwrap();
            place
        });
    let lock = fs::File::open(&alive).unwrap();
    lock.lock().unwrap();
    for arguments in [&["probe"][..], &["run", "--", "/bin/true"]] {
        fs::create_dir_all(&stale).unwrap();
        assert_eq!(ended(command(ESCAPOLOGY).env("TMPDIR", &temporary).args(arguments)).code, 0);
        assert!(!stale.exists(), "{arguments:?} leaves what a killed probe left");
        assert!(alive.join("secret").exists(), "that of a probe that lives stays");
        assert!(strange.join("secret").exists());
        assert_eq!(fs::read_dir(&temporary).unwrap().count(), 2, "it leaves nothing of its own");
    }
    drop(lock);
    assert_eq!(ended(command(ESCAPOLOGY).env("TMPDIR", &temporary).arg("probe")).code, 0);
    assert!(!alive.exists());
}

/// As an ordinary user, whom a closed directory stops.
#[test]
fn what_a_program_closed_or_dug_deep_goes_with_its_run_directory() {
    const TREE: &str = "import os
os.mkdir('shut', 0); os.umask(0o777); os.mkdir('closed'); os.open('file', os.O_CREAT | os.O_WRONLY, 0)
os.umask(0)
for _ in range(2000): os.mkdir('d'); os.chdir('d')
os.mkdir('end', 0)
try: os.listdir('end')
except PermissionError: print('closed')";
    let folder = Folder::new();
    let place = folder.directory("place");
    fs::set_permissions(&place, fs::Permissions::from_mode(0o777)).unwrap();
    let program = folder.text("escapology");
    fs::copy(ESCAPOLOGY, &program).unwrap();
    let mut run = if rustix::process::geteuid().is_root() {
        let mut other = command("setpriv");
        other.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]).arg(&program);
        other
    } else {
        command(&program)
    };
    run.args(["run", "--", "python3", "-c", TREE]).current_dir(&place);
    let seen = ended(run.env_clear().env("TMPDIR", &place).env("PATH", "/usr/bin:/bin"));
    assert_eq!((seen.code, seen.error.as_str()), (0, ""));
    assert_eq!(seen.output, b"closed\n");
    assert_eq!(fs::read_dir(&place).unwrap().count(), 0);
}
