//! Numbers: which expression an arithmetic instruction, a comparison or a conditional jump is. Knows no arrays and no jumps' targets.
//!
//! Invariant: an integer division leaves the unit by `ArithmeticException` where the divisor is 0.

use crate::expr::{Expr, Pool};
use crate::machine::{ARITHMETIC, Machine, Target, refused};
use crate::refusal::Refusal;
use crate::value::{Binary, Sort, Unary, Value};
use dynaflow_classfile::Opcode;

const KINDS: [Sort; 4] = [Sort::Int, Sort::Long, Sort::Float, Sort::Double];

impl Machine<'_, '_, '_> {
    /// An instruction that takes numbers off the stack and pushes one, or pushes a constant.
    pub(crate) fn compute(&mut self, opcode: Opcode) -> Result<(), Refusal> {
        use Opcode as O;
        let byte = opcode.byte();
        let kind =
            |first: Opcode| KINDS.get(usize::from((byte - first.byte()) % 4)).copied().unwrap_or(Sort::Int);
        let result = match opcode {
            _ if (O::IconstM1..=O::Dconst1).contains(&opcode) => self.shared.pool.value(constant(opcode)),
            _ if (O::Iadd..=O::Drem).contains(&opcode) => return self.binary(opcode, kind(O::Iadd)),
            _ if (O::Ineg..=O::Dneg).contains(&opcode) => {
                let a = self.pop(kind(O::Ineg))?;
                self.shared.pool.unary(Unary::Neg, a)
            }
            _ if (O::Ishl..=O::Lushr).contains(&opcode) => {
                let sort = if (byte - O::Ishl.byte()).is_multiple_of(2) { Sort::Int } else { Sort::Long };
                let (b, a) = (self.pop(Sort::Int)?, self.pop(sort)?);
                let ops = [Binary::Shl, Binary::Shr, Binary::Ushr];
                let op = ops.get(usize::from((byte - O::Ishl.byte()) / 2)).copied().unwrap_or(Binary::Shl);
                self.shared.pool.binary(op, a, b)
            }
            _ if (O::Iand..=O::Lxor).contains(&opcode) => {
                let sort = if (byte - O::Iand.byte()).is_multiple_of(2) { Sort::Int } else { Sort::Long };
                let (b, a) = (self.pop(sort)?, self.pop(sort)?);
                let ops = [Binary::And, Binary::Or, Binary::Xor];
                let op = ops.get(usize::from((byte - O::Iand.byte()) / 2)).copied().unwrap_or(Binary::And);
                self.shared.pool.binary(op, a, b)
            }
            _ if (O::I2l..=O::I2s).contains(&opcode) => {
                let (from, op) = conversion(opcode);
                let a = self.pop(from)?;
                self.shared.pool.unary(op, a)
            }
            O::Lcmp | O::Fcmpl | O::Fcmpg | O::Dcmpl | O::Dcmpg => self.compare(opcode)?,
            _ => return Err(refused(opcode)),
        };
        self.push(result);
        Ok(())
    }

    fn binary(&mut self, opcode: Opcode, sort: Sort) -> Result<(), Refusal> {
        let (b, a) = (self.pop(sort)?, self.pop(sort)?);
        let ops = [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div, Binary::Rem];
        let op =
            ops.get(usize::from((opcode.byte() - Opcode::Iadd.byte()) / 4)).copied().unwrap_or(Binary::Add);
        let is_integer = matches!(sort, Sort::Int | Sort::Long);
        if op == Binary::Rem && !is_integer {
            // SMT-LIB has the remainder of IEEE 754 alone, which is another one.
            return Err(refused(opcode));
        }
        if is_integer && matches!(op, Binary::Div | Binary::Rem) {
            let zero = self.shared.pool.value(Value::small(sort, 0));
            let divides = self.shared.pool.binary(Binary::Eq, b, zero);
            self.branch(divides, Target::Throw(ARITHMETIC.to_owned()));
            if self.shared.pool.constant(divides) == Some(Value::Bool(true)) {
                self.push(zero);
                return Ok(());
            }
        }
        let result = self.shared.pool.binary(op, a, b);
        self.push(result);
        Ok(())
    }

    /// -1, 0 or 1; where one is no number, -1 or 1 as the instruction says.
    fn compare(&mut self, opcode: Opcode) -> Result<Expr, Refusal> {
        let sort = match opcode {
            Opcode::Lcmp => Sort::Long,
            Opcode::Fcmpl | Opcode::Fcmpg => Sort::Float,
            _ => Sort::Double,
        };
        let (b, a) = (self.pop(sort)?, self.pop(sort)?);
        let pool = &mut *self.shared.pool;
        let [minus, zero, one] = [-1, 0, 1].map(|number| pool.int(number));
        let equal = pool.binary(Binary::Eq, a, b);
        // What is no number is neither less nor equal: it falls to the last branch.
        let (first, then, last) = if matches!(opcode, Opcode::Fcmpl | Opcode::Dcmpl) {
            (pool.binary(Binary::Lt, b, a), one, minus)
        } else {
            (pool.binary(Binary::Lt, a, b), minus, one)
        };
        let rest = pool.ite(equal, zero, last);
        Ok(pool.ite(first, then, rest))
    }

    /// The condition under which a jump on one or two `int`s is taken.
    pub(crate) fn condition(&mut self, opcode: Opcode) -> Result<Expr, Refusal> {
        use Opcode as O;
        let is_pair = (O::IfIcmpeq..=O::IfIcmple).contains(&opcode);
        let b = if is_pair { self.pop(Sort::Int)? } else { self.shared.pool.int(0) };
        let a = self.pop(Sort::Int)?;
        let first = if is_pair { O::IfIcmpeq } else { O::Ifeq };
        Ok(relation(self.shared.pool, opcode.byte() - first.byte(), a, b))
    }
}

