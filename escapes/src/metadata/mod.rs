//! Learning of files that the policy does not grant without reading their content: names, numbers,
//! existence, events.

mod decoy;
pub(crate) mod named;

family! {
    stat, readlink, access, statfs, chdir, open_path, name_to_handle,
    list_dir, get_xattr, list_xattr, file_attr, inotify, io_uring,
    tasks, process_end, interfaces, host, page_cache, mounts,
}

macos! { stat, readlink, access, statfs, chdir, list_dir, get_xattr, list_xattr, host, process_end }
