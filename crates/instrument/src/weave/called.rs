//! A class whose static methods woven code calls, as an enumeration of these methods: the recorder's is the table of the model. It does
//! not know what the methods do.
//!
//! Invariant: what an enumeration says of a method agrees with the method's descriptor.

use dynaflow_model::recorder::{Call, RECORDER};

/// A static method that woven code calls.
pub(crate) trait Called: Copy + 'static {
    /// Internal name of the class. The boot loader defines it, so every class finds it.
    const OWNER: &'static str;
    /// How many methods there are.
    const COUNT: usize;

    /// Its place in the enumeration.
    fn place(self) -> usize;

    /// Name and descriptor.
    fn signature(self) -> (&'static str, &'static str);

    /// Argument slots.
    fn slots(self) -> u8;

    /// Slots of the result.
    fn results(self) -> u8 {
        let descriptor = self.signature().1;
        match descriptor.rsplit(')').next() {
            Some("V") => 0,
            Some("J" | "D") => 2,
            _ => 1,
        }
    }
}

impl Called for Call {
    const OWNER: &'static str = RECORDER;
    const COUNT: usize = Self::ALL.len();

    fn place(self) -> usize {
        self as usize
    }

    fn signature(self) -> (&'static str, &'static str) {
        (self.method().name, self.method().descriptor)
    }

    fn slots(self) -> u8 {
        Self::slots(self)
    }
}

/// Makes an enumeration of the methods of a class: name, name and descriptor of the method, argument slots.
macro_rules! called {
    ($(#[$of:meta])* pub enum $call:ident of $owner:ident;
     $($(#[$meta:meta])* $name:ident $method:literal $descriptor:literal $slots:literal;)*) => {
        $(#[$of])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum $call {
            $($(#[$meta])* $name),*
        }

        impl $call {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];
        }

        impl $crate::weave::called::Called for $call {
            const OWNER: &'static str = $owner;
            const COUNT: usize = Self::ALL.len();

            fn place(self) -> usize {
                self as usize
            }

            fn signature(self) -> (&'static str, &'static str) {
                match self {
                    $(Self::$name => ($method, $descriptor)),*
                }
            }

            fn slots(self) -> u8 {
                match self {
                    $(Self::$name => $slots),*
                }
            }
        }
    };
}

pub(crate) use called;
