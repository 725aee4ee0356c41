//! What sites, methods and fields mean: the class tables, compiled into one small operation per site.
//!
//! Knows nothing of objects or facts. Invariant: a site id, a method number and a field number mean the same for the life
//! of the registry; a field is resolved when it is first accessed, when the JVM has loaded everything its resolution needs.

mod fields;

use dynaflow_memgraph::Slot;
use dynaflow_model::ids::SiteId;
use dynaflow_model::layout::Places;
use dynaflow_model::muting;
use dynaflow_model::sites::{Access, Base, ClassSites, ReceiverKind, SiteKind, TestRole, ValueKind};
use dynaflow_model::words::{FIRST_SITE, SITE_LIMIT};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Index of a loaded class.
pub type ClassIndex = u32;
/// Index of a method of a loaded class.
pub type MethodIndex = u32;

/// What a site does, without its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpKind {
    /// No site has this id.
    Unknown,
    /// Entry of a method.
    Enter(ReceiverKind),
    /// Exit of a method, exceptional or not.
    Exit(bool),
    /// A constructor is about to be invoked on `this`.
    SuperCall,
    /// It returned.
    Bind,
    /// An instance field.
    Field(Access, Base, ValueKind),
    /// A static field.
    Static(Access, ValueKind),
    /// An array element.
    Element(Access, ValueKind),
    /// The contents of a container.
    Contents(Access),
    /// A call that accesses contents if the object's class inherits the method.
    Inherited,
    /// The contents of a container that is an argument of a call.
    Argument(Access),
    /// An object is cloned.
    Clone,
    /// A call that read objects from a stream.
    Restore,
    /// A basic block begins.
    Block,
    /// A branch or switch.
    Branch,
    /// A call made by a test class.
    Call,
    /// Another origin of a reference in a test class.
    Origin,
    /// Several sites that are recorded in one batch.
    Bundle,
    /// A call below which other hands access locations.
    Hand,
}

impl OpKind {
    /// Whether what happens there happens in a frame of the site's method that is the innermost one. Calls that are carved do not
    /// count: they are no part of the program.
    #[inline]
    pub fn is_in_frame(self) -> bool {
        !matches!(
            self,
            Self::Unknown
                | Self::Enter(_)
                | Self::Exit(_)
                | Self::Bind
                | Self::Bundle
                | Self::Hand
                | Self::Call
                | Self::Origin
        )
    }

    /// Whether it reads a field or an element and does nothing else.
    pub fn only_reads(self) -> bool {
        matches!(
            self,
            Self::Field(Access::Read, ..) | Self::Static(Access::Read, _) | Self::Element(Access::Read, _)
        )
    }
}

/// One site, compiled.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    /// What happens.
    pub kind: OpKind,
    /// How many words an event there takes, the site's included.
    pub words: u8,
    /// Where in these words its operands stand.
    pub places: Places,
    /// The method the site is in.
    pub method: MethodIndex,
    /// Whether it may be left out while it is known what it may write, see [`muting::BLURS`].
    pub blurs: bool,
    class: ClassIndex,
    site: u32,
    field: Resolution,
}

/// What an access site's field was resolved to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Resolution {
    Pending,
    /// No location: compiler bookkeeping, or a static field of a class that is not recorded.
    Nothing,
    Field(Slot),
    Static(Slot, ClassIndex),
}

const NO_OP: Op = Op {
    kind: OpKind::Unknown,
    words: 1,
    places: Places::NONE,
    method: 0,
    blurs: false,
    class: 0,
    site: 0,
    field: Resolution::Nothing,
};

/// Sites that are recorded in one batch, compiled.
#[derive(Clone, Copy, Debug)]
pub struct Bundle {
    /// The number of the first site; the others follow.
    pub first: u32,
    /// Where its steps begin and end, see [`Registry::step`].
    pub steps: (usize, usize),
    /// Whether it reads and does nothing else, but for the invocation it may be.
    pub only_reads: bool,
    /// Whether it may be left out while it is known what it may write, see [`muting::BLURS`].
    pub blurs: bool,
}

