//! Where two JSON documents differ, told so that a person finds it.

use reports::text;
use serde_json::Value;
use std::collections::BTreeSet;

/// The first place at which two documents differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// Keys and indices that lead to it, such as `backends[0].tier`.
    pub(super) place: String,
    /// What the first document has there, made harmless.
    pub(super) first: String,
    /// What the second document has there, made harmless.
    pub(super) second: String,
}

/// Finds the first difference, if there is one.
pub(super) fn difference(first: &Value, second: &Value) -> Option<Difference> {
    find(String::new(), Some(first), Some(second))
}

fn find(place: String, first: Option<&Value>, second: Option<&Value>) -> Option<Difference> {
    if first == second {
        return None;
    }
    if let (Some(Value::Object(first)), Some(Value::Object(second))) = (first, second) {
        let keys: BTreeSet<&String> = first.keys().chain(second.keys()).collect();
        let dot = if place.is_empty() { "" } else { "." };
        return keys
            .into_iter()
            .find_map(|key| find(format!("{place}{dot}{key}"), first.get(key), second.get(key)));
    }
    if let (Some(Value::Array(first)), Some(Value::Array(second))) = (first, second) {
        return (0..first.len().max(second.len())).find_map(|index| {
            find(format!("{place}[{index}]"), first.get(index), second.get(index))
        });
    }
    let show = |value: Option<&Value>| {
        value.map_or_else(|| "nothing".to_owned(), |value| text::line(&value.to_string()))
    };
    Some(Difference { place: text::line(&place), first: show(first), second: show(second) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(first: &Value, second: &Value) -> Option<(String, String, String)> {
        let Difference { place, first, second } = difference(first, second)?;
        Some((place, first, second))
    }

    fn some(place: &str, first: &str, second: &str) -> Option<(String, String, String)> {
        Some((place.to_owned(), first.to_owned(), second.to_owned()))
    }

    #[test]
    fn equal_documents_do_not_differ() {
        assert_eq!(told(&json!({"a": [1, {"b": null}]}), &json!({"a": [1, {"b": null}]})), None);
    }

    #[test]
    fn the_first_difference_is_found_at_any_depth() {
        let first = json!({"a": [1, {"b": null, "c": 2}]});
        assert_eq!(told(&first, &json!({"a": [1, {"b": 0, "c": 3}]})), some("a[1].b", "null", "0"));
        assert_eq!(
            told(&first, &json!({"a": [1]})),
            some("a[1]", "{\"b\":null,\"c\":2}", "nothing")
        );
        assert_eq!(
            told(&first, &json!({"a": {}, "b": 1})),
            some("a", &first["a"].to_string(), "{}")
        );
        assert_eq!(told(&json!({}), &json!({"z": 1})), some("z", "nothing", "1"));
    }

    #[test]
    fn hostile_keys_and_values_are_made_harmless() {
        let hostile = json!({"\u{1b}[2J": "\u{202e}"});
        assert_eq!(told(&hostile, &json!({})), some("\u{fffd}[2J", "\"\u{fffd}\"", "nothing"));
    }
}
