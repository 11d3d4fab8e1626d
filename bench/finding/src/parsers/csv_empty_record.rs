//! The CSV dump of `filesql` (pull request 203), as in many writers before: a record of one empty field was written as an
//! empty line, which readers skip. The writer of the crate `csv` quotes such a field for this reason.

use crate::Bug;

pub fn holds(bug: Bug, record: &[String]) -> Option<bool> {
    // A record without fields cannot be written.
    if record.is_empty() {
        return None;
    }
    Some(read(&write(bug, record)) == vec![record])
}

pub fn witness() -> (Vec<String>,) {
    (vec![String::new()],)
}

fn write(bug: Bug, record: &[String]) -> String {
    if bug == Bug::Fixed && record == [""] {
        return "\"\"\n".to_owned();
    }
    let fields: Vec<String> = record.iter().map(|field| quoted(field)).collect();
    fields.join(",") + "\n"
}

fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

fn read(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut field) = (vec![], vec![], String::new());
    let (mut inside, mut line_is_empty) = (false, true);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' if inside && rest.peek() == Some(&'"') => field.extend(rest.next()),
            '"' => inside = !inside,
            ',' if !inside => record.push(std::mem::take(&mut field)),
            '\n' if !inside && line_is_empty => continue,
            '\n' if !inside => {
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            c => field.push(c),
        }
        line_is_empty = c == '\n' && !inside;
    }
    records
}
