//! The example `multiplayer`, as two processes that talk over the loopback; and how its client draws.

#![expect(dead_code, reason = "the example's own `main` is not called here")]

use std::io::{BufRead, BufReader, Lines};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;

#[path = "../multiplayer/main.rs"]
mod multiplayer;

/// When the test gives up: a hundred times as long as the walk takes.
const LIMIT: Duration = Duration::from_secs(300);

/// A process of the example, which ends with the test.
struct Process {
    child: Child,
    lines: Receiver<String>,
}

impl Process {
    /// Starts the example, which `cargo test` has built beside this test.
    fn start(words: &[&str]) -> Self {
        let test = std::env::current_exe().expect("the test has a path");
        let folder: PathBuf =
            test.parent().and_then(|deps| deps.parent()).expect("target/…/deps").join("examples");
        let example = folder.join("multiplayer").with_extension(std::env::consts::EXE_EXTENSION);
        let mut child =
            Command::new(&example).args(words).stdout(Stdio::piped()).spawn().unwrap_or_else(|error| {
                panic!("{}: {error}; `cargo build --examples` makes it", example.display())
            });
        let output: Lines<BufReader<ChildStdout>> =
            BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let (to, lines) = channel();
        thread::spawn(move || output.map_while(Result::ok).try_for_each(|line| to.send(line)));
        Self { child, lines }
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(LIMIT).expect("the process goes on printing")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// Runs a client to its end. Returns where it drew its unit, frame by frame.
fn visit(port: &str, [x, y]: [f32; 2]) -> Vec<[f32; 2]> {
    let begin = Instant::now();
    let mut client = Process::start(&["client", port, &x.to_string(), &y.to_string()]);
    let mut seen = Vec::new();
    loop {
        let line = match client.lines.recv_timeout(LIMIT) {
            Ok(line) => line,
            Err(RecvTimeoutError::Disconnected) => break, // it has ended
            Err(error) => panic!("{error}: {:?}", seen.last()),
        };
        let (x, y) = line.split_once(' ').expect("a line has two numbers");
        seen.push([x, y].map(|number| number.parse().expect("it is a number")));
        assert!(begin.elapsed() < LIMIT, "it arrives in the end: {:?}", seen.last());
    }
    assert!(client.child.wait().expect("it has ended").success());
    seen
}

fn distance([x, y]: [f32; 2], [to_x, to_y]: [f32; 2]) -> f32 {
    (to_x - x).hypot(to_y - y)
}

#[test]
fn clients_see_their_units_walk_to_the_goal() {
    let server = Process::start(&["server"]);
    let port = server.line();
    // Two clients, one after the other: the unit of the first goes with it.
    for goal in [[6.5, -2.0], [0.0, 0.0]] {
        let seen = visit(&port, goal);
        assert!(distance(seen[0], [-6.5, 2.0]) < 1.0, "it begins where the server puts it: {:?}", seen[0]);
        assert!(distance(seen[seen.len() - 1], goal) < 0.3, "it ends at the goal: {:?}", seen.last());
        let mut strides: Vec<f32> = seen.windows(2).map(|pair| distance(pair[0], pair[1])).collect();
        strides.retain(|&stride| stride > 0.0);
        strides.sort_by(f32::total_cmp);
        // Of each tick's 0.2 units a frame shows a third. On a machine that is busy with much else a frame takes longer.
        let [count, median] = [strides.len() as f32, strides[strides.len() / 2]];
        println!("{count} frames in which it moves, by {median} at the median");
        assert!(count > 15.0 && median < 1.0, "{count} frames in which it moves, by {median} at the median");
    }
}

#[test]
fn units_glide_between_the_places_that_the_server_tells() {
    use multiplayer::{Place, TICK, client};
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, client::game))
        .insert_resource(TimeUpdateStrategy::ManualDuration(TICK / 3));
    app.update();
    let unit = app.world_mut().spawn(Place(Vec3::ZERO)).id();
    let mut seen = Vec::new();
    for frame in 0..60 {
        if frame % 3 == 2 {
            app.world_mut().get_mut::<Place>(unit).expect("it has one").0.x += 0.2;
        }
        app.update();
        seen.push(app.world().get::<Transform>(unit).expect("it has one").translation.x);
    }
    let strides: Vec<f32> = seen.windows(2).skip(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(strides.iter().all(|stride| (stride - 0.2 / 3.0).abs() < 1e-4), "even steps: {strides:?}");
}
