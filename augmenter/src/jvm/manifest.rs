//! The manifests of jars. Knows nothing of what their attributes are for.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

const MANIFEST: &str = "META-INF/MANIFEST.MF";
/// A larger manifest is none.
const LARGEST: u64 = 16 << 20;

/// The values of an attribute in the manifest of a jar; names are compared without regard to case.
///
/// # Errors
/// When the file is no jar, or has no manifest of text.
pub fn attribute(jar: &Path, name: &str) -> io::Result<Vec<String>> {
    let mut archive = zip::ZipArchive::new(File::open(jar)?)?;
    let mut text = String::new();
    archive.by_name(MANIFEST)?.take(LARGEST).read_to_string(&mut text)?;
    // Lines go on in the next one that begins with a blank.
    let whole = text.replace("\r\n", "\n").replace("\n ", "");
    let pairs = whole.lines().filter_map(|line| line.split_once(':'));
    Ok(pairs
        .filter(|(attribute, _)| attribute.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.trim().to_owned())
        .collect())
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::io::Write;

    /// Writes a jar with nothing but this manifest.
    pub fn jar(path: &Path, manifest: &str) {
        let mut archive = zip::ZipWriter::new(File::create(path).unwrap());
        archive.start_file(MANIFEST, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(manifest.as_bytes()).unwrap();
        archive.finish().unwrap();
    }
}
