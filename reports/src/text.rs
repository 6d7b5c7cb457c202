//! Makes hostile text harmless. Whatever a confined program may have had a hand in passes through
//! here before any report shows it.

/// The most characters of a [`line()`].
pub const LINE_CAP: usize = 400;

/// The most characters of a [`block`].
pub const BLOCK_CAP: usize = 4000;

/// What stands at the end of a text that was longer than its cap.
const CUT: &str = " [cut]";

/// One line: at most [`LINE_CAP`] characters, and every line end and tab is a space.
///
/// ```
/// assert_eq!(reports::text::line("a\nb\u{1b}[31m"), "a b\u{fffd}[31m");
/// ```
pub fn line(text: &str) -> String {
    printable(text, LINE_CAP, |character| match character {
        '\n' | '\r' | '\t' => ' ',
        other => other,
    })
}

/// Several lines: at most [`BLOCK_CAP`] characters, and every tab is a space.
pub fn block(text: &str) -> String {
    printable(text, BLOCK_CAP, |character| if character == '\t' { ' ' } else { character })
}

/// Replaces what must not be shown by U+FFFD, so that it is seen that something was there and that
/// nothing new grows together, and breaks the end mark of an XML section.
fn printable(text: &str, cap: usize, spell: impl Fn(char) -> char) -> String {
    let mut characters = text.chars();
    let shown: String = characters
        .by_ref()
        .take(cap)
        .map(spell)
        .map(|character| if is_harmless(character) { character } else { '\u{fffd}' })
        .collect();
    let mut shown = shown.replace("]]>", "]] >");
    if characters.next().is_some() {
        shown.push_str(CUT);
    }
    shown
}

/// Whether a character shows as itself, moves no other one, and may stand in XML 1.0.
fn is_harmless(character: char) -> bool {
    match character {
        '\n' => true,
        // Marks of writing direction and joiners: invisible, and they can reorder what is read
        // (CVE-2021-42574).
        '\u{061c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' => false,
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' => false,
        '\u{e0000}'..='\u{e007f}' => false,
        // Line ends that only some readers know.
        '\u{2028}' | '\u{2029}' => false,
        // Characters that never will be: XML 1.0 forbids two of them and discourages the rest.
        '\u{fdd0}'..='\u{fdef}' => false,
        other => !other.is_control() && u32::from(other) & 0xfffe != 0xfffe,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_text_of_any_language_stays_as_it_is() {
        for text in ["", "Permission denied (os error 13)", "naïve “日本語” 🔒", "]] >", "<a/>&"]
        {
            assert_eq!(line(text), text);
            assert_eq!(block(text), text);
        }
        assert_eq!(block("two\n\tlines"), "two\n lines");
    }

    #[test]
    fn what_moves_the_cursor_or_the_eye_is_replaced() {
        let worst = [
            '\0',
            '\u{1b}',
            '\r',
            '\u{8}',
            '\u{7f}',
            '\u{85}',
            '\u{9b}',
            '\u{200e}',
            '\u{202e}',
            '\u{2066}',
            '\u{2028}',
            '\u{feff}',
            '\u{fffe}',
            '\u{ffff}',
            '\u{1ffff}',
            '\u{e0041}',
        ];
        for character in worst {
            assert_eq!(block(&format!("a{character}b")), "a\u{fffd}b", "{character:?}");
        }
    }

    /// Unicode's own list of what formats and is not seen (general category Cf, blocks "General Punctuation",
    /// "Specials" and "Tags"), with the separators of lines and the characters that never will be.
    #[test]
    fn no_invisible_character_of_any_kind_comes_through() {
        let invisible = [
            0x61c..=0x61c,
            0x180e..=0x180e,
            0x200b..=0x200f,
            0x2028..=0x202e,
            0x2060..=0x206f,
            0xfdd0..=0xfdef,
            0xfeff..=0xfeff,
            0xfff9..=0xfffb,
            0xfffe..=0xffff,
            0xe0000..=0xe007f,
            0x10fffe..=0x10ffff,
        ];
        for character in invisible.into_iter().flatten().filter_map(char::from_u32) {
            assert_eq!(line(&format!("a{character}b")), "a\u{fffd}b", "{character:?}");
        }
    }

    #[test]
    fn a_line_is_one_line() {
        assert_eq!(line("a\r\nb\tc\u{2028}d"), "a  b c\u{fffd}d");
    }

    #[test]
    fn the_end_mark_of_a_section_is_broken_however_it_is_made() {
        assert_eq!(block("x]]></system-out>"), "x]] ></system-out>");
        assert_eq!(block("]]]]>>"), "]]]] >>");
        assert_eq!(block("]\0]>"), "]\u{fffd}]>");
    }

    #[test]
    fn long_text_is_cut_and_says_so() {
        let long = "ä".repeat(10 << 20);
        assert_eq!(block(&long), format!("{}{CUT}", "ä".repeat(BLOCK_CAP)));
        assert_eq!(line(&long), format!("{}{CUT}", "ä".repeat(LINE_CAP)));
        let exact = "ä".repeat(LINE_CAP);
        assert_eq!(line(&exact), exact);
    }

    /// The characters of an XML 1.0 document (<https://www.w3.org/TR/xml/#charsets>).
    fn is_xml(character: char) -> bool {
        matches!(character, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
            || character >= '\u{10000}'
    }

    proptest! {
        #[test]
        fn nothing_harmful_comes_through(
            text in "(\\PC|\\pC|]|>|\n){0,60}", filler in 0_usize..LINE_CAP,
        ) {
            let long = format!("{}{text}", "]".repeat(filler));
            for shown in [line(&text), block(&text), line(&long), block(&long)] {
                prop_assert!(shown.chars().all(is_xml));
                prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n'));
                prop_assert!(!shown.contains("]]>"));
            }
            prop_assert!(!line(&text).contains('\n'));
            prop_assert!(line(&text).chars().count() <= LINE_CAP + CUT.len() + LINE_CAP / 3);
        }
    }
}
