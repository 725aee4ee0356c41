//! A part of the targets, so that several machines share them. Knows nothing of classes.
//!
//! Invariant: each place is in one part.

use std::str::FromStr;

/// Part `number`, from 1, of `parts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    parts: usize,
}

impl Shard {
    /// Whether what stands at a place, from 0, is in this part: places are dealt to the parts in turn.
    pub fn has(self, place: usize) -> bool {
        place % self.parts == self.number - 1
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "part {} of {}", self.number, self.parts)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').map(|(number, parts)| (number.parse(), parts.parse()));
        match numbers {
            Some((Ok(number), Ok(parts))) if (1..=parts).contains(&number) => Ok(Self { number, parts }),
            _ => Err("expected I/N, part I of N parts, such as 1/4 to 4/4".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_in_one_part() {
        for parts in 1..5 {
            let all: Vec<Shard> = (1..=parts).map(|n| format!("{n}/{parts}").parse().unwrap()).collect();
            for place in 0..12 {
                assert_eq!(all.iter().filter(|shard| shard.has(place)).count(), 1, "{place} of {parts}");
            }
        }
        let second: Shard = "2/3".parse().unwrap();
        assert_eq!((0..7).filter(|&place| second.has(place)).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(second.to_string(), "part 2 of 3");
    }

    #[test]
    fn what_is_no_part_is_refused_with_what_is_expected() {
        for text in [
            "",
            "1",
            "/",
            "0/2",
            "3/2",
            "1/0",
            "0/0",
            "-1/2",
            "1/2/3",
            "a/b",
            "1.0/2",
            "99999999999999999999/2",
        ] {
            let error = text.parse::<Shard>().unwrap_err();
            assert!(error.contains("1/4"), "{text}: {error}");
        }
    }
}
