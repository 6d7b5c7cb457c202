//! The framework: what an escape is, how a trial runs, how it is judged. It knows no escape.
//!
//! ```text
//! escape, useful -> plan -> trial -> records -> judge -> tier -> verdict
//!    (data)        (pure)  (effects) (facts)   (pure)   (pure)  (pure)
//! ```

pub mod certify;
pub mod escape;
pub mod host;
pub mod judge;
pub mod libtest;
#[cfg(target_os = "linux")]
pub mod mutate;
pub mod part;
pub mod performance;
pub mod plan;
pub mod rig;
pub mod scene;
pub mod setting;
pub mod stage;
pub mod tier;
pub mod trial;
pub mod twin;
pub mod useful;
pub mod useful_judge;
pub mod useful_run;
pub mod verdict;
mod words;
