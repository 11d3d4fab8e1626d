//! The atomic operations of instrumented code: LLVM's ThreadSanitizer pass turns each into a call of one of these
//! functions. A thread can be preempted before each of them, including a compare-and-swap.
//!
//! `cargo-forall/src/wrapper/atomics.rs` has the same functions without scheduling points, for programs that do not
//! contain this crate.

use super::hooks::{before_atomic, changed};
use core::arch::naked_asm;
use std::ffi::c_int;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering, compiler_fence, fence};

/// The number of `SeqCst` in the C++ memory model. Weaker orderings have smaller numbers.
const SEQ_CST: c_int = 5;

/// Defines a function under the name that the compiler calls. It passes on its own arguments, and the address that it returns to in
/// one more register: the place of the operation.
macro_rules! with_place {
    ($bits:literal, $name:literal, $function:ident, $register:literal) => {
        const _: () = {
            // SAFETY: called by code that the compiler inserts. It continues as a call of the function would from the same place: the
            // stack, the other arguments and the registers that calls must preserve are untouched.
            #[unsafe(export_name = concat!("__tsan_atomic", $bits, "_", $name))]
            #[unsafe(naked)]
            unsafe extern "C" fn named() {
        naked_asm!(concat!("mov ", $register, ", [rsp]"), "jmp {function}", function = sym $function)
            }
        };
    };
}

/// Operations that return the old value.
macro_rules! modify {
    ($bits:literal, $atomic:ident, $value:ty, $($name:literal $method:ident)*) => {
        $(
            unsafe extern "C" fn $method(at: *mut $value, value: $value, _order: c_int, code: usize) -> $value {
                before_atomic(at as usize, code);
                // SAFETY: the compiler passes the address of an atomic.
                let atomic = unsafe { $atomic::from_ptr(at) };
                let old = atomic.$method(value, Ordering::SeqCst);
                if atomic.load(Ordering::Relaxed) != old {
                    changed();
                }
                old
            }

            with_place!($bits, $name, $method, "rcx");
        )*
    };
}

/// The operations of one width.
macro_rules! atomics {
    ($module:ident, $bits:literal, $atomic:ident, $value:ty) => {
        mod $module {
            use super::*;

            unsafe extern "C" fn load(at: *mut $value, _order: c_int, code: usize) -> $value {
                before_atomic(at as usize, code);
                // SAFETY: the compiler passes the address of an atomic.
                unsafe { $atomic::from_ptr(at) }.load(Ordering::SeqCst)
            }

            /// Weaker stores stay weaker: programs run on real threads as well.
            unsafe extern "C" fn store(at: *mut $value, value: $value, order: c_int, code: usize) {
                before_atomic(at as usize, code);
                // SAFETY: the compiler passes the address of an atomic.
                let atomic = unsafe { $atomic::from_ptr(at) };
                if atomic.load(Ordering::Relaxed) != value {
                    changed();
                }
                atomic.store(value, if order == SEQ_CST { Ordering::SeqCst } else { Ordering::Release });
            }

            unsafe extern "C" fn compare_exchange(
                at: *mut $value,
                expected: $value,
                value: $value,
                _success: c_int,
                _failure: c_int,
                code: usize,
            ) -> $value {
                before_atomic(at as usize, code);
                // SAFETY: the compiler passes the address of an atomic.
                let atomic = unsafe { $atomic::from_ptr(at) };
                match atomic.compare_exchange(expected, value, Ordering::SeqCst, Ordering::SeqCst) {
                    Ok(old) => {
                        changed();
                        old
                    }
                    Err(old) => old,
                }
            }

            with_place!($bits, "load", load, "rdx");
            with_place!($bits, "store", store, "rcx");
            with_place!($bits, "compare_exchange_val", compare_exchange, "r9");
            modify! {
                $bits, $atomic, $value,
                "exchange" swap "fetch_add" fetch_add "fetch_sub" fetch_sub "fetch_and" fetch_and "fetch_nand" fetch_nand
                "fetch_or" fetch_or "fetch_xor" fetch_xor
            }
        }
    };
}

atomics!(bits_8, "8", AtomicU8, u8);
atomics!(bits_16, "16", AtomicU16, u16);
atomics!(bits_32, "32", AtomicU32, u32);
atomics!(bits_64, "64", AtomicU64, u64);

// SAFETY: called by code that the compiler inserts.
#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_atomic_thread_fence(_order: c_int) {
    fence(Ordering::SeqCst);
}

// SAFETY: called by code that the compiler inserts.
#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_atomic_signal_fence(_order: c_int) {
    compiler_fence(Ordering::SeqCst);
}
