//! Which classes are attacked: those that --target selects, of these the ones that a change touched, of these one part.
//!
//! Knows nothing of JVMs or of git. Invariant: a class that changed is attacked, or a line says why it is not.

use crate::change::{Change, Origins, Source, outermost};
use crate::commands::augment::ask::options::AugmentOptions;
use crate::commands::augment::ask::paths::Paths;
use crate::commands::augment::facts::remarks::Remarks;
use anyhow::{Result, anyhow};
use dynaflow_model::pattern::Pattern;
use std::collections::BTreeSet;

/// Classes of the program.
#[derive(Clone, Debug, Default)]
pub struct Chosen {
    /// Those that --target selects, sorted.
    pub selected: Vec<String>,
    /// Those of them that may be attacked: what all parts attack together.
    pub whole: Vec<String>,
    /// Those that are attacked here.
    pub targets: Vec<String>,
    /// What is to be said of the choice.
    pub lines: Vec<String>,
}

/// Chooses.
///
/// # Errors
/// When a pattern selects no class of the program, or a class path cannot be read.
pub fn of(options: &AugmentOptions, paths: &Paths, change: Option<&Change>) -> Result<Chosen> {
    let selected = selected(options, &paths.classes)?;
    let mut chosen = Chosen { targets: selected.clone(), selected, ..Chosen::default() };
    if let Some(change) = change {
        let program = Origins::read(&paths.class_path)?;
        let tests = Origins::read(&paths.folders_of_tests())?;
        let touched = Touched::of(&change.sources, &program, &tests);
        chosen.keep_changed(options, &paths.classes, touched, &change.beginning());
    }
    chosen.whole.clone_from(&chosen.targets);
    if let Some(shard) = options.shard {
        let all = chosen.targets.len();
        let mut place = 0..;
        chosen.targets.retain(|_| place.next().is_some_and(|place| shard.has(place)));
        chosen.lines.push(format!("{shard} has {} of {all} target classes", chosen.targets.len()));
    }
    Ok(chosen)
}

/// The classes the patterns select; abstract ones too, since their subclasses may be what the seeds use.
fn selected(options: &AugmentOptions, classes: &BTreeSet<String>) -> Result<Vec<String>> {
    if classes.is_empty() {
        return Err(anyhow!(
            "--class-path {}: no class is there; name the folder that holds the packages, or jars",
            options.class_path.as_deref().unwrap_or_default().display()
        ));
    }
    for pattern in &options.target {
        if !classes.iter().any(|class| pattern.matches(class)) {
            let some: Vec<&str> = classes.iter().take(3).map(String::as_str).collect();
            return Err(anyhow!(
                "--target {}: no class of --class-path has this name; it has {} classes, such as {}",
                pattern.as_str(),
                classes.len(),
                some.join(", ")
            ));
        }
    }
    Ok(classes.iter().filter(|class| options.target.iter().any(|p| p.matches(class))).cloned().collect())
}

/// What came of the sources that a change touched.
#[derive(Debug, Default)]
struct Touched {
    /// Outermost classes of the program.
    classes: BTreeSet<String>,
    /// Classes and sources of which nothing is attacked, with the reason.
    others: Vec<(String, &'static str)>,
}

impl Touched {
    fn of(sources: &[Source], program: &Origins, tests: &Origins) -> Self {
        let mut touched = Self::default();
        for source in sources {
            let path = || source.path.display().to_string();
            let (made, of_tests) = (program.made_by(source), tests.made_by(source));
            if !source.is_there {
                touched.others.push((path(), "it is deleted"));
            } else if !made.is_empty() {
                touched.classes.extend(made.into_iter().map(str::to_owned));
            } else if of_tests.is_empty() {
                touched
                    .others
                    .push((path(), "no class of the program's class path comes from it as compiled"));
            } else {
                let reason = "it is on the class path of the tests alone";
                touched.others.extend(of_tests.into_iter().map(|class| (class.to_owned(), reason)));
            }
        }
        touched
    }
}

impl Chosen {
    /// Leaves out what did not change, and says what else is left out.
    fn keep_changed(
        &mut self,
        options: &AugmentOptions,
        classes: &BTreeSet<String>,
        touched: Touched,
        beginning: &str,
    ) {
        let is_recorded = |class: &str| {
            let is_included = options.include.is_empty() || options.include.iter().any(|p| p.matches(class));
            is_included && !options.exclude.iter().any(|p| p.matches(class))
        };
        let Touched { classes: changed, mut others } = touched;
        let all = changed.len() + others.len();
        self.targets.retain(|class| changed.contains(outermost(class, classes)));
        let of = |targets: &[String]| -> BTreeSet<String> {
            targets.iter().map(|class| outermost(class, classes).to_owned()).collect()
        };
        let selected = of(&self.targets);
        self.targets.retain(|class| is_recorded(class));
        let attacked = of(&self.targets);
        let not_recorded = selected.difference(&attacked);
        let reason = "--target does not select it";
        others.extend(changed.difference(&selected).map(|class| (class.clone(), reason)));
        let reason = "--include and --exclude leave it out";
        others.extend(not_recorded.map(|class| (class.clone(), reason)));
        self.lines.push(counted(all, attacked.len(), beginning));
        let mut remarks = Remarks::default();
        others.iter().for_each(|(name, reason)| remarks.add(name, &format!("not attacked: {reason}")));
        self.lines.extend(remarks.lines());
    }

