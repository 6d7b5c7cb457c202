//! Secrets that the launcher holds in its environment and hands on without a thought.

use harness::escape::{Escape, Layer};
use std::env;
use std::os::unix::ffi::OsStringExt;

const VARIABLES: Escape = Escape {
    techniques: &["FR-MEMINHERIT", "FR-ENVIRON"],
    references: &["CWE-526", "https://github.com/Certora/AutoProver/pull/73"],
    stops: &[Layer::Hygiene],
    silent: Some("a variable that is not handed on is simply not there"),
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "environment/variables",
        summary: "Read an inherited variable that holds a secret",
        witnesses: &["hygiene/environment"],
        native: Some(|_scene| Ok(env::var_os("ESCAPOLOGY_DECOY").unwrap_or_default().into_vec())),
        python: Some(include_str!("variables.py")),
        ..VARIABLES
    },
    Escape {
        id: "environment/variables.proxy",
        summary: "Read the password of the host's proxy from the inherited variables",
        witnesses: &["hygiene/environment"],
        native: Some(|_scene| {
            let names = ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"];
            Ok(names.into_iter().filter_map(env::var_os).flat_map(OsStringExt::into_vec).collect())
        }),
        python: Some(include_str!("variables.proxy.py")),
        ..VARIABLES
    },
    Escape {
        id: "environment/variables.initial",
        summary: "Read an inherited variable from the interpreter's own first copy of them",
        witnesses: &["hygiene/environment"],
        python: Some(include_str!("variables.initial.py")),
        ..VARIABLES
    },
];
