//! Writing results: whole or not at all.
