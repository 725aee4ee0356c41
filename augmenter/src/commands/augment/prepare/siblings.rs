//! What the sources of tests that stand beside the generated ones are indented by, and how long their lines are.
//!
//! Knows nothing of Java but that what stands inside of braces is indented. Invariant: files that an earlier run wrote do not decide; where no other
//! file shows anything there is none.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Most files and folders that are looked at.
const FILES: usize = 50;
const FOLDERS: usize = 400;

/// The line lengths that style guides ask for, in characters.
const WIDTHS: [usize; 2] = [100, 120];

/// What sources show of their layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// What most lines inside of braces are indented by.
    pub indent: String,
    /// The least of the usual widths that none of their lines exceeds; the largest where one does.
    pub width: usize,
}

/// What the sources beside tests of these classes show, or else any below the folder.
pub fn shown(out: &Path, classes: &[String]) -> Option<Shown> {
    let package = |class: &String| {
        class.rsplit_once('.').map_or(out.to_owned(), |(package, _)| out.join(package.replace('.', "/")))
    };
    let beside = classes.iter().flat_map(|class| entries(&package(class))).collect();
    of_texts(&texts(beside)).or_else(|| of_texts(&texts(below(out))))
}

fn of_texts(texts: &[String]) -> Option<Shown> {
    Some(Shown { indent: most(texts)?, width: width(texts) })
}

/// How long lines may be: imports and comments are longer where a style guide asks for less.
fn width(texts: &[String]) -> usize {
    let is_code = |line: &&str| {
        !["import ", "package ", "//", "*", "/*"].iter().any(|start| line.trim_start().starts_with(start))
    };
    let lines = texts.iter().flat_map(|text| text.lines()).filter(is_code);
    let longest = lines.map(|line| line.chars().count()).max().unwrap_or_default();
    let [less, more] = WIDTHS;
    if longest <= less { less } else { more }
}

/// The texts of the Java sources among these files that nobody generated.
fn texts(paths: Vec<PathBuf>) -> Vec<String> {
    let sources = paths.into_iter().filter(|path| path.extension().is_some_and(|e| e == "java"));
    let read = sources.take(FILES).filter_map(|path| std::fs::read_to_string(path).ok());
    read.filter(|text| dynaflow_testgen::class_under_test(text).is_none()).collect()
}

/// What a folder holds, in the order of the names.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(read) = std::fs::read_dir(folder) else { return vec![] };
    let mut paths: Vec<PathBuf> = read.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// The files below a folder; no link is followed.
fn below(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders, mut seen) = (vec![], vec![folder.to_owned()], 0);
    while let Some(folder) = folders.pop().filter(|_| seen < FOLDERS) {
        seen += 1;
        for path in entries(&folder) {
            match std::fs::symlink_metadata(&path) {
                Ok(of) if of.is_dir() => folders.push(path),
                Ok(of) if of.is_file() => files.push(path),
                _ => {}
            }
        }
    }
    files
}

/// What most lines behind an opened brace are indented by, more than the line before them.
fn most(texts: &[String]) -> Option<String> {
    let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts {
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        for pair in lines.windows(2) {
            let &[before, line] = pair else { continue };
            let more = line.strip_prefix(blanks(before)).map(blanks);
            if let Some(indent) = more.filter(|_| before.ends_with('{')).filter(|indent| is_usual(indent)) {
                *votes.entry(indent).or_default() += 1;
            }
        }
    }
    votes.into_iter().max_by_key(|(_, votes)| *votes).map(|(indent, _)| indent.to_owned())
}

fn blanks(line: &str) -> &str {
    line.get(..line.len() - line.trim_start().len()).unwrap_or_default()
}

/// A tab, or up to eight blanks.
fn is_usual(indent: &str) -> bool {
    indent == "\t" || (1..=8).contains(&indent.len()) && indent.bytes().all(|byte| byte == b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<String> {
        most(&[text.to_owned()])
    }

    #[test]
    fn what_stands_behind_an_opened_brace_shows_the_indentation() {
        assert_eq!(of("class A {\n\tvoid a() {\n\t\tb();\n\t}\n}\n").as_deref(), Some("\t"));
        let text = "class A {\n  /** x\n   *  y\n   */\n  void a() {\n\n    b(c,\n        d);\n  }\n}\n";
        assert_eq!(of(text).as_deref(), Some("  "));
        assert_eq!(of("class A {\n}\n"), None);
        assert_eq!(of("class A {\n         far();\n}\n"), None, "too far");
    }

    #[test]
    fn the_package_decides_before_the_rest_and_generated_files_never() {
        let out = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = out.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let class = ["a.b.C".to_owned()];
        assert_eq!(shown(out.path(), &class), None);
        write("z/Z.java", "class Z {\n\tint z;\n}\n");
        assert_eq!(shown(out.path(), &class).unwrap().indent, "\t");
        let ours = "/** Tests of a.b.C, written by dynaflow. */\nclass CDynaflowTest {\n    int c;\n}\n";
        write("a/b/CDynaflowTest.java", ours);
        assert_eq!(shown(out.path(), &class).unwrap().indent, "\t");
        write("a/b/CTest.java", "class CTest {\n  int c;\n}\n");
        assert_eq!(shown(out.path(), &class).unwrap().indent, "  ");
    }

    #[test]
    fn a_line_of_code_above_a_hundred_characters_shows_that_lines_may_be_longer() {
        let of = |line: &str| width(&[format!("class A {{\n{line}\n}}\n")]);
        let long = "x".repeat(101);
        assert_eq!((of("  int a;"), of(&format!("  // {long}")), of(&long)), (100, 100, 120));
    }
}
