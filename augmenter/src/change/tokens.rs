//! The words and signs of a source of Java, Kotlin, Groovy or Scala, as far as they say which classes it declares.
//!
//! Knows nothing of grammars. Invariant: what stands in comments and strings is no token; any text can be read, and a quote that does not end is one on its line alone.

use std::iter::Peekable;
use std::str::CharIndices;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A name or keyword.
    Word(&'a str),
    /// A name in backticks, which is no keyword.
    Quoted(&'a str),
    /// Anything else.
    Sign(char),
}

/// The tokens of a text.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    chars: Peekable<CharIndices<'a>>,
    /// Whether comments may stand in comments.
    nested: bool,
}

impl<'a> Tokens<'a> {
    /// Of this text; a first line for the shell is none of it.
    pub fn of(text: &'a str, nested: bool) -> Self {
        let line = if text.starts_with("#!") { text.find('\n').unwrap_or(text.len()) } else { 0 };
        let text = text.get(line..).unwrap_or_default();
        Self { text, chars: text.char_indices().peekable(), nested }
    }

    /// Whether what stands at a place begins so.
    fn is_at(&self, place: usize, what: &str) -> bool {
        self.text.get(place..).is_some_and(|rest| rest.starts_with(what))
    }

    /// Goes on until a place.
    fn skip_to(&mut self, place: usize) {
        while self.chars.next_if(|(at, _)| *at < place).is_some() {}
    }

    /// The place behind the next occurrence of a text, from a place on; the end where there is none.
    fn behind(&self, what: &str, from: usize) -> usize {
        let found = self.text.get(from..).and_then(|rest| rest.find(what));
        found.map_or(self.text.len(), |at| from + at + what.len())
    }

    fn skip_comment(&mut self, start: usize) {
        let mut place = start + 2;
        if !self.nested {
            return self.skip_to(self.behind("*/", place));
        }
        let mut depth = 1;
        while depth > 0 && place < self.text.len() {
            let (open, close) = (self.behind("/*", place), self.behind("*/", place));
            depth = if open < close { depth + 1 } else { depth - 1 };
            place = open.min(close);
        }
        self.skip_to(place);
    }

    /// The text of what a quote begins, on its line; none where it does not end there.
    fn quoted(&mut self, start: usize, quote: char) -> Option<&'a str> {
        let mut is_escaped = false;
        for (at, c) in self.text.get(start + 1..)?.char_indices() {
            match c {
                '\n' => return None,
                '\\' if !is_escaped => is_escaped = true,
                _ if c == quote && !is_escaped => {
                    let end = start + 1 + at;
                    self.skip_to(end + 1);
                    return self.text.get(start + 1..end);
                }
                _ => is_escaped = false,
            }
        }
        None
    }

    fn word(&mut self, start: usize) -> &'a str {
        let rest = self.text.get(start..).unwrap_or_default();
        let length = rest.find(|c: char| !is_of_name(c)).unwrap_or(rest.len());
        self.skip_to(start + length);
        rest.get(..length).unwrap_or_default()
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let (at, c) = *self.chars.peek()?;
            if is_of_name(c) {
                return Some(Token::Word(self.word(at)));
            }
            if self.is_at(at, "//") {
                self.skip_to(self.behind("\n", at));
                continue;
            }
            if self.is_at(at, "/*") {
                self.skip_comment(at);
                continue;
            }
            if let Some(quotes) = ["\"\"\"", "'''"].into_iter().find(|quotes| self.is_at(at, quotes)) {
                self.skip_to(self.behind(quotes, at + quotes.len()));
                continue;
            }
            match c {
                '`' => {
                    if let Some(name) = self.quoted(at, c) {
                        return Some(Token::Quoted(name));
                    }
                }
                '"' | '\'' if self.quoted(at, c).is_some() => continue,
                _ => {}
            }
            self.chars.next();
            if !c.is_whitespace() {
                return Some(Token::Sign(c));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Token::{Quoted, Sign, Word};
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        Tokens::of(text, false).collect()
    }

    #[test]
    fn comments_and_strings_are_no_tokens() {
        let text = "#!/usr/bin/groovy\n// class A\n/* class B **/ x = \"class \\\" C\" + '\"' + \"\"\"class\n\"D\" \"\"\";";
        assert_eq!(tokens(text), [Word("x"), Sign('='), Sign('+'), Sign('+'), Sign(';')]);
    }

    #[test]
    fn comments_in_comments_end_where_the_language_says() {
        let text = "/* a /* b */ c */ d";
        assert_eq!(tokens(text), [Word("c"), Sign('*'), Sign('/'), Word("d")]);
        assert_eq!(Tokens::of(text, true).collect::<Vec<_>>(), [Word("d")]);
    }

    #[test]
    fn names_in_backticks_are_no_keywords() {
        assert_eq!(tokens("a.`in`.b"), [Word("a"), Sign('.'), Quoted("in"), Sign('.'), Word("b")]);
    }

    #[test]
    fn any_text_ends_and_a_quote_that_does_not_end_is_one_on_its_line_alone() {
        assert_eq!(tokens("'a\nb"), [Sign('\''), Word("a"), Word("b")]);
        for text in ["/*", "/* é", "\"é", "\"\"\"é", "`", "/", "//", "#!", "\\", "é\"\\"] {
            assert!(tokens(text).len() <= text.len(), "{text}");
            assert!(Tokens::of(text, true).count() <= text.len(), "{text}");
        }
    }
}
