//! Jars, read piece by piece. Knows nothing of class files.
//!
//! Invariant: what is read of a jar takes memory for its list of entries and one entry of bounded size, however large the file is and
//! whatever its entries say of themselves.

use anyhow::{Context, Result, anyhow, bail};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use zip::result::ZipError;

/// The largest class file that is read: many times the largest one that compilers make.
pub const LARGEST_CLASS: u64 = 16 << 20;
/// How a zip file's directory ends, and how far from the end of the file that may stand.
const END: &[u8] = b"PK\x05\x06";
const END_WITHIN: u64 = (1 << 16) + 22;
/// How much is read at once.
const WINDOW: usize = 1 << 14;

/// A jar that is open.
pub type Jar = zip::ZipArchive<Reader>;

/// Opens a jar.
///
/// # Errors
/// Names the file that is none, or is damaged.
pub fn open(path: &Path) -> Result<Jar> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("the jar `{name}` cannot be opened"))?;
    let length = file.metadata().with_context(|| format!("the jar `{name}` cannot be read"))?.len();
    let mut tail = vec![];
    let mut reader = Reader {
        file: Arc::new(file),
        length,
        position: length.saturating_sub(END_WITHIN),
        window: vec![],
        start: 0,
    };
    reader.read_to_end(&mut tail).with_context(|| format!("the jar `{name}` cannot be read"))?;
    if !tail.windows(END.len()).any(|window| window == END) {
        bail!(
            "`{name}` is no jar, or only the beginning of one; a class path takes jars, and folders with class files"
        );
    }
    reader.position = 0;
    zip::ZipArchive::new(reader).map_err(|error| match error {
        ZipError::UnsupportedArchive(why) => anyhow!("the jar `{name}` cannot be read: {why}"),
        ZipError::Io(error) => anyhow!("the jar `{name}` cannot be read: {error}"),
        _ => anyhow!("the jar `{name}` is damaged; fetch or build it again"),
    })
}

/// The bytes of an entry.
///
/// # Errors
/// When it cannot be unpacked, or is larger than a class file can be.
pub fn entry(jar: &mut Jar, index: usize) -> Result<Vec<u8>> {
    bounded(jar.by_index(index)?)
}

/// The bytes of a class file.
///
/// # Errors
/// When they cannot be read, or are more than a class file can be.
pub fn bounded(from: impl Read) -> Result<Vec<u8>> {
    let mut bytes = vec![];
    from.take(LARGEST_CLASS + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_CLASS {
        bail!(
            "it is larger than {} MiB, which no class file is; take it off the class path",
            LARGEST_CLASS >> 20
        );
    }
    Ok(bytes)
}

/// A file with a position of its own, so that clones are read side by side.
#[derive(Debug)]
pub struct Reader {
    file: Arc<File>,
    length: u64,
    position: u64,
    /// What was read last, and where it begins.
    window: Vec<u8>,
    start: u64,
}

impl Clone for Reader {
    fn clone(&self) -> Self {
        Self {
            file: Arc::clone(&self.file),
            length: self.length,
            position: self.position,
            window: vec![],
            start: 0,
        }
    }
}

impl Reader {
    /// What is in the window from the position on.
    fn ahead(&self) -> &[u8] {
        let at = self.position.checked_sub(self.start).and_then(|at| usize::try_from(at).ok());
        at.and_then(|at| self.window.get(at..)).unwrap_or_default()
    }
}

impl Read for Reader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.ahead().is_empty() {
            self.window.resize(WINDOW, 0);
            self.start = self.position;
            let length = self.file.read_at(&mut self.window, self.position)?;
            self.window.truncate(length);
        }
        let length = self.ahead().read(into)?;
        self.position += length as u64;
        Ok(length)
    }
}

impl Seek for Reader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(offset) => self.length.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        self.position = position.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_jar_is_read_as_from_memory() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jar");
        let mut jar = zip::ZipWriter::new(File::create(&path).unwrap());
        let texts: Vec<Vec<u8>> =
            (0..50usize).map(|n| (0..n * 1000).map(|i| (i * n) as u8).collect()).collect();
        for (n, text) in texts.iter().enumerate() {
            jar.start_file(format!("{n}.class"), zip::write::SimpleFileOptions::default()).unwrap();
            jar.write_all(text).unwrap();
        }
        jar.finish().unwrap();
        let jar = open(&path).unwrap();
        for (n, text) in texts.iter().enumerate().rev() {
            assert_eq!(&entry(&mut jar.clone(), n).unwrap(), text);
        }
    }

    #[test]
    fn what_is_no_class_file_by_its_size_is_refused() {
        assert_eq!(bounded(io::repeat(7).take(LARGEST_CLASS)).unwrap().len() as u64, LARGEST_CLASS);
        let error = bounded(io::repeat(7)).unwrap_err().to_string();
        assert!(error.contains("16 MiB"), "{error}");
    }
}
