//! Which classes of the JDK have hooks, and those classes with them.
//!
//! Knows nothing of the JVM: when a class gets its hooks is the business of `hooks`. Invariant: a class without hooks is never looked at, one
//! that cannot have them stays as it is, with the reason.

use crate::message::{Message, Outlet};
use dynaflow_instrument::hooks::Hook;
use dynaflow_instrument::weave_hooks;
use dynaflow_model::sites::Declined;
use std::collections::BTreeMap;

/// The hooks by class (internal name).
#[derive(Debug, Default)]
pub struct Hooks(BTreeMap<String, Vec<Hook>>);

impl Hooks {
    /// A table of these hooks.
    pub fn new(hooks: Vec<Hook>) -> Self {
        let mut table = BTreeMap::<String, Vec<Hook>>::new();
        for hook in hooks {
            table.entry(hook.class.clone().into_owned()).or_default().push(hook);
        }
        Self(table)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a class has some, by its descriptor.
    pub fn has(&self, signature: &str) -> bool {
        let name = signature.strip_prefix('L').and_then(|rest| rest.strip_suffix(';'));
        name.is_some_and(|name| self.has_named(name))
    }

    /// Whether a class has some, by its internal name.
    pub fn has_named(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The class with its hooks; none when this JDK's class has no method that one fits.
    ///
    /// # Errors
    /// When the class is to be left as it is, for a reason.
    pub fn weave(&self, name: &str, bytes: &[u8], outlet: &Outlet) -> Result<Option<Vec<u8>>, Declined> {
        let Some(hooks) = self.0.get(name) else { return Ok(None) };
        let hooked = weave_hooks(bytes, hooks)?;
        for declined in hooked.declined {
            outlet.send(Message::Declined(declined));
        }
        Ok(hooked.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_instrument::hooks::Moment;

    #[test]
    fn a_class_has_hooks_by_its_descriptor() {
        let hook = |class: &'static str| Hook::new(class, "m", Moment::Entry, "java/lang/Target", "seen");
        let hooks = Hooks::new(vec![hook("java/io/File"), hook("java/io/File"), hook("a/B$C")]);
        assert!(hooks.has("Ljava/io/File;") && hooks.has("La/B$C;") && !hooks.is_empty());
        assert!(!hooks.has("[Ljava/io/File;") && !hooks.has("java/io/File") && !hooks.has("I"));
        assert!(Hooks::new(vec![]).is_empty());
    }
}
