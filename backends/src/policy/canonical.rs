//! The one byte form of a policy, and the digest that commits to it.

use super::Policy;
use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::fmt;

/// What stands before the canonical bytes when they are hashed, so that no other document can have
/// the digest of a policy.
const DOMAIN: &[u8] = b"escapology/policy/v1\n";

impl Policy {
    /// The canonical bytes: JSON with sorted keys, no white space, integers and strings only
    /// (RFC 8785 on that subset). Equal policies have equal bytes, and ones that say different things do
    /// not: what stood at a path when it was granted is no part of them.
    ///
    /// ```
    /// let policy = backends::policy::Policy::builder().build()?;
    /// assert_eq!(
    ///     String::from_utf8(policy.canonical())?,
    ///     "{\"environment\":{\"HOME\":\"{run}\",\"LANG\":\"C.UTF-8\",\"PATH\":\"/usr/bin:/bin\",\
    ///      \"PYTHONDONTWRITEBYTECODE\":\"1\",\"TMPDIR\":\"{run}\"},\"execute\":[],\"limits\":\
    ///      {\"address_space_bytes\":\"unlimited\",\"cpu_seconds\":3600,\
    ///      \"file_size_bytes\":4294967296,\"open_files\":4096,\"output_bytes\":268435456,\
    ///      \"run_directory_bytes\":17179869184,\"run_directory_entries\":1048576,\
    ///      \"wall_clock_milliseconds\":600000},\"network\":\"none\",\"processes\":\"none\",\
    ///      \"read\":[],\"write\":[{\"kind\":\"directory\",\"path\":\"{run}\"}]}"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn canonical(&self) -> Vec<u8> {
        serde_json::json!({
            "environment": self.environment,
            "execute": self.execute,
            "limits": self.limits,
            "network": "none",
            "processes": "none",
            "read": self.read,
            "write": self.write,
        })
        .to_string()
        .into_bytes()
    }

    /// Commits to this policy. Only the step that compiles a policy which is then applied may call
    /// this, so that no commitment exists without its confinement.
    pub(crate) fn commitment(&self) -> Commitment {
        Commitment(digest(&self.canonical()))
    }
}

fn digest(canonical: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(DOMAIN).chain_update(canonical).finalize().into()
}

/// What the commitment to a policy with these canonical bytes reads, to check one that was read from a
/// record. It is text: bytes make no [`Commitment`].
pub(crate) fn digest_of_canonical(canonical: &[u8]) -> String {
    Commitment(digest(canonical)).to_string()
}

/// The digest of the exact policy that was applied. It cannot be made from bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Commitment([u8; 32]);

impl fmt::Display for Commitment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "sha256:{}", hex::encode(self.0))
    }
}

impl fmt::Debug for Commitment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Commitment({self})")
    }
}

impl Serialize for Commitment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
