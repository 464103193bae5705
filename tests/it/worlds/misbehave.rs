//! Worlds servers that stall, lie, cut connections or point elsewhere.

use std::time::Duration;

use sim_api::worlds::{InstallError, InstallLimits, InstallOptions, Installer, Store, Unusable};

use super::cdn::{Answer, Cdn};
use super::fixture::{self, Site, id};
use super::hostile::refusal_of;
use crate::support::in_time;

const FILE: &str = "models/cone/model.sdf";

/// What happens when this is the answer to meta.json, to one file, and to the zip.
async fn refusals(answer: &Answer, options: impl Fn(String) -> InstallOptions) -> Vec<InstallError> {
    let mut errors = Vec::new();
    for path in [fixture::meta_path(), fixture::file_path(FILE), fixture::file_path("bundle.zip")] {
        let cdn = fixture::serve(&fixture::files()).await;
        if path.ends_with(".zip") {
            let mut meta = fixture::meta(&fixture::files());
            meta["archive"] = "bundle.zip".into();
            cdn.put(&fixture::meta_path(), Answer::ok(meta.to_string()));
        }
        cdn.put(&path, answer.clone());
        let site = Site::with(options(cdn.url()));
        errors.push(in_time(site.installer.install(&id())).await.unwrap_err());
        assert!(site.catalogue().list().is_empty());
        assert_eq!(site.leftovers(), [""; 0]);
    }
    errors
}

#[tokio::test]
async fn a_silent_server_is_given_up() {
    let impatient = |url| InstallOptions { idle_timeout: Duration::from_millis(100), ..InstallOptions::new(url) };
    for answer in [Answer::Silence, Answer::Stall(b"{}".to_vec())] {
        for error in refusals(&answer, impatient).await {
            assert!(matches!(error, InstallError::Unusable(Unusable::Stalled(_))), "{error}");
        }
    }
}

#[tokio::test]
async fn a_server_that_is_never_quite_silent_is_given_up_as_well() {
    let limited = |url| InstallOptions { overall_timeout: Duration::from_millis(300), ..InstallOptions::new(url) };
    for error in refusals(&Answer::Drip, limited).await {
        assert_eq!(error, InstallError::Unusable(Unusable::TooSlow));
    }
}

#[tokio::test]
async fn an_endless_answer_is_cut_off_at_the_limit() {
    let limits = InstallLimits { file_bytes: 1 << 20, all_bytes: 2 << 20, ..InstallLimits::default() };
    let options = |url| InstallOptions { limits: limits.clone(), ..InstallOptions::new(url) };
    for answer in [Answer::Endless, Answer::Announced(u64::MAX / 2, b"{}".to_vec())] {
        for error in refusals(&answer, options).await {
            let fits = matches!(error, InstallError::Unusable(Unusable::FileTooLarge { .. } | Unusable::Cut(_)));
            assert!(fits, "{error}");
        }
    }
}

#[tokio::test]
async fn an_answer_shorter_than_announced_is_refused() {
    for error in refusals(&Answer::Announced(1000, b"{\"rev\":".to_vec()), InstallOptions::new).await {
        assert!(matches!(error, InstallError::Unusable(Unusable::Cut(_))), "{error}");
    }
}

#[tokio::test]
async fn errors_and_unasked_compression_are_refused() {
    for status in [500, 403, 206, 204, 304] {
        for error in refusals(&Answer::Plain(status, String::new(), Vec::new()), InstallOptions::new).await {
            assert!(matches!(&error, InstallError::Unusable(Unusable::Status { .. })), "{status}: {error}");
        }
    }
    let gzip = Answer::Plain(200, "Content-Encoding: gzip\r\n".into(), b"x".to_vec());
    for error in refusals(&gzip, InstallOptions::new).await {
        assert!(matches!(error, InstallError::Unusable(Unusable::Encoded(_))), "{error}");
    }
    let cdn = fixture::serve(&fixture::files()).await;
    cdn.put(&fixture::file_path(FILE), Answer::Plain(404, String::new(), Vec::new()));
    assert!(refusal_of(&cdn, InstallLimits::default()).await.contains("is listed but missing"));
}

#[tokio::test]
async fn redirects_to_other_private_addresses_are_refused_and_never_followed() {
    let secret = Cdn::start().await;
    let port = secret.address.port();
    for target in [
        format!("http://127.0.0.1:{port}/x"),
        format!("http://127.1:{port}/x"),
        format!("http://2130706433:{port}/x"),
        format!("http://localhost:{port}/x"),
        format!("http://[::1]:{port}/x"),
        format!("http://[::ffff:127.0.0.1]:{port}/x"),
        format!("http://0.0.0.0:{port}/x"),
        "http://10.0.0.1/x".into(),
        "http://192.168.1.1/x".into(),
        "http://169.254.169.254/latest/meta-data/".into(),
        "http://100.64.0.1/x".into(),
        "http://[fd00::1]/x".into(),
        "http://[fe80::1]/x".into(),
        "http://[64:ff9b::7f00:1]/x".into(),
        "file:///etc/passwd".into(),
        "ftp://example.org/x".into(),
    ] {
        for error in refusals(&Answer::redirect(&target), InstallOptions::new).await {
            assert!(matches!(error, InstallError::Unusable(Unusable::Redirect { .. })), "{target}: {error}");
        }
    }
    assert_eq!(secret.requests(), [""; 0]);
}

#[tokio::test]
async fn redirects_within_the_configured_origin_are_followed_but_not_in_circles() {
    let cdn = fixture::serve(&fixture::files()).await;
    let content = fixture::files().into_iter().find(|(path, _)| path == FILE).unwrap().1;
    cdn.put(&fixture::file_path(FILE), Answer::redirect("/moved"));
    cdn.put("/moved", Answer::redirect(&format!("{}/moved/again", cdn.url())));
    cdn.put("/moved/again", Answer::ok(content));
    let site = Site::new(&cdn);
    in_time(site.installer.install(&id())).await.unwrap();

    for error in refusals(&Answer::redirect("?again"), InstallOptions::new).await {
        assert!(matches!(error, InstallError::Unusable(Unusable::Missing(_)) | InstallError::NotFound(_)), "{error}");
    }
    let circle = fixture::serve(&fixture::files()).await;
    circle.put(&fixture::meta_path(), Answer::redirect(&fixture::meta_path()));
    assert!(refusal_of(&circle, InstallLimits::default()).await.contains("too many redirects"));
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unreachable() {
    let nobody = Cdn::start().await.url();
    let site = Site::with(InstallOptions { connect_timeout: Duration::from_secs(5), ..InstallOptions::new(nobody) });
    // The listener of a dropped server goes away with its task, which may take a moment.
    let error = loop {
        let error = in_time(site.installer.install(&id())).await.unwrap_err();
        if !matches!(error, InstallError::NotFound(_) | InstallError::Unusable(_)) {
            break error;
        }
    };
    assert!(matches!(error, InstallError::Unreachable(_)), "{error}");
    for url in ["", "example.org", "ftp://example.org", "file:///tmp"] {
        let made = Installer::new(Store::new(site.data.path()), InstallOptions::new(url));
        assert!(made.is_err(), "{url}");
    }
}
