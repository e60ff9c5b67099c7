//! The order in which waiting requests are served.

use bevy::prelude::*;

use crate::order::{PathCause, PathRequest, Requester, Returned, Ticket};

/// The requests without an answer. No request is opened between an [update](Self::update) and the end of the stage.
#[derive(Resource, Default)]
pub(super) struct OpenRequests {
    /// The waiting requests; the last is served first.
    pub(super) waiting: Vec<(ServiceKey, Entity)>,
    /// The requests that have been handed to the search queue; some may have been answered since the update.
    pub(super) queued: Vec<Entity>,
    /// The setting that the keys were computed with.
    ticks_per_priority: u64,
}

/// The sort key of a waiting request: the least is served first.
///
/// Requests are sorted by due time, then by number. Numbers are assigned in a stable order, so that the result does
/// not depend on query order. The key does not change while a request waits, and requests made later are due later,
/// so that every request is served in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ServiceKey {
    /// The tick by which the request should be answered.
    due: i64,
    number: u64,
}

impl ServiceKey {
    fn new(request: &PathRequest, ticket: &Ticket, ticks_per_priority: u64) -> Self {
        let ticks_per_priority = i64::try_from(ticks_per_priority.max(1)).unwrap_or(i64::MAX);
        let time =
            request.deadline.map_or(ticks_per_priority, |ticks| ticks_per_priority.min(i64::from(ticks)));
        // Agents whose path was just blocked come earlier; rechecks, which only look for a better path, come later.
        let level = i64::from(request.priority)
            + match ticket.cause {
                PathCause::Requested => 0,
                PathCause::ShorterWay => -1,
                _ => 1,
            };
        let opened = i64::try_from(ticket.opened).unwrap_or(i64::MAX);
        let due = opened.saturating_add(time).saturating_sub(level.saturating_mul(ticks_per_priority));
        Self { due, number: ticket.number }
    }
}

impl OpenRequests {
    /// Brings the lists up to date, and returns the waiting requests whose ticket has changed since the last run.
    ///
    /// The key of a request is computed only when its ticket has changed or its entity was enabled again: of all
    /// other tickets only the change tick is read.
    pub(super) fn update(
        &mut self,
        requesters: &mut Query<Requester>,
        returned: &Returned,
        ticks_per_priority: u64,
    ) -> Vec<Entity> {
        let mut all = requesters.transmute_lens::<(Entity, Ref<Ticket>)>();
        let all = all.query();
        let changed = all.iter().filter(|(_, ticket)| ticket.is_changed()).map(|(entity, _)| entity);
        let mut changed: Vec<_> = changed.chain(returned.iter().copied()).collect();
        if core::mem::replace(&mut self.ticks_per_priority, ticks_per_priority) != ticks_per_priority {
            changed.extend(self.waiting.iter().map(|&(_, entity)| entity));
        }
        changed.sort_unstable();
        changed.dedup();
        self.waiting.retain(|&(_, entity)| changed.binary_search(&entity).is_err() && all.contains(entity));
        self.queued.extend(returned.iter().copied());
        self.queued.sort_unstable();
        self.queued.dedup();
        self.queued.retain(|&entity| {
            all.get(entity).is_ok_and(|(_, ticket)| !ticket.is_closed() && !ticket.is_waiting())
        });
        changed.retain(|&entity| {
            let Some(requester) = requesters.get(entity).ok().filter(|it| it.ticket.is_waiting()) else {
                return false;
            };
            let key = ServiceKey::new(&requester.request, requester.ticket, ticks_per_priority);
            self.waiting.push((key, entity));
            true
        });
        // Stable: it merges the new requests into the others, which are sorted already.
        self.waiting.sort_by(|a, b| b.cmp(a));
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u64, opened: u64, priority: i32, deadline: Option<u32>) -> ServiceKey {
        let request = PathRequest { priority, deadline, ..PathRequest::default() };
        ServiceKey::new(&request, &Ticket { number, opened, ..Ticket::default() }, 64)
    }

    fn served(mut keys: Vec<ServiceKey>) -> Vec<u64> {
        keys.sort();
        keys.iter().map(|key| key.number).collect()
    }

    #[test]
    fn priority_comes_before_the_order_of_arrival() {
        let keys = [(1, 0), (2, 0), (3, -1), (4, 5), (5, 5)].map(|(n, p)| key(n, 7, p, None));
        assert_eq!(served(keys.into()), [4, 5, 1, 2, 3], "higher priorities first, then lower numbers");
    }

    #[test]
    fn the_nearer_deadline_comes_first() {
        let keys = vec![key(1, 0, 0, None), key(2, 0, 0, Some(10)), key(3, 5, 0, Some(3))];
        assert_eq!(served(keys), [3, 2, 1], "by the tick in which the answer is due");
    }

    #[test]
    fn no_request_is_overtaken_for_ever() {
        let old = key(1, 0, 0, None);
        assert!(key(2, 63, 1, None) < old, "a level of priority is worth 64 ticks of waiting");
        assert!(key(3, 65, 1, None) > old, "and no more");
    }

    #[test]
    fn agents_whose_path_was_blocked_come_first() {
        let replanned = Ticket { number: 9, opened: 3, cause: PathCause::Touched, ..Ticket::default() };
        let recheck = Ticket { number: 8, opened: 3, cause: PathCause::ShorterWay, ..Ticket::default() };
        let key_of = |ticket| ServiceKey::new(&PathRequest::default(), ticket, 64);
        assert!(key_of(&replanned) < key(1, 3, 0, None), "before a new request");
        assert!(key_of(&recheck) > key(1, 3, 0, None), "a recheck comes after it");
    }
}
