//! What is read, and what is refused.

use super::super::read::{ReadError, read};
use super::super::rules::Text;

fn refusal(text: &str) -> ReadError {
    read(&format!("(version 1){text}")).unwrap_err()
}

#[test]
fn rules_are_read_with_comments_and_any_white_space() {
    let rules = read("(version 1) ; one\n(allow\tfile-read*\n (literal \"/a\"))").unwrap();
    assert_eq!(rules.len(), 1);
    assert_eq!(rules[0].to_string(), "(allow file-read* (literal \"/a\"))");
    assert_eq!(
        read("(version 1)(allow process-exec)").unwrap()[0].to_string(),
        "(allow process-exec*)"
    );
}

#[test]
fn what_is_no_rule_is_an_error_and_never_skipped() {
    assert_eq!(read("(allow file*)"), Err(ReadError::Version));
    assert_eq!(read("(version 2)(allow file*)"), Err(ReadError::Version));
    for form in ["(import \"system.sb\")", "(define x 1)", "(debug deny)", "word", "\"text\""] {
        assert!(matches!(refusal(form), ReadError::Form(_)), "{form}");
    }
    assert_eq!(refusal("(allow file-fly)"), ReadError::Operation("file-fly".to_owned()));
    assert_eq!(refusal("(allow)"), ReadError::NoOperation);
    assert!(matches!(refusal("(allow file* (regex \".\"))"), ReadError::Filter(_)));
    assert!(matches!(refusal("(allow file* (literal))"), ReadError::Filter(_)));
    assert!(matches!(refusal("(allow system-fcntl (fcntl-command 1 2))"), ReadError::Filter(_)));
    assert!(matches!(
        refusal("(allow file* (literal (string-append \"a\" \"b\")))"),
        ReadError::Filter(_)
    ));
}

#[test]
fn unended_and_stray_parts_are_errors() {
    for text in ["(allow file*", "(allow file* (literal \"/a))", "(allow file* (literal \"/a\\"] {
        assert_eq!(refusal(text), ReadError::Unended, "{text}");
    }
    assert_eq!(refusal(")"), ReadError::Stray);
}

#[test]
fn what_the_real_compiler_refuses_is_refused() {
    assert_eq!(refusal("(allow file* (subpath \"/a/\"))"), ReadError::Slash("/a/".to_owned()));
    for text in [
        "(allow signal (literal \"/a\"))",
        "(allow file* (target self))",
        "(allow process* (target self))",
        "(allow mach* (global-name \"a\"))",
        "(allow system* (fcntl-command 6))",
        "(allow file-ioctl (ioctl-command 6))",
        "(allow file* (process-path \"/a\"))",
        "(allow file* (require-all (sysctl-name \"a\")))",
    ] {
        assert!(matches!(refusal(text), ReadError::Misplaced { .. }), "{text}");
    }
}

#[test]
fn a_string_ends_where_it_was_written_to_end() {
    // The order of escaping matters: a quote first and a backslash second ends the string early.
    for path in
        ["/a\"b", "/a\\b", "/a\\\"b", "/a\") (allow default) (literal \"/b", "/(param \"RUN\")"]
    {
        let text = format!("(version 1)(allow file-read* (literal {}))", Text::fixed(path));
        let rules = read(&text).unwrap();
        assert_eq!(rules.len(), 1, "{path}");
        let expected = format!("(allow file-read* (literal {}))", Text::fixed(path));
        assert_eq!(rules[0].to_string(), expected);
    }
}
