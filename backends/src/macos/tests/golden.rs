//! The text of two profiles, to be read by people. `GOLDEN=write cargo test` writes them anew.

use super::super::places::Places;
use crate::policy::{Kind, Place};

fn places(program: &str, read: &[(&str, Kind)], write: &[(&str, Kind)]) -> Places {
    let place = |(path, kind): &(&str, Kind)| (Place::Path((*path).to_owned()), *kind);
    let run = [(Place::Run, Kind::Directory)];
    let write = run.into_iter().chain(write.iter().map(place)).collect();
    Places::new(Some(program.to_owned()), read.iter().map(place).collect(), write).unwrap()
}

fn compare(name: &str, places: &Places) {
    let path = format!("{}/src/macos/golden/{name}.sb", env!("CARGO_MANIFEST_DIR"));
    let text = places.profile().text();
    if std::env::var_os("GOLDEN").is_some_and(|value| value == "write") {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(&path).unwrap(), "{path}");
}

#[test]
fn the_profile_of_a_native_program() {
    let read = [
        ("/Users/reader/data", Kind::Directory),
        ("/dev/random", Kind::File),
        ("/dev/urandom", Kind::File),
    ];
    let write = [("/Users/reader/data/out", Kind::Directory), ("/dev/null", Kind::File)];
    compare("native", &places("/Applications/Tool/bin/tool", &read, &write));
}

#[test]
fn the_profile_of_a_framework_build_of_python() {
    let prefix = "/Library/Frameworks/Python.framework/Versions/3.13";
    let image = format!("{prefix}/Resources/Python.app/Contents/MacOS/Python");
    compare("python-framework", &places(&image, &[(prefix, Kind::Directory)], &[]));
}

#[test]
fn the_profile_of_a_python_that_is_no_framework() {
    let prefix = "/Users/runner/.local/share/uv/python/cpython-3.13-macos-aarch64-none";
    let image = format!("{prefix}/bin/python3.13");
    compare("python-prefix", &places(&image, &[(prefix, Kind::Directory)], &[]));
}
