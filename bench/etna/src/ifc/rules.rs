//! The program under test: the information-flow rules of the machine, with seventy mutants.
//!
//! Each instruction except `Halt` has a rule: its precondition, the label of its result, and the label of the next
//! program counter, as joins of the labels of its operands and of the program counter. A mutant replaces one of the
//! three.

use super::label::Label;
use crate::Switch;

/// The instructions that have a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opcode {
    Lab,
    MLab,
    PcLab,
    PutLab,
    Nop,
    Put,
    Mov,
    BinOp,
    Jump,
    Bnz,
    BCall,
    BRet,
    Load,
    Store,
    Write,
    Alloc,
    PSetOff,
    PGetOff,
    MSize,
}

/// A rule.
#[derive(Clone, Copy, Debug)]
struct Rule {
    /// The required flow; everything is allowed if there is none.
    allow: Option<(Join, Join)>,
    /// The label of the result, if there is one.
    result: Join,
    /// The label of the next program counter.
    pc: Join,
}

/// A join of labels: a set of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Join(u8);

const BOTTOM: Join = Join(0);
const A: Join = Join(1);
const B: Join = Join(2);
const C: Join = Join(4);
const D: Join = Join(8);
const PC: Join = Join(16);
const AB: Join = Join(A.0 | B.0);
const A_PC: Join = Join(A.0 | PC.0);
const AB_PC: Join = Join(AB.0 | PC.0);
const AC_PC: Join = Join(A.0 | C.0 | PC.0);
const B_PC: Join = Join(B.0 | PC.0);
const BC: Join = Join(B.0 | C.0);
const BD: Join = Join(B.0 | D.0);

impl Join {
    fn of(self, operands: [Label; 4], pc: Label) -> Label {
        let [a, b, c, d] = operands;
        let mut join = Label::L;
        for (place, label) in [a, b, c, d, pc].into_iter().enumerate() {
            if self.0 >> place & 1 == 1 {
                join = join.join(label);
            }
        }
        join
    }
}

/// Returns the rule of an instruction, without a mutant.
fn correct(opcode: Opcode) -> Rule {
    let rule = |result, pc| Rule { allow: None, result, pc };
    match opcode {
        Opcode::Lab | Opcode::PcLab | Opcode::PutLab | Opcode::Put | Opcode::Nop => rule(BOTTOM, PC),
        Opcode::MLab | Opcode::Mov | Opcode::PGetOff => rule(A, PC),
        Opcode::BinOp | Opcode::Alloc | Opcode::PSetOff => rule(AB, PC),
        Opcode::Jump | Opcode::Bnz => rule(BOTTOM, A_PC),
        Opcode::BCall => rule(B_PC, A_PC),
        Opcode::BRet => Rule { allow: Some((A_PC, BC)), result: B, pc: C },
        Opcode::Load => rule(C, AB_PC),
        Opcode::Store => Rule { allow: Some((A_PC, B)), result: C, pc: PC },
        Opcode::Write => Rule { allow: Some((AC_PC, BD)), result: D, pc: PC },
        Opcode::MSize => rule(B, A_PC),
    }
}

/// A mutant: its replacement in the rule of an instruction.
struct Bug {
    name: &'static str,
    opcode: Opcode,
    change: Change,
}

enum Change {
    Allow(Option<(Join, Join)>),
    Result(Join),
    Pc(Join),
}

const fn result(name: &'static str, opcode: Opcode, join: Join) -> Bug {
    Bug { name, opcode, change: Change::Result(join) }
}

const fn pc(name: &'static str, opcode: Opcode, join: Join) -> Bug {
    Bug { name, opcode, change: Change::Pc(join) }
}

const fn allow(name: &'static str, opcode: Opcode, from: Join, to: Join) -> Bug {
    Bug { name, opcode, change: Change::Allow(Some((from, to))) }
}

const fn always(name: &'static str, opcode: Opcode) -> Bug {
    Bug { name, opcode, change: Change::Allow(None) }
}

