//! Arguments by chance: small numbers mostly, ends of ranges, numbers that occurred before. Knows no methods and no mutants.
//!
//! Invariant: the same seed gives the same arguments.

use dynaflow_solve::Argument;
use dynaflow_solve::value::Value;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Longest array.
const LONGEST: usize = 6;

/// Makes arguments.
pub struct Random(ChaCha8Rng);

impl Random {
    /// With a seed.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Arguments of these types, which are as in descriptors.
    pub fn arguments(&mut self, parameters: &[String]) -> Vec<Argument> {
        let mut used = vec![];
        let one = |parameter: &String| {
            let letter = parameter.bytes().last().unwrap_or(b'I');
            if !parameter.starts_with('[') {
                return Argument::Number(letter, self.number(letter, &mut used));
            }
            if self.0.random_ratio(1, 20) {
                return Argument::Array(letter, None);
            }
            let length = self.0.random_range(0..=LONGEST);
            Argument::Array(letter, Some((0..length).map(|_| self.number(letter, &mut used)).collect()))
        };
        parameters.iter().map(one).collect()
    }

    /// A number of a type: one in four occurred before.
    fn number(&mut self, letter: u8, used: &mut Vec<i64>) -> Value {
        let number = if !used.is_empty() && self.0.random_ratio(1, 4) {
            used.get(self.0.random_range(0..used.len())).copied().unwrap_or_default()
        } else {
            self.whole()
        };
        used.push(number);
        match letter {
            b'Z' => Value::Int((number & 1) as i32),
            b'B' => Value::Int((number as i8).into()),
            b'C' => Value::Int((number as u16).into()),
            b'S' => Value::Int((number as i16).into()),
            b'J' => Value::Long(number),
            b'F' => Value::Float((number as f32 / self.divisor() as f32).to_bits()),
            b'D' => Value::Double((number as f64 / f64::from(self.divisor())).to_bits()),
            _ => Value::Int(number as i32),
        }
    }

    fn whole(&mut self) -> i64 {
        const ENDS: [i64; 8] = [
            i32::MAX as i64,
            i32::MIN as i64,
            i64::MAX,
            i64::MIN,
            i16::MAX as i64,
            u16::MAX as i64,
            1_000_000,
            100,
        ];
        match self.0.random_range(0..10) {
            0..=5 => self.0.random_range(-3..=10),
            6..=7 => self.0.random_range(-1000..=1000),
            8 => ENDS.get(self.0.random_range(0..ENDS.len())).copied().unwrap_or_default(),
            _ => self.0.random(),
        }
    }

    /// Most numbers with a point are whole.
    fn divisor(&mut self) -> u8 {
        if self.0.random_ratio(2, 3) { 1 } else { self.0.random_range(1..=8) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_arguments_of_the_types_asked_for() {
        let types = ["I", "[C", "J", "Z", "D"].map(str::to_owned);
        let made = |seed| -> Vec<Vec<Argument>> {
            let mut random = Random::new(seed);
            (0..50).map(|_| random.arguments(&types)).collect()
        };
        assert_eq!(made(7), made(7));
        assert_ne!(made(7), made(8));
        for arguments in made(1) {
            assert!(matches!(arguments[3], Argument::Number(b'Z', Value::Int(0 | 1))), "{arguments:?}");
            if let Argument::Array(_, Some(chars)) = &arguments[1] {
                assert!(chars.iter().all(|c| matches!(c, Value::Int(0..=65535))), "{arguments:?}");
            }
        }
    }
}
