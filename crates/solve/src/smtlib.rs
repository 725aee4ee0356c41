//! Queries as SMT-LIB 2.6 text, and the reading of answers. Knows no process.
//!
//! Numbers with a point are declared as their bits, so that every value of an answer is a bit vector or a truth value. Variables are named by
//! the order in which the query meets them. Invariants: queries that are equal but for names are equal text; an answer that is not exactly
//! what was asked for is an error.

use crate::expr::{Expr, Model, Node, Pool, Var};
use crate::value::{Binary, Sort, Unary, Value};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// A query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The text.
    pub text: String,
    /// The variables by the numbers they have in the text.
    pub variables: Vec<Var>,
}

/// What a solver said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a solution: by variable of the text, its bits.
    Sat(Vec<u64>),
    /// There is none.
    Unsat,
    /// The solver does not know.
    Unknown,
}

/// The query whether all these conditions can hold. `effort` is what the solver may spend, in its own units, where it counts them.
pub fn script(pool: &Pool, conditions: &[Expr], effort: u64) -> Script {
    let mut writer =
        Writer { pool, names: FxHashMap::default(), text: String::new(), variables: vec![], defined: 0 };
    let _ = writeln!(writer.text, "(set-option :print-success false)");
    let _ = writeln!(writer.text, "(set-option :produce-models true)");
    let _ = writeln!(writer.text, "(set-option :reproducible-resource-limit {effort})");
    let _ = writeln!(writer.text, "(set-logic QF_BVFP)");
    for part in pool.parts(conditions) {
        writer.define(part);
    }
    for condition in conditions {
        let name = writer.name(*condition);
        let _ = writeln!(writer.text, "(assert {name})");
    }
    let _ = writeln!(writer.text, "(check-sat)");
    if !writer.variables.is_empty() {
        let names: Vec<String> = (0..writer.variables.len()).map(|number| format!("v{number}")).collect();
        let _ = writeln!(writer.text, "(get-value ({}))", names.join(" "));
    }
    Script { text: writer.text, variables: writer.variables }
}

struct Writer<'p> {
    pool: &'p Pool,
    names: FxHashMap<Expr, String>,
    text: String,
    variables: Vec<Var>,
    defined: usize,
}

impl Writer<'_> {
    fn name(&self, expr: Expr) -> String {
        self.names.get(&expr).cloned().unwrap_or_default()
    }

    fn define(&mut self, expr: Expr) {
        let (node, sort) = self.pool.node(expr);
        let name = match node {
            Node::Const(value) => constant(value),
            Node::Var(var) => self.declare(var),
            _ => {
                let body = self.body(node, sort);
                let name = format!("t{}", self.defined);
                self.defined += 1;
                let _ = writeln!(self.text, "(define-fun {name} () {} {body})", sort_name(sort));
                name
            }
        };
        self.names.insert(expr, name);
    }

    fn declare(&mut self, var: Var) -> String {
        let sort = self.pool.variable(var).1;
        let number = self.variables.len();
        self.variables.push(var);
        let bits = match sort {
            Sort::Bool => "Bool",
            Sort::Int | Sort::Float => "(_ BitVec 32)",
            Sort::Long | Sort::Double => "(_ BitVec 64)",
        };
        let _ = writeln!(self.text, "(declare-fun v{number} () {bits})");
        match sort {
            Sort::Float => format!("((_ to_fp 8 24) v{number})"),
            Sort::Double => format!("((_ to_fp 11 53) v{number})"),
            _ => format!("v{number}"),
        }
    }

    fn body(&self, node: Node, sort: Sort) -> String {
        match node {
            Node::Unary(op, a) => unary(op, &self.name(a), self.pool.sort(a)),
            Node::Binary(op, a, b) => binary(op, (&self.name(a), &self.name(b)), self.pool.sort(a)),
            Node::Ite(when, yes, no) => {
                format!("(ite {} {} {})", self.name(when), self.name(yes), self.name(no))
            }
            Node::Const(_) | Node::Var(_) => sort_name(sort).to_owned(),
        }
    }
}

fn sort_name(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "Bool",
        Sort::Int => "(_ BitVec 32)",
        Sort::Long => "(_ BitVec 64)",
        Sort::Float => "(_ FloatingPoint 8 24)",
        Sort::Double => "(_ FloatingPoint 11 53)",
    }
}

