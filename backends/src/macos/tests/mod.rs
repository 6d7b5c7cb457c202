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
