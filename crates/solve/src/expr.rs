//! Symbolic expressions: a pool of shared nodes, made with the simplifications that need no solver. Knows no bytecode and no solver.
//!
//! Invariants: equal expressions have one number; operands have smaller numbers than what they are operands of, so that everything that goes
//! through an expression is a loop over numbers and never a recursion.

use crate::value::{self, Binary, Sort, Unary, Value};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// An expression, by its number in a [`Pool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expr(u32);

/// A variable of a [`Pool`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

/// What an expression is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant.
    Const(Value),
    /// A variable.
    Var(Var),
    /// One operand.
    Unary(Unary, Expr),
    /// Two operands.
    Binary(Binary, Expr, Expr),
    /// The second where the first holds, else the third.
    Ite(Expr, Expr, Expr),
}

/// Values of variables.
pub type Model = BTreeMap<Var, Value>;

/// Nodes that a pool has at most; what is beyond is for the caller to refuse, see [`Pool::is_full`].
const MOST: usize = 2_000_000;

/// How deep a comparison of a choice between constants is looked through.
const DEPTH: usize = 4;

/// All expressions of one problem.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    nodes: Vec<(Node, Sort)>,
    numbers: FxHashMap<Node, Expr>,
    variables: Vec<(String, Sort)>,
}

impl Pool {
    /// Whether it has more nodes than are worth going on with.
    pub fn is_full(&self) -> bool {
        self.nodes.len() > MOST
    }

    /// What an expression is made of, and its kind.
    pub fn node(&self, expr: Expr) -> (Node, Sort) {
        self.nodes.get(expr.0 as usize).copied().unwrap_or((Node::Const(Value::Bool(false)), Sort::Bool))
    }

    /// Its kind.
    pub fn sort(&self, expr: Expr) -> Sort {
        self.node(expr).1
    }

    /// A variable's name and kind.
    pub fn variable(&self, var: Var) -> (&str, Sort) {
        self.variables.get(var.0 as usize).map_or(("", Sort::Bool), |(name, sort)| (name, *sort))
    }

    /// A variable of its own for every call.
    pub fn fresh(&mut self, name: &str, sort: Sort) -> Var {
        self.variables.push((name.to_owned(), sort));
        Var(self.variables.len() as u32 - 1)
    }

    fn add(&mut self, node: Node, sort: Sort) -> Expr {
        if let Some(known) = self.numbers.get(&node) {
            return *known;
        }
        let number = Expr(self.nodes.len() as u32);
        self.nodes.push((node, sort));
        self.numbers.insert(node, number);
        number
    }

    /// A variable.
    pub fn var(&mut self, var: Var) -> Expr {
        let sort = self.variable(var).1;
        self.add(Node::Var(var), sort)
    }

    /// A constant.
    pub fn value(&mut self, value: Value) -> Expr {
        self.add(Node::Const(value), value.sort())
    }

    /// A condition that always, or never, holds.
    pub fn bool(&mut self, holds: bool) -> Expr {
        self.value(Value::Bool(holds))
    }

    /// An `int`.
    pub fn int(&mut self, value: i32) -> Expr {
        self.value(Value::Int(value))
    }

    /// The value of a constant.
    pub fn constant(&self, expr: Expr) -> Option<Value> {
        match self.node(expr).0 {
            Node::Const(value) => Some(value),
            _ => None,
        }
    }

    fn holds(&self, expr: Expr) -> Option<bool> {
        match self.constant(expr) {
            Some(Value::Bool(holds)) => Some(holds),
            _ => None,
        }
    }

    /// A unary operator.
    pub fn unary(&mut self, op: Unary, a: Expr) -> Expr {
        if let Some(value) = self.constant(a).and_then(|a| value::unary(op, a)) {
            return self.value(value);
        }
        match (op, self.node(a).0) {
            (Unary::Not, Node::Unary(Unary::Not, inner)) => return inner,
            (Unary::To(sort), _) if sort == self.sort(a) => return a,
            _ => {}
        }
        let sort = match op {
            Unary::To(sort) => sort,
            _ => self.sort(a),
        };
        self.add(Node::Unary(op, a), sort)
    }

    /// Negation of a condition.
    #[allow(clippy::should_implement_trait, reason = "it takes a pool")]
    pub fn not(&mut self, a: Expr) -> Expr {
        self.unary(Unary::Not, a)
    }