impl Bundle {
    /// How many sites it stands for.
    pub fn len(self) -> usize {
        self.steps.1 - self.steps.0
    }
}

/// Whether an event of a class, by its index among the class's ids, may be left out while it is known what it may write.
fn blurs(sites: &ClassSites, index: usize) -> bool {
    muting::touches(sites, index) & muting::BLURS != 0
}

/// A loaded class.
#[derive(Debug)]
pub struct Class {
    /// Its table.
    pub sites: Arc<ClassSites>,
    first_method: MethodIndex,
}

/// A method of a loaded class.
#[derive(Clone, Copy, Debug)]
pub struct MethodInfo {
    /// The class that declares it.
    pub class: ClassIndex,
    at: u16,
    /// The number by which the recorder reports that it is entered: that of a site, or of the bundle that begins with it.
    pub entry: u32,
    /// Its part in a test class, if the class is one.
    pub role: TestRole,
}

/// A declared field as a step of state variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FieldInfo {
    /// Binary name of the declaring class.
    pub class: String,
    /// Simple name.
    pub name: String,
    descriptor: String,
}

/// Methods by which the JDK looks into a container it is given.
const LOOKS: [(&str, &str); 4] = [
    ("iterator", "()Ljava/util/Iterator;"),
    ("toArray", "()[Ljava/lang/Object;"),
    ("entrySet", "()Ljava/util/Set;"),
    ("forEach", "(Ljava/util/function/Consumer;)V"),
];

const PAGE_BITS: u32 = 10;
const PAGE: usize = 1 << PAGE_BITS;

/// All class tables.
#[derive(Debug, Default)]
pub struct Registry {
    classes: Vec<Class>,
    methods: Vec<MethodInfo>,
    by_name: FxHashMap<String, ClassIndex>,
    pages: Vec<Option<Box<[Op; PAGE]>>>,
    bundles: Vec<Bundle>,
    steps: Vec<Places>,
    fields: Vec<FieldInfo>,
    field_numbers: FxHashMap<FieldInfo, u32>,
    /// By class of a container and site of a call: whether the call runs a method of the program.
    overridden: FxHashMap<(ClassIndex, ClassIndex, u32), bool>,
}

impl Registry {
    /// Takes the table of a class whose sites are numbered from `base` on. Returns its index; none when the numbers do not
    /// fit the wire format, in which case the class's sites stay unknown.
    pub fn load(&mut self, base: SiteId, sites: Arc<ClassSites>) -> Option<ClassIndex> {
        let end = base.0.checked_add(u32::try_from(sites.ids()).ok()?)?;
        if base.0 < FIRST_SITE || end > SITE_LIMIT {
            return None;
        }
        let class = u32::try_from(self.classes.len()).ok()?;
        let first_method = u32::try_from(self.methods.len()).ok()?;
        for (at, method) in sites.methods.iter().enumerate() {
            self.methods.push(MethodInfo {
                class,
                at: u16::try_from(at).unwrap_or(u16::MAX),
                entry: 0,
                role: method.role,
            });
        }
        for (at, site) in (0..).zip(&sites.sites) {
            if usize::from(site.method) < sites.methods.len() {
                let method = first_method + u32::from(site.method);
                let words = site.kind.words();
                let op = Op {
                    kind: op_kind(&site.kind),
                    words: words.len() as u8,
                    places: Places::new(words, site.kind.operands()),
                    method,
                    blurs: blurs(&sites, at as usize),
                    class,
                    site: at,
                    field: Resolution::Pending,
                };
                *self.op_slot(base.0 + at) = op;
                self.reports_entry(op, base.0 + at);
            }
        }
        self.load_bundles(base.0, class, &sites);
        for (at, call) in (0..).zip(&sites.calls) {
            if usize::from(call.method) < sites.methods.len() {
                let method = first_method + u32::from(call.method);
                let op = Op { kind: OpKind::Hand, method, class, site: at, ..NO_OP };
                *self.op_slot(base.0 + sites.first_call() as u32 + at) = op;
            }
        }
        self.by_name.entry(sites.name.clone()).or_insert(class);
        self.classes.push(Class { sites, first_method });
        Some(class)
    }

