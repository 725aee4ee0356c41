//! What `dynaflow report` writes: of a small recording byte by byte, of a real suite as a browser shows it, of hostile names and folders.
//!
//! Knows nothing of how pages are made. Invariant: a page is looked at with its own script, in a real browser, and reports no trouble.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod browser;
mod common;
mod jvm_support;
mod small;

use browser::Browser;
use common::{dynaflow, failed, recording, stderr, write};
use dynaflow_model::facts::{
    Context, DefAtExit, Definition, DefinitionKind, Exit, Method, Place, Step, Variable,
};
use dynaflow_objectives::{PairsDocument, Status, read};
use jvm_support::jdks;
use small::Small;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const SHELF: &str = "package demo;

import java.util.ArrayList;
import java.util.List;

/** A shelf with <b>boxes</b> & more. */
public class Shelf {
    private final List<Box> boxes = new ArrayList<>();
    private int moves;

    public void put(int size) {
        boxes.add(new Box(size));
        moves++;
    }

    public void shrink() {
        for (Box box : boxes) {
            box.size--;
        }
    }

    public int moves() {
        return moves;
    }

    public int room() {
        int room = 0;
        for (Box box : boxes) {
            room += box.size;
        }
        return room;
    }

    static class Box {
        int size;

        Box(int size) {
            this.size = size;
        }
    }
}
";

const SHELF_TEST: &str = "package demo;

public class ShelfTest {
    @org.junit.Test public void holds() {
        Shelf shelf = new Shelf();
        shelf.put(3);
        org.junit.Assert.assertEquals(3, shelf.room());
    }

    @org.junit.Test public void shrinks() {
        Shelf shelf = new Shelf();
        shelf.put(2);
        shelf.shrink();
        org.junit.Assert.assertEquals(1, shelf.moves());
    }
}
";

/// A recorded suite of a small program with its sources, and its report in `pages`.
fn reported() -> Small {
    let small = Small::new(&jdks()[0].home, &[("Shelf", SHELF), ("ShelfTest", SHELF_TEST)]);
    let class_path = small.class_path();
    let java = jdks()[0].home.join("bin/java");
    let mut args = vec!["run", "--include", "demo.*", "--out", "traces", "--", java.to_str().unwrap()];
    args.extend(["-cp", &class_path, "org.junit.runner.JUnitCore", "demo.ShelfTest"]);
    let output = small.dynaflow(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    fs::create_dir_all(small.path("src/main/java/demo")).unwrap();
    small.write("src/main/java/demo/Shelf.java", SHELF);
    let output = small.dynaflow(&["report", "traces", "--html", "pages"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stderr(&output).contains("warning"), "{}", stderr(&output));
    small
}

fn exported(small: &Small) -> PairsDocument {
    read(&small.dynaflow(&["export", "traces"]).stdout).unwrap()
}

/// All files below a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let bytes = fs::read(&path).unwrap();
            found.insert(path, bytes);
        }
    }
    found
}

/// Keeps a picture of a page where the test run leaves what people look at.
fn keep(browser: &mut Browser, name: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    fs::create_dir_all(&folder).unwrap();
    let picture = browser.picture();
    let decoded = std::process::Command::new("sh")
        .args(["-c", "base64 -d > \"$0\""])
        .arg(folder.join(format!("{name}.png")))
        .stdin(std::process::Stdio::piped())
        .spawn()
        .and_then(|mut child| {
            std::io::Write::write_all(child.stdin.as_mut().unwrap(), picture.as_bytes())?;
            child.wait_with_output()
        });
    assert!(decoded.unwrap().status.success());
    assert!(picture.len() > 5000, "{name} is an empty page");
}

#[test]
fn a_browser_shows_the_report_of_a_recorded_suite_and_has_nothing_to_complain_about() {
    let small = reported();
    let document = exported(&small);
    let mut browser = Browser::start();
    browser.open(&small.path("pages/index.html"), "", 1280, "light");
    let figures = browser.text("dl.figures");
    for (status, what) in [(Status::Objective, "open objectives"), (Status::Covered, "executed pairs")] {
        assert!(figures.contains(&format!("{what}{}", document.count(status))), "{figures}");
    }
    keep(&mut browser, "overview-light");
    search(&mut browser);
    browser.value("document.querySelector('#class-table a').click()");
    browser.wait_for("document.title === 'Shelf: data flow' && document.readyState === 'complete'");
    variables(&mut browser, &document);
    lines(&mut browser);
    for (width, scheme, medium, name) in [
        (1280, "dark", "", "class-dark"),
        (420, "light", "", "class-narrow"),
        (800, "light", "print", "class-print"),
    ] {
        browser.show_as(width, scheme, medium);
        keep(&mut browser, name);
        let wide = browser.value("document.documentElement.scrollWidth > innerWidth");
        assert_eq!(wide, false, "{name} scrolls sideways");
    }
    assert_eq!(browser.trouble, Vec::<String>::new());
}

