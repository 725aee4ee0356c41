//! The worker protocol: what requests and replies share.
//!
//! Knows nothing of processes and time. The numbers are those of `Protocol.java`; the tests that run real workers hold the
//! two together. Invariant: both sides have the same version, or the worker is not used.

mod replies;
mod requests;

pub use replies::{Decoder, ProtocolError, Reply, named_effect};
pub use requests::{Encoder, describe_request, initialise_request};

/// Version both sides must have.
pub const VERSION: u8 = 12;
