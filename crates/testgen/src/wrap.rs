//! Lines that are too long, broken where people break them. It knows parentheses, strings and commas, not what a line means.
//!
//! Invariant: the tokens of a line stay as they are and in their order; a line that fits stays as it is, and so does one that cannot be broken.

/// The lines of a test method, each of them at most `width` characters long where it can be broken; `indent` is one level.
pub(crate) fn wrapped(text: &str, indent: &str, width: usize) -> String {
    text.lines().map(|line| Line::new(line, indent, width).lines().join("\n") + "\n").collect()
}

/// How the further lines of a comment begin.
pub(crate) const COMMENT_GOES_ON: &str = "//     ";

/// Longest line of a comment: what formatters that break comments break them at, or beyond, so that they leave these as they are.
const COMMENT: usize = 80;

/// Longest text in parentheses that is not broken.
const PARENTHESES: usize = 40;

/// What a tab counts.
const TAB: usize = 4;

/// A line to be broken.
struct Line<'l> {
    /// What stands before its first word.
    margin: &'l str,
    text: &'l str,
    indent: &'l str,
    width: usize,
}

impl<'l> Line<'l> {
    fn new(line: &'l str, indent: &'l str, width: usize) -> Self {
        let text = line.trim_start();
        let margin = line.get(..line.len() - text.len()).unwrap_or_default();
        Self { margin, text, indent, width }
    }

    fn lines(&self) -> Vec<String> {
        if let Some(comment) = self.text.strip_prefix("// ") {
            return Self { width: self.width.min(COMMENT), ..*self }.comment(comment);
        }
        if self.fits(self.margin, self.text) || self.text.starts_with('@') {
            return vec![format!("{}{}", self.margin, self.text)];
        }
        if self.text.ends_with('{') {
            return self.opening();
        }
        self.broken(self.margin, self.text, &self.deeper(self.margin))
    }

    /// What opens a block: broken behind the `=` before an anonymous class, which is the only place that people break it at.
    fn opening(&self) -> Vec<String> {
        match Parts::of(self.text).assigned(self.text) {
            Some((head, tail)) => {
                vec![format!("{}{head}", self.margin), format!("{}{tail}", self.deeper(self.margin))]
            }
            None => vec![format!("{}{}", self.margin, self.text)],
        }
    }

    fn fits(&self, margin: &str, text: &str) -> bool {
        let of_margin: usize = margin.chars().map(|c| if c == '\t' { TAB } else { 1 }).sum();
        of_margin + text.chars().count() <= self.width
    }

    fn comment(&self, text: &str) -> Vec<String> {
        let mut lines: Vec<String> = vec![];
        let mut line = "//".to_owned();
        for word in words(text) {
            let longer = format!("{line} {word}");
            if line.len() > COMMENT_GOES_ON.len() && !self.fits(self.margin, &longer) {
                lines.push(format!("{}{line}", self.margin));
                line = format!("{COMMENT_GOES_ON}{word}");
            } else {
                line = longer;
            }
        }
        lines.push(format!("{}{line}", self.margin));
        lines
    }

    /// A statement, or an argument of one, whose further lines begin with `further`: broken behind `=`, before the calls of a chain, or behind the opening
    /// parenthesis of the call that ends it.
    fn broken(&self, margin: &str, text: &str, further: &str) -> Vec<String> {
        if self.fits(margin, text) {
            return vec![format!("{margin}{text}")];
        }
        let parts = Parts::of(text);
        if let Some((head, tail)) = parts.assigned(text) {
            return [vec![format!("{margin}{head}")], self.all_broken(&[tail], further)].concat();
        }
        if let Some((head, calls)) = parts.chain(text) {
            let mut lines = self.broken(margin, head, &self.deeper(further));
            lines.extend(self.all_broken(&calls, further));
            return lines;
        }
        let Some((head, arguments, end)) = parts.call(text) else { return vec![format!("{margin}{text}")] };
        let all = format!("{}{end}", arguments.join(", "));
        if self.fits(further, &all) {
            return vec![format!("{margin}{head}"), format!("{further}{all}")];
        }
        let last = arguments.len().saturating_sub(1);
        let ended: Vec<String> = arguments
            .iter()
            .enumerate()
            .map(|(place, argument)| format!("{argument}{}", if place == last { end } else { "," }))
            .collect();
        let ended: Vec<&str> = ended.iter().map(String::as_str).collect();
        [vec![format!("{margin}{head}")], self.all_broken(&ended, further)].concat()
    }

