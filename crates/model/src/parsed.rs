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

/// Constants of the JDK, since Java 8, that are equal to what a text is parsed to: class, text, name.
pub const CONSTANTS: [(&str, &str, &str); 15] = [
    ("java.math.BigDecimal", "0", "ZERO"),
    ("java.math.BigDecimal", "1", "ONE"),
    ("java.math.BigDecimal", "10", "TEN"),
    ("java.math.BigInteger", "0", "ZERO"),
    ("java.math.BigInteger", "1", "ONE"),
    ("java.math.BigInteger", "10", "TEN"),
    ("java.time.Duration", "PT0S", "ZERO"),
    ("java.time.Instant", "1970-01-01T00:00:00Z", "EPOCH"),
    ("java.time.Instant", "-1000000000-01-01T00:00:00Z", "MIN"),
    ("java.time.Instant", "+1000000000-12-31T23:59:59.999999999Z", "MAX"),
    ("java.time.LocalDate", "-999999999-01-01", "MIN"),
    ("java.time.LocalDate", "+999999999-12-31", "MAX"),
    ("java.time.LocalTime", "00:00", "MIDNIGHT"),
    ("java.time.Period", "P0D", "ZERO"),
    ("java.time.ZoneOffset", "Z", "UTC"),
];

/// The name of the constant that is equal to what a text is parsed to; none where there is none.
pub fn constant(class: &str, text: &str) -> Option<&'static str> {
    CONSTANTS.iter().find(|(of, written, _)| (*of, *written) == (class, text)).map(|(_, _, name)| *name)
}
