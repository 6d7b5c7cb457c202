//! What the arguments of one call point to. It lives as long as the call, and is long enough for
//! whatever the grammar lets a call read or write.

use super::super::calls::Fixed;
use super::errno;
use crate::exec::{marker, program};
use harness::scene::Scene;
use std::ffi::{CString, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// As much as the longest call fills: a message of a queue.
const BUFFER: usize = 8192;
/// Calls are told at most this length, but of messages of queues.
const VECTOR: usize = 4096;

/// Stays until the file that it is told last appears, with the words that every shell has built in.
const STAY: &[u8] = b"i=0; while [ ! -e \"$1\" ] && [ $i -lt 400000 ]; do i=$((i+1)); done";

/// The memory of one call.
pub(super) struct Memory<'a> {
    scene: &'a Scene,
    buffer: Box<[u8]>,
    blocks: Vec<Box<[u64]>>,
    texts: Vec<CString>,
    /// Where the address lies that a call was told last, and how long it is.
    address: [usize; 2],
    /// What the program that is executed is told.
    told: Vec<Vec<u8>>,
}

impl<'a> Memory<'a> {
    pub(super) fn new(scene: &'a Scene) -> Self {
        let mut buffer = vec![0; BUFFER].into_boxed_slice();
        let words = [fixtures::watch::GIVE, b"\n", scene.nonce().as_bytes()].concat();
        buffer.iter_mut().zip(words).for_each(|(place, byte)| *place = byte);
        let told = marker::marker(scene).map(|marker| vec![marker.into_bytes()]);
        Self {
            scene,
            buffer,
            blocks: Vec::new(),
            texts: Vec::new(),
            address: [0; 2],
            told: told.unwrap_or_default(),
        }
    }

    /// What a call put into the buffer.
    pub(super) fn filled(&self, length: i64) -> &[u8] {
        // A message of a System V queue has its kind before it, which is not counted.
        let length = usize::try_from(length).unwrap_or(0).saturating_add(8);
        self.buffer.get(..length.min(BUFFER)).unwrap_or_default()
    }

    pub(super) fn fixed(&mut self, fixed: Fixed) -> io::Result<usize> {
        Ok(match fixed {
            Fixed::Constant(number) => number as usize,
            Fixed::Buffer => self.buffer.as_mut_ptr() as usize,
            Fixed::Clue(clue) => {
                let number: i64 = self.scene.number(clue)?;
                number as usize
            }
            Fixed::Text(clue) => {
                let text = self.scene.text(clue)?;
                self.text(Path::new(text.strip_prefix('/').unwrap_or(text)))?
            }
            Fixed::Literal(text) => text.as_ptr() as usize,
            Fixed::Words(words) => self.block(words.to_vec()),
            Fixed::Vector => {
                let start = self.buffer.as_mut_ptr() as u64;
                self.block(vec![start, VECTOR as u64])
            }
            Fixed::VictimVector => self.victim(0, self.scene.number("victim-length")?)?,
            // A place behind the token that the victim watches too.
            Fixed::VictimByte => self.victim(1024, 1)?,
            Fixed::AddressLength => self.address[1],
            Fixed::Message => self.message(),
            Fixed::Own => nix::unistd::getuid().as_raw() as usize,
            Fixed::Executable => {
                let bytes = program::bytes();
                let words = bytes.chunks(8).map(|chunk| {
                    let mut word = [0; 8];
                    word.iter_mut().zip(chunk).for_each(|(place, byte)| *place = *byte);
                    u64::from_ne_bytes(word)
                });
                let words = words.collect();
                self.block(words)
            }
            Fixed::ExecutableLength => program::bytes().len(),
            Fixed::Vectors => self.vectors()?,
            Fixed::Latest(_) => return Err(io::ErrorKind::InvalidData.into()),
        })
    }

    /// A text that ends with a zero byte.
    pub(super) fn text(&mut self, text: &Path) -> io::Result<usize> {
        self.bytes(text.as_os_str().as_bytes())
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = CString::new(bytes)?;
        let place = text.as_ptr() as usize;
        self.texts.push(text);
        Ok(place)
    }

    /// Words that the call may change.
    fn block(&mut self, words: Vec<u64>) -> usize {
        let mut words = words.into_boxed_slice();
        let place = words.as_mut_ptr() as usize;
        self.blocks.push(words);
        place
    }

    fn victim(&mut self, beside: u64, length: u64) -> io::Result<usize> {
        let address = u64::from_str_radix(self.scene.text("victim-address")?, 16)
            .map_err(|_error| io::ErrorKind::InvalidData)?;
        Ok(self.block(vec![address + beside, length]))
    }

    /// `struct msghdr`: the address, one vector, no control data.
    fn message(&mut self) -> usize {
        let [address, length] = self.address;
        let start = self.buffer.as_mut_ptr() as u64;
        let vector = self.block(vec![start, 32]);
        self.block(vec![address as u64, length as u64, vector as u64, 1, 0, 0, 0])
    }

    /// The address of a listener, as `struct sockaddr` of its family.
    pub(super) fn address(&mut self, listener: &str) -> io::Result<usize> {
        let family = |family: i32| (family as u16).to_ne_bytes().to_vec();
        let port = || self.scene.number::<u16>(listener).map(u16::to_be_bytes);
        let mut bytes = match listener {
            "tcp4" | "udp4" => {
                [&family(libc::AF_INET)[..], &port()?, &[127, 0, 0, 1], &[0; 8]].concat()
            }
            "tcp6" | "udp6" => {
                let mut loopback = [0; 16];
                loopback[15] = 1;
                [&family(libc::AF_INET6)[..], &port()?, &[0; 4], &loopback, &[0; 4]].concat()
            }
            name => {
                let clue = self.scene.clue(name)?.as_bytes();
                let zero: &[u8] = if name.starts_with("abstract") { &[0] } else { &[] };
                let end: &[u8] = if zero.is_empty() { &[0] } else { &[] };
                [&family(libc::AF_UNIX)[..], zero, clue, end].concat()
            }
        };
        let length = bytes.len();
        bytes.resize(length.next_multiple_of(8), 0);
        let words = bytes.as_chunks().0.iter().map(|word| u64::from_ne_bytes(*word)).collect();
        let place = self.block(words);
        self.address = [place, length];
        Ok(place)
    }

    /// What the program to become is told, so that it bears the marker and stays until it was seen.
    pub(super) fn become_known(&mut self, program: &str, path: &Path) -> io::Result<()> {
        let marker = marker::marker(self.scene)?.into_bytes();
        let seen = self.scene.run().join("seen");
        self.told = match program {
            "shell" => {
                let seen = seen.as_os_str().as_bytes().to_vec();
                vec![b"sh".to_vec(), b"-c".to_vec(), STAY.to_vec(), marker, seen]
            }
            "script" => {
                let name: &OsStr = path.as_os_str();
                vec![name.as_bytes().to_vec(), [b"1.", &marker[..]].concat()]
            }
            _own => vec![marker],
        };
        Ok(())
    }

    fn vectors(&mut self) -> io::Result<usize> {
        if self.told.is_empty() {
            return Err(errno(libc::ENOENT));
        }
        let mut places = Vec::new();
        for text in self.told.clone() {
            places.push(self.bytes(&text)? as u64);
        }
        places.push(0);
        Ok(self.block(places))
    }
}