    /// The patterns that select the targets and nothing else.
    pub fn roots(&self) -> Vec<Pattern> {
        self.targets.iter().filter_map(|class| Pattern::new(class).ok()).collect()
    }
}

/// How many classes changed and are attacked.
fn counted(all: usize, attacked: usize, beginning: &str) -> String {
    let changed = match all {
        0 => return format!("no class changed since {beginning}"),
        1 => "1 class".to_owned(),
        n => format!("{n} classes"),
    };
    let of_them = match attacked {
        0 => "nothing of that is a target".to_owned(),
        1 if all == 1 => "it is the target".to_owned(),
        1 => "1 of them is a target".to_owned(),
        n => format!("{n} of them are targets"),
    };
    format!("{changed} changed since {beginning}; {of_them}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: AugmentOptions,
    }

    fn options(arguments: &str) -> AugmentOptions {
        let words = ["augment", "--class-path", "classes"].into_iter().chain(arguments.split(' '));
        Line::try_parse_from(words).unwrap().options
    }

    fn classes(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn kept(arguments: &str, changed: &[&str], others: &[(&str, &'static str)]) -> Chosen {
        let program = classes(&["a.Door", "a.Door$Key", "a.Gate", "a.Wall"]);
        let options = options(arguments);
        let selected = selected(&options, &program).unwrap();
        let mut chosen = Chosen { targets: selected.clone(), selected, ..Chosen::default() };
        let others = others.iter().map(|(name, reason)| ((*name).to_owned(), *reason)).collect();
        chosen.keep_changed(&options, &program, Touched { classes: classes(changed), others }, "abc");
        chosen
    }

    #[test]
    fn a_changed_class_is_attacked_with_those_inside_it() {
        let chosen = kept("--target a.*", &["a.Door"], &[]);
        assert_eq!(chosen.targets, ["a.Door", "a.Door$Key"]);
        assert_eq!(chosen.lines, ["1 class changed since abc; it is the target"]);
        assert_eq!(chosen.selected.len(), 4, "what is recorded stays the same");
        let roots = chosen.roots();
        assert!(
            roots.iter().any(|root| root.matches("a.Door$Key"))
                && !roots.iter().any(|root| root.matches("a.Gate"))
        );
    }

    #[test]
    fn a_changed_class_that_is_not_attacked_is_named_with_the_reason() {
        let chosen = kept(
            "--target a.Door --target a.Gate --exclude a.Gate",
            &["a.Door", "a.Gate", "a.Wall"],
            &[("a.DoorTest", "it is a test")],
        );
        assert_eq!(chosen.targets, ["a.Door"]);
        assert_eq!(
            chosen.lines,
            [
                "4 classes changed since abc; 1 of them is a target",
                "a.DoorTest: not attacked: it is a test",
                "a.Wall: not attacked: --target does not select it",
                "a.Gate: not attacked: --include and --exclude leave it out",
            ]
        );
    }

    #[test]
    fn where_nothing_changed_nothing_is_attacked() {
        let chosen = kept("--target a.*", &[], &[]);
        assert!(chosen.targets.is_empty() && chosen.lines == ["no class changed since abc"], "{chosen:?}");
        let others = kept("--target a.*", &[], &[("Gone.java", "it is deleted")]);
        assert!(others.targets.is_empty() && others.lines[0].ends_with("nothing of that is a target"));
    }
}
