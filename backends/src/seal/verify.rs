//! Whether a record says of itself what its parts say. It is no signature: who may write the file may
//! write another one. It shows that a commitment is that of the policy beside it, and that policy,
//! unit and rung fit together.

use super::record::SCHEMA;
use crate::policy::{RUN, digest_of_canonical};
use crate::tier::Tier;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The fields of every record.
const FIELDS: [&str; 14] = [
    "commitment",
    "ended_by",
    "energy",
    "exit",
    "mechanism",
    "policy",
    "schema",
    "stderr",
    "stdout",
    "tier",
    "unconfined_because",
    "unit",
    "unit_digest",
    "usage",
];

/// The fields of a record that holds what the program wrote.
const CAPTURED: [&str; 2] = ["stderr_base64", "stdout_base64"];

/// A record whose parts fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The rung that it states.
    pub tier: Tier,
    /// What confined the program.
    pub mechanism: Option<String>,
    /// The commitment, which is that of the policy in the record.
    pub commitment: Option<String>,
}

/// Why a record is refused.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// It is no JSON.
    #[error("the record is no JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It is not in its one byte form, so a reader could see another record in it.
    #[error("the record is not in its one byte form: one line of JSON with sorted keys")]
    Form,
    /// It is no sealed record.
    #[error("the record is not of the schema {SCHEMA}")]
    Schema,
    /// A field is missing, unknown, or of the wrong kind.
    #[error("the field {0:?} is missing, unknown, or not what it should be")]
    Field(String),
    /// The commitment is not that of the policy.
    #[error("the commitment is {stated}, but that of the policy in the record is {computed}")]
    Commitment {
        /// What the record says.
        stated: String,
        /// What follows from its policy.
        computed: String,
    },
    /// The digest is not that of the unit.
    #[error("the digest of the unit is {stated}, but that of the unit in the record is {computed}")]
    Unit {
        /// What the record says.
        stated: String,
        /// What follows from its unit.
        computed: String,
    },
    /// The policy gives more than the unit was granted.
    #[error("the policy lets {0:?} be written, which the unit is not granted")]
    Wider(String),
    /// The digest is not that of the captured output.
    #[error("the digest of {0} is not that of what the record holds")]
    Output(&'static str),
}

/// Reads one record, as [`super::Sealed::line`] writes it, and checks that its parts fit together.
///
/// # Errors
/// See [`VerifyError`].
pub fn verify(line: &[u8]) -> Result<Verified, VerifyError> {
    let value: Value = serde_json::from_slice(line)?;
    if line.strip_suffix(b"\n").unwrap_or(line) != value.to_string().as_bytes() {
        return Err(VerifyError::Form);
    }
    let record = value.as_object().ok_or(VerifyError::Schema)?;
    if record.get("schema").and_then(Value::as_str) != Some(SCHEMA) {
        return Err(VerifyError::Schema);
    }
    let known = |field: &&String| !FIELDS.iter().chain(&CAPTURED).any(|known| known == field);
    if let Some(field) = record.keys().find(known) {
        return Err(VerifyError::Field(field.clone()));
    }
    if let Some(field) = FIELDS.iter().find(|field| !record.contains_key(**field)) {
        return Err(VerifyError::Field((*field).to_owned()));
    }
    unit(record)?;
    for name in ["stdout", "stderr"] {
        output(record, name)?;
    }
    rung(record)
}

/// The rung, and what must and must not stand beside it.
fn rung(record: &Map<String, Value>) -> Result<Verified, VerifyError> {
    let field = |name: &str| VerifyError::Field(name.to_owned());
    let text = |name: &str| record[name].as_str().map(str::to_owned);
    let absent = |name: &str| record[name].is_null().then_some(()).ok_or_else(|| field(name));
    match text("tier").as_deref() {
        Some("S1") => {
            absent("unconfined_because")?;
            let mechanism = text("mechanism").filter(|mechanism| !mechanism.is_empty());
            let mechanism = mechanism.ok_or_else(|| field("mechanism"))?;
            let stated = text("commitment").ok_or_else(|| field("commitment"))?;
            let policy = &record["policy"];
            policy_is_s1(policy)?;
            let computed = digest_of_canonical(policy.to_string().as_bytes());
            if stated != computed {
                return Err(VerifyError::Commitment { stated, computed });
            }
            writes(policy, &record["unit"])?;
            Ok(Verified { tier: Tier::S1, mechanism: Some(mechanism), commitment: Some(stated) })
        }
        Some("S0") => {
            ["mechanism", "commitment", "policy"].into_iter().try_for_each(absent)?;
            text("unconfined_because").ok_or_else(|| field("unconfined_because"))?;
            Ok(Verified { tier: Tier::S0, mechanism: None, commitment: None })
        }
        Some(_) | None => Err(field("tier")),
    }
}

/// A policy of S1 gives no network and no process.
fn policy_is_s1(policy: &Value) -> Result<(), VerifyError> {
    for name in ["network", "processes"] {
        if policy[name].as_str() != Some("none") {
            return Err(VerifyError::Field(format!("policy.{name}")));
        }
    }
    Ok(())
}

/// Nothing may be written but what is granted, the run directory and `/dev/null`.
fn writes(policy: &Value, unit: &Value) -> Result<(), VerifyError> {
    let wrong = |name: &str| VerifyError::Field(name.to_owned());
    let places = policy["write"].as_array().ok_or_else(|| wrong("policy.write"))?;
    let storage = unit["grants"]["storage"].as_array().ok_or_else(|| wrong("unit.grants"))?;
    let granted: Vec<std::path::PathBuf> = storage
        .iter()
        .filter(|storage| storage["access"] == "write")
        // A policy has its paths without slashes and dots that mean nothing.
        .filter_map(|storage| {
            Some(std::path::Path::new(storage["path"].as_str()?).components().collect())
        })
        .collect();
    for place in places {
        let path = place["path"].as_str().ok_or_else(|| wrong("policy.write"))?;
        let is_granted = granted.iter().any(|granted| granted == std::path::Path::new(path));
        if ![RUN, "/dev/null"].contains(&path) && !is_granted {
            return Err(VerifyError::Wider(path.to_owned()));
        }
    }
    Ok(())
}

fn unit(record: &Map<String, Value>) -> Result<(), VerifyError> {
    let stated = record["unit_digest"].as_str().unwrap_or_default().to_owned();
    let computed = format!("sha256:{}", hex::encode(crate::unit::digest(&record["unit"])));
    if stated == computed { Ok(()) } else { Err(VerifyError::Unit { stated, computed }) }
}

/// The captured output, if the record holds it.
fn output(record: &Map<String, Value>, name: &'static str) -> Result<(), VerifyError> {
    let Some(captured) = record.get(&format!("{name}_base64")) else { return Ok(()) };
    let bytes = captured.as_str().and_then(|text| STANDARD.decode(text).ok());
    let bytes = bytes.ok_or_else(|| VerifyError::Field(format!("{name}_base64")))?;
    let digest = format!("sha256:{}", hex::encode(Sha256::digest(&bytes)));
    let stated = &record[name];
    let same = stated["digest"].as_str() == Some(&digest)
        && stated["bytes"].as_u64() == u64::try_from(bytes.len()).ok();
    if same { Ok(()) } else { Err(VerifyError::Output(name)) }
}
