//! The mutation operators and their names, in PIT's spelling and in muJava's. It knows no instructions.
//!
//! Invariant: a name belongs to one operator, and reading a name gives the operator that writes it.

/// A mutation operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// PIT: `<` becomes `<=`, and so on.
    ConditionalsBoundary,
    /// PIT: the increment of a local variable gets the other sign.
    Increments,
    /// PIT: a unary minus goes.
    InvertNegs,
    /// PIT: an arithmetic instruction becomes another one.
    Math,
    /// PIT: a condition is negated.
    NegateConditionals,
    /// PIT: the call of a method without a result goes.
    VoidMethodCalls,
    /// PIT: an empty text, collection or zero is returned.
    EmptyReturns,
    /// PIT: `false` is returned.
    FalseReturns,
    /// PIT: `true` is returned.
    TrueReturns,
    /// PIT: `null` is returned.
    NullReturns,
    /// PIT: a primitive zero is returned.
    PrimitiveReturns,
    /// muJava: a binary arithmetic operator becomes another one.
    Aorb,
    /// muJava: `++` becomes `--`, and the other way round.
    Aors,
    /// muJava: a unary minus is put before a variable.
    Aoiu,
    /// muJava: `++` or `--` is put before or behind a variable.
    Aois,
    /// muJava: a unary minus goes.
    Aodu,
    /// muJava: a `++` or `--` goes.
    Aods,
    /// muJava: a relational operator becomes another one, or the comparison a constant.
    Ror,
    /// muJava: `&&` becomes `||`, and the other way round.
    Cor,
    /// muJava: a `!` goes.
    Cod,
    /// muJava: a `!` is put before a condition.
    Coi,
    /// muJava: a shift becomes another one.
    Sor,
    /// muJava: a bitwise operator becomes another one.
    Lor,
    /// muJava: a `~` is put before a variable.
    Loi,
    /// muJava: a `~` goes.
    Lod,
    /// muJava: the operator of an assignment such as `+=` becomes another one.
    Asrs,
}

/// By operator: its name, and for those of PIT the class of PIT that makes it, below `org.pitest.mutationtest.engine.gregor.mutators`.
const TABLE: &[(Operator, &str, Option<&str>)] = &[
    (Operator::ConditionalsBoundary, "CONDITIONALS_BOUNDARY", Some("ConditionalsBoundaryMutator")),
    (Operator::Increments, "INCREMENTS", Some("IncrementsMutator")),
    (Operator::InvertNegs, "INVERT_NEGS", Some("InvertNegsMutator")),
    (Operator::Math, "MATH", Some("MathMutator")),
    (Operator::NegateConditionals, "NEGATE_CONDITIONALS", Some("NegateConditionalsMutator")),
    (Operator::VoidMethodCalls, "VOID_METHOD_CALLS", Some("VoidMethodCallMutator")),
    (Operator::EmptyReturns, "EMPTY_RETURNS", Some("returns.EmptyObjectReturnValsMutator")),
    (Operator::FalseReturns, "FALSE_RETURNS", Some("returns.BooleanFalseReturnValsMutator")),
    (Operator::TrueReturns, "TRUE_RETURNS", Some("returns.BooleanTrueReturnValsMutator")),
    (Operator::NullReturns, "NULL_RETURNS", Some("returns.NullReturnValsMutator")),
    (Operator::PrimitiveReturns, "PRIMITIVE_RETURNS", Some("returns.PrimitiveReturnsMutator")),
    (Operator::Aorb, "AORB", None),
    (Operator::Aors, "AORS", None),
    (Operator::Aoiu, "AOIU", None),
    (Operator::Aois, "AOIS", None),
    (Operator::Aodu, "AODU", None),
    (Operator::Aods, "AODS", None),
    (Operator::Ror, "ROR", None),
    (Operator::Cor, "COR", None),
    (Operator::Cod, "COD", None),
    (Operator::Coi, "COI", None),
    (Operator::Sor, "SOR", None),
    (Operator::Lor, "LOR", None),
    (Operator::Loi, "LOI", None),
    (Operator::Lod, "LOD", None),
    (Operator::Asrs, "ASRS", None),
];

impl Operator {
    /// All of them, PIT's first.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(operator, ..)| *operator)
    }

    /// PIT's default set.
    pub fn pit() -> impl Iterator<Item = Self> {
        Self::all().filter(|operator| operator.is_pit())
    }

    /// muJava's method-level operators.
    pub fn mujava() -> impl Iterator<Item = Self> {
        Self::all().filter(|operator| !operator.is_pit())
    }

    /// Its name, `NEGATE_CONDITIONALS` or `AORB`.
    pub fn name(self) -> &'static str {
        TABLE.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// The operator of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// Whether it is one of PIT's.
    pub fn is_pit(self) -> bool {
        self.pit_class().is_some()
    }

    /// What PIT's reports call it: the class that makes it.
    pub fn pit_class(self) -> Option<String> {
        let class = TABLE.iter().find(|row| row.0 == self)?.2?;
        Some(format!("org.pitest.mutationtest.engine.gregor.mutators.{class}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_has_one_name_that_is_read_back() {
        for operator in Operator::all() {
            assert_eq!(Operator::of_name(operator.name()), Some(operator));
        }
        assert_eq!(Operator::of_name("math"), None);
        assert_eq!((Operator::pit().count(), Operator::mujava().count()), (11, 15));
    }

    #[test]
    fn classes_are_named_as_in_reports_of_pit() {
        let class = "org.pitest.mutationtest.engine.gregor.mutators.returns.NullReturnValsMutator";
        assert_eq!(Operator::NullReturns.pit_class().as_deref(), Some(class));
        assert_eq!(Operator::Ror.pit_class(), None);
    }
}
