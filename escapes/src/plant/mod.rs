//! Planting where the work is delivered: what others take for the result, or run.

family! { create, rename, symlink, git_hook, agent_settings, survivor, inherited_directory }

macos! { create, rename, symlink, git_hook, agent_settings, survivor, inherited_directory }
