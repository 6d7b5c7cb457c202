//! A profile: rules as data, the text that `sandbox-exec` is given, and the values of its parameters.

use super::evaluate::{Evaluator, Refused};
use super::places::{PlaceError, Places, not_inside, spelling};
use super::rules::{Rule, Values, is_beneath};
use crate::policy::{Place, Policy};
use std::fmt::Write;

/// What confines one program on macOS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The rules, in their order.
    pub rules: Vec<Rule>,
    /// The parameters that the rules use, and the places that they stand for.
    pub parameters: Vec<(String, Place)>,
}

impl Profile {
    /// The profile of a policy: pure, and the only way from one to the other.
    ///
    /// # Errors
    /// When the policy holds what a profile cannot say.
    pub fn of(policy: &Policy) -> Result<Self, PlaceError> {
        Ok(Places::of(policy)?.profile())
    }

    /// The text. It holds no path of the policy: each is a parameter.
    pub fn text(&self) -> String {
        let mut text = String::from("(version 1)\n");
        for rule in &self.rules {
            // Writing to a string cannot fail.
            let _written = writeln!(text, "{rule}");
        }
        text
    }

    /// The values of the parameters for a program in this run directory.
    ///
    /// # Errors
    /// When the run directory is not spelt as the kernel spells it, holds the program, or lies in a place
    /// that is granted for itself.
    pub fn values(&self, run: &str) -> Result<Values, PlaceError> {
        spelling(run)?;
        let value = |place: &Place| match place {
            Place::Run => run.to_owned(),
            // `Places::new` refuses it.
            Place::Program => crate::policy::PROGRAM.to_owned(),
            Place::Path(path) => path.clone(),
        };
        let values: Values =
            self.parameters.iter().map(|(name, place)| (name.clone(), value(place))).collect();
        for (_, place) in &self.parameters {
            if let Place::Path(path) = place
                && is_beneath(run, path)
            {
                return Err(PlaceError::Inside { run: run.to_owned(), place: place.clone() });
            }
        }
        if let Some(program) = values.get(super::lower::PROGRAM) {
            not_inside(program, run, &Place::Run)?;
        }
        Ok(values)
    }

    /// The arguments of `sandbox-exec` before the program: the text and the parameters. A parameter is
    /// never part of the text, so no path can end a string or begin a rule.
    ///
    /// # Errors
    /// As [`Profile::values`].
    pub fn arguments(&self, run: &str) -> Result<Vec<String>, PlaceError> {
        let values = self.values(run)?;
        let definitions = values.iter().map(|(name, value)| format!("-D{name}={value}"));
        Ok(["-p".to_owned(), self.text()].into_iter().chain(definitions).collect())
    }

    /// The same, ready to decide accesses.
    ///
    /// # Errors
    /// When the meaning of the rules depends on how their order is read.
    pub fn evaluator(&self, values: Values) -> Result<Evaluator, Refused> {
        Evaluator::new(&self.rules, values)
    }

    /// The bytes that stand for this profile in a digest. The run directory is its symbol.
    pub fn artefact(&self) -> Vec<u8> {
        let mut bytes = self.text().into_bytes();
        for (name, place) in &self.parameters {
            let place = match place {
                Place::Run => crate::policy::RUN,
                Place::Program => crate::policy::PROGRAM,
                Place::Path(path) => path,
            };
            bytes.extend(name.bytes().chain([b'=']).chain(place.bytes()).chain([0]));
        }
        bytes
    }
}
