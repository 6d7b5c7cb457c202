//! Output: what a program writes arrives whole.

use harness::scene::Scene;
use harness::useful::UsefulWork;
use std::io::{self, Write};

pub(super) const WORKS: &[UsefulWork] = &[
    UsefulWork {
        id: "useful/hello",
        summary: "A dynamic program starts, says hello and ends",
        work: native!(hello),
        check: Some(|_run, stdout| {
            let said = stdout.windows(HELLO.len()).any(|part| part == HELLO);
            if said { Ok(()) } else { Err("the hello is missing".into()) }
        }),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/large-output",
        summary: "64 MB of output arrive whole and in order",
        work: native!(large),
        check: Some(check_large),
        ..UsefulWork::BLANK
    },
];

const HELLO: &[u8] = b"hello from a program that runs unharmed";

/// A block holds this many bytes, all of them its index.
const BLOCK: usize = 1 << 18;

fn hello(_scene: &Scene) -> io::Result<()> {
    io::stdout().lock().write_all(HELLO)
}

fn large(_scene: &Scene) -> io::Result<()> {
    let mut output = io::stdout().lock();
    for index in 0..=u8::MAX {
        output.write_all(&vec![index; BLOCK])?;
    }
    output.flush()
}

/// The blocks stand in one piece between the lines of the protocol.
fn check_large(_run: &std::path::Path, stdout: &[u8]) -> Result<(), String> {
    let start = stdout.iter().position(|byte| *byte == 0).ok_or("the first block is missing")?;
    let length = (usize::from(u8::MAX) + 1) * BLOCK;
    let blocks = stdout.get(start..start + length).ok_or("the output was cut")?;
    let wrong = blocks
        .chunks_exact(BLOCK)
        .zip(0..=u8::MAX)
        .find(|(block, index)| **block != vec![*index; BLOCK]);
    wrong.map_or(Ok(()), |(_, index)| Err(format!("block {index} is not as it was written")))
}
