//! The catalogue as a page for people, `docs/escapes.md`: what each escape tries, and which layers stop it
//! alone. A test keeps the page equal to the list.

use harness::escape::{Escape, Layer};
use std::collections::BTreeMap;

/// The layers that `native` has on every host. A mount namespace is one more, where it is asked for.
const NATIVE: [Layer; 4] = [Layer::Landlock, Layer::Seccomp, Layer::Hygiene, Layer::Limits];

const HEAD: &str = "\
# The escapes

Made by `ci/escapes-table` from the catalogue; not to be edited by hand. *Alone* are the layers that stop the
escape by themselves, with every other layer away. For Landlock, the filter (seccomp) and hygiene the columns
of the test suite show on the running kernel that the list is right, no more and no less; `escapology certify
--depth` shows it on a host of yours. Where a user is root, hygiene stops more: it takes the capabilities by
which root reaches other processes. A mount namespace stands in a user namespace of its own.

";

/// The words for what carries an escape.
pub fn runtimes(escape: &Escape) -> Vec<&'static str> {
    let native = escape.native.is_some().then_some("native");
    let python = escape.python.is_some().then_some("python");
    native.into_iter().chain(python).collect()
}

/// The layers of `native` that stop an escape alone: where it is one, one bug suffices.
pub fn depth(escape: &Escape) -> Vec<Layer> {
    escape.stops.iter().copied().filter(|layer| NATIVE.contains(layer)).collect()
}

/// The whole page.
pub fn page(escapes: &[&Escape]) -> String {
    let mut families: Vec<&str> = escapes.iter().map(|escape| escape.family()).collect();
    families.dedup();
    let mut page = HEAD.to_owned();
    for family in families {
        page.push_str(&format!(
            "## {family}\n\n| escape | what it tries | techniques | runtimes | alone | references |\n|---|---|---|---|---|---|\n"
        ));
        for escape in escapes.iter().filter(|escape| escape.family() == family) {
            page.push_str(&row(escape));
        }
        page.push('\n');
    }
    page.push_str(&singles(escapes));
    page
}

fn row(escape: &Escape) -> String {
    let layers: Vec<&str> = escape.stops.iter().map(|layer| layer.name()).collect();
    let references: Vec<String> = escape.references.iter().map(|text| reference(text)).collect();
    let cells = [
        format!("`{}`", escape.id),
        escape.summary.to_owned(),
        escape.techniques.join(", "),
        runtimes(escape).join(", "),
        layers.join(", "),
        references.join(", "),
    ];
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

fn reference(text: &str) -> String {
    if text.starts_with("http") { format!("<{text}>") } else { text.to_owned() }
}

/// The escapes of which one layer of `native` alone is in the way, and those that need all of it.
fn singles(escapes: &[&Escape]) -> String {
    let mut by_layer: BTreeMap<Option<Layer>, Vec<&str>> = BTreeMap::new();
    for escape in escapes {
        match depth(escape).as_slice() {
            [] => by_layer.entry(None).or_default().push(escape.id),
            [layer] => by_layer.entry(Some(*layer)).or_default().push(escape.id),
            [_, _, ..] => {}
        }
    }
    let mut text = "## Held by a single layer: one bug suffices\n\n".to_owned();
    for (layer, ids) in by_layer {
        let what = match layer {
            Some(layer) => format!("Only by {}", layer.name()),
            None => {
                "By no layer of `native` alone: by several together, or residue of S1".to_owned()
            }
        };
        let ids: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
        text.push_str(&format!("**{what}** ({}): {}.\n\n", ids.len(), ids.join(", ")));
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}