    fn load_bundles(&mut self, base: u32, class: ClassIndex, sites: &ClassSites) {
        for (id, bundle) in (base + sites.sites.len() as u32..).zip(&sites.bundles) {
            let method = self.op(base + bundle.first).method;
            let words = bundle.words();
            let site = u32::try_from(self.bundles.len()).unwrap_or(u32::MAX);
            let steps = self.steps.len();
            self.steps.extend(bundle.steps.iter().map(|operands| Places::new(words, *operands)));
            let first = base + bundle.first;
            let only_reads = self.only_reads(first, bundle.steps.len() as u32);
            let blurs = blurs(sites, (id - base) as usize);
            self.bundles.push(Bundle { first, steps: (steps, self.steps.len()), only_reads, blurs });
            let words = words.len() as u8;
            let op = Op { kind: OpKind::Bundle, words, method, class, site, ..NO_OP };
            *self.op_slot(id) = op;
            self.reports_entry(self.op(first), id);
        }
    }

    /// What a number reports first happens at a site: if its method is entered there, the number reports that.
    fn reports_entry(&mut self, first: Op, number: u32) {
        if matches!(first.kind, OpKind::Enter(_))
            && let Some(method) = self.methods.get_mut(first.method as usize)
        {
            method.entry = number;
        }
    }

    /// Whether sites that follow each other read and do nothing else, but for the invocation they may be.
    fn only_reads(&self, first: u32, count: u32) -> bool {
        let kind = |at: u32| self.op(first + at).kind;
        let whole = matches!(kind(0), OpKind::Enter(how) if how != ReceiverKind::Constructor)
            && matches!(kind(count - 1), OpKind::Exit(_));
        let reads = if whole { 1..count - 1 } else { 0..count };
        reads.into_iter().all(|at| kind(at).only_reads())
    }

    /// The bundle with this number; none when it is the number of a site.
    #[inline]
    pub fn bundle(&self, id: u32) -> Option<Bundle> {
        let op = self.op(id);
        (op.kind == OpKind::Bundle).then(|| self.bundles.get(op.site as usize).copied()).flatten()
    }

    /// Where in the words of its bundle the operands of a step stand.
    #[inline]
    pub fn step(&self, at: usize) -> Places {
        self.steps.get(at).copied().unwrap_or(Places::NONE)
    }

    fn op_slot(&mut self, site: u32) -> &mut Op {
        let page = (site >> PAGE_BITS) as usize;
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        let ops = self.pages[page].get_or_insert_with(|| Box::new([NO_OP; PAGE]));
        &mut ops[site as usize % PAGE]
    }

    /// What the site with this number does.
    #[inline]
    pub fn op(&self, site: u32) -> Op {
        *self.op_at(site)
    }

    /// The same without a copy, for what is looked up at every event.
    #[inline(always)]
    pub fn op_at(&self, site: u32) -> &Op {
        self.known(site).unwrap_or(&NO_OP)
    }

    #[inline(always)]
    fn known(&self, site: u32) -> Option<&Op> {
        self.pages.get((site >> PAGE_BITS) as usize)?.as_ref().map(|ops| &ops[site as usize % PAGE])
    }

    /// A loaded class. Indices come from this registry.
    pub fn class(&self, class: ClassIndex) -> &Class {
        &self.classes[class as usize]
    }

    /// The first class loaded under this name.
    pub fn class_named(&self, name: &str) -> Option<ClassIndex> {
        self.by_name.get(name).copied()
    }

