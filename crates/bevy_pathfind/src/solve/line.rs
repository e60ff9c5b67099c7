//! The order in which waiting requests are served.

use core::cmp::Reverse;

use super::ClientItem;

/// A request's place in line: the smallest is served first.
///
/// Priority, then number; numbers are given out in a stable order, so that the line never depends on how
/// a query happens to iterate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    priority: Reverse<i32>,
    number: u64,
}

impl Place {
    pub(super) const fn new(priority: i32, number: u64) -> Self {
        Self { priority: Reverse(priority), number }
    }
}

/// Those who wait, in the order in which they are served.
pub(super) fn waiting<'w, 's>(clients: impl Iterator<Item = ClientItem<'w, 's>>) -> Vec<ClientItem<'w, 's>> {
    let mut line: Vec<_> = clients.filter(|client| client.ticket.is_waiting()).collect();
    line.sort_by_key(|client| Place::new(client.request.priority, client.ticket.number));
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priority_comes_before_the_order_of_arrival() {
        let mut line = [(0, 1), (5, 4), (0, 2), (-1, 3), (5, 3)].map(|(p, n)| Place::new(p, n));
        line.sort();
        let numbers: Vec<_> = line.iter().map(|place| place.number).collect();
        assert_eq!(numbers, [3, 4, 1, 2, 3], "higher priorities first, then lower numbers");
    }
}
