//! The little of HTML that all pages share. Knows nothing of facts.
//!
//! Invariant: whatever comes from a class file, a source or a trace goes through [`text`].

use crate::gather::Count;
use crate::names;
use std::fmt::Write;

/// Text of a page, or of an attribute in double quotes. What XML 1.0 has no character for becomes its replacement.
pub fn text(raw: &str) -> String {
    let mut safe = String::with_capacity(raw.len());
    for char in raw.chars() {
        match char {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\t' | '\n' => safe.push(char),
            // Marks that turn the direction of text would let a line of a source look like another one.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => safe.push('\u{fffd}'),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            char if char.is_control() => safe.push('\u{fffd}'),
            char => safe.push(char),
        }
    }
    safe
}

/// A whole page: its title, the way to the folder of the report (nothing, or `../`), scripts besides the common one, and its body.
pub fn page(title: &str, up: &str, scripts: &[String], body: &str) -> String {
    let mut all = String::new();
    for script in scripts {
        writeln!(all, "<script src=\"{}\" defer></script>", text(script)).ok();
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n\
         <link rel=\"icon\" href=\"{up}assets/icon.svg\">\n<link rel=\"stylesheet\" href=\"{up}assets/report.css\">\n{all}\
         <script src=\"{up}assets/report.js\" defer></script>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n{body}</body>\n</html>\n",
        text(title)
    )
}

/// A bar that shows how much of all is executed.
pub fn bar(count: Count) -> String {
    let percent = names::percent(count.covered, count.total());
    if count.total() == 0 {
        return String::new();
    }
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{percent}% executed\">\
         <rect class=\"open\" width=\"100\" height=\"6\"/><rect class=\"covered\" width=\"{percent}\" height=\"6\"/></svg>"
    )
}

/// A cell with a number, which sorts by its value.
pub fn number(n: usize) -> String {
    let class = if n == 0 { "num zero" } else { "num" };
    format!("<td class=\"{class}\" data-value=\"{n}\">{}</td>", names::number(n))
}

/// Figures in a row: value and what it is.
pub fn figures(all: &[(String, &str, &str)]) -> String {
    let mut html = String::from("<dl class=\"figures\">\n");
    for (value, what, class) in all {
        writeln!(html, "<div class=\"{class}\"><dt>{}</dt><dd>{}</dd></div>", text(what), text(value)).ok();
    }
    html + "</dl>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup_or_turns_around() {
        assert_eq!(
            text("<script>\"'&\u{0}\u{202e}\u{ffff}\té"),
            "&lt;script&gt;&quot;&#39;&amp;\u{fffd}\u{fffd}\u{fffd}\té"
        );
        let page = page("</title>", "../", &["a\"b.js".to_owned()], "");
        assert!(page.contains("<title>&lt;/title&gt;</title>") && page.contains("\"a&quot;b.js\""), "{page}");
    }
}
