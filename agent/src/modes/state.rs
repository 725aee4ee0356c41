//! `mode=state`: state variables of objects. Sites out of class bytes, facts out of words.
//!
//! It knows nothing of the JVM. Invariants: bytes are given back only after the class's sites were sent; a record is written
//! as soon as its test ended.

use super::builds::Builds;
use super::parts::{Analyse, Java, Parts, Weave};
use super::{effects, hands};
use crate::calls::Calls;
use crate::message::{Message, Outlet, runs};
use crate::verdicts::Verdicts;
use dynaflow_dataflow::{AnalysisConfig, Engine, Thin, Trouble};
use dynaflow_instrument::hooks::Hook;
use dynaflow_instrument::{Plan, WeaveOptions};
use dynaflow_java_shim::{RECORDER, RECORDER_CLASS};
use dynaflow_model::facts::{BoundsHit, TestRecord};
use dynaflow_model::ids::SiteId;
use dynaflow_model::options::{self, AgentOptions};
use dynaflow_model::sites::{ClassSites, Declined};
use dynaflow_model::words::{FIRST_SITE, SITE_LIMIT};
use dynaflow_trace::{TraceError, TraceWriter};
use std::sync::Arc;

static JAVA: Java = Java {
    classes: RECORDER,
    main: RECORDER_CLASS,
    start: Some(c"start"),
    thread_ended: Some(c"threadEnded"),
    finish: Some(c"finish"),
    sees_jni: true,
};

/// The parts of this mode.
pub fn parts(options: &AgentOptions) -> Parts {
    let weave = WeaveOptions {
        carve: options.carve,
        blocks: options.blocks,
        copies: options.thinning() != options::Thin::Off && !options.carve,
        ..WeaveOptions::default()
    };
    let calls = Arc::<Calls>::default();
    let verdicts = Arc::<Verdicts>::default();
    Parts {
        java: &JAVA,
        weave: Box::new(Weaving {
            options: weave,
            next_site: FIRST_SITE,
            builds: Builds::default(),
            calls: Arc::clone(&calls),
        }),
        analyse: Box::new(Analysing {
            engine: Engine::new(config(options)),
            verdicts: Arc::clone(&verdicts),
        }),
        tables: Arc::default(),
        calls,
        verdicts,
        hooks: hooks(options),
    }
}

/// What the analysis is asked for.
fn config(options: &AgentOptions) -> AnalysisConfig {
    AnalysisConfig {
        depth: options.depth,
        context: options.context,
        paths: options.paths,
        carve: options.carve,
        blocks: options.blocks,
        memory: options.memory as usize * (1 << 20),
        thin: match options.thinning() {
            options::Thin::Auto => Some(Thin::AUTO),
            options::Thin::All => Some(Thin::EVERYWHERE),
            options::Thin::Off => None,
        },
        ..AnalysisConfig::default()
    }
}

/// What is seen in methods of the JDK: accesses by other hands, and effects if they are asked for.
fn hooks(options: &AgentOptions) -> Vec<Hook> {
    let mut hooks = hands::hooks();
    if options.effects {
        hooks.extend(effects::hooks());
    }
    hooks
}

struct Weaving {
    options: WeaveOptions,
    next_site: u32,
    builds: Builds<()>,
    calls: Arc<Calls>,
}

impl Weave for Weaving {
    fn weave(&mut self, name: &str, bytes: &[u8], outlet: &Outlet) -> Result<Option<Vec<u8>>, Declined> {
        let plan = Plan::new(bytes, &self.options)?;
        let sites = Arc::new(plan.sites().clone());
        self.builds.known(&sites.name, sites.hash)?;
        let base = self.place(&sites)?;
        let woven = plan.weave(base)?;
        self.builds.add(sites.name.clone(), sites.hash, ());
        self.next_site = base + sites.ids() as u32;
        for declined in woven.declined {
            outlet.send(Message::Declined(declined));
        }
        self.calls.add(base, Arc::clone(&sites), woven.calls);
        let heard = outlet.send(Message::Class { base: SiteId(base), sites });
        debug_assert!(!name.contains('/'), "binary names have dots");
        Ok(heard.then_some(woven.bytes))
    }
}