    /// A method. Numbers come from this registry.
    pub fn method(&self, method: MethodIndex) -> MethodInfo {
        self.methods[method as usize]
    }

    /// Binary name of the declaring class, simple name and descriptor of a method.
    pub fn method_names(&self, method: MethodIndex) -> (&str, &str, &str) {
        let info = self.method(method);
        let sites = &self.class(info.class).sites;
        let decl = &sites.methods[usize::from(info.at)];
        (&sites.name, &decl.name, &decl.descriptor)
    }

    /// Binary name of the class that declares a test method, and the test's simple name: a dynamic test is one of its factory's.
    pub fn test_names(&self, method: MethodIndex) -> (&str, &str) {
        let info = self.method(method);
        let sites = &self.class(info.class).sites;
        let decl = &sites.methods[usize::from(info.at)];
        (&sites.name, decl.home.as_ref().unwrap_or(&decl.name))
    }

    /// Bytecode offset and line of a site.
    pub fn position(&self, op: Op) -> (u32, u32) {
        let sites = &self.class(op.class).sites;
        if op.kind == OpKind::Hand {
            let call = sites.calls[op.site as usize];
            return (call.offset, call.line);
        }
        let site = &sites.sites[op.site as usize];
        (site.offset, site.line)
    }

    /// The kind of a site that is known, and the binary name of its class.
    pub fn kind(&self, op: Op) -> (&SiteKind, &str) {
        let sites = &self.class(op.class).sites;
        (&sites.sites[op.site as usize].kind, &sites.name)
    }

    /// Whether a call of a container's method, made on an object of this class, runs a method of the program instead: a
    /// recorded class among it and its superclasses declares the method.
    pub fn is_overridden(&mut self, site: u32, class: &str) -> bool {
        let op = self.op(site);
        let Some(class) = self.class_named(class) else { return false };
        let key = (class, op.class, op.site);
        if let Some(known) = self.overridden.get(&key) {
            return *known;
        }
        let found = match self.kind(op).0 {
            SiteKind::Contents { callee, exact: false, .. }
            | SiteKind::Inherited { callee, exact: false } => {
                self.inherits_recorded(class, &callee.name, &callee.descriptor)
            }
            SiteKind::Inherited { callee, exact: true } => {
                let owner = self.class_named(&callee.owner);
                owner.is_some_and(|owner| self.inherits_recorded(owner, &callee.name, &callee.descriptor))
            }
            SiteKind::Argument { access: Access::Read, .. } => {
                LOOKS.iter().any(|(name, descriptor)| self.inherits_recorded(class, name, descriptor))
            }
            SiteKind::Argument { .. } => self.inherits_recorded(class, "add", "(Ljava/lang/Object;)Z"),
            _ => false,
        };
        self.overridden.insert(key, found);
        found
    }

    /// What an `Argument` site calls if that is no method of the program, on a receiver of this class or none: whether it is a
    /// method of the JDK by its name, else the method's simple name, which the receiver may inherit.
    pub fn called_with(&self, op: Op, receiver: Option<&str>) -> Option<(bool, &str)> {
        let SiteKind::Argument { callee, exact, .. } = self.kind(op).0 else { return None };
        let class = receiver.and_then(|receiver| self.class_named(receiver));
        let of_jdk = callee.owner.starts_with("java.");
        let runs_on = match (exact, of_jdk) {
            (true, true) => None,
            (true, false) => self.class_named(&callee.owner),
            (false, _) => class,
        };
        let is_programs =
            runs_on.is_some_and(|class| self.inherits_recorded(class, &callee.name, &callee.descriptor));
        (!is_programs).then_some((of_jdk, &callee.name))
    }

    /// The simple name of the method that an `Inherited` site calls.
    pub fn inherited_name(&self, op: Op) -> Option<&str> {
        match self.kind(op).0 {
            SiteKind::Inherited { callee, .. } => Some(&callee.name),
            _ => None,
        }
    }

