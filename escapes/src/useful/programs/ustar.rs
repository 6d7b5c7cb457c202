//! The smallest writer of tar archives, so that the archive under test is the same on every host.

/// A directory, whose name ends with `/`, or a file with its content.
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) mode: u32,
    pub(super) content: Option<&'static str>,
}

const BLOCK: usize = 512;

/// Packs members in their order: POSIX.1-2001, *ustar interchange format*.
pub(super) fn archive(members: &[Member]) -> Vec<u8> {
    let mut archive = Vec::new();
    for member in members {
        let content = member.content.unwrap_or_default().as_bytes();
        archive.extend(header(member, content.len()));
        archive.extend(content);
        archive.resize(archive.len().next_multiple_of(BLOCK), 0);
    }
    archive.resize(archive.len() + 2 * BLOCK, 0);
    archive
}

/// Fields of fixed width from the start; what is left of the block is zero.
fn header(member: &Member, size: usize) -> Vec<u8> {
    let kind = if member.content.is_some() { '0' } else { '5' };
    let before = format!(
        "{:\0<100}{:07o}\0{:07o}\0{:07o}\0{size:011o}\0{:011o}\0",
        member.name, member.mode, 0, 0, 1_000_000_000
    );
    let after = format!("{kind}{:\0<100}ustar\x0000", "");
    // The checksum counts itself as eight spaces.
    let sum: u32 = before.bytes().chain(*b"        ").chain(after.bytes()).map(u32::from).sum();
    let mut header = format!("{before}{sum:06o}\0 {after}").into_bytes();
    header.resize(BLOCK, 0);
    header
}
