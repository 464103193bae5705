//! What each endpoint is for, what it takes and why it may refuse, in words.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

use crate::api::evaluation::{MAX_COMMAND_CHARS, MAX_SEED, MAX_TIME_LIMIT_S};
use crate::api::step::MAX_STEPS;
use crate::api::wire::{
    BoundsBody, BrightnessBody, ClockResponse, DeletedResponse, DriveResponse, EvaluationResponse, InstallResponse,
    LightCommandedResponse, ModelPlacedResponse, ObjectsResponse, OverlayBody, PauseResponse, RecordResponse,
    RecordsResponse, ResetResponse, RespawnResponse, RouteResponse, ScanResponse, SceneResponse, SessionResponse,
    StartedResponse, StateResponse, StatusResponse, StepResponse, StoppedResponse, SwitchResponse,
    TrafficLightsResponse, VehicleBody, VehiclePlacedResponse, VehicleSpecBody, WorldResponse, WorldpubResponse,
    WorldsResponse, WrittenBody,
};
use crate::domain::{Brightness, Caption};

/// One method on one address.
pub struct Operation {
    pub method: &'static str,
    pub pattern: &'static str,
    pub summary: &'static str,
    /// The query parameter, or an array of them.
    pub query: Option<Value>,
    /// The schema of the body, for those that read one.
    pub body: Option<Value>,
    pub answer: Answer,
    pub answer_is: &'static str,
    /// Whether it may meet what every change of the simulation may meet.
    pub changes_simulation: bool,
    /// Statuses beyond those that any request or any write may meet.
    pub errors: Vec<(u16, &'static str)>,
}

pub enum Answer {
    Json(fn(&mut SchemaGenerator) -> Schema),
    /// Something else, by its content types.
    Other(&'static [&'static str]),
}

fn answer<T: JsonSchema>() -> Answer {
    Answer::Json(|generator| generator.subschema_for::<T>())
}

impl Operation {
    fn read(pattern: &'static str, summary: &'static str, answer: Answer) -> Self {
        Self {
            method: "GET",
            pattern,
            summary,
            query: None,
            body: None,
            answer,
            answer_is: "as it is now",
            changes_simulation: false,
            errors: Vec::new(),
        }
    }

    fn write(pattern: &'static str, summary: &'static str, body: Option<Value>, answer: Answer) -> Self {
        let written = Self { method: "POST", body, answer_is: "in effect", ..Self::read(pattern, summary, answer) };
        Self { changes_simulation: true, ..written }
    }

    /// The simulator is not asked: the write works without one, and while it loads a world.
    fn beside_the_simulator(self) -> Self {
        Self { changes_simulation: false, ..self }
    }

    fn fails(mut self, status: u16, about: &'static str) -> Self {
        self.errors.push((status, about));
        self
    }
}

/// A body with these fields; the first ones are needed. Null is the same as omitted.
fn body<const N: usize>(needed: &[&str], fields: [(&str, Value); N]) -> Option<Value> {
    let mut properties = serde_json::Map::new();
    for (name, mut schema) in fields {
        if !needed.contains(&name) {
            schema["type"] = json!([schema["type"], "null"]);
        }
        properties.insert(name.to_owned(), schema);
    }
    Some(json!({"type": "object", "properties": properties, "required": needed}))
}

/// At least one of these fields is needed, whatever else is given.
fn any_of(body: Option<Value>, fields: &[&str]) -> Option<Value> {
    let mut body = body?;
    let one = |name: &&str| {
        let schema = json!({"type": body["properties"][*name]["type"][0]});
        json!({"required": [*name], "properties": {*name: schema}})
    };
    body["anyOf"] = fields.iter().map(one).collect();
    Some(body)
}

fn query(name: &str, schema: Value, about: &str) -> Value {
    json!({"name": name, "in": "query", "schema": schema, "description": about})
}

fn number(about: &str) -> Value {
    json!({"type": "number", "description": about})
}

fn number_within(min: f64, max: f64, about: &str) -> Value {
    json!({"type": "number", "minimum": min, "maximum": max, "description": about})
}