    /// Both conditions.
    pub fn and(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.holds(a), self.holds(b)) {
            (Some(false), _) | (_, Some(true)) => a,
            (Some(true), _) | (_, Some(false)) => b,
            _ if a == b => a,
            _ if self.not(a) == b => self.bool(false),
            _ => self.add(Node::Binary(Binary::And, a.min(b), a.max(b)), Sort::Bool),
        }
    }

    /// One of the conditions.
    pub fn or(&mut self, a: Expr, b: Expr) -> Expr {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// A binary operator. Operands are of one kind, except that a `long` is shifted by an `int`.
    pub fn binary(&mut self, op: Binary, a: Expr, b: Expr) -> Expr {
        self.simplified(op, a, b, DEPTH)
    }

    fn simplified(&mut self, op: Binary, a: Expr, b: Expr, depth: usize) -> Expr {
        let (left, right) = (self.constant(a), self.constant(b));
        if let (Some(left), Some(right)) = (left, right)
            && let Some(value) = value::binary(op, left, right)
        {
            return self.value(value);
        }
        let sort = self.sort(a);
        match (op, sort) {
            (Binary::And, Sort::Bool) => return self.and(a, b),
            (Binary::Or, Sort::Bool) => return self.or(a, b),
            (Binary::Eq | Binary::Le, Sort::Bool | Sort::Int | Sort::Long) if a == b => {
                return self.bool(true);
            }
            (Binary::Lt, _) if a == b => return self.bool(false),
            (Binary::Add, Sort::Int) if right == Some(Value::Int(0)) => return a,
            (Binary::Add, Sort::Int) if left == Some(Value::Int(0)) => return b,
            _ => {}
        }
        let result = op.result(sort);
        if depth > 0 && result == Sort::Bool {
            // A comparison of what was chosen among constants, as compilers make of conditions, is a condition again.
            match (self.node(a).0, self.node(b).0) {
                (Node::Ite(when, yes, no), Node::Const(_)) if self.is_choice(yes) && self.is_choice(no) => {
                    let (yes, no) =
                        (self.simplified(op, yes, b, depth - 1), self.simplified(op, no, b, depth - 1));
                    return self.ite(when, yes, no);
                }
                (Node::Const(_), Node::Ite(when, yes, no)) if self.is_choice(yes) && self.is_choice(no) => {
                    let (yes, no) =
                        (self.simplified(op, a, yes, depth - 1), self.simplified(op, a, no, depth - 1));
                    return self.ite(when, yes, no);
                }
                _ => {}
            }
        }
        self.add(Node::Binary(op, a, b), result)
    }

    fn is_choice(&self, expr: Expr) -> bool {
        matches!(self.node(expr).0, Node::Const(_) | Node::Ite(..))
    }

    /// `yes` where the condition holds, else `no`.
    pub fn ite(&mut self, when: Expr, yes: Expr, no: Expr) -> Expr {
        match (self.holds(when), self.holds(yes), self.holds(no)) {
            (Some(true), ..) => yes,
            (Some(false), ..) => no,
            _ if yes == no => yes,
            (_, Some(true), _) => self.or(when, no),
            (_, Some(false), _) => {
                let other = self.not(when);
                self.and(other, no)
            }
            (_, _, Some(false)) => self.and(when, yes),
            (_, _, Some(true)) => {
                let other = self.not(when);
                self.or(other, yes)
            }
            _ => {
                let sort = self.sort(yes);
                self.add(Node::Ite(when, yes, no), sort)
            }
        }
    }

    /// Whether two values differ as an assertion of a test sees it: neither equal nor both no number.
    pub fn differ(&mut self, a: Expr, b: Expr) -> Expr {
        let equal = self.binary(Binary::Eq, a, b);
        let differ = self.not(equal);
        if a == b {
            return self.bool(false);
        }
        if !matches!(self.sort(a), Sort::Float | Sort::Double) {
            return differ;
        }
        let numbers = [self.binary(Binary::Eq, a, a), self.binary(Binary::Eq, b, b)];
        let some = self.or(numbers[0], numbers[1]);
        self.and(differ, some)
    }

    /// Everything that some expressions are made of, operands first.
    pub fn parts(&self, roots: &[Expr]) -> Vec<Expr> {
        let mut found: BTreeSet<Expr> = BTreeSet::new();
        let mut open = roots.to_vec();
        while let Some(next) = open.pop() {
            if found.insert(next) {
                operands(self.node(next).0, |operand| open.push(operand));
            }
        }
        found.into_iter().collect()
    }

    /// The variables of an expression.
    pub fn variables_of(&self, roots: &[Expr]) -> BTreeSet<Var> {
        let var = |expr: Expr| match self.node(expr).0 {
            Node::Var(var) => Some(var),
            _ => None,
        };
        self.parts(roots).into_iter().filter_map(var).collect()
    }

    /// The value of an expression; none where what is not known decides, or nothing is divided by zero.
    pub fn eval(&self, root: Expr, known: impl Fn(Var) -> Option<Value>) -> Option<Value> {
        let mut values: FxHashMap<Expr, Value> = FxHashMap::default();
        for part in self.parts(&[root]) {
            let at = |expr: Expr| values.get(&expr).copied();
            let value = match self.node(part).0 {
                Node::Const(value) => Some(value),
                Node::Var(var) => known(var),
                Node::Unary(op, a) => at(a).and_then(|a| value::unary(op, a)),
                Node::Binary(Binary::And, a, b) if [at(a), at(b)].contains(&Some(Value::Bool(false))) => {
                    Some(Value::Bool(false))
                }
                Node::Binary(op, a, b) => at(a).zip(at(b)).and_then(|(a, b)| value::binary(op, a, b)),
                Node::Ite(when, yes, no) => match at(when) {
                    Some(Value::Bool(holds)) => at(if holds { yes } else { no }),
                    _ => at(yes).filter(|yes| at(no) == Some(*yes)),
                },
            };
            if let Some(value) = value {
                values.insert(part, value);
            }
        }
        values.get(&root).copied()
    }

    /// The expression with others in place of variables. `made` keeps what was made with the same replacement.
    pub fn replace(
        &mut self,
        root: Expr,
        with: &dyn Fn(Var) -> Option<Expr>,
        made: &mut FxHashMap<Expr, Expr>,
    ) -> Expr {
        for part in self.parts(&[root]) {
            if made.contains_key(&part) {
                continue;
            }
            let at = |expr: Expr| made.get(&expr).copied().unwrap_or(expr);
            let new = match self.node(part).0 {
                Node::Const(_) => part,
                Node::Var(var) => with(var).unwrap_or(part),
                Node::Unary(op, a) => self.unary(op, at(a)),
                Node::Binary(op, a, b) => self.binary(op, at(a), at(b)),
                Node::Ite(when, yes, no) => self.ite(at(when), at(yes), at(no)),
            };
            made.insert(part, new);
        }
        made.get(&root).copied().unwrap_or(root)
    }
}

