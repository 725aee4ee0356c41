//! The versions of JUnit, and the classes of each that sources name. Knows nothing of sources. Invariant: plain values.

/// The JUnit version the sources are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JUnit {
    /// JUnit 4.
    Four,
    /// JUnit 5 (Jupiter).
    #[default]
    Five,
}

impl JUnit {
    /// The classes of `Test` and of the assertions.
    pub(crate) fn classes(self) -> (&'static str, &'static str) {
        match self {
            Self::Four => ("org.junit.Test", "org.junit.Assert"),
            Self::Five => ("org.junit.jupiter.api.Test", "org.junit.jupiter.api.Assertions"),
        }
    }
}
