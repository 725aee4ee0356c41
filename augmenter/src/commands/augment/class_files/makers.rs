//! Which classes make objects of a type that nothing known makes: its subclasses, whoever has a static method that gives one, and for types of the
//! JDK the class that people pass for it.
//!
//! Knows class files, not tests. Invariant: the answer depends on the class files alone, and is sorted.

use crate::classes::Classes;
use dynaflow_classfile::class::access;
use dynaflow_classfile::{ClassFile, Member};
use dynaflow_model::descriptor;
use std::collections::{BTreeMap, BTreeSet};

/// An interface or an abstract class, which nothing is made of.
const NOT_MADE: u16 = access::INTERFACE | access::ABSTRACT;
/// Most classes named for a type: one is enough to pass something, and a few show how objects differ.
const MOST: usize = 8;

/// What people pass where the JDK asks for a type that is an interface or an abstract class.
const OF_JDK: &[(&str, &[&str])] = &[
    ("java.io.Closeable", &["java.io.StringReader"]),
    ("java.io.InputStream", &["java.io.ByteArrayInputStream"]),
    ("java.io.OutputStream", &["java.io.ByteArrayOutputStream"]),
    ("java.io.Reader", &["java.io.StringReader"]),
    ("java.io.Writer", &["java.io.StringWriter"]),
    ("java.lang.AutoCloseable", &["java.io.StringReader"]),
    ("java.lang.Readable", &["java.io.StringReader"]),
    ("java.text.DateFormat", &["java.text.SimpleDateFormat"]),
    ("java.text.Format", &["java.text.DecimalFormat", "java.text.MessageFormat"]),
    ("java.text.NumberFormat", &["java.text.DecimalFormat"]),
    ("java.time.chrono.ChronoLocalDate", &["java.time.LocalDate"]),
    ("java.time.chrono.ChronoLocalDateTime", &["java.time.LocalDateTime"]),
    ("java.time.temporal.Temporal", &["java.time.LocalDate", "java.time.LocalDateTime"]),
    ("java.time.temporal.TemporalAccessor", &["java.time.LocalDate", "java.time.LocalDateTime"]),
    ("java.time.temporal.TemporalAdjuster", &["java.time.LocalDate", "java.time.LocalTime"]),
    ("java.time.temporal.TemporalAmount", &["java.time.Duration", "java.time.Period"]),
    ("java.time.temporal.TemporalField", &["java.time.temporal.ChronoField"]),
    ("java.time.temporal.TemporalUnit", &["java.time.temporal.ChronoUnit"]),
    ("java.util.Calendar", &["java.util.GregorianCalendar"]),
    ("java.util.Dictionary", &["java.util.Hashtable"]),
    ("java.util.Enumeration", &["java.util.StringTokenizer"]),
    ("java.util.Map$Entry", &["java.util.AbstractMap$SimpleEntry"]),
    ("java.util.concurrent.BlockingQueue", &["java.util.concurrent.LinkedBlockingQueue"]),
    ("java.util.concurrent.ConcurrentMap", &["java.util.concurrent.ConcurrentHashMap"]),
];

/// What the classes of a program make.
#[derive(Debug, Default)]
pub struct Makers {
    /// Direct subclasses, and who directly implements an interface.
    below: BTreeMap<String, Vec<String>>,
    /// Classes with a static method that gives an object of this class.
    giving: BTreeMap<String, Vec<String>>,
    /// Classes that objects are made of.
    concrete: BTreeSet<String>,
}

/// What one class file says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Made {
    above: Vec<String>,
    gives: Vec<String>,
    is_concrete: bool,
}

impl Makers {
    /// Reads those classes of a program that are named. Takes time with the number of their bytes.
    ///
    /// # Errors
    /// Names the class that cannot be read.
    pub fn read(program: &Classes, names: &BTreeSet<String>) -> anyhow::Result<Self> {
        let read = |name: &str, bytes: &[u8]| {
            let is_meant = names.contains(name) && !is_anonymous(name);
            is_meant.then(|| made(bytes).map(|made| (name.to_owned(), made))).flatten()
        };
        let mut makers = Self::default();
        for (name, made) in program.each(read)?.into_iter().flatten() {
            for above in made.above {
                makers.below.entry(above).or_default().push(name.clone());
            }
            for class in made.gives {
                makers.giving.entry(class).or_default().push(name.clone());
            }
            if made.is_concrete {
                makers.concrete.insert(name);
            }
        }
        Ok(makers)
    }

    /// The classes that make objects of a type, and the classes of these objects, at most [`MOST`] of each.
    pub fn of(&self, class: &str) -> BTreeSet<String> {
        let known = OF_JDK.iter().find(|(wanted, _)| *wanted == class);
        let mut found: BTreeSet<String> =
            known.map_or(&[][..], |(_, names)| names).iter().map(ToString::to_string).collect();
        let all = self.at_or_below(class);
        found.extend(
            all.iter().filter(|name| self.concrete.contains(**name)).take(MOST).map(ToString::to_string),
        );
        let giving = all.iter().filter_map(|name| Some((*name, self.giving.get(*name)?)));
        for (given, by) in giving.flat_map(|(given, all)| all.iter().map(move |by| (given, by))).take(MOST) {
            found.extend([given.to_owned(), by.clone()]);
        }
        found
    }

