//! The mutants of the Python hook: of its rules and of the paths that go with them.

use super::Aim;
use crate::hook::{ArgumentRule, HookPolicy, HookRules};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A change of what the hook is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookEdit {
    /// There is no hook.
    Off,
    /// An event's arguments are not looked at; neither is its namespace.
    Event(String),
    /// One argument of an event is not looked at.
    Argument(String, usize),
    /// Unnamed events with this prefix are permitted.
    Namespace(String),
    /// An event does not end the process.
    Fatal(String),
    /// A function of the hook is not guarded against an event.
    Guarded(String),
    /// A module may be imported.
    Module(String),
    /// A module that refuses is not put in the place of the real one.
    Refusing(String),
    /// A flag does not make opening an act of writing.
    Flag(i32),
    /// A letter does not make opening an act of writing.
    Letter(char),
    /// What may be read is widened to the directories above.
    ReadAbove,
    /// What may be written is widened to the directories above.
    WriteAbove,
    /// What may be read may be written.
    WriteRead,
    /// Extension modules may be loaded from wherever may be written.
    LoadWritten,
    /// Nothing may be written.
    WriteNothing,
}

/// One change of the hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookMutant {
    /// The rule that it touches, `hook/…`.
    pub rule: String,
    /// What it does to the rule.
    pub change: String,
    /// What must notice it.
    pub aim: Aim,
    /// The change as data.
    pub edit: HookEdit,
}

impl HookMutant {
    /// Its name: the rule and the change.
    pub fn id(&self) -> String {
        format!("{} {}", self.rule, self.change)
    }
}

fn mutant(rule: &str, change: &str, edit: HookEdit) -> HookMutant {
    let (rule, change) = (format!("hook/{rule}"), change.to_owned());
    HookMutant { rule, change, aim: Aim::Weaker, edit }
}

/// Every mutant of the hook.
pub fn hook_mutants(rules: &HookRules) -> Vec<HookMutant> {
    let HookRules {
        arguments,
        allowed: _wider_already,
        namespaces,
        fatal,
        guarded,
        modules,
        refusing,
        write_flags,
        write_modes,
    } = rules;
    let mut all =
        vec![HookMutant { rule: "layer/hook".to_owned(), ..mutant("", "dropped", HookEdit::Off) }];
    for (event, checks) in arguments {
        all.extend(of_event(event, checks));
    }
    let each = |names: &BTreeSet<String>, what, edit: fn(String) -> HookEdit| -> Vec<HookMutant> {
        names.iter().map(|name| mutant(name, what, edit(name.clone()))).collect()
    };
    all.extend(
        namespaces.iter().map(|name| {
            mutant(&format!("{name}*"), "permitted", HookEdit::Namespace(name.clone()))
        }),
    );
    all.extend(each(fatal, "not fatal", HookEdit::Fatal));
    all.extend(each(guarded, "not guarded", HookEdit::Guarded));
    all.extend(modules.iter().map(|name| {
        mutant(&format!("import.{name}"), "permitted", HookEdit::Module(name.clone()))
    }));
    // The real one may not be imported, so that honest programs fail which import it unused.
    all.extend(refusing.keys().map(|name| {
        let edit = HookEdit::Refusing(name.clone());
        let mutant = mutant(&format!("refusing.{name}"), "the real one", edit);
        HookMutant { aim: Aim::Stricter, ..mutant }
    }));
    all.extend(
        write_flags.iter().map(|flag| {
            mutant(&format!("write-flag.{flag:#o}"), "no writing", HookEdit::Flag(*flag))
        }),
    );
    all.extend(
        write_modes.iter().map(|mode| {
            mutant(&format!("write-mode.{mode}"), "no writing", HookEdit::Letter(*mode))
        }),
    );
    all.extend(of_policy());
    all
}

fn of_event(event: &str, checks: &[ArgumentRule]) -> Vec<HookMutant> {
    let mut all = vec![mutant(event, "not looked at", HookEdit::Event(event.to_owned()))];
    if checks.len() > 1 {
        all.extend(checks.iter().map(|rule| {
            let ArgumentRule { position, directory: _of_the_same_path, check: _whatever } = rule;
            let edit = HookEdit::Argument(event.to_owned(), *position);
            mutant(event, &format!("argument {position} not looked at"), edit)
        }));
    }
    all
}

/// The paths. They differ from run to run, so they are changed as a whole.
fn of_policy() -> Vec<HookMutant> {
    let HookPolicy { read: _, write: _, native_modules: _ } = HookPolicy::default();
    let mut all = vec![
        mutant("read", "widened to the parents", HookEdit::ReadAbove),
        mutant("read", "made writable", HookEdit::WriteRead),
        mutant("write", "widened to the parents", HookEdit::WriteAbove),
        mutant("native-modules", "loaded from what is written", HookEdit::LoadWritten),
    ];
    let nothing = mutant("write", "denied", HookEdit::WriteNothing);
    all.push(HookMutant { aim: Aim::Stricter, ..nothing });
    all
}

impl HookEdit {
    /// Makes the change. [`HookEdit::Off`] is for whoever starts the program.
    pub fn apply(&self, policy: &mut HookPolicy, rules: &mut HookRules) {
        match self {
            Self::Off => {}
            Self::Event(event) => {
                rules.arguments.remove(event);
                // Unnamed, its namespace would refuse it whatever its arguments are.
                rules.allowed.insert(event.clone());
            }
            Self::Argument(event, position) => {
                if let Some(checks) = rules.arguments.get_mut(event) {
                    checks.retain(|rule| rule.position != *position);
                }
            }
            Self::Namespace(name) => {
                rules.namespaces.remove(name);
            }
            Self::Fatal(name) => {
                rules.fatal.remove(name);
            }
            Self::Guarded(name) => {
                rules.guarded.remove(name);
            }
            Self::Module(name) => {
                rules.modules.remove(name);
                rules.refusing.remove(name);
            }
            Self::Refusing(name) => {
                rules.refusing.remove(name);
            }
            Self::Flag(flag) => {
                rules.write_flags.remove(flag);
            }
            Self::Letter(letter) => {
                rules.write_modes.remove(letter);
            }
            Self::ReadAbove
            | Self::WriteAbove
            | Self::WriteRead
            | Self::LoadWritten
            | Self::WriteNothing => self.apply_to_paths(policy),
        }
    }

    fn apply_to_paths(&self, policy: &mut HookPolicy) {
        let above = |paths: &BTreeSet<PathBuf>| -> BTreeSet<PathBuf> {
            paths.iter().filter_map(|path| path.parent().map(Path::to_owned)).collect()
        };
        match self {
            Self::ReadAbove => policy.read.extend(above(&policy.read.clone())),
            Self::WriteAbove => policy.write.extend(above(&policy.write.clone())),
            Self::WriteRead => policy.write.extend(policy.read.iter().cloned()),
            Self::LoadWritten => policy.native_modules.extend(policy.write.iter().cloned()),
            Self::WriteNothing => policy.write.clear(),
            Self::Off
            | Self::Event(_)
            | Self::Argument(..)
            | Self::Namespace(_)
            | Self::Fatal(_)
            | Self::Guarded(_)
            | Self::Module(_)
            | Self::Refusing(_)
            | Self::Flag(_)
            | Self::Letter(_) => {}
        }
    }
}
