use super::*;
use crate::sample;

fn page(verdict: &Verdict, colour: Colour) -> String {
    render(verdict, &sample::records(verdict, "words"), colour)
}

#[test]
fn a_family_is_a_row_and_a_column_is_a_runtime_with_or_without_the_hook() {
    let table = table::of(&sample::mixed().backends[0]).unwrap();
    let lines: Vec<Vec<&str>> =
        table.lines().map(|line| line.split('|').map(str::trim).collect()).collect();
    assert_eq!(lines[0], ["family", "native", "python", "python+hook"]);
    assert_eq!(lines[2], ["fs-read", "1 held", "1 held", "1 held"]);
    assert_eq!(lines[3], ["", "1 escaped", "1 escaped", "1 escaped"]);
    let last = table.lines().last().unwrap();
    assert!(last.contains("useful work") && last.contains("1 works") && last.contains("1 broken"));
    assert_eq!(table::of(&sample::mixed().backends[1]), None);
}

#[test]
fn every_red_cell_is_told_with_its_evidence() {
    let page = page(&sample::mixed(), Colour::Off);
    for told in [
        "  fs-read/escaped, native: escaped: token-leaked, tree-changed\n      token-leaked: words\n",
        "  fs-read/stale, python: stale: old kernel\n",
        "  fs-read/inconclusive, python+hook: inconclusive: twin-after\n",
        "      control: not started: words\n",
        "      the twin after the act was not proved\n",
        "  files, python: broken: unproved\n      confined: exited with 1, not proved; it wrote: «words»\n",
        "  files, python+hook: inconclusive: control\n",
    ] {
        assert!(page.contains(told), "{told}\n{page}");
    }
    for green in ["fs-read/held", "fs-read/not-applicable"] {
        assert!(!page.contains(green), "{green}");
    }
}

#[test]
fn residue_obstacles_the_hook_and_the_tier_have_their_lines() {
    let page = page(&sample::mixed(), Colour::Off);
    for line in [
        "native (landlock/7+seccomp linux/6.18.44)",
        "  warning: words",
        "  unprotected: network: words",
        "  residue: fs-read/residue, native: no mount namespace",
        "  stopped by the hook only: fs-read/escaped",
        "  in the way, escaped: fs-read/escaped (native)",
        "  tier: S0, no rung is earned",
        "  unavailable: words",
        "  tier: not judged",
        "native: S0, no rung is earned",
        "wrapped: not judged",
    ] {
        assert!(page.lines().any(|other| other == line), "{line}\n{page}");
    }
    let earned = super::tests::page(&sample::verdict(), Colour::Off);
    assert!(earned.ends_with("\nnative: S1 is earned\nwrapped: S1 is earned\n"), "{earned}");
}

#[test]
fn colours_stand_only_where_they_are_asked_for_and_change_no_word() {
    let verdict = sample::mixed();
    let (plain, coloured) = (page(&verdict, Colour::Off), page(&verdict, Colour::On));
    assert!(!plain.contains('\u{1b}'));
    assert!(coloured.contains("\u{1b}[31m  fs-read/escaped, native: escaped"));
    let mut stripped = coloured;
    for colour in [RED, GREEN, YELLOW, "0"] {
        stripped = stripped.replace(&format!("\u{1b}[{colour}m"), "");
    }
    assert_eq!(stripped, plain);
}

#[test]
fn limits_stand_in_a_line_of_their_own_beside_the_tier() {
    let mut verdict = sample::verdict();
    verdict.backends.truncate(1);
    assert!(!page(&verdict, Colour::Off).contains("limits"), "nothing was tried");
    let limits = &mut verdict.backends[0].kept_limits;
    limits.counts.held = 2;
    limits.counts.escaped = 1;
    limits.exceeded.insert("resource/sleep (native)".to_owned());
    let told = page(&verdict, Colour::Off);
    assert!(told.contains("  limits, apart from the tier: 2 held, 1 escaped\n"), "{told}");
    assert!(told.contains("  limits exceeded: resource/sleep (native)\n"), "{told}");
    assert!(told.contains("native: S1 is earned\n"), "{told}");
    verdict.backends[0].kept_limits.promised = false;
    assert!(page(&verdict, Colour::Off).contains("limits (not promised), apart"));
}
