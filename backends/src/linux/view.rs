//! Linux. From a policy to the mount namespace that holds only what it grants, and the names under
//! which programs look for that.

use super::discover;
use crate::enforcement::{Shown, View};
use crate::policy::{Grant, Kind, Place, Policy};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Links that are followed on the way to one place: as many as the kernel follows (`MAXSYMLINKS`).
const LINKS: usize = 40;

/// Where libraries look for what discovery grants by its real path, and where no granted place is near:
/// the configuration of OpenSSL (`OPENSSLDIR` of Debian and of Fedora).
const NAMES: [&str; 2] = ["/usr/lib/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf"];

/// The places of a policy, and the links of this host that lead into them.
pub fn view(policy: &Policy) -> View {
    let mut places = BTreeMap::new();
    let mut show = |grant: &Grant, writable: bool| {
        places
            .entry(grant.place().clone())
            .and_modify(|shown: &mut Shown| shown.writable |= writable)
            .or_insert(Shown { kind: grant.kind(), writable });
    };
    policy.read().iter().chain(policy.execute()).for_each(|grant| show(grant, false));
    policy.write().iter().for_each(|grant| show(grant, true));
    let mut names = Names { places: &places, links: BTreeMap::new() };
    names.of_neighbours();
    for grant in policy.execute() {
        if let Place::Path(image) = grant.place()
            && let Some(interpreter) = discover::interpreter(Path::new(image))
        {
            names.on_the_way_to(&interpreter);
        }
    }
    for name in NAMES.map(Path::new) {
        if names.lead_in(name) {
            names.on_the_way_to(name);
        }
    }
    let links = names.links;
    View { places, links }
}

/// The place that holds a path, if one does: itself, or a directory above it.
pub(crate) fn holder<'a>(
    places: &'a BTreeMap<Place, Shown>,
    path: &Path,
) -> Option<(&'a str, Shown)> {
    path.ancestors()
        .filter_map(|above| places.get_key_value(&Place::Path(above.to_str()?.to_owned())))
        .find_map(|(place, shown)| match place {
            Place::Path(text) if shown.kind == Kind::Directory || Path::new(text) == path => {
                Some((text.as_str(), *shown))
            }
            Place::Path(_) | Place::Run | Place::Program => None,
        })
}

/// Collects links.
struct Names<'a> {
    places: &'a BTreeMap<Place, Shown>,
    links: BTreeMap<String, String>,
}

impl Names<'_> {
    /// The links that stand beside a place or beside a directory above one, and lead into a place or to
    /// a directory above one: `/lib64`, `/etc/localtime`, `python3`.
    fn of_neighbours(&mut self) {
        let above: BTreeSet<PathBuf> = self
            .places
            .keys()
            .filter_map(|place| match place {
                Place::Path(path) => Some(Path::new(path)),
                Place::Run | Place::Program => None,
            })
            .flat_map(|path| path.ancestors().skip(1))
            .filter(|above| holder(self.places, above).is_none())
            .map(Path::to_owned)
            .collect();
        for directory in above {
            // A directory that this user may not list has no names for the program either.
            for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
                let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
                if is_link && self.lead_in(&entry.path()) {
                    self.on_the_way_to(&entry.path());
                }
            }
        }
    }

    /// Whether a path leads into a place, or to a directory above one that is not the root.
    fn lead_in(&self, path: &Path) -> bool {
        let Ok(real) = fs::canonicalize(path) else { return false };
        let below = |place: &Place| match place {
            Place::Path(text) => Path::new(text).starts_with(&real),
            Place::Run | Place::Program => false,
        };
        real != Path::new("/")
            && (holder(self.places, &real).is_some() || self.places.keys().any(below))
    }

    /// Every link that the kernel would follow on its way to a path. One that leads through `/proc`
    /// says something of this process, such as `/dev/stdin`, and nothing of the host: none is taken.
    fn on_the_way_to(&mut self, path: &Path) {
        let mut here = PathBuf::from("/");
        let mut rest: VecDeque<OsString> = components(path).collect();
        let mut followed = 0;
        let mut links = Vec::new();
        while let Some(name) = rest.pop_front() {
            if name == ".." {
                here.pop();
                continue;
            }
            let next = here.join(name);
            let Ok(target) = fs::read_link(&next) else {
                here = next;
                continue;
            };
            followed += 1;
            if followed > LINKS || next.starts_with("/proc") {
                return;
            }
            if target.is_absolute() {
                here = PathBuf::from("/");
            }
            components(&target).rev().for_each(|name| rest.push_front(name));
            if let (None, Some(at), Some(text)) =
                (holder(self.places, &next), next.to_str(), target.to_str())
            {
                links.push((at.to_owned(), text.to_owned()));
            }
        }
        self.links.extend(links);
    }
}

/// The names and steps upwards of a path.
fn components(path: &Path) -> impl DoubleEndedIterator<Item = OsString> {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn shown(view: &View, path: &Path) -> Option<Shown> {
        view.places.get(&Place::Path(path.to_str().unwrap().to_owned())).copied()
    }

    #[test]
    fn a_view_holds_the_grants_and_the_links_that_lead_into_them() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        for name in ["granted", "written", "other"] {
            fs::create_dir(base.join(name)).unwrap();
        }
        fs::write(base.join("file"), "").unwrap();
        symlink("granted", base.join("first")).unwrap();
        symlink(base.join("first"), base.join("second")).unwrap();
        symlink("other", base.join("elsewhere")).unwrap();
        symlink("gone", base.join("dangling")).unwrap();
        symlink("/", base.join("root")).unwrap();
        symlink("../other", base.join("granted/inside")).unwrap();
        let policy = Policy::builder()
            .read(&base.join("granted"))
            .and_then(|builder| builder.read(&base.join("file")))
            .and_then(|builder| builder.write(&base.join("written")))
            .and_then(|builder| builder.build())
            .unwrap();
        let view = view(&policy);
        assert!(!shown(&view, &base.join("granted")).unwrap().writable);
        assert!(!shown(&view, &base.join("file")).unwrap().writable);
        assert!(shown(&view, &base.join("written")).unwrap().writable);
        assert!(view.places[&Place::Run].writable);
        assert_eq!(view.places.len(), 4);
        let ours: BTreeSet<&str> = view
            .links
            .keys()
            .filter_map(|at| Path::new(at).strip_prefix(&base).ok()?.to_str())
            .collect();
        assert_eq!(ours, BTreeSet::from(["first", "second"]));
    }

    #[test]
    fn the_holder_of_a_path_is_the_nearest_place_above_it() {
        let directory = |writable| Shown { kind: Kind::Directory, writable };
        let places = BTreeMap::from([
            (Place::Run, directory(true)),
            (Place::Path("/a".to_owned()), directory(false)),
            (Place::Path("/a/b".to_owned()), directory(true)),
            (Place::Path("/f".to_owned()), Shown { kind: Kind::File, writable: false }),
        ]);
        let of = |path: &str| holder(&places, Path::new(path)).map(|(place, _)| place);
        assert_eq!(of("/a/x"), Some("/a"));
        assert_eq!(of("/a/b/c"), Some("/a/b"));
        assert_eq!(of("/f"), Some("/f"));
        assert_eq!(of("/f/x"), None);
        assert_eq!(of("/ab"), None);
    }
}