    /// Further lines, which are broken again where they have to be.
    fn all_broken(&self, texts: &[&str], further: &str) -> Vec<String> {
        let deeper = self.deeper(further);
        texts.iter().flat_map(|text| self.broken(further, text, &deeper)).collect()
    }

    fn deeper(&self, further: &str) -> String {
        format!("{further}{}{}", self.indent, self.indent)
    }
}

/// The words of a comment; what stands in parentheses belongs to the word before it, where it is short: `(line 7)`. `and 3 more` is one.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![];
    for word in text.split(' ') {
        let is_inside =
            |open: &&mut String| open.contains('(') && !open.contains(')') && open.len() < PARENTHESES;
        match words.last_mut().filter(is_inside) {
            Some(open) => open.extend([" ", word]),
            None => words.push(word.to_owned()),
        }
    }
    if let [.., and, _, more] = words.as_slice()
        && (and.as_str(), more.as_str()) == ("and", "more")
    {
        let tail = words.split_off(words.len() - 3);
        words.push(tail.join(" "));
    }
    words
}

/// Where a text can be broken: by its bytes, outside of texts and characters, with how many parentheses, braces and brackets are open.
struct Parts {
    /// Places and bytes.
    signs: Vec<(usize, u8, usize)>,
}

impl Parts {
    fn of(text: &str) -> Self {
        let (mut signs, mut depth, mut quote) = (vec![], 0_usize, None);
        let mut bytes = text.bytes().enumerate();
        while let Some((place, byte)) = bytes.next() {
            match (quote, byte) {
                (Some(_), b'\\') => drop(bytes.next()),
                (Some(open), _) if byte == open => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'(' | b'{' | b'[') => {
                    signs.push((place, byte, depth));
                    depth += 1;
                }
                (None, b')' | b'}' | b']') => {
                    depth = depth.saturating_sub(1);
                    signs.push((place, byte, depth));
                }
                (None, _) => signs.push((place, byte, depth)),
            }
        }
        Self { signs }
    }

    fn outside(&self) -> impl DoubleEndedIterator<Item = (usize, u8)> + '_ {
        self.signs.iter().filter(|(_, _, depth)| *depth == 0).map(|(place, byte, _)| (*place, *byte))
    }

    /// A declaration: up to its `=`, and what is behind.
    fn assigned<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let is_alone = |place: usize| text.get(place.saturating_sub(1)..place + 2) == Some(" = ");
        let (place, _) = self.outside().find(|(place, byte)| *byte == b'=' && is_alone(*place))?;
        Some((text.get(..=place)?, text.get(place + 2..)?))
    }

    /// A chain: what its first call gives, and the calls on that.
    fn chain<'t>(&self, text: &'t str) -> Option<(&'t str, Vec<&'t str>)> {
        let follows = |place: usize| place > 0 && text.as_bytes().get(place - 1) == Some(&b')');
        let dots: Vec<usize> = self
            .outside()
            .filter(|(place, byte)| *byte == b'.' && follows(*place))
            .map(|(place, _)| place)
            .collect();
        let head = text.get(..*dots.first()?)?;
        let ends = dots.iter().skip(1).copied().chain([text.len()]);
        let calls = dots.iter().zip(ends).filter_map(|(from, to)| text.get(*from..to)).collect();
        Some((head, calls))
    }

    /// The call that ends a text: up to its opening parenthesis, its arguments, and what closes it.
    fn call<'t>(&self, text: &'t str) -> Option<(&'t str, Vec<&'t str>, &'t str)> {
        let (close, _) = self.outside().rfind(|(_, byte)| *byte == b')')?;
        let (open, _) = self.outside().rfind(|(place, byte)| *byte == b'(' && *place < close)?;
        if open + 1 == close {
            return None;
        }
        let commas = self
            .signs
            .iter()
            .filter(|(place, byte, depth)| *byte == b',' && *depth == 1 && (open..close).contains(place));
        let mut arguments = vec![];
        let mut from = open + 1;
        for (place, ..) in commas {
            arguments.push(text.get(from..*place)?.trim_start());
            from = place + 1;
        }
        arguments.push(text.get(from..close)?.trim_start());
        Some((text.get(..=open)?, arguments, text.get(close..)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(width: usize, text: &str, expected: &str) {
        let wrapped = wrapped(text, "    ", width);
        assert_eq!(wrapped, expected);
        let tokens = |text: &str| text.replace(COMMENT_GOES_ON, "").split_whitespace().collect::<String>();
        assert_eq!(tokens(&wrapped), tokens(text), "nothing is lost");
    }

    #[test]
    fn a_line_that_fits_stays() {
        is(20, "    assertTrue(a());\n", "    assertTrue(a());\n");
    }

    #[test]
    fn a_declaration_breaks_behind_its_sign() {
        is(
            40,
            "        Breaker breaker = new Breaker(1, \"a = b\");\n",
            "        Breaker breaker =\n                new Breaker(1, \"a = b\");\n",
        );
    }

    #[test]
    fn an_anonymous_class_breaks_behind_its_sign_and_no_other_block_does() {
        is(
            40,
            "        Rule<String> rule = new Rule<String>() {\n",
            "        Rule<String> rule =\n                new Rule<String>() {\n",
        );
        is(20, "        for (int i = 0; i < 9; i++) {\n", "        for (int i = 0; i < 9; i++) {\n");
    }

    #[test]
    fn arguments_stand_on_a_line_of_their_own_or_each_on_one() {
        is(
            40,
            "    assertEquals(\"one, two\", box.get(3, 4));\n",
            "    assertEquals(\n            \"one, two\", box.get(3, 4));\n",
        );
        is(
            54,
            "    assertEquals(\"m\", assertThrows(E.class, () -> box.get(1, 2)).getMessage());\n",
            "    assertEquals(\n            \"m\",\n            assertThrows(E.class, () -> box.get(1, 2))\n                    .getMessage());\n",
        );
        is(
            46,
            "    assertEquals(\"m\", assertThrows(E.class, () -> box.get(1)).getMessage());\n",
            "    assertEquals(\n            \"m\",\n            assertThrows(\n                            E.class,\n                            () -> box.get(1))\n                    .getMessage());\n",
        );
    }

    #[test]
    fn a_chain_breaks_before_each_call() {
        is(
            40,
            "    assertThat(box.get(1)).isEqualTo(new Box(2)).isNotNull();\n",
            "    assertThat(box.get(1))\n            .isEqualTo(new Box(2))\n            .isNotNull();\n",
        );
    }

    #[test]
    fn a_comment_goes_on_at_a_word_and_what_cannot_be_broken_stays() {
        is(
            24,
            "    // sets Box.a (line 4); and more\n",
            "    // sets Box.a\n    //     (line 4); and\n    //     more\n",
        );
        is(40, "    // sets Box.a (line 4); and 3 more\n", "    // sets Box.a (line 4); and 3 more\n");
        is(
            34,
            "    // sets Box.a (line 4); and 3 more\n",
            "    // sets Box.a (line 4);\n    //     and 3 more\n",
        );
        // Whatever the width of the code.
        let long = format!("{} (line 4)", "sets Box.a; ".repeat(5).trim_end());
        is(200, &format!("    // {long} and see\n"), &format!("    // {long} and\n    //     see\n"));
        is(10, "    x.y();\n", "    x.y();\n");
        is(
            12,
            "    say(\"a long text, (and so on\");\n",
            "    say(\n            \"a long text, (and so on\");\n",
        );
        is(20, "    void a_name_that_is_long() {\n", "    void a_name_that_is_long() {\n");
    }

    #[test]
    fn a_tab_counts_as_four() {
        let line = "\t\tint abcdef = b(1);\n";
        assert_eq!(wrapped(line, "\t", 25), "\t\tint abcdef =\n\t\t\t\tb(1);\n");
        assert_eq!(wrapped(line, "\t", 26), line);
    }
}
