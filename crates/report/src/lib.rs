//! Pages about what tests execute of the state of objects, and what they leave open; and the same, or what fails, in the formats of other tools.
//!
//! In: a `Recording` and sources, or findings. Out: the files of a folder that a browser reads without a server ([`write()`]), a comment in Markdown ([`write_markdown`]), lines
//! for what draws coverage ([`lcov`]); of findings SARIF and JUnit XML ([`sarif()`], [`junit()`]). Data path: facts -> [`gather`] (by root and variable, counted) -> [`pages`] (what
//! stands where) -> [`overview`], [`page`], [`data`], [`markdown`], [`mod@lcov`]; findings -> [`wording`] -> [`found`] (on the pages), [`mod@sarif`], [`mod@junit`]. It knows nothing of traces, folders or the
//! command line. Invariants: equal facts and sources give equal bytes; open objectives are counted as products and never listed, so that pages
//! grow with the facts; every text of a class, a test or a source is escaped where it is written.

mod colours;
mod data;
mod found;
mod gather;
mod html;
mod junit;
mod lcov;
mod listing;
mod made;
mod markdown;
mod names;
mod overview;
mod page;
mod pages;
mod ranks;
mod sarif;
mod svg;
mod tests_of;
mod tree;
mod wording;

pub use gather::Count;
pub use junit::junit;
pub use listing::Source;
pub use made::Made;
pub use overview::Totals;
pub use sarif::sarif;

use dynaflow_model::facts::Recording;
use dynaflow_objectives::FindingText;
use pages::Pages;
use std::io::{self, Write};
use tests_of::TestNames;

const INDEX: &str = "index.html";

/// The files that are the same in every report.
const ASSETS: &[(&str, &str)] = &[
    ("assets/icon.svg", include_str!("../assets/icon.svg")),
    ("assets/report.css", include_str!("../assets/report.css")),
    ("assets/report.js", include_str!("../assets/report.js")),
];

/// What was written.
#[derive(Debug, Default)]
pub struct Written {
    /// The numbers of the overview.
    pub totals: Totals,
    /// The classes whose source was not found, by binary name.
    pub without_source: Vec<String>,
    /// How many classes have a page.
    pub pages: usize,
}

/// Where the files of a report go.
pub trait Files {
    /// What goes wrong there.
    type Error: From<io::Error>;

    /// The names of all files, before the first is written: relative, with `/` between the parts.
    ///
    /// # Errors
    /// When they cannot be written there.
    fn begin(&mut self, names: &[String]) -> Result<(), Self::Error>;

    /// One file, of a name that was announced.
    ///
    /// # Errors
    /// When it cannot be written.
    fn file(&mut self, name: &str, bytes: &[u8]) -> Result<(), Self::Error>;
}

/// Writes the files of a report, with the findings of an augmentation; `source` is asked for the source of an outermost class. A page at a time is in memory, besides the facts.
///
/// # Errors
/// Those of `files`.
pub fn write<F: Files>(
    recording: &Recording,
    findings: &[FindingText],
    source: impl Fn(&str) -> Option<Source>,
    files: &mut F,
) -> Result<Written, F::Error> {
    let facts = &recording.facts;
    let tests = TestNames::of(recording);
    let roots = gather::roots(recording, &tests);
    let pages = Pages::of(facts, &roots);
    let totals = Totals::of(&pages, tests.count());
    let of_page =
        |page: &pages::Page<'_>| ["html", "js"].map(|ending| format!("classes/{}.{ending}", page.file));
    let mut all = vec![INDEX.to_owned()];
    all.extend(ASSETS.iter().map(|(name, _)| (*name).to_owned()));
    all.extend(pages.by_class.values().flat_map(of_page));
    files.begin(&all)?;
    for (name, text) in ASSETS {
        files.file(name, text.as_bytes())?;
    }
    let mut written = Written { totals, pages: pages.by_class.len(), ..Written::default() };
    for page in pages.by_class.values() {
        let found = source(page.class);
        if found.is_none() {
            written.without_source.push(page.class.to_owned());
        }
        let [html, script] = of_page(page);
        files.file(
            &html,
            page::page(facts, page, found.as_ref(), &found::of_class(findings, page.class)).as_bytes(),
        )?;
        let data = data::script(facts, &pages, &tests, page).map_err(io::Error::other)?;
        files.file(&script, data.as_bytes())?;
    }
    files.file(INDEX, overview::page(recording, &pages, totals, findings).as_bytes())?;
    Ok(written)
}

/// The lines that pairs begin and end on, as LCOV; `source` is asked for the sources of outermost classes.
pub fn lcov(recording: &Recording, source: impl Fn(&str) -> Option<Source>) -> Made {
    let tests = TestNames::of(recording);
    let roots = gather::roots(recording, &tests);
    lcov::lcov(&Pages::of(&recording.facts, &roots), source)
}

/// Writes a comment in Markdown.
///
/// # Errors
/// Those of the writer.
pub fn write_markdown(recording: &Recording, out: &mut dyn Write) -> io::Result<()> {
    let tests = TestNames::of(recording);
    let roots = gather::roots(recording, &tests);
    let pages = Pages::of(&recording.facts, &roots);
    markdown::write(recording, &pages, Totals::of(&pages, tests.count()), out)
}
