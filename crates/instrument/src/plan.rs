//! The first of the two steps of instrumenting a class: the plan says what there is to record. The second, [`crate::weave`], comes once
//! the class has its site ids. The plan knows classes and methods, neither instructions nor what is woven.
//!
//! Invariant: a method or class that is declined is named with the reason and has no sites.

use crate::bundles;
use crate::copies;
use crate::flow::{Flow, Setting};
use crate::planned::{Found, MethodPlan, WeaveOptions};
use crate::roles;
use crate::silent;
use crate::sites::Enumerator;
use dynaflow_bytecode::{Body, class_hash, code_of, is_constructor, is_empty_finalizer};
use dynaflow_classfile::class::access;
use dynaflow_classfile::frames::FRAMES_SINCE;
use dynaflow_classfile::smap::SourceLines;
use dynaflow_classfile::{ClassFile, Error};
use dynaflow_model::sites::{ClassSites, Declined, FieldDecl, MethodDecl, TestRole};

/// A class that was read and enumerated, ready to be woven.
#[derive(Debug)]
pub struct Plan<'a> {
    pub(crate) class: ClassFile<'a>,
    pub(crate) bytes: &'a [u8],
    pub(crate) sites: ClassSites,
    lines: SourceLines,
    pub(crate) methods: Vec<MethodPlan<'a>>,
    pub(crate) declined: Vec<Declined>,
}

impl<'a> Plan<'a> {
    /// Reads a class and enumerates its sites. Linear in the class file as a rule.
    ///
    /// # Errors
    /// When the class is not understood: it is to be left as it is.
    pub fn new(bytes: &'a [u8], options: &WeaveOptions) -> Result<Self, Declined> {
        Self::build(bytes, *options, false)
    }

