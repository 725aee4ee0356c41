//! What code does beyond its own objects, and which of that is allowed. Knows nothing of how it is observed.
//!
//! The names of kinds and places are those of `java.lang.DynaflowOutside`; a test holds the two together.
//! Invariant: `parse(print(allowed)) == allowed`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::str::FromStr;

/// What is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EffectKind {
    /// Files and folders: made, written, deleted, renamed, linked, their attributes changed.
    Files,
    /// Files and folders that are looked at, read or listed, whether they are there or not.
    Reads,
    /// Sockets of all kinds, and host names that are looked up.
    Network,
    /// Processes started or ended.
    Processes,
    /// Libraries and functions of native code.
    Natives,
    /// System properties.
    Properties,
    /// Default locales.
    Locale,
    /// The default time zone.
    TimeZone,
    /// Standard streams that are replaced.
    Streams,
    /// Shutdown hooks, and files to delete at the end.
    ShutdownHooks,
    /// Threads left behind.
    Threads,
    /// The user's or the system's preferences.
    Preferences,
    /// The configuration of `java.util.logging`.
    Logging,
    /// Security providers, properties, policy and manager.
    Security,
    /// Other defaults that hold for the whole JVM: factories, handlers, selectors, registries.
    Defaults,
    /// The end of the JVM.
    Exit,
}

/// All kinds with their names, in the order users read them.
const KINDS: [(EffectKind, &str); 16] = [
    (EffectKind::Files, "files"),
    (EffectKind::Reads, "reads"),
    (EffectKind::Network, "network"),
    (EffectKind::Processes, "processes"),
    (EffectKind::Natives, "natives"),
    (EffectKind::Properties, "properties"),
    (EffectKind::Locale, "locale"),
    (EffectKind::TimeZone, "time-zone"),
    (EffectKind::Streams, "streams"),
    (EffectKind::ShutdownHooks, "shutdown-hooks"),
    (EffectKind::Threads, "threads"),
    (EffectKind::Preferences, "preferences"),
    (EffectKind::Logging, "logging"),
    (EffectKind::Security, "security"),
    (EffectKind::Defaults, "defaults"),
    (EffectKind::Exit, "exit"),
];

impl EffectKind {
    /// The name, as users write it.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// Whether it happens at a place.
    pub fn has_places(self) -> bool {
        matches!(self, Self::Files | Self::Reads)
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        KINDS.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }
}

/// Where a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Place {
    /// Below the folder for temporary files.
    Temporary,
    /// Below the working folder.
    Working,
    /// Anywhere else.
    Elsewhere,
}

const PLACES: [(Place, &str); 3] =
    [(Place::Temporary, "tmp"), (Place::Working, "work"), (Place::Elsewhere, "elsewhere")];

impl Place {
    /// The name, as users write it.
    pub fn name(self) -> &'static str {
        PLACES.iter().find(|(place, _)| *place == self).map_or("", |(_, name)| name)
    }

    /// The place with this name.
    pub fn named(name: &str) -> Option<Self> {
        PLACES.iter().find(|(_, known)| *known == name).map(|(place, _)| *place)
    }
}

/// Something that code did beyond its own objects, or tried to do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Effect {
    /// What was touched.
    pub kind: EffectKind,
    /// Where, for files.
    pub place: Option<Place>,
    /// What was done, beginning with a verb: `deletes /x/y`.
    pub what: String,
    /// The statement of the sequence that did it, where that is known.
    pub statement: Option<u32>,
    /// The class whose initialiser did it: once in a JVM, in whichever test comes first.
    pub initialiser: Option<String>,
}

impl Effect {
    /// The kind and place that would have to be allowed.
    pub fn needs(&self) -> Permission {
        Permission { kind: self.kind, place: self.place }
    }
}

/// A kind of effect, everywhere or in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Permission {
    /// What may be touched.
    pub kind: EffectKind,
    /// Where; none: everywhere.
    pub place: Option<Place>,
}

impl Permission {
    /// Whether what this one permits includes the other. Who may change files may look at them.
    pub fn includes(&self, other: &Self) -> bool {
        let kind =
            self.kind == other.kind || (self.kind, other.kind) == (EffectKind::Files, EffectKind::Reads);
        kind && (self.place.is_none() || self.place == other.place)
    }
}

impl std::fmt::Display for Permission {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind.name())?;
        self.place.iter().try_for_each(|place| write!(f, ":{}", place.name()))
    }
}

/// A text that names no effect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PermissionError {
    /// No such kind.
    #[error("unknown kind of effect `{0}`; expected one of {known}", known = names(KINDS.map(|(_, name)| name)))]
    Kind(String),
    /// No such place.
    #[error("unknown place `{0}`; expected one of {known}", known = names(PLACES.map(|(_, name)| name)))]
    Place(String),
    /// A place for something that is in none.
    #[error("`{kind}` has no places, leave out `:{place}`; only `files` and `reads` have: {known}", known = names(PLACES.map(|(_, name)| name)))]
    NoPlaces {
        /// The kind.
        kind: &'static str,
        /// What was given as its place.
        place: String,
    },
}

fn names<const N: usize>(names: [&str; N]) -> String {
    names.join(", ")
}

impl FromStr for Permission {
    type Err = PermissionError;

