//! Which call of a recorded method a thread is in: what other hands do is done at that call.
//!
//! It knows neither what is done there nor what sites mean. A method is known by the JVM's number; what the number stands for is
//! asked once. Invariants: no lock is held while the JVM is called; a method whose code is not the woven one (another agent
//! changed it since) is none of ours.

use crate::jni::Jni;
use crate::jvmti::{FrameInfo, Jvmti, Method};
use dynaflow_instrument::WovenCalls;
use dynaflow_model::muting;
use dynaflow_model::sites::ClassSites;
use jni_sys::jmethodID;
use rustc_hash::FxHashMap;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// How many frames are asked for at first, at most, and how many at once.
const FEW: usize = 16;
const MOST: usize = 1024;
/// How many are ours at least: the native method's, and those of the Java methods that call it.
const OURS: usize = 3;
const NO_FRAME: FrameInfo = FrameInfo { method: std::ptr::null_mut(), location: -1 };
/// The class whose methods set and get fields, and what stands between a method handle and them is the JDK's own.
const FIELD: &str = "Ljava/lang/reflect/Field;";

/// Gives the method of each frame on the current thread's stack that is none of ours to `see`, innermost first, until that wants no more.
fn each_frame(jvmti: Jvmti, mut see: impl FnMut(jmethodID) -> bool) {
    let mut frames = vec![NO_FRAME; FEW];
    let mut start = OURS;
    loop {
        let count = jvmti.frames(start, &mut frames);
        let goes_on = frames.iter().take(count).all(|frame| see(frame.method));
        if !goes_on || count < frames.len() {
            return;
        }
        start += count;
        frames.resize(start * 4, NO_FRAME);
    }
}

/// The calls of one woven class.
#[derive(Debug)]
struct WovenClass {
    sites: Arc<ClassSites>,
    /// The number of the class's first site.
    base: u32,
    methods: Vec<WovenCalls>,
}

/// What a method is.
#[derive(Clone, Debug)]
enum Kind {
    /// None that matters.
    Other,
    /// One of `java.lang.reflect.Field`.
    Field,
    /// One that is recorded: its class, and its place among the methods woven there.
    Woven(Arc<WovenClass>, usize),
}

/// What stands on a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// No recorded method, or one of which the call is not known.
    Unknown,
    /// The number of the call's site.
    Site(u32),
}

/// Where a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The call of the innermost recorded method.
    pub caller: Caller,
    /// Whether a method of `java.lang.reflect.Field` comes before it.
    pub by_field: bool,
}

/// Frames of the innermost method being counted.
#[derive(Debug, Default)]
struct Live {
    /// That method.
    method: Option<(Arc<WovenClass>, usize)>,
    /// By number: whether it is that method; several loaders may each have it.
    known: FxHashMap<usize, bool>,
    frames: usize,
}

impl Live {
    /// Counts a frame, the innermost first; false when that one is of no recorded method.
    fn count(&mut self, number: usize, kind: impl FnOnce() -> Kind) -> bool {
        let method = &mut self.method;
        let is_it = *self.known.entry(number).or_insert_with(|| match kind() {
            Kind::Woven(class, place) => {
                let (innermost, at) = method.get_or_insert((Arc::clone(&class), place));
                Arc::ptr_eq(innermost, &class) && *at == place
            }
            _ => false,
        });
        self.frames += usize::from(is_it);
        self.frames > 0
    }
}

/// The calls of all woven methods.
#[derive(Debug, Default)]
pub struct Calls {
    classes: RwLock<HashMap<String, Arc<WovenClass>>>,
    methods: RwLock<FxHashMap<usize, Kind>>,
    /// The number of the first site of each class that was woven, in order, and its sites.
    bases: RwLock<Vec<(u32, Arc<ClassSites>)>>,
}

impl Calls {
    /// Takes the calls of a woven class. The first of several loaders is enough: the site numbers of all mean the same.
    pub fn add(&self, base: u32, sites: Arc<ClassSites>, methods: Vec<WovenCalls>) {
        self.bases.write().unwrap_or_else(PoisonError::into_inner).push((base, Arc::clone(&sites)));
        let mut classes = self.classes.write().unwrap_or_else(PoisonError::into_inner);
        let name = sites.name.clone();
        classes.entry(name).or_insert_with(|| Arc::new(WovenClass { sites, base, methods }));
    }

