//! What the class files of program and JDK declare of the types that tests use: type parameters, names of parameters.
//!
//! Knows nothing of tests. Invariant: what cannot be read is left out, and costs readable names and type arguments only.

use dynaflow_classfile::class::access;
use dynaflow_classfile::{Attribute, ClassFile, Code, Member, Utf8Index, reader::Reader, tables};
use dynaflow_flowgraph::dua::ClassSource;
use dynaflow_model::declared::{
    Argument, Declared, DeclaredClass, DeclaredMethod, Type, class_signature, method_descriptor,
    method_signature,
};
use dynaflow_model::descriptor;
use dynaflow_model::types::TypeInfo;
use std::collections::BTreeSet;

/// A flag of methods: the last parameter takes any number of arguments.
const VARARGS: u16 = 0x0080;

/// Reads the declarations of the types, of what is above them, and of what their members take and give.
pub fn read(library: &dyn ClassSource, types: &[TypeInfo]) -> Declared {
    let mut declared = Declared::new();
    for name in wanted(types) {
        let bytes = library.class(name.replace('.', "/").as_bytes());
        let parsed = bytes.and_then(|bytes| declaration(&bytes));
        if let Some(class) = parsed {
            declared.insert(name, class);
        }
    }
    declared
}

/// The classes that type arguments in members of these classes name: what a `List<Order>` holds shows in no descriptor.
pub fn held(library: &dyn ClassSource, classes: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for name in classes {
        let bytes = library.class(name.replace('.', "/").as_bytes());
        let Some(class) = bytes.and_then(|bytes| declaration(&bytes)) else { continue };
        let members =
            class.methods.values().flat_map(|method| method.parameters.iter().chain(&method.result));
        members.for_each(|of| arguments(of, &mut found));
    }
    found
}

fn arguments(of: &Type, into: &mut BTreeSet<String>) {
    match of {
        Type::Class(_, held) => {
            for inner in held.iter().filter_map(Argument::inner) {
                if let Type::Class(name, _) = inner {
                    into.insert(name.clone());
                }
                arguments(inner, into);
            }
        }
        Type::Array(component) => arguments(component, into),
        Type::Primitive(_) | Type::Parameter(_) => {}
    }
}

fn wanted(types: &[TypeInfo]) -> BTreeSet<String> {
    let mut wanted = BTreeSet::new();
    for info in types {
        wanted.insert(info.name.clone());
        wanted.extend(info.supertypes.iter().cloned());
        for callable in info.constructors.iter().chain(&info.methods) {
            let all = descriptor::parameters(&callable.method.descriptor);
            let all = all.into_iter().chain([descriptor::result(&callable.method.descriptor)]);
            wanted.extend(all.filter_map(|one| descriptor::class_of(one.trim_start_matches('['))));
        }
        let fields = info.static_fields.iter().map(|field| field.descriptor.trim_start_matches('['));
        wanted.extend(fields.filter_map(descriptor::class_of));
    }
    wanted
}

/// What a class file declares; none when it cannot be read.
pub fn declaration(bytes: &[u8]) -> Option<DeclaredClass> {
    let class = ClassFile::parse(bytes).ok()?;
    let mut declared = DeclaredClass::default();
    match signature(&class, &class.attributes).and_then(|text| class_signature(&text)) {
        Some((type_parameters, supertypes)) => {
            (declared.type_parameters, declared.supertypes) = (type_parameters, supertypes);
        }
        None => {
            let above = class.super_class.iter().chain(&class.interfaces);
            let names = above.filter_map(|index| class.pool.class_name(*index).ok());
            declared.supertypes = names.map(|name| Type::Class(name.to_binary_name(), vec![])).collect();
        }
    }
    for field in &class.fields {
        let (Some(name), Some(of)) = (text(&class, field.name), text(&class, field.descriptor)) else {
            continue;
        };
        let generic = signature(&class, &field.attributes).and_then(|text| Type::of_descriptor(&text));
        declared.fields.extend(generic.or_else(|| Type::of_descriptor(&of)).map(|of| (name, of)));
    }
    for method in &class.methods {
        let (Some(name), Some(of)) = (text(&class, method.name), text(&class, method.descriptor)) else {
            continue;
        };
        declared.methods.insert(format!("{name}{of}"), method_declaration(&class, method, &of));
    }
    Some(declared)
}

/// A method with its signature where this fits the descriptor: constructors of inner classes and of enums have parameters that their
/// signatures leave out.
fn method_declaration(class: &ClassFile<'_>, method: &Member<'_>, of: &str) -> DeclaredMethod {
    let plain = method_descriptor(of);
    let generic = signature(class, &method.attributes).and_then(|text| method_signature(&text));
    let mut declared =
        generic.filter(|generic| generic.parameters.len() == plain.parameters.len()).unwrap_or(plain);
    declared.is_varargs = method.access & VARARGS != 0;
    declared.names = names(class, method, of).unwrap_or_default();
    declared
}

/// The names of all parameters: those compiled in for reflection, else those for debuggers.
fn names(class: &ClassFile<'_>, method: &Member<'_>, of: &str) -> Option<Vec<String>> {
    let count = descriptor::parameters(of).len();
    let whole = |names: &Vec<String>| names.len() == count && !names.iter().any(String::is_empty);
    reflected(class, method).filter(whole).or_else(|| debugged(class, method, of)).filter(whole)
}

/// A `MethodParameters`: a count of one byte, then name and flags of each.
fn reflected(class: &ClassFile<'_>, method: &Member<'_>) -> Option<Vec<String>> {
    let attribute = class.attribute(&method.attributes, "MethodParameters")?;
    let mut reader = Reader::new(&attribute.data, attribute.offset);
    let count = reader.u1().ok()?;
    let mut names = vec![];
    for _ in 0..count {
        let name = reader.u2().ok()?;
        reader.u2().ok()?;
        names.push(text(class, Utf8Index(name))?);
    }
    Some(names)
}

/// The local variables that have a value from the first instruction on, by the slots of the parameters.
fn debugged(class: &ClassFile<'_>, method: &Member<'_>, of: &str) -> Option<Vec<String>> {
    let code = class.attribute(&method.attributes, "Code")?;
    let code = Code::parse(&code.data, code.offset).ok()?;
    let table = class.attribute(&code.attributes, "LocalVariableTable")?;
    let variables: Vec<tables::Variable> = tables::variables(&table.data, table.offset).ok()?.collect();
    let mut slot = u16::from(method.access & access::STATIC == 0);
    let mut names = vec![];
    for parameter in descriptor::parameters(of) {
        let found = variables.iter().find(|variable| variable.slot == slot && variable.start == 0)?;
        names.push(text(class, found.name)?);
        slot += if matches!(parameter, "J" | "D") { 2 } else { 1 };
    }
    Some(names)
}

fn signature(class: &ClassFile<'_>, attributes: &[Attribute<'_>]) -> Option<String> {
    let attribute = class.attribute(attributes, "Signature")?;
    let index = Reader::new(&attribute.data, attribute.offset).u2().ok()?;
    text(class, Utf8Index(index))
}

fn text(class: &ClassFile<'_>, index: Utf8Index) -> Option<String> {
    class.pool.utf8(index).ok().map(|text| text.to_str().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_class_declare_nothing() {
        assert_eq!(declaration(&[]), None);
        assert_eq!(declaration(&[0xca, 0xfe, 0xba, 0xbe, 0, 0]), None);
    }
}
