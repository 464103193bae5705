//! From a warp filter to a handler and back.
//!
//! One filter collects what a request consists of and one function answers it. Nothing is rejected on the way: warp
//! would try further filters after a rejection, and its own answers to rejections are not ours.

use std::sync::Arc;
use std::time::Instant;

use futures::Stream;
use warp::http::header::{ALLOW, HeaderValue, SET_COOKIE};
use warp::http::{StatusCode, Version};
use warp::path::FullPath;
use warp::{Buf, Filter, Rejection};

use crate::api::body::{self, Fields};
use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::guard;
use crate::api::reply::{self, Response};
use crate::api::request::{Call, RequestHead};
use crate::api::routes::{self, Found, Route};

/// The whole API as one filter that answers every request.
pub fn filter(api: Arc<Api>) -> impl Filter<Extract = (Response,), Error = Rejection> + Clone {
    let query = warp::query::raw().or(warp::any().map(String::new)).unify();
    warp::method()
        .and(warp::path::full())
        .and(query)
        .and(warp::header::headers_cloned())
        .and(warp::ext::optional::<Version>())
        .and(warp::body::stream())
        .then(move |method, path: FullPath, query, headers, version: Option<Version>, body| {
            let api = api.clone();
            let path = path.as_str().to_owned();
            let head = RequestHead { method, version: version.unwrap_or_default(), path, query, headers };
            // Boxed because the filters around it move it several times, and it is large.
            Box::pin(answer(api, head, body))
        })
}

async fn answer<B: Buf>(
    api: Arc<Api>,
    head: RequestHead,
    body: impl Stream<Item = Result<B, warp::Error>>,
) -> Response {
    let started = Instant::now();
    if let Err(err) = guard::check(&head, &api.guard) {
        body::drain(&head, body).await;
        api.metrics.count(None, err.status, started.elapsed());
        return err.to_response();
    }
    let cookie = guard::cookie_to_set(&head, &api.guard);
    let (mut response, route) = route(api.clone(), head, body).await;
    api.metrics.count(route, response.status(), started.elapsed());
    if let Some(cookie) = cookie {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    response
}

/// The answer, and which route gave it.
async fn route<B: Buf>(
    api: Arc<Api>,
    head: RequestHead,
    body: impl Stream<Item = Result<B, warp::Error>>,
) -> (Response, Option<&'static Route>) {
    let mut found = None;
    let response = match routes::find(&head.method, &head.path) {
        Found::Endpoint { route, names } => {
            let handled = async {
                let bytes = body::collect(&head, body).await?;
                // What a read carries in its body has no meaning and so cannot be wrong.
                let fields = if head.is_read() { Fields::default() } else { Fields::parse(&bytes)? };
                (route.handler)(api, Call { head, names, fields }).await
            };
            found = Some(route);
            handled.await.unwrap_or_else(|err| err.to_response())
        }
        Found::Options { allow } => {
            body::drain(&head, body).await;
            with_allow(reply::nothing(), &allow)
        }
        Found::WrongMethod { allow } => {
            body::drain(&head, body).await;
            let message = format!("this address does not take {}; it takes {allow}", head.method);
            let err = ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message);
            with_allow(err.to_response(), &allow)
        }
        Found::Nothing => {
            body::drain(&head, body).await;
            ApiError::not_found("no_such_address", "there is nothing at this address").to_response()
        }
    };
    (response, found)
}

fn with_allow(mut response: Response, allow: &str) -> Response {
    let allow = HeaderValue::from_str(allow).expect("method names are plain text");
    response.headers_mut().insert(ALLOW, allow);
    response
}