fn constant(value: Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => format!("#x{value:08x}"),
        Value::Long(value) => format!("#x{value:016x}"),
        Value::Float(bits) => format!("((_ to_fp 8 24) #x{bits:08x})"),
        Value::Double(bits) => format!("((_ to_fp 11 53) #x{bits:016x})"),
    }
}

fn unary(op: Unary, a: &str, from: Sort) -> String {
    let is_float = matches!(from, Sort::Float | Sort::Double);
    match op {
        Unary::Not => format!("(not {a})"),
        Unary::Neg if is_float => format!("(fp.neg {a})"),
        Unary::Neg => format!("(bvneg {a})"),
        Unary::ToByte => format!("((_ sign_extend 24) ((_ extract 7 0) {a}))"),
        Unary::ToChar => format!("((_ zero_extend 16) ((_ extract 15 0) {a}))"),
        Unary::ToShort => format!("((_ sign_extend 16) ((_ extract 15 0) {a}))"),
        Unary::To(Sort::Float) => format!("((_ to_fp 8 24) RNE {a})"),
        Unary::To(Sort::Double) => format!("((_ to_fp 11 53) RNE {a})"),
        Unary::To(Sort::Int) if is_float => to_integer(a, from, 32),
        Unary::To(Sort::Long) if is_float => to_integer(a, from, 64),
        Unary::To(Sort::Long) => format!("((_ sign_extend 32) {a})"),
        Unary::To(_) => format!("((_ extract 31 0) {a})"),
    }
}

/// What is no number becomes 0, what is too large the largest (JLS 5.1.3).
fn to_integer(a: &str, from: Sort, bits: u32) -> String {
    let format = if from == Sort::Float { "8 24" } else { "11 53" };
    let (least, most) = (1_u64 << (bits - 1), (1_u64 << (bits - 1)) - 1);
    let digits = bits as usize / 4;
    let (least, most, zero) =
        (format!("#x{least:0digits$x}"), format!("#x{most:0digits$x}"), format!("#x{:0digits$x}", 0));
    // The bound is a power of two, which both formats have.
    let bound = format!("(fp.neg ((_ to_fp {format}) RNE {least}))");
    format!(
        "(ite (fp.isNaN {a}) {zero} (ite (fp.geq {a} {bound}) {most} (ite (fp.leq {a} (fp.neg {bound})) {least} ((_ fp.to_sbv {bits}) RTZ {a}))))"
    )
}

fn binary(op: Binary, (a, b): (&str, &str), sort: Sort) -> String {
    if matches!(sort, Sort::Float | Sort::Double) {
        let word = match op {
            Binary::Add => "fp.add RNE",
            Binary::Sub => "fp.sub RNE",
            Binary::Mul => "fp.mul RNE",
            Binary::Div => "fp.div RNE",
            Binary::Lt => "fp.lt",
            Binary::Le => "fp.leq",
            _ => "fp.eq",
        };
        return format!("({word} {a} {b})");
    }
    let word = match (op, sort) {
        (Binary::And, Sort::Bool) => "and",
        (Binary::Or, Sort::Bool) => "or",
        (Binary::Xor, Sort::Bool) => "xor",
        (Binary::Eq, _) => "=",
        (Binary::Lt, _) => "bvslt",
        (Binary::Le, _) => "bvsle",
        (Binary::Add, _) => "bvadd",
        (Binary::Sub, _) => "bvsub",
        (Binary::Mul, _) => "bvmul",
        (Binary::Div, _) => "bvsdiv",
        (Binary::Rem, _) => "bvsrem",
        (Binary::And, _) => "bvand",
        (Binary::Or, _) => "bvor",
        (Binary::Xor, _) => "bvxor",
        (Binary::Shl, _) => "bvshl",
        (Binary::Shr, _) => "bvashr",
        (Binary::Ushr, _) => "bvlshr",
    };
    // Java masks the distance of a shift.
    match (op, sort) {
        (Binary::Shl | Binary::Shr | Binary::Ushr, Sort::Long) => {
            format!("({word} {a} ((_ zero_extend 32) (bvand {b} #x0000003f)))")
        }
        (Binary::Shl | Binary::Shr | Binary::Ushr, _) => format!("({word} {a} (bvand {b} #x0000001f))"),
        _ => format!("({word} {a} {b})"),
    }
}

