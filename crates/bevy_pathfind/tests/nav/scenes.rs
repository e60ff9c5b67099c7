//! The acceptance scenes: problems that users of other path finders report, one module each.

mod s01_wall_on_the_path;
mod s02_wall_off_all_paths;
mod s03_sealed_goal;
mod s04_equally_near;
mod s05_invalid_requests;
mod s06_every_rule;
mod s07_big_bodies;
mod s08_fast_and_pushed;
mod s09_head_on;
mod s10_one_point;
mod s11_cancelled;
mod s12_request_burst;
mod s13_every_thread_count;
mod s14_round_trip;
mod s15_building;