    /// What the event of a site or bundle touches, see [`dynaflow_model::muting::touches`], how many words it takes, and a number of its method;
    /// everything, and none, when it is not known.
    pub fn touches(&self, site: u32) -> (u16, usize, Option<u32>) {
        let bases = self.bases.read().unwrap_or_else(PoisonError::into_inner);
        let place = bases.partition_point(|(base, _)| *base <= site).checked_sub(1);
        let class = place.and_then(|place| bases.get(place)).filter(|(base, sites)| {
            let index = (site - base) as usize;
            index < sites.first_call()
        });
        let Some((base, sites)) = class else { return (muting::KNOWN | muting::STATIC, 0, None) };
        let index = (site - base) as usize;
        // No more methods than sites: the number of the class's first site and the method's own make one of its own.
        let method = muting::method(sites, index).map(|method| base + u32::from(method));
        (muting::touches(sites, index), muting::length(sites, index), method)
    }

    /// Whether a class (binary name) is recorded.
    pub fn has(&self, class: &str) -> bool {
        self.classes.read().unwrap_or_else(PoisonError::into_inner).contains_key(class)
    }

    /// A class is redefined: nothing that is known of its methods holds any more.
    pub fn forget(&self, class: &str) {
        let mut classes = self.classes.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = classes.get_mut(class) {
            let (sites, base) = (Arc::clone(&known.sites), known.base);
            *known = Arc::new(WovenClass { sites, base, methods: Vec::new() });
        }
        drop(classes);
        self.methods.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The call of the innermost recorded method on the current thread's stack, which is expected among the first frames of the JDK and
    /// libraries. Each look walks from the top, so that the next one goes much farther.
    pub fn innermost(&self, jvmti: Jvmti, jni: &Jni, expected: usize) -> Found {
        let (mut few, mut many) = ([NO_FRAME; FEW], Vec::new());
        let count = jvmti.frames(OURS, few.get_mut(..expected.clamp(1, FEW)).unwrap_or_default());
        let (mut frames, mut start, mut by_field) = (few.get(..count).unwrap_or_default(), OURS, false);
        loop {
            for frame in frames {
                match self.kind(jvmti, jni, frame.method) {
                    Kind::Other => {}
                    Kind::Field => by_field = true,
                    Kind::Woven(class, method) => {
                        return Found { caller: class.call(method, frame.location), by_field };
                    }
                }
            }
            start += frames.len();
            let more = (start * 4).min(MOST);
            many.resize(more, NO_FRAME);
            let count = jvmti.frames(start, &mut many);
            if count == 0 {
                return Found { caller: Caller::Unknown, by_field };
            }
            frames = many.get(..count).unwrap_or_default();
        }
    }

    /// How many frames of the recorded method that called the recorder are on the current thread's stack; 0 when it is none that is
    /// recorded. A stack that overflowed may have ten thousands: each look walks from the top, so that the next one goes much farther.
    pub fn live(&self, jvmti: Jvmti, jni: &Jni) -> usize {
        let mut live = Live::default();
        each_frame(jvmti, |method| live.count(method as usize, || self.kind(jvmti, jni, method)));
        live.frames
    }

    /// How many frames of recorded methods are on the current thread's stack.
    pub fn recorded(&self, jvmti: Jvmti, jni: &Jni) -> usize {
        let mut recorded = 0;
        each_frame(jvmti, |method| {
            recorded += usize::from(matches!(self.kind(jvmti, jni, method), Kind::Woven(..)));
            true
        });
        recorded
    }

    fn kind(&self, jvmti: Jvmti, jni: &Jni, method: jmethodID) -> Kind {
        let number = method as usize;
        let known = self.methods.read().unwrap_or_else(PoisonError::into_inner).get(&number).cloned();
        known.unwrap_or_else(|| {
            let kind = jvmti.method(jni, method).map_or(Kind::Other, |method| self.find(&method));
            let mut methods = self.methods.write().unwrap_or_else(PoisonError::into_inner);
            methods.insert(number, kind.clone());
            kind
        })
    }

    fn find(&self, method: &Method) -> Kind {
        if method.class == FIELD {
            return Kind::Field;
        }
        let name = method.class.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
        let Some(name) = name.map(|name| name.replace('/', ".")) else { return Kind::Other };
        let class = self.classes.read().unwrap_or_else(PoisonError::into_inner).get(&name).cloned();
        let found = class.and_then(|class| {
            let place = class.place(method)?;
            Some(Kind::Woven(class, place))
        });
        found.unwrap_or(Kind::Other)
    }
}

impl WovenClass {
    /// The place of a method, if its code is the woven one.
    fn place(&self, method: &Method) -> Option<usize> {
        self.methods.iter().position(|woven| {
            let declared = self.sites.methods.get(woven.method);
            woven.length == method.length
                && declared
                    .is_some_and(|known| known.name == method.name && known.descriptor == method.descriptor)
        })
    }

