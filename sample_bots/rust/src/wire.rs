//! The wire: a JSON object a line, requests on standard input, replies on standard output.
//!
//! A message with an id is a request and gets exactly one reply, which echoes the id. A message
//! without one (`fault`, `deal_end`, `match_end`) gets none, but must be read as well.

use std::io::{self, BufRead, Write};

/// A value of JSON.
#[derive(Debug)]
pub enum Json {
    /// Its escapes are kept as they are written.
    Text(String),
    /// A number, `true`, `false` or `null`, as it is written.
    Word(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn parse(line: &str) -> Result<Json, String> {
        Reader { line, at: 0 }.value()
    }

    pub fn get(&self, field: &str) -> Option<&Json> {
        match self {
            Json::Object(fields) => fields.iter().find(|(name, _)| name == field).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The text of a string, or "".
    pub fn text(&self) -> &str {
        match self {
            Json::Text(text) => text,
            _ => "",
        }
    }

    pub fn number(&self) -> Option<i32> {
        match self {
            Json::Word(word) => word.parse().ok(),
            _ => None,
        }
    }

    /// The items of a list, or none.
    pub fn items(&self) -> &[Json] {
        match self {
            Json::List(items) => items,
            _ => &[],
        }
    }
}

struct Reader<'a> {
    line: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Json, String> {
        match self.peek()? {
            b'{' => {
                self.at += 1;
                let mut fields = Vec::new();
                while self.peek()? != b'}' {
                    let name = self.quoted()?;
                    self.skip(b':')?;
                    fields.push((name, self.value()?));
                    self.skip(b',')?;
                }
                self.at += 1;
                Ok(Json::Object(fields))
            }
            b'[' => {
                self.at += 1;
                let mut items = Vec::new();
                while self.peek()? != b']' {
                    items.push(self.value()?);
                    self.skip(b',')?;
                }
                self.at += 1;
                Ok(Json::List(items))
            }
            b'"' => self.quoted().map(Json::Text),
            _ => self.word(),
        }
    }

    /// What comes after white space.
    fn peek(&mut self) -> Result<u8, String> {
        let bytes = self.line.as_bytes();
        while bytes.get(self.at).map_or(false, u8::is_ascii_whitespace) {
            self.at += 1;
        }
        bytes.get(self.at).copied().ok_or_else(|| format!("the line ends too early: {}", self.line))
    }

    fn skip(&mut self, separator: u8) -> Result<(), String> {
        if self.peek()? == separator {
            self.at += 1;
        }
        Ok(())
    }

    fn quoted(&mut self) -> Result<String, String> {
        let bytes = self.line.as_bytes();
        if self.peek()? != b'"' {
            return Err(format!("no string where one is expected: {}", self.line));
        }
        let begin = self.at + 1;
        let mut end = begin;
        while bytes.get(end).map_or(false, |&byte| byte != b'"') {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        self.at = end + 1;
        self.line.get(begin..end).map(String::from).ok_or_else(|| "a string has no end".into())
    }

    fn word(&mut self) -> Result<Json, String> {
        let rest = &self.line[self.at..];
        let end = rest.find([',', ']', '}', ' ', '\r', '\n']).unwrap_or(rest.len());
        if end == 0 {
            return Err(format!("this is no JSON: {}", self.line));
        }
        self.at += end;
        Ok(Json::Word(rest[..end].to_string()))
    }
}

/// The reply to a line, or None where none is wanted. `decide` takes a message and returns the
/// reply without its id: `"bid":3`, `"card":"AS"`, or nothing.
pub fn answer(
    line: &str,
    decide: &mut impl FnMut(&Json) -> String,
) -> Result<Option<String>, String> {
    let message = Json::parse(line)?;
    let decision = decide(&message);
    let comma = if decision.is_empty() { "" } else { "," };
    Ok(match message.get("id") {
        Some(Json::Word(id)) => Some(format!("{{\"id\":{id}{comma}{decision}}}")),
        _ => None,
    })
}

fn broken(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// Answers until standard input ends, which is the end of the match.
pub fn run(mut decide: impl FnMut(&Json) -> String) -> io::Result<()> {
    let mut replies = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        if let Some(reply) = answer(&line?, &mut decide).map_err(broken)? {
            writeln!(replies, "{reply}")?;
            replies.flush()?; // what stays in a buffer never arrives, and the clock runs out
        }
    }
    Ok(())
}
