//! Tests of the interpreter by programs whose result is known from the manual, `bpf(4)`.

use super::super::bpf;
use super::*;

const DATA: SeccompData = SeccompData {
    nr: 7,
    arch: 0xc000_003e,
    instruction_pointer: 0x1111_1111_2222_2222,
    args: [0xaaaa_0000_bbbb, 1, 2, 3, 4, 0x5555_5555_6666_6666],
};

fn load_then_compare(offset: u32, value: u32) -> Vec<Instruction> {
    vec![
        Instruction::statement(bpf::LOAD, offset),
        Instruction { code: bpf::JUMP_IF_EQUAL, jt: 0, jf: 1, k: value },
        Instruction::statement(bpf::RETURN, 1),
        Instruction::statement(bpf::RETURN, 0),
    ]
}

/// The numbers that `bpf_asm` of the kernel's source writes. A program is run by the kernel, so that it is
/// not enough that compiler and interpreter mean the same by them.
#[test]
fn each_code_has_the_number_that_the_kernel_knows_it_by() {
    let codes = [
        (bpf::LOAD, 0x20),
        (bpf::AND, 0x54),
        (bpf::JUMP, 0x05),
        (bpf::JUMP_IF_EQUAL, 0x15),
        (bpf::JUMP_IF_GREATER, 0x25),
        (bpf::JUMP_IF_ANY_BIT, 0x45),
        (bpf::JUMP_IF_AT_LEAST, 0x35),
        (bpf::RETURN, 0x06),
    ];
    for (code, number) in codes {
        assert_eq!(code, number);
    }
}

#[test]
fn each_word_is_read_from_its_place() {
    let words = [
        (0, 7),
        (4, 0xc000_003e),
        (8, 0x2222_2222),
        (12, 0x1111_1111),
        (16, 0xbbbb),
        (20, 0xaaaa),
        (24, 1),
        (28, 0),
        (56, 0x6666_6666),
        (60, 0x5555_5555),
    ];
    for (offset, word) in words {
        assert_eq!(interpret(&load_then_compare(offset, word), &DATA), Ok(1), "offset {offset}");
        assert_eq!(
            interpret(&load_then_compare(offset, word + 1), &DATA),
            Ok(0),
            "offset {offset}"
        );
    }
    for offset in [1, 2, 17, 63, 64, u32::MAX] {
        let expected = Err(InterpretError::BadLoad { index: 0, offset });
        assert_eq!(interpret(&load_then_compare(offset, 0), &DATA), expected);
    }
}

#[test]
fn each_comparison_goes_its_way() {
    let taken = |code, k| {
        let program = [
            Instruction::statement(bpf::LOAD, 0),
            Instruction { code, jt: 1, jf: 0, k },
            Instruction::statement(bpf::RETURN, 0),
            Instruction::statement(bpf::RETURN, 1),
        ];
        interpret(&program, &DATA) == Ok(1)
    };
    assert_eq!([6, 7, 8].map(|k| taken(bpf::JUMP_IF_EQUAL, k)), [false, true, false]);
    assert_eq!([6, 7, 8].map(|k| taken(bpf::JUMP_IF_AT_LEAST, k)), [true, true, false]);
    assert_eq!([6, 7, 8].map(|k| taken(bpf::JUMP_IF_GREATER, k)), [true, false, false]);
    assert_eq!([6, 7, 8].map(|k| taken(bpf::JUMP_IF_ANY_BIT, k)), [true, true, false]);
    assert_eq!([0, 1].map(|k| taken(bpf::JUMP, k)), [false, true]);
}

#[test]
fn a_mask_keeps_only_its_bits() {
    let mut program = load_then_compare(16, 0xb0b0);
    assert_eq!(interpret(&program, &DATA), Ok(0));
    program.insert(1, Instruction::statement(bpf::AND, 0xf0f0));
    assert_eq!(interpret(&program, &DATA), Ok(1));
}

#[test]
fn a_program_that_the_kernel_would_refuse_is_an_error() {
    let unknown = [Instruction::statement(0x24, 3)];
    assert_eq!(
        interpret(&unknown, &DATA),
        Err(InterpretError::UnknownCode { index: 0, code: 0x24 })
    );
    let endless = [Instruction::statement(bpf::JUMP, 3)];
    assert_eq!(interpret(&endless, &DATA), Err(InterpretError::PastTheEnd { index: 4 }));
    assert_eq!(interpret(&[], &DATA), Err(InterpretError::PastTheEnd { index: 0 }));
}

#[test]
fn a_check_of_an_argument_that_does_not_exist_never_holds() {
    assert!(Check::equals(5, 0x6666_6666).holds(&DATA.args, 1));
    assert!(!Check::masked(6, 0, 0).holds(&DATA.args, 1));
}
