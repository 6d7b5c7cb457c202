//! TOML that is wrong, for whoever wrote it.

/// What is wrong with a text of TOML, in one line. The error's own text draws the line in question, which becomes
/// noise where control characters are escaped before they reach a terminal.
pub fn toml_error(error: &toml::de::Error) -> String {
    let (drawn, message) = (error.to_string(), error.message().trim().replace('\n', ", "));
    match drawn.lines().next() {
        Some(place) if error.span().is_some() => format!("{place}: {message}"),
        _ => message,
    }
}
