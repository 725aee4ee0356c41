//! Long texts made shorter by leaving out lines, words or parts of words. Knows nothing of sequences.
//!
//! Invariant: what is given back was accepted, or is the text that was given; what is short is left as it is.

/// Longest text that nobody minds to read, in bytes.
const LONG: usize = 80;
/// Fewest pieces that leaving some out makes sense of.
const FEWEST: usize = 4;

/// Whether a text is worth making shorter.
pub(crate) fn is_long(text: &str) -> bool {
    text.len() > LONG
}

/// The text without what `accepts` can do without: halves of its pieces first, single ones last.
pub(crate) fn shortened(text: &str, accepts: &mut dyn FnMut(String) -> bool) -> String {
    let mut kept = pieces(text);
    let mut chunk = kept.len() / 2;
    while chunk > 0 {
        let mut end = kept.len();
        while end > 0 && kept.iter().map(|piece| piece.len()).sum::<usize>() > LONG {
            let start = end.saturating_sub(chunk);
            let (before, after) = (kept.get(..start), kept.get(end..));
            let rest: Vec<&str> = before.into_iter().chain(after).flatten().copied().collect();
            if !rest.is_empty() && accepts(rest.concat()) {
                kept = rest;
            }
            end = start;
        }
        chunk /= 2;
    }
    kept.concat()
}

/// Lines; words where there are few lines; parts of the same length where there are few words.
fn pieces(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.len() >= FEWEST {
        return lines;
    }
    let ends_word = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let words: Vec<&str> = text.split_inclusive(ends_word).collect();
    if words.len() >= FEWEST {
        return words;
    }
    let length = text.chars().count().div_ceil(4 * FEWEST).max(1);
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).step_by(length).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).filter_map(|(start, end)| text.get(*start..end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left when the text must contain these words, and how often that was asked.
    fn left(text: &str, words: &[&str]) -> (String, usize) {
        let mut asked = 0;
        let shorter = shortened(text, &mut |text| {
            asked += 1;
            words.iter().all(|word| text.contains(word))
        });
        (shorter, asked)
    }

    #[test]
    fn lines_words_and_parts_go_until_the_text_is_short() {
        let lines: String = (0..40).map(|n| format!("line {n} says nothing\n")).collect();
        let (text, asked) = left(&lines, &["line 7 "]);
        assert!(text.contains("line 7 says nothing\n") && text.len() <= LONG, "{text}");
        assert!(asked < 30, "{asked}");
        let words = format!("{} needle {}", "hay, ".repeat(30), "straw; ".repeat(30));
        let (text, _) = left(&words, &["needle "]);
        assert!(text.contains("needle ") && text.len() <= LONG, "{text}");
        let (text, _) = left(&"\u{e9}".repeat(400), &[]);
        assert!(!text.is_empty() && text.len() <= LONG, "{text}");
    }

    #[test]
    fn what_is_short_or_needed_stays() {
        assert_eq!(left("a few words, no more", &[]), ("a few words, no more".to_owned(), 0));
        let all: String = (0..40).map(|n| format!("<{n}>;")).collect();
        let words: Vec<String> = (0..40).map(|n| format!("<{n}>;")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(left(&all, &words).0, all);
    }
}