    /// The call at an offset of a woven method.
    fn call(&self, place: usize, location: i64) -> Caller {
        let site = || {
            let method = self.methods.get(place)?;
            let at = method.offsets.binary_search(&u32::try_from(location).ok()?).ok()?;
            u32::try_from(self.sites.first_call() + method.first + at).ok()
        };
        site().map_or(Caller::Unknown, |site| Caller::Site(self.base + site))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::sites::{CallPlace, MethodDecl, Site, SiteKind, TestRole};

    fn class() -> Arc<WovenClass> {
        let method = |name: &str| MethodDecl {
            name: name.to_owned(),
            descriptor: "()V".to_owned(),
            access: 0,
            role: TestRole::None,
            home: None,
        };
        let call = |method, offset| CallPlace { method, offset, line: 1 };
        let sites = ClassSites {
            name: "a.A".to_owned(),
            methods: vec![method("m"), method("n")],
            calls: vec![call(0, 1), call(1, 2), call(1, 5)],
            ..ClassSites::default()
        };
        let woven = |method, length, first, offsets: &[u32]| WovenCalls {
            method,
            length,
            first,
            offsets: offsets.to_vec(),
        };
        let methods = vec![woven(0, 30, 0, &[9]), woven(1, 40, 1, &[12, 20])];
        Arc::new(WovenClass { sites: Arc::new(sites), base: 100, methods })
    }

    #[test]
    fn a_method_is_known_by_class_name_descriptor_and_the_length_of_its_woven_code() {
        let calls = Calls::default();
        let woven = class();
        calls.add(100, Arc::clone(&woven.sites), woven.methods.clone());
        let method = |class: &str, name: &str, length| Method {
            class: class.to_owned(),
            name: name.to_owned(),
            descriptor: "()V".to_owned(),
            length,
        };
        let is_ours = |method| matches!(calls.find(&method), Kind::Woven(..));
        assert!(calls.has("a.A") && is_ours(method("La/A;", "n", 40)));
        assert!(!is_ours(method("La/A;", "n", 41)), "somebody changed it");
        assert!(!is_ours(method("La/A;", "o", 40)) && !is_ours(method("La/B;", "n", 40)));
        assert!(matches!(calls.find(&method(FIELD, "set", 1)), Kind::Field));
    }

    #[test]
    fn frames_of_the_innermost_method_are_counted_and_no_others() {
        let woven = class();
        let kind = |number| match number {
            1 | 2 => Kind::Woven(Arc::clone(&woven), 1),
            3 => Kind::Woven(Arc::clone(&woven), 0),
            4 => Kind::Woven(class(), 1),
            _ => Kind::Other,
        };
        let count = |numbers: &[usize]| {
            let mut live = Live::default();
            let counted = numbers.iter().all(|number| live.count(*number, || kind(*number)));
            counted.then_some(live.frames)
        };
        assert_eq!(count(&[1, 5, 3, 2, 4, 1]), Some(3));
        assert_eq!(count(&[3, 1]), Some(1));
        assert_eq!(count(&[5, 1]), None, "nothing is known of the innermost one");
    }

    #[test]
    fn what_a_site_touches_is_that_of_the_class_it_belongs_to() {
        let (calls, woven) = (Calls::default(), class());
        let unknown = (muting::KNOWN | muting::STATIC, 0, None);
        assert_eq!(calls.touches(7), unknown, "of no class");
        let write = |base| {
            let mut sites = ClassSites::clone(&woven.sites);
            let kind = SiteKind::Bind;
            sites.sites = vec![Site { method: 0, offset: 0, line: 1, kind }];
            calls.add(base, Arc::new(sites), Vec::new());
        };
        write(100);
        write(200);
        assert_eq!(calls.touches(200), (muting::KNOWN | muting::BINDS, 1, Some(200)));
        assert_eq!(calls.touches(150), unknown, "beyond the sites of the class");
    }

    #[test]
    fn a_call_is_known_by_its_offset_in_the_woven_code() {
        let class = class();
        assert_eq!(class.call(1, 20), Caller::Site(102));
        assert_eq!(class.call(0, 9), Caller::Site(100));
        assert_eq!((class.call(1, 13), class.call(0, -1)), (Caller::Unknown, Caller::Unknown));
    }
}
