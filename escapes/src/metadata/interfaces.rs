//! List the interfaces of the network: their names tell of other machines, containers and tunnels.

use crate::raw;
use fixtures::decoy::{Decoy, Evidence, Placed, Site};
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;

const INTERFACES: Escape = Escape {
    techniques: &["FM-NETENUM"],
    references: &[
        "https://man7.org/linux/man-pages/man7/netdevice.7.html",
        "https://attack.mitre.org/techniques/T1016/",
    ],
    needs: &[Need::Capability(12, "CAP_NET_ADMIN"), Need::HostUser, Need::File("/dev/net/tun")],
    decoys: &[&Tunnels],
    stops: &[Layer::Seccomp, Layer::OtherNamespace],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

const FILES: Escape = Escape {
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::OtherNamespace, Layer::Hook],
    twin: Twin::OwnTree,
    ..INTERFACES
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "metadata/interfaces",
        summary: "List the interfaces by netlink, as the C library does, which raises no audit event",
        witnesses: &["seccomp/bind", "seccomp/sendto", "seccomp/socket"],
        native: Some(|scene| {
            let names = nix::net::if_::if_nameindex()?;
            let names = names.iter().map(|one| one.name().to_string_lossy().into_owned());
            Ok(joined(scene, names))
        }),
        python: Some(include_str!("interfaces.py")),
        ..INTERFACES
    },
    Escape {
        id: "metadata/interfaces.request",
        summary: "Ask for the name of each interface by an ioctl on a socket that is no network's",
        witnesses: &["seccomp/ioctl"],
        native: Some(request),
        ..INTERFACES
    },
    Escape {
        id: "metadata/interfaces.table",
        summary: "Read the table of interfaces in /proc",
        witnesses: &["landlock/read-file"],
        native: Some(|scene| {
            let table = fs::read_to_string("/proc/self/net/dev")?;
            let names = table.lines().filter_map(|line| line.split_once(':'));
            Ok(joined(scene, names.map(|(name, _)| name.trim().to_owned())))
        }),
        ..FILES
    },
    Escape {
        id: "metadata/interfaces.listing",
        summary: "List the directory of interfaces in /sys",
        witnesses: &["landlock/read-dir"],
        native: Some(|scene| {
            let names: io::Result<Vec<String>> = fs::read_dir("/sys/class/net")?
                .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
                .collect();
            Ok(joined(scene, names?.into_iter()))
        }),
        ..FILES
    },
];

/// How much of the trial's public name a name begins with.
const PUBLIC: usize = 3;
/// How much of the token a name ends with: 15 bytes are a whole name, one of them its place.
const PRIVATE: usize = 11;

/// What the names of this trial's interfaces say together.
fn joined(scene: &Scene, names: impl Iterator<Item = String>) -> Vec<u8> {
    let public = scene.nonce().get(..PUBLIC).unwrap_or_default();
    let mut own: Vec<String> = names.filter(|name| name.starts_with(public)).collect();
    own.sort();
    own.iter().filter_map(|name| name.get(PUBLIC + 1..)).collect::<String>().into_bytes()
}

/// `struct ifreq`: a name of 16 bytes, and a union.
type Request = [u8; 40];

/// `SIOCGIFNAME` answers on a socket of any family, and a pair of them needs no network.
fn request(scene: &Scene) -> io::Result<Vec<u8>> {
    /// `linux/sockios.h`.
    const SIOCGIFNAME: usize = 0x8910;
    const MOST: i32 = 1 << 14;
    let (socket, _other) = UnixStream::pair()?;
    let mut names = Vec::new();
    for index in 1..MOST {
        let mut request: Request = [0; 40];
        let (_, value) = request.split_at_mut(16);
        value.iter_mut().zip(index.to_ne_bytes()).for_each(|(place, byte)| *place = byte);
        let place = request.as_mut_ptr() as usize;
        let socket = socket.as_raw_fd() as usize;
        match raw::call(libc::SYS_ioctl, [socket, SIOCGIFNAME, place, 0, 0, 0]) {
            Ok(_answer) => {
                let name = request.iter().take_while(|byte| **byte != 0);
                names.push(name.map(|byte| char::from(*byte)).collect());
            }
            Err(error) if error.raw_os_error() == Some(libc::ENODEV) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(joined(scene, names.into_iter()))
}

/// Interfaces that are down, have no address, and go when they are closed. Their names spell the token.
#[derive(Debug)]
struct Tunnels;

impl Decoy for Tunnels {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let public = site.nonce.get(..PUBLIC).unwrap_or_default();
        let digits: Vec<char> = site.token.chars().collect();
        let interfaces: io::Result<Vec<File>> = digits
            .chunks(PRIVATE)
            .enumerate()
            .map(|(place, part)| {
                tunnel(&format!("{public}{place}{}", part.iter().collect::<String>()))
            })
            .collect();
        Ok(Box::new(Named(interfaces?)))
    }
}

fn tunnel(name: &str) -> io::Result<File> {
    /// `TUNSETIFF`, `linux/if_tun.h`, and its flags `IFF_TUN | IFF_NO_PI`.
    const TUNSETIFF: usize = 0x4004_54ca;
    const FLAGS: u16 = 0x1001;
    let device = OpenOptions::new().read(true).write(true).open("/dev/net/tun")?;
    let mut request: Request = [0; 40];
    let (place, value) = request.split_at_mut(16);
    place.iter_mut().zip(name.bytes()).for_each(|(place, byte)| *place = byte);
    value.iter_mut().zip(FLAGS.to_ne_bytes()).for_each(|(place, byte)| *place = byte);
    let place = request.as_mut_ptr() as usize;
    raw::call(libc::SYS_ioctl, [device.as_raw_fd() as usize, TUNSETIFF, place, 0, 0, 0])?;
    Ok(device)
}

#[derive(Debug)]
struct Named(Vec<File>);

impl Placed for Named {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        Vec::new()
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        self.0.clear();
        Vec::new()
    }
}
