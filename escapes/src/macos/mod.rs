//! What only macOS has: its services, its spellings of a path, its ways to begin a process.

macos! { }
