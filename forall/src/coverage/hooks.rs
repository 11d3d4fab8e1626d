//! The functions that instrumented code calls. They exist only in instrumented builds, so they never conflict with
//! libFuzzer, which brings its own.
//!
//! SanitizerCoverage calls `__sanitizer_cov_trace_*` before each comparison of integers. Comparisons of strings and
//! slices end in `memcmp` or `bcmp` of the C library; a definition in the executable takes precedence.
//!
//! This crate is not instrumented, so no hook calls a hook; and none calls the functions that it replaces.

use crate::compared::{is_recording, log_of_this_thread};
use core::arch::naked_asm;
use std::ffi::c_int;
use std::slice;

/// Passes on the operands, with their width and the return address of the hook, which identifies the comparison.
macro_rules! comparison_hook {
    ($name:ident, $width:literal, $left:literal, $right:literal) => {
        // SAFETY: called by code that the compiler inserts, with two integers in the first two registers of the C calling
        // convention; narrow ones with anything above them, which the moves clear. It goes on as a call of `compared` would
        // from the same place: the stack and the registers that calls must preserve are untouched.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
            naked_asm!(
                $left,
                $right,
                concat!("mov edx, ", $width),
                "mov rcx, [rsp]",
                "jmp {compared}",
                compared = sym compared,
            )
        }
    };
}

comparison_hook!(__sanitizer_cov_trace_cmp1, 1, "movzx edi, dil", "movzx esi, sil");
comparison_hook!(__sanitizer_cov_trace_cmp2, 2, "movzx edi, di", "movzx esi, si");
comparison_hook!(__sanitizer_cov_trace_cmp4, 4, "mov edi, edi", "mov esi, esi");
comparison_hook!(__sanitizer_cov_trace_cmp8, 8, "", "");
comparison_hook!(__sanitizer_cov_trace_const_cmp1, 1, "movzx edi, dil", "movzx esi, sil");
comparison_hook!(__sanitizer_cov_trace_const_cmp2, 2, "movzx edi, di", "movzx esi, si");
comparison_hook!(__sanitizer_cov_trace_const_cmp4, 4, "mov edi, edi", "mov esi, esi");
comparison_hook!(__sanitizer_cov_trace_const_cmp8, 24, "", ""); // 8, and `CONSTANT`

/// While nothing is recorded, this is the only cost of a comparison.
extern "C" fn compared(left: u64, right: u64, width: u64, address: usize) {
    if is_recording() {
        record(left, right, width, address);
    }
}

#[inline(never)]
fn record(left: u64, right: u64, width: u64, address: usize) {
    // SAFETY: the called function calls nothing outside of this crate, and the reference ends here.
    if let Some(log) = unsafe { log_of_this_thread() } {
        // An index in bounds. A comparison with 0 is usually a test for emptiness, such as that of the capacity when a vector
        // is dropped; other numbers above their constant are mostly lengths.
        if width & CONSTANT != 0 && left != 0 && right <= left && left <= SMALL {
            log.state(right, relative(address));
        }
        log.numbers(left, right, (width & !CONSTANT) as u8, relative(address));
    }
}

/// Added to the width of a comparison of two 8-byte numbers whose first is a constant: an array's bounds check is one.
const CONSTANT: u64 = 16;

/// Larger numbers are not states.
const SMALL: u64 = 256;

/// A `match` on larger numbers is taken for one on characters.
const SMALL_CASE: u64 = 32;

/// An address in the program relative to its load address, which is the same in every process.
#[inline(always)]
fn relative(address: usize) -> usize {
    address.wrapping_sub(compared as *const () as usize)
}

/// The number of arms of a `match` that are logged.
const ARMS: usize = 64;

// SAFETY: called by code that the compiler inserts, with a number and an array: how many arms, their width in bits, the arms.
#[unsafe(no_mangle)]
unsafe extern "C" fn __sanitizer_cov_trace_switch(value: u64, cases: *const u64) {
    // SAFETY: as in `compared`.
    let Some(log) = (unsafe { log_of_this_thread() }) else { return };
    // SAFETY: the array is as described above.
    let (count, bits) = unsafe { (*cases, *cases.add(1)) };
    if value < SMALL_CASE {
        log.state(value, relative(cases as usize));
    }
    for arm in 0..ARMS.min(count as usize) {
        // SAFETY: there are `count` arms behind the first two numbers.
        let case = unsafe { *cases.add(2 + arm) };
        // Each arm has its own location, otherwise the last would replace the first. The array is the same in every
        // call.
        log.numbers(case, value, (bits / 8) as u8, relative(cases as usize + arm));
    }
}

/// Registers counters of another kind, which are not used.
// SAFETY: called once per unit with the bounds of an array, which is left alone.
#[unsafe(no_mangle)]
unsafe extern "C" fn __sanitizer_cov_8bit_counters_init(_start: *mut u8, _end: *mut u8) {}

/// A function of the C library, which receives its return address as a fourth argument.
macro_rules! string_hook {
    ($name:ident, $function:ident) => {
        // SAFETY: it does what the C library's function of this name does, by going on in `$function` as if that had been
        // called from the same place. The fourth register of the C calling convention is free for use.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
            naked_asm!("mov rcx, [rsp]", "jmp {function}", function = sym $function)
        }
    };
}

string_hook!(memcmp, order);
string_hook!(bcmp, differ);

/// # Safety
///
/// There are `length` bytes at both places.
unsafe extern "C" fn order(left: *const u8, right: *const u8, length: usize, address: usize) -> c_int {
    // SAFETY: the caller's obligations are the same.
    match unsafe { compare(left, right, length, address) } {
        Some((a, b)) if a < b => -1,
        Some(_) => 1,
        None => 0,
    }
}

/// # Safety
///
/// There are `length` bytes at both places.
unsafe extern "C" fn differ(left: *const u8, right: *const u8, length: usize, address: usize) -> c_int {
    // SAFETY: the caller's obligations are the same.
    c_int::from(unsafe { compare(left, right, length, address) }.is_some())
}

/// The first two bytes that differ, if any do; then the strings are logged.
///
/// # Safety
///
/// There are `length` bytes at both places.
#[inline(always)]
unsafe fn compare(left: *const u8, right: *const u8, length: usize, address: usize) -> Option<(u8, u8)> {
    let mut at = 0;
    while at + 8 <= length {
        // SAFETY: at least 8 bytes are left at both.
        let (a, b) = unsafe { (left.add(at).cast::<u64>(), right.add(at).cast::<u64>()) };
        // SAFETY: as above.
        if unsafe { a.read_unaligned() != b.read_unaligned() } {
            break;
        }
        at += 8;
    }
    while at < length {
        // SAFETY: at least one byte is left at both.
        let (a, b) = unsafe { (left.add(at).read(), right.add(at).read()) };
        if a != b {
            // SAFETY: there are `length` bytes at both.
            unsafe { log_strings(left, right, length, address) };
            return Some((a, b));
        }
        at += 1;
    }
    None
}

/// # Safety
///
/// There are `length` bytes at both places.
#[inline(never)]
unsafe fn log_strings(left: *const u8, right: *const u8, length: usize, address: usize) {
    // SAFETY: the called function calls nothing outside of this crate, and the reference ends here.
    if let Some(log) = unsafe { log_of_this_thread() } {
        // SAFETY: there are `length` bytes at both.
        let (left, right) = unsafe { (slice::from_raw_parts(left, length), slice::from_raw_parts(right, length)) };
        log.strings(left, right, relative(address));
    }
}
