//! Requests the next goal of a [`GoalQueue`] when the one before it has been visited.

use bevy::prelude::*;

use crate::order::{GoalQueue, PathRequest, PathStatus, QueueRests, QueueState, Ticket};

/// The components of an agent with a queue.
type Queued = (
    Entity,
    &'static mut GoalQueue,
    &'static mut QueueState,
    Option<(Ref<'static, PathRequest>, &'static Ticket)>,
    Option<&'static PathStatus>,
    Has<QueueRests>,
);

/// Requests the first goal of agents without a request, and the next one of those that have visited a goal.
pub(super) fn request_next(mut queues: Query<Queued>, time: Option<Res<Time>>, mut commands: Commands) {
    let dt = time.map_or(0.0, |time| time.delta_secs());
    for (entity, mut queue, mut state, request, status, is_suspended) in &mut queues {
        let is_changed = queue.is_changed();
        if is_changed {
            state.reset_failures();
        }
        let goal = queue.goal().filter(|_| !queue.has_given_up(&state) && !is_suspended);
        let Some(goal) = goal else { continue };
        let Some((request, ticket)) = request else {
            (state.requested, state.stayed) = (Some(goal), 0.0);
            commands.entity(entity).try_insert(PathRequest::to(goal));
            continue;
        };
        let (is_new, request) = (ticket.checked != Some(request.last_changed()), *request);
        // A request that the old queue made is replaced; one of the user's own is served first.
        if is_changed && request.goal != goal && state.requested == Some(request.goal) {
            (state.requested, state.stayed) = (Some(goal), 0.0);
            commands.entity(entity).try_insert(PathRequest { goal, ..request });
            continue;
        }
        // The status is still that of the previous request.
        if is_new {
            continue;
        }
        let (has_ended, has_failed) = match status {
            Some(PathStatus::Arrived | PathStatus::EndedShort(_)) => (true, false),
            Some(PathStatus::Failed(_)) => (true, true),
            _ => (false, false),
        };
        if !has_ended {
            continue;
        }
        // After a request of the user's own for another goal, the present goal has not been visited yet.
        let is_visited = request.goal == goal;
        if is_visited && !has_failed && state.stayed < queue.wait {
            state.stayed += dt;
            continue;
        }
        // Without change detection: a change of the queue would reset the count of failures.
        let queue = queue.bypass_change_detection();
        if (!is_visited || queue.advance(&mut state, has_failed))
            && let Some(goal) = queue.goal()
        {
            (state.requested, state.stayed) = (Some(goal), 0.0);
            commands.entity(entity).try_insert(PathRequest { goal, ..request });
        }
    }
}
