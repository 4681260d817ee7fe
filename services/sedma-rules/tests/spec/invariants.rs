//! What holds in every state of every deal.
