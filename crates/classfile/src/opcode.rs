//! The instruction set as one table: mnemonic, operand format, stack effect. It knows single opcodes, not code.
//!
//! Invariant: the table is indexed by opcode byte and complete from `nop` to `jsr_w`.

/// How the operands of an opcode are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// No operand.
    None,
    /// A signed byte.
    Byte,
    /// A signed short.
    Short,
    /// A one-byte constant pool index.
    Constant1,
    /// A two-byte constant pool index.
    Constant2,
    /// A one-byte local variable index, two bytes after `wide`.
    Local,
    /// The local variable is part of the opcode.
    Implied(u8),
    /// Local variable and signed increment, each two bytes after `wide`.
    Increment,
    /// A two-byte branch offset.
    Branch2,
    /// A four-byte branch offset.
    Branch4,
    /// `tableswitch`.
    TableSwitch,
    /// `lookupswitch`.
    LookupSwitch,
    /// `invokeinterface`: index, count, zero.
    Interface,
    /// `invokedynamic`: index, two zeros.
    Dynamic,
    /// `newarray`: the element type.
    ArrayType,
    /// `multianewarray`: index, dimensions.
    MultiArray,
    /// `wide`: a modified instruction follows.
    Wide,
}

/// What the table says of an opcode.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Mnemonic of the JVM specification.
    pub mnemonic: &'static str,
    /// Operand format.
    pub format: Format,
    /// Slots popped; for field accesses, calls and `multianewarray` without what the descriptor adds.
    pub pops: u8,
    /// Slots pushed; for field accesses and calls without what the descriptor adds.
    pub pushes: u8,
}

macro_rules! opcodes {
    ($($value:literal $name:ident $mnemonic:literal $format:ident $(($local:literal))? $pops:literal $pushes:literal;)*) => {
        /// An opcode.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Opcode {
            $(
                #[doc = concat!("`", $mnemonic, "`")]
                $name = $value,
            )*
        }

        const ALL: [Opcode; 202] = [$(Opcode::$name),*];
        static INFO: [Info; 202] = [
            $(Info { mnemonic: $mnemonic, format: Format::$format $(($local))?, pops: $pops, pushes: $pushes }),*
        ];
    };
}