    /// The subclasses of a class that objects are made of, the nearest first.
    pub fn made_below(&self, class: &str) -> Vec<String> {
        let below = self.at_or_below(class).into_iter().filter(|name| *name != class);
        below.filter(|name| self.concrete.contains(*name)).map(str::to_owned).collect()
    }

    /// A class and its subclasses, the nearest first.
    fn at_or_below<'a>(&'a self, class: &'a str) -> Vec<&'a str> {
        let (mut all, mut seen) = (vec![class], BTreeSet::from([class]));
        let mut next = 0;
        while let Some(name) = all.get(next) {
            let below = self.below.get(*name).map_or(&[][..], Vec::as_slice);
            all.extend(below.iter().map(String::as_str).filter(|name| seen.insert(name)));
            next += 1;
        }
        all
    }
}

/// Whether a class has no name that a test could write.
pub fn is_anonymous(name: &str) -> bool {
    named_around(name) != name
}

/// The innermost class around an anonymous or local class that has a name a test could write; a class that has one is its own.
pub fn named_around(name: &str) -> &str {
    let is_numbered = |at: &usize| {
        name.get(at + 1..).is_some_and(|simple| simple.starts_with(|first: char| first.is_ascii_digit()))
    };
    let numbered = name.match_indices('$').map(|(at, _)| at).find(is_numbered);
    numbered.and_then(|at| name.get(..at)).unwrap_or(name)
}

/// None for what is no class file, or one that the compiler made up.
fn made(bytes: &[u8]) -> Option<Made> {
    let class = ClassFile::parse(bytes).ok()?;
    if class.access & access::SYNTHETIC != 0 {
        return None;
    }
    let above = class.super_class.iter().chain(&class.interfaces);
    let above = above.filter_map(|index| Some(class.pool.class_name(*index).ok()?.to_binary_name()));
    let is_open = |method: &&Member<'_>| method.access & (access::PRIVATE | access::SYNTHETIC) == 0;
    let text = |index| class.pool.utf8(index).ok().map(|text| text.to_str().into_owned());
    let open: Vec<_> = class.methods.iter().filter(is_open).collect();
    let is_static = |method: &&&Member<'_>| method.access & access::STATIC != 0;
    let gives = open.iter().filter(is_static).filter_map(|method| {
        let of = text(method.descriptor)?;
        descriptor::class_of(descriptor::result(&of))
    });
    let gives: BTreeSet<String> = gives.filter(|name| !name.starts_with("java.lang.")).collect();
    let has_constructor = open.iter().any(|method| text(method.name).is_some_and(|name| name == "<init>"));
    Some(Made {
        above: above.filter(|name| name != "java.lang.Object").collect(),
        gives: gives.into_iter().collect(),
        is_concrete: has_constructor && class.access & NOT_MADE == 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    fn makers() -> Makers {
        Makers {
            below: [
                ("a.Shape".to_owned(), owned(&["a.Round", "a.Square"])),
                ("a.Round".to_owned(), owned(&["a.Circle"])),
                ("a.Circle".to_owned(), owned(&["a.Round"])),
            ]
            .into(),
            giving: [
                ("a.Circle".to_owned(), owned(&["a.Circles"])),
                ("a.Dot".to_owned(), owned(&["a.Dots"])),
            ]
            .into(),
            concrete: owned(&["a.Square", "a.Dot"]).into_iter().collect(),
        }
    }

    fn of(class: &str) -> Vec<String> {
        makers().of(class).into_iter().collect()
    }

    #[test]
    fn subclasses_make_objects_and_whoever_gives_one_with_the_class_that_is_given() {
        assert_eq!(of("a.Shape"), ["a.Circle", "a.Circles", "a.Square"]);
        assert_eq!(of("a.Dot"), ["a.Dot", "a.Dots"]);
        assert_eq!(of("a.Other"), [] as [&str; 0]);
    }

    #[test]
    fn what_people_pass_for_types_of_the_jdk_is_known() {
        assert_eq!(of("java.time.temporal.TemporalUnit"), ["java.time.temporal.ChronoUnit"]);
        let unsorted: Vec<_> = OF_JDK.windows(2).filter(|two| two[0].0 >= two[1].0).collect();
        assert_eq!(unsorted, [] as [&[(&str, &[&str])]; 0]);
    }

    #[test]
    fn a_class_without_a_name_is_anonymous_and_one_with_a_dollar_is_not() {
        let names = ["a.Outer$1", "a.Outer$Inner", "a.Outer$1Local", "a.Outer$Inner$2", "a.$"];
        assert_eq!(names.map(is_anonymous), [true, false, true, true, false]);
    }
}
