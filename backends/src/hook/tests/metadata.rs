//! Attempts on modes, owners, times and attributes, by path and by descriptor.

use super::{refused, refused_by, unjudged};

#[test]
fn metadata_outside_is_not_changed() {
    refused_by("os.chmod(outside + '/secret', 0o600)", |rules| unjudged(rules, "os.chmod"));
    refused_by("os.chown(outside + '/secret', -1, os.stat(outside).st_gid)", |rules| {
        unjudged(rules, "os.chown")
    });
    refused_by("os.utime(outside + '/secret', (1, 1))", |rules| unjudged(rules, "os.utime"));
    refused_by("os.truncate(outside + '/secret', 1)", |rules| unjudged(rules, "os.truncate"));
    refused("import shutil; shutil.copystat('program.py', outside + '/secret')");
    refused("os.symlink(outside + '/secret', 'link'); os.chmod('link', 0o600)");
    refused("os.utime(outside + '/inward', (1, 1), follow_symlinks=False)");
    refused("os.lchown(outside + '/secret', -1, os.stat(outside).st_gid)");
    refused(
        "folder = os.open(granted, os.O_RDONLY); os.utime('../outside/secret', (1, 1), dir_fd=folder)",
    );
}

#[test]
fn a_descriptor_that_may_only_read_changes_no_metadata() {
    let opened = |rest: &str| format!("file = os.open(granted + '/readable', os.O_RDONLY); {rest}");
    refused(&opened("os.fchmod(file, 0o600)"));
    refused(&opened("os.chmod(file, 0o600)"));
    refused(&opened("os.fchown(file, -1, os.stat(granted).st_gid)"));
    refused(&opened("os.utime(file, (1, 1))"));
}

/// Which attributes a file system holds varies; any answer but a refusal shows that the kernel was asked.
#[cfg(target_os = "linux")]
#[test]
fn attributes_outside_are_neither_read_nor_changed() {
    let asked = |call: &str| {
        format!(
            "try: os.{call}
except PermissionError: raise
except OSError: pass
open('marker', 'w')"
        )
    };
    refused_by(&asked("getxattr(outside + '/secret', 'user.a')"), |rules| {
        unjudged(rules, "os.getxattr")
    });
    refused_by(&asked("listxattr(outside + '/secret')"), |rules| unjudged(rules, "os.listxattr"));
    refused_by(&asked("setxattr(granted + '/readable', 'user.a', b'x')"), |rules| {
        unjudged(rules, "os.setxattr")
    });
    refused_by(&asked("removexattr(granted + '/readable', 'user.a')"), |rules| {
        unjudged(rules, "os.removexattr")
    });
}
