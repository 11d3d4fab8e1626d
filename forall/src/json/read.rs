//! A small JSON reader: for history files, and for messages of test programs to tools.

/// A value of JSON.
///
/// ```
/// use forall::linearizability::JsonValue;
/// let json: JsonValue = r#"{"f": "cas", "value": [1, 2.5, null]}"#.parse().unwrap();
/// assert_eq!(json.get("f").and_then(JsonValue::as_str), Some("cas"));
/// let Some(JsonValue::Array(items)) = json.get("value") else { panic!("no array") };
/// assert_eq!((items[0].as_i64(), &items[1], &items[2]), (Some(1), &JsonValue::Number("2.5".into()), &JsonValue::Null));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum JsonValue {
    /// `null`.
    #[doc(hidden)]
    Null,
    /// `true` or `false`.
    #[doc(hidden)]
    Bool(bool),
    /// A number in its textual form, without rounding.
    #[doc(hidden)]
    Number(String),
    /// A string.
    #[doc(hidden)]
    String(String),
    /// Values in order.
    #[doc(hidden)]
    Array(Vec<JsonValue>),
    /// Keys with values, in the order of the file.
    #[doc(hidden)]
    Object(Vec<(String, JsonValue)>),
}

impl JsonValue {
    /// The value of a key, if this is an object that has it.
    ///
    /// See [`JsonValue`].
    #[inline]
    pub fn get(&self, name: &str) -> Option<&JsonValue> {
        match self {
            JsonValue::Object(fields) => fields.iter().find(|(field, _)| field == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The string, if this is one.
    ///
    /// See [`JsonValue`].
    #[inline]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            JsonValue::String(text) => Some(text),
            _ => None,
        }
    }

    /// Reads the output of this project's programs. A key may occur twice in an object; the first counts.
    #[inline]
    pub(crate) fn read(text: &str) -> Option<Self> {
        Parser { text, at: 0, unique: false }.whole().ok()
    }

    /// The number, if it is an integer that fits.
    ///
    /// See [`JsonValue`].
    #[inline]
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            JsonValue::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }
}

/// Deeper values are rejected: a file must not overflow our stack.
const MAX_DEPTH: u32 = 100;

impl std::str::FromStr for JsonValue {
    type Err = String;

    /// Reads one value, and nothing after it.
    #[inline]
    fn from_str(text: &str) -> Result<Self, String> {
        Parser { text, at: 0, unique: true }.whole()
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// Whether a duplicate key is an error. Checking takes quadratic time.
    unique: bool,
}

impl Parser<'_> {
    #[inline]
    fn whole(mut self) -> Result<JsonValue, String> {
        let value = self.value(0)?;
        self.blanks();
        if self.at < self.text.len() {
            return Err(self.expected("the end of the line"));
        }
        Ok(value)
    }

