//! Who may ask at all.
//!
//! This API moves things and will run commands, so a page from anywhere on the web must not be able to reach it
//! through the browser of somebody who runs it. Three checks stand against that: the name in `Host` (a foreign name that
//! resolves to this machine), the origin (a foreign page), and the content type (a plain form). A token, when one is
//! set, comes on top. Programs that are no browsers send none of those headers and need nothing but the right host.

use std::hint::black_box;

use warp::http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, HeaderName, HeaderValue, ORIGIN};
use warp::http::{Method, StatusCode, Version};

use crate::api::cdn;
use crate::api::error::ApiError;
use crate::api::request::{RequestHead, percent_decoded};

const LOOPBACK_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const COOKIE_NAME: &str = "sim_token";

/// Whom the guard lets pass.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GuardOptions {
    pub token: Option<String>,
    /// Names beyond the loopback ones; one without a port stands for every port.
    pub allowed_hosts: Vec<String>,
}

/// Refuses with 421, 403, 415 or 401, checked in this order. Of published worlds only the private ones need the token, which is looked
/// at when it is known which world it is.
pub fn check(head: &RequestHead, options: &GuardOptions) -> Result<(), ApiError> {
    check_host(head, options)?;
    check_origin(head)?;
    check_content_type(head)?;
    if head.path.starts_with(cdn::PREFIX) { Ok(()) } else { check_token(head, options) }
}

/// The cookie that keeps a browser signed in after it has shown the right token in the address once.
pub fn cookie_to_set(head: &RequestHead, options: &GuardOptions) -> Option<HeaderValue> {
    let token = options.token.as_deref()?;
    if !shows_token_in_query(head, token) {
        return None;
    }
    let encoded: String = token.bytes().map(|byte| format!("%{byte:02X}")).collect();
    HeaderValue::try_from(format!("{COOKIE_NAME}={encoded}; Path=/; HttpOnly; SameSite=Strict")).ok()
}

fn check_host(head: &RequestHead, options: &GuardOptions) -> Result<(), ApiError> {
    let mut hosts = head.header_lines(HOST);
    let allowed = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host_is_allowed(host, &options.allowed_hosts),
        // HTTP/1.0 knows no Host, and no browser speaks it.
        (None, _) => head.version < Version::HTTP_11,
        (Some(_), Some(_)) => false,
    };
    if allowed {
        return Ok(());
    }
    let message = "this host name is not served here; add it to allowed_hosts if it should be";
    Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, "host_not_allowed", message))
}

fn host_is_allowed(host: &str, allowed_hosts: &[String]) -> bool {
    let Some((name, port)) = split_port(host) else { return false };
    LOOPBACK_NAMES.iter().any(|loopback| name.eq_ignore_ascii_case(loopback))
        || allowed_hosts.iter().filter_map(|allowed| split_port(allowed)).any(|(allowed_name, allowed_port)| {
            name.eq_ignore_ascii_case(allowed_name) && (allowed_port.is_none() || allowed_port == port)
        })
}

/// `name:port` taken apart, IPv6 addresses in brackets included; None when it is neither a name nor has a valid port.
fn split_port(host: &str) -> Option<(&str, Option<u16>)> {
    let name_end = if host.starts_with('[') { host.find(']')? + 1 } else { host.find(':').unwrap_or(host.len()) };
    let (name, rest) = host.split_at(name_end);
    match rest.strip_prefix(':') {
        _ if name.is_empty() => None,
        None if rest.is_empty() => Some((name, None)),
        None => None,
        Some(port) if port.bytes().all(|byte| byte.is_ascii_digit()) => Some((name, Some(port.parse().ok()?))),
        Some(_) => None,
    }
}

fn check_origin(head: &RequestHead) -> Result<(), ApiError> {
    let host = head.header(HOST).unwrap_or_default();
    let foreign_origin = head.header_lines(ORIGIN).any(|origin| !is_same_origin(origin, host));
    let cross_site = head.header_lines(SEC_FETCH_SITE).any(|site| site.trim().eq_ignore_ascii_case("cross-site"));
    if foreign_origin || cross_site {
        let message = "requests from other sites are not served";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "foreign_origin", message));
    }
    Ok(())
}

/// Whether the origin names this very server. A port that is not written is the scheme's usual one, on both sides.
fn is_same_origin(origin: &str, host: &str) -> bool {
    let (authority, usual_port) = match origin.split_once("://") {
        Some((scheme, authority)) if scheme.eq_ignore_ascii_case("http") => (authority, 80),
        Some((scheme, authority)) if scheme.eq_ignore_ascii_case("https") => (authority, 443),
        _ => return false,
    };
    match (split_port(authority), split_port(host)) {
        (Some((origin_name, origin_port)), Some((host_name, host_port))) => {
            origin_name.eq_ignore_ascii_case(host_name)
                && origin_port.unwrap_or(usual_port) == host_port.unwrap_or(usual_port)
        }
        _ => false,
    }
}

fn check_content_type(head: &RequestHead) -> Result<(), ApiError> {
    let from_browser = head.headers.keys().any(|name| *name == ORIGIN || name.as_str().starts_with("sec-fetch-"));
    if head.is_read() || !from_browser {
        return Ok(());
    }
    let media_type = head.header(CONTENT_TYPE).unwrap_or_default().split(';').next().unwrap_or_default();
    if media_type.trim().eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let message = "a browser must send Content-Type: application/json";
    Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "content_type_not_json", message))
}

/// Everybody holds the token when none is set.
pub fn check_token(head: &RequestHead, options: &GuardOptions) -> Result<(), ApiError> {
    let Some(token) = options.token.as_deref() else { return Ok(()) };
    let bearer = head.header_lines(AUTHORIZATION).any(|line| match line.split_once(' ') {
        Some((scheme, shown)) => scheme.eq_ignore_ascii_case("bearer") && is_equal(shown.trim(), token),
        None => false,
    });
    if bearer || shows_token_in_cookie(head, token) || shows_token_in_query(head, token) {
        return Ok(());
    }
    let message = "a token is needed: send Authorization: Bearer, or open the address with ?token= once";
    Err(ApiError::new(StatusCode::UNAUTHORIZED, "token_required", message))
}

fn shows_token_in_cookie(head: &RequestHead, token: &str) -> bool {
    head.header_lines(COOKIE)
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(name, _)| *name == COOKIE_NAME)
        .filter_map(|(_, value)| percent_decoded(value))
        .any(|shown| is_equal(&shown, token))
}

fn shows_token_in_query(head: &RequestHead, token: &str) -> bool {
    matches!(head.method, Method::GET | Method::HEAD)
        && head.query_value("token").is_some_and(|shown| is_equal(&shown, token))
}

/// Takes the same time wherever the two differ, so that a token cannot be guessed letter by letter. An empty token equals
/// nothing: it would let everybody in.
fn is_equal(shown: &str, token: &str) -> bool {
    let (shown, token) = (shown.as_bytes(), token.as_bytes());
    let differences = (0..token.len()).fold(0, |found, at| {
        let shown_byte = shown.get(at).copied().unwrap_or_default();
        black_box(found | (shown_byte ^ token[at]))
    });
    differences == 0 && shown.len() == token.len() && !token.is_empty()
}
