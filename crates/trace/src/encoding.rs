//! Values as bytes: the one place that names the encoding library, so that it can be replaced without touching the rest.
//!
//! Knows nothing of blocks or files. Invariant: equal values give equal bytes, decoding uses every byte it is given, and
//! decoding hostile bytes allocates a small multiple of their length.

use crate::format::MAX_BLOCK;
use bincode::config::{Configuration, Limit, LittleEndian, Varint};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// How many bytes a byte may claim when it is decoded: small numbers take one encoded and up to eight decoded.
const GROWTH: usize = 8;

/// Little endian, variable length integers, a limit on what lengths may claim.
type Config<const CLAIMS: usize> = Configuration<LittleEndian, Varint, Limit<CLAIMS>>;

const CONFIG: Config<{ GROWTH * MAX_BLOCK as usize }> = config();

const fn config<const CLAIMS: usize>() -> Config<CLAIMS> {
    bincode::config::standard().with_limit::<CLAIMS>()
}

/// A value that could not be encoded or decoded, in the words of the encoding library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodingError(pub String);

/// The bytes of a value.
///
/// # Errors
/// When the value cannot be encoded; none of the types of a trace gives a reason for that.
pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, EncodingError> {
    bincode::serde::encode_to_vec(value, CONFIG).map_err(|e| EncodingError(e.to_string()))
}

/// The value that all of these bytes stand for.
///
/// # Errors
/// When they stand for none, or for one that ends before they do.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, EncodingError> {
    // The library wants its limit when it is compiled, and allocates for a text whatever the limit lets its length claim.
    match bytes.len() {
        0..=0x400 => within::<T, { GROWTH * 0x400 }>(bytes),
        0x401..=0x4000 => within::<T, { GROWTH * 0x4000 }>(bytes),
        0x4001..=0x4_0000 => within::<T, { GROWTH * 0x4_0000 }>(bytes),
        0x4_0001..=0x40_0000 => within::<T, { GROWTH * 0x40_0000 }>(bytes),
        _ => within::<T, { GROWTH * MAX_BLOCK as usize }>(bytes),
    }
}

fn within<T: DeserializeOwned, const CLAIMS: usize>(bytes: &[u8]) -> Result<T, EncodingError> {
    let (value, used) = bincode::serde::decode_from_slice(bytes, config::<CLAIMS>())
        .map_err(|e| EncodingError(e.to_string()))?;
    if used == bytes.len() {
        Ok(value)
    } else {
        Err(EncodingError(format!("{} bytes follow the value", bytes.len() - used)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_back_and_bytes_after_it_are_refused() {
        let bytes = encode(&("a.B", 300_u32, vec![1_u64, u64::MAX])).unwrap();
        let back: (String, u32, Vec<u64>) = decode(&bytes).unwrap();
        assert_eq!(back, ("a.B".to_owned(), 300, vec![1, u64::MAX]));
        let longer = [bytes.as_slice(), &[0]].concat();
        assert!(decode::<(String, u32, Vec<u64>)>(&longer).unwrap_err().0.contains("1 bytes follow"));
    }

    #[test]
    fn values_of_every_size_come_back() {
        for length in [1 << 10, 1 << 14, 1 << 18, 1 << 22] {
            for around in [length - 9, length, length + 9] {
                // One byte each, and eight bytes when decoded: the most that a byte can claim.
                let values: Vec<u64> = (0..around).map(|i| i % 250).collect();
                let bytes = encode(&values).unwrap();
                assert_eq!(decode::<Vec<u64>>(&bytes), Ok(values));
            }
        }
    }

    #[test]
    fn a_hostile_length_is_an_error_and_not_an_allocation() {
        // A text of 500 MB in twelve bytes: within what the largest block may claim, not within what these may.
        let text = [[0xfc_u8].as_slice(), &500_000_000_u32.to_le_bytes(), b"nothing"].concat();
        assert!(decode::<String>(&text).unwrap_err().0.contains("LimitExceeded"));
        // 0xfd announces a 64-bit length: far more than any memory.
        let hostile = [[0xfd_u8].as_slice(), &u64::MAX.to_le_bytes()].concat();
        assert!(decode::<String>(&hostile).is_err());
        assert!(decode::<Vec<u64>>(&hostile).is_err());
    }
}
