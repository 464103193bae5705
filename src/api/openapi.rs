//! `GET /openapi.json`: the API described for programs, as OpenAPI 3.1.
//!
//! Addresses come from the list of routes, answers from the wire types, and the words from `operations`. A route without words
//! is left out, and a test does not let that happen.

mod operations;

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::api::context::Api;
use crate::api::error::{ApiError, ErrorResponse};
use crate::api::openapi::operations::{Answer, Operation, operations};
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::routes::ROUTES;

/// Statuses that any request may meet, whatever it asks for.
const EVERYWHERE: [(u16, &str); 7] = [
    (401, "`token_required`: a token is set, and it is missing or wrong"),
    (403, "`foreign_origin`: the request comes from a page of another site"),
    (405, "`method_not_allowed`"),
    (408, "`body_timeout`: the body did not arrive in time"),
    (413, "`body_too_large`: more than 64 KiB"),
    (415, "`content_type_not_json`: a browser's write must be application/json"),
    (421, "`host_not_allowed`: this server does not go by that name"),
];
/// What every request with a body may meet.
const BODY_ERROR: (u16, &str) =
    (400, "`malformed_body`, `bad_field`: the body is no JSON object, or a field has the wrong type");
/// What every change of the simulation may meet.
const WRITE_ERRORS: [(u16, &str); 3] = [
    (409, "`world_not_ready`: a world is being loaded, or none is"),
    (422, "`not_supported`: an external simulator does not offer what this needs"),
    (
        503,
        "`simulator_not_running`, `simulator_busy`, `not_confirmed`: nothing was changed, unless the simulator did not answer in time",
    ),
];

pub async fn read(_api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    static TEXT: OnceLock<Bytes> = OnceLock::new();
    let text = TEXT.get_or_init(|| serde_json::to_vec(&document()).expect("JSON values can be written").into());
    Ok(reply::json_bytes(text.clone()))
}

/// The whole document.
pub fn document() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = settings.into_generator();
    let described = operations();
    let mut paths = Map::new();
    for route in ROUTES {
        let words = described.iter().find(|words| route.method == words.method && route.pattern == words.pattern);
        if let Some(words) = words {
            let path = paths.entry(route.pattern).or_insert_with(|| json!({}));
            path[route.method.as_str().to_lowercase()] = operation(words, &mut generator);
        }
    }
    generator.subschema_for::<ErrorResponse<'static>>();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "sim_api",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "A robot-vehicle simulator. Metres, radians (yaw counter-clockwise, 0 = +x, -pi..pi), seconds, m/s. \
                An error has a sentence for people and a permanent code for programs. A write answers when it is in effect.",
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    })
}

fn operation(words: &Operation, generator: &mut SchemaGenerator) -> Value {
    let content = match &words.answer {
        Answer::Json(schema) => json!({"application/json": {"schema": schema(generator)}}),
        Answer::Other(types) => types.iter().map(|name| ((*name).to_owned(), json!({}))).collect::<Map<_, _>>().into(),
    };
    let mut responses = json!({"200": {"description": words.answer_is, "content": content}});
    let is_write = words.method != "GET";
    let common = EVERYWHERE.iter().chain(is_write.then_some(&BODY_ERROR));
    let common = common.chain(if words.changes_simulation { &WRITE_ERRORS[..] } else { &[] });
    for (status, about) in words.errors.iter().chain(common) {
        let known = &mut responses[status.to_string()];
        if known.is_null() {
            // What the client has already is not sent again.
            let has_body = *status != 304;
            let content = json!({"application/json": {"schema": {"$ref": "#/components/schemas/ErrorResponse"}}});
            *known = json!({"description": about});
            if has_body {
                known["content"] = content;
            }
        } else if let Some(text) = known["description"].as_str() {
            known["description"] = json!(format!("{text}; {about}"));
        }
    }
    let names = words.pattern.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let names = names.map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}));
    let queries = match words.query.clone() {
        Some(Value::Array(several)) => several,
        one => one.into_iter().collect(),
    };
    let mut described = json!({
        "operationId": operation_id(words),
        "summary": words.summary,
        "parameters": names.chain(queries).collect::<Vec<_>>(),
        "responses": responses,
    });
    if let Some(body) = &words.body {
        let required =
            body["required"].as_array().is_some_and(|required| !required.is_empty()) || body["anyOf"].is_array();
        described["requestBody"] = json!({"required": required, "content": {"application/json": {"schema": body}}});
    }
    described
}

/// For example `post_models_name_pose`.
fn operation_id(words: &Operation) -> String {
    let path = words.pattern.strip_prefix("/sim/api").unwrap_or(words.pattern);
    let parts = path.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    let parts = std::iter::once(words.method.to_lowercase()).chain(parts.map(str::to_owned));
    parts.collect::<Vec<_>>().join("_")
}
