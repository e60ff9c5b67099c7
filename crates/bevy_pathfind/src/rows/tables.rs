//! The tables of a Bevy query as [`Rows`]: one column per component, shared or mutable.
//!
//! Bevy can hand out tables as slices only if all rows of a table are enabled. If an application registers a
//! disabling component with sparse-set storage, that does not hold, and each entity is handed out as a table of one
//! row instead.

use core::ops::{Deref, DerefMut};
use core::slice;

use bevy::ecs::change_detection::{
    ContiguousComponentTicksMut, ContiguousMut, DetectChanges, DetectChangesMut, Mut, Tick,
};
use bevy::ecs::query::{ArchetypeFilter, ContiguousQueryData};
use bevy::ecs::system::Query;

use super::Rows;

/// Access to some columns of one table. [`Rows`] borrow from it: a [`OneMut`] outlives its rows, because dropping it
/// marks the component as changed.
pub(crate) trait Columns {
    type Rows<'r>: Rows
    where
        Self: 'r;

    /// All rows of these columns.
    fn rows(&mut self) -> Self::Rows<'_>;
}

/// The rows of several tables.
pub(crate) fn rows<C: Columns>(tables: &mut [C]) -> Vec<C::Rows<'_>> {
    tables.iter_mut().map(C::rows).collect()
}

/// A query item or a contiguous chunk of a Bevy query, which converts into [`Columns`]: those of a whole table, or
/// those of one entity (one row).
pub(crate) trait IntoColumns {
    type Columns: Columns;

    fn into_columns(self) -> Self::Columns;
}

/// The columns of each table of a query; where Bevy hands out no tables, the columns of each entity.
pub(crate) fn tables<'a, 's, D, F, C>(query: &'a mut Query<'_, 's, D, F>) -> Vec<C>
where
    D: ContiguousQueryData,
    F: ArchetypeFilter,
    D::Contiguous<'a, 's>: IntoColumns<Columns = C>,
    D::Item<'a, 's>: IntoColumns<Columns = C>,
{
    // Called twice: a borrow returned from here would last for `'a`, and block `iter_mut` below.
    if query.contiguous_iter_mut().is_err() {
        return query.iter_mut().map(IntoColumns::into_columns).collect();
    }
    query.contiguous_iter_mut().into_iter().flatten().map(IntoColumns::into_columns).collect()
}

impl<'w, T: Sync> Columns for &'w [T] {
    type Rows<'r>
        = &'w [T]
    where
        Self: 'r;

    fn rows(&mut self) -> &'w [T] {
        self
    }
}

impl<'w, T: Sync> IntoColumns for &'w [T] {
    type Columns = &'w [T];

    fn into_columns(self) -> &'w [T] {
        self
    }
}

impl<'w, T: Sync> IntoColumns for &'w T {
    type Columns = &'w [T];

    fn into_columns(self) -> &'w [T] {
        slice::from_ref(self)
    }
}

impl<C: Columns> Columns for Option<C> {
    type Rows<'r>
        = Option<C::Rows<'r>>
    where
        Self: 'r;

    fn rows(&mut self) -> Self::Rows<'_> {
        self.as_mut().map(C::rows)
    }
}

impl<C: IntoColumns> IntoColumns for Option<C> {
    type Columns = Option<C::Columns>;

    fn into_columns(self) -> Self::Columns {
        self.map(C::into_columns)
    }
}

/// Several columns at once.
macro_rules! columns {
    ($($name:ident $column:ident),*) => {
        impl<$($name: Columns),*> Columns for ($($name,)*) {
            type Rows<'r> = ($($name::Rows<'r>,)*) where Self: 'r;

            fn rows(&mut self) -> Self::Rows<'_> {
                let ($($column,)*) = self;
                ($($column.rows(),)*)
            }
        }

        impl<$($name: IntoColumns),*> IntoColumns for ($($name,)*) {
            type Columns = ($($name::Columns,)*);

            fn into_columns(self) -> Self::Columns {
                let ($($column,)*) = self;
                ($($column.into_columns(),)*)
            }
        }
    };
}

