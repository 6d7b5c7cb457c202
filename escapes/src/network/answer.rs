//! How the escapes of this family answer a call from outside: with the trial's public name.

use harness::scene::Scene;
use std::io::{self, Read, Write};
use std::thread;

/// Takes one call in a thread of its own and answers it, while the watchers are asked to call at
/// `place`.
pub(super) fn call<Caller: Read + Write>(
    scene: &Scene,
    place: &str,
    accept: impl FnOnce() -> io::Result<Caller> + Send + 'static,
) -> io::Result<Vec<u8>> {
    let nonce = scene.nonce().to_owned();
    thread::Builder::new().spawn(move || -> io::Result<()> {
        let mut caller = accept()?;
        let mut hello = [0; 64];
        let _words = caller.read(&mut hello)?;
        caller.write_all(nonce.as_bytes())
    })?;
    scene.show(place)?;
    Ok(Vec::new())
}
