//! Tests of the library. They are in `tests/`, a program for each subject; those that stand alone there need a process of their own.
