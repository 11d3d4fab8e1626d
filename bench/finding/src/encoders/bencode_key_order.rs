//! `bencode` for Node (pull request 206): the keys of a dictionary were sorted by their UTF-16 units. The format
//! requires byte order, which differs for characters beyond the first 65,536.

use crate::Bug;
use std::collections::BTreeMap;

pub fn holds(bug: Bug, keys: &[String]) -> Option<bool> {
    let dictionary: BTreeMap<&str, usize> = keys.iter().enumerate().map(|(i, key)| (key.as_str(), i)).collect();
    let expected: String = dictionary.iter().map(|(key, value)| member(key, *value)).collect();
    Some(encode(bug, &dictionary) == format!("d{expected}e"))
}

pub fn witness() -> (Vec<String>,) {
    (vec!["\u{1f600}".to_owned(), "\u{ff21}".to_owned()],)
}

fn encode(bug: Bug, dictionary: &BTreeMap<&str, usize>) -> String {
    let mut keys: Vec<&str> = dictionary.keys().copied().collect();
    match bug {
        Bug::Present => keys.sort_by_key(|key| key.encode_utf16().collect::<Vec<_>>()),
        Bug::Fixed => keys.sort_unstable(),
    }
    let members: String = keys.into_iter().map(|key| member(key, dictionary[key])).collect();
    format!("d{members}e")
}

fn member(key: &str, value: usize) -> String {
    format!("{}:{key}i{value}e", key.len())
}
