//! Classes of the JDK whose objects never change and are equal to what their text is parsed to: numbers of any length, dates, times, identifiers.
//!
//! Knows nothing of values found in programs. Invariant: the runner of sequences in Java has the same table; a test holds the two together.

/// The method that parses a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parser {
    /// The constructor that takes a string.
    Constructor,
    /// A static method.
    Static(&'static str),
}

use Parser::{Constructor, Static};

/// The classes by binary name, with what parses the text that `toString` gives; sorted.
pub const PARSERS: [(&str, Parser); 17] = [
    ("java.math.BigDecimal", Constructor),
    ("java.math.BigInteger", Constructor),
    ("java.net.URI", Static("create")),
    ("java.time.Duration", Static("parse")),
    ("java.time.Instant", Static("parse")),
    ("java.time.LocalDate", Static("parse")),
    ("java.time.LocalDateTime", Static("parse")),
    ("java.time.LocalTime", Static("parse")),
    ("java.time.MonthDay", Static("parse")),
    ("java.time.OffsetDateTime", Static("parse")),
    ("java.time.OffsetTime", Static("parse")),
    ("java.time.Period", Static("parse")),
    ("java.time.Year", Static("parse")),
    ("java.time.YearMonth", Static("parse")),
    ("java.time.ZoneOffset", Static("of")),
    ("java.time.ZonedDateTime", Static("parse")),
    ("java.util.UUID", Static("fromString")),
];

/// What parses the text of an object of a class; none where nothing does.
pub fn parser(class: &str) -> Option<Parser> {
    PARSERS.iter().find(|(known, _)| *known == class).map(|(_, parser)| *parser)
}
