//! Settings tuned from another process, over the Bevy Remote Protocol: JSON in, JSON out, on port 15702 of this
//! machine. Reflection reaches every component and resource of the plugin.
//!
//! ```sh
//! cargo run --release --example remote_tuning --features remote &
//! ask() { curl -s localhost:15702 -d "{\"jsonrpc\": \"2.0\", \"id\": 0, \"method\": \"$1\", \"params\": $2}"; echo; }
//! # All flock members with their settings; each answer names the entity.
//! ask world.query '{"data": {"components": ["bevy_pathfind::Flock"]}}'
//! # Another top speed for one of them.
//! ask world.mutate_components '{"entity": 4294967250, "component": "bevy_pathfind::Flock",
//!     "path": ".turn_speed", "value": 2.0}'
//! # The settings of all steering, and another seed.
//! ask world.get_resources '{"resource": "bevy_pathfind::SteerSettings"}'
//! ask world.mutate_resources '{"resource": "bevy_pathfind::SteerSettings", "path": ".seed", "value": 7}'
//! ```

use bevy::prelude::*;
use bevy_pathfind::prelude::*;
use bevy_remote::{RemotePlugin, http::RemoteHttpPlugin};

fn main() {
    let remote = (RemotePlugin::default(), RemoteHttpPlugin::default());
    App::new().add_plugins((DefaultPlugins, remote, game)).run();
}

fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .insert_resource(NavGizmos { agents: true, ..default() })
        .add_systems(Startup, setup);
}

fn setup(mut commands: Commands) {
    commands.spawn((Camera2d, Transform::from_scale(Vec3::splat(0.05))));
    let leader = commands.spawn((Agent::new(5.0), FlockLeader::default())).id();
    for i in 0..60 {
        let at = Transform::from_xyz((i % 10) as f32 - 5.0, (i / 10) as f32 - 3.0, 0.0);
        commands.spawn((Agent::default(), Flock::default(), FlockOf(leader), at));
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::time::{Duration, Instant};

    use serde_json::{Value, json};

    use super::*;

    /// What the application answers to a question over HTTP.
    fn ask(port: u16, method: &str, params: Value) -> Value {
        let body = json!({ "jsonrpc": "2.0", "id": 0, "method": method, "params": params }).to_string();
        let until = Instant::now() + Duration::from_secs(20);
        // The server starts with the application.
        let mut stream = loop {
            match TcpStream::connect(("127.0.0.1", port)) {
                Ok(stream) => break stream,
                Err(error) => assert!(Instant::now() < until, "no server listens: {error}"),
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time above 0");
        let head = format!(
            "POST / HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).expect("it listens");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        let answer: Value = serde_json::from_str(body).expect("an answer in JSON");
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    #[test]
    fn another_process_reads_and_changes_settings() {
        let port =
            TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let mut app = App::new();
        let remote = (RemotePlugin::default(), RemoteHttpPlugin::default().with_port(port));
        app.add_plugins((MinimalPlugins, TransformPlugin, remote, game));
        app.finish();
        let flock = Flock::type_path();
        let client = std::thread::spawn(move || {
            let members = ask(port, "world.query", json!({ "data": { "components": [flock] } }));
            let members = members.as_array().expect("a list");
            let entity = &members[0]["entity"];
            let change =
                json!({ "entity": entity, "component": flock, "path": ".turn_speed", "value": 1.25 });
            ask(port, "world.mutate_components", change);
            let settings = bevy_pathfind::steer::SteerSettings::type_path();
            ask(port, "world.mutate_resources", json!({ "resource": settings, "path": ".seed", "value": 7 }));
            members.len()
        });
        let until = Instant::now() + Duration::from_secs(60);
        while !client.is_finished() && Instant::now() < until {
            app.update();
        }
        assert_eq!(client.join().expect("every question is answered"), 60);
        let mut flocks = app.world_mut().query::<&Flock>();
        assert_eq!(flocks.iter(app.world()).filter(|flock| flock.turn_speed == 1.25).count(), 1);
        assert_eq!(app.world().resource::<bevy_pathfind::steer::SteerSettings>().seed, 7);
    }
}
