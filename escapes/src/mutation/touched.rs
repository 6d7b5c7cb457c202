//! From a patch to the rules that it touches: those whose names stand in changed lines, those that the
//! changed escapes witness, and whole layers where their machinery changed.

use std::collections::BTreeSet;

/// Files by the beginning of their paths, and the layer whose rules they make or keep.
const MACHINERY: &[(&str, &[&str])] = &[
    ("backends/src/linux/lower.rs", &["landlock/", "hygiene/", "layer/", "policy/"]),
    ("backends/src/launch/ruleset.rs", &["landlock/", "layer/landlock"]),
    ("backends/src/linux/seccomp/", &["seccomp/", "layer/seccomp"]),
    ("backends/src/launch/", &["hygiene/", "limits/", "layer/", "policy/"]),
    ("backends/src/sys/", &["hygiene/", "limits/", "layer/", "policy/"]),
    ("backends/src/policy/limits.rs", &["limits/"]),
    ("backends/src/hook/", &["hook/", "layer/hook"]),
    ("backends/src/mutant/", &["layer/", "policy/"]),
    ("harness/src/mutate/", &["layer/", "policy/"]),
];

/// The table of the filter, of which single lines can change.
const TABLE: &str = "backends/src/linux/seccomp/strict.rs";

/// The rules, or layers that end in a slash, that a unified diff touches.
pub fn touched(patch: &str) -> BTreeSet<String> {
    let mut rules = BTreeSet::new();
    let mut file = String::new();
    let mut words = BTreeSet::new();
    for line in patch.lines() {
        if let Some(path) = line.strip_prefix("+++ ").or_else(|| line.strip_prefix("--- ")) {
            if line.starts_with('-') {
                rules.extend(of_file(&file, &words));
                words.clear();
            }
            let path = path.split('\t').next().unwrap_or(path);
            if path != "/dev/null" {
                path.trim_start_matches("a/").trim_start_matches("b/").clone_into(&mut file);
            }
        } else if line.starts_with(['+', '-']) {
            let name = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
            words.extend(line.split(name).filter(|word| !word.is_empty()).map(str::to_owned));
        }
    }
    rules.extend(of_file(&file, &words));
    rules
}

/// What a changed file touches, by its changed words.
fn of_file(file: &str, words: &BTreeSet<String>) -> BTreeSet<String> {
    if words.is_empty() || file.ends_with(".md") || file.contains("/tests") {
        return BTreeSet::new();
    }
    if file == TABLE
        && let Some(calls) = calls(words)
    {
        return calls;
    }
    if let Some(source) = file.strip_prefix("escapes/src/") {
        return of_escapes(source);
    }
    let machinery = MACHINERY.iter().find(|(path, _)| file.starts_with(path));
    machinery.iter().flat_map(|(_, rules)| rules.iter()).map(ToString::to_string).collect()
}

/// The calls whose names changed in the table, if there are any.
fn calls(words: &BTreeSet<String>) -> Option<BTreeSet<String>> {
    let arch = backends::linux::seccomp::Arch::native()?;
    let named = words.iter().filter(|word| arch.number(word).is_some());
    let calls: BTreeSet<String> = named.map(|call| format!("seccomp/{call}")).collect();
    (!calls.is_empty()).then_some(calls)
}

/// What the escapes of a changed source file witness; a family's helpers are used by all of it.
fn of_escapes(source: &str) -> BTreeSet<String> {
    let Some((family, file)) = source.split_once('/') else { return BTreeSet::new() };
    let stem = file.split('.').next().unwrap_or(file);
    let of_family = || crate::all().into_iter().filter(|e| e.family().replace('-', "_") == family);
    let own = format!("{family}/{stem}");
    let exact: Vec<_> = of_family().filter(|e| e.file().replace('-', "_") == own).collect();
    let escapes = if exact.is_empty() { of_family().collect() } else { exact };
    escapes.iter().flat_map(|escape| escape.witnesses).map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(file: &str, lines: &str) -> BTreeSet<String> {
        touched(&format!("--- a/{file}\n+++ b/{file}\n@@ -1 +1 @@\n{lines}"))
    }

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_changed_line_of_the_table_touches_its_calls_and_others_the_whole_filter() {
        let lines = "-    kill tkill\n+    kill\n context getpid\n";
        assert_eq!(patch(TABLE, lines), names(&["seccomp/kill", "seccomp/tkill"]));
        assert_eq!(patch(TABLE, "+fn other() {}\n"), names(&["layer/seccomp", "seccomp/"]));
    }

    #[test]
    fn a_changed_escape_touches_what_it_witnesses() {
        let rules = patch("escapes/src/exec/fork.rs", "+// said otherwise\n");
        assert!(rules.contains("seccomp/clone") && !rules.contains("landlock/make-sock"));
        let family = patch("escapes/src/process/victim.rs", "+// for all\n");
        assert!(family.contains("seccomp/ptrace") && family.contains("seccomp/kill"));
    }

    #[test]
    fn machinery_touches_its_layer_and_words_touch_nothing() {
        let hook = patch("backends/src/hook/judge.py", "-a\n+b\n");
        assert_eq!(hook, names(&["hook/", "layer/hook"]));
        assert_eq!(patch("docs/ladder.md", "+words\n"), BTreeSet::new());
        assert_eq!(patch("backends/src/hook/judge.py", " unchanged\n"), BTreeSet::new());
    }

    #[test]
    fn each_file_of_a_patch_counts() {
        let two = "--- a/backends/src/hook/rules.rs\n+++ b/backends/src/hook/rules.rs\n+x\n\
                   --- a/README.md\n+++ b/README.md\n+y\n";
        assert!(touched(two).contains("hook/"));
    }
}