/// The search is found by `/`, hides what does not fit, and gives the focus to what is left.
fn search(browser: &mut Browser) {
    let shown = "document.querySelectorAll('#class-table tbody tr:not([hidden])').length";
    let all = browser.value(shown);
    browser.press("/");
    browser.type_text("no such class");
    assert_eq!(browser.value(shown), 0);
    assert_eq!(browser.value("document.querySelector('[data-empty]').hidden"), false);
    browser.press("Escape");
    assert_eq!(browser.value(shown), all);
    browser.type_text("SHELF demo");
    assert_eq!(browser.value(shown), 1);
    browser.press("ArrowDown");
    assert_eq!(browser.value("document.activeElement.textContent"), "Shelf");
    let sorted = "document.querySelector('#class-table th button').click(), document.querySelector('#class-table th').ariaSort";
    assert_eq!(browser.value(sorted), "ascending");
}

/// Every variable of the page unfolds to the pairs that the export has of it.
fn variables(browser: &mut Browser, document: &PairsDocument) {
    let rows = browser.value(
        "[...document.querySelectorAll('button[data-variable]')].map((button) => { button.click(); const row = button.closest('tr'); \
         const detail = row.nextElementSibling; const count = (kind) => detail.querySelectorAll(`.group.${kind} li > details`).length; \
         return [row.closest('section').querySelector('h2').textContent.replace('State of ', ''), button.textContent, count('done'), count('some')]; })",
    );
    let mut expected: BTreeMap<(String, &str), [u64; 2]> = BTreeMap::new();
    for pair in document
        .pairs
        .iter()
        .filter(|pair| pair.root.starts_with("demo.Shelf") && !pair.root.contains("Test"))
    {
        let root = pair.root.trim_start_matches("demo.").replace('$', ".");
        expected.entry((root, &pair.variable)).or_default()[usize::from(pair.status == Status::Objective)] +=
            1;
    }
    let shown = rows.as_array().unwrap().iter().filter(|row| row[2] != 0 || row[3] != 0);
    let key =
        |row: &serde_json::Value| (row[0].as_str().unwrap().to_owned(), row[1].as_str().unwrap().to_owned());
    let shown: BTreeMap<_, _> =
        shown.map(|row| (key(row), [row[2].as_u64().unwrap(), row[3].as_u64().unwrap()])).collect();
    let expected: BTreeMap<_, _> =
        expected.into_iter().map(|((root, name), counts)| ((root, name.to_owned()), counts)).collect();
    assert_eq!(shown, expected);
}

/// A line is opened by click, by key and by link, shows both ends and the tests of both halves, and closes again.
fn lines(browser: &mut Browser) {
    assert_eq!(browser.text("tr#L18 .c").trim(), "box.size--;");
    browser.value("document.querySelector('tr#L18 .c').click()");
    let panel = browser.text("#flows");
    assert!(panel.starts_with("Line 18×Defined here, read at"), "{panel}");
    let open = "[...document.querySelectorAll('#flows .pair')].find((pair) => pair.textContent.includes('Shelf.shrink() → Shelf.room()'))";
    browser.value(&format!("({open}).open = true"));
    browser.wait_for(&format!("({open}).querySelector('.halves').childElementCount > 0"));
    let halves = browser.value(&format!("({open}).textContent"));
    for part in [
        "left behind by",
        "demo.ShelfTest#shrinks",
        "begun with by",
        "demo.ShelfTest#holds",
        "line 18 → line 29",
    ] {
        assert!(halves.as_str().unwrap().contains(part), "{part}: {halves}");
    }
    browser.press("Escape");
    assert_eq!(browser.value("document.querySelector('#flows').hidden"), true);
    browser.press("ArrowDown");
    browser.press("Enter");
    assert_ne!(browser.text("#flows h2"), "Line 18");
    browser.value("location.hash = '#L18'");
    browser.wait_for("document.querySelector('#flows h2').textContent === 'Line 18'");
    browser.value("location.hash = '#v0-0'");
    browser.wait_for("document.activeElement.dataset.variable === '0-0'");
}

