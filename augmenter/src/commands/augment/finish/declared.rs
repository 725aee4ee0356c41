//! Where tests are declared in the text of a generated source.
//!
//! Knows nothing of compilers or of JVMs. Invariant: a method of an anonymous class inside a test, which overrides another, is no test.

/// The name of the test that the last of these lines belongs to, and on which of them, counted from 0, it is declared.
pub fn last<'t>(lines: &[&'t str]) -> Option<(usize, &'t str)> {
    let overrides = |at: usize| {
        let above = at.checked_sub(1).and_then(|above| lines.get(above));
        above.is_some_and(|line| line.trim() == "@Override")
    };
    let declared = |(at, line): (usize, &&'t str)| {
        let line = line.trim_start().trim_start_matches("public ");
        let name = line.strip_prefix("void ")?.split('(').next()?;
        (!overrides(at)).then_some((at, name))
    };
    lines.iter().enumerate().rev().find_map(declared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_belongs_to_the_test_it_stands_in_whatever_is_declared_inside() {
        let text = "class A {\n    @Test\n    public void one() {\n        Rule rule = new Rule() {\n            @Override\n            public void apply() {}\n        };\n        \
                    x();\n    }\n    void two() throws E {\n    y;\n";
        let lines: Vec<&str> = text.lines().collect();
        let at = |number: usize| last(&lines[..number]);
        assert_eq!([at(4), at(6), at(8)], [Some((2, "one")); 3]);
        assert_eq!([at(1), at(11)], [None, Some((9, "two"))]);
    }
}
