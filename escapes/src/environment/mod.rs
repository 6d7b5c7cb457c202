//! What the launcher leaves in the program's memory before its first instruction.

family! { variables, initial_stack, proc_self }

macos! { variables, initial_stack }
