//! The associations of a class: those of each method, and what could not be analysed.
//!
//! It knows class files, not where they come from. Invariants: methods stand in the order of the class file; each method with
//! code is analysed, refused with a reason, or left out because the options say so.

use super::callees::Callees;
use super::inter::{self, CrossDua};
use super::method::{Analysed, MethodDuas};
use super::{Options, Refusal};
use dynaflow_classfile::class::access;
use dynaflow_classfile::{ClassFile, Member};

/// What was found in a class.
#[derive(Clone, Debug, Default)]
pub struct ClassDuas {
    /// Binary name.
    pub name: String,
    /// The methods analysed.
    pub methods: Vec<MethodDuas>,
    /// Associations between methods, when they were asked for.
    pub across: Vec<CrossDua>,
    /// Why associations between methods are left out, though they were asked for.
    pub declined: Option<Refusal>,
    /// Methods (name and descriptor) that could not be, and why.
    pub refused: Vec<(String, Refusal)>,
}

/// Analyses a class file; associations between methods are sought when it is said what is known of other classes.
///
/// # Errors
/// When the bytes are no class file.
pub fn of_class(
    bytes: &[u8],
    options: &Options,
    callees: Option<&dyn Callees>,
) -> Result<ClassDuas, Refusal> {
    let class = ClassFile::parse(bytes)?;
    let mut found = ClassDuas { name: class.name()?.to_binary_name(), ..ClassDuas::default() };
    if class.access & access::INTERFACE != 0 && !options.interfaces {
        return Ok(found);
    }
    let mut all = Vec::new();
    for method in &class.methods {
        let name = class.pool.utf8(method.name)?;
        if name.0 == b"<clinit>" && !options.class_initialisers {
            continue;
        }
        match one(&class, method, options, callees.is_some()) {
            Ok(None) => {}
            Ok(Some((method, analysed))) => {
                found.methods.push(method);
                if callees.is_some() {
                    all.push(analysed);
                }
            }
            Err(refusal) => {
                let descriptor = class.pool.utf8(method.descriptor)?;
                found.refused.push((format!("{name}{descriptor}"), refusal));
            }
        }
    }
    if let Some(callees) = callees {
        match inter::associations(&class, &all, options, callees) {
            Ok(across) => found.across = across,
            Err(refusal) => found.declined = Some(refusal),
        }
    }
    Ok(found)
}

fn one<'a>(
    class: &ClassFile<'a>,
    method: &Member<'a>,
    options: &Options,
    with_calls: bool,
) -> Result<Option<(MethodDuas, Analysed<'a>)>, Refusal> {
    let Some(analysed) = Analysed::of(class, method, options, with_calls)? else { return Ok(None) };
    Ok(Some((analysed.finish(class, options)?, analysed)))
}