opcodes! {
    0 Nop "nop" None 0 0;
    1 AconstNull "aconst_null" None 0 1;
    2 IconstM1 "iconst_m1" None 0 1;
    3 Iconst0 "iconst_0" None 0 1;
    4 Iconst1 "iconst_1" None 0 1;
    5 Iconst2 "iconst_2" None 0 1;
    6 Iconst3 "iconst_3" None 0 1;
    7 Iconst4 "iconst_4" None 0 1;
    8 Iconst5 "iconst_5" None 0 1;
    9 Lconst0 "lconst_0" None 0 2;
    10 Lconst1 "lconst_1" None 0 2;
    11 Fconst0 "fconst_0" None 0 1;
    12 Fconst1 "fconst_1" None 0 1;
    13 Fconst2 "fconst_2" None 0 1;
    14 Dconst0 "dconst_0" None 0 2;
    15 Dconst1 "dconst_1" None 0 2;
    16 Bipush "bipush" Byte 0 1;
    17 Sipush "sipush" Short 0 1;
    18 Ldc "ldc" Constant1 0 1;
    19 LdcW "ldc_w" Constant2 0 1;
    20 Ldc2W "ldc2_w" Constant2 0 2;
    21 Iload "iload" Local 0 1;
    22 Lload "lload" Local 0 2;
    23 Fload "fload" Local 0 1;
    24 Dload "dload" Local 0 2;
    25 Aload "aload" Local 0 1;
    26 Iload0 "iload_0" Implied (0) 0 1;
    27 Iload1 "iload_1" Implied (1) 0 1;
    28 Iload2 "iload_2" Implied (2) 0 1;
    29 Iload3 "iload_3" Implied (3) 0 1;
    30 Lload0 "lload_0" Implied (0) 0 2;
    31 Lload1 "lload_1" Implied (1) 0 2;
    32 Lload2 "lload_2" Implied (2) 0 2;
    33 Lload3 "lload_3" Implied (3) 0 2;
    34 Fload0 "fload_0" Implied (0) 0 1;
    35 Fload1 "fload_1" Implied (1) 0 1;
    36 Fload2 "fload_2" Implied (2) 0 1;
    37 Fload3 "fload_3" Implied (3) 0 1;
    38 Dload0 "dload_0" Implied (0) 0 2;
    39 Dload1 "dload_1" Implied (1) 0 2;
    40 Dload2 "dload_2" Implied (2) 0 2;
    41 Dload3 "dload_3" Implied (3) 0 2;
    42 Aload0 "aload_0" Implied (0) 0 1;
    43 Aload1 "aload_1" Implied (1) 0 1;
    44 Aload2 "aload_2" Implied (2) 0 1;
    45 Aload3 "aload_3" Implied (3) 0 1;
    46 Iaload "iaload" None 2 1;
    47 Laload "laload" None 2 2;
    48 Faload "faload" None 2 1;
    49 Daload "daload" None 2 2;
    50 Aaload "aaload" None 2 1;
    51 Baload "baload" None 2 1;
    52 Caload "caload" None 2 1;
    53 Saload "saload" None 2 1;
    54 Istore "istore" Local 1 0;
    55 Lstore "lstore" Local 2 0;
    56 Fstore "fstore" Local 1 0;
    57 Dstore "dstore" Local 2 0;
    58 Astore "astore" Local 1 0;
    59 Istore0 "istore_0" Implied (0) 1 0;
    60 Istore1 "istore_1" Implied (1) 1 0;
    61 Istore2 "istore_2" Implied (2) 1 0;
    62 Istore3 "istore_3" Implied (3) 1 0;
    63 Lstore0 "lstore_0" Implied (0) 2 0;
    64 Lstore1 "lstore_1" Implied (1) 2 0;
    65 Lstore2 "lstore_2" Implied (2) 2 0;
    66 Lstore3 "lstore_3" Implied (3) 2 0;
    67 Fstore0 "fstore_0" Implied (0) 1 0;
    68 Fstore1 "fstore_1" Implied (1) 1 0;
    69 Fstore2 "fstore_2" Implied (2) 1 0;
    70 Fstore3 "fstore_3" Implied (3) 1 0;
    71 Dstore0 "dstore_0" Implied (0) 2 0;
    72 Dstore1 "dstore_1" Implied (1) 2 0;
    73 Dstore2 "dstore_2" Implied (2) 2 0;
    74 Dstore3 "dstore_3" Implied (3) 2 0;
    75 Astore0 "astore_0" Implied (0) 1 0;
    76 Astore1 "astore_1" Implied (1) 1 0;
    77 Astore2 "astore_2" Implied (2) 1 0;
    78 Astore3 "astore_3" Implied (3) 1 0;
    79 Iastore "iastore" None 3 0;
    80 Lastore "lastore" None 4 0;
    81 Fastore "fastore" None 3 0;
    82 Dastore "dastore" None 4 0;
    83 Aastore "aastore" None 3 0;
    84 Bastore "bastore" None 3 0;
    85 Castore "castore" None 3 0;
    86 Sastore "sastore" None 3 0;
    87 Pop "pop" None 1 0;
    88 Pop2 "pop2" None 2 0;
    89 Dup "dup" None 1 2;
    90 DupX1 "dup_x1" None 2 3;
    91 DupX2 "dup_x2" None 3 4;
    92 Dup2 "dup2" None 2 4;
    93 Dup2X1 "dup2_x1" None 3 5;
    94 Dup2X2 "dup2_x2" None 4 6;
    95 Swap "swap" None 2 2;
    96 Iadd "iadd" None 2 1;
    97 Ladd "ladd" None 4 2;
    98 Fadd "fadd" None 2 1;
    99 Dadd "dadd" None 4 2;
    100 Isub "isub" None 2 1;
    101 Lsub "lsub" None 4 2;
    102 Fsub "fsub" None 2 1;
    103 Dsub "dsub" None 4 2;
    104 Imul "imul" None 2 1;
    105 Lmul "lmul" None 4 2;
    106 Fmul "fmul" None 2 1;
    107 Dmul "dmul" None 4 2;
    108 Idiv "idiv" None 2 1;
    109 Ldiv "ldiv" None 4 2;
    110 Fdiv "fdiv" None 2 1;
    111 Ddiv "ddiv" None 4 2;
    112 Irem "irem" None 2 1;
    113 Lrem "lrem" None 4 2;
    114 Frem "frem" None 2 1;
    115 Drem "drem" None 4 2;
    116 Ineg "ineg" None 1 1;
    117 Lneg "lneg" None 2 2;
    118 Fneg "fneg" None 1 1;
    119 Dneg "dneg" None 2 2;
    120 Ishl "ishl" None 2 1;
    121 Lshl "lshl" None 3 2;
    122 Ishr "ishr" None 2 1;
    123 Lshr "lshr" None 3 2;
    124 Iushr "iushr" None 2 1;
    125 Lushr "lushr" None 3 2;
    126 Iand "iand" None 2 1;
    127 Land "land" None 4 2;
    128 Ior "ior" None 2 1;
    129 Lor "lor" None 4 2;
    130 Ixor "ixor" None 2 1;
    131 Lxor "lxor" None 4 2;
    132 Iinc "iinc" Increment 0 0;
    133 I2l "i2l" None 1 2;
    134 I2f "i2f" None 1 1;
    135 I2d "i2d" None 1 2;
    136 L2i "l2i" None 2 1;
    137 L2f "l2f" None 2 1;
    138 L2d "l2d" None 2 2;
    139 F2i "f2i" None 1 1;
    140 F2l "f2l" None 1 2;
    141 F2d "f2d" None 1 2;
    142 D2i "d2i" None 2 1;
    143 D2l "d2l" None 2 2;
    144 D2f "d2f" None 2 1;
    145 I2b "i2b" None 1 1;
    146 I2c "i2c" None 1 1;
    147 I2s "i2s" None 1 1;
    148 Lcmp "lcmp" None 4 1;
    149 Fcmpl "fcmpl" None 2 1;
    150 Fcmpg "fcmpg" None 2 1;
    151 Dcmpl "dcmpl" None 4 1;
    152 Dcmpg "dcmpg" None 4 1;
    153 Ifeq "ifeq" Branch2 1 0;
    154 Ifne "ifne" Branch2 1 0;
    155 Iflt "iflt" Branch2 1 0;
    156 Ifge "ifge" Branch2 1 0;
    157 Ifgt "ifgt" Branch2 1 0;
    158 Ifle "ifle" Branch2 1 0;
    159 IfIcmpeq "if_icmpeq" Branch2 2 0;
    160 IfIcmpne "if_icmpne" Branch2 2 0;
    161 IfIcmplt "if_icmplt" Branch2 2 0;
    162 IfIcmpge "if_icmpge" Branch2 2 0;
    163 IfIcmpgt "if_icmpgt" Branch2 2 0;
    164 IfIcmple "if_icmple" Branch2 2 0;
    165 IfAcmpeq "if_acmpeq" Branch2 2 0;
    166 IfAcmpne "if_acmpne" Branch2 2 0;
    167 Goto "goto" Branch2 0 0;
    168 Jsr "jsr" Branch2 0 1;
    169 Ret "ret" Local 0 0;
    170 Tableswitch "tableswitch" TableSwitch 1 0;
    171 Lookupswitch "lookupswitch" LookupSwitch 1 0;
    172 Ireturn "ireturn" None 1 0;
    173 Lreturn "lreturn" None 2 0;
    174 Freturn "freturn" None 1 0;
    175 Dreturn "dreturn" None 2 0;
    176 Areturn "areturn" None 1 0;
    177 Return "return" None 0 0;
    178 Getstatic "getstatic" Constant2 0 0;
    179 Putstatic "putstatic" Constant2 0 0;
    180 Getfield "getfield" Constant2 1 0;
    181 Putfield "putfield" Constant2 1 0;
    182 Invokevirtual "invokevirtual" Constant2 1 0;
    183 Invokespecial "invokespecial" Constant2 1 0;
    184 Invokestatic "invokestatic" Constant2 0 0;
    185 Invokeinterface "invokeinterface" Interface 1 0;
    186 Invokedynamic "invokedynamic" Dynamic 0 0;
    187 New "new" Constant2 0 1;
    188 Newarray "newarray" ArrayType 1 1;
    189 Anewarray "anewarray" Constant2 1 1;
    190 Arraylength "arraylength" None 1 1;
    191 Athrow "athrow" None 1 0;
    192 Checkcast "checkcast" Constant2 1 1;
    193 Instanceof "instanceof" Constant2 1 1;
    194 Monitorenter "monitorenter" None 1 0;
    195 Monitorexit "monitorexit" None 1 0;
    196 Wide "wide" Wide 0 0;
    197 Multianewarray "multianewarray" MultiArray 0 1;
    198 Ifnull "ifnull" Branch2 1 0;
    199 Ifnonnull "ifnonnull" Branch2 1 0;
    200 GotoW "goto_w" Branch4 0 0;
    201 JsrW "jsr_w" Branch4 0 1;
}

