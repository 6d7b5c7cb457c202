//! What a confined launch costs beside `std::process::Command`. `cargo bench -p backends --bench launch`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![expect(clippy::unwrap_used, reason = "a benchmark ends where its setting is broken")]

mod rounds;

use backends::backend::{Backend, Confinement};
use backends::command::Command;
use backends::linux::discover::{self, Needs};
use backends::linux::seccomp::{Arch, compile, strict};
use backends::native::{native, native_hidden};
use backends::policy::Policy;
use backends::single::{hygiene, landlock, seccomp};
use rounds::{Way, medians, medians_in_a_row, ratio};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Rounds of the short programs.
const ROUNDS: usize = 400;

/// Rounds of the interpreter.
const PYTHON_ROUNDS: usize = 200;

/// Host memory that is touched for the second measurement.
const HOST_MEMORY: usize = 1 << 30;

/// The static program: what a C compiler makes of nothing.
const STATIC: &str = "int main(void) { return 0; }\n";

struct Subject {
    name: &'static str,
    needs: Needs,
    arguments: Vec<OsString>,
    /// The same for both ways: a dynamic loader searches what a variable says.
    environment: BTreeMap<String, String>,
    confinement: Box<dyn Confinement>,
    kept_ready: Box<dyn Confinement>,
    /// All layers in a mount namespace.
    hidden: Box<dyn Confinement>,
    /// Each layer alone. Hygiene, which is in the others too, comes first.
    layers: [(&'static str, Box<dyn Confinement>); 3],
    run: PathBuf,
}

impl Subject {
    fn new(name: &'static str, needs: Needs, arguments: &[&str], run: &Path) -> Self {
        let builder = Policy::builder().devices().unwrap().needs(&needs).unwrap();
        let policy = builder.build().unwrap();
        let confinement = native().prepare(&policy).unwrap();
        let kept_ready = native().prepare(&policy).unwrap();
        kept_ready.keep_ready();
        let hidden = native_hidden().prepare(&policy).unwrap();
        let layers = [
            ("hygiene", hygiene().prepare(&policy).unwrap()),
            ("landlock", landlock().prepare(&policy).unwrap()),
            ("seccomp", seccomp().prepare(&policy).unwrap()),
        ];
        let arguments = arguments.iter().map(OsString::from).collect();
        let environment = policy.environment().clone();
        Self {
            name,
            needs,
            arguments,
            environment,
            confinement,
            kept_ready,
            hidden,
            layers,
            run: run.to_owned(),
        }
    }

    /// The way of the standard library: spawn with pipes, wait, collect.
    #[expect(clippy::disallowed_methods, reason = "this is what the launcher is compared with")]
    fn standard(&self) -> Duration {
        let began = Instant::now();
        let output = std::process::Command::new(&self.needs.image)
            .args(&self.arguments)
            .env_clear()
            .envs(&self.environment)
            .current_dir(&self.run)
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success());
        began.elapsed()
    }

    fn confined(&self, confinement: &dyn Confinement) -> Duration {
        let began = Instant::now();
        let mut command = Command::new(&self.needs.image, &self.run);
        command.argument0 = Some(self.needs.argument0.clone());
        command.arguments.clone_from(&self.arguments);
        let completed = confinement.launch(command).unwrap().wait().unwrap();
        assert_eq!(completed.ended.exit, backends::child::Exit::Code(0));
        began.elapsed()
    }

    fn report(&self, rounds: usize, bound: f64) {
        let standard = || self.standard();
        let itself = || self.confined(&*self.confinement);
        let ready = || self.confined(&*self.kept_ready);
        let ways: [Way<'_>; 3] = [&standard, &itself, &ready];
        let row = |name: &str, [standard, itself, ready]: [Duration; 3], bound: &str| {
            println!(
                "{name:<22} std {standard:>9.1?}  ready {ready:>9.1?}  ratio {:.3}{bound}  by itself {itself:>9.1?}  ratio {:.3}",
                ratio(ready, standard),
                ratio(itself, standard),
            );
        };
        row(self.name, medians(rounds, ways), &format!(" (at most {bound})"));
        row("  without a pause", medians_in_a_row(rounds, ways), "");
    }

    /// Where the difference comes from, for launches by themselves.
    fn report_layers(&self, rounds: usize) {
        let standard = || self.standard();
        let [hygiene, landlock, seccomp] =
            self.layers.each_ref().map(|(_name, layer)| || self.confined(&**layer));
        let hidden = || self.confined(&*self.hidden);
        let row = |name: &str, standard: Duration, layer: Duration| {
            println!(
                "  {name:<20} std {standard:>9.1?}        {layer:>9.1?}  ratio {:.3}",
                ratio(layer, standard)
            );
        };
        let [time, times @ ..] = medians(rounds, [&standard, &hygiene, &landlock, &seccomp]);
        for ((name, _layer), layer) in self.layers.iter().zip(times) {
            row(name, time, layer);
        }
        // By itself: a mount namespace is taken down for longer than a pause.
        let [time, hidden] = medians(rounds, [&standard, &hidden]);
        row("metadata hidden", time, hidden);
    }
}

/// A static program with its C library, from the compiler of this host.
#[expect(clippy::disallowed_methods, reason = "the compiler is no program under trial")]
fn compiled(folder: &Path) -> PathBuf {
    let folder = folder.canonicalize().unwrap();
    let (source, image) = (folder.join("static.c"), folder.join("static"));
    std::fs::write(&source, STATIC).unwrap();
    let cc = std::process::Command::new("cc")
        .args(["-O2", "-static", "-o"])
        .arg(&image)
        .arg(&source)
        .status();
    assert!(cc.unwrap().success(), "cc -static");
    image
}

fn main() {
    let path = OsStr::new("/usr/bin:/bin");
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().canonicalize().unwrap().join("run");
    std::fs::create_dir(&run).unwrap();
    let image = compiled(folder.path());
    let fixed = Subject::new("static", discover::program(&image, path).unwrap(), &[], &run);
    let dynamic = discover::program(Path::new("/bin/true"), path).unwrap();
    let dynamic = Subject::new("dynamic (/bin/true)", dynamic, &[], &run);
    let python = discover::python(Path::new("python3"), path).unwrap().needs;
    let python = Subject::new("python3 -I -S -c pass", python, &["-I", "-S", "-c", "pass"], &run);

    let instructions = compile(&strict(Arch::native().unwrap())).unwrap().instructions.len();
    println!("filter: {instructions} instructions in one call (under 450)");
    fixed.report(ROUNDS, 1.15);
    // Of the one alone whose cost no inherited variable changes: a layer by itself keeps the environment.
    fixed.report_layers(ROUNDS);
    dynamic.report(ROUNDS, 1.15);
    python.report(PYTHON_ROUNDS, 1.05);

    let launched = || dynamic.confined(&*dynamic.kept_ready);
    let [small] = medians(ROUNDS, [&launched]);
    let mut memory = vec![0u8; HOST_MEMORY];
    for page in memory.chunks_mut(4096) {
        page[0] = 1;
    }
    let [large] = medians(ROUNDS, [&launched]);
    println!(
        "with 1 GiB of touched host memory: {small:.1?} -> {large:.1?}, ratio {:.3} (at most 1.3)",
        ratio(large, small)
    );
    assert!(memory.iter().step_by(4096).all(|byte| *byte == 1));
}
