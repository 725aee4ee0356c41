//! Whether a test can make objects of a class with plain `new`, as far as the class file says how the class is declared: neither private nor without a name, nor tied to an object around it.
//!
//! Knows nothing of constructors. Invariant: what cannot be read is not open.

use super::makers::is_anonymous;
use crate::classes::is_inside;
use dynaflow_classfile::class::access;
use dynaflow_classfile::pool::ClassIndex;
use dynaflow_classfile::reader::Reader;
use dynaflow_classfile::{ClassFile, Error};
use dynaflow_search::package_of;

/// Whether a test in this package can name the class of these bytes, and make objects of it without another.
pub fn is_open(name: &str, bytes: &[u8], package: &str) -> bool {
    if is_anonymous(name) {
        return false;
    }
    let Ok(class) = ClassFile::parse(bytes) else { return false };
    let is_near = package_of(name) == package;
    let Ok(levels) = levels(&class, name) else { return false };
    let can_see = |flags: u16| flags & access::PUBLIC != 0 || is_near && flags & access::PRIVATE == 0;
    // Of a member of a class the flags stand in the table alone.
    let is_own = |(level, _): &&(String, u16)| level == name;
    let own = levels.iter().find(is_own).map_or(class.access | access::STATIC, |(_, flags)| *flags);
    own & access::STATIC != 0 && can_see(own) && levels.iter().all(|(_, flags)| can_see(*flags))
}

/// The class and those around it that are members of others, with their flags.
fn levels(class: &ClassFile<'_>, name: &str) -> Result<Vec<(String, u16)>, Error> {
    let Some(table) = class.attribute(&class.attributes, "InnerClasses") else { return Ok(vec![]) };
    let mut reader = Reader::new(&table.data, table.offset);
    let mut found = vec![];
    for _ in 0..reader.u2()? {
        let inner = class.pool.class_name(ClassIndex(reader.u2()?))?.to_binary_name();
        reader.bytes(4)?;
        let flags = reader.u2()?;
        if inner == name || is_inside(name, &inner) {
            found.push((inner, flags));
        }
    }
    Ok(found)
}