impl Opcode {
    /// The opcode of a byte; none for bytes that no class file uses.
    pub fn from_byte(byte: u8) -> Option<Self> {
        ALL.get(usize::from(byte)).copied()
    }

    /// Its byte.
    pub fn byte(self) -> u8 {
        self as u8
    }

    /// What the table says of it.
    pub fn info(self) -> &'static Info {
        &INFO[usize::from(self.byte())]
    }

    /// Its mnemonic.
    pub fn mnemonic(self) -> &'static str {
        self.info().mnemonic
    }

    /// Whether the next instruction is never reached by falling through.
    pub fn ends_block(self) -> bool {
        matches!(
            self,
            Self::Goto | Self::GotoW | Self::Ret | Self::Athrow | Self::Tableswitch | Self::Lookupswitch
        ) || self.is_return()
    }

    /// Whether it is one of the six return instructions.
    pub fn is_return(self) -> bool {
        (Self::Ireturn..=Self::Return).contains(&self)
    }

    /// Whether it jumps when a condition holds and falls through otherwise.
    pub fn is_conditional(self) -> bool {
        (Self::Ifeq..=Self::IfAcmpne).contains(&self) || matches!(self, Self::Ifnull | Self::Ifnonnull)
    }

    /// Whether it is `jsr` or `jsr_w`.
    pub fn is_jsr(self) -> bool {
        matches!(self, Self::Jsr | Self::JsrW)
    }

    /// For one that copies the top of the stack: how many slots, and how many lie between them and their copy.
    pub fn copies(self) -> Option<(usize, usize)> {
        match self {
            Self::Dup => Some((1, 0)),
            Self::DupX1 => Some((1, 1)),
            Self::DupX2 => Some((1, 2)),
            Self::Dup2 => Some((2, 0)),
            Self::Dup2X1 => Some((2, 1)),
            Self::Dup2X2 => Some((2, 2)),
            _ => None,
        }
    }

    /// Whether it stores into local variables.
    pub fn is_store(self) -> bool {
        (Self::Istore..=Self::Astore3).contains(&self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_indexed_by_byte() {
        for byte in 0..=201u8 {
            assert_eq!(Opcode::from_byte(byte).unwrap().byte(), byte);
        }
        assert_eq!(Opcode::from_byte(202), None, "breakpoint is reserved");
        assert_eq!(Opcode::from_byte(254), None);
    }

    #[test]
    fn well_known_bytes_have_their_mnemonics() {
        for (byte, mnemonic) in [
            (0x2A, "aload_0"),
            (0x36, "istore"),
            (0x53, "aastore"),
            (0x59, "dup"),
            (0x84, "iinc"),
            (0x99, "ifeq"),
            (0xA7, "goto"),
            (0xAA, "tableswitch"),
            (0xB1, "return"),
            (0xB4, "getfield"),
            (0xBA, "invokedynamic"),
            (0xC5, "multianewarray"),
            (0xC9, "jsr_w"),
        ] {
            assert_eq!(Opcode::from_byte(byte).unwrap().mnemonic(), mnemonic);
        }
    }
}
