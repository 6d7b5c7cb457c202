//! Which names may leave a run directory: those that mean the same to a terminal, a shell, a report and a
//! reader.

/// What is wrong with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadName {
    /// It is not UTF-8.
    #[error("the name is not UTF-8")]
    NotUtf8,
    /// It holds a control character.
    #[error("the name holds a control character")]
    Control,
    /// It holds a character that is not seen, or that changes the order of others.
    #[error("the name holds an invisible or direction-changing character")]
    Invisible,
    /// It begins with a dash, as an option does.
    #[error("the name begins like an option")]
    Dash,
    /// It begins or ends with white space, or ends with a dot.
    #[error("the name begins or ends with white space, or ends with a dot")]
    Edge,
    /// It holds a separator of another system.
    #[error("the name holds a backslash or a colon, which are separators elsewhere")]
    Separator,
}

/// The name as text, if it may leave.
///
/// # Errors
/// See [`BadName`].
pub(super) fn check(name: &[u8]) -> Result<&str, BadName> {
    let name = std::str::from_utf8(name).map_err(|_not_utf8| BadName::NotUtf8)?;
    if name.chars().any(char::is_control) {
        return Err(BadName::Control);
    }
    if name.chars().any(is_invisible) {
        return Err(BadName::Invisible);
    }
    if name.starts_with('-') {
        return Err(BadName::Dash);
    }
    if name.trim() != name || name.ends_with('.') {
        return Err(BadName::Edge);
    }
    if name.contains(['\\', ':']) {
        return Err(BadName::Separator);
    }
    Ok(name)
}

/// Format characters (general category Cf), line separators, and characters that fonts leave blank.
fn is_invisible(character: char) -> bool {
    matches!(
        u32::from(character),
        0xad | 0x34f | 0x600..=0x605 | 0x61c | 0x6dd | 0x70f | 0x890..=0x891 | 0x8e2
            | 0x115f..=0x1160 | 0x17b4..=0x17b5 | 0x180b..=0x180f | 0x200b..=0x200f
            | 0x2028..=0x202e | 0x2060..=0x206f | 0x3164 | 0xfe00..=0xfe0f | 0xfeff | 0xffa0
            | 0xfff0..=0xfffd | 0x110bd | 0x110cd | 0x13430..=0x1343f | 0x1bca0..=0x1bca3
            | 0x1d173..=0x1d17a | 0xe0000..=0xe0fff
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_in_any_language_may_leave_and_deceiving_ones_may_not() {
        for good in
            ["a.txt", "Ergebnis 2.csv", "r\u{e9}sum\u{e9}.pdf", "\u{7d50}\u{679c}.json", "a-b_c"]
        {
            assert_eq!(check(good.as_bytes()), Ok(good));
        }
        for (bad, why) in [
            (&b"\xff"[..], BadName::NotUtf8),
            (b"a\nb", BadName::Control),
            (b"\x1b[2J", BadName::Control),
            ("\u{9b}2J".as_bytes(), BadName::Control),
            ("gpj.\u{202e}exe".as_bytes(), BadName::Invisible),
            ("a\u{200b}".as_bytes(), BadName::Invisible),
            (b"-rf", BadName::Dash),
            (b" a", BadName::Edge),
            (b"a.", BadName::Edge),
            (b"a.txt ", BadName::Edge),
            (b"..\\a", BadName::Separator),
            (b"a\\", BadName::Separator),
            (b"C:a.txt", BadName::Separator),
            (b"a.txt:stream", BadName::Separator),
        ] {
            assert_eq!(check(bad), Err(why), "{bad:?}");
        }
    }
}
