//! Requests the next goal of a [`GoalQueue`] when the one before it has been visited.

use bevy::prelude::*;

use crate::agent::Agent;
use crate::order::{
    GoalQueue, NavGoal, PathError, PathRequest, PathStatus, QueueFinished, QueueRests, QueueState, Ticket,
};

/// The components of an agent with a queue.
type Queued = (
    Entity,
    (&'static mut GoalQueue, &'static mut QueueState),
    (&'static Agent, &'static Transform),
    Option<(Ref<'static, PathRequest>, &'static Ticket)>,
    Option<&'static PathStatus>,
    Has<QueueRests>,
);

/// Requests the first goal of agents without a request, and the next one of those that have visited a goal.
pub(super) fn request_next(mut queues: Query<Queued>, time: Option<Res<Time>>, mut commands: Commands) {
    let dt = time.map_or(0.0, |time| time.delta_secs());
    for (entity, (mut queue, mut state), (agent, transform), request, status, is_suspended) in &mut queues {
        let here = transform.translation;
        if queue.is_changed() {
            state.begin_round();
        }
        let Some(goal) = queue.goals.get(queue.next).filter(|_| !is_suspended) else { continue };
        let Some((request, ticket)) = request else {
            state.request(goal, here);
            commands.entity(entity).try_insert(PathRequest::to(goal.clone()));
            continue;
        };
        let ask = |goal: &NavGoal| PathRequest { goal: goal.clone(), ..(*request).clone() };
        // A request that the old queue made is replaced; one of the user's own is served first.
        if request.goal != *goal && state.requested.as_ref() == Some(&request.goal) {
            state.request(goal, here);
            commands.entity(entity).try_insert(ask(goal));
            continue;
        }
        // The status is still that of the previous request.
        if ticket.checked != Some(request.last_changed()) {
            continue;
        }
        let failure = match status {
            Some(PathStatus::Arrived | PathStatus::EndedShort(_)) => None,
            Some(&PathStatus::Failed(error)) => Some(error),
            _ => continue,
        };
        // After a request of the user's own for another goal, the present goal has not been visited yet.
        let is_visited = request.goal == *goal;
        // A body that others push a little has not moved.
        let has_moved =
            failure.is_none() && here.distance(state.from) > agent.arrive_radius + agent.radius.max(0.0);
        if is_visited && state.stayed < queue.stay(&state, failure, has_moved) {
            state.stayed += dt;
            continue;
        }
        // Without change detection: a change of the queue begins a new round.
        let queue = queue.bypass_change_detection();
        let is_over = is_visited && !failure.is_some_and(PathError::is_of_agent);
        let has_next = !is_over || queue.advance(&mut state, has_moved);
        match queue.goals.get(queue.next).filter(|_| has_next) {
            Some(goal) => {
                state.request(goal, here);
                commands.entity(entity).try_insert(ask(goal));
            }
            None => commands.trigger(QueueFinished { entity }),
        }
    }
}
