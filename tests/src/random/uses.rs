//! Statements without jumps: calls, containers, arrays, fields, the `dup` family, arithmetic. It knows no control flow.
//!
//! Invariant: what a statement leaves lies above what it found.

use super::types::{LIST, MAP, OBJECT, T};
use super::values::Maker;
use dynaflow_classfile::Opcode;

impl Maker<'_, '_> {
    pub fn locked(&mut self) {
        let own = T::Object(self.own);
        self.fuel_field(Opcode::Getstatic, "lock", T::Object(OBJECT));
        self.pushed(T::Object(OBJECT));
        self.out.op(Opcode::Monitorenter);
        self.popped(1);
        self.push(own, 2);
        self.store_top();
        self.fuel_field(Opcode::Getstatic, "lock", T::Object(OBJECT));
        self.pushed(T::Object(OBJECT));
        self.out.op(Opcode::Monitorexit);
        self.popped(1);
    }

    pub fn call_own(&mut self) {
        if self.calls == 0 || self.callees.is_empty() {
            return;
        }
        self.calls -= 1;
        let callee = self.callees[self.below(self.callees.len())].clone();
        if !callee.is_static {
            self.push(T::Object(self.own), 0);
        }
        callee.parameters.iter().for_each(|t| self.push(*t, 0));
        let opcode = if callee.is_static { Opcode::Invokestatic } else { Opcode::Invokevirtual };
        self.out.call(opcode, self.own, callee.name, &callee.descriptor(), 0);
        self.popped(callee.parameters.len() + usize::from(!callee.is_static));
        if let Some(result) = callee.result {
            self.pushed(result);
        }
    }

    fn method(
        &mut self,
        opcode: Opcode,
        owner: &'static str,
        name: &'static str,
        operands: &[T],
        result: Option<T>,
    ) {
        operands.iter().for_each(|t| self.push(*t, 0));
        let skip = usize::from(opcode != Opcode::Invokestatic);
        let parameters: String = operands[skip..].iter().map(|t| t.descriptor()).collect();
        let slots = operands.iter().map(|t| t.slots() as u8).sum();
        let result_text = result.map_or("V".to_owned(), T::descriptor);
        self.out.call(opcode, owner, name, &format!("({parameters}){result_text}"), slots);
        self.popped(operands.len());
        if let Some(result) = result {
            self.pushed(result);
        }
    }

    pub fn containers(&mut self) {
        use Opcode::{Invokeinterface, Invokevirtual};
        let (list, map, object) = (T::Object(LIST), T::Object(MAP), T::Object(OBJECT));
        let bool_result = |maker: &mut Self, opcode, owner, name, operands: &[T]| {
            operands.iter().for_each(|t| maker.push(*t, 0));
            let rest: String = operands[1..].iter().map(|t| t.descriptor()).collect();
            maker.out.call(opcode, owner, name, &format!("({rest})Z"), operands.len() as u8);
            maker.popped(operands.len());
            maker.pushed(T::Int);
        };
        match self.below(15) {
            0 | 1 => bool_result(self, Invokevirtual, LIST, "add", &[list, object]),
            2 => bool_result(self, Invokeinterface, "java/util/List", "add", &[list, object]),
            3 => self.method(Invokevirtual, LIST, "size", &[list], Some(T::Int)),
            4 => self.method(Invokeinterface, "java/util/List", "get", &[list, T::Int], Some(object)),
            5 | 6 => self.method(Invokevirtual, MAP, "put", &[map, object, object], Some(object)),
            7 => self.method(Invokevirtual, MAP, "get", &[map, object], Some(object)),
            8 => bool_result(self, Invokevirtual, LIST, "remove", &[list, object]),
            9 => self.method(Invokevirtual, MAP, "remove", &[map, object], Some(object)),
            10 => self.method(Invokevirtual, MAP, "putIfAbsent", &[map, object, object], Some(object)),
            11 => self.method(Invokevirtual, MAP, "replace", &[map, object, object], Some(object)),
            12 => self.method(Invokevirtual, MAP, "clear", &[map], None),
            13 => {
                let array = Some(T::Object("[Ljava/lang/Object;"));
                self.method(Invokevirtual, LIST, "toArray", &[list], array);
            }
            _ => self.method(Invokevirtual, LIST, "clear", &[list], None),
        }
    }