    fn from_str(text: &str) -> Result<Self, PermissionError> {
        let (kind, place) = match text.split_once(':') {
            Some((kind, place)) => (kind, Some(place)),
            None => (text, None),
        };
        let kind = EffectKind::named(kind).ok_or_else(|| PermissionError::Kind(kind.to_owned()))?;
        let Some(place) = place else { return Ok(Self { kind, place: None }) };
        if !kind.has_places() {
            return Err(PermissionError::NoPlaces { kind: kind.name(), place: place.to_owned() });
        }
        let place = Place::named(place).ok_or_else(|| PermissionError::Place(place.to_owned()))?;
        Ok(Self { kind, place: Some(place) })
    }
}

/// The effects that tests may have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    permissions: BTreeSet<Permission>,
    /// Single looks at files, by place and text, which has what was found.
    looks: BTreeSet<(Option<Place>, String)>,
}

impl Allowed {
    /// Allows more.
    pub fn allow(&mut self, permission: Permission) {
        self.permissions.insert(permission);
    }

    /// Allows what another test does: its kind, at its place. Of looks at files the very same with the same outcome alone, since
    /// what a test does next depends on it.
    pub fn allow_as(&mut self, effect: &Effect) {
        if effect.kind == EffectKind::Reads {
            self.looks.insert((effect.place, effect.what.clone()));
        } else {
            self.allow(effect.needs());
        }
    }

    /// The kinds and places that are allowed.
    pub fn permissions(&self) -> impl Iterator<Item = &Permission> {
        self.permissions.iter()
    }

    /// How many single looks at files are allowed.
    pub fn looks(&self) -> usize {
        self.looks.len()
    }

    /// Whether tests may have this effect.
    pub fn allows(&self, effect: &Effect) -> bool {
        let needs = effect.needs();
        self.permissions.iter().any(|permission| permission.includes(&needs))
            || effect.kind == EffectKind::Reads && self.looks.contains(&(effect.place, effect.what.clone()))
    }

    /// Those of some effects that tests may not have.
    pub fn refused<'a>(&self, effects: &'a [Effect]) -> Vec<&'a Effect> {
        effects.iter().filter(|effect| !self.allows(effect)).collect()
    }
}

impl FromIterator<Permission> for Allowed {
    fn from_iter<I: IntoIterator<Item = Permission>>(permissions: I) -> Self {
        Self { permissions: permissions.into_iter().collect(), looks: BTreeSet::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effect(kind: EffectKind, place: Option<Place>) -> Effect {
        Effect { kind, place, what: "does it".into(), statement: None, initialiser: None }
    }

    #[test]
    fn a_permission_is_read_as_it_is_printed() {
        for text in ["files", "files:tmp", "reads:work", "files:elsewhere", "network", "time-zone"] {
            assert_eq!(text.parse::<Permission>().unwrap().to_string(), text);
        }
        for (kind, name) in KINDS {
            assert_eq!((kind.name(), EffectKind::named(name)), (name, Some(kind)));
        }
    }

    #[test]
    fn what_is_no_permission_names_those_that_are() {
        let error = |text: &str| text.parse::<Permission>().unwrap_err().to_string();
        assert!(
            error("fils").contains("unknown kind of effect `fils`; expected one of files, reads, network, ")
        );
        assert!(error("files:temp").contains("unknown place `temp`; expected one of tmp, work, elsewhere"));
        assert!(error("network:tmp").contains("`network` has no places, leave out `:tmp`"));
        assert!(error("").contains("unknown kind of effect ``"));
    }

    #[test]
    fn a_place_is_allowed_alone_and_a_kind_in_all_its_places() {
        let tmp: Allowed = ["files:tmp".parse().unwrap()].into_iter().collect();
        assert!(tmp.allows(&effect(EffectKind::Files, Some(Place::Temporary))));
        for other in [
            effect(EffectKind::Files, Some(Place::Elsewhere)),
            effect(EffectKind::Files, Some(Place::Working)),
            effect(EffectKind::Network, None),
        ] {
            assert!(!tmp.allows(&other), "{other:?}");
        }
        let all: Allowed = ["files".parse().unwrap()].into_iter().collect();
        assert!(all.allows(&effect(EffectKind::Files, Some(Place::Elsewhere))));
        assert!(!Allowed::default().allows(&effect(EffectKind::Properties, None)));
    }

    #[test]
    fn who_may_change_files_may_look_at_them_and_not_the_other_way_round() {
        let look = |place| effect(EffectKind::Reads, Some(place));
        let work: Allowed = ["files:work".parse().unwrap()].into_iter().collect();
        assert!(work.allows(&look(Place::Working)) && !work.allows(&look(Place::Elsewhere)));
        let reads: Allowed = ["reads".parse().unwrap()].into_iter().collect();
        assert!(reads.allows(&look(Place::Elsewhere)));
        assert!(!reads.allows(&effect(EffectKind::Files, Some(Place::Working))));
    }

    #[test]
    fn a_look_of_another_test_allows_the_very_same_and_what_else_it_does_its_kind() {
        let look =
            |what: &str| Effect { what: what.into(), ..effect(EffectKind::Reads, Some(Place::Working)) };
        let mut allowed = Allowed::default();
        allowed.allow_as(&look("looks at a.txt"));
        allowed.allow_as(&effect(EffectKind::Network, None));
        assert!(allowed.allows(&look("looks at a.txt")));
        assert!(!allowed.allows(&look("looks at a.txt, which is not there")));
        assert!(!allowed.allows(&Effect { place: Some(Place::Elsewhere), ..look("looks at a.txt") }));
        let other = Effect { what: "does something else".into(), ..effect(EffectKind::Network, None) };
        assert!(allowed.allows(&other));
        assert_eq!((allowed.permissions().count(), allowed.looks()), (1, 1));
    }
}
