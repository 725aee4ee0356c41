//! Expressions and statements of the subset of Java that tests are written in. Knows nothing of names or types.
//!
//! Invariant: what is not of the subset fails.

use super::tokens::Token;
use dynaflow_model::sequence::Value;

/// A type as it is written: names between dots, and how many dimensions.
pub type TypeName = (Vec<String>, usize);

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Literal(Value),
    /// `a.b.C.d`, whatever that is.
    Name(Vec<String>),
    Class(TypeName),
    Cast(TypeName, Box<Expr>),
    New(Vec<String>, Vec<Expr>),
    /// `outer.new Inner()`.
    Inner(Box<Expr>, String, Vec<Expr>),
    Array(TypeName, u32),
    /// `{a, b}`.
    Filled(Vec<Expr>),
    /// `new int[] {a, b}`.
    FilledArray(TypeName, Vec<Expr>),
    /// `a[0]`.
    Index(Box<Expr>, u32),
    Call(Box<Expr>, String, Vec<Expr>),
    /// A call of something that is imported by name.
    Function(String, Vec<Expr>),
    Field(Box<Expr>, String),
    /// Names of the parameters, and what it gives.
    Lambda(Vec<String>, Option<Box<Expr>>),
    /// `new A() { ... }`.
    Anonymous(Vec<String>, Vec<Implemented>),
}

/// A method of an anonymous class.
#[derive(Clone, Debug, PartialEq)]
pub struct Implemented {
    pub result: TypeName,
    pub name: String,
    pub parameters: Vec<(TypeName, String)>,
    pub gives: Option<Expr>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    Declare(TypeName, String, Expr),
    Store(String, u32, Expr),
    Do(Expr),
    /// What is tried, the class caught, whether it fails inside or behind when nothing is thrown, and what is asserted of what is thrown.
    Try(Expr, TypeName, bool, Option<Expr>),
}

/// Reads tokens one after the other.
pub struct Parser<'t> {
    pub tokens: &'t [Token],
    pub at: usize,
}