columns!(A a, B b);
columns!(A a, B b, C c);
columns!(A a, B b, C c, D d);
columns!(A a, B b, C c, D d, E e);

pub(crate) enum ColumnMut<'w, T> {
    /// The column of a table.
    Table { values: &'w mut [T], ticks: ContiguousComponentTicksMut<'w> },
    /// The component of one entity, as a column of one row.
    One(OneMut<'w, T>),
}

/// A mutable component of one entity, as a column of one row.
pub(crate) struct OneMut<'w, T> {
    value: Mut<'w, T>,
    /// A copy of its change tick, which [`RowsMut`] can write as it writes the change ticks of a table. Bevy gives no
    /// mutable access to the change tick of one component, so `drop` calls `set_changed` if the copy was written.
    changed: Tick,
}

impl<T> Drop for OneMut<'_, T> {
    fn drop(&mut self) {
        if self.changed != self.value.last_changed() {
            self.value.set_changed();
        }
    }
}

impl<'w, T: Send> IntoColumns for ContiguousMut<'w, T> {
    type Columns = ColumnMut<'w, T>;

    fn into_columns(self) -> ColumnMut<'w, T> {
        let (values, ticks) = Self::bypass_change_detection_split(self);
        ColumnMut::Table { values, ticks }
    }
}

impl<'w, T: Send> IntoColumns for Mut<'w, T> {
    type Columns = ColumnMut<'w, T>;

    fn into_columns(self) -> ColumnMut<'w, T> {
        ColumnMut::One(OneMut { changed: self.last_changed(), value: self })
    }
}

impl<T: Send> Columns for ColumnMut<'_, T> {
    type Rows<'r>
        = RowsMut<'r, T>
    where
        Self: 'r;

    fn rows(&mut self) -> RowsMut<'_, T> {
        match self {
            Self::Table { values, ticks } => {
                let now = ticks.this_run();
                RowsMut { values, changed: ticks.changed_mut(), now }
            }
            Self::One(OneMut { value, changed }) => RowsMut {
                values: slice::from_mut(value.bypass_change_detection()),
                // For `drop` it only matters that the tick is another one.
                now: Tick::new(changed.get().wrapping_add(1)),
                changed: slice::from_mut(changed),
            },
        }
    }
}

/// Rows of a mutable column, with Bevy's change ticks.
pub(crate) struct RowsMut<'a, T> {
    values: &'a mut [T],
    changed: &'a mut [Tick],
    /// The tick that mutable access writes to `changed`: that of this run, or for a single component any other than the
    /// one it has.
    now: Tick,
}

impl<'a, T: Send> Rows for RowsMut<'a, T> {
    type Row<'r>
        = RowMut<'r, T>
    where
        Self: 'r;

    #[inline(always)]
    fn len(&self) -> usize {
        self.values.len()
    }

    #[inline(always)]
    fn split_at(self, count: usize) -> (Self, Self) {
        let Self { values, changed, now } = self;
        let ((values, other_values), (changed, other_changed)) =
            (values.split_at_mut(count), changed.split_at_mut(count));
        (Self { values, changed, now }, Self { values: other_values, changed: other_changed, now })
    }

    #[inline(always)]
    fn row(&mut self, row: usize) -> RowMut<'_, T> {
        RowMut { value: &mut self.values[row], changed: &mut self.changed[row], now: self.now }
    }
}

/// A mutable reference to a component. As with Bevy's `Mut`, mutable access sets the change tick; unlike `Mut`, it
/// does not record `changed_by`.
pub(crate) struct RowMut<'a, T> {
    value: &'a mut T,
    changed: &'a mut Tick,
    now: Tick,
}

impl<T> RowMut<'_, T> {
    #[inline(always)]
    pub(crate) fn set_if_neq(&mut self, value: T)
    where
        T: PartialEq,
    {
        if *self.value != value {
            **self = value;
        }
    }

    #[inline(always)]
    pub(crate) fn bypass_change_detection(&mut self) -> &mut T {
        self.value
    }

    /// The tick in which the component was last changed, before this run.
    #[inline(always)]
    pub(crate) const fn last_changed(&self) -> Tick {
        *self.changed
    }
}

