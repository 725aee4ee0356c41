//! `SourceDebugExtension`: which lines of sources the line numbers of a class stand for, as Kotlin writes it for code it inlined.
//!
//! It knows the text format (JSR 45) and Kotlin's two strata: `Kotlin`, the file and line that code was inlined from, and `KotlinDebug`,
//! the line of the call in the class's own file. Invariant: a line that is given is one of the class's own source file, and
//! numbers of lines that the text does not speak of stay as they are.

use crate::ClassFile;
use crate::tables::Line;

/// Longer texts are not read: compilers write some kilobytes.
const LONGEST: usize = 1 << 20;

/// Lines of a class file that stand for lines of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mapped {
    /// First line number of the class file, and the one behind the last.
    output: (u32, u32),
    /// The line that the first stands for.
    input: u32,
    /// How many line numbers stand for one line.
    increment: u32,
    /// Number of the source file.
    file: u32,
}

impl Mapped {
    /// The line of the source file that a line number stands for.
    fn line(&self, output: u32) -> Option<u32> {
        let (from, to) = self.output;
        (from <= output && output < to).then(|| self.input.saturating_add((output - from) / self.increment))
    }
}

/// What a class says of its line numbers. For a class that says nothing they are lines already.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceLines {
    /// Whether the class says something.
    is_mapped: bool,
    /// Code of the class's own file, also where it was inlined within the file.
    own: Vec<Mapped>,
    /// Code of other files.
    foreign: Vec<Mapped>,
    /// Calls, in the class's own file, of what was inlined.
    calls: Vec<Mapped>,
}

impl SourceLines {
    /// Reads what a class says. A text that is none of Kotlin's counts as none.
    pub fn of(class: &ClassFile<'_>) -> Self {
        let attribute = class.attribute(&class.attributes, "SourceDebugExtension");
        let text = attribute.filter(|attribute| attribute.data.len() <= LONGEST);
        let text = text.and_then(|attribute| std::str::from_utf8(&attribute.data).ok());
        let name = class.name().ok().map(|name| name.to_str().into_owned());
        text.zip(name).map(|(text, name)| Self::read(text, &name)).unwrap_or_default()
    }

    /// Reads the text of a class with this internal name.
    fn read(text: &str, class: &str) -> Self {
        let mut lines = text.lines();
        if lines.next() != Some("SMAP") {
            return Self::default();
        }
        let Some(source) = lines.next() else { return Self::default() };
        let is_own = |name: &str, path: &str| name == source && package(path) == package(class);
        let mut read = Self::default();
        let (mut stratum, mut section, mut own) = ("", "", Vec::new());
        while let Some(line) = lines.next() {
            match (line.get(..2), section) {
                (Some("*S"), _) => (stratum, section) = (line.get(3..).unwrap_or_default(), ""),
                (Some("*F" | "*L" | "*E"), _) => {
                    section = line;
                    if line == "*F" {
                        own.clear();
                    }
                }
                (_, "*F") => {
                    let (file, path) = match line.strip_prefix("+ ") {
                        Some(file) => (file, lines.next().unwrap_or_default()),
                        None => (line, class),
                    };
                    if let Some((number, name)) = file.split_once(' ').filter(|file| is_own(file.1, path)) {
                        own.extend(number.parse::<u32>().ok().filter(|_| !name.is_empty()));
                    }
                }
                (_, "*L") => read.add(stratum, mapped(line), &own),
                _ => {}
            }
        }
        read
    }

    fn add(&mut self, stratum: &str, mapped: Option<Mapped>, own: &[u32]) {
        let Some(mapped) = mapped else { return };
        let list = match (stratum, own.contains(&mapped.file)) {
            ("Kotlin", true) => &mut self.own,
            ("Kotlin", false) => &mut self.foreign,
            ("KotlinDebug", true) => &mut self.calls,
            _ => return,
        };
        list.push(mapped);
        self.is_mapped = true;
    }

    /// The line of the class's own source file that a line number stands for: where the code stands, if it stands in that file, else
    /// where what it was inlined from is called. None when neither is known.
    pub fn line(&self, output: u32) -> Option<u32> {
        if !self.is_mapped {
            return Some(output);
        }
        let find = |list: &[Mapped]| list.iter().find_map(|mapped| mapped.line(output));
        let is_foreign = || self.foreign.iter().any(|mapped| mapped.line(output).is_some());
        find(&self.own).or_else(|| find(&self.calls)).or_else(|| (!is_foreign()).then_some(output))
    }
}