    pub fn arrays(&mut self) {
        use Opcode::{Invokestatic, Invokevirtual};
        let (ints, longs, bytes) = (T::Object("[I"), T::Object("[J"), T::Object("[B"));
        let (objects, rows, object) = (T::Object("[Ljava/lang/Object;"), T::Object("[[I"), T::Object(OBJECT));
        let arrays = "java/util/Arrays";
        let (opcode, operands, result): (Opcode, &[T], Option<T>) = match self.below(16) {
            0 => (Opcode::Iaload, &[ints, T::Int], Some(T::Int)),
            1 => (Opcode::Iastore, &[ints, T::Int, T::Int], None),
            2 => (Opcode::Laload, &[longs, T::Int], Some(T::Long)),
            3 => (Opcode::Lastore, &[longs, T::Int, T::Long], None),
            4 => (Opcode::Baload, &[bytes, T::Int], Some(T::Int)),
            5 => (Opcode::Bastore, &[bytes, T::Int, T::Int], None),
            6 => (Opcode::Aaload, &[objects, T::Int], Some(object)),
            7 => (Opcode::Aastore, &[objects, T::Int, object], None),
            8 => (Opcode::Aaload, &[rows, T::Int], Some(ints)),
            9 => (Opcode::Aastore, &[rows, T::Int, ints], None),
            10 => (Opcode::Arraylength, &[ints], Some(T::Int)),
            11 => {
                let operands = [object, T::Int, object, T::Int, T::Int];
                return self.method(Invokestatic, "java/lang/System", "arraycopy", &operands, None);
            }
            12 => return self.method(Invokevirtual, "[I", "clone", &[ints], Some(object)),
            13 => return self.method(Invokestatic, arrays, "sort", &[ints], None),
            14 => return self.method(Invokestatic, arrays, "sort", &[bytes, T::Int, T::Int], None),
            _ => return self.method(Invokestatic, arrays, "fill", &[longs, T::Long], None),
        };
        operands.iter().for_each(|t| self.push(*t, 0));
        self.out.op(opcode);
        self.popped(operands.len());
        if let Some(result) = result {
            self.pushed(result);
        }
    }

    pub fn fields(&mut self) {
        let own = T::Object(self.own);
        let (name, t) = [
            ("i", T::Int),
            ("j", T::Long),
            ("f", T::Float),
            ("d", T::Double),
            ("o", T::Object(OBJECT)),
            ("own", own),
        ][self.below(6)];
        let statics = ["si", "sj", "sf", "sd", "so", "own"];
        if self.chance(40) {
            let name = statics[["i", "j", "f", "d", "o", "own"].iter().position(|n| *n == name).unwrap()];
            if self.chance(50) {
                self.fuel_field(Opcode::Getstatic, name, t);
                self.pushed(t);
            } else {
                self.push(t, 0);
                self.fuel_field(Opcode::Putstatic, name, t);
                self.popped(1);
            }
            return;
        }
        let name = if name == "own" { "next" } else { name };
        if self.is_raw() && self.chance(60) {
            // A field of `this` may be written before `super(...)`.
            self.out.op(Opcode::Aload0);
            self.pushed(T::RawThis);
            self.push(t, 0);
            self.fuel_field(Opcode::Putfield, name, t);
            self.popped(2);
        } else if self.chance(50) {
            self.push(own, 0);
            self.fuel_field(Opcode::Getfield, name, t);
            self.popped(1);
            self.pushed(t);
        } else {
            self.push(own, 0);
            self.push(t, 0);
            self.fuel_field(Opcode::Putfield, name, t);
            self.popped(2);
        }
    }

