//! Fields by number: which class declares the field that an access names.
//!
//! Knows nothing of objects or facts. Invariant: a field has one number, whichever class it is accessed through; it is resolved when it is
//! first accessed, when the JVM has loaded everything its resolution needs.

use super::{ClassIndex, FieldInfo, Op, Registry, Resolution};
use dynaflow_memgraph::Slot;
use dynaflow_model::sites::{ClassSites, FieldDecl, FieldRef, SiteKind};
use std::sync::Arc;

impl Registry {
    /// The slot of a field that a recorded class itself declares, by `binary.Class#field#descriptor`, and the class.
    pub fn declared_slot(&mut self, name: &str, is_static: bool) -> Option<(Slot, ClassIndex)> {
        let mut parts = name.splitn(3, '#').map(str::to_owned);
        let (owner, name, descriptor) = (parts.next()?, parts.next()?, parts.next()?);
        let class = self.class_named(&owner)?;
        let field = FieldRef { owner, name, descriptor };
        let location = !field.name.starts_with('$') && declares(&self.class(class).sites, &field, is_static);
        location.then(|| (Slot::field(self.field_number(field.owner.clone(), &field)), class))
    }

    /// The slot of an instance field access; none when it is no location.
    #[inline]
    pub fn field_slot(&mut self, site: u32) -> Option<Slot> {
        match self.resolution(site) {
            Resolution::Field(slot) => Some(slot),
            _ => None,
        }
    }

    /// The class and slot of a static field access; none when it is no location.
    #[inline]
    pub fn static_slot(&mut self, site: u32) -> Option<(Slot, ClassIndex)> {
        match self.resolution(site) {
            Resolution::Static(slot, class) => Some((slot, class)),
            _ => None,
        }
    }

    #[inline]
    fn resolution(&mut self, site: u32) -> Resolution {
        match self.known(site).map_or(Resolution::Nothing, |op| op.field) {
            Resolution::Pending => self.find_resolution(site),
            known => known,
        }
    }

    fn find_resolution(&mut self, site: u32) -> Resolution {
        let resolved = self.resolve(self.op(site));
        self.op_slot(site).field = resolved;
        resolved
    }

    fn resolve(&mut self, op: Op) -> Resolution {
        let sites = Arc::clone(&self.class(op.class).sites);
        match sites.sites.get(op.site as usize).map(|site| &site.kind) {
            Some(SiteKind::Field { field, .. }) if !field.name.starts_with('$') => {
                let class =
                    self.declaring(field, false).unwrap_or_else(|| self.unknown_declaring(field, false));
                Resolution::Field(Slot::field(self.field_number(class, field)))
            }
            Some(SiteKind::Static { field, .. }) if !field.name.starts_with('$') => {
                self.resolve_static(op, field)
            }
            _ => Resolution::Nothing,
        }
    }

    fn resolve_static(&mut self, op: Op, field: &FieldRef) -> Resolution {
        let name = self.declaring(field, true).unwrap_or_else(|| self.unknown_declaring(field, true));
        let own = self.class(op.class).sites.name == name;
        match if own { Some(op.class) } else { self.class_named(&name) } {
            Some(class) => Resolution::Static(Slot::field(self.field_number(name, field)), class),
            None => Resolution::Nothing,
        }
    }

    /// The number of a field of a class.
    fn field_number(&mut self, class: String, field: &FieldRef) -> u32 {
        self.number_of(FieldInfo { class, name: field.name.clone(), descriptor: field.descriptor.clone() })
    }

    fn number_of(&mut self, info: FieldInfo) -> u32 {
        if let Some(number) = self.field_numbers.get(&info) {
            return *number;
        }
        self.fields.push(info.clone());
        let number = u32::try_from(self.fields.len()).unwrap_or(u32::MAX);
        self.field_numbers.insert(info, number);
        number
    }

    /// The recorded class that declares the field, looked for as the JVM does: the class, its superinterfaces (static
    /// fields only), its superclass.
    fn declaring(&self, field: &FieldRef, is_static: bool) -> Option<String> {
        let mut next = self.class_named(&field.owner);
        let mut left = self.classes.len();
        while let Some(class) = next.filter(|_| left > 0) {
            left -= 1;
            let sites = &self.class(class).sites;
            if declares(sites, field, is_static) {
                return Some(sites.name.clone());
            }
            if is_static && let Some(found) = self.declaring_interface(sites, field, 0) {
                return Some(found);
            }
            next = sites.super_name.as_ref().and_then(|name| self.class_named(name));
        }
        None
    }

    fn declaring_interface(&self, sites: &ClassSites, field: &FieldRef, depth: usize) -> Option<String> {
        let known = sites.interfaces.iter().filter_map(|name| self.class_named(name));
        for class in known.take_while(|_| depth < 64) {
            let interface = &self.class(class).sites;
            if declares(interface, field, true) {
                return Some(interface.name.clone());
            }
            if let Some(found) = self.declaring_interface(interface, field, depth + 1) {
                return Some(found);
            }
        }
        None
    }

    /// The first class of the chain whose structure is unknown, or an unknown superinterface for a static field when the
    /// chain is known up to `java.lang.Object`.
    fn unknown_declaring(&self, field: &FieldRef, is_static: bool) -> String {
        let mut name = field.owner.clone();
        let mut interface = None;
        for _ in 0..=self.classes.len() {
            let Some(class) = self.class_named(&name) else {
                break;
            };
            let sites = &self.class(class).sites;
            let unknown = sites.interfaces.iter().find(|name| self.class_named(name).is_none());
            interface = interface.or_else(|| unknown.cloned());
            match &sites.super_name {
                Some(super_name) => name.clone_from(super_name),
                None => break,
            }
        }
        match interface {
            Some(interface) if is_static && name == "java.lang.Object" => interface,
            _ => name,
        }
    }

    /// The slots of the fields a class itself declares.
    pub fn declared_slots(&mut self, class: ClassIndex, is_static: bool) -> Vec<Slot> {
        let sites = Arc::clone(&self.class(class).sites);
        let fields =
            sites.fields.iter().filter(|field| field.is_static == is_static && !field.name.starts_with('$'));
        fields
            .map(|field| {
                let info = FieldInfo {
                    class: sites.name.clone(),
                    name: field.name.clone(),
                    descriptor: field.descriptor.clone(),
                };
                Slot::field(self.number_of(info))
            })
            .collect()
    }
}

fn declares(sites: &ClassSites, field: &FieldRef, is_static: bool) -> bool {
    let same = |decl: &FieldDecl| {
        decl.is_static == is_static && decl.name == field.name && decl.descriptor == field.descriptor
    };
    sites.fields.iter().any(same)
}
