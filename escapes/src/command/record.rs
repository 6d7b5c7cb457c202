//! The record of one run: what confined it and how it ended. It never shares a stream with the
//! program: captured output stands inside it.

use backends::backend::Confinement;
use backends::child::{Cause, Ended, Exit};
use backends::policy::Policy;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// What a program wrote.
#[derive(Debug, Default)]
pub(crate) struct Captured {
    pub(crate) output: Vec<u8>,
    pub(crate) error: Vec<u8>,
}

/// One record, as JSON.
#[derive(Debug)]
pub(crate) struct RunRecord(Value);

impl RunRecord {
    /// The record of a run that ended.
    pub(crate) fn of(
        backend: &str,
        mechanism: Option<String>,
        confinement: &dyn Confinement,
        policy: &Policy,
        ended: &Ended,
        captured: Option<Captured>,
    ) -> Self {
        let (how, number) = match ended.exit {
            Exit::Code(code) => ("code", code),
            Exit::Signal(signal) => ("signal", signal),
        };
        let cause = match ended.cause {
            None => "program",
            Some(Cause::WallClock) => "wall-clock limit",
            Some(Cause::Output) => "output limit",
            Some(Cause::RunDirectory) => "run directory limit",
            Some(Cause::CpuTime) => "cpu time limit",
        };
        let policy: Value = serde_json::from_slice(&policy.canonical()).unwrap_or_default();
        let mut record = json!({
            "schema": "escapology/run/v1",
            "backend": backend,
            "mechanism": mechanism,
            "commitment": confinement.commitment().map(|commitment| commitment.to_string()),
            "policy": policy,
            "exit": { how: number },
            "ended_by": cause,
            "usage": {
                "wall_microseconds": u64::try_from(ended.usage.wall.as_micros()).unwrap_or(u64::MAX),
                "cpu_microseconds": u64::try_from(ended.usage.cpu.as_micros()).unwrap_or(u64::MAX),
                "peak_memory_bytes": ended.usage.peak_memory,
            },
        });
        if let Some(captured) = captured {
            record["stdout_base64"] = STANDARD.encode(captured.output).into();
            record["stderr_base64"] = STANDARD.encode(captured.error).into();
        }
        Self(record)
    }

    /// The record as one line.
    pub(crate) fn line(&self) -> Vec<u8> {
        format!("{}\n", self.0).into_bytes()
    }
}