    /// Whether a class or a recorded superclass of it declares a method.
    fn inherits_recorded(&self, class: ClassIndex, name: &str, descriptor: &str) -> bool {
        let chain = self.superclass_chain(class);
        let mut methods = chain.iter().flat_map(|class| &self.class(*class).sites.methods);
        methods.any(|decl| decl.name == name && decl.descriptor == descriptor)
    }

    /// Whether a `Clone` site calls a `clone()` of the program, which says itself what it does.
    pub fn clones_by_program(&self, op: Op) -> bool {
        let (SiteKind::Clone { owner }, _) = self.kind(op) else { return false };
        let class = self.class_named(owner);
        class.is_some_and(|class| self.inherits_recorded(class, "clone", "()Ljava/lang/Object;"))
    }

    /// The class a `SuperCall` site names.
    pub fn super_call_owner(&self, op: Op) -> Option<&str> {
        match &self.class(op.class).sites.sites[op.site as usize].kind {
            SiteKind::SuperCall { owner } => Some(owner),
            _ => None,
        }
    }

    /// The number of the basic block that begins at a site; 0 when none does.
    pub fn block_number(&self, op: Op) -> u32 {
        match self.kind(op).0 {
            SiteKind::Block { number } => *number,
            _ => 0,
        }
    }

    /// Whether the site's method is the constructor of a class of this name.
    pub fn is_of_class(&self, method: MethodIndex, name: &str) -> bool {
        self.class(self.method(method).class).sites.name == name
    }

    /// A field by its number.
    pub fn field(&self, number: u32) -> Option<&FieldInfo> {
        self.fields.get((number as usize).checked_sub(1)?)
    }

    /// A recorded class and its recorded superclasses, nearest first, up to the first that is not recorded.
    pub fn superclass_chain(&self, class: ClassIndex) -> Vec<ClassIndex> {
        let mut chain = vec![];
        let mut next = Some(class);
        while let Some(class) = next.filter(|class| !chain.contains(class)) {
            chain.push(class);
            next = self.super_name(class).and_then(|name| self.class_named(name));
        }
        chain
    }

    fn super_name(&self, class: ClassIndex) -> Option<&str> {
        self.class(class).sites.super_name.as_deref()
    }

    /// The name of the first superclass of a recorded class that is not recorded.
    pub fn unrecorded_superclass(&self, class: ClassIndex) -> Option<&str> {
        self.super_name(*self.superclass_chain(class).last()?)
    }

    /// The methods of a class.
    pub fn methods_of(&self, class: ClassIndex) -> impl Iterator<Item = MethodInfo> {
        let class = self.class(class);
        let first = class.first_method as usize;
        self.methods.iter().skip(first).take(class.sites.methods.len()).copied()
    }
}

fn op_kind(kind: &SiteKind) -> OpKind {
    match kind {
        SiteKind::Enter { receiver } => OpKind::Enter(*receiver),
        SiteKind::Exit { exceptional } => OpKind::Exit(*exceptional),
        SiteKind::SuperCall { .. } => OpKind::SuperCall,
        SiteKind::Bind => OpKind::Bind,
        SiteKind::Field { access, base, value, .. } => OpKind::Field(*access, *base, *value),
        SiteKind::Static { access, value, .. } => OpKind::Static(*access, *value),
        SiteKind::Element { access, value } => OpKind::Element(*access, *value),
        SiteKind::Contents { access, .. } => OpKind::Contents(*access),
        SiteKind::Inherited { .. } => OpKind::Inherited,
        SiteKind::Argument { access, .. } => OpKind::Argument(*access),
        SiteKind::Clone { .. } => OpKind::Clone,
        SiteKind::Restore => OpKind::Restore,
        SiteKind::Block { .. } => OpKind::Block,
        SiteKind::Branch { .. } | SiteKind::Switch => OpKind::Branch,
        SiteKind::Call { .. } => OpKind::Call,
        SiteKind::Origin { .. } => OpKind::Origin,
    }
}
