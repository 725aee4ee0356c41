//! `dynaflow dua`: the static definition-use associations of a program.
//!
//! Data path: [`options`] -> `classes` (class files, in parallel) -> the analysis -> `spell` -> `document`, `table`, `tested`;
//! `coverage` says what recorded runs cover. It knows nothing of bytecode. Invariant: the output depends on class files and options alone, not on the number of processors;
//! what could not be analysed is named, and the command then fails after it wrote the rest.

mod coverage;
mod document;
pub mod options;
mod spell;
mod table;
mod tested;

use crate::classes::Classes;
use crate::classpath;
use crate::exit_code::Exit;
use crate::library::Library;
use crate::output::{self, NAMED};
use crate::traces;
use anyhow::{Result, anyhow, bail};
use coverage::Coverage;
use document::{Asked, ClassText, Document, MethodText, RefusedText};
use dynaflow_flowgraph::dua::{self, Callees, ClassDuas, MethodDuas, Purity};
use dynaflow_flowgraph::graphdua::Graphdua;
use indicatif::{ProgressBar, ProgressStyle};
use options::{DuaFormat, DuaOptions};
use std::io::IsTerminal;
use std::path::PathBuf;

/// Analyses the targets and writes what was found.
///
/// # Errors
/// When the options contradict each other, the class path cannot be read, or the output cannot be written.
pub fn run(options: &DuaOptions) -> Result<Exit> {
    let format = options.check()?;
    let entries = entries(options)?;
    let inputs = if options.traces.is_empty() { vec![] } else { traces::files(&options.traces)? };
    output::check("--output", options.output.as_deref(), &[inputs, entries].concat())?;
    let coverage = Coverage::read(options)?;
    let classes = targets(options)?;
    if let Some(id) = &options.graphdua {
        return graph(options, &classes, id);
    }
    let is_tested = coverage.is_some() && format == DuaFormat::Text;
    // What to test next are those that no other implies.
    let asked = Asked { subsumption: options.subsumption || is_tested, coverage: coverage.is_some() };
    let document = analyse(options, &classes, asked, coverage.as_ref())?;
    output::result(options.output.as_deref(), |out| match format {
        DuaFormat::Csv => table::csv(&document, out),
        DuaFormat::Text if is_tested => tested::text(&document, out),
        DuaFormat::Text => table::text(&document, out),
        DuaFormat::Json | DuaFormat::Dot => document.write(out),
    })?;
    tracing::info!(methods = document.totals.methods, duas = document.totals.duas, "analysed");
    for refused in &document.refused {
        output::warning(&refusal(refused));
    }
    for method in document.methods.iter().filter(|method| asked.subsumption && method.subsumption.is_none()) {
        output::warning(&format!(
            "{}.{}: which of its {} associations imply which would take too much time or memory and is left out",
            method.class,
            method.method,
            method.duas.len()
        ));
    }
    for trouble in coverage.iter().flat_map(|coverage| coverage.troubles(&document)) {
        output::warning(&trouble);
    }
    Ok(if document.refused.is_empty() { Exit::Success } else { Exit::Failed })
}

/// The classes that the options select; a target that names none is an error.
fn targets(options: &DuaOptions) -> Result<Classes> {
    let entries = entries(options)?;
    let mut classes = Classes::list(&entries)?;
    if classes.names().next().is_none() {
        let entries: Vec<String> = entries.iter().map(|entry| entry.display().to_string()).collect();
        bail!(
            "--class-path {}: no class is there; name the folder that holds the packages, or jars",
            entries.join(":")
        );
    }
    if let Some(target) =
        options.target.iter().find(|target| !classes.names().any(|name| target.matches(name)))
    {
        let names: Vec<&str> = classes.names().collect();
        let some = output::first(&names, NAMED);
        bail!("--target {} matches no class; the class path has {some}", target.as_str());
    }
    classes.retain(|name| options.target.is_empty() || options.target.iter().any(|t| t.matches(name)));
    Ok(classes)
}