impl SourceLines {
    /// An entry of a line table with the line of the class's own source file; none when that is not known.
    pub fn entry(&self, entry: Line) -> Option<Line> {
        let line = self.line(u32::from(entry.line))?;
        Some(Line { line: u16::try_from(line).ok()?, ..entry })
    }
}

/// The package part of an internal name.
fn package(class: &str) -> &str {
    class.rsplit_once('/').map_or("", |(package, _)| package)
}

/// A line of a line section: `input#file,repeat:output,increment`, where all but input and output may be missing.
fn mapped(line: &str) -> Option<Mapped> {
    let (input, output) = line.split_once(':')?;
    let (input, repeat) = input.split_once(',').unwrap_or((input, "1"));
    let (input, file) = input.split_once('#').unwrap_or((input, "1"));
    let (output, increment) = output.split_once(',').unwrap_or((output, "1"));
    let [input, repeat, file, output, increment] =
        [input, repeat, file, output, increment].map(str::parse::<u32>);
    let (repeat, increment, output) = (repeat.ok()?, increment.ok()?.max(1), output.ok()?);
    let end = output.checked_add(repeat.checked_mul(increment)?)?;
    Some(Mapped { output: (output, end), input: input.ok()?, increment, file: file.ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of `kotlin.text.StringsKt__IndentKt`, shortened: 129 lines, inlined code from 130 on.
    const INDENT: &str = "SMAP\nIndent.kt\nKotlin\n*S Kotlin\n*F\n+ 1 Indent.kt\nkotlin/text/StringsKt__IndentKt\n\
        + 2 fake.kt\nkotlin/jvm/internal/FakeKt\n+ 3 _Collections.kt\nkotlin/collections/CollectionsKt___CollectionsKt\n\
        *L\n1#1,129:1\n119#1,2:131\n1#2:130\n1#2:156\n1577#3,11:133\n774#3:161\n*S KotlinDebug\n*F\n\
        + 1 Indent.kt\nkotlin/text/StringsKt__IndentKt\n*L\n42#1:131,2\n42#1:156\n42#1:133,11\n79#1:161\n*E\n";

    #[test]
    fn inlined_code_has_its_line_in_the_file_or_that_of_the_call() {
        let lines = SourceLines::read(INDENT, "kotlin/text/StringsKt__IndentKt");
        let line = |number| lines.line(number);
        assert_eq!([line(1), line(42), line(129)], [Some(1), Some(42), Some(129)]);
        assert_eq!([line(131), line(132)], [Some(119), Some(120)], "inlined within the file");
        assert_eq!([line(133), line(143), line(161)], [Some(42), Some(42), Some(79)], "inlined from another");
        assert_eq!(line(156), Some(42), "the compiler's own, where it says what for");
        assert_eq!(line(130), None, "the compiler's own");
        assert_eq!(line(999), Some(999), "nothing is said of it");
    }

    #[test]
    fn a_file_of_the_same_name_in_another_package_is_another_file() {
        let text = "SMAP\nA.kt\nKotlin\n*S Kotlin\n*F\n+ 1 A.kt\na/AKt\n+ 2 A.kt\nb/AKt\n*L\n1#1,9:1\n5#2:10\n\
            *S KotlinDebug\n*F\n+ 1 A.kt\na/AKt\n*L\n7#1:10\n*E\n";
        assert_eq!(SourceLines::read(text, "a/AKt").line(10), Some(7));
    }

    #[test]
    fn other_texts_and_broken_ones_leave_lines_as_they_are() {
        for text in [
            "",
            "SMAP",
            "JSR\n*L\n1#1:5",
            "SMAP\nA.jsp\nJSP\n*S JSP\n*F\n1 A.jsp\n*L\n1#1:5\n*E",
            "SMAP\nA.kt\nKotlin\n*S Kotlin\n*F\n+ 1\n*L\n:\n1#1,4294967295:4294967295,4294967295\nx#y:5\n*E",
        ] {
            let lines = SourceLines::read(text, "a/A");
            assert_eq!([lines.line(5), lines.line(500)], [Some(5), Some(500)], "{text}");
        }
    }
}
