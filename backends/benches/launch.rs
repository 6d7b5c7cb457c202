//! What a confined launch costs beside `std::process::Command`: every mode runs once a round, so that
//! drift hits all alike, and the medians are compared. `cargo bench -p backends`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![expect(clippy::unwrap_used, reason = "a benchmark ends where its setting is broken")]

use backends::backend::{Backend, Confinement};
use backends::command::Command;
use backends::linux::discover::{self, Needs};
use backends::linux::seccomp::{Arch, compile, strict};
use backends::native::{native, native_hidden};
use backends::policy::Policy;
use backends::single::{hygiene, landlock, seccomp};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Rounds of the short programs.
const ROUNDS: usize = 400;

/// Rounds of the interpreter.
const PYTHON_ROUNDS: usize = 60;

/// Host memory that is touched for the second measurement.
const HOST_MEMORY: usize = 1 << 30;

/// The static program: what a C compiler makes of nothing.
const STATIC: &str = "int main(void) { return 0; }\n";

struct Subject {
    name: &'static str,
    needs: Needs,
    arguments: Vec<OsString>,
    confinement: Box<dyn Confinement>,
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
        let hidden = native_hidden().prepare(&policy).unwrap();
        let layers = [
            ("hygiene", hygiene().prepare(&policy).unwrap()),
            ("landlock", landlock().prepare(&policy).unwrap()),
            ("seccomp", seccomp().prepare(&policy).unwrap()),
        ];
        let arguments = arguments.iter().map(OsString::from).collect();
        Self { name, needs, arguments, confinement, hidden, layers, run: run.to_owned() }
    }

    /// The way of the standard library: spawn with pipes, wait, collect.
    #[expect(clippy::disallowed_methods, reason = "this is what the launcher is compared with")]
    fn standard(&self) -> Duration {
        let began = Instant::now();
        let output = std::process::Command::new(&self.needs.image)
            .args(&self.arguments)
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

    /// Medians of both ways, round by round. What a launch leaves for the kernel to clean up is paid by
    /// whoever comes next, so a third way would be measured in the others.
    fn measure(&self, confinement: &dyn Confinement, rounds: usize) -> (Duration, Duration) {
        let (mut standard, mut confined) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            standard.push(self.standard());
            confined.push(self.confined(confinement));
        }
        (median(standard), median(confined))
    }

    fn report(&self, rounds: usize, bound: f64) {
        self.report_ways(rounds, bound);
        let (_, hidden) = self.measure(&*self.hidden, rounds);
        println!("{:<22} metadata hidden {hidden:>9.1?}", "");
    }

    /// With a child started by each launch, and with one that was ready before.
    fn report_ways(&self, rounds: usize, bound: f64) {
        let row = |name: &str, way: &str, bound: &str| {
            let (standard, confined) = self.measure(&*self.confinement, rounds);
            let ratio = confined.as_secs_f64() / standard.as_secs_f64();
            println!(
                "{name:<22} std {standard:>9.1?}  {way:>8} {confined:>9.1?}  ratio {ratio:.3}{bound}"
            );
        };
        row(self.name, "by itself", "");
        self.confinement.keep_ready();
        row("", "ready", &format!(" (at most {bound})"));
    }

    /// Where the difference comes from.
    fn report_layers(&self, rounds: usize) {
        for (layer, confinement) in &self.layers {
            let (standard, confined) = self.measure(&**confinement, rounds);
            let ratio = confined.as_secs_f64() / standard.as_secs_f64();
            println!(
                "{:<22} std {standard:>9.1?}  {layer:>8} {confined:>9.1?}  ratio {ratio:.3}",
                ""
            );
        }
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
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
    for subject in [&fixed, &dynamic] {
        subject.report(ROUNDS, 1.15);
        subject.report_layers(ROUNDS);
    }
    python.report(PYTHON_ROUNDS, 1.05);

    let (_, small) = dynamic.measure(&*dynamic.confinement, ROUNDS);
    let mut memory = vec![0u8; HOST_MEMORY];
    for page in memory.chunks_mut(4096) {
        page[0] = 1;
    }
    let (_, large) = dynamic.measure(&*dynamic.confinement, ROUNDS);
    let ratio = large.as_secs_f64() / small.as_secs_f64();
    println!(
        "with 1 GiB of touched host memory: {small:.1?} -> {large:.1?}, ratio {ratio:.3} (at most 1.3)"
    );
    assert!(memory.iter().step_by(4096).all(|byte| *byte == 1));
}
