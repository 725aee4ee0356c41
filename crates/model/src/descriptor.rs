//! Descriptors taken apart and put together: `(I[Ljava/lang/String;)V`. Knows nothing of what the types are.
//!
//! Invariant: every function is total; a malformed descriptor gives fewer parts, never a panic.

/// The parameter descriptors of a method descriptor, in order. Linear in its length.
pub fn parameters(method: &str) -> Vec<&str> {
    let inner = method.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or("", |(inner, _)| inner);
    let mut rest = inner;
    let mut found = vec![];
    while let Some(length) = first_length(rest) {
        let (one, tail) = rest.split_at(length);
        found.push(one);
        rest = tail;
    }
    found
}

/// The result descriptor of a method descriptor; `V` when there is none.
pub fn result(method: &str) -> &str {
    method.split_once(')').map_or("V", |(_, result)| result)
}

/// The bytes the first type descriptor of `text` takes.
fn first_length(text: &str) -> Option<usize> {
    let dimensions = text.bytes().take_while(|&b| b == b'[').count();
    let element = text.get(dimensions..)?;
    match element.bytes().next()? {
        b'L' => element.find(';').map(|end| dimensions + end + 1),
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b'V' => Some(dimensions + 1),
        _ => None,
    }
}

/// The binary name of the class an `L` descriptor names; none for primitives and arrays.
pub fn class_of(descriptor: &str) -> Option<String> {
    let inner = descriptor.strip_prefix('L')?.strip_suffix(';')?;
    Some(inner.replace('/', "."))
}

/// The descriptor of a class by what `Class.getName()` gives: `a.Outer$Inner`, `[I`, `[La.B;`.
pub fn of_class(name: &str) -> String {
    if name.starts_with('[') {
        return name.replace('.', "/");
    }
    format!("L{};", name.replace('.', "/"))
}

/// The component descriptor of an array descriptor.
pub fn component(descriptor: &str) -> Option<&str> {
    descriptor.strip_prefix('[')
}

/// The Java name of a primitive descriptor, `void` for all others.
pub fn primitive(descriptor: &str) -> &'static str {
    match descriptor {
        "Z" => "boolean",
        "B" => "byte",
        "C" => "char",
        "S" => "short",
        "I" => "int",
        "J" => "long",
        "F" => "float",
        "D" => "double",
        _ => "void",
    }
}

/// Whether a binary class name is that of a class whose objects are primitive values.
pub fn is_box(class: &str) -> bool {
    const BOXES: [&str; 8] = ["Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double"];
    class.strip_prefix("java.lang.").is_some_and(|simple| BOXES.contains(&simple))
}

/// Whether the descriptor names a primitive type or the class of its boxed values, which the compiler takes for each other.
pub fn is_primitive_or_box(descriptor: &str) -> bool {
    is_primitive(descriptor) || class_of(descriptor).is_some_and(|class| is_box(&class))
}

/// Whether the descriptor names a primitive type.
pub fn is_primitive(descriptor: &str) -> bool {
    matches!(descriptor, "B" | "C" | "D" | "F" | "I" | "J" | "S" | "Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_descriptor_falls_into_parameters_and_result() {
        let method = "(I[[JLa/Outer$In;[La/B;D)La/C;";
        assert_eq!(parameters(method), ["I", "[[J", "La/Outer$In;", "[La/B;", "D"]);
        assert_eq!(result(method), "La/C;");
        assert!(parameters("()V").is_empty());
    }

    #[test]
    fn malformed_descriptors_give_fewer_parts_and_no_panic() {
        assert_eq!(parameters("(IQ"), Vec::<&str>::new());
        assert_eq!(parameters("(I?J)V"), ["I"]);
        assert_eq!(parameters("(Lno/end)V"), Vec::<&str>::new());
        assert_eq!(class_of("I"), None);
    }

    #[test]
    fn boxes_are_known_by_their_binary_names() {
        assert!(is_box("java.lang.Short") && is_box("java.lang.Character"));
        assert!(!is_box("java.lang.Number") && !is_box("java.lang.String") && !is_box("Short"));
        assert_eq!(["Z", "J", "V"].map(primitive), ["boolean", "long", "void"]);
    }

    #[test]
    fn class_names_and_descriptors_convert_both_ways() {
        assert_eq!(of_class("a.Outer$In"), "La/Outer$In;");
        assert_eq!(of_class("[La.B;"), "[La/B;");
        assert_eq!(class_of("La/Outer$In;").as_deref(), Some("a.Outer$In"));
        assert_eq!(component("[[I"), Some("[I"));
    }
}
