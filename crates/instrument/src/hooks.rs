//! Hooks: a table of methods of the JDK that are to call a class of ours. It knows neither which methods these are nor
//! what is done with the calls; `weave_hooks` writes the bytes.
//!
//! A hook's method gets the receiver (unless the hooked method is static, or a constructor hooked at its entry, where
//! there is no object yet), all parameters, and at a return the result if there is one. References are passed as
//! `java.lang.Object`, so that the table needs no class that is hidden in the JDK; primitives as what they are.
//! Invariant: a hooked method does what it did, as long as what it calls returns.

use dynaflow_model::sites::Declined;
use std::borrow::Cow;

/// When a hooked method calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// Before everything else: also for calls that fail.
    Entry,
    /// Just before it returns: not for calls that end by an exception.
    Return,
    /// As [`Self::Return`], with the result alone, also for methods that overwrite their parameters.
    Result,
}

/// One method that calls a class of ours.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hook {
    /// Internal name of the class that declares it.
    pub class: Cow<'static, str>,
    /// Its name.
    pub method: Cow<'static, str>,
    /// Its descriptor; none for all methods of this name.
    pub descriptor: Option<Cow<'static, str>>,
    /// When it calls.
    pub moment: Moment,
    /// Internal name of the class that it calls, which the boot loader has.
    pub target: &'static str,
    /// The static method of that class, without a result.
    pub call: Cow<'static, str>,
    /// Which values it gets, in this order, by their places among receiver, parameters and result; none for all.
    pub passes: Option<&'static [usize]>,
}

impl Hook {
    /// A hook of all methods of a name.
    pub fn new(
        class: impl Into<Cow<'static, str>>,
        method: impl Into<Cow<'static, str>>,
        moment: Moment,
        target: &'static str,
        call: impl Into<Cow<'static, str>>,
    ) -> Self {
        let (class, method, call) = (class.into(), method.into(), call.into());
        Self { class, method, descriptor: None, moment, target, call, passes: None }
    }

    /// The hook with these values alone, by their places among receiver, parameters and result. One that is not there makes the hook fit
    /// no method.
    #[must_use]
    pub fn passing(mut self, places: &'static [usize]) -> Self {
        self.passes = Some(places);
        self
    }

    /// The hook of one method only.
    #[must_use]
    pub fn of(mut self, descriptor: impl Into<Cow<'static, str>>) -> Self {
        self.descriptor = Some(descriptor.into());
        self
    }
}

/// A class with its hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hooked {
    /// The class file; none when no hook fits the class.
    pub bytes: Option<Vec<u8>>,
    /// By hook, in the order given: how many methods it was woven into. None happens: the methods of the JDK change.
    pub methods: Vec<usize>,
    /// Methods left as they were.
    pub declined: Vec<Declined>,
}
