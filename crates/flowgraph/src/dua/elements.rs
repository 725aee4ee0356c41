//! What the lists hold that methods give, by the type arguments that their class files name.
//!
//! Knows class files by name. Invariant: the compiler sees the same type, whatever else the program declares; where that depends on what a test
//! declares, as in generic classes, nothing is known.

use super::purity::ClassSource;
use dynaflow_classfile::{Attribute, ClassFile, Utf8Index};
use dynaflow_model::sites::MethodRef;

/// How many classes up a method is sought.
const MAX_SUPERCLASSES: usize = 16;

/// Reads the signatures of methods.
#[derive(Clone, Copy)]
pub struct Elements<'a> {
    source: &'a dyn ClassSource,
}

impl std::fmt::Debug for Elements<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Elements").finish_non_exhaustive()
    }
}

impl<'a> Elements<'a> {
    /// Of the methods of these classes.
    pub fn new(source: &'a dyn ClassSource) -> Self {
        Self { source }
    }

    /// The descriptor of the elements' type, when the method gives a list of one class.
    pub fn of(&self, method: &MethodRef) -> Option<String> {
        let mut class = method.owner.replace('.', "/").into_bytes();
        for _ in 0..MAX_SUPERCLASSES {
            let bytes = self.source.class(&class)?;
            let parsed = ClassFile::parse(&bytes).ok()?;
            let own = parsed.methods.iter().find(|member| {
                let is =
                    |index, text: &str| parsed.pool.utf8(index).is_ok_and(|found| found.to_str() == text);
                is(member.name, &method.name) && is(member.descriptor, &method.descriptor)
            });
            if let Some(member) = own {
                // Of a generic class a test may use the raw type, which has no type arguments anywhere.
                let of_class = signature(&parsed, &parsed.attributes);
                return match of_class {
                    Some(text) if text.starts_with('<') => None,
                    _ => argument(&signature(&parsed, &member.attributes)?),
                };
            }
            class = parsed.super_name().ok()??.0.to_vec();
        }
        None
    }
}

/// The text of the attribute `Signature`.
fn signature(class: &ClassFile<'_>, attributes: &[Attribute<'_>]) -> Option<String> {
    let attribute = class.attribute(attributes, "Signature")?;
    let index = u16::from_be_bytes(attribute.data.as_ref().try_into().ok()?);
    let text = class.pool.utf8(Utf8Index(index)).ok()?;
    Some(text.to_str().into_owned())
}

/// The only type argument of the list that a method with this signature gives, when it is a class.
fn argument(signature: &str) -> Option<String> {
    let (parameters, result) = signature.rsplit_once(')')?;
    let inner = result.strip_prefix("Ljava/util/List<")?.strip_suffix(">;")?;
    let argument = inner.strip_prefix('+').unwrap_or(inner);
    let is_class = argument.starts_with('L') && argument.ends_with(';');
    // Type parameters of the method may stand for anything; type arguments of the argument say nothing of its members' casts.
    let is_plain =
        argument.matches(';').count() == 1 && !argument.contains('<') && !parameters.starts_with('<');
    (is_class && is_plain).then(|| argument.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_of_elements_is_known_where_a_list_has_one_class_as_its_argument() {
        let known = [
            ("()Ljava/util/List<La/Item;>;", "La/Item;"),
            ("(Ljava/util/List<TT;>;I)Ljava/util/List<+La/Outer$In;>;", "La/Outer$In;"),
        ];
        for (signature, expected) in known {
            assert_eq!(argument(signature).as_deref(), Some(expected), "{signature}");
        }
        for unknown in [
            "()Ljava/util/List;",
            "()Ljava/util/List<*>;",
            "()Ljava/util/List<-La/Item;>;",
            "()Ljava/util/List<TT;>;",
            "()Ljava/util/List<[I>;",
            "()Ljava/util/List<La/Box<La/Item;>;>;",
            "<T:Ljava/lang/Object;>()Ljava/util/List<La/Item;>;",
            "()Ljava/util/Map<La/Item;La/Item;>;",
            "()V",
        ] {
            assert_eq!(argument(unknown), None, "{unknown}");
        }
    }
}