    #[inline]
    fn value(&mut self, depth: u32) -> Result<JsonValue, String> {
        if depth > MAX_DEPTH {
            return Err(format!("more than {MAX_DEPTH} nested brackets at column {}", self.column()));
        }
        self.blanks();
        for (word, value) in
            [("null", JsonValue::Null), ("true", JsonValue::Bool(true)), ("false", JsonValue::Bool(false))]
        {
            if self.takes(word) {
                return Ok(value);
            }
        }
        match self.peek() {
            Some(b'"') => Ok(JsonValue::String(self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'[') => {
                let mut items = Vec::new();
                self.separated(']', &mut |parser| {
                    items.push(parser.value(depth + 1)?);
                    Ok(())
                })?;
                Ok(JsonValue::Array(items))
            }
            Some(b'{') => {
                let mut fields: Vec<(String, JsonValue)> = Vec::new();
                self.separated('}', &mut |parser| {
                    let name = parser.string()?;
                    if parser.unique && fields.iter().any(|(field, _)| *field == name) {
                        return Err(format!("duplicate key {name:?} before column {}", parser.column()));
                    }
                    parser.blanks();
                    if !parser.takes(":") {
                        return Err(parser.expected("`:`"));
                    }
                    fields.push((name, parser.value(depth + 1)?));
                    Ok(())
                })?;
                Ok(JsonValue::Object(fields))
            }
            _ => Err(self.expected("a value")),
        }
    }

    /// Comma-separated items between brackets.
    #[inline]
    fn separated(&mut self, close: char, item: &mut dyn FnMut(&mut Self) -> Result<(), String>) -> Result<(), String> {
        self.at += 1;
        let end = close.to_string();
        self.blanks();
        if self.takes(&end) {
            return Ok(());
        }
        loop {
            self.blanks();
            item(self)?;
            self.blanks();
            if self.takes(&end) {
                return Ok(());
            }
            if !self.takes(",") {
                return Err(self.expected(&format!("`,` or `{close}`")));
            }
        }
    }

    #[inline]
    fn number(&mut self) -> Result<JsonValue, String> {
        let start = self.at;
        self.takes("-");
        let whole = self.digits();
        let mut fine = whole > 0 && (whole == 1 || !self.text[start..].trim_start_matches('-').starts_with('0'));
        if self.takes(".") {
            fine &= self.digits() > 0;
        }
        if self.takes("e") || self.takes("E") {
            let _ = self.takes("+") || self.takes("-");
            fine &= self.digits() > 0;
        }
        let digits = &self.text[start..self.at];
        if fine { Ok(JsonValue::Number(digits.to_owned())) } else { Err(format!("{digits:?} is not a number")) }
    }

    #[inline]
    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    #[inline]
    fn string(&mut self) -> Result<String, String> {
        if !self.takes("\"") {
            return Err(self.expected("a string in quotes"));
        }
        let mut text = String::new();
        loop {
            let Some(next) = self.text[self.at..].chars().next() else {
                return Err("unterminated string".to_owned());
            };
            self.at += next.len_utf8();
            match next {
                '"' => return Ok(text),
                '\\' => text.push(self.escape()?),
                c if c < ' ' => return Err(format!("a control character in a string, at column {}", self.column())),
                c => text.push(c),
            }
        }
    }

    #[inline]
    fn escape(&mut self) -> Result<char, String> {
        let escape = self.peek();
        self.at += usize::from(escape.is_some_and(|byte| byte.is_ascii()));
        Ok(match escape {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let high = self.hexadecimal()?;
                // Characters beyond the first 65,536 are surrogate pairs.
                let code = match high {
                    0xd800..=0xdbff if self.takes("\\u") => match self.hexadecimal()? {
                        low @ 0xdc00..=0xdfff => 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00),
                        _ => high,
                    },
                    _ => high,
                };
                char::from_u32(code).ok_or_else(|| format!("\\u{high:04x} is an unpaired surrogate"))?
            }
            _ => return Err(self.expected("a JSON escape")),
        })
    }

    #[inline]
    fn hexadecimal(&mut self) -> Result<u32, String> {
        let digits = self.text.get(self.at..self.at + 4).filter(|four| four.bytes().all(|b| b.is_ascii_hexdigit()));
        let digits = digits.ok_or_else(|| self.expected("four hexadecimal digits"))?;
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|error| error.to_string())
    }

    #[inline]
    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn takes(&mut self, word: &str) -> bool {
        let found = self.text[self.at..].starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    #[inline]
    fn column(&self) -> usize {
        self.text[..self.at].chars().count() + 1
    }

    #[inline]
    fn expected(&self, what: &str) -> String {
        format!("expected {what} at column {}", self.column())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_they_are() {
        let read = |text: &str| text.parse::<JsonValue>();
        assert_eq!(read(" [ ] "), Ok(JsonValue::Array(vec![])));
        assert_eq!(read("{}"), Ok(JsonValue::Object(vec![])));
        assert_eq!(read("-0.5e+3"), Ok(JsonValue::Number("-0.5e+3".into())));
        assert_eq!(read(r#""a\"\\\/\n\u00e4\ud83d\ude00ä""#), Ok(JsonValue::String("a\"\\/\nä😀ä".into())));
        assert!(read(r#"{"a":[1,{"b":null}]}"#).unwrap().get("a").is_some());
    }

    #[test]
    fn invalid_json_is_rejected_with_the_column() {
        let error = |text: &str| text.parse::<JsonValue>().unwrap_err();
        assert_eq!(error(""), "expected a value at column 1");
        assert_eq!(error("[1 2]"), "expected `,` or `]` at column 4");
        assert_eq!(error("[1,]"), "expected a value at column 4");
        assert_eq!(error("{\"a\" 1}"), "expected `:` at column 6");
        assert_eq!(error("{a: 1}"), "expected a string in quotes at column 2");
        assert_eq!(error("1 2"), "expected the end of the line at column 3");
        assert_eq!(error("01"), "\"01\" is not a number");
        assert_eq!(error("-"), "\"-\" is not a number");
        assert_eq!(error("\"x"), "unterminated string");
        assert_eq!(error("\"\\x\""), "expected a JSON escape at column 4");
        assert_eq!(error("\"\\ud800\""), "\\ud800 is an unpaired surrogate");
        assert_eq!(error("{\"a\":1,\"a\":2}"), "duplicate key \"a\" before column 11");
        assert!(error(&"[".repeat(100_000)).starts_with("more than 100 nested brackets"));
    }

    #[forall::test(crate = crate)]
    fn no_text_makes_the_reader_panic(text: String, #[forall(0..4usize)] form: usize) {
        let text = ["", "[", "\"", "{\"a\":"][form].to_owned() + &text;
        let _ = text.parse::<JsonValue>();
    }
}