impl Parser<'_> {
    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    fn is_sign(&self, ahead: usize, sign: char) -> bool {
        self.peek(ahead) == Some(&Token::Sign(sign))
    }

    pub fn is_word(&self, ahead: usize, word: &str) -> bool {
        matches!(self.peek(ahead), Some(Token::Word(found)) if found == word)
    }

    pub fn sign(&mut self, sign: char) {
        assert!(self.is_sign(0, sign), "{sign} is missing before {:?}", &self.tokens[self.at..]);
        self.at += 1;
    }

    pub fn skip(&mut self, sign: char) -> bool {
        let found = self.is_sign(0, sign);
        self.at += usize::from(found);
        found
    }

    pub fn word(&mut self) -> String {
        let Some(Token::Word(word)) = self.tokens.get(self.at) else {
            unreachable!("no name: {:?}", self.tokens.get(self.at..))
        };
        self.at += 1;
        word.clone()
    }

    pub fn path(&mut self) -> Vec<String> {
        let mut path = vec![self.word()];
        while self.is_sign(0, '.')
            && matches!(self.peek(1), Some(Token::Word(w)) if w != "class" && w != "new")
        {
            self.at += 1;
            path.push(self.word());
        }
        path
    }

    /// Type arguments, which say nothing that matters when a test runs.
    fn skip_arguments(&mut self) {
        if !self.skip('<') {
            return;
        }
        let mut depth = 1;
        while depth > 0 {
            match &self.tokens[self.at] {
                Token::Sign('<') => depth += 1,
                Token::Sign('>') => depth -= 1,
                Token::Sign(sign) => assert!("?,.[]".contains(*sign), "{sign} among type arguments"),
                Token::Word(_) => {}
                Token::Literal(literal) => unreachable!("{literal:?} among type arguments"),
            }
            self.at += 1;
        }
    }

    fn type_name(&mut self) -> TypeName {
        let path = self.path();
        self.skip_arguments();
        let mut dimensions = 0;
        while self.is_sign(0, '[') && self.is_sign(1, ']') {
            self.at += 2;
            dimensions += 1;
        }
        (path, dimensions)
    }

    /// The statements up to the brace that closes them.
    pub fn body(&mut self) -> Vec<Line> {
        let mut lines = vec![];
        while !self.skip('}') {
            lines.push(self.line());
        }
        lines
    }

    fn line(&mut self) -> Line {
        if self.is_word(0, "try") {
            return self.try_and_catch();
        }
        let start = self.at;
        if matches!(self.peek(0), Some(Token::Word(_))) {
            if self.is_sign(1, '[') && matches!(self.peek(2), Some(Token::Literal(_))) {
                let array = self.word();
                self.sign('[');
                let index = self.length();
                self.sign('=');
                let value = self.expression();
                self.sign(';');
                return Line::Store(array, index, value);
            }
            let declared = if self.is_word(0, "new") { None } else { Some(self.type_name()) };
            if let (Some(declared), Some(Token::Word(_))) = (declared, self.peek(0)) {
                let name = self.word();
                self.sign('=');
                let value = self.expression();
                self.sign(';');
                return Line::Declare(declared, name, value);
            }
            self.at = start;
        }
        let expression = self.expression();
        self.sign(';');
        Line::Do(expression)
    }

    fn try_and_catch(&mut self) -> Line {
        self.word();
        self.sign('{');
        let tried = self.expression();
        self.sign(';');
        let inside = !self.skip('}');
        if inside {
            self.fail();
            self.sign('}');
        }
        assert_eq!(self.word(), "catch");
        self.sign('(');
        let caught = self.type_name();
        self.word();
        self.sign(')');
        self.sign('{');
        let mut asserted = None;
        if self.is_word(0, "assertEquals") {
            asserted = Some(self.expression());
            self.sign(';');
        }
        if self.is_word(0, "return") {
            self.word();
            self.sign(';');
        }
        self.sign('}');
        if !inside {
            self.fail();
        }
        Line::Try(tried, caught, inside, asserted)
    }

    fn fail(&mut self) {
        assert!(matches!(self.expression(), Expr::Function(name, _) if name == "fail"));
        self.sign(';');
    }

    fn length(&mut self) -> u32 {
        let Some(Token::Literal(Value::Int(length))) = self.peek(0).cloned() else {
            unreachable!("no length")
        };
        self.at += 1;
        self.sign(']');
        u32::try_from(length).unwrap()
    }

    pub fn expression(&mut self) -> Expr {
        let mut found = self.primary();
        loop {
            if self.skip('[') {
                found = Expr::Index(Box::new(found), self.length());
                continue;
            }
            if !self.skip('.') {
                return found;
            }
            if self.is_word(0, "new") {
                self.word();
                let class = self.word();
                found = Expr::Inner(Box::new(found), class, self.arguments());
                continue;
            }
            let name = self.word();
            found = if self.is_sign(0, '(') {
                Expr::Call(Box::new(found), name, self.arguments())
            } else {
                Expr::Field(Box::new(found), name)
            };
        }
    }

    fn primary(&mut self) -> Expr {
        if let Some(Token::Literal(value)) = self.peek(0).cloned() {
            self.at += 1;
            return Expr::Literal(value);
        }
        if self.skip('{') {
            let mut all = vec![];
            while !self.skip('}') {
                all.push(self.expression());
                self.skip(',');
            }
            return Expr::Filled(all);
        }
        if self.skip('(') {
            return self.in_parentheses();
        }
        match self.peek(0) {
            Some(Token::Word(_)) if self.is_sign(1, '-') && self.is_sign(2, '>') => {
                let one = self.word();
                self.lambda(vec![one])
            }
            Some(Token::Word(word)) if word == "new" => self.new_object(),
            Some(Token::Word(word)) if ["null", "true", "false"].contains(&word.as_str()) => {
                let word = self.word();
                Expr::Literal(if word == "null" { Value::Null } else { Value::Bool(word == "true") })
            }
            _ => self.named(),
        }
    }

    /// A lambda, a cast, or an expression: the last only where another parenthesis follows.
    fn in_parentheses(&mut self) -> Expr {
        if self.skip(')') {
            return self.lambda(vec![]);
        }
        if matches!(self.peek(0), Some(Token::Word(_))) && self.is_sign(1, ',') {
            let mut names = vec![self.word()];
            while self.skip(',') {
                names.push(self.word());
            }
            self.sign(')');
            return self.lambda(names);
        }
        if self.is_sign(0, '(') {
            let inside = self.expression();
            self.sign(')');
            return inside;
        }
        let to = self.type_name();
        self.sign(')');
        Expr::Cast(to, Box::new(self.expression()))
    }

    /// What follows the parameters.
    fn lambda(&mut self, names: Vec<String>) -> Expr {
        self.sign('-');
        self.sign('>');
        if self.is_sign(0, '{') {
            self.sign('{');
            self.sign('}');
            return Expr::Lambda(names, None);
        }
        Expr::Lambda(names, Some(Box::new(self.expression())))
    }

    /// The methods of an anonymous class, up to the brace that closes it.
    fn implemented(&mut self) -> Vec<Implemented> {
        let mut all = vec![];
        while !self.skip('}') {
            self.sign('@');
            assert_eq!((self.word().as_str(), self.word().as_str()), ("Override", "public"));
            let (result, name) = (self.type_name(), self.word());
            let mut parameters = vec![];
            self.sign('(');
            while !self.skip(')') {
                parameters.push((self.type_name(), self.word()));
                self.skip(',');
            }
            self.sign('{');
            let gives = self.is_word(0, "return").then(|| {
                self.word();
                let given = self.expression();
                self.sign(';');
                given
            });
            self.sign('}');
            all.push(Implemented { result, name, parameters, gives });
        }
        all
    }

    fn new_object(&mut self) -> Expr {
        self.word();
        let path = self.path();
        if self.skip('<') {
            // Type arguments are inferred.
            self.sign('>');
        }
        if !self.skip('[') {
            let arguments = self.arguments();
            if self.skip('{') {
                assert_eq!(arguments, [], "an interface has no constructor");
                return Expr::Anonymous(path, self.implemented());
            }
            return Expr::New(path, arguments);
        }
        if self.skip(']') {
            let Expr::Filled(elements) = self.primary() else { unreachable!("an array without a length") };
            return Expr::FilledArray((path, 1), elements);
        }
        let length = self.length();
        let mut dimensions = 1;
        while self.is_sign(0, '[') && self.is_sign(1, ']') {
            self.at += 2;
            dimensions += 1;
        }
        Expr::Array((path, dimensions), length)
    }

    fn named(&mut self) -> Expr {
        let (mut path, dimensions) = self.type_name();
        if self.is_sign(0, '.') && self.is_word(1, "class") {
            self.at += 2;
            return Expr::Class((path, dimensions));
        }
        assert_eq!(dimensions, 0, "no array type stands alone");
        if !self.is_sign(0, '(') {
            return Expr::Name(path);
        }
        let name = path.pop().unwrap();
        let arguments = self.arguments();
        if path.is_empty() {
            Expr::Function(name, arguments)
        } else {
            Expr::Call(Box::new(Expr::Name(path)), name, arguments)
        }
    }

    fn arguments(&mut self) -> Vec<Expr> {
        self.sign('(');
        let mut all = vec![];
        while !self.skip(')') {
            all.push(self.expression());
            self.skip(',');
        }
        all
    }
}
