//! The probe on the real kernel: what earns S1, and that each protection is missed when it is gone.

use super::*;
use crate::layered::Weakening;
use crate::native::native;
use crate::none::none;
use std::sync::Barrier;

#[test]
fn the_rung_that_is_expected_of_this_host_is_earned() {
    let found = host();
    assert!(found.rung.is_ok() || !crate::tier::demanded().unwrap(), "{found:?}");
    // Bare, the program gets out on every host on which anything can be said.
    if found.rung.is_ok() {
        assert_eq!(found.seen.len(), Way::ALL.len());
        assert!(found.seen.values().all(|seen| *seen == (true, false)), "{found:?}");
    }
}

#[test]
fn the_commitment_of_a_probe_is_the_digest_of_the_policy_that_it_applied() {
    if let Ok(earned) = &host().rung {
        use sha2::{Digest, Sha256};
        let mut bytes = b"escapology/policy/v1\n".to_vec();
        bytes.extend(earned.policy().canonical());
        let digest = format!("sha256:{}", hex::encode(Sha256::digest(bytes)));
        assert_eq!(earned.commitment().to_string(), digest);
        assert!(earned.policy().read().is_empty());
        assert_eq!(earned.policy().write().len(), 1, "the run directory");
    }
}

#[test]
fn a_backend_without_a_layer_earns_nothing_and_the_way_out_is_named() {
    if host().rung.is_err() {
        return;
    }
    let rung = |weakening| of(&native().without(weakening)).rung.unwrap_err();
    assert_eq!(rung(Weakening::Landlock), NotEarned::Escaped(Way::FileRead));
    assert_eq!(rung(Weakening::Seccomp), NotEarned::Escaped(Way::Subprocess));
    for gone in [Weakening::Descriptors, Weakening::Environment] {
        assert!(matches!(rung(gone), NotEarned::Protection { .. }), "{gone:?}");
    }
    assert!(matches!(of(&none()).rung, Err(NotEarned::Escaped(_))));
}

#[test]
fn many_threads_share_one_probe() {
    let barrier = Barrier::new(8);
    let ask = || {
        barrier.wait();
        std::ptr::from_ref(host()) as usize
    };
    let places: Vec<usize> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(places.iter().all(|place| *place == places[0]));
}
