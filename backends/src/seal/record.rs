//! A seal as one line of JSON, in one byte form: sorted keys, no white space.

use super::{Rung, Sealed, Stream};
use crate::child::{Cause, Exit};
use crate::meter::{Energy, Method};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::time::Duration;

/// What the first field of a record says.
pub(super) const SCHEMA: &str = "escapology/sealed/v1";

impl Sealed {
    /// The record as one line that ends with a line feed.
    pub fn line(&self) -> Vec<u8> {
        format!("{}\n", self.record()).into_bytes()
    }

    fn record(&self) -> Value {
        let ended = &self.outcome.ended;
        let (how, number) = match ended.exit {
            Exit::Code(code) => ("code", code),
            Exit::Signal(signal) => ("signal", signal),
        };
        let policy = match &self.rung {
            Rung::S1 { policy, .. } => serde_json::from_slice(&policy.canonical()).ok(),
            Rung::S0 { .. } => None,
        };
        let mut record = json!({
            "schema": SCHEMA,
            "tier": self.tier(),
            "mechanism": self.mechanism(),
            "commitment": self.commitment(),
            "policy": policy.unwrap_or(Value::Null),
            "unconfined_because": self.unconfined().map(ToString::to_string),
            "unit": self.unit,
            "unit_digest": self.digest.to_string(),
            "exit": { how: number },
            "ended_by": cause(ended.cause),
            "usage": {
                "wall_microseconds": microseconds(ended.usage.wall),
                "cpu_microseconds": microseconds(ended.usage.cpu),
                "peak_memory_bytes": ended.usage.peak_memory,
            },
            "energy": energy(&self.outcome.energy),
        });
        for (name, stream) in [("stdout", &self.outcome.output), ("stderr", &self.outcome.error)] {
            record[name] = json!({
                "bytes": stream.bytes,
                "digest": format!("sha256:{}", hex::encode(stream.digest)),
            });
            if let Stream { captured: Some(captured), .. } = stream {
                record[format!("{name}_base64")] = STANDARD.encode(captured).into();
            }
        }
        record
    }
}

fn cause(cause: Option<Cause>) -> &'static str {
    match cause {
        None => "program",
        Some(Cause::WallClock) => "wall-clock limit",
        Some(Cause::Output) => "output limit",
        Some(Cause::RunDirectory) => "run directory limit",
        Some(Cause::CpuTime) => "cpu time limit",
    }
}

fn energy(energy: &Energy) -> Value {
    match &energy.method {
        Method::ModelBased { host_microjoules, busy } => json!({
            "microjoules": energy.microjoules,
            "method": "ModelBased",
            "host_microjoules": host_microjoules,
            "host_busy_microseconds": microseconds(*busy),
        }),
        Method::Estimator { milliwatts_per_core, why } => json!({
            "microjoules": energy.microjoules,
            "method": "Estimator",
            "milliwatts_per_core": milliwatts_per_core,
            "not_metered_because": why.to_string(),
        }),
    }
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