    /// As [`Self::new`], with every class taken for a test class when carving. For verifying that option on any class.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn carving_everywhere(bytes: &'a [u8], options: &WeaveOptions) -> Result<Self, Declined> {
        Self::build(bytes, *options, true)
    }

    fn build(bytes: &'a [u8], options: WeaveOptions, everywhere: bool) -> Result<Self, Declined> {
        let class = ClassFile::parse(bytes).map_err(|error| declined_class("", &error))?;
        let name = class.name().map_err(|error| declined_class("", &error))?.to_binary_name();
        let sites = describe(&class, &name, bytes).map_err(|error| declined_class(&name, &error))?;
        let lines = SourceLines::of(&class);
        let mut plan = Self { class, bytes, sites, lines, methods: Vec::new(), declined: Vec::new() };
        let carve = options.carve && (everywhere || plan.is_test_like());
        let mut flow = Flow::default();
        let bodies: Vec<_> = (0..plan.class.methods.len()).map(|index| plan.body(index)).collect();
        let silent = plan.silent(&bodies, options, carve);
        for (index, body) in bodies.into_iter().enumerate() {
            if silent.get(index).is_some_and(|is| *is) {
                continue;
            }
            match body.and_then(|body| plan.method(index, body, options, carve, &mut flow)) {
                Ok(Some(method)) => plan.methods.push(method),
                Ok(None) => {}
                Err(reason) => plan.declined.push(plan.declined_method(index, reason)),
            }
        }
        Ok(plan)
    }

    /// The sites, in the order of their ids.
    pub fn sites(&self) -> &ClassSites {
        &self.sites
    }

    fn is_test_like(&self) -> bool {
        let simple = self.sites.name.rsplit('.').next().unwrap_or_default();
        simple.contains("Test") || self.sites.methods.iter().any(|method| method.role != TestRole::None)
    }

    /// A method that is left as it is.
    pub(crate) fn declined_method(&self, index: usize, reason: String) -> Declined {
        let class = &self.sites.name;
        let name = self.sites.methods.get(index).map(|m| format!("{class}#{}{}", m.name, m.descriptor));
        Declined { class: name.unwrap_or_else(|| class.clone()), reason }
    }

    /// The code of a method and which of its attributes it is; none when it has no code or must not get any.
    fn body(&self, index: usize) -> Result<Option<(usize, Body<'a>)>, String> {
        let Some(member) = self.class.methods.get(index) else { return Ok(None) };
        let Some((attribute, code)) = code_of(&self.class, member).map_err(|error| error.to_string())? else {
            return Ok(None);
        };
        if is_empty_finalizer(&self.class, member, &code) {
            return Ok(None);
        }
        Ok(Some((attribute, Body::new(code).map_err(|error| error.to_string())?)))
    }

    /// By method, whether it is left as it is; nothing where blocks, branches or calls are to be recorded as well.
    fn silent(
        &self,
        bodies: &[Result<Option<(usize, Body<'a>)>, String>],
        options: WeaveOptions,
        carve: bool,
    ) -> Vec<bool> {
        if options.blocks || options.branches || carve {
            return Vec::new();
        }
        let bodies: Vec<Option<&Body<'_>>> =
            bodies.iter().map(|body| body.as_ref().ok()?.as_ref().map(|(_, body)| body)).collect();
        silent::methods(&self.class, &bodies, &self.sites.methods)
    }

    /// Plans one method; none when it has no body.
    fn method(
        &mut self,
        index: usize,
        body: Option<(usize, Body<'a>)>,
        options: WeaveOptions,
        carve: bool,
        flow: &mut Flow,
    ) -> Result<Option<MethodPlan<'a>>, String> {
        let (Some(member), Some((attribute, body))) = (self.class.methods.get(index), body) else {
            return Ok(None);
        };
        let constructor = is_constructor(&self.class, member);
        if constructor && body.insns.iter().any(|insn| insn.opcode.is_store() && insn.local() == Some(0)) {
            return Err("a constructor that overwrites its `this` cannot be followed".to_owned());
        }
        let instance = member.access & access::STATIC == 0;
        let setting = Setting { pool: &self.class.pool, instance, constructor };
        let facts = flow.analyse(&body, setting)?.to_vec();
        let mut found = Found {
            sites: std::mem::take(&mut self.sites.sites),
            spots: Vec::new(),
            calls: std::mem::take(&mut self.sites.calls),
        };
        let (first, first_call) = (found.sites.len(), found.calls.len());
        let mut enumerator = Enumerator {
            class: &self.class,
            method: member,
            index: u16::try_from(index).unwrap_or(u16::MAX),
            body: &body,
            facts: &facts,
            lines: &self.lines,
            options,
            carve,
            found: &mut found,
        };
        let result = enumerator.run();
        if result.is_err() {
            found.sites.truncate(first);
            found.calls.truncate(first_call);
        }
        self.sites.sites = found.sites;
        self.sites.calls = found.calls;
        result.map_err(|error| error.to_string())?;
        let (sites, spots) = (first..self.sites.sites.len(), found.spots);
        let (calls, bundles) = (first_call..self.sites.calls.len(), Vec::new());
        let mut method = MethodPlan {
            index,
            attribute,
            body,
            facts,
            sites,
            calls,
            spots,
            bundles,
            constructor,
            copy: None,
        };
        // Blocks, branches and carved calls are events between the accesses that a bundle would join.
        let bundled = !options.blocks && !options.branches && !carve;
        if bundled {
            self.bundle(&mut method);
        }
        if options.copies && !carve {
            method.copy = copies::copy(&self.class, &method, &mut self.sites, bundled);
        }
        Ok(Some(method))
    }

    /// Finds which sites of a method are recorded together.
    fn bundle(&mut self, method: &mut MethodPlan<'a>) {
        let role = self.sites.methods.get(method.index).map(|method| method.role).unwrap_or_default();
        let search = bundles::Search {
            class: &self.class,
            body: &method.body,
            facts: &method.facts,
            sites: &self.sites.sites,
            range: method.sites.clone(),
            spots: &method.spots,
            is_test: matches!(role, TestRole::Test | TestRole::MaybeTest),
            frames: self.class.major > FRAMES_SINCE,
        };
        let (woven, described) = bundles::find(&search, self.sites.bundles.len());
        method.bundles = woven;
        self.sites.bundles.extend(described);
    }
}

fn declined_class(name: &str, error: &Error) -> Declined {
    Declined { class: name.to_owned(), reason: format!("its class file is not understood: {error}") }
}

/// The declarations of a class, without sites.
fn describe(class: &ClassFile<'_>, name: &str, bytes: &[u8]) -> Result<ClassSites, Error> {
    let pool = &class.pool;
    let text = |index| pool.utf8(index).map(|text| text.to_str().into_owned());
    let mut sites = ClassSites {
        name: name.to_owned(),
        super_name: class.super_name()?.map(|name| name.to_binary_name()),
        hash: class_hash(bytes),
        access: class.access,
        ..ClassSites::default()
    };
    for index in &class.interfaces {
        sites.interfaces.push(pool.class_name(*index)?.to_binary_name());
    }
    for field in &class.fields {
        let name = text(field.name)?;
        if !name.starts_with('$') {
            let is_static = field.access & access::STATIC != 0;
            sites.fields.push(FieldDecl { name, descriptor: text(field.descriptor)?, is_static });
        }
    }
    for (method, (role, home)) in class.methods.iter().zip(roles::roles(class)) {
        let (name, descriptor) = (text(method.name)?, text(method.descriptor)?);
        sites.methods.push(MethodDecl { name, descriptor, access: method.access, role, home });
    }
    Ok(sites)
}