    /// An instruction of the `dup` family or `swap`, in a form that fits operands pushed for it.
    pub fn shuffle(&mut self) {
        const FORMS: [(Opcode, &[u16], &[usize]); 13] = [
            (Opcode::Dup, &[1], &[0, 0]),
            (Opcode::Swap, &[1, 1], &[1, 0]),
            (Opcode::DupX1, &[1, 1], &[1, 0, 1]),
            (Opcode::DupX2, &[1, 1, 1], &[2, 0, 1, 2]),
            (Opcode::DupX2, &[2, 1], &[1, 0, 1]),
            (Opcode::Dup2, &[1, 1], &[0, 1, 0, 1]),
            (Opcode::Dup2, &[2], &[0, 0]),
            (Opcode::Dup2X1, &[1, 1, 1], &[1, 2, 0, 1, 2]),
            (Opcode::Dup2X1, &[1, 2], &[1, 0, 1]),
            (Opcode::Dup2X2, &[1, 1, 1, 1], &[2, 3, 0, 1, 2, 3]),
            (Opcode::Dup2X2, &[2, 1, 1], &[1, 2, 0, 1, 2]),
            (Opcode::Dup2X2, &[1, 1, 2], &[2, 0, 1, 2]),
            (Opcode::Dup2X2, &[2, 2], &[1, 0, 1]),
        ];
        let (opcode, operands, order) = FORMS[self.below(FORMS.len())];
        let mut types = Vec::new();
        for slots in operands {
            let t = loop {
                let t = self.any_type();
                if t.slots() == *slots {
                    break t;
                }
            };
            self.push(t, 0);
            types.push(t);
        }
        self.out.op(opcode);
        self.popped(types.len());
        order.iter().for_each(|at| self.pushed(types[*at]));
    }

    pub fn arithmetic(&mut self) {
        use T::{Double, Float, Int, Long};
        const OPS: [(Opcode, &[T], T); 16] = [
            (Opcode::Iadd, &[Int, Int], Int),
            (Opcode::Idiv, &[Int, Int], Int),
            (Opcode::Irem, &[Int, Int], Int),
            (Opcode::Ldiv, &[Long, Long], Long),
            (Opcode::Lmul, &[Long, Long], Long),
            (Opcode::Lshl, &[Long, Int], Long),
            (Opcode::Fadd, &[Float, Float], Float),
            (Opcode::Dmul, &[Double, Double], Double),
            (Opcode::Drem, &[Double, Double], Double),
            (Opcode::I2l, &[Int], Long),
            (Opcode::L2i, &[Long], Int),
            (Opcode::D2f, &[Double], Float),
            (Opcode::F2d, &[Float], Double),
            (Opcode::I2b, &[Int], Int),
            (Opcode::Fcmpl, &[Float, Float], Int),
            (Opcode::Dneg, &[Double], Double),
        ];
        let (opcode, operands, result) = OPS[self.below(OPS.len())];
        operands.iter().for_each(|t| self.push(*t, 0));
        self.out.op(opcode);
        self.popped(operands.len());
        self.pushed(result);
    }

    pub fn types(&mut self) {
        let to = ["java/lang/String", "[I", LIST, self.own][self.below(4)];
        let index = self.out.class(to);
        self.push(T::Object(OBJECT), 0);
        self.popped(1);
        if self.chance(50) {
            self.out.op2(Opcode::Checkcast, index.0);
            self.pushed(T::Object(to));
        } else {
            self.out.op2(Opcode::Instanceof, index.0);
            self.pushed(T::Int);
        }
    }

    pub fn increment(&mut self) {
        let ints: Vec<u16> = (0..self.state.locals.len())
            .filter(|s| self.state.locals[*s] == T::Int)
            .map(|s| s as u16)
            .collect();
        if ints.is_empty() {
            return;
        }
        let slot = ints[self.below(ints.len())];
        if slot > 255 || self.chance(30) {
            self.out.op(Opcode::Wide);
            self.out.op2(Opcode::Iinc, slot);
            self.out.code.extend(300i16.to_be_bytes());
        } else {
            self.out.op1(Opcode::Iinc, slot as u8);
            self.out.code.push(0xFD);
        }
    }
}
