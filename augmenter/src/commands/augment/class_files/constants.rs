//! The constants in the code of a class: what its branches compare arguments with is worth passing.
//!
//! Knows nothing of tests. Invariant: the same bytes give the same constants; what cannot be read is left out, and costs literals only.

use crate::library::Library;
use dynaflow_classfile::insn::Instructions;
use dynaflow_classfile::{ClassFile, Code, Constant, Insn, Member, Operand};
use dynaflow_flowgraph::dua::ClassSource;
use dynaflow_model::sequence::Value;
use std::collections::BTreeSet;

/// Longest text that is worth passing, in bytes; longer ones, and those with blanks, are mostly messages.
const LONGEST: usize = 24;
/// Characters that are written as they are.
const PRINTABLE: std::ops::Range<i32> = 33..127;

/// The numbers, characters and short texts in the code of a class and of those inside it; class initialisers, which fill tables, left out.
pub fn of(library: &Library, class: &str) -> BTreeSet<Value> {
    let inside = format!("{class}$");
    let names = library.program().names().filter(|name| *name == class || name.starts_with(&inside));
    let bytes = names.filter_map(|name| library.class(name.replace('.', "/").as_bytes()));
    bytes.flat_map(|bytes| in_class(&bytes)).collect()
}

fn in_class(bytes: &[u8]) -> BTreeSet<Value> {
    let mut values = BTreeSet::new();
    let Ok(class) = ClassFile::parse(bytes) else { return values };
    let is_initialiser =
        |method: &&Member| class.pool.utf8(method.name).is_ok_and(|name| name.0 == b"<clinit>");
    for method in class.methods.iter().filter(|method| !is_initialiser(method)) {
        let code = class.attribute(&method.attributes, "Code");
        let Some(code) = code.and_then(|code| Code::parse(&code.data, code.offset).ok()) else { continue };
        for insn in Instructions::new(code.bytes, code.offset).map_while(Result::ok) {
            add(&mut values, &class, &code, &insn);
        }
    }
    values
}

fn add(values: &mut BTreeSet<Value>, class: &ClassFile<'_>, code: &Code<'_>, insn: &Insn) {
    if let Some(switch) = insn.switch(code.bytes) {
        switch.cases().for_each(|(key, _)| add_int(values, key));
    }
    match insn.operand {
        Operand::Immediate(number) => add_int(values, number),
        Operand::Constant(index) => match class.pool.get(index) {
            Some(Constant::Integer(number)) => add_int(values, number),
            Some(Constant::Long(number)) => drop(values.insert(Value::Long(number))),
            Some(Constant::Float(bits)) => drop(values.insert(Value::Float(bits))),
            Some(Constant::Double(bits)) => drop(values.insert(Value::Double(bits))),
            Some(Constant::String(text)) => {
                let text = class.pool.utf8(text).ok().map(|text| text.to_str().into_owned());
                let is_short = |text: &String| text.len() <= LONGEST && !text.contains(char::is_whitespace);
                values.extend(text.filter(is_short).map(Value::Str));
            }
            _ => {}
        },
        _ => {}
    }
}

/// A number, and the character that it may stand for.
fn add_int(values: &mut BTreeSet<Value>, number: i32) {
    values.insert(Value::Int(number));
    if let Some(character) = u16::try_from(number).ok().filter(|_| PRINTABLE.contains(&number)) {
        values.insert(Value::Char(character));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_class_have_no_constants() {
        assert_eq!(in_class(&[0xca, 0xfe, 0xba, 0xbe, 0, 0]), BTreeSet::new());
    }
}
