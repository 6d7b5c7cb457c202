//! Linux. A Landlock ruleset from data, with hard requirements: what the kernel lacks is an error and
//! never dropped, as the library would do by default.

use crate::enforcement::{FileRight, Landlock, NetworkRight, Scope};
use crate::policy::{Identity, Kind, Place};
use crate::protection::{Protection, Reason, Unavailable};
use crate::sys::kernel;
use landlock::{
    AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr,
};
use nix::fcntl::{OFlag, OpenHow, ResolveFlag};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

/// Rules whose descriptors are kept open between launches, because a rule costs five times as much
/// when its path is opened each time. A policy with more grants would use up the descriptors of its host.
const KEPT_OPEN: usize = 48;

/// The rules of a policy, ready to be added to the ruleset of each launch.
#[derive(Debug)]
pub(super) struct Rules {
    template: Landlock,
    paths: Vec<(Opened, BitFlags<AccessFs>)>,
    run: BitFlags<AccessFs>,
    program: BitFlags<AccessFs>,
}

/// The text of the program that is launched.
#[derive(Clone, Copy, Debug)]
pub(super) enum Text<'a> {
    /// It is in this file.
    At(&'a Path),
    /// The command names none.
    Missing,
    /// Nothing is launched that would read it.
    Unread,
}

#[derive(Debug)]
enum Opened {
    Kept(OwnedFd),
    Named(PathBuf, Kind, Option<Identity>),
}

impl Rules {
    /// Opens the granted places and checks that they still are what the policy says.
    pub(super) fn prepare(template: &Landlock) -> Result<Self, Unavailable> {
        let abi =
            kernel::landlock_abi().map_err(|source| absent("landlock_create_ruleset", source))?;
        let mut rules = Self {
            template: template.clone(),
            paths: Vec::new(),
            run: BitFlags::empty(),
            program: BitFlags::empty(),
        };
        for (place, rule) in &template.rules {
            let rights = file_rights(&rule.rights);
            let path = match place {
                Place::Path(path) => PathBuf::from(path),
                Place::Run => {
                    rules.run = rights;
                    continue;
                }
                Place::Program => {
                    rules.program = rights;
                    continue;
                }
            };
            let descriptor = open(&path, rule.kind, rule.identity)?;
            let opened = if rules.paths.len() < KEPT_OPEN {
                Opened::Kept(descriptor)
            } else {
                Opened::Named(path, rule.kind, rule.identity)
            };
            rules.paths.push((opened, rights));
        }
        // Building it once shows at preparation, not at the first launch, what this kernel lacks.
        rules.create(abi)?;
        Ok(rules)
    }

    /// A ruleset with all rules, the run directory and the program's text among them.
    pub(super) fn build(
        &self,
        run: BorrowedFd<'_>,
        text: Text<'_>,
    ) -> Result<OwnedFd, Unavailable> {
        let mut ruleset = self.create(0)?;
        for (opened, rights) in &self.paths {
            ruleset = match opened {
                Opened::Kept(descriptor) => add(ruleset, descriptor.as_fd(), *rights)?,
                Opened::Named(path, kind, identity) => {
                    add(ruleset, open(path, *kind, *identity)?.as_fd(), *rights)?
                }
            };
        }
        if !self.run.is_empty() {
            ruleset = add(ruleset, run, self.run)?;
        }
        if !self.program.is_empty() {
            ruleset = match text {
                Text::At(path) => {
                    add(ruleset, open(&path.to_owned(), Kind::File, None)?.as_fd(), self.program)?
                }
                Text::Missing => return Err(no_program_text()),
                Text::Unread => ruleset,
            };
        }
        Option::<OwnedFd>::from(ruleset).ok_or_else(|| {
            unavailable(
                "landlock_create_ruleset",
                Reason::Behaviour("no ruleset was created".to_owned()),
            )
        })
    }

    fn create(&self, abi: i64) -> Result<RulesetCreated, Unavailable> {
        let lost = |error: landlock::RulesetError| {
            let reason = format!("{error} (the kernel offers Landlock ABI {abi}, S1 needs 6)");
            unavailable("landlock_create_ruleset", Reason::Behaviour(reason))
        };
        let mut ruleset = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(file_rights(&self.template.handled_files))
            .map_err(lost)?;
        let network = network_rights(&self.template.handled_network);
        if !network.is_empty() {
            ruleset = ruleset.handle_access(network).map_err(lost)?;
        }
        let scopes = scopes(&self.template.scopes);
        if !scopes.is_empty() {
            ruleset = ruleset.scope(scopes).map_err(lost)?;
        }
        ruleset.create().map_err(lost)
    }

    /// Whether these rules deny a listing of the root directory.
    pub(super) fn deny_root(&self) -> bool {
        self.template.handled_files.contains(&FileRight::ReadDir)
    }
}

fn add(
    ruleset: RulesetCreated,
    place: BorrowedFd<'_>,
    rights: BitFlags<AccessFs>,
) -> Result<RulesetCreated, Unavailable> {
    ruleset
        .add_rule(PathBeneath::new(place, rights))
        .map_err(|error| unavailable("landlock_add_rule", Reason::Behaviour(error.to_string())))
}

