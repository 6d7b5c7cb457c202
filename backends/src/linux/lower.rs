//! Linux. From a policy to what the kernel will be told: pure, total, and the only way there.

use super::seccomp::Filter;
use crate::enforcement::{
    Enforcement, Environment, FileRight, Hygiene, Landlock, NetworkRight, PathRule, Scope,
};
use crate::policy::{Grant, Kind, Policy};
use std::collections::{BTreeMap, BTreeSet};

/// Rights on a directory that may be written. Not among them: execution, device nodes, named pipes,
/// sockets and device ioctls. REFER lets files move between its own directories.
const WRITE_DIRECTORY: [FileRight; 10] = [
    FileRight::ReadFile,
    FileRight::ReadDir,
    FileRight::WriteFile,
    FileRight::Truncate,
    FileRight::RemoveDir,
    FileRight::RemoveFile,
    FileRight::MakeDir,
    FileRight::MakeReg,
    FileRight::MakeSym,
    FileRight::Refer,
];

/// All layers: what `native` applies.
pub fn strict(policy: &Policy, filter: Filter) -> Enforcement {
    Enforcement {
        view: None,
        landlock: Some(landlock(policy)),
        seccomp: Some(filter),
        hygiene: hygiene(policy),
        limits: policy.limits().clone(),
    }
}

/// The hygiene steps of a confined program.
pub fn hygiene(policy: &Policy) -> Hygiene {
    Hygiene {
        die_with_launcher: true,
        own_session: true,
        no_new_privileges: true,
        drop_capabilities: true,
        close_descriptors: true,
        execute_once: true,
        no_core_dump: true,
        few_pending_signals: true,
        ordinary_priority: true,
        environment: Environment::Exactly(policy.environment().clone()),
    }
}

/// Every right handled, both scopes on, and rights given back only where the policy grants.
pub fn landlock(policy: &Policy) -> Landlock {
    let mut rules = BTreeMap::new();
    for grant in policy.read() {
        let rights: &[FileRight] = match grant.kind() {
            Kind::Directory => &[FileRight::ReadFile, FileRight::ReadDir],
            Kind::File => &[FileRight::ReadFile],
        };
        give(&mut rules, grant, rights);
    }
    for grant in policy.write() {
        let rights: &[FileRight] = match grant.kind() {
            Kind::Directory => &WRITE_DIRECTORY,
            Kind::File => &[FileRight::ReadFile, FileRight::WriteFile, FileRight::Truncate],
        };
        give(&mut rules, grant, rights);
    }
    for grant in policy.execute() {
        give(&mut rules, grant, &[FileRight::Execute, FileRight::ReadFile]);
    }
    Landlock {
        handled_files: FileRight::ALL.into_iter().collect(),
        handled_network: BTreeSet::from([NetworkRight::BindTcp, NetworkRight::ConnectTcp]),
        scopes: BTreeSet::from([Scope::AbstractUnixSocket, Scope::Signal]),
        rules,
    }
}

fn give(rules: &mut BTreeMap<crate::policy::Place, PathRule>, grant: &Grant, rights: &[FileRight]) {
    rules
        .entry(grant.place().clone())
        .or_insert_with(|| PathRule {
            kind: grant.kind(),
            rights: BTreeSet::new(),
            identity: grant.identity(),
        })
        .rights
        .extend(rights);
}
