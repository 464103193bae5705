//! HTTP towards the worlds server.
//!
//! The configured origin is trusted to be where it is, also on this machine. A redirect away from it may only lead to public
//! addresses, never from https to http, and never takes the token along. No answer is waited for without end, none is taken
//! beyond its limit, whatever it announces.

use std::net::IpAddr;
use std::sync::Once;
use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Response, StatusCode, Url};
use tokio::sync::OnceCell;

use super::address::{PublicOnly, is_private};
use super::{InstallError, InstallOptions, Unusable};

const MAX_REDIRECTS: usize = 5;

pub struct Fetcher {
    base: Url,
    token: Option<String>,
    trusted: Client,
    /// For everything but the configured origin; made when the first redirect needs it.
    guarded: OnceCell<Client>,
    idle: Duration,
    connect: Duration,
}

impl Fetcher {
    pub fn new(options: &InstallOptions) -> Result<Self, InstallError> {
        let base = parse_base(&options.worlds_url)?;
        let mut builder = client(options.connect_timeout);
        if base.scheme() == "http" {
            // Needs no certificates, and must not fail where a machine has none.
            builder = builder.tls_certs_only([]);
        }
        Ok(Self {
            trusted: builder.build().map_err(unreachable)?,
            guarded: OnceCell::new(),
            base,
            token: options.token.clone(),
            idle: options.idle_timeout,
            connect: options.connect_timeout,
        })
    }

    pub fn url(&self, segments: &[&str]) -> Url {
        let mut url = self.base.clone();
        let mut path = url.path_segments_mut().expect("http addresses have a path");
        path.pop_if_empty().push("worlds").extend(segments);
        drop(path);
        url
    }

    /// None when the server says that there is no such thing. `what` names it in errors.
    pub async fn get(&self, mut url: Url, what: &str) -> Result<Option<Body>, InstallError> {
        for _ in 0..=MAX_REDIRECTS {
            let response = self.send(&url, what).await?;
            match response.status() {
                StatusCode::OK => return self.body(response, what).map(Some),
                StatusCode::NOT_FOUND | StatusCode::GONE => return Ok(None),
                status if status.is_redirection() && response.headers().contains_key(LOCATION) => {
                    url = redirect_target(&url, &response, what)?;
                    self.check_target(&url, what)?;
                }
                status => return Err(Unusable::Status { what: what.into(), status: status.as_u16() }.into()),
            }
        }
        Err(Unusable::RedirectLoop(what.into()).into())
    }

    async fn send(&self, url: &Url, what: &str) -> Result<Response, InstallError> {
        let request = if url.origin() == self.base.origin() {
            let request = self.trusted.get(url.clone());
            match &self.token {
                Some(token) => request.header(AUTHORIZATION, format!("Bearer {token}")),
                None => request,
            }
        } else {
            let build = async || client(self.connect).dns_resolver(PublicOnly).build().map_err(unreachable);
            self.guarded.get_or_try_init(build).await?.get(url.clone())
        };
        match tokio::time::timeout(self.idle, request.send()).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(err)) if url.origin() != self.base.origin() && err.is_connect() => Err(Unusable::Redirect {
                what: what.into(),
                to: shown(url),
                fault: "cannot be reached or has a private address",
            }
            .into()),
            Ok(Err(err)) if err.is_connect() => Err(unreachable(err)),
            Ok(Err(err)) if err.is_timeout() => Err(Unusable::Stalled(what.into()).into()),
            Ok(Err(_)) => Err(Unusable::Cut(what.into()).into()),
            Err(_) => Err(Unusable::Stalled(what.into()).into()),
        }
    }

    fn check_target(&self, url: &Url, what: &str) -> Result<(), InstallError> {
        if url.origin() == self.base.origin() {
            return Ok(());
        }
        let refused = |fault| Err(Unusable::Redirect { what: what.into(), to: shown(url), fault }.into());
        if !matches!(url.scheme(), "http" | "https") {
            return refused("is not an http address");
        }
        if self.base.scheme() == "https" && url.scheme() == "http" {
            return refused("is not encrypted");
        }
        // Names are checked when they are resolved.
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        if host.parse::<IpAddr>().is_ok_and(is_private) {
            return refused("is a private address");
        }
        Ok(())
    }

    fn body(&self, response: Response, what: &str) -> Result<Body, InstallError> {
        let encoding = response.headers().get(CONTENT_ENCODING);
        if encoding.is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
            return Err(Unusable::Encoded(what.into()).into());
        }
        Ok(Body { response, what: what.into(), idle: self.idle })
    }
}

/// An answer that is being read.
pub struct Body {
    response: Response,
    what: String,
    idle: Duration,
}

impl Body {
    /// What the server claims; it may lie.
    pub fn announced_bytes(&self) -> Option<u64> {
        self.response.content_length()
    }

    /// None at the end.
    pub async fn next(&mut self) -> Result<Option<Bytes>, InstallError> {
        match tokio::time::timeout(self.idle, self.response.chunk()).await {
            Ok(Ok(chunk)) => Ok(chunk),
            Ok(Err(err)) if err.is_timeout() => Err(Unusable::Stalled(self.what.clone()).into()),
            Ok(Err(_)) => Err(Unusable::Cut(self.what.clone()).into()),
            Err(_) => Err(Unusable::Stalled(self.what.clone()).into()),
        }
    }

    pub async fn read_all(mut self, limit_bytes: u64) -> Result<Vec<u8>, InstallError> {
        let mut all = Vec::new();
        while let Some(chunk) = self.next().await? {
            if (all.len() + chunk.len()) as u64 > limit_bytes {
                return Err(Unusable::FileTooLarge { what: self.what, limit_bytes }.into());
            }
            all.extend_from_slice(&chunk);
        }
        Ok(all)
    }
}

pub(super) fn parse_base(raw: &str) -> Result<Url, InstallError> {
    let bad = || InstallError::Unreachable("the setting worlds_url is not an http or https address".into());
    let url = Url::parse(raw).map_err(|_| bad())?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(bad());
    }
    Ok(url)
}

/// Whether worlds could be installed from there.
pub fn is_worlds_url(raw: &str) -> bool {
    parse_base(raw).is_ok()
}

fn client(connect_timeout: Duration) -> ClientBuilder {
    static PROVIDER: Once = Once::new();
    // Somebody else may have chosen one before; any will do.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    // A proxy would resolve names in our place, out of sight of the check.
    Client::builder().redirect(Policy::none()).no_proxy().connect_timeout(connect_timeout)
}

fn redirect_target(from: &Url, response: &Response, what: &str) -> Result<Url, InstallError> {
    let location = response.headers().get(LOCATION).and_then(|location| location.to_str().ok());
    let target = location.and_then(|location| from.join(location).ok());
    target.ok_or_else(|| Unusable::Redirect { what: what.into(), to: "nowhere".into(), fault: "is no address" }.into())
}

/// Without a path and without credentials.
fn shown(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{}{port}", url.scheme(), url.host_str().unwrap_or("nowhere"))
}

fn unreachable(err: reqwest::Error) -> InstallError {
    let err = err.without_url();
    let mut text = err.to_string();
    let mut source = std::error::Error::source(&err);
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    InstallError::Unreachable(text)
}