fn constant(opcode: Opcode) -> Value {
    let number = |first: Opcode| (opcode.byte() - first.byte()).cast_signed();
    match opcode {
        Opcode::Lconst0 | Opcode::Lconst1 => Value::small(Sort::Long, number(Opcode::Lconst0)),
        Opcode::Fconst0 | Opcode::Fconst1 | Opcode::Fconst2 => {
            Value::small(Sort::Float, number(Opcode::Fconst0))
        }
        Opcode::Dconst0 | Opcode::Dconst1 => Value::small(Sort::Double, number(Opcode::Dconst0)),
        _ => Value::small(Sort::Int, number(Opcode::IconstM1) - 1),
    }
}

fn conversion(opcode: Opcode) -> (Sort, Unary) {
    use Opcode as O;
    match opcode {
        O::I2l => (Sort::Int, Unary::To(Sort::Long)),
        O::I2f => (Sort::Int, Unary::To(Sort::Float)),
        O::I2d => (Sort::Int, Unary::To(Sort::Double)),
        O::L2i => (Sort::Long, Unary::To(Sort::Int)),
        O::L2f => (Sort::Long, Unary::To(Sort::Float)),
        O::L2d => (Sort::Long, Unary::To(Sort::Double)),
        O::F2i => (Sort::Float, Unary::To(Sort::Int)),
        O::F2l => (Sort::Float, Unary::To(Sort::Long)),
        O::F2d => (Sort::Float, Unary::To(Sort::Double)),
        O::D2i => (Sort::Double, Unary::To(Sort::Int)),
        O::D2l => (Sort::Double, Unary::To(Sort::Long)),
        O::D2f => (Sort::Double, Unary::To(Sort::Float)),
        O::I2b => (Sort::Int, Unary::ToByte),
        O::I2c => (Sort::Int, Unary::ToChar),
        _ => (Sort::Int, Unary::ToShort),
    }
}

/// By place in the order of opcodes: `==`, `!=`, `<`, `>=`, `>`, `<=`.
fn relation(pool: &mut Pool, place: u8, a: Expr, b: Expr) -> Expr {
    let (op, a, b) = match place {
        0 | 1 => (Binary::Eq, a, b),
        2 | 3 => (Binary::Lt, a, b),
        _ => (Binary::Lt, b, a),
    };
    let holds = pool.binary(op, a, b);
    if place % 2 == 1 { pool.not(holds) } else { holds }
}
