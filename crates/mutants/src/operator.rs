//! The mutation operators and their names, in PIT's spelling and in muJava's, and in our own where neither has one. It knows no instructions.
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
    /// Data flow: the assignment of a field goes, so that an earlier definition, or none, reaches its uses.
    OmittedDefinition,
    /// Data flow: a call goes whose result is dropped, and with it what it defines.
    OmittedCall,
    /// Data flow: what was copied is used in place of its copy, so that definitions of the one reach uses of the other.
    OmittedCopy,
}

/// Where an operator comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    /// The class of PIT that makes its mutants, below `org.pitest.mutationtest.engine.gregor.mutators`.
    Pit(&'static str),
    MuJava,
    /// Faults of data flow, our own.
    DataFlow,
}

/// By operator: its name, and where it comes from.
const TABLE: &[(Operator, &str, Set)] = &[
    (Operator::ConditionalsBoundary, "CONDITIONALS_BOUNDARY", Set::Pit("ConditionalsBoundaryMutator")),
    (Operator::Increments, "INCREMENTS", Set::Pit("IncrementsMutator")),
    (Operator::InvertNegs, "INVERT_NEGS", Set::Pit("InvertNegsMutator")),
    (Operator::Math, "MATH", Set::Pit("MathMutator")),
    (Operator::NegateConditionals, "NEGATE_CONDITIONALS", Set::Pit("NegateConditionalsMutator")),
    (Operator::VoidMethodCalls, "VOID_METHOD_CALLS", Set::Pit("VoidMethodCallMutator")),
    (Operator::EmptyReturns, "EMPTY_RETURNS", Set::Pit("returns.EmptyObjectReturnValsMutator")),
    (Operator::FalseReturns, "FALSE_RETURNS", Set::Pit("returns.BooleanFalseReturnValsMutator")),
    (Operator::TrueReturns, "TRUE_RETURNS", Set::Pit("returns.BooleanTrueReturnValsMutator")),
    (Operator::NullReturns, "NULL_RETURNS", Set::Pit("returns.NullReturnValsMutator")),
    (Operator::PrimitiveReturns, "PRIMITIVE_RETURNS", Set::Pit("returns.PrimitiveReturnsMutator")),
    (Operator::Aorb, "AORB", Set::MuJava),
    (Operator::Aors, "AORS", Set::MuJava),
    (Operator::Aoiu, "AOIU", Set::MuJava),
    (Operator::Aois, "AOIS", Set::MuJava),
    (Operator::Aodu, "AODU", Set::MuJava),
    (Operator::Aods, "AODS", Set::MuJava),
    (Operator::Ror, "ROR", Set::MuJava),
    (Operator::Cor, "COR", Set::MuJava),
    (Operator::Cod, "COD", Set::MuJava),
    (Operator::Coi, "COI", Set::MuJava),
    (Operator::Sor, "SOR", Set::MuJava),
    (Operator::Lor, "LOR", Set::MuJava),
    (Operator::Loi, "LOI", Set::MuJava),
    (Operator::Lod, "LOD", Set::MuJava),
    (Operator::Asrs, "ASRS", Set::MuJava),
    (Operator::OmittedDefinition, "OMITTED_DEFINITION", Set::DataFlow),
    (Operator::OmittedCall, "OMITTED_CALL", Set::DataFlow),
    (Operator::OmittedCopy, "OMITTED_COPY", Set::DataFlow),
];

impl Operator {
    /// All of them, PIT's first.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(operator, ..)| *operator)
    }

    /// PIT's default set.
    pub fn pit() -> impl Iterator<Item = Self> {
        Self::of(|set| matches!(set, Set::Pit(_)))
    }

    /// muJava's method-level operators.
    pub fn mujava() -> impl Iterator<Item = Self> {
        Self::of(|set| set == Set::MuJava)
    }

    /// Those of data flow: mutants that leave out a definition of state.
    pub fn data_flow() -> impl Iterator<Item = Self> {
        Self::of(|set| set == Set::DataFlow)
    }

    fn of(is_one: impl Fn(Set) -> bool) -> impl Iterator<Item = Self> {
        TABLE.iter().filter(move |row| is_one(row.2)).map(|row| row.0)
    }

    /// Its name, `NEGATE_CONDITIONALS` or `AORB`.
    pub fn name(self) -> &'static str {
        TABLE.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// The operator of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// What PIT's reports call it: the class that makes it; none when it is not one of PIT's default set.
    pub fn pit_class(self) -> Option<String> {
        match TABLE.iter().find(|row| row.0 == self)?.2 {
            Set::Pit(class) => Some(format!("org.pitest.mutationtest.engine.gregor.mutators.{class}")),
            Set::MuJava | Set::DataFlow => None,
        }
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
        let counts = [Operator::pit().count(), Operator::mujava().count(), Operator::data_flow().count()];
        assert_eq!(counts, [11, 15, 3]);
    }

    #[test]
    fn classes_are_named_as_in_reports_of_pit() {
        let class = "org.pitest.mutationtest.engine.gregor.mutators.returns.NullReturnValsMutator";
        assert_eq!(Operator::NullReturns.pit_class().as_deref(), Some(class));
        assert_eq!(Operator::Ror.pit_class(), None);
    }
}
