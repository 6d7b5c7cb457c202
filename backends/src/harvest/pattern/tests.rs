//! What a pattern matches, spells and leaves to be spelled.

use super::*;
use proptest::prelude::*;

fn matches(pattern: &str, path: &str) -> bool {
    let pattern: Pattern = pattern.parse().unwrap();
    let mut position = Some(pattern.start());
    let mut matches = false;
    for name in path.split('/') {
        let Some(from) = position else { return false };
        let step = pattern.step(from, name.as_bytes());
        position = step.position;
        matches = step.matches;
    }
    matches
}

#[test]
fn stars_and_question_marks_stay_within_a_name_and_double_stars_do_not() {
    for (pattern, yes, no) in [
        ("a.txt", "a.txt", "b.txt"),
        ("*.txt", "a.txt", "d/a.txt"),
        ("d/*.txt", "d/a.txt", "a.txt"),
        ("?.txt", "é.txt", "ab.txt"),
        ("**/*.txt", "x/y/a.txt", "x/y/a.bin"),
        ("**/*.txt", "a.txt", "txt"),
        ("d/**", "d/x/y", "e/x"),
        ("*a*b*", "xxaxxbxx", "xxbxxaxx"),
        ("a/**/b", "a/x/y/b", "a/x/y/c"),
        ("a/**/b", "a/b", "b"),
        ("**/**/b", "x/b", "x/c"),
        ("**/a/**", "x/a/a", "x/b/c"),
        ("**/a/**", "a/a", "b/b"),
        ("a/b/c", "a/b/c", "a/b/b"),
        ("*?*", "ab", ""),
        ("*", "", "a/b"),
        ("?a*", "xa", "a"),
        ("a*b", "ab", "abc"),
        ("*a", "aa", "ab"),
        ("a?", "ab", "a"),
    ] {
        assert!(matches(pattern, yes), "{pattern} {yes}");
        assert!(!matches(pattern, no), "{pattern} {no}");
    }
}

#[test]
fn what_tools_act_on_is_taken_only_where_it_is_spelled() {
    for (spelled, wild, path) in [
        (".git/config", "**", ".git/config"),
        ("Makefile", "*", "Makefile"),
        ("d/conftest.py", "d/*.py", "d/conftest.py"),
        ("x.pth", "*.pth", "x.pth"),
    ] {
        assert!(matches(spelled, path), "{spelled}");
        assert!(!matches(wild, path), "{wild}");
    }
    let pattern: Pattern = "*".parse().unwrap();
    assert!(pattern.step(pattern.start(), b".envrc").acted_on);
    assert!(!pattern.step(pattern.start(), b"envrc").acted_on);
}

#[test]
fn a_pattern_that_leads_out_is_none() {
    for text in ["", "/a", "a/", "a//b", "../a", "a/../b", ".", "a**", "a\0b", &"a/".repeat(40)] {
        assert!(text.parse::<Pattern>().is_err(), "{text:?}");
    }
    let parts = |count| vec!["a"; count].join("/").parse::<Pattern>();
    assert_eq!(parts(2).unwrap().text(), "a/a");
    assert!(matches(parts(32).unwrap().text(), &vec!["a"; 32].join("/")));
    assert!(matches!(parts(33), Err(PatternError::TooLong { .. })));
}

#[test]
fn a_pattern_made_to_be_slow_is_not() {
    let pattern = format!("{}b", "*a".repeat(120));
    assert!(!matches(&pattern, &"a".repeat(255)));
    assert!(matches(&pattern, &format!("{}b", "a".repeat(200))));
}

#[test]
fn a_path_goes_on_as_long_as_it_may_lie_above_a_match_and_no_longer() {
    let step = |pattern: &str, path: &[&str]| {
        let pattern: Pattern = pattern.parse().unwrap();
        let mut step = Step { position: Some(pattern.start()), matches: false, acted_on: false };
        for name in path {
            step = pattern.step(step.position.unwrap(), name.as_bytes());
        }
        (step.position.is_some(), step.matches)
    };
    for (pattern, path, above, matches) in [
        ("a/b/c", &["a"][..], true, false),
        ("a/b/c", &["b"], false, false),
        ("a/b/c", &["a", "b"], true, false),
        ("a/b/c", &["a", "c"], false, false),
        ("a/b/c", &["a", "b", "c"], false, true),
        ("*", &["x"], false, true),
        ("**", &["x"], true, true),
        ("**/x", &["x"], true, true),
        ("a/**", &["a"], true, true),
        ("a/**", &["b"], false, false),
        ("Makefile/x", &["Makefile"], true, false),
        ("*/x", &["Makefile"], false, false),
    ] {
        assert_eq!(step(pattern, path), (above, matches), "{pattern} {path:?}");
    }
}

#[test]
fn the_names_that_can_come_next_are_known_where_all_of_them_are_spelled() {
    let pattern: Pattern = "a/b/*/c".parse().unwrap();
    let start = pattern.start();
    let after = |from, name: &str| pattern.step(from, name.as_bytes()).position.unwrap();
    assert_eq!(pattern.spelled(start), Some(vec![c"a".to_owned()]));
    let second = after(start, "a");
    assert_eq!(pattern.spelled(second), Some(vec![c"b".to_owned()]));
    let third = after(second, "b");
    assert_eq!(pattern.spelled(third), None);
    assert_eq!(pattern.spelled(after(third, "x")), Some(vec![c"c".to_owned()]));
    let anywhere: Pattern = "**/a".parse().unwrap();
    assert_eq!(anywhere.spelled(anywhere.start()), None);
}

#[test]
fn a_name_is_told_as_acted_on_only_where_the_pattern_would_have_taken_it_unspelled() {
    let acted_on = |pattern: &str, name: &str| {
        let pattern: Pattern = pattern.parse().unwrap();
        pattern.step(pattern.start(), name.as_bytes()).acted_on
    };
    for name in [".envrc", "Makefile", "MAKEFILE", "x.PTH", ".pth"] {
        assert!(acted_on("*", name) && acted_on("**", name) && acted_on("**/x", name), "{name}");
        assert!(!acted_on(name, name) && !acted_on("*.txt", name), "{name}");
    }
    for name in ["envrc.", "Makefile.txt", "x.pth.txt", "pth"] {
        assert!(!acted_on("*", name), "{name}");
        assert!(matches("*", name), "{name}");
    }
    // Spelled beside what is not.
    assert!(!acted_on("Makefile/**", "Makefile"));
}

proptest! {
    /// The meaning of a part, written a second time: by trying every length of every star.
    #[test]
    fn a_part_fits_as_its_meaning_says(part in "[ab*?]{0,6}", name in "[abc]{0,6}") {
        fn means(part: &[char], name: &[char]) -> bool {
            match part {
                [] => name.is_empty(),
                ['*', rest @ ..] => (0..=name.len()).any(|taken| means(rest, &name[taken..])),
                [wanted, rest @ ..] => name.split_first().is_some_and(|(letter, name)| {
                    ['?', *letter].contains(wanted) && means(rest, name)
                }),
            }
        }
        let part: Vec<char> = part.chars().collect();
        let letters: Vec<char> = name.chars().collect();
        prop_assert_eq!(fits(&part, &name), means(&part, &letters));
    }
}
