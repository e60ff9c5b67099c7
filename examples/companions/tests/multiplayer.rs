//! The example `multiplayer`, as two processes that talk over the loopback.

use std::io::{BufRead, BufReader, Lines};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

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
    // The channel closes when the client ends.
    while let Ok(line) = client.lines.recv_timeout(LIMIT) {
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
fn clients_see_their_units_walk_to_the_goal_without_jumps() {
    let server = Process::start(&["server"]);
    let port = server.line();
    // Two clients, one after the other: the unit of the first goes with it.
    for goal in [[6.5, -2.0], [0.0, 0.0]] {
        let seen = visit(&port, goal);
        assert!(distance(seen[0], [-6.5, 2.0]) < 1.0, "it begins where the server puts it: {:?}", seen[0]);
        assert!(distance(seen[seen.len() - 1], goal) < 0.3, "it ends at the goal: {:?}", seen.last());
        let strides: Vec<f32> = seen.windows(2).map(|pair| distance(pair[0], pair[1])).collect();
        // A unit walks 0.2 in a tick. A client that is held up for long draws what it has missed in one frame.
        let jumps = strides.iter().filter(|&&stride| stride > 0.25).count();
        assert!(jumps * 20 <= strides.len(), "{jumps} of {} frames jump", strides.len());
        let moves = strides.iter().filter(|&&stride| stride > 0.0).count();
        let ticks = distance([-6.5, 2.0], goal) / 0.2;
        assert!(moves as f32 > 1.5 * ticks, "it is drawn between ticks too: {moves} moves in {ticks} ticks");
    }
}
