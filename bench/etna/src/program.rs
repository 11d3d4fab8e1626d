//! The command line and the output that the programs of all tools share.
