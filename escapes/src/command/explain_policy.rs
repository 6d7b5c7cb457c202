//! `escapology explain-policy`: everything that the kernel would be told for one program.

use super::grants::{Grants, needs};
use super::selection::layered;
use super::{out, say};
use backends::enforcement::{Enforcement, Environment, Hygiene, PathRule, View};
use backends::linux::seccomp::{Action, Errno, Filter, Rule};
use backends::policy::{Bound, Kind, Limits, Place};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct ExplainPolicy {
    #[command(flatten)]
    grants: Grants,
    /// Hide that paths outside exist, too, by a mount namespace
    #[arg(long)]
    hide_metadata: bool,
    /// Print the enforcement as JSON
    #[arg(long)]
    json: bool,
    /// The program, after `--`
    #[arg(last = true, value_name = "PROGRAM", default_value = "/bin/true")]
    program: Vec<OsString>,
}

impl ExplainPolicy {
    pub(crate) fn run(self) -> ExitCode {
        match self.text() {
            Ok(text) => out(&text),
            Err(error) => {
                say(&error);
                ExitCode::from(2)
            }
        }
    }

    fn text(&self) -> Result<String, String> {
        let program = self.program.first().map(Path::new).unwrap_or(Path::new("/bin/true"));
        let unit = self.grants.unit(program, &[], Bound::Unlimited);
        let needs = needs(&unit).map_err(|error| error.to_string())?;
        let policy = unit.policy(&needs).map_err(|error| error.to_string())?;
        let enforcement =
            layered(self.hide_metadata).enforcement(&policy).map_err(|error| error.to_string())?;
        if self.json {
            return Ok(format!("{}\n", serde_json::json!(enforcement)));
        }
        let mut text = format!("program: {:?}\n", needs.image);
        describe(&mut text, &enforcement).map_err(|error| error.to_string())?;
        Ok(text)
    }
}

fn describe(text: &mut String, enforcement: &Enforcement) -> std::fmt::Result {
    if let Some(landlock) = &enforcement.landlock {
        writeln!(text, "\nfiles (Landlock; every right is denied but these):")?;
        for (place, rule) in &landlock.rules {
            writeln!(text, "  {}", path_rule(place, rule))?;
        }
        writeln!(text, "\nkept inside (Landlock): {}", words(&landlock.scopes))?;
        writeln!(text, "denied (Landlock): {}", words(&landlock.handled_network))?;
    }
    match &enforcement.view {
        Some(view) => describe_view(text, view)?,
        None => writeln!(
            text,
            "\nvisible all the same: that a path exists, and its metadata (stat, readlink, access, statfs, chdir, O_PATH)"
        )?,
    }
    if let Some(filter) = &enforcement.seccomp {
        writeln!(
            text,
            "\nsystem calls (seccomp, {} rules; every other call {}):",
            filter.rules.len(),
            answer(&filter.default)
        )?;
        for (action, names) in by_action(filter) {
            writeln!(text, "  {action}: {}", names.join(" "))?;
        }
        writeln!(
            text,
            "  calls of another architecture: {}; x32: {}",
            answer(&filter.foreign_arch),
            answer(&filter.x32)
        )?;
    }
    describe_hygiene(text, &enforcement.hygiene)?;
    describe_limits(text, &enforcement.limits)
}

fn describe_view(text: &mut String, view: &View) -> std::fmt::Result {
    writeln!(
        text,
        "\nvisible (mount namespace; no other path exists, but the directories above):"
    )?;
    for (place, shown) in &view.places {
        let how = if shown.writable { "writable" } else { "read-only" };
        writeln!(text, "  {place}: {how}")?;
    }
    for (link, target) in &view.links {
        writeln!(text, "  {link:?} -> {target:?}")?;
    }
    Ok(())
}

fn describe_hygiene(text: &mut String, hygiene: &Hygiene) -> std::fmt::Result {
    writeln!(text, "\nhygiene:")?;
    for (on, what) in [
        (
            hygiene.close_descriptors,
            "no descriptor is inherited but the three streams, which are pipes",
        ),
        (hygiene.drop_capabilities, "no capabilities"),
        (hygiene.no_new_privileges, "no new privileges"),
        (hygiene.execute_once, "exactly one program is executed"),
        (hygiene.die_with_launcher, "dies with its launcher"),
        (hygiene.own_session, "a session of its own, without terminal"),
        (hygiene.no_core_dump, "no core dumps"),
        (hygiene.few_pending_signals, "at most 1,024 pending signals and timers"),
        (hygiene.ordinary_priority, "no priority above an ordinary one"),
    ] {
        writeln!(text, "  {}{what}", if on { "" } else { "NOT: " })?;
    }
    match &hygiene.environment {
        Environment::Inherited => writeln!(text, "  the environment is inherited")?,
        Environment::Exactly(variables) => {
            let variables: Vec<String> =
                variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
            writeln!(text, "  environment: {}", variables.join(" "))?;
        }
    }
    Ok(())
}

fn describe_limits(text: &mut String, limits: &Limits) -> std::fmt::Result {
    writeln!(
        text,
        "\nlimits: wall clock {}, CPU {}, address space {}, file {}, descriptors {}, output {}, run directory {} in {} entries",
        bound(limits.wall_clock_milliseconds, " ms"),
        bound(limits.cpu_seconds, " s"),
        bound(limits.address_space_bytes, " bytes"),
        bound(limits.file_size_bytes, " bytes"),
        bound(limits.open_files, ""),
        bound(limits.output_bytes, " bytes"),
        bound(limits.run_directory_bytes, " bytes"),
        bound(limits.run_directory_entries, ""),
    )
}

fn path_rule(place: &Place, rule: &PathRule) -> String {
    let beneath = match rule.kind {
        Kind::Directory => " and everything beneath",
        Kind::File => "",
    };
    format!("{place}{beneath}: {}", words(&rule.rights))
}

/// Data as the words of its serialised form.
fn words<T: Serialize>(items: impl IntoIterator<Item = T>) -> String {
    let words: Vec<String> = items
        .into_iter()
        .filter_map(|item| serde_json::to_value(item).ok()?.as_str().map(str::to_owned))
        .collect();
    words.join(" ")
}

fn answer(action: &Action) -> String {
    match action {
        Action::Allow => "allowed".to_owned(),
        Action::Errno(errno) if errno.number() == 0 => {
            "answered with success, without effect".to_owned()
        }
        Action::Errno(errno) => {
            format!("answered {errno:?}").to_uppercase().replace("ANSWERED", "answered")
        }
        Action::KillProcess => "the program is killed".to_owned(),
    }
}

fn by_action(filter: &Filter) -> BTreeMap<String, Vec<&str>> {
    let mut actions: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (name, rule) in &filter.rules {
        let key = match rule {
            Rule::Always(action) => answer(action),
            Rule::Once { .. } => "the launch's own alone, else answered ENOSYS".to_owned(),
            Rule::Feigned { refused, .. } => format!(
                "{}, for some arguments {}",
                answer(&Action::Errno(Errno::Success)),
                answer(&Action::Errno(*refused))
            ),
            Rule::Checked { otherwise, .. } => {
                format!("allowed for some arguments, else {}", answer(&Action::Errno(*otherwise)))
            }
        };
        actions.entry(key).or_default().push(name);
    }
    actions
}

fn bound(bound: Bound, unit: &str) -> String {
    match bound {
        Bound::At(value) => format!("{value}{unit}"),
        Bound::Unlimited => "unlimited".to_owned(),
    }
}
