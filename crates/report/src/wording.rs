//! Findings in plain English, and where in the sources they are. What SARIF and JUnit XML say of one, they say in the same words.
//!
//! Knows nothing of formats. Invariants: every sentence ends with a point; what is said of a place does not depend on whether its source was found.

use crate::listing::Source;
use crate::names::{call_of, counted, outermost, short};
use dynaflow_objectives::{FindingKind, FindingText, FrameText};

/// What happened, in a sentence: `NullPointerException in Box.size, when a test calls Box.label.`
pub fn headline(finding: &FindingText) -> String {
    let Some(thrown) = &finding.throws else {
        return format!("A contract of the JDK is not kept: {}.", finding.what);
    };
    let at = finding.at.as_ref().map(method);
    let called = finding.called.as_deref().map(called).filter(|called| Some(called) != at.as_ref());
    let at = at.map(|at| format!(" in {at}")).unwrap_or_default();
    let called = called.map(|called| format!(", when a test calls {called}")).unwrap_or_default();
    format!("{}{at}{called}.", short(thrown))
}

/// What else is known of it, a sentence each: the message, who may be to blame, how often, the test, and what flows in it.
pub fn details(finding: &FindingText) -> Vec<String> {
    let message = finding
        .message
        .as_ref()
        .map(|message| format!("The message is: {}.", line(message).trim_end_matches('.')));
    let blame = (finding.kind == FindingKind::Suspicious).then_some(match finding.throws {
        Some(_) => {
            "What the test passes or asks for may be to blame, so look at the test before the program."
        }
        None => "This may be meant so, or come of what the test passes.",
    });
    let others = match usize::try_from(finding.others) {
        Ok(0) => String::new(),
        Ok(1) => "; 1 other call sequence ends so, too".to_owned(),
        Ok(n) => format!("; {} end so, too", counted(n, "", "other call sequences")),
        Err(_) => "; many other call sequences end so, too".to_owned(),
    };
    let test = format!("The test {} shows it{others}.", finding.test);
    let flow = finding.flow.as_ref().map(|flow| format!("What flows in the test: {flow}."));
    [message, blame.map(str::to_owned), Some(test), flow].into_iter().flatten().collect()
}

/// Text on a single line.
pub fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn method(frame: &FrameText) -> String {
    match frame.method.as_str() {
        "<init>" => format!("the constructor of {}", short(&frame.class)),
        name => call_of(&frame.class, name),
    }
}

fn called(name: &str) -> String {
    let (class, method) = name.rsplit_once('.').unwrap_or(("", name));
    call_of(class, method)
}

/// Where a finding is, as far as the source says.
#[derive(Debug)]
pub struct Spot {
    /// The class whose source was looked for: the outermost one.
    pub class: String,
    /// Its source.
    pub source: Option<Source>,
    /// The line; none when it is not known, or when the source has no such line.
    pub line: Option<u32>,
}

impl Spot {
    /// Where a finding was raised; where that is not known, the class that its test was written for.
    pub fn of(finding: &FindingText, source: impl Fn(&str) -> Option<Source>) -> Self {
        let at = finding.at.as_ref();
        let class = outermost(at.map_or(&finding.class, |at| &at.class)).to_owned();
        let source = source(&class);
        let known = |line: &u32| source.as_ref().is_none_or(|source| text_of(source, *line).is_some());
        let line = at.map(|at| at.line).filter(|line| *line > 0).filter(known);
        Self { class, source, line }
    }

    /// Where the test of a finding is declared, if its source is found.
    pub fn of_test(finding: &FindingText, source: impl Fn(&str) -> Option<Source>) -> Option<Self> {
        let (class, method) = finding.test.split_once('#')?;
        let source = source(class)?;
        let declares = |text: &str| text.contains(&format!(" {method}("));
        let line = source.text.lines().position(declares).and_then(|at| u32::try_from(at + 1).ok());
        Some(Self { class: class.to_owned(), source: Some(source), line })
    }

    /// What the line says, without the space around it.
    pub fn text(&self) -> Option<&str> {
        Some(text_of(self.source.as_ref()?, self.line?)?.trim())
    }
}

fn text_of(source: &Source, line: u32) -> Option<&str> {
    source.text.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?)
}

/// The file that a class would be in, by its package: a guess, for where there is none.
pub fn guessed(class: &str) -> String {
    format!("{}.java", class.replace('.', "/"))
}