#[test]
fn the_same_facts_give_the_same_bytes_from_traces_and_from_a_document() {
    let small = reported();
    let before = files(&small.path("pages"));
    assert!(small.dynaflow(&["report", "traces", "--html", "pages"]).status.success());
    assert_eq!(files(&small.path("pages")), before);
    assert!(small.dynaflow(&["export", "traces", "-o", "pairs.json"]).status.success());
    assert!(small.dynaflow(&["report", "pairs.json", "--html", "pages"]).status.success());
    let index = |files: &BTreeMap<PathBuf, Vec<u8>>| files[&small.path("pages/index.html")].clone();
    assert_eq!(index(&files(&small.path("pages"))), index(&before));
    let markdown = |input: &str| small.dynaflow(&["report", input, "--format", "markdown"]).stdout;
    let comment = String::from_utf8(markdown("traces")).unwrap();
    assert_eq!(markdown("pairs.json"), comment.as_bytes());
    let document = exported(&small);
    let open = format!("pairs executed, {} open\n", document.count(Status::Objective));
    assert!(comment.starts_with("### Data flow: ") && comment.contains(&open), "{comment}");
    assert!(comment.contains("| `demo.Shelf` | ") && comment.contains(" must see it "), "{comment}");
}

#[test]
fn the_pages_of_a_small_recording_are_the_golden_files() {
    let folder = tempfile::tempdir().unwrap();
    let trace = write(&folder.path().join("t.trace"), &recording("a.CounterTest#counts", false));
    let output = dynaflow(folder.path()).args(["report", "--html", "pages"]).arg(trace).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("no source was found for 1 of 1 classes (a.Counter)"),
        "{}",
        stderr(&output)
    );
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/report");
    for name in ["index.html", "classes/a.Counter.html", "classes/a.Counter.js"] {
        let text = fs::read_to_string(folder.path().join("pages").join(name)).unwrap();
        let file = golden.join(name.replace('/', "."));
        if std::env::var_os("DYNAFLOW_BLESS").is_some() {
            fs::create_dir_all(&golden).unwrap();
            fs::write(&file, &text).unwrap();
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(text, expected, "{name}: set DYNAFLOW_BLESS=1 to accept the new page");
    }
}

const HOSTILE: &str =
    "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">";

#[test]
fn names_that_are_markup_stay_text_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let mut recording = recording(&format!("a.T#{HOSTILE}"), true);
    let facts = &mut recording.facts;
    let (class, name, signature) =
        (facts.sym(&format!("a.{HOSTILE}")), facts.sym(HOSTILE), facts.sym(&format!("{HOSTILE}()V")));
    let method = facts.methods.intern(Method { class, signature });
    let variable =
        facts.variables.intern(Variable { root: class, steps: [Step::Field { class, name }].into() });
    let context = facts.contexts.intern(Context { head: [method].into(), tail: [].into(), cut: false });
    let place = facts.places.intern(Place { method, offset: 0, line: 3 });
    let definition = facts.definitions.intern(Definition { place, kind: DefinitionKind::Direct, context });
    let exit = facts.exits.intern(DefAtExit { variable, method, exit: Exit::Normal, definition });
    recording.tests[0].exits.push(exit);
    recording.notes.push(HOSTILE.to_owned());
    let trace = write(&folder.path().join("t.trace"), &recording);
    let output = dynaflow(folder.path()).args(["report", "--html", "pages"]).arg(trace).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let mut browser = Browser::start();
    let pages: Vec<PathBuf> = files(&folder.path().join("pages"))
        .into_keys()
        .filter(|path| path.extension().is_some_and(|e| e == "html"))
        .collect();
    assert_eq!(pages.len(), 3);
    for page in pages {
        browser.open(&page, "", 1000, "light");
        browser.value("document.querySelectorAll('button').forEach((button) => button.click())");
        browser.value("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
        browser.value("document.querySelectorAll('button[data-line]').forEach((button) => button.click())");
        assert_eq!(
            browser.value("document.querySelectorAll('img, body script').length"),
            0,
            "{}",
            page.display()
        );
        assert_ne!(browser.value("document.title"), "taken", "{}", page.display());
    }
    assert_eq!(browser.trouble, Vec::<String>::new());
}

#[test]
fn a_folder_with_other_files_keeps_them_and_what_cannot_be_reported_is_named() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("t.trace"), &recording("a.CounterTest#counts", true));
    let run = |args: &[&str]| dynaflow(folder.path()).arg("report").args(args).output().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("site")).unwrap();
    fs::write(path("site/index.html"), "mine").unwrap();
    failed(
        &run(&["t.trace", "--html", "site"]),
        1,
        &["index.html is there and no report wrote it", "name another folder"],
    );
    assert_eq!(files(&path("site")).len(), 1, "something was written");
    fs::rename(path("site/index.html"), path("site/notes.html")).unwrap();
    assert!(run(&["t.trace", "--html", "site"]).status.success());
    assert_eq!(fs::read_to_string(path("site/notes.html")).unwrap(), "mine");
    let mut other = recording("a.CounterTest#counts", true);
    other.facts = Default::default();
    other.tests.clear();
    write(&path("none.trace"), &other);
    failed(&run(&["none.trace", "--html", "site"]), 1, &["no state variable in none.trace", "--include"]);
    assert!(path("site/classes/a.Counter.html").exists(), "a report that failed changed the former one");
}
