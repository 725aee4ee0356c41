//! Comments, strings and keywords of a line of Java, Kotlin, Scala or Groovy, set apart. Knows nothing of their grammar.
//!
//! Invariant: with the markup taken out, the text of a line is what it was; what is not understood is plain.

use crate::html::text;

const KEYWORDS: &str = " abstract assert boolean break byte case catch char class const continue default def do double else enum extends \
final finally float for fun if implements import in int interface instanceof is lazy long native new null object open override \
package permits private protected public record return sealed short static super switch synchronized this throw throws trait transient try true false \
val var void volatile when while with yield ";

/// What a line begins inside of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Code.
    #[default]
    Code,
    /// A comment that ends with `*/`.
    Comment,
    /// A text block, which ends with three quotes.
    Block,
}

/// A line as HTML. Linear.
pub fn coloured(line: &str, state: &mut State) -> String {
    let mut html = String::new();
    let mut rest = line;
    while !rest.is_empty() {
        let (class, length) = token(rest, state);
        // A token ends between characters: it was found by ASCII.
        let (token, after) = rest.split_at_checked(length.max(1)).unwrap_or((rest, ""));
        match class {
            "" => html.push_str(&text(token)),
            class => html.push_str(&format!("<span class=\"{class}\">{}</span>", text(token))),
        }
        rest = after;
    }
    html
}

/// Class and length of what a line begins with.
fn token(rest: &str, state: &mut State) -> (&'static str, usize) {
    let until = |end: &str, from: usize| {
        rest.get(from..).and_then(|tail| tail.find(end)).map(|at| from + at + end.len())
    };
    match *state {
        State::Comment => {
            let end = until("*/", 0);
            *state = if end.is_some() { State::Code } else { State::Comment };
            return ("cm", end.unwrap_or(rest.len()));
        }
        State::Block => {
            let end = until("\"\"\"", 0);
            *state = if end.is_some() { State::Code } else { State::Block };
            return ("st", end.unwrap_or(rest.len()));
        }
        State::Code => {}
    }
    if rest.starts_with("//") {
        return ("cm", rest.len());
    }
    if rest.starts_with("/*") {
        let end = until("*/", 2);
        *state = if end.is_some() { State::Code } else { State::Comment };
        return ("cm", end.unwrap_or(rest.len()));
    }
    if rest.starts_with("\"\"\"") {
        let end = until("\"\"\"", 3);
        *state = if end.is_some() { State::Code } else { State::Block };
        return ("st", end.unwrap_or(rest.len()));
    }
    match rest.chars().next() {
        Some(quote @ ('"' | '\'')) => ("st", quoted(rest, quote)),
        Some(first) if first.is_alphabetic() || first == '_' => {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let word = rest.get(..end).unwrap_or_default();
            (if KEYWORDS.contains(&format!(" {word} ")) { "kw" } else { "" }, end)
        }
        _ => (
            "",
            rest.find(|c: char| c.is_alphabetic() || matches!(c, '"' | '\'' | '/' | '_'))
                .filter(|at| *at > 0)
                .unwrap_or(1),
        ),
    }
}

/// The length of a literal in quotes; one that does not end on the line is one character.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, char) in rest.char_indices().skip(1) {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            char if char == quote => return at + 1,
            _ => {}
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(source: &str) -> Vec<String> {
        let mut state = State::default();
        source.lines().map(|line| coloured(line, &mut state)).collect()
    }

    #[test]
    fn comments_strings_and_keywords_are_set_apart_over_lines() {
        assert_eq!(
            lines("int a = 'x' /* b\nc */ + \"\\\"/*\"; // d\nreturned"),
            [
                "<span class=\"kw\">int</span> a = <span class=\"st\">&#39;x&#39;</span> <span class=\"cm\">/* b</span>",
                "<span class=\"cm\">c */</span> + <span class=\"st\">&quot;\\&quot;/*&quot;</span>; <span class=\"cm\">// d</span>",
                "returned"
            ]
        );
        assert_eq!(
            lines("\"\"\"a\n<b>\"\"\".c")[1],
            "<span class=\"st\">&lt;b&gt;&quot;&quot;&quot;</span>.c"
        );
    }

    #[test]
    fn whatever_a_line_is_its_text_stays() {
        arbtest::arbtest(|u| {
            let pieces = ["\"", "'", "/*", "*/", "//", "\\", "\"\"\"", "é", "class", " ", "x", "<", "🦀"];
            let mut line = String::new();
            for _ in 0..u.int_in_range(0..=12)? {
                line.push_str(u.choose(&pieces)?);
            }
            let mut state = *u.choose(&[State::Code, State::Comment, State::Block])?;
            let mut html = coloured(&line, &mut state);
            for class in ["cm", "st", "kw"] {
                html = html.replace(&format!("<span class=\"{class}\">"), "");
            }
            assert_eq!(html.replace("</span>", ""), text(&line));
            Ok(())
        });
    }
}
