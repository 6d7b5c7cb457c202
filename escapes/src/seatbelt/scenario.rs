//! Two policies as they are on a Mac, and the places that questions are asked about.

use backends::macos::access::{Access, Object, Vnode};
use backends::macos::evaluate::{Evaluator, Refused};
use backends::macos::lower::LAUNCHER;
use backends::macos::operation::Operation;
use backends::macos::places::{PlaceError, Places};
use backends::macos::profile::Profile;
use backends::macos::rules::Values;
use backends::policy::{Kind, Place};

/// Where the run directory and the decoys are.
pub const RUN: &str = "/Users/runner/world/run";
/// What the policy does not grant: a sibling of the run directory, as in every trial.
pub const OUTSIDE: &str = "/Users/runner/world/outside";

/// A program under a policy.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// `native` or `python`.
    pub name: &'static str,
    /// The image.
    pub program: &'static str,
    /// What it may read, beside the devices.
    pub read: &'static [(&'static str, Kind)],
    /// What it may write, beside the run directory and `/dev/null`.
    pub write: &'static [(&'static str, Kind)],
    /// What the runtime asks for beside that.
    pub framework: bool,
}

/// A native program with grants of each kind: a directory, a file, a place to write inside a place to
/// read, and one elsewhere.
pub const NATIVE: Scenario = Scenario {
    name: "native",
    program: "/Applications/Tool/bin/tool",
    read: &[("/Users/reader/data", Kind::Directory), ("/Library/Settings/tool.conf", Kind::File)],
    write: &[("/Users/reader/data/out", Kind::Directory), ("/Volumes/Disk/out", Kind::Directory)],
    framework: false,
};

/// Homebrew's Python, a framework build: its image is inside the framework.
pub const PYTHON: Scenario = Scenario {
    name: "python",
    program: "/opt/homebrew/Cellar/python@3.13/3.13.5/Frameworks/Python.framework/Versions/3.13/Resources/Python.app/Contents/MacOS/Python",
    read: &[(
        "/opt/homebrew/Cellar/python@3.13/3.13.5/Frameworks/Python.framework/Versions/3.13",
        Kind::Directory,
    )],
    write: &[],
    framework: true,
};

/// The devices of every policy.
pub const DEVICES: [&str; 3] = ["/dev/random", "/dev/urandom", "/dev/zero"];

impl Scenario {
    /// The profile of this policy.
    ///
    /// # Errors
    /// Never for the scenarios of this file; a test says so.
    pub fn profile(&self) -> Result<Profile, PlaceError> {
        let place = |(path, kind): &(&str, Kind)| (Place::Path((*path).to_owned()), *kind);
        let devices = DEVICES.map(|path| (path, Kind::File));
        let read = self.read.iter().chain(&devices).map(place).collect();
        let null = [("/dev/null", Kind::File)];
        let write = self.write.iter().chain(&null).map(place);
        let write = [(Place::Run, Kind::Directory)].into_iter().chain(write).collect();
        Places::new(Some(self.program.to_owned()), read, write).map(|places| places.profile())
    }

    /// The profile, ready to be asked.
    ///
    /// # Errors
    /// As [`Scenario::profile`], or when the profile is refused.
    pub fn evaluator(&self) -> Result<Evaluator, ScenarioError> {
        let profile = self.profile()?;
        let values = profile.values(RUN)?;
        Ok(profile.evaluator(values)?)
    }

    /// The values of the profile's parameters.
    ///
    /// # Errors
    /// As [`Scenario::profile`].
    pub fn values(&self) -> Result<Values, PlaceError> {
        self.profile()?.values(RUN)
    }
}

/// Why a scenario cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    /// There is no profile.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// The profile is refused.
    #[error(transparent)]
    Refused(#[from] Refused),
}

fn access(operation: &str, object: Object) -> Access {
    // A name that is no operation becomes the root, which is denied: a test holds every name to the
    // table before.
    Access { operation: Operation::named(operation).unwrap_or(Operation::DEFAULT), object }
}

/// An access to a regular file.
pub fn file(operation: &str, path: &str) -> Access {
    node(operation, path, Vnode::RegularFile)
}

/// The program becomes another image, or the same one again.
pub fn execute(path: &str) -> Access {
    image("process-exec*", path, PROGRAM_IMAGE)
}

/// The launcher becomes an image.
pub fn launch(path: &str) -> Access {
    image("process-exec*", path, LAUNCHER)
}

/// What stands for the program's own image: every one but the launcher's.
const PROGRAM_IMAGE: &str = "/program";

fn image(operation: &str, path: &str, by: &str) -> Access {
    access(operation, Object::Image { path: path.to_owned(), by: by.to_owned() })
}

/// The interpreter of a script is executed by the program.
pub fn interpreter(path: &str) -> Access {
    image("process-exec-interpreter", path, PROGRAM_IMAGE)
}

/// A control of a descriptor, by its number.
pub fn control(command: u32) -> Access {
    access("system-fcntl", Object::Control(command))
}

/// A request to a socket, by its number.
pub fn request(number: u32) -> Access {
    access("socket-ioctl", Object::Request(number))
}

/// A system call, by its number.
pub fn call(number: u32) -> Access {
    access("syscall-unix", Object::Call(number))
}

/// An access to a directory.
pub fn directory(operation: &str, path: &str) -> Access {
    node(operation, path, Vnode::Directory)
}

/// An access to something of a kind.
pub fn node(operation: &str, path: &str, kind: Vnode) -> Access {
    access(operation, Object::Path(path.to_owned(), kind))
}

/// An access to something without a name that a filter could look at.
pub fn any(operation: &str) -> Access {
    access(operation, Object::Any)
}

/// An access to something by its name.
pub fn name(operation: &str, name: &str) -> Access {
    access(operation, Object::Name(name.to_owned()))
}

/// An access to another process.
pub fn other(operation: &str) -> Access {
    access(operation, Object::Process { own: false })
}

/// An access to the program itself.
pub fn own(operation: &str) -> Access {
    access(operation, Object::Process { own: true })
}

/// A call of a policy module of the kernel.
pub fn module(policy: &str, call: u32) -> Access {
    access("system-mac-syscall", Object::Module { policy: policy.to_owned(), call })
}