const BUGS: [Bug; 70] = [
    pc("OpLab_1", Opcode::Lab, BOTTOM),
    result("OpMLab_1", Opcode::MLab, BOTTOM),
    pc("OpMLab_2", Opcode::MLab, BOTTOM),
    pc("OpPcLab_1", Opcode::PcLab, BOTTOM),
    pc("OpPutLab_1", Opcode::PutLab, BOTTOM),
    pc("OpNop_1", Opcode::Nop, BOTTOM),
    pc("OpPut_1", Opcode::Put, BOTTOM),
    result("OpMov_1", Opcode::Mov, BOTTOM),
    pc("OpMov_2", Opcode::Mov, BOTTOM),
    result("OpBinOp_1", Opcode::BinOp, BOTTOM),
    result("OpBinOp_2", Opcode::BinOp, A),
    result("OpBinOp_3", Opcode::BinOp, B),
    pc("OpBinOp_4", Opcode::BinOp, BOTTOM),
    pc("OpJump_1", Opcode::Jump, BOTTOM),
    pc("OpJump_2", Opcode::Jump, PC),
    pc("OpJump_3", Opcode::Jump, A),
    pc("OpBNZ_1", Opcode::Bnz, BOTTOM),
    pc("OpBNZ_2", Opcode::Bnz, A),
    pc("OpBNZ_3", Opcode::Bnz, PC),
    result("OpBCall_1", Opcode::BCall, BOTTOM),
    result("OpBCall_2", Opcode::BCall, B),
    result("OpBCall_3", Opcode::BCall, PC),
    pc("OpBCall_4", Opcode::BCall, BOTTOM),
    pc("OpBCall_5", Opcode::BCall, A),
    pc("OpBCall_6", Opcode::BCall, PC),
    always("OpBRet_1", Opcode::BRet),
    allow("OpBRet_2", Opcode::BRet, A, B),
    allow("OpBRet_3", Opcode::BRet, A, C),
    allow("OpBRet_4", Opcode::BRet, A, BC),
    allow("OpBRet_5", Opcode::BRet, PC, B),
    allow("OpBRet_6", Opcode::BRet, PC, C),
    allow("OpBRet_7", Opcode::BRet, PC, BC),
    allow("OpBRet_8", Opcode::BRet, A_PC, B),
    allow("OpBRet_9", Opcode::BRet, A_PC, C),
    result("OpBRet_10", Opcode::BRet, BOTTOM),
    pc("OpBRet_11", Opcode::BRet, BOTTOM),
    result("OpLoad_1", Opcode::Load, BOTTOM),
    pc("OpLoad_2", Opcode::Load, BOTTOM),
    pc("OpLoad_3", Opcode::Load, PC),
    pc("OpLoad_4", Opcode::Load, AB),
    always("OpStore_1", Opcode::Store),
    allow("OpStore_2", Opcode::Store, A, B),
    allow("OpStore_3", Opcode::Store, PC, B),
    result("OpStore_4", Opcode::Store, BOTTOM),
    pc("OpStore_5", Opcode::Store, BOTTOM),
    always("OpWrite_1", Opcode::Write),
    allow("OpWrite_2", Opcode::Write, A_PC, B),
    allow("OpWrite_3", Opcode::Write, A_PC, D),
    allow("OpWrite_4", Opcode::Write, A_PC, BD),
    allow("OpWrite_5", Opcode::Write, C, B),
    allow("OpWrite_6", Opcode::Write, C, D),
    allow("OpWrite_7", Opcode::Write, C, BD),
    allow("OpWrite_8", Opcode::Write, AC_PC, B),
    allow("OpWrite_9", Opcode::Write, AC_PC, D),
    result("OpWrite_10", Opcode::Write, BOTTOM),
    pc("OpWrite_11", Opcode::Write, BOTTOM),
    result("OpAlloc_1", Opcode::Alloc, BOTTOM),
    result("OpAlloc_2", Opcode::Alloc, A),
    result("OpAlloc_3", Opcode::Alloc, B),
    pc("OpAlloc_4", Opcode::Alloc, BOTTOM),
    result("OpPSetOff_1", Opcode::PSetOff, BOTTOM),
    result("OpPSetOff_2", Opcode::PSetOff, A),
    result("OpPSetOff_3", Opcode::PSetOff, B),
    pc("OpPSetOff_4", Opcode::PSetOff, BOTTOM),
    result("OpPGetOff_1", Opcode::PGetOff, BOTTOM),
    pc("OpPGetOff_2", Opcode::PGetOff, BOTTOM),
    result("OpMSize_1", Opcode::MSize, BOTTOM),
    pc("OpMSize_2", Opcode::MSize, BOTTOM),
    pc("OpMSize_3", Opcode::MSize, PC),
    pc("OpMSize_4", Opcode::MSize, A),
];

/// The names of the mutants.
pub const MUTANTS: &[&str] = &{
    let mut names = [""; BUGS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = BUGS[i].name;
        i += 1;
    }
    names
};

/// The mutants that only forbid more than the rules do: they falsify nothing, so there are no tasks for them.
pub const STRICTER: &[&str] = &["OpBRet_8", "OpBRet_9", "OpWrite_8", "OpWrite_9"];

/// The active mutant.
pub static SWITCH: Switch = Switch::new();

/// The decision of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The label of the result.
    pub result: Label,
    /// The label of the next program counter.
    pub pc: Label,
}

/// Returns the decision of an instruction's rule; `None` if the instruction is not allowed.
pub fn decide(opcode: Opcode, operands: [Label; 4], pc: Label) -> Option<Decision> {
    let mut rule = correct(opcode);
    if let Some(bug) = SWITCH.current().map(|mutant| &BUGS[mutant])
        && bug.opcode == opcode
    {
        match bug.change {
            Change::Allow(allow) => rule.allow = allow,
            Change::Result(join) => rule.result = join,
            Change::Pc(join) => rule.pc = join,
        }
    }
    let label = |join: Join| join.of(operands, pc);
    let allowed = rule.allow.is_none_or(|(from, to)| label(from).flows_to(label(to)));
    allowed.then(|| Decision { result: label(rule.result), pc: label(rule.pc) })
}
