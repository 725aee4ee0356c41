//! Code that annotations take out of what tests are for: what a tool generated, and what people exclude.
//!
//! In: a class and one of its methods. Out: whether an annotation of either says so. Knows nothing of what the code does. Invariant: an annotation that class files do
//! not keep, as `javax.annotation.processing.Generated`, marks nothing.

use dynaflow_classfile::{Attribute, ClassFile, Member, annotations};

/// What PIT leaves out besides what is generated, by the simple name of the annotation.
const LEFT_OUT: [&str; 2] = ["DoNotMutate", "CoverageIgnore"];

/// Whether the simple name of an annotation of the method or of its class contains `Generated`, as for JaCoCo, or is one by which PIT leaves code out. Annotations that
/// cannot be read mark nothing. Linear in the number of annotations.
pub fn is_marked(class: &ClassFile<'_>, method: &Member<'_>) -> bool {
    [&class.attributes, &method.attributes].into_iter().any(|attributes| has_mark(class, attributes))
}

fn has_mark(class: &ClassFile<'_>, attributes: &[Attribute<'_>]) -> bool {
    let lists = ["RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations"];
    let lists = lists.iter().filter_map(|name| class.attribute(attributes, name));
    let kinds = lists.filter_map(|list| annotations::types(&list.data, list.offset).ok()).flatten();
    kinds.filter_map(|kind| class.pool.utf8(kind).ok()).any(|kind| {
        let descriptor = kind.to_str();
        let class = descriptor.trim_start_matches('L').trim_end_matches(';');
        let name = class.rsplit(['/', '$']).next().unwrap_or_default();
        name.contains("Generated") || LEFT_OUT.contains(&name)
    })
}
