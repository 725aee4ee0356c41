//! Values as bytes: the one place that names the encoding library, so that it can be replaced without touching the rest.
//!
//! Knows nothing of blocks or files. Invariant: equal values give equal bytes, decoding uses every byte it is given, and
//! decoding hostile bytes allocates at most [`CLAIM_LIMIT`] at once.

use crate::format::MAX_BLOCK;
use bincode::config::{Configuration, Limit, LittleEndian, Varint};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What one decoded value may claim in memory. Small numbers take one byte encoded and up to eight decoded.
const CLAIM_LIMIT: usize = 8 * MAX_BLOCK as usize;

/// Little endian, variable length integers, a limit on what lengths may claim.
type Config = Configuration<LittleEndian, Varint, Limit<CLAIM_LIMIT>>;

const CONFIG: Config = bincode::config::standard().with_limit::<CLAIM_LIMIT>();

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
    let (value, used) =
        bincode::serde::decode_from_slice(bytes, CONFIG).map_err(|e| EncodingError(e.to_string()))?;
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
    fn a_hostile_length_is_an_error_and_not_an_allocation() {
        // 0xfd announces a 64-bit length: far more than any memory.
        let hostile = [[0xfd_u8].as_slice(), &u64::MAX.to_le_bytes()].concat();
        assert!(decode::<String>(&hostile).is_err());
        assert!(decode::<Vec<u64>>(&hostile).is_err());
    }
}
