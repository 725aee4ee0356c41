//! The lines that show whether objects keep a contract of the JDK. Knows nothing of what else a test does.
//!
//! Invariant: they fail exactly where the question does that was put to the objects.

use crate::body::Writer;
use crate::throws::Throws;
use dynaflow_model::contract::Clause;
use dynaflow_model::descriptor;
use dynaflow_model::sequence::Arg;
use dynaflow_model::sites::MethodRef;

impl Writer<'_, '_, '_, '_> {
    /// Writes the assertions of a clause, lines without the last semicolon.
    ///
    /// # Errors
    /// Says why Java source cannot express them.
    pub(crate) fn contract(
        &mut self,
        clause: Clause,
        class: &str,
        one: &Arg,
        other: Option<&Arg>,
    ) -> Result<String, String> {
        let other = other.unwrap_or(one);
        let [a, b] = [self.value_of(one)?.name, self.value_of(other)?.name];
        Ok(match clause {
            Clause::EqualsItself => self.asserts.is_true(&format!("{a}.equals({a})")),
            Clause::DiffersFromNull => self.asserts.is_false(&format!("{a}.equals(null)")),
            Clause::EqualsBothWays => {
                self.asserts.equal(&format!("{b}.equals({a})"), &format!("{a}.equals({b})"))
            }
            Clause::HashesAlike => {
                let equal = self.asserts.is_true(&format!("{a}.equals({b})"));
                let alike = self.asserts.equal(&format!("{b}.hashCode()"), &format!("{a}.hashCode()"));
                format!("{equal};\n{alike}")
            }
            Clause::ComparesToItself => {
                let compared = self.compared(class, one, one)?;
                self.asserts.equal(&compared, "0")
            }
            Clause::ComparesBothWays => {
                let [there, back] = [self.compared(class, one, other)?, self.compared(class, other, one)?];
                self.asserts.equal(&format!("Integer.signum({back})"), &format!("-Integer.signum({there})"))
            }
            Clause::HasText => self.asserts.not_null(&format!("{a}.toString()")),
            Clause::ClonesApart => {
                let throws = self.thrown_by_clone(class);
                self.throws = self.throws.max(throws);
                self.asserts.not_same(&format!("{a}.clone()"), &a)
            }
        })
    }

    fn thrown_by_clone(&self, class: &str) -> Throws {
        let types = self.names.types();
        let methods = types.get(class).map_or(&[][..], |info| &info.methods);
        let is_clone = |method: &MethodRef| method.name == "clone" && method.descriptor.starts_with("()");
        let clone = methods.iter().map(|callable| &callable.method).find(|method| is_clone(method));
        clone.map_or(Throws::Exception, |method| Throws::of(method, None, types))
    }

    fn compared(&mut self, class: &str, one: &Arg, other: &Arg) -> Result<String, String> {
        let method = MethodRef {
            owner: class.to_owned(),
            name: "compareTo".to_owned(),
            descriptor: format!("({})I", descriptor::of_class(class)),
        };
        let (on, seen_as) = self.receiver(one, class)?;
        Ok(format!(
            "{on}.compareTo({})",
            self.args(&method, &seen_as, std::slice::from_ref(other), 0)?.join(", ")
        ))
    }
}
