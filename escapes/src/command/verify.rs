//! `escapology verify`: whether a folder's records entail its verdict.

use super::{out, say};
use clap::Args;
use reports::exit::Exit;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The folder that `certify --out` wrote
    folder: PathBuf,
}

impl Verify {
    pub(crate) fn run(self) -> ExitCode {
        match harness::verdict::verify(&self.folder) {
            Ok(verdict) => {
                let lines: String = verdict
                    .backends
                    .iter()
                    .map(|backend| {
                        let tier =
                            backend.tier.map_or("not judged".to_owned(), |tier| tier.to_string());
                        format!("{}: {tier}, as the records entail\n", backend.name)
                    })
                    .collect();
                out(&lines)
            }
            Err(error) => {
                say(&error.to_string());
                ExitCode::from(Exit::NotEarned.code())
            }
        }
    }
}