/// Analyses the classes, with a bar on a terminal.
fn analyse(
    options: &DuaOptions,
    classes: &Classes,
    asked: Asked,
    coverage: Option<&Coverage>,
) -> Result<Document> {
    let bar = bar(classes.names().count());
    let analysis = options.analysis();
    let library = if options.no_inter { None } else { Some(library(options)?) };
    let purity = library.as_ref().map(|library| Purity::new(library));
    let callees = purity.as_ref().map(|purity| purity as &dyn Callees);
    let found = classes.each(|name, bytes| {
        let texts = match dua::of_class(bytes, &analysis, callees) {
            Ok(class) => {
                let answers = coverage.map(|coverage| coverage.of_class(name, bytes));
                Texts::of(&class, asked.subsumption, |method, id| answers.as_ref()?.of(method, id))
            }
            Err(reason) => Texts { refused: vec![spell::refused(name, None, &reason)], ..Texts::default() },
        };
        bar.inc(1);
        texts
    });
    bar.finish_and_clear();
    if let Some((classes, methods)) = purity.as_ref().map(Purity::effort) {
        tracing::info!(classes, methods, "judged whether calls change their objects");
    }
    let mut all = Texts::default();
    for texts in found? {
        all.methods.extend(texts.methods);
        all.inter.extend(texts.inter);
        all.refused.extend(texts.refused);
    }
    let inter = (!options.no_inter).then_some(all.inter);
    Ok(Document::new(all.methods, inter, all.refused, asked))
}

/// What calls lead to: all of the class path, targets or not, and the JDK.
fn library(options: &DuaOptions) -> Result<Library> {
    Library::open(Classes::list(&entries(options)?)?, options.java_home.as_deref())
}

/// The entries of the class path, all of which can be read.
fn entries(options: &DuaOptions) -> Result<Vec<PathBuf>> {
    classpath::entries("--class-path", &options.class_path)
}

/// What the document says of a class.
#[derive(Default)]
struct Texts {
    methods: Vec<MethodText>,
    inter: Vec<ClassText>,
    refused: Vec<RefusedText>,
}

impl Texts {
    fn of(class: &ClassDuas, subsumption: bool, covered: impl Fn(&str, &str) -> Option<bool>) -> Self {
        let method = |method: &MethodDuas| {
            let name = format!("{}{}", method.name, method.descriptor);
            spell::method(&class.name, method, subsumption, |id| covered(&name, id))
        };
        let refused = class.refused.iter();
        let across = class.across.iter().map(spell::cross).collect::<Vec<_>>();
        let inter = ClassText { class: class.name.clone(), duas: across };
        Self {
            methods: class.methods.iter().map(method).collect(),
            inter: if inter.duas.is_empty() { Vec::new() } else { vec![inter] },
            refused: refused
                .map(|(name, reason)| spell::refused(&class.name, Some(name), reason))
                .chain(class.declined.iter().map(|reason| spell::refused(&class.name, None, reason)))
                .collect(),
        }
    }
}

/// Draws the graph of one association.
fn graph(options: &DuaOptions, classes: &Classes, id: &str) -> Result<Exit> {
    let analysis = options.analysis();
    let found = classes.each(|_, bytes| {
        let methods = dua::of_class(bytes, &analysis, None).ok()?.methods;
        methods.into_iter().find_map(|method| {
            let at = method.details.iter().position(|detail| detail.id == id)?;
            Some((method, at))
        })
    })?;
    let (method, at) = found.into_iter().flatten().next().ok_or_else(|| {
        anyhow!(
            "--graphdua {id}: no association of the {} classes selected has this id; take one from the JSON of the same \
             class files and the same --arrays, --exception-edges and --leave-out",
            classes.names().count()
        )
    })?;
    let text = dot(&method, at)
        .ok_or_else(|| anyhow!("--graphdua {id}: no complete path covers this association"))?;
    output::result(options.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
    Ok(Exit::Success)
}

/// The graph of the association at a position of a method.
fn dot(method: &MethodDuas, at: usize) -> Option<String> {
    let (dua, detail) = (method.problem.duas().get(at)?, method.details.get(at)?);
    let name = format!("({}, {}, {})", dua.def, dua.usage, detail.variable);
    Some(Graphdua::of(&method.problem, dua)?.dot(&name))
}

fn bar(length: usize) -> ProgressBar {
    let bar =
        if std::io::stderr().is_terminal() { ProgressBar::new(length as u64) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{elapsed} {wide_bar} {pos} of {len} classes") {
        bar.set_style(style);
    }
    bar
}

/// What could not be analysed, in a sentence.
fn refusal(refused: &RefusedText) -> String {
    let place =
        refused.method.as_ref().map_or_else(|| refused.class.clone(), |m| format!("{}.{m}", refused.class));
    let offset = refused.offset.map(|offset| format!(" at offset {offset}")).unwrap_or_default();
    format!("{place}{offset} is not analysed: {}", refused.reason)
}
