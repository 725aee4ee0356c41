//! What a mutant of weak mutation changes: the operators of EvoSuite (Fraser and Arcuri, "Achieving scalable mutation-based generation of whole test suites",
//! 2015) as far as they change numbers, conditions and variables. It knows no instructions.
//!
//! Invariants: the numbers of operators and relations are those of the Java class that evaluates them; an operator's alternatives stand in the order of these
//! numbers, its own left out.

/// What a mutant changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mutation {
    /// An arithmetic or bitwise operator becomes another one (AOR, BOR).
    Operator(Operator, Operator),
    /// A comparison becomes another one, or a constant (ROR). Both as the source has them.
    Comparison(Relation, Relation),
    /// A variable that is read gets another sign (UOI).
    Negated,
    /// One is added to a variable that is read (UOI).
    Increased,
    /// One is taken from a variable that is read (UOI).
    Decreased,
    /// A constant becomes another one (RC). One mutant stands for all: whatever takes the constant's place differs from it.
    Constant,
    /// A variable that is read becomes another one of its type (RV).
    Variable,
}

/// An operator of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Operator {
    /// `+`
    Plus = 0,
    /// `-`
    Minus = 1,
    /// `*`
    Times = 2,
    /// `/`
    Divided = 3,
    /// `%`
    Modulo = 4,
    /// `<<`
    Left = 5,
    /// `>>`
    Right = 6,
    /// `>>>`
    Unsigned = 7,
    /// `&`
    And = 8,
    /// `|`
    Or = 9,
    /// `^`
    Xor = 10,
}

/// The operators that may take each other's place.
const FAMILIES: [&[(Operator, &str)]; 3] = [
    &[
        (Operator::Plus, "+"),
        (Operator::Minus, "-"),
        (Operator::Times, "*"),
        (Operator::Divided, "/"),
        (Operator::Modulo, "%"),
    ],
    &[(Operator::Left, "<<"), (Operator::Right, ">>"), (Operator::Unsigned, ">>>")],
    &[(Operator::And, "&"), (Operator::Or, "|"), (Operator::Xor, "^")],
];

impl Operator {
    /// What may take its place.
    pub fn others(self) -> impl Iterator<Item = Self> {
        let family = FAMILIES.iter().find(|family| family.iter().any(|(one, _)| *one == self));
        family
            .into_iter()
            .flat_map(|family| family.iter())
            .map(|(one, _)| *one)
            .filter(move |one| *one != self)
    }

    /// As the source has it.
    pub fn text(self) -> &'static str {
        let all = FAMILIES.iter().flat_map(|family| family.iter());
        all.copied().find(|(one, _)| *one == self).map_or("", |(_, text)| text)
    }
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Relation {
    /// `==`
    Equal = 0,
    /// `!=`
    Unequal = 1,
    /// `<`
    Less = 2,
    /// `>=`
    NotLess = 3,
    /// `>`
    Greater = 4,
    /// `<=`
    NotGreater = 5,
    /// `true`
    Always = 6,
    /// `false`
    Never = 7,
}

const RELATIONS: [(Relation, &str); 8] = [
    (Relation::Equal, "=="),
    (Relation::Unequal, "!="),
    (Relation::Less, "<"),
    (Relation::NotLess, ">="),
    (Relation::Greater, ">"),
    (Relation::NotGreater, "<="),
    (Relation::Always, "true"),
    (Relation::Never, "false"),
];

impl Relation {
    /// What may take its place.
    pub fn others(self) -> impl Iterator<Item = Self> {
        RELATIONS.iter().map(|(one, _)| *one).filter(move |one| *one != self)
    }

    /// The one that holds when it does not: the numbers of two such differ in their last bit.
    pub fn negated(self) -> Self {
        RELATIONS.get(usize::from(self as u8 ^ 1)).map_or(self, |(negated, _)| *negated)
    }

    /// For which orders of its operands it holds: less, equal, greater, a bit each.
    fn orders(self) -> u8 {
        match self {
            Self::Equal => 0b010,
            Self::Unequal => 0b101,
            Self::Less => 0b001,
            Self::NotLess => 0b110,
            Self::Greater => 0b100,
            Self::NotGreater => 0b011,
            Self::Always => 0b111,
            Self::Never => 0,
        }
    }

    /// As the source has it.
    pub fn text(self) -> &'static str {
        RELATIONS.iter().find(|(one, _)| *one == self).map_or("", |(_, text)| text)
    }
}

/// Mutants of operators that another one of the same operator subsumes: whatever makes that one differ makes them differ (Gheyi et al., "Identifying
/// method-level mutation subsumption relations using Z3", 2021, prove it; our tests try all numbers of eight bits). Of `+`, `-`, `*`, `/` and `%` none is.
const SUBSUMED: [(Operator, Operator); 4] = [
    (Operator::Left, Operator::Right),
    (Operator::Right, Operator::Left),
    (Operator::And, Operator::Xor),
    (Operator::Xor, Operator::And),
];

