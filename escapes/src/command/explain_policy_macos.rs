//! macOS. `escapology explain-policy`: everything that the kernel would be told for one program.

use super::grants::{Grants, needs};
use super::{out, say};
use backends::macos::profile::Profile;
use backends::policy::{Bound, RUN};
use clap::Args;
use serde_json::json;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct ExplainPolicy {
    #[command(flatten)]
    grants: Grants,
    /// Print the profile as JSON
    #[arg(long)]
    json: bool,
    /// The program, after `--`
    #[arg(last = true, value_name = "PROGRAM", default_value = "/usr/bin/true")]
    program: Vec<OsString>,
}

impl ExplainPolicy {
    pub(crate) fn run(self) -> ExitCode {
        match self.text() {
            Ok(text) => out(&text),
            Err(error) => {
                say(&error);
                ExitCode::from(2)
            }
        }
    }

    fn text(&self) -> Result<String, String> {
        let program = self.program.first().map_or(Path::new("/usr/bin/true"), Path::new);
        let unit = self.grants.unit(program, &[], Bound::Unlimited);
        let needs = needs(&unit).map_err(|error| error.to_string())?;
        let policy = unit.policy(&needs).map_err(|error| error.to_string())?;
        let profile = Profile::of(&policy).map_err(|error| error.to_string())?;
        let parameters: BTreeMap<&str, String> = profile
            .parameters
            .iter()
            .map(|(name, place)| (name.as_str(), place.to_string().trim_matches('"').to_owned()))
            .collect();
        if self.json {
            let object = json!({
                "profile": profile.text(),
                "parameters": parameters,
                "environment": policy.environment(),
            });
            return Ok(format!("{object}\n"));
        }
        let mut text =
            format!("program: {:?}\n\nprofile (Seatbelt):\n{}", needs.image, profile.text());
        text += "\nparameters:\n";
        for (name, value) in parameters {
            text += &format!("  {name} = {value}\n");
        }
        text += &format!("\nenvironment ({RUN} is the run directory):\n");
        for (name, value) in policy.environment() {
            text += &format!("  {name}={value}\n");
        }
        Ok(text)
    }
}
