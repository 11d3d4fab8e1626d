//! The atomic operations of instrumented code in a program without `forall`: they do what they would without instrumentation.
//! A part of the library of hooks that do nothing, not of this program. `forall/src/scheduler/atomics.rs` has those with points.

use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::SeqCst, compiler_fence, fence};

macro_rules! modify {
    ($bits:literal, $atomic:ident, $value:ty, $($name:literal $method:ident)*) => {
        $(
            #[unsafe(export_name = concat!("__tsan_atomic", $bits, "_", $name))]
            unsafe extern "C" fn $method(at: *mut $value, value: $value, _order: i32) -> $value {
                // SAFETY: the compiler passes the address of an atomic.
                unsafe { $atomic::from_ptr(at) }.$method(value, SeqCst)
            }
        )*
    };
}

macro_rules! atomics {
    ($module:ident, $bits:literal, $atomic:ident, $value:ty) => {
        mod $module {
            use super::*;

            #[unsafe(export_name = concat!("__tsan_atomic", $bits, "_load"))]
            unsafe extern "C" fn load(at: *mut $value, _order: i32) -> $value {
                // SAFETY: the compiler passes the address of an atomic.
                unsafe { $atomic::from_ptr(at) }.load(SeqCst)
            }

            #[unsafe(export_name = concat!("__tsan_atomic", $bits, "_store"))]
            unsafe extern "C" fn store(at: *mut $value, value: $value, _order: i32) {
                // SAFETY: the compiler passes the address of an atomic.
                unsafe { $atomic::from_ptr(at) }.store(value, SeqCst)
            }

            #[unsafe(export_name = concat!("__tsan_atomic", $bits, "_compare_exchange_val"))]
            unsafe extern "C" fn compare_exchange(
                at: *mut $value,
                expected: $value,
                value: $value,
                _success: i32,
                _failure: i32,
            ) -> $value {
                // SAFETY: the compiler passes the address of an atomic.
                let exchanged = unsafe { $atomic::from_ptr(at) }.compare_exchange(expected, value, SeqCst, SeqCst);
                exchanged.unwrap_or_else(|old| old)
            }

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

#[unsafe(no_mangle)]
extern "C" fn __tsan_atomic_thread_fence(_order: i32) {
    fence(SeqCst);
}

#[unsafe(no_mangle)]
extern "C" fn __tsan_atomic_signal_fence(_order: i32) {
    compiler_fence(SeqCst);
}
