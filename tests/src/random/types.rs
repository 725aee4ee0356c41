//! What the verifier knows of a method at one place: types of locals and operands. It knows no instructions.
//!
//! Invariant: what is tracked here is what the verifier infers, or something more general.

/// A verification type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum T {
    /// Nothing usable.
    Top,
    /// The second slot of a wide value, in locals alone.
    Half,
    /// `int` and smaller.
    Int,
    /// `float`.
    Float,
    /// `long`.
    Long,
    /// `double`.
    Double,
    /// An object, by its class's internal name or an array's descriptor.
    Object(&'static str),
    /// What the `new` at an offset made, before its constructor ran.
    Raw(u16),
    /// `this` before its constructor ran.
    RawThis,
}

pub const OBJECT: &str = "java/lang/Object";
pub const STRING: &str = "java/lang/String";
pub const THROWABLE: &str = "java/lang/Throwable";
pub const RUNTIME: &str = "java/lang/RuntimeException";
pub const ARITHMETIC: &str = "java/lang/ArithmeticException";
pub const NULL_POINTER: &str = "java/lang/NullPointerException";
pub const LIST: &str = "java/util/ArrayList";
pub const MAP: &str = "java/util/HashMap";
/// The hand-written superclass of all random classes.
pub const BASE: &str = "RandomBase";

impl T {
    /// Whether it takes two slots.
    pub fn wide(self) -> bool {
        matches!(self, Self::Long | Self::Double)
    }

    /// Slots it takes.
    pub fn slots(self) -> u16 {
        if self.wide() { 2 } else { 1 }
    }

    /// Whether it is a reference that may be used like any other.
    pub fn is_reference(self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// Whether a value of this type may stand where `to` is asked for. Own classes extend [`BASE`].
    pub fn fits(self, to: Self) -> bool {
        match (self, to) {
            (a, b) if a == b => true,
            (_, Self::Top) => true,
            (Self::Object(from), Self::Object(to)) => {
                to == OBJECT
                    || to == BASE && is_own(from)
                    || to == THROWABLE && matches!(from, RUNTIME | ARITHMETIC | NULL_POINTER)
                    || to == RUNTIME && matches!(from, ARITHMETIC | NULL_POINTER)
            }
            _ => false,
        }
    }

    /// Its descriptor.
    pub fn descriptor(self) -> String {
        match self {
            Self::Int => "I".to_owned(),
            Self::Float => "F".to_owned(),
            Self::Long => "J".to_owned(),
            Self::Double => "D".to_owned(),
            Self::Object(name) if name.starts_with('[') => name.to_owned(),
            Self::Object(name) => format!("L{name};"),
            _ => "V".to_owned(),
        }
    }
}

/// Whether a name is that of a random class.
pub fn is_own(name: &str) -> bool {
    name.starts_with("Random") && name != BASE
}

/// Locals by slot, operands by value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub locals: Vec<T>,
    pub stack: Vec<T>,
}

impl State {
    /// What holds after both: locals they do not agree on are unusable. The operands must be the same.
    pub fn merged(&self, other: &Self) -> Self {
        assert_eq!(self.stack, other.stack, "operands differ where paths join");
        let mut locals: Vec<T> = self.locals.iter().zip(&other.locals).map(|(a, b)| join(*a, *b)).collect();
        heal(&mut locals);
        Self { locals, stack: self.stack.clone() }
    }

    /// Puts a value into a local, and makes unusable what it tears apart.
    pub fn store(&mut self, slot: u16, value: T) {
        let slot = usize::from(slot);
        let count = usize::from(value.slots());
        if self.locals.len() < slot + count {
            self.locals.resize(slot + count, T::Top);
        }
        if self.locals[slot] == T::Half {
            self.locals[slot - 1] = T::Top;
        }
        self.locals[slot] = value;
        if value.wide() {
            self.locals[slot + 1] = T::Half;
        }
        heal(&mut self.locals);
    }

    /// Operand slots.
    pub fn depth(&self) -> u16 {
        self.stack.iter().map(|t| t.slots()).sum()
    }

    /// Whether an object that is not constructed lies on the stack.
    pub fn has_raw_operand(&self) -> bool {
        self.stack.iter().any(|t| matches!(t, T::Raw(_) | T::RawThis))
    }
}

fn join(a: T, b: T) -> T {
    if a.fits(b) {
        b
    } else if b.fits(a) {
        a
    } else if a.is_reference() && b.is_reference() {
        T::Object(OBJECT)
    } else {
        T::Top
    }
}

/// Halves without a value before them, and wide values without their half, are unusable.
pub fn heal(locals: &mut [T]) {
    for slot in 0..locals.len() {
        if locals[slot].wide() && locals.get(slot + 1) != Some(&T::Half) {
            locals[slot] = T::Top;
        }
        if locals[slot] == T::Half && !(slot > 0 && locals[slot - 1].wide()) {
            locals[slot] = T::Top;
        }
    }
}

/// Locals as frames list them: a wide value once, nothing unusable at the end.
pub fn listed(locals: &[T]) -> Vec<T> {
    let mut listed: Vec<T> = locals.iter().copied().filter(|t| *t != T::Half).collect();
    while listed.last() == Some(&T::Top) {
        listed.pop();
    }
    listed
}
