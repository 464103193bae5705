//! `GET /sim` and `GET /sim/assets/<file>`: the page, as `viewer/` builds it.
//!
//! Its files lie beside the program like the worlds do and are read once at the start. Names of assets carry a hash of their
//! content, so browsers keep them for ever; the page itself is asked for anew each time. Where no page was built, `/sim` says
//! in a few words where the API is.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use warp::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, HeaderValue, REFERRER_POLICY, VARY,
    X_CONTENT_TYPE_OPTIONS,
};

use crate::api::cached::{self, Keep};
use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::Response;
use crate::api::request::Call;
use crate::api::welcome;

const PAGE: &str = "index.html";
const ASSETS: &str = "assets";
/// Scripts, styles and everything else come from here alone, and nobody may put the page into a frame.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";
/// What a built file may end in, and how browsers are told.
const TYPES: [(&str, &str); 8] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("woff2", "font/woff2"),
    ("json", "application/json"),
];

/// The built page. Empty when there is none.
#[derive(Debug, Default)]
pub struct ViewerFiles {
    /// By path from the folder of the page.
    files: BTreeMap<String, ViewerFile>,
}

#[derive(Debug)]
struct ViewerFile {
    content_type: &'static str,
    tag: String,
    plain: Bytes,
    gzip: Option<Bytes>,
    brotli: Option<Bytes>,
}

impl ViewerFiles {
    /// What `vite build` left in this folder: the page, and the files beside it in `assets/`.
    pub fn read(folder: &Path) -> Self {
        let page = [PAGE.to_owned()].into_iter().filter(|_| folder.join(PAGE).is_file());
        let assets = fs::read_dir(folder.join(ASSETS)).into_iter().flatten().flatten();
        let assets = assets.filter_map(|entry| Some(format!("{ASSETS}/{}", entry.file_name().to_str()?)));
        let files = page.chain(assets).filter_map(|path| {
            let file = ViewerFile::read(folder, &path)?;
            Some((path, file))
        });
        Self { files: files.collect() }
    }
}

impl ViewerFile {
    /// `None` for a kind of file that no page has, such as the compressed ones, which are read with what they compress.
    fn read(folder: &Path, path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit_once('.')?;
        let (_, content_type) = TYPES.into_iter().find(|(known, _)| *known == ending)?;
        let bytes = |path: &str| fs::read(folder.join(path)).ok().map(Bytes::from);
        let plain = bytes(path)?;
        Some(Self {
            content_type,
            tag: cached::tag(&[&plain]),
            gzip: bytes(&format!("{path}.gz")),
            brotli: bytes(&format!("{path}.br")),
            plain,
        })
    }

    /// The smallest form that the client can read.
    fn encoded(&self, call: &Call) -> (&Bytes, Option<&'static str>) {
        let forms = [(&self.brotli, "br"), (&self.gzip, "gzip")];
        let found =
            forms.into_iter().find_map(|(bytes, name)| Some((bytes.as_ref().filter(|_| takes(call, name))?, name)));
        found.map_or((&self.plain, None), |(bytes, name)| (bytes, Some(name)))
    }
}

pub async fn page(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let Some(file) = api.viewer.files.get(PAGE) else { return welcome::read(api, call).await };
    let mut response = send(&call, file, Keep::AskFirst);
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    // A token in the address must not travel on.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Ok(response)
}

pub async fn asset(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let name = call.names.first().expect("the route has a name");
    let file = api.viewer.files.get(&format!("{ASSETS}/{name}"));
    let missing = || ApiError::not_found("no_such_asset", "the page has no such file; load it again");
    Ok(send(&call, file.ok_or_else(missing)?, Keep::ForEver))
}

fn send(call: &Call, file: &ViewerFile, keep: Keep) -> Response {
    let (bytes, encoding) = file.encoded(call);
    let answer = cached::answer(call, &file.tag, keep, file.content_type, || Ok::<_, Infallible>(bytes.clone()));
    let mut response = answer.unwrap_or_else(|never| match never {});
    let headers = response.headers_mut();
    headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Some(encoding) = encoding {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// Whether the client names this encoding without refusing it.
fn takes(call: &Call, encoding: &str) -> bool {
    let mut offers = call.head.header_lines(ACCEPT_ENCODING).flat_map(|line| line.split(','));
    offers.any(|offer| {
        let (name, weight) = offer.split_once(';').unwrap_or((offer, ""));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.trim().parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case(encoding) && weight.is_none_or(|weight| weight > 0.0)
    })
}
