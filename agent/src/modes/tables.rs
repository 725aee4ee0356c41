//! What woven code asks for when an exception comes.
//!
//! Knows neither what the words mean nor who asks. Invariant: the table of a slot is there before code that asks for it is.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

/// What woven code asks for when an exception comes, by slot.
#[derive(Debug, Default)]
pub struct Tables(RwLock<HashMap<u32, Arc<[u64]>>>);

impl Tables {
    /// The table of a slot; none when it has none.
    pub fn of(&self, slot: u32) -> Option<Arc<[u64]>> {
        self.0.read().ok()?.get(&slot).map(Arc::clone)
    }

    /// Adds tables by slot.
    pub fn add(&self, tables: Vec<(u32, Vec<u64>)>) {
        // A thread that panicked with the lock left whole entries behind.
        let mut all = self.0.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        all.extend(tables.into_iter().map(|(slot, table)| (slot, table.into())));
    }
}