/// Reads what a solver printed for a query.
///
/// # Errors
/// When it is not exactly a verdict and, for `sat`, one value for each variable.
pub fn answer(output: &str, variables: usize) -> Result<Answer, String> {
    let output = output.trim();
    let (verdict, rest) = output.split_once('\n').unwrap_or((output, ""));
    match verdict.trim() {
        "unsat" => Ok(Answer::Unsat),
        "unknown" => Ok(Answer::Unknown),
        "sat" if variables == 0 && rest.trim().is_empty() => Ok(Answer::Sat(vec![])),
        "sat" => values(rest, variables).map(Answer::Sat),
        other => Err(format!("the solver said neither sat nor unsat but {other:.80?}")),
    }
}

/// Reads `((v0 #x00000000) (v1 true))`.
fn values(text: &str, variables: usize) -> Result<Vec<u64>, String> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace();
    let mut expect = |wanted: &str| match words.next() {
        Some(word) if word == wanted || wanted.is_empty() => Ok(word),
        word => Err(format!("an answer of the solver has {word:.40?} where {wanted:?} belongs")),
    };
    expect("(")?;
    let mut values = Vec::with_capacity(variables);
    for number in 0..variables {
        expect("(")?;
        expect(&format!("v{number}"))?;
        let word = expect("")?;
        values.push(bits(word).ok_or_else(|| format!("the solver gives {word:.40?} as a value"))?);
        expect(")")?;
    }
    expect(")")?;
    match words.next() {
        None => Ok(values),
        Some(word) => Err(format!("an answer of the solver goes on with {word:.40?}")),
    }
}

fn bits(word: &str) -> Option<u64> {
    match (word, word.strip_prefix("#x"), word.strip_prefix("#b")) {
        ("true", ..) => Some(1),
        ("false", ..) => Some(0),
        (_, Some(digits), _) if !digits.starts_with('+') => u64::from_str_radix(digits, 16).ok(),
        (_, _, Some(digits)) if !digits.starts_with('+') => u64::from_str_radix(digits, 2).ok(),
        _ => None,
    }
}

/// The values that an answer gives to the variables of a query; none where one does not fit its variable.
pub fn model(pool: &Pool, variables: &[Var], bits: &[u64]) -> Option<Model> {
    let value = |(var, bits): (&Var, &u64)| {
        let value = match pool.variable(*var).1 {
            Sort::Bool => (*bits < 2).then_some(Value::Bool(*bits == 1)),
            Sort::Int => u32::try_from(*bits).ok().map(|bits| Value::Int(bits.cast_signed())),
            Sort::Long => Some(Value::Long(bits.cast_signed())),
            Sort::Float => u32::try_from(*bits).ok().map(Value::Float),
            Sort::Double => Some(Value::Double(*bits)),
        };
        value.map(|value| (*var, value))
    };
    (variables.len() == bits.len())
        .then(|| variables.iter().zip(bits).map(value).collect::<Option<Model>>())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_that_differ_in_names_alone_are_one_text() {
        let text = |name: &str| {
            let mut pool = Pool::default();
            pool.fresh("unused", Sort::Int);
            let x = pool.fresh(name, Sort::Int);
            let (x, one) = (pool.var(x), pool.int(1));
            let less = pool.binary(Binary::Lt, x, one);
            script(&pool, &[less], 7).text
        };
        assert_eq!(text("x"), text("y"));
        assert!(text("x").ends_with(
            "(declare-fun v0 () (_ BitVec 32))\n(define-fun t0 () Bool (bvslt v0 #x00000001))\n(assert t0)\n(check-sat)\n(get-value (v0))\n"
        ));
    }

    #[test]
    fn an_answer_is_read_to_the_letter_or_not_at_all() {
        assert_eq!(answer("sat\n((v0 #x0000000f)\n (v1 true))\n", 2), Ok(Answer::Sat(vec![15, 1])));
        assert_eq!(answer("sat", 0), Ok(Answer::Sat(vec![])));
        assert_eq!(answer("unsat\n(error \"model is not available\")\n", 2), Ok(Answer::Unsat));
        assert_eq!(answer("unknown\n(error \"...\")", 1), Ok(Answer::Unknown));
        for nonsense in [
            "",
            "maybe",
            "sat",
            "sat\n((v1 #x00))",
            "sat\n((v0 #x00) (v1 #x00))",
            "sat\n((v0 #xzz))",
            "sat\n((v0 #x+1))",
            "sat\n((v0 #x00)) sat",
            "SAT\n((v0 #x00))",
        ] {
            assert!(answer(nonsense, 1).is_err(), "{nonsense}");
        }
    }
}
