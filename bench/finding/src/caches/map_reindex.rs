//! `matrix-rust-sdk` (pull request 4346): a map stores its values in a vector and their positions by key. Removing a
//! value did not update the positions of the values after it.

use crate::Bug;
use std::collections::BTreeMap;

crate::input! {
    pub enum MapOperation { Insert(u8, u8), Remove(u8), Get(u8) }
}

pub fn holds(bug: Bug, operations: &[MapOperation]) -> Option<bool> {
    let (mut map, mut model) = (Map::default(), BTreeMap::new());
    for operation in operations {
        match operation {
            MapOperation::Insert(key, value) => {
                map.insert(*key, *value);
                model.insert(*key, *value);
            }
            MapOperation::Remove(key) => {
                map.remove(bug, *key);
                model.remove(key);
            }
            MapOperation::Get(key) => {
                if map.get(*key) != model.get(key).copied() {
                    return Some(false);
                }
            }
        }
    }
    Some(model.iter().all(|(key, value)| map.get(*key) == Some(*value)))
}

pub fn witness() -> (Vec<MapOperation>,) {
    use MapOperation::*;
    (vec![Insert(1, 10), Insert(2, 20), Remove(1), Get(2)],)
}

#[derive(Default)]
struct Map {
    positions: BTreeMap<u8, usize>,
    values: Vec<u8>,
}

impl Map {
    fn insert(&mut self, key: u8, value: u8) {
        match self.positions.get(&key) {
            Some(position) => self.values[*position] = value,
            None => {
                self.positions.insert(key, self.values.len());
                self.values.push(value);
            }
        }
    }

    fn remove(&mut self, bug: Bug, key: u8) {
        let Some(removed) = self.positions.remove(&key) else { return };
        self.values.remove(removed);
        if bug == Bug::Fixed {
            self.positions.values_mut().filter(|position| **position > removed).for_each(|position| *position -= 1);
        }
    }

    fn get(&self, key: u8) -> Option<u8> {
        self.positions.get(&key).map(|position| self.values[*position])
    }
}
