//! The rules as specifications: transcripts of play that read like the rule book, and what must hold whatever is played.

mod chance;
mod classic;
mod hidden;
mod invariants;
mod legality;
mod options;
mod playthroughs;
mod reported;
mod scoring;
mod stored;
mod transcript;
mod two;