impl Weaving {
    /// The number of the class's first site.
    fn place(&self, sites: &ClassSites) -> Result<u32, Declined> {
        if sites.ids() as u64 + u64::from(self.next_site) > u64::from(SITE_LIMIT) {
            let reason =
                format!("more than {SITE_LIMIT} sites in one process; record fewer classes (include=)");
            return Err(Declined { class: sites.name.clone(), reason });
        }
        Ok(self.next_site)
    }
}

struct Analysing {
    engine: Engine,
    verdicts: Arc<Verdicts>,
}

impl Drop for Analysing {
    fn drop(&mut self) {
        self.verdicts.close();
    }
}

impl Analyse for Analysing {
    fn begin(&mut self, _: &mut TraceWriter) -> Result<(), TraceError> {
        Ok(())
    }

    fn take(&mut self, message: &Message, writer: &mut TraceWriter) -> Result<(), TraceError> {
        match message {
            Message::Class { base, sites } => {
                writer.class(&sites.name, sites.hash)?;
                self.engine.class_loaded(*base, Arc::clone(sites));
            }
            Message::Mirror { id, name, supers } => self.engine.mirror(*id, name, supers),
            Message::Text { id, text } => self.engine.text(*id, text.clone()),
            Message::Words { thread, words } => {
                self.engine.chunk(*thread, words);
                self.verdicts.analysed(&self.engine.take_verdicts());
                self.write_tests(writer)?;
            }
            Message::Runs(words) => {
                self.take_runs(words);
                self.verdicts.analysed(&self.engine.take_verdicts());
                self.write_tests(writer)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn settle(&mut self, _: &mut TraceWriter) -> Result<(), TraceError> {
        Ok(())
    }

    fn hurry(&mut self) {
        self.engine.hurry();
    }

    /// Writes what is open and what was not understood.
    fn finish(&mut self, writer: &mut TraceWriter) -> Result<(), TraceError> {
        let open = self.engine.finish();
        self.write(&open, writer)?;
        writer.thinned(&self.engine.thinned())?;
        trouble(self.engine.trouble()).map_or(Ok(()), |text| writer.note(&text))
    }

    fn bounds(&self) -> BoundsHit {
        self.engine.bounds()
    }
}

impl Analysing {
    fn take_runs(&mut self, words: &[u64]) {
        for (thread, run) in runs(words) {
            if run.is_empty() {
                self.engine.thread_ended(thread);
            } else {
                self.engine.chunk(thread, run);
            }
        }
    }

    fn write_tests(&mut self, writer: &mut TraceWriter) -> Result<(), TraceError> {
        let ended = self.engine.take_tests();
        self.write(&ended, writer)
    }

    fn write(&self, records: &[TestRecord], writer: &mut TraceWriter) -> Result<(), TraceError> {
        records.iter().try_for_each(|record| writer.test(self.engine.facts(), record))
    }
}

/// What the engine did not understand, in words; none when there was nothing.
fn trouble(counts: Trouble) -> Option<String> {
    let named = [
        (counts.garbage, "words that say nothing"),
        (counts.desynchronised, "events of methods that are not active"),
        (
            counts.unended,
            "invocations whose end the JVM did not report, as happens when a stack overflows; what they defined at their end is missing",
        ),
        (counts.refused_classes, "classes with sites beyond the word format"),
        (
            counts.restored_in_part,
            "calls that read objects from streams, which this JDK does not show in full",
        ),
    ];
    let found: Vec<_> =
        named.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    (!found.is_empty()).then(|| format!("not everything was understood: {}", found.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_may_be_left_out_unless_the_options_say_otherwise() {
        let thin = |text: &str| config(&AgentOptions::parse(text).unwrap()).thin;
        assert_eq!(thin(""), Some(Thin::AUTO));
        assert_eq!(thin("thin=auto"), Some(Thin::AUTO));
        assert_eq!(thin("thin=all"), Some(Thin::EVERYWHERE));
        assert_eq!(thin("thin=off"), None);
    }

    #[test]
    fn trouble_is_named_with_its_count_and_no_trouble_is_not() {
        assert_eq!(trouble(Trouble::default()), None);
        let counts = Trouble { garbage: 2, refused_classes: 1, ..Trouble::default() };
        assert_eq!(
            trouble(counts).unwrap(),
            "not everything was understood: 2 words that say nothing, 1 classes with sites beyond the word format"
        );
        let counts = Trouble { restored_in_part: 3, ..Trouble::default() };
        let said = trouble(counts).unwrap();
        assert!(
            said.ends_with("3 calls that read objects from streams, which this JDK does not show in full")
        );
    }
}