impl Mutation {
    /// Whether it stands for others when goals are selected: it is of AOR, BOR or ROR, whose mutants a line that runs does not kill, and no other mutant of its
    /// place subsumes it. A comparison is subsumed unless it differs for one order of its operands alone (Just, Kapfhammer and Schweiggert, "Do redundant mutants
    /// affect the effectiveness and efficiency of mutation analysis?", 2012).
    pub fn represents(self) -> bool {
        match self {
            Self::Operator(from, to) => !SUBSUMED.contains(&(from, to)),
            Self::Comparison(from, to) => (from.orders() ^ to.orders()).count_ones() == 1,
            Self::Negated | Self::Increased | Self::Decreased | Self::Constant | Self::Variable => false,
        }
    }

    /// What changes, for people.
    pub fn text(self) -> String {
        match self {
            Self::Operator(from, to) => format!("{} becomes {}", from.text(), to.text()),
            Self::Comparison(from, to) => format!("{} becomes {}", from.text(), to.text()),
            Self::Negated => "a variable gets another sign".to_owned(),
            Self::Increased => "a variable is one more".to_owned(),
            Self::Decreased => "a variable is one less".to_owned(),
            Self::Constant => "a constant becomes another one".to_owned(),
            Self::Variable => "a variable becomes another one".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const FROM: i32 = -128;
    const TO: i32 = 127;

    /// What an operator gives for numbers of eight bits; none where it throws.
    fn value(operator: Operator, x: i8, y: i8) -> Option<i8> {
        let shift = u32::from(y.cast_unsigned() & 7);
        match operator {
            Operator::Plus => Some(x.wrapping_add(y)),
            Operator::Minus => Some(x.wrapping_sub(y)),
            Operator::Times => Some(x.wrapping_mul(y)),
            Operator::Divided => (y != 0).then(|| x.wrapping_div(y)),
            Operator::Modulo => (y != 0).then(|| x.wrapping_rem(y)),
            Operator::Left => Some(x.wrapping_shl(shift)),
            Operator::Right => Some(x.wrapping_shr(shift)),
            Operator::Unsigned => Some(x.cast_unsigned().wrapping_shr(shift).cast_signed()),
            Operator::And => Some(x & y),
            Operator::Or => Some(x | y),
            Operator::Xor => Some(x ^ y),
        }
    }

    fn holds(relation: Relation, x: i32, y: i32) -> bool {
        match relation {
            Relation::Equal => x == y,
            Relation::Unequal => x != y,
            Relation::Less => x < y,
            Relation::NotLess => x >= y,
            Relation::Greater => x > y,
            Relation::NotGreater => x <= y,
            Relation::Always => true,
            Relation::Never => false,
        }
    }

    /// Of sets of operands, each with who differs for them, those that contain no other one.
    fn least<T: Copy + Ord>(kills: &[(T, BTreeSet<(i32, i32)>)]) -> BTreeSet<T> {
        let is_least =
            |set: &BTreeSet<(i32, i32)>| kills.iter().all(|(_, other)| other == set || !other.is_subset(set));
        kills.iter().filter(|(_, set)| is_least(set)).map(|(one, _)| *one).collect()
    }

    #[test]
    fn a_mutant_of_an_operator_stands_for_others_unless_another_one_differs_for_less_operands() {
        for own in FAMILIES.iter().flat_map(|family| family.iter()).map(|(one, _)| *one) {
            let differs = |other: Operator| {
                let all = (FROM..=TO).flat_map(|x| (FROM..=TO).map(move |y| (x, y)));
                let small = |n: i32| i8::try_from(n).unwrap();
                all.filter(|&(x, y)| value(own, small(x), small(y)) != value(other, small(x), small(y)))
                    .collect()
            };
            let kills: Vec<(Operator, BTreeSet<(i32, i32)>)> =
                own.others().map(|other| (other, differs(other))).collect();
            let stand: BTreeSet<Operator> =
                own.others().filter(|other| Mutation::Operator(own, *other).represents()).collect();
            assert_eq!(stand, least(&kills), "{own:?}");
        }
    }

    #[test]
    fn three_mutants_of_a_comparison_stand_for_all() {
        for (own, _) in RELATIONS.into_iter().take(6) {
            let pairs = [(1, 2), (2, 2), (2, 1)];
            let differs =
                |other| pairs.into_iter().filter(|&(x, y)| holds(own, x, y) != holds(other, x, y)).collect();
            let kills: Vec<(Relation, BTreeSet<(i32, i32)>)> =
                own.others().map(|other| (other, differs(other))).collect();
            let stand: BTreeSet<Relation> =
                own.others().filter(|other| Mutation::Comparison(own, *other).represents()).collect();
            assert_eq!((stand.len(), &stand), (3, &least(&kills)), "{own:?}");
            assert_eq!(own.negated().negated(), own);
            assert!(pairs.into_iter().all(|(x, y)| holds(own, x, y) != holds(own.negated(), x, y)));
        }
    }
}
