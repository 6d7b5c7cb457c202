//! Profiles, their reading and their evaluation.

mod golden;
mod profiles;
mod reading;
mod semantics;

use super::access::{Access, Object, Vnode};
use super::operation::Operation;

fn file(operation: &str, path: &str) -> Access {
    Access {
        operation: Operation::named(operation).unwrap(),
        object: Object::Path(path.to_owned(), Vnode::RegularFile),
    }
}

fn any(operation: &str) -> Access {
    Access { operation: Operation::named(operation).unwrap(), object: Object::Any }
}

#[cfg(not(target_os = "macos"))]
#[test]
fn where_there_is_no_seatbelt_it_says_so_and_prepares_nothing() {
    use super::seatbelt::seatbelt;
    use crate::backend::Backend;
    use crate::policy::Policy;

    let backend = seatbelt();
    let support = backend.support();
    assert!(!support.protections.is_empty());
    assert_eq!(support.missing().count(), support.protections.len());
    assert_eq!(backend.profile().mechanism, None);
    let refused = backend.prepare(&Policy::builder().build().unwrap()).unwrap_err();
    let text = refused.to_string();
    assert!(text.contains("Seatbelt is a part of macOS"), "{text}");
}
