//! What tests may use of the JDK where they are compiled for an older Java: types without what came later.
//!
//! Knows no searches. Invariant: types of the program and of its libraries stay as they are.

use super::setup::Setup;
use crate::jvm::older::OlderLibrary;
use dynaflow_model::types::{Callable, TypeInfo};

/// The JDK's own classes as an older Java has them; everything, where tests are compiled for the JDK's own.
pub struct Available<'a> {
    setup: &'a Setup<'a>,
    library: Option<OlderLibrary>,
}

impl<'a> Available<'a> {
    /// For the Java that tests are compiled for. Where the JDK does not say what that has, javac decides in the end.
    pub fn new(setup: &'a Setup<'a>) -> Self {
        let open = |release| OlderLibrary::open(&setup.jdk.home, release);
        let library = setup.release.and_then(|release| {
            open(release)
                .inspect_err(|error| tracing::warn!(release, "what it has is not known: {error:#}"))
                .ok()
        });
        Self { setup, library }
    }

    /// These types without what tests cannot use.
    pub fn of(&self, types: Vec<TypeInfo>) -> Vec<TypeInfo> {
        let Some(library) = &self.library else { return types };
        types.into_iter().map(|info| self.one(info, library)).collect()
    }

    fn one(&self, mut info: TypeInfo, library: &OlderLibrary) -> TypeInfo {
        let has = |owner: &str, member: &str| {
            let is_of_jdk = !self.setup.all_classes.contains(owner);
            let members = is_of_jdk.then(|| library.members(owner)).flatten();
            members.is_none_or(|members| members.contains(member))
        };
        let may_call = |callable: &Callable| {
            let method = &callable.method;
            has(&method.owner, &format!("{}{}", method.name, method.descriptor))
        };
        info.constructors.retain(may_call);
        info.methods.retain(may_call);
        info.static_fields.retain(|field| has(&field.owner, &field.name));
        let name = info.name.clone();
        info.enum_constants.retain(|constant| has(&name, constant));
        info
    }
}
