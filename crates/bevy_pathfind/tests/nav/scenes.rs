//! The acceptance scenes: problems that users of other path finders report, one module each.

mod s01_wall_on_the_way;
mod s02_wall_on_nobodys_way;
mod s03_sealed_goal;
mod s04_equally_near;
mod s05_bad_questions;
mod s06_every_rule;
mod s07_big_bodies;
mod s08_fast_and_pushed;
mod s09_head_on;
mod s10_one_point;
mod s11_called_off;
mod s12_all_at_once;
mod s13_every_thread_count;
mod s14_round_trip;
mod s15_building;