/// Opens a granted place without rights and through no symbolic link at all, if it still is what was granted:
/// the very descriptor that a rule is made of is looked at.
pub(crate) fn open(
    path: &PathBuf,
    kind: Kind,
    identity: Option<Identity>,
) -> Result<OwnedFd, Unavailable> {
    let lost = |call, source: io::Error| {
        let reason = Reason::Path { path: path.clone(), source };
        Unavailable {
            protection: Protection::FileRead,
            call,
            reason,
            remedy: "grant paths that exist, that you may reach, and that stay what they are",
        }
    };
    let mut flags = OFlag::O_PATH | OFlag::O_CLOEXEC;
    if kind == Kind::Directory {
        flags |= OFlag::O_DIRECTORY;
    }
    let how = OpenHow::new().flags(flags).resolve(ResolveFlag::RESOLVE_NO_SYMLINKS);
    let directory = nix::fcntl::AT_FDCWD;
    let descriptor =
        nix::fcntl::openat2(directory, path, how).map_err(|errno| lost("openat2", errno.into()))?;
    // The metadata of the open descriptor, by a duplicate that is closed again.
    let file = descriptor.try_clone().map_err(|error| lost("fcntl(F_DUPFD_CLOEXEC)", error))?;
    let metadata = std::fs::File::from(file).metadata().map_err(|error| lost("statx", error))?;
    if metadata.is_dir() != (kind == Kind::Directory) {
        return Err(lost("statx", io::Error::from_raw_os_error(libc::EISDIR)));
    }
    if identity.is_some_and(|identity| identity != Identity::of(&metadata)) {
        return Err(lost("statx", io::Error::from_raw_os_error(libc::ESTALE)));
    }
    Ok(descriptor)
}

/// Without it the program would be denied its own text, which would look like a sandbox that is too tight.
fn no_program_text() -> Unavailable {
    Unavailable {
        protection: Protection::FileRead,
        call: "landlock_add_rule",
        reason: Reason::Behaviour("the policy grants {program}, the command names none".to_owned()),
        remedy: "say in the command which file holds the program's text",
    }
}

fn unavailable(call: &'static str, reason: Reason) -> Unavailable {
    let remedy = "use Linux 6.12 or later with Landlock enabled (CONFIG_SECURITY_LANDLOCK, `lsm=landlock,...`)";
    Unavailable { protection: Protection::FileRead, call, reason, remedy }
}

/// The errno tells what is missing: the feature, its activation, or the permission to ask.
fn absent(call: &'static str, source: io::Error) -> Unavailable {
    let remedy = match source.raw_os_error() {
        Some(libc::ENOSYS) => "this kernel has no Landlock: build it with CONFIG_SECURITY_LANDLOCK",
        Some(libc::EOPNOTSUPP) => {
            "Landlock is switched off: add `landlock` to the kernel's `lsm=` list"
        }
        Some(libc::EPERM | libc::EACCES) => {
            "a filter around this process (a container's?) forbids Landlock: allow its three calls"
        }
        _ => {
            "this answer is not the kernel's own: look for a filter or a tracer around this process"
        }
    };
    Unavailable { protection: Protection::FileRead, call, reason: Reason::Call(source), remedy }
}

fn file_rights(rights: &std::collections::BTreeSet<FileRight>) -> BitFlags<AccessFs> {
    rights
        .iter()
        .map(|right| match right {
            FileRight::Execute => AccessFs::Execute,
            FileRight::WriteFile => AccessFs::WriteFile,
            FileRight::ReadFile => AccessFs::ReadFile,
            FileRight::ReadDir => AccessFs::ReadDir,
            FileRight::RemoveDir => AccessFs::RemoveDir,
            FileRight::RemoveFile => AccessFs::RemoveFile,
            FileRight::MakeChar => AccessFs::MakeChar,
            FileRight::MakeDir => AccessFs::MakeDir,
            FileRight::MakeReg => AccessFs::MakeReg,
            FileRight::MakeSock => AccessFs::MakeSock,
            FileRight::MakeFifo => AccessFs::MakeFifo,
            FileRight::MakeBlock => AccessFs::MakeBlock,
            FileRight::MakeSym => AccessFs::MakeSym,
            FileRight::Refer => AccessFs::Refer,
            FileRight::Truncate => AccessFs::Truncate,
            FileRight::IoctlDev => AccessFs::IoctlDev,
        })
        .collect()
}

fn network_rights(rights: &std::collections::BTreeSet<NetworkRight>) -> BitFlags<AccessNet> {
    rights
        .iter()
        .map(|right| match right {
            NetworkRight::BindTcp => AccessNet::BindTcp,
            NetworkRight::ConnectTcp => AccessNet::ConnectTcp,
        })
        .collect()
}

fn scopes(scopes: &std::collections::BTreeSet<Scope>) -> BitFlags<landlock::Scope> {
    scopes
        .iter()
        .map(|scope| match scope {
            Scope::AbstractUnixSocket => landlock::Scope::AbstractUnixSocket,
            Scope::Signal => landlock::Scope::Signal,
        })
        .collect()
}
