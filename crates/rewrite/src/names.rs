//! Names of classes by number, for types that are copied often. It knows no class.
//!
//! Invariant: equal names have one number, numbers are dense, and a name keeps its place in memory while others are added.

use rustc_hash::FxHashMap;

/// The names met so far.
#[derive(Debug, Default)]
pub struct Names {
    all: Vec<Vec<u8>>,
    numbers: FxHashMap<Vec<u8>, u32>,
}

impl Names {
    /// The number of a name.
    pub fn number(&mut self, name: &[u8]) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.all.len() as u32;
        self.all.push(name.to_vec());
        self.numbers.insert(name.to_vec(), number);
        number
    }

    /// The name of a number.
    pub fn name(&self, number: u32) -> &[u8] {
        self.all.get(number as usize).map(Vec::as_slice).unwrap_or_default()
    }
}
