//! Durations as users write them: `60s`, `5m`. Knows nothing of what takes that long.
//!
//! Invariant: every accepted text has a unit and is more than nothing.

use std::time::Duration;

/// Reads `500ms`, `60s`, `5m`, `1h`.
///
/// # Errors
/// A message that says what is expected.
pub fn parse(text: &str) -> Result<Duration, String> {
    let expected =
        || format!("`{text}` is no duration; expected a number with a unit, such as 500ms, 60s, 5m or 1h");
    let unit_at = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(expected)?;
    let (number, unit) = text.split_at(unit_at);
    let number: u64 = number.parse().map_err(|_| expected())?;
    let millis = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err(expected()),
    };
    match number.checked_mul(millis) {
        Some(0) => Err(format!("`{text}` is no time at all")),
        Some(millis) => Ok(Duration::from_millis(millis)),
        None => Err(expected()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_number_and_a_unit() {
        assert_eq!(parse("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(parse("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(parse("250ms"), Ok(Duration::from_millis(250)));
        for wrong in
            ["", "5", "s", "5 m", "-5s", "1.5m", "5x", "99999999999999999999h", "18446744073709551615h"]
        {
            assert!(parse(wrong).unwrap_err().contains("60s"), "{wrong}");
        }
        assert!(parse("0s").unwrap_err().contains("no time"));
    }
}
