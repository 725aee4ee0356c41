//! The class files of a JDK, read where they lie: `lib/modules` from JDK 9 on, `rt.jar` before. Knows the layout of both, nothing of
//! what classes are read for.
//!
//! Invariant: no JVM is started; what is not understood (a compressed image, a damaged one) is an error or no class, never a wrong
//! one.

use anyhow::{Context, Result, bail};
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The first four bytes of `lib/modules`, as a number of the machine that made it.
const MAGIC: u32 = 0xCAFE_DADA;
/// Size of the header: seven numbers.
const HEADER: usize = 28;
/// Bound on the size of the index; that of a JDK with everything is a hundredth of it.
const MAX_INDEX: usize = 1 << 28;

/// The class files of a JDK.
#[derive(Debug)]
pub enum JdkClasses {
    /// `lib/modules`: where each class lies in the file.
    Image {
        /// The file.
        file: File,
        /// By internal name: offset and size.
        places: HashMap<Box<[u8]>, (u64, usize)>,
    },
    /// `rt.jar`.
    Jar(Mutex<zip::ZipArchive<File>>),
}

impl JdkClasses {
    /// Opens the class files of the JDK in a folder.
    ///
    /// # Errors
    /// Names the file that is missing or not understood.
    pub fn open(home: &Path) -> Result<Self> {
        let image = home.join("lib/modules");
        if image.is_file() {
            return Self::image(&image)
                .with_context(|| format!("reading the classes of the JDK in `{}`", image.display()));
        }
        let jars = [home.join("jre/lib/rt.jar"), home.join("lib/rt.jar")];
        let Some(jar) = jars.into_iter().find(|jar: &PathBuf| jar.is_file()) else {
            bail!("the JDK in `{}` has neither lib/modules nor rt.jar", home.display());
        };
        let archive = zip::ZipArchive::new(File::open(&jar)?);
        Ok(Self::Jar(Mutex::new(archive.with_context(|| format!("reading `{}`", jar.display()))?)))
    }

    fn image(path: &Path) -> Result<Self> {
        let file = File::open(path)?;
        let mut header = [0; HEADER];
        file.read_exact_at(&mut header, 0)?;
        let number = |at: usize| word(&header, at * 4) as usize;
        if word(&header, 0) != MAGIC {
            bail!("it is no image of this kind of machine");
        }
        let (slots, locations, strings) = (number(4), number(5), number(6));
        let tables = slots.saturating_mul(8);
        let size = HEADER.saturating_add(tables).saturating_add(locations).saturating_add(strings);
        if size > MAX_INDEX {
            bail!("its index is too large to be one");
        }
        let mut index = vec![0; size];
        file.read_exact_at(&mut index, 0)?;
        let part = |start: usize, length: usize| index.get(start..start + length).unwrap_or_default();
        let offsets = part(HEADER + slots * 4, slots * 4);
        let (locations, strings) =
            (part(HEADER + tables, locations), part(HEADER + tables + locations, strings));
        let mut places = HashMap::new();
        for slot in 0..slots {
            let Some(attributes) = locations.get(word(offsets, slot * 4) as usize..) else { continue };
            if let Some((name, offset, length)) = location(attributes, strings) {
                places.insert(name, (size as u64 + offset, length));
            }
        }
        Ok(Self::Image { file, places })
    }

    /// The bytes of a class, by internal name.
    pub fn class(&self, name: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Image { file, places } => {
                let (offset, length) = places.get(name)?;
                let mut bytes = vec![0; *length];
                file.read_exact_at(&mut bytes, *offset).ok()?;
                Some(bytes)
            }
            Self::Jar(archive) => {
                let mut archive = archive.lock().unwrap_or_else(PoisonError::into_inner);
                let mut entry =
                    archive.by_name(&format!("{}.class", std::str::from_utf8(name).ok()?)).ok()?;
                let mut bytes = Vec::new();
                entry.read_to_end(&mut bytes).ok()?;
                Some(bytes)
            }
        }
    }
}

/// A number of four bytes as this machine writes it.
fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |chunk| u32::from_ne_bytes(*chunk))
}

/// A class's internal name, offset and size, from its attributes: bytes of kind and length, each with a number behind it.
fn location(attributes: &[u8], strings: &[u8]) -> Option<(Box<[u8]>, u64, usize)> {
    let mut values = [0u64; 8];
    let mut rest = attributes;
    while let Some((first, tail)) = rest.split_first() {
        let (kind, length) = (usize::from(first >> 3), usize::from(first & 7) + 1);
        if kind == 0 {
            break;
        }
        let digits = tail.get(..length)?;
        *values.get_mut(kind)? = digits.iter().fold(0, |value, digit| value << 8 | u64::from(*digit));
        rest = tail.get(length..)?;
    }
    let [_, _, package, base, extension, offset, compressed, size] = values;
    let text = |at: u64| strings.get(at as usize..).and_then(|rest| rest.split(|byte| *byte == 0).next());
    if text(extension)? != b"class" || compressed != 0 {
        return None;
    }
    let (package, base) = (text(package)?, text(base)?);
    let name = if package.is_empty() { base.to_vec() } else { [package, b"/", base].concat() };
    Some((name.into(), offset, usize::try_from(size).ok()?))
}
