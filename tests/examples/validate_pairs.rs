//! Holds `pairs` documents of any size against the published schema: `validate_pairs DOCUMENT...`
//!
//! The long lists are read and checked entry by entry, as a library's document does not fit into memory as a tree. Knows
//! nothing of how documents are written. Invariant: status 0 only if every entry and everything around the lists is valid.

use jsonschema::Validator;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::process::ExitCode;

/// The schemas of versions 1 and 2.
const SCHEMAS: [&str; 2] =
    [include_str!("../../docs/pairs.schema.json"), include_str!("../../docs/pairs.v2.schema.json")];
/// The long lists and what their entries are called in the schemas.
const LISTS: [(&str, [&str; 2]); 4] = [
    ("blocks", ["block", "block_row"]),
    ("pairs", ["pair", "pair_row"]),
    ("defs_at_exit", ["def_at_exit", "def_at_exit_row"]),
    ("uses_at_entry", ["use_at_entry", "use_at_entry_row"]),
];

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: validate_pairs DOCUMENT...");
        return ExitCode::from(2);
    }
    let wrong = files.iter().filter(|file| !is_valid(file)).count();
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn is_valid(file: &str) -> bool {
    match validate(file) {
        Ok(entries) => println!("{file}: valid, {entries} entries"),
        Err(why) => {
            println!("{file}: {why}");
            return false;
        }
    }
    true
}

/// Which of the schemas: the version stands on the second line of version 2, and at the end of version 1.
fn version(file: &str) -> std::io::Result<usize> {
    let mut start = [0; 64];
    let length = File::open(file)?.read(&mut start)?;
    let start = String::from_utf8_lossy(start.get(..length).unwrap_or_default()).into_owned();
    Ok(usize::from(start.contains("\"version\":2")))
}

fn validate(file: &str) -> Result<u64, Box<dyn std::error::Error>> {
    let version = version(file)?;
    let schema: Value = serde_json::from_str(SCHEMAS.get(version).copied().unwrap_or_default())?;
    let entries = LISTS
        .iter()
        .map(|(list, names)| {
            let entry = names.get(version).copied().unwrap_or_default();
            let part = json!({ "$defs": schema["$defs"], "$ref": format!("#/$defs/{entry}") });
            Ok((*list, jsonschema::validator_for(&part)?))
        })
        .collect::<Result<BTreeMap<_, _>, Box<dyn std::error::Error>>>()?;
    let mut reader = serde_json::Deserializer::from_reader(BufReader::new(File::open(file)?));
    let (shell, count) = Document(&entries).deserialize(&mut reader)?;
    reader.end()?;
    jsonschema::validator_for(&schema)?.validate(&shell).map_err(|error| error.to_string())?;
    Ok(count)
}

/// Reads a document: what is around the lists, and how many entries the lists have.
struct Document<'a>(&'a BTreeMap<&'static str, Validator>);

impl<'de> DeserializeSeed<'de> for Document<'_> {
    type Value = (Value, u64);

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Self::Value, D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = (Value, u64);

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a pairs document")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut shell, mut count) = (Map::new(), 0);
        while let Some(key) = map.next_key::<String>()? {
            let value = match self.0.get(key.as_str()) {
                Some(validator) => {
                    count += map.next_value_seed(Entries(&key, validator))?;
                    json!([])
                }
                None => map.next_value()?,
            };
            shell.insert(key, value);
        }
        Ok((Value::Object(shell), count))
    }
}

/// Reads a list and checks each entry; how many there are.
struct Entries<'a>(&'a str, &'a Validator);

impl<'de> DeserializeSeed<'de> for Entries<'_> {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<u64, D::Error> {
        reader.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Entries<'_> {
    type Value = u64;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<u64, A::Error> {
        let mut count = 0;
        while let Some(entry) = list.next_element::<Value>()? {
            if let Err(error) = self.1.validate(&entry) {
                return Err(A::Error::custom(format!("{}[{count}]: {error}", self.0)));
            }
            count += 1;
        }
        Ok(count)
    }
}
