//! Cancels searches. A search has two handles: [`CancelToken`] is held by the requester, [`SearchHandle`] by the search
//! and then by its answer. The requester may withdraw, and sees whether an answer may still come.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use bevy::prelude::*;

use super::{NavPath, PathRequest, PathStatus, SteeringRequest, Ticket};

/// The search waits in the queue.
const QUEUED: u8 = 0;
/// A worker has begun the search.
const BEGUN: u8 = 1;
const WITHDRAWN: u8 = 2;

/// The requester's handle: dropping it withdraws the request.
pub(crate) struct CancelToken(Arc<AtomicU8>);

/// The search's handle, which is passed on to its answer. Once it is dropped, no answer will come.
pub(crate) struct SearchHandle(Arc<AtomicU8>);

impl CancelToken {
    /// Whether a worker has begun the search.
    pub(crate) fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed) == BEGUN
    }

    /// Whether an answer may still come: the [`SearchHandle`] exists.
    pub(crate) fn may_be_answered(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Withdraws the request unless a worker has begun the search. Returns whether it was withdrawn: if so, no answer
    /// will come.
    pub(crate) fn try_withdraw(&self) -> bool {
        self.0.compare_exchange(QUEUED, WITHDRAWN, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

impl Drop for CancelToken {
    fn drop(&mut self) {
        self.0.store(WITHDRAWN, Ordering::Relaxed);
    }
}

impl SearchHandle {
    /// Both handles of a search that waits in the queue.
    pub(crate) fn new() -> (Self, CancelToken) {
        let state = Arc::new(AtomicU8::new(QUEUED));
        (Self(state.clone()), CancelToken(state))
    }

    /// Notes that a worker begins the search; false if the requester has withdrawn.
    pub(crate) fn begin(&self) -> bool {
        self.0.compare_exchange(QUEUED, BEGUN, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    pub(crate) fn is_withdrawn(&self) -> bool {
        self.0.load(Ordering::Relaxed) == WITHDRAWN
    }
}

/// Without a request, of the user or of steering.
type WithoutRequest = (Without<PathRequest>, Without<SteeringRequest>);

/// Closes the tickets and removes the paths of entities that no longer have a request.
///
/// The system queries the present state instead of reading removal messages: Bevy drops these after two frames, and a
/// frame may have no fixed tick.
pub(crate) fn cancel(
    mut withdrawn: Query<(&mut Ticket, &mut PathStatus), WithoutRequest>,
    leftover_paths: Query<Entity, (With<NavPath>, WithoutRequest)>,
    mut commands: Commands,
) {
    for (mut ticket, mut status) in &mut withdrawn {
        if ticket.has_request() {
            // Dropping the old ticket drops its `CancelToken`, which cancels the search.
            *ticket = Ticket::default();
            // The end of a crossing reads the status, and the request that there is then.
            if *status != PathStatus::Crossing {
                *status = PathStatus::Idle;
            }
        }
    }
    for entity in &leftover_paths {
        commands.entity(entity).try_remove::<NavPath>();
    }
}