/// In the order of the list of routes.
pub fn operations() -> Vec<Operation> {
    let position = || number_within(-100.0, 100.0, "m; omitted: as it is");
    let yaw = || number("rad; omitted: as it is");
    let out_of_range = "`position_out_of_range`";
    let (brightness, ttl, size) = (Brightness::RANGE, Caption::TTL_RANGE_S, Caption::SIZE_RANGE);
    vec![
        Operation::read("/", "Where to go from here", Answer::Other(&["text/plain"])),
        Operation::read(
            "/sim",
            "The page for people; where it was not built, where to go from here",
            Answer::Other(&["text/html", "text/plain"]),
        ),
        Operation::read(
            "/sim/assets/{file}",
            "What the page consists of",
            Answer::Other(&["text/javascript", "text/css", "image/svg+xml", "image/png"]),
        )
        .fails(404, "`no_such_asset`"),
        Operation::read("/sim/docs", "This description as a page", Answer::Other(&["text/html"])),
        Operation::read(
            "/sim/api/status",
            "Whether the simulator runs, and which world",
            answer::<StatusResponse<'static>>(),
        ),
        Operation::read("/sim/api/clock", "Simulation time against real time", answer::<ClockResponse>())
            .fails(503, "`clock_not_started`: before the first tick"),
        Operation::read(
            "/sim/api/state",
            "Everything that changes at run time, in one answer",
            answer::<StateResponse<'static>>(),
        ),
        Operation::read(
            "/sim/api/events",
            "The live stream: a `state` event at once and on every change, at most every 33 ms",
            Answer::Other(&["text/event-stream"]),
        ),
        Operation::read("/sim/api/pose", "Where the vehicle is", answer::<VehicleBody>())
            .fails(404, "`no_world_running`"),
        Operation::write(
            "/sim/api/pose",
            "Put the vehicle elsewhere, upright and at rest",
            body(&[], [("x", position()), ("y", position()), ("yaw", yaw())]),
            answer::<VehiclePlacedResponse>(),
        )
        .fails(400, out_of_range),
        Operation::write(
            "/sim/api/reset",
            "Everything back to its start at one step; lights go green",
            None,
            answer::<ResetResponse>(),
        ),
        Operation::write("/sim/api/respawn", "Load the present world again", None, answer::<RespawnResponse>())
            .fails(404, "`no_world_running`, `world_not_found`")
            .fails(422, "`refused`: the world cannot be loaded; the old one goes on"),
        Operation::write(
            "/sim/api/pause",
            "Stop simulation time, or let it go on",
            body(&["paused"], [("paused", json!({"type": "boolean"}))]),
            answer::<PauseResponse>(),
        ),
        Operation::write(
            "/sim/api/step",
            "Advance a paused simulation by whole steps of 5 ms",
            body(
                &["steps"],
                [
                    ("steps", json!({"type": "integer", "minimum": 1, "maximum": MAX_STEPS})),
                    ("speed", number("m/s to drive at; 0 if only the steering is given")),
                    ("steering", number("rad, positive to the left; 0 if only the speed is given")),
                ],
            ),
            answer::<StepResponse<'static>>(),
        )
        .fails(400, "`steps_out_of_range`")
        .fails(409, "`not_paused`"),
        Operation::write(
            "/sim/api/drive",
            "Tell the robot a speed, which expires after a simulated second, or a steering angle; one of them is needed",
            any_of(
                body(&[], [("speed", number("m/s")), ("steering", number("rad, positive to the left"))]),
                &["speed", "steering"],
            ),
            answer::<DriveResponse>(),
        )
        .fails(503, "`robot_not_running`"),
        Operation::write(
            "/sim/api/models/{name}/pose",
            "Put an object or a light elsewhere, upright",
            body(
                &[],
                [
                    ("x", position()),
                    ("y", position()),
                    ("z", number_within(-10.0, 100.0, "m; omitted: as it is")),
                    ("yaw", yaw()),
                ],
            ),
            answer::<ModelPlacedResponse>(),
        )
        .fails(400, out_of_range)
        .fails(403, "`not_movable`: a wall or the track; `is_the_vehicle`")
        .fails(404, "`no_such_model`")
        .fails(422, "`refused`: the simulator cannot do that"),
        Operation::read("/sim/api/traffic_lights", "The traffic lights", answer::<TrafficLightsResponse>()),
        Operation::write(
            "/sim/api/traffic_lights/{name}",
            "Switch a light; from green to red it is yellow for 3 simulated seconds",
            body(&["state"], [("state", json!({"type": "string", "enum": ["red", "green"]}))]),
            answer::<LightCommandedResponse>(),
        )
        .fails(400, "`bad_light_state`")
        .fails(404, "`no_such_light`")
        .fails(409, "`yellow_in_progress`"),
        Operation::read("/sim/api/brightness", "How bright the world is shown", answer::<BrightnessBody>()),
        Operation::write(
            "/sim/api/brightness",
            "Darken or brighten camera and page",
            body(&["value"], [("value", number_within(*brightness.start(), *brightness.end(), "1 is as it is"))]),
            answer::<WrittenBody<BrightnessBody>>(),
        )
        .fails(400, "`brightness_out_of_range`"),
        Operation::read("/sim/api/overlay", "The text over the picture", answer::<OverlayBody>()),
        Operation::write(
            "/sim/api/overlay",
            "Show a text for a while; without a text, take it away",
            body(
                &[],
                [
                    ("text", json!({"type": "string", "maxLength": Caption::MAX_CHARS})),
                    ("ttl", number_within(*ttl.start(), *ttl.end(), "wall seconds; 10 if omitted")),
                    ("size", number_within(*size.start(), *size.end(), "factor; 1 if omitted")),
                ],
            ),
            answer::<WrittenBody<OverlayBody>>(),
        )
        .fails(400, "`text_too_long`, `ttl_out_of_range`, `size_out_of_range`"),
        Operation::read("/sim/api/world", "What the world consists of", answer::<WorldResponse>())
            .fails(404, "`no_world_running`"),
        Operation::read("/sim/api/route", "The centre line and the edges of the track", answer::<RouteResponse>())
            .fails(404, "`no_world_running`, `no_route`"),
        Operation::read("/sim/api/bounds", "The rectangle around the track", answer::<BoundsBody>())
            .fails(404, "`no_world_running`, `no_bounds`"),
        Operation::read("/sim/api/objects", "The objects, lights and walls, with their poses", answer::<ObjectsResponse>())
            .fails(404, "`no_world_running`"),
        Operation::read("/sim/api/worlds", "All worlds", answer::<WorldsResponse>()),
        Operation::read("/sim/api/worldpub", "Where the world was published", answer::<WorldpubResponse>())
            .fails(404, "`no_world_running`"),
        Operation::write(
            "/sim/api/switch",
            "Load another world; one of the two is needed, and `world` wins",
            any_of(
                body(
                    &[],
                    [
                        (
                            "world",
                            json!({"type": "string", "pattern": "^[A-Za-z0-9_]{1,128}\\.world$",
                                "description": "the file, such as `vehicle_base.world`"}),
                        ),
                        (
                            "world_id",
                            json!({"type": "string", "pattern": "^[0-9A-Fa-f]{32}$", "description": "of a published world"}),
                        ),
                    ],
                ),
                &["world", "world_id"],
            ),
            answer::<SwitchResponse>(),
        )
        .fails(400, "`bad_world_name`, `bad_world_id`, `no_world_named`")
        .fails(404, "`world_not_found`, `world_not_installed`")
        .fails(422, "`broken_world`, `refused`: it cannot be loaded; the old one goes on"),
        Operation::write(
            "/sim/api/worlds/install",
            "Install a published world from the worlds server; `install` events tell how far it is",
            body(&["world_id"], [("world_id", json!({"type": "string", "pattern": "^[0-9A-Fa-f]{32}$"}))]),
            answer::<InstallResponse>(),
        )
        .fails(400, "`bad_world_id`")
        .fails(404, "`world_not_published`: the worlds server has no such world")
        .fails(500, "`world_not_stored`: this machine could not write it")
        .fails(502, "`worlds_server_unreachable`, `unusable_world`: nothing was installed")
        .fails(503, "`install_interrupted`: the program is ending")
        .beside_the_simulator(),
        Operation {
            method: "DELETE",
            ..Operation::write(
                "/sim/api/worlds/{name}",
                "Delete an installed world; if it is the present one, the default one is loaded first",
                None,
                answer::<DeletedResponse>(),
            )
        }
        .fails(403, "`official_world`")
        .fails(404, "`world_not_found`")
        .fails(500, "`world_not_stored`: this machine could not remove it"),
        Operation::read(
            "/sim/api/worlds/{name}/waypoints.npy",
            "The route as a NumPy array, six columns: centre, inner, outer",
            Answer::Other(&["application/octet-stream"]),
        )
        .fails(404, "`world_not_found`, `no_route`")
        .fails(422, "`broken_world`"),
        Operation::read(
            "/sim/api/worlds/{name}/picture.png",
            "The track from above",
            Answer::Other(&["image/png"]),
        )
        .fails(404, "`world_not_found`, `no_picture`"),
        Operation {
            query: Some(json!([
                query("format", json!({"type": "string", "enum": ["triangles"]}), "a mesh as triangles instead of its file"),
                query("submesh", json!({"type": "string"}), "with `format`: only the parts of this name"),
                query("center", json!({"type": "boolean"}), "with `submesh`: moved to the origin"),
                query("rev", json!({"type": "string"}), "of the scene: this address may be kept for ever"),
            ])),
            ..Operation::read(
                "/sim/api/worlds/{name}/files/{path}",
                "A file of the world, or of those that all worlds share",
                Answer::Other(&["application/octet-stream", "image/png", "image/jpeg", "model/vnd.collada+xml"]),
            )
        }
        .fails(304, "the client has it already")
        .fails(400, "`bad_format`")
        .fails(404, "`world_not_found`, `no_such_file`, `no_such_submesh`")
        .fails(422, "`broken_mesh`, `file_too_large`"),
        Operation::read("/sim/api/scene", "What a viewer draws of the world", answer::<SceneResponse>())
            .fails(304, "the client has it already")
            .fails(404, "`no_world_running`, `world_not_found`")
            .fails(422, "`broken_world`"),
        Operation::read(
            "/cdn/worlds/{world_id}/meta.json",
            "What is published on this machine under this ID; a private world needs the token",
            Answer::Other(&["application/json"]),
        )
        .fails(404, "`no_such_file`"),
        Operation::read(
            "/cdn/worlds/{world_id}/{rev}/{path}",
            "One file of a published world, or all of them as `bundle.zip`; the path may hold slashes",
            Answer::Other(&["application/octet-stream", "application/zip"]),
        )
        .fails(404, "`no_such_file`"),
        Operation::read("/sim/api/vehicle", "The vehicle's measures", answer::<VehicleSpecBody>()),
        Operation::read(
            "/sim/api/evaluation",
            "How runs in this world are judged",
            answer::<EvaluationResponse<'static>>(),
        )
        .fails(404, "`no_evaluation`")
        .fails(422, "`broken_world`"),
        Operation::write(
            "/sim/api/evaluation/start",
            "Place the car, run the judging script and the student's command; answers when the session has begun",
            body(
                &[],
                [
                    (
                        "command",
                        json!({
                            "type": "string", "pattern": "\\S", "maxLength": MAX_COMMAND_CHARS,
                            "description": "run with `bash -lc`; omitted: the run is only watched",
                        }),
                    ),
                    (
                        "time_limit_s",
                        json!({
                            "type": "number", "exclusiveMinimum": 0, "maximum": MAX_TIME_LIMIT_S,
                            "description": "simulated seconds; omitted: the world's own, else 180",
                        }),
                    ),
                    (
                        "seed",
                        json!({
                            "type": "integer", "minimum": 0, "maximum": MAX_SEED as u64,
                            "description": "of the noise of the sensors; given: everything begins where the world file has it; omitted: the simulator's own seed, and everything begins where it is",
                        }),
                    ),
                ],
            ),
            answer::<StartedResponse>(),
        )
        .fails(400, "`bad_command`, `time_limit_out_of_range`, `bad_seed`")
        .fails(403, "`commands_refused`: this simulator runs no commands")
        .fails(404, "`no_evaluation`")
        .fails(409, "`session_active`")
        .fails(422, "`broken_world`")
        .fails(500, "`record_unwritable`, `evaluation_impossible`"),
        Operation::write(
            "/sim/api/evaluation/stop",
            "End the session, if there is one; answers when its processes are dead and its record is kept",
            None,
            answer::<StoppedResponse>(),
        )
        .beside_the_simulator(),
        Operation::read(
            "/sim/api/evaluation/session",
            "The session that runs, or the last one",
            answer::<SessionResponse>(),
        ),
        Operation {
            query: Some(json!([
                query("session", json!({"type": "string"}), "omitted: the last one"),
                query("full", json!({"type": "boolean"}), "true: the whole document, with log, trajectory and commands"),
            ])),
            ..Operation::read("/sim/api/evaluation/record", "What an ended session has left", answer::<RecordResponse>())
        }
        .fails(400, "`bad_query`: full is true or false")
        .fails(404, "`no_record`")
        .fails(500, "`record_unreadable`"),
        Operation {
            query: Some(query("world", json!({"type": "string"}), "name of a world; omitted: all")),
            ..Operation::read("/sim/api/evaluation/records", "All records, newest first", answer::<RecordsResponse>())
        },
        Operation::read(
            "/sim/api/evaluation/records/{session_id}/mcap",
            "The recording of an ended session: poses, lights, overlay, log and events as ROS 2 messages in an MCAP file",
            Answer::Other(&["application/octet-stream"]),
        )
        .fails(404, "`no_recording`")
        .fails(500, "`record_unreadable`"),
        Operation::read("/sim/api/scan", "The newest turn of the lidar", answer::<ScanResponse<'static>>())
            .fails(404, "`no_scan_yet`"),
        Operation {
            query: Some(query("stream", json!({"type": "boolean"}), "true: all pictures as they come")),
            ..Operation::read(
                "/sim/api/camera",
                "The newest picture of the vehicle's camera",
                Answer::Other(&["image/jpeg", "multipart/x-mixed-replace"]),
            )
        }
        .fails(400, "`bad_query`: stream is true or false")
        .fails(404, "`no_world_running`")
        .fails(503, "`no_picture`: none came within 2 s"),
        Operation::read("/sim/api/metrics", "Counters and gauges for Prometheus", Answer::Other(&["text/plain"])),
        Operation::read("/sim/api/openapi.json", "This description", Answer::Other(&["application/json"])),
    ]
}
