//! What a JVM must be able to read to run a program: its class path, the jars those name in turn, the JDK.
//!
//! Knows nothing of confinement. Invariant: every path is absolute.

use super::manifest;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// The entries of a class path with all that their manifests name, directly or not.
pub fn with_named(class_path: &[PathBuf]) -> io::Result<BTreeSet<PathBuf>> {
    let mut open = class_path.iter().map(std::path::absolute).collect::<io::Result<Vec<PathBuf>>>()?;
    let mut found = BTreeSet::new();
    while let Some(next) = open.pop() {
        if found.insert(next.clone()) && next.is_file() {
            // A jar that cannot be read fails where classes are looked for, with a better message.
            open.extend(named(&next).unwrap_or_default());
        }
    }
    Ok(found)
}

/// What `Class-Path` in the manifest of a jar names.
fn named(jar: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = jar.parent().unwrap_or(Path::new("/"));
    let values = manifest::attribute(jar, "Class-Path")?;
    let urls = values.iter().flat_map(|value| value.split_whitespace());
    Ok(urls.filter_map(|url| path(folder, url)).collect())
}

/// The file a relative or `file:` URL means.
fn path(folder: &Path, url: &str) -> Option<PathBuf> {
    let decoded = percent_decoded(url.strip_prefix("file:").unwrap_or(url))?;
    let local = decoded.strip_prefix("//").map_or(decoded.as_str(), |rest| rest);
    if local.split('/').next().is_some_and(|first| first.contains(':')) {
        return None;
    }
    std::path::absolute(folder.join(local)).ok()
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = vec![];
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (digits, tail) = rest.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = tail;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::super::manifest::tests::jar;
    use super::*;

    #[test]
    fn jars_that_name_each_other_are_followed_and_nothing_else_is() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::create_dir(at("lib")).unwrap();
        let named = "lib/a b.j\r\n ar".replace(' ', "%20").replace("\r\n%20", "\r\n ");
        let first =
            format!("Manifest-Version: 1.0\r\nClass-Path: {named} http://x/y.jar file:/opt/z/ bad%2\r\n\r\n");
        jar(&at("first.jar"), &first);
        jar(&at("lib/a b.jar"), "class-path: ../first.jar\n");
        let found = with_named(&[at("first.jar"), at("gone.jar")]).unwrap();
        let expected = [at("first.jar"), at("gone.jar"), at("lib/a b.jar"), PathBuf::from("/opt/z/")];
        let found: BTreeSet<PathBuf> =
            found.into_iter().map(|path| path.canonicalize().unwrap_or(path)).collect();
        assert_eq!(found, expected.into());
    }
}
