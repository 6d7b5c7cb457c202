//! A host program in small: ten Python programs in one session, some of them up to no good, a deliverable
//! that is harvested and saved, and the event file. `cargo run -p backends --example session_host [DIRECTORY]`
//!
//! The deliverables and the events are written to the directory, else to a temporary one that is kept.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use backends::events::{EventFile, printable};
use backends::executor::Program;
use backends::harvest::HarvestLimits;
use backends::session::{Session, release_on_signals};
use std::path::PathBuf;
use std::sync::Arc;

/// What a model or a build might ask a host to run.
const PROGRAMS: [(&str, &str); 10] = [
    ("computes", "print(sum(range(1_000_000)))"),
    (
        "writes a report",
        "import json, os\nos.mkdir('out')\njson.dump({'answer': 42}, open('out/report.json', 'w'))",
    ),
    (
        "looks for the report of an earlier run",
        "import os\nprint(os.listdir('.'), os.listdir('tmp'))",
    ),
    ("reads a file of the host", "print(open('/etc/passwd').read())"),
    ("opens a socket", "import socket\nsocket.create_connection(('127.0.0.1', 80))"),
    (
        "starts a shell",
        "import os\nos.system('id') == 0 or print('no shell')\nos.execv('/bin/sh', ['sh'])",
    ),
    ("never ends", "while True: pass"),
    ("talks without end", "while True: print('x' * 1000)"),
    ("changes its own text", "open(__file__, 'w').write('')"),
    (
        "leaves traps",
        "import os\nos.symlink('/etc/passwd', 'result.json'); open('ok.json', 'w').write('{}')\nopen('\\x1b[2J.json', 'w')",
    ),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    release_on_signals()?;
    let out = match std::env::args_os().nth(1) {
        Some(path) => PathBuf::from(path),
        None => tempfile::tempdir()?.keep(),
    };
    let events = Arc::new(EventFile::append(&out.join("events.jsonl"))?);
    let mut limits = backends::session::session_limits();
    limits.wall_clock_milliseconds = backends::policy::Bound::At(2_000);
    limits.output_bytes = backends::policy::Bound::At(100_000);
    let session = Session::builder()
        .keep_out_of([std::env::current_dir()?])
        .limits(limits)
        .observer(events.clone())
        .build();
    println!("{}", session.policy()?.capabilities_text());
    for (number, (what, text)) in PROGRAMS.iter().enumerate() {
        let run = session.run(&Program::python(*text))?;
        let said = printable(run.stdout().get(..60.min(run.stdout().len())).unwrap_or_default());
        println!("{what}: {:?} {said}", run.outcome());
        let harvest = run.harvest("**/*.json", &HarvestLimits::default())?;
        for finding in harvest.findings() {
            println!("    left: {finding}");
        }
        let into = out.join(format!("deliverables-{}", number + 1));
        if !harvest.files().is_empty() {
            std::fs::create_dir(&into)?;
            harvest.save(&into)?;
            println!("    saved below {}: {}", into.display(), harvest.files().len());
        }
    }
    for finding in session.close() {
        println!("left behind: {finding}");
    }
    if let Some(error) = events.failure() {
        return Err(error.into());
    }
    println!("\n{}", std::fs::read_to_string(out.join("events.jsonl"))?);
    Ok(())
}
