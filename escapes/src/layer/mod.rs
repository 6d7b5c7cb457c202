//! Defects in how the layers are built: the same act by a door that the builder forgot.

family! { int80, x32, high_bits, device, thread }

macos! { thread }