/// Calls `visit` with the operands of a node.
pub fn operands(node: Node, mut visit: impl FnMut(Expr)) {
    match node {
        Node::Const(_) | Node::Var(_) => {}
        Node::Unary(_, a) => visit(a),
        Node::Binary(_, a, b) => [a, b].into_iter().for_each(visit),
        Node::Ite(a, b, c) => [a, b, c].into_iter().for_each(visit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_of_what_a_compiler_chose_is_a_condition_again() {
        let mut pool = Pool::default();
        let (a, b) = (pool.fresh("a", Sort::Long), pool.fresh("b", Sort::Long));
        let (a, b) = (pool.var(a), pool.var(b));
        let (less, equal) = (pool.binary(Binary::Lt, a, b), pool.binary(Binary::Eq, a, b));
        let [minus, zero, one] = [-1, 0, 1].map(|number| pool.int(number));
        let rest = pool.ite(equal, zero, one);
        let compared = pool.ite(less, minus, rest);
        assert_eq!(pool.binary(Binary::Lt, compared, zero), less);
        assert_ne!(pool.binary(Binary::Le, compared, zero), less);
    }

    #[test]
    fn what_decides_is_enough_to_know_a_value() {
        let mut pool = Pool::default();
        let (p, x) = (pool.fresh("p", Sort::Bool), pool.fresh("x", Sort::Int));
        let (when, x) = (pool.var(p), pool.var(x));
        let one = pool.int(1);
        let choice = pool.ite(when, one, x);
        let known = |holds| move |var| (var == p).then_some(Value::Bool(holds));
        assert_eq!(pool.eval(choice, known(true)), Some(Value::Int(1)));
        assert_eq!(pool.eval(choice, known(false)), None);
    }
}
