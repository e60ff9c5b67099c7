//! Benchmarks: what was measured, on which machine, and the commands to measure it again.
//!
//! # Searches
//!
//! Seventeen MovingAI maps of nine families, every tenth of their problems (up to 60 per map). Each query was
//! answered by every search in turn, on one thread of an AMD EPYC server, in November 2026. *Ratio* says how many
//! times as fast a search is as a plain textbook A\* (binary heap, flat arrays) in the same run; ratios and medians
//! are geometric means over the maps. Every path was checked, and every claim of optimality held. (The any-angle
//! searches were measured later, with every twentieth problem, Theta\* and Lazy Theta\* with every hundredth. When
//! jump point search was improved later, the old and the new one were measured in turn; its figures, here and below,
//! are the old figures multiplied by the measured gain.)
//!
//! | search | rule | ratio | median µs | optimal |
//! |---|---|---|---|---|
//! | textbook A\* | steps, no corner cut | 1.0 | 1332 | 100 % |
//! | **jump point search** (`auto`) | steps, no corner cut | **47** | 24 | 100 % |
//! | **A\*** | steps, no corner cut | 2.17 | 629 | 100 % |
//! | weighted A\* (1.5) | steps, no corner cut | 2.95 | 377 | 24 %, at most 1.5 times the optimum |
//! | greedy best-first | steps, no corner cut | 6.0 | 157 | 17 % |
//! | Dijkstra | steps, no corner cut | 0.61 | 3291 | 100 % |
//! | **shortest at any angle** | corners may be touched | **9.8** | 149 | 100 % |
//! | Theta\* | any angle, nothing touched | 1.10 | 1566 | – |
//! | Lazy Theta\* | any angle, nothing touched | 1.05 | 1684 | – |
//! | textbook Theta\* | any angle, nothing touched | 0.24 | 5912 | – |
//! | `pathfinding` 4.16 | steps, no corner cut | 0.82 | 1566 | 100 % |
//! | `grid_pathfinding` 0.3 | steps, corners cut | 6.2 | 208 | 98 % |
//! | `hierarchical_pathfinding` 0.5 | steps, corners cut | 2.0 | 899 | 2 % |
//! | `polyanya` 0.18 | corners may be touched | 4.8 | 250 | 100 % |
//!
//! Beside C++: the on-line jump point search of warthog (ShortestPathLab's `warthog-jps` of 2025, with pruned diagonals,
//! compiled with `g++ -O3 -march=native`; its search alone, without its framework) solved 9,749 problems of the same
//! maps in turn with ours, on one core of an Intel Xeon. Lengths were equal. Ours takes 0.84 of its time as the
//! geometric mean over the maps (0.58 on scattered walls to 0.94; 1.4 on `arena`, where a query takes 0.4
//! microseconds), and 0.93 on 24 generated maps: caves 0.8, rooms with slanting walls 0.86, mazes with corridors 32, 16, 8
//! and 4 cells wide 0.92, 0.98, 0.98 and 1.06.
//!
//! ## Other questions
//!
//! The same maps and the same sample; each search is compared with a textbook search for the same question: A\* with
//! a heuristic that is exact where there are no walls, and for fields Dijkstra's search. *Classes*: shallow water
//! costs 1.5, trees 2, deep water 3 (most of these maps have wide areas of one cost, or no such terrain). *Blocks*:
//! one in four blocks of 8×8 cells costs 3. Every cost was checked against Dijkstra's search.
//!
//! | question | ratio |
//! |---|---|
//! | eight directions, one goal (jump points) | 48 |
//! | four directions (jump points) | **30** |
//! | terrain costs, classes (jump points) | **22** |
//! | terrain costs, blocks (jump points) | **6.4** |
//! | within 2 cells of a goal (jump points) | **48** |
//! | any of four goals (jump points) | **34** |
//! | a limit of expansions (jump points) | **48** |
//!
//! Other crates that can answer such questions, on every 60th problem of the same maps (the command in `peers` below,
//! with `--question four` or `--question blocks`):
//!
//! | search | four directions | blocks |
//! |---|---|---|
//! | textbook A\* | 1.0 | 1.0 |
//! | **`auto`** (jump points) | **24.8** | **5.1** |
//! | A\* | 2.9 | 2.7 |
//! | `pathfinding` 4.16 | 1.2 | 0.8 |
//! | `grid_pathfinding` 0.3 | 0.45 | – |
//! | `hierarchical_pathfinding` 0.5 | 2.0; 45 % optimal | 2.8; 8 % optimal, 15 % above the optimum |
//!
//! | distance field | ns a cell | ratio |
//! |---|---|---|
//! | eight directions | 9 (5 to 22) | 9.4 |
//! | four directions | 6 (3 to 16) | 13.5 |
//! | terrain costs, classes | 25 (11 to 70) | 3.9 |
//! | terrain costs, blocks | 40 (21 to 94) | 2.8 |
//!
//! The first two rows were measured again after an improvement: the new search and the old one, which goes cell by
//! cell, in turn, in processor time of the thread, to five random goals on each map; the ratios are the old ones
//! multiplied by the measured gain. On an open map of 1024² cells a field takes 3.5 ns a cell, with four directions
//! 2.4, with blocks of another cost 22. [Repair](pathfind_core::DistanceField::repair) after an edit of one cell
//! takes 7 µs on that map at the median, where a new field takes 4 ms; after a wall of 16×16 cells, 200 µs. A wall
//! across the only path to half of the map changes half of the field, and its repair takes as long as a new field.
//! With a wall in the middle of a path, the medians of the game maps are 70 µs, with blocks 1 ms. In the table, the
//! greatest times per cell are those of small maps and of maps that are mostly wall: all cells of the map are
//! cleared, but the time is divided by the number of cells that the field reaches.
//!
//! Maps with single walls in a regular lattice are the hardest for the shortest path at any angle. From one corner to
//! goals on the far sides of a map of 1024² cells, it takes 0.01 to 0.04 s with a wall at every second or every third row
//! and column, and 0.03 s with random walls of the same density. Two of 33 lattices take longer: 0.06 to 0.11 s, depending
//! on the goal, where every second row is shifted against the next, and where runs of about twenty walls are shifted at
//! random. A first search, with memory not used before, takes up to 0.035 s more.
//!
//! Long paths with `Algorithm::Hierarchical`, across a world of 16,384² cells of which a band is loaded (lakes on two
//! fifths of it, and walls scattered over 2 % of the cells): sixteen paths that cost 5,000 to 21,000 took 4.8 ms at
//! the median, 10 ms at most, and cost 0.15 % more than the cheapest on average, 0.3 % at most. Among roads 64 cells
//! wide they took 4.4 ms, and cost 0.05 % more. On other kinds of maps, of 4096² cells, with sixteen paths on each:
//!
//! | maps | cost above the cheapest, mean | at most | time |
//! |---|---|---|---|
//! | 1 of lakes | 0.1 % | 0.6 % | 0.8 ms |
//! | 5 of caves | 0.35 % | 1.5 % | 4 ms |
//! | 5 of city blocks | 0 | 0 | 0.7 ms |
//! | 8 of rooms, 3 lattices of rooms | 0.2 % | 2.0 % | 4 to 11 ms |
//! | 15 mazes with loops, corridors 16 to 1 cells wide | 0 | 0 | 5 to 110 ms |
//! | 2 mazes on open ground | 0 | 0 | 5 ms |
//!
//! Among rooms and in mazes nearly all paths are found by the exact search: corridors of tiles took 3 to 12 ms, but
//! their paths cost up to 9 % more than the cheapest, and up to 38 % across a maze on open ground.
//!
//! A grid of which a quarter of the chunks of 64×64 cells is loaded, with one cell in eight blocked at random, takes 2.2
//! bytes for each loaded cell, and 1.1 for each further kind of agent. Chunks that are not loaded take next to nothing.
//! Heights take 4 bytes more, and one more for each kind of agent. In the plugin each chunk also keeps its own cells,
//! packed, beside those of the joined grid: with its entity that makes 2.7 bytes.
//!
//! ```text
//! cargo run --release --example movingai -- --yardstick --every 10 --directions four PATH/TO/*.map.scen
//! cargo run --release --example movingai -- --yardstick --every 10 --terrain classes PATH/TO/*.map.scen
//! cargo run --release --example movingai -- --yardstick --every 10 --goal within=2 PATH/TO/*.map.scen
//! cargo run --release --example movingai -- --yardstick --every 100 --field PATH/TO/*.map.scen
//! ```
//!
//! A map of 512² cells is ready for searches in 4 ms, and after an edit of one cell again in about 50 µs (4096²: 75
//! µs); nothing is baked. An unreachable goal is recognised in 0.1 µs.
//!
//! ```text
//! cd crates/pathfind_core/benches/peers
//! cargo run --release -- --every 10 --repeat 3 PATH/TO/*.map.scen
//! ```
//!
//! `cargo bench -p pathfind_core` times single operations: searches, edits, the stages of a flock's tick, and
//! obstacle avoidance.
//!
//! # Crowds
//!
//! The time of one tick of a crowd, per agent: in the core; in a plain version of the same model, which finds
//! neighbours in a `HashMap` of cells; and in the whole plugin, from entities to `Transform`s.
//!
//! ```text
//! cargo run --release --example crowd_bench -- --behaviour flock --agents 100000 --ecs
//! ```
//!
//! 100,000 agents with 12 neighbours each (reciprocal avoidance: 10,000 with 10), on a Zen 5 server core with AVX2,
//! in November 2026; the plain version has 10,000 agents. Times are in ns per agent and tick, on one thread except in
//! the last column; *plain / core* is the time of the plain version divided by that of the core:
//!
//! | crowd | plain / core | core | of which neighbours, rules, moving | plugin | plugin, 2 threads |
//! |---|---|---|---|---|---|
//! | flock in 2D | 13.4 | 41 | 5, 29, 7 | 75 | 44 |
//! | flock in 3D | 13.5 | 76 | 7, 62, 7 | 115 | 66 |
//! | separation in 2D | 17.0 | 38 | 5, 27, 5 | 85 | 58 |
//! | reciprocal avoidance in 2D | 7.5 | 175 | 13, 159, 3 | 311, contacts included | 243 |
//!
//! The search for neighbours alone, which builds the index and finds all neighbours of each of 10,000 agents, 12
//! each: the k-d tree of `kiddo` 5.3 takes 2.3 times as long in 2D (447 ns per agent, ours 193) and 1.5 times as long
//! in 3D (597 ns, ours 398). Measured by `cargo run --release --bin near` in `crates/pathfind_core/benches/peers`.
//! There, `--bin crowd` compares reciprocal avoidance with `dodgy_2d`: at 10,000 agents, `dodgy_2d` takes 1.02 to
//! 1.08 times as long for solving alone as ours takes for solving and the search for neighbours.
//!
//! # Requests and edits
//!
//! What many requests and edits per second cost the main thread, on a map full of agents, without a window:
//!
//! ```text
//! cargo run --release --example storm_bench -- --agents 10000 --orders 800 --edits-per-second 20
//! ```
//!
//! On two cores of a 3.7 GHz Zen 4, one of which searches. *Frame* is the time of the plugin's work in a frame,
//! *answer* the time from a request to its path; p50 and p99 are the median and the 99th percentile:
//!
//! | load | frame p50, p99 | answer p50, p99 |
//! |---|---|---|
//! | 1,000 agents on 512², 800 requests and 20 edits per second | 0.7 ms, 1.9 ms | 3, 7 ticks |
//! | 10,000 walking agents on 1024², 20 edits per second (`--side 1024 --orders 0`) | 2.2 ms, 3.9 ms | 1, 2 ticks |
//! | the same in 256 chunks, four of which are unloaded and loaded again per second (`--chunks --reloads-per-second 4`) | 4.3 ms, 9.3 ms | 8, 29 ticks |
//! | 10,000 agents on 8 floors of 512² with 200 links (`--side 512 --floors 8 --links 200`) | 5.2 ms, 9.7 ms | 7, 16 ticks |
//! | 100,000 agents that follow one field on 4096² (`--side 4096 --field --edits-per-second 0`) | 9.6 ms, 15 to 17 ms | – |
//!
//! Since these runs, agents on paths read less memory, waiting requests stay sorted, outlines tell better which paths
//! an edit touches, and steps within a cell are told by fewer instructions. On two cores of a slower Intel Xeon, the
//! second load takes 1.7 ms at the median and 2.7 to 2.9 ms at the 99th percentile, with 800 requests per second 1.9 and
//! 2.9 ms, which is 0.9 of the time of the version before, measured in turn. In other hours of the same machine it
//! takes 2.0 to 2.4 ms and up to 4.7 ms, above the project's target of 3 ms in 99 of 100 frames.
//!
//! With 20 edits per second the last load takes 1.2 times the median and 1.5 times the 99th percentile of the one
//! without edits, because the field is repaired meanwhile. On the game maps `AR0300SR` and `golemsinthemist`, 800
//! requests made at once are all answered after 3 ticks, in frames of at most 1.3 ms. 1,000 agents whose goal is walled
//! in (`--sealed`) search for at most 0.8 ms per frame, and stop round the goal.
//!
//! # Compile time
//!
//! The library depends on no renderer, window or egui; only the panel needs them. The number of crates that are
//! compiled, Bevy's and its own included:
//!
//! | features of `bevy_pathfind` | crates |
//! |---|---|
//! | none | 106 |
//! | default | 169 |
//! | default and `panel` | 288 |
//! | all, with avian in 2D and 3D | 318 |
//!
//! `pathfind_core` alone needs 9. `cargo tree -p bevy_pathfind -e normal,build` lists them.
//!
//! `cargo build` from nothing, unoptimised, takes 19 seconds of processor time for `pathfind_core`, 4½ minutes for
//! `bevy_pathfind` with its default features, and 8½ minutes with the panel as well, Bevy's own crates included (two
//! cores of an EPYC that did other work too, November 2026; the default features took 6 minutes of wall-clock time).
//! With more cores the wall-clock time is shorter.
//!
//! Of a game that has all of Bevy's default features, `cargo build` from nothing takes 11 minutes of processor time without
//! this library, and 100 seconds more with its default features: 15 %, linking included (75 seconds on two cores that did
//! nothing else). What `panel` adds to such a game was not measured apart: it turns on features of Bevy, so that parts of
//! Bevy are compiled with other features than before.
//!
//! # Layers of influence
//!
//! `influence_bench`, on two cores of an EPYC: 1,000 agents patrol on 512², among scattered blocks of wall, and mind 20
//! sources of 12 cells that move at walking speed. The plugin's work in a tick takes 0.97 ms at the median, 0.75 ms without
//! sources (99th percentile 3.9 and 1.4 ms: in every sixteenth tick the costs of cells change); 64 agents a second change
//! their path, none twice within a second. Searches on that map, of which discs touch a tenth, take 2.8 to 3.0 times as long
//! as without. On an open map, where a search without layers is a look along a line (0.7 µs), they take 50 µs.