impl<T> Deref for RowMut<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> DerefMut for RowMut<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        *self.changed = self.now;
        self.value
    }
}

#[cfg(test)]
mod tests {
    use bevy::prelude::*;

    use super::*;

    #[derive(Component, Debug, PartialEq)]
    struct Number(u32);

    /// The value of `Number` when the entity was spawned.
    #[derive(Component)]
    struct Was(u32);

    #[derive(Component)]
    struct Lucky;

    /// A disabling component with sparse-set storage, so that it is in no table.
    #[derive(Component)]
    #[component(storage = "SparseSet")]
    struct Frozen;

    /// Two tables of a hundred entities, of which the second has `Lucky`. With `freezes`, `Frozen` is a disabling
    /// component, and each table holds one more entity, which is frozen.
    fn world(freezes: bool) -> World {
        let mut world = World::new();
        if freezes {
            world.register_disabling_component::<Frozen>();
        }
        for number in 0..200 {
            let mut entity = world.spawn((Number(number), Was(number)));
            if number >= 100 {
                entity.insert(Lucky);
            }
        }
        if freezes {
            world.spawn((Number(1000), Was(1000), Frozen));
            world.spawn((Number(1000), Was(1000), Lucky, Frozen));
        }
        world
    }

    #[test]
    fn every_row_is_visited_once_however_rows_are_divided() {
        let mut world = world(false);
        let mut numbers = world.query::<(&Number, Option<&Lucky>)>();
        let mut numbers = numbers.query_mut(&mut world);
        let mut tables = tables(&mut numbers);
        let mut seen = Vec::new();
        for rows in rows(&mut tables) {
            assert_eq!(rows.len(), 100, "the absent column does not limit the length");
            let (few, others) = rows.split_at(30);
            for (part, start) in [(few, 0), (others, 30)] {
                let (len, mut part) = part.cut();
                for row in 0..len {
                    let (&Number(number), lucky) = part.row(row);
                    assert_eq!(number as usize % 100, start + row, "in their order");
                    assert_eq!(lucky.is_some(), number >= 100, "`Lucky` belongs to this row");
                    seen.push(number);
                }
            }
        }
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..200));
    }

    #[test]
    fn every_enabled_entity_is_visited_once_where_a_sparse_component_disables() {
        let mut world = world(true);
        let mut numbers = world.query::<(&Number, Option<&Lucky>)>();
        let mut numbers = numbers.query_mut(&mut world);
        let mut tables = tables(&mut numbers);
        let mut seen = Vec::new();
        for mut rows in rows(&mut tables) {
            for row in 0..rows.len() {
                let (&Number(number), lucky) = rows.row(row);
                assert_eq!(lucky.is_some(), number >= 100, "`Lucky` belongs to this row");
                seen.push(number);
            }
        }
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..200), "the frozen are left out");
    }

    #[test]
    fn mutable_access_sets_the_change_tick() {
        for freezes in [false, true] {
            let mut world = world(freezes);
            world.clear_trackers();
            let mut numbers = world.query::<&mut Number>();
            let mut query = numbers.query_mut(&mut world);
            for mut rows in rows(&mut tables(&mut query)) {
                for row in 0..rows.len() {
                    let mut number = rows.row(row);
                    match number.0 % 4 {
                        0 => number.0 += 1000,
                        1 => number.set_if_neq(Number(1)),
                        2 => number.bypass_change_detection().0 += 1000,
                        _ => {}
                    }
                }
            }
            let mut numbers = world.query_filtered::<(&Was, Ref<Number>), Without<Frozen>>();
            assert_eq!(numbers.iter(&world).count(), 200);
            for (&Was(was), number) in numbers.iter(&world) {
                let (expected, is_changed) = match was % 4 {
                    0 => (was + 1000, true),
                    1 => (1, was != 1),
                    2 => (was + 1000, false),
                    _ => (was, false),
                };
                assert_eq!((number.0, number.is_changed()), (expected, is_changed), "it was {was}");
            }
        }
    }
}
