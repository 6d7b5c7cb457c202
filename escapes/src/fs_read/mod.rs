//! Reading the content of a file that the policy does not grant.

family! { open }
