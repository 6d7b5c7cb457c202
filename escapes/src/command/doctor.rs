//! `escapology doctor`: what this host has, what is missing for S1, and how to get it, in plain words.

use super::out;
use super::probe::lines;
use backends::backend::Backend;
use backends::native::native;
use backends::policy::Policy;
use backends::protection::State;
use clap::Args;
use harness::host;
use harness::setting::Setting;
use reports::record::Runtime;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Doctor {}

impl Doctor {
    pub(crate) fn run(self) -> ExitCode {
        let facts = host::facts();
        let mut text =
            format!("host\n  kernel            {} {}\n", facts.kernel, facts.architecture);
        let landlock = match facts.landlock.abi {
            0 => "none".to_owned(),
            abi => format!(
                "ABI {abi}, errata {:#b}{}",
                facts.landlock.errata,
                if abi < 6 { " (S1 needs ABI 6, Linux 6.12)" } else { "" }
            ),
        };
        let actions: Vec<&str> = facts.seccomp_actions.iter().map(String::as_str).collect();
        let namespaces = match facts.user_namespaces {
            Some(true) => "yes",
            Some(false) => "no",
            None => "unknown",
        };
        text +=
            &format!("  Landlock          {landlock}\n  seccomp           {}\n", actions.join(" "));
        text += &format!(
            "  user namespaces   {namespaces} (third-party sandboxes need them, native does not)\n"
        );
        text += &format!(
            "  user              uid {}, capabilities {}\n",
            facts.uid, facts.capabilities
        );
        text += "\nruntimes\n";
        for runtime in [Runtime::Native, Runtime::Python] {
            let line = match Setting::find(&[runtime]) {
                Ok(setting) => match (&setting.python, runtime) {
                    (Some(python), _) => {
                        format!("{:?}, Python {:?}", python.executable, python.version)
                    }
                    (None, _) => format!("{:?}", setting.native.image),
                },
                Err(error) => format!("MISSING: {error}"),
            };
            text += &format!("  {:<17} {line}\n", runtime.name());
        }
        text += "\nnative sandbox\n";
        let missing = protections(&mut text) || unproved(&mut text);
        text += if missing {
            "\nThis host cannot earn S1 as it is: see the lines above.\n"
        } else {
            "\nNothing is missing for S1. `escapology certify` finds out whether it is earned.\n"
        };
        let printed = out(&text);
        if missing && printed == ExitCode::SUCCESS { ExitCode::from(3) } else { printed }
    }
}

/// The acts of a throw-away child are not the start of a program: a host with every protection still has
/// to pass the probe.
fn unproved(text: &mut String) -> bool {
    let found = backends::probe::host();
    if found.rung.is_ok() {
        return false;
    }
    for (what, line) in lines(found) {
        *text += &format!("  probe: {what:<12} {line}\n");
    }
    true
}

/// One line a protection, each reason once; what is missing comes with its remedy.
fn protections(text: &mut String) -> bool {
    let backend = native();
    let mut said: Vec<String> = Vec::new();
    for seen in backend.support().protections {
        let line = match seen.state {
            State::Active => "active: a throw-away program was denied".to_owned(),
            State::Unavailable(why) if said.contains(&why) => {
                "MISSING for the same reason".to_owned()
            }
            State::Unavailable(why) => {
                let line = format!("MISSING: {why}");
                said.push(why);
                line
            }
        };
        *text += &format!("  {:<17} {line}\n", seen.protection.name());
    }
    if let Ok(policy) = Policy::builder().build()
        && let Err(error) = backend.prepare(&policy)
    {
        *text += &format!("  remedy            {}\n", error.remedy);
    }
    !said.is_empty()
}
