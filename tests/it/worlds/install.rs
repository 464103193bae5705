//! Installing worlds that are as they should be.

use sim_api::worlds::{InstallError, InstallOptions, InstallPhase, Unusable, WorldId};
use tokio::sync::Semaphore;
use tokio::sync::broadcast::Receiver;

use super::cdn::{Answer, Cdn};
use super::fixture::{self, ID, REV, Site, id};
use super::zip_bytes::{ZipEntry, zip};
use crate::support::in_time;
use crate::support::wait::wait_until;

#[tokio::test]
async fn an_installed_world_is_listed_under_its_id_with_route_and_evaluation() {
    let cdn = fixture::serve(&fixture::files()).await;
    let site = Site::new(&cdn);
    let installed = in_time(site.installer.install(&id())).await.unwrap();
    assert_eq!(installed.name.file(), format!("custom_{ID}.world"));
    assert_eq!((installed.rev.as_str(), installed.cached), (REV, false));

    let list = site.catalogue().list();
    assert_eq!(list.len(), 1);
    let entry = &list[0];
    assert_eq!(entry.error, None);
    assert_eq!((entry.display.as_str(), entry.size), ("Oval", Some([6.0, 5.0])));
    assert_eq!((&entry.world_id, entry.evaluation, entry.deletable), (&Some(id()), true, true));
    let bundle = site.catalogue().find_id(&id()).unwrap();
    assert_eq!(bundle.route().unwrap(), Some(fixture::square()));
    assert_eq!(bundle.publication().unwrap().1.as_str(), REV);
    for named in
        ["worlds/custom_{}.world", "evaluations/custom_{}.json", "evaluations/custom_{}.py", "routes/custom_{}.npy"]
    {
        assert!(bundle.folder().join(named.replace("{}", ID)).is_file(), "{named}");
    }
    assert!(bundle.folder().join("textures/field.png").is_file());
    assert_eq!(site.leftovers(), [format!("custom_{ID}")]);
}

#[tokio::test]
async fn the_same_world_comes_out_of_one_zip() {
    let files = fixture::files();
    let cdn = Cdn::start().await;
    let mut meta = fixture::meta(&files);
    meta["archive"] = "bundle.zip".into();
    let mut entries: Vec<ZipEntry> = files.iter().map(|(path, content)| ZipEntry::file(path, content)).collect();
    entries.push(ZipEntry { mode: 0o040_755, ..ZipEntry::file("models/cone/", b"") });
    entries.push(ZipEntry::file("project.json", b"{}"));
    entries.push(ZipEntry::file("textures/unlisted.png", b"x"));
    // One path as on servers that keep the zip with the revision, one as on those that keep it beside meta.json.
    for path in [fixture::file_path("bundle.zip"), format!("/worlds/{ID}/bundle.zip")] {
        let cdn = if path.contains(REV) { &cdn } else { &Cdn::start().await };
        cdn.put(&fixture::meta_path(), Answer::ok(meta.to_string()));
        cdn.put(&path, Answer::ok(zip(&entries)));
        let site = Site::new(cdn);
        in_time(site.installer.install(&id())).await.unwrap();
        let bundle = site.catalogue().find_id(&id()).unwrap();
        assert_eq!(bundle.route().unwrap(), Some(fixture::square()));
        assert!(bundle.has_evaluation());
        assert!(!bundle.folder().join("project.json").exists());
        assert!(!bundle.folder().join("textures/unlisted.png").exists());
        assert_eq!(site.leftovers(), [format!("custom_{ID}")]);
    }
}

#[tokio::test]
async fn an_installed_revision_is_not_downloaded_again_but_its_new_name_is_taken() {
    let files = fixture::files();
    let cdn = fixture::serve(&files).await;
    let site = Site::new(&cdn);
    in_time(site.installer.install(&id())).await.unwrap();
    let before = cdn.requests().len();
    let mut meta = fixture::meta(&files);
    meta["name"] = "Oval\u{202e} 2\n".into();
    cdn.put(&fixture::meta_path(), Answer::ok(meta.to_string()));
    let again = in_time(site.installer.install(&id())).await.unwrap();
    assert!(again.cached);
    assert_eq!(cdn.requests()[before..], [fixture::meta_path()]);
    assert_eq!(site.catalogue().list()[0].display, "Oval 2");
}

#[tokio::test]
async fn a_damaged_installation_and_another_revision_are_downloaded_again() {
    let mut files = fixture::files();
    let cdn = fixture::serve(&files).await;
    let site = Site::new(&cdn);
    in_time(site.installer.install(&id())).await.unwrap();
    let bundle = site.catalogue().find_id(&id()).unwrap();
    std::fs::remove_file(bundle.folder().join("models/cone/model.sdf")).unwrap();
    assert!(!in_time(site.installer.install(&id())).await.unwrap().cached);
    assert!(bundle.folder().join("models/cone/model.sdf").is_file());

    files.retain(|(path, _)| path != "meshes/oval/track.dae");
    let mut meta = fixture::meta(&files);
    meta["rev"] = "zzzzzzzz".into();
    cdn.put(&fixture::meta_path(), Answer::ok(meta.to_string()));
    for (path, content) in &files {
        cdn.put(&fixture::file_path(path).replace(REV, "zzzzzzzz"), Answer::ok(content.clone()));
    }
    let installed = in_time(site.installer.install(&id())).await.unwrap();
    assert_eq!((installed.rev.as_str(), installed.cached), ("zzzzzzzz", false));
    assert!(!bundle.folder().join("meshes/oval/track.dae").exists());
    assert_eq!(site.leftovers(), [format!("custom_{ID}")]);
}

#[tokio::test]
async fn two_requests_for_the_same_world_share_one_download() {
    let files = fixture::files();
    let cdn = fixture::serve(&files).await;
    let gate = std::sync::Arc::new(Semaphore::new(0));
    cdn.put(&fixture::file_path("worlds/oval.world"), Answer::Gated(gate.clone(), fixture::WORLD.into()));
    let site = Site::new(&cdn);
    let first = tokio::spawn({
        let installer = site.installer.clone();
        async move { installer.install(&id()).await }
    });
    wait_until("the download", || cdn.requests().contains(&fixture::file_path("worlds/oval.world"))).await;
    let upper = WorldId::parse(&ID.to_uppercase()).unwrap();
    let mut second = Box::pin(site.installer.install(&upper));
    assert!(futures::poll!(&mut second).is_pending());
    // Somebody who does not wait any longer disturbs nobody.
    let mut third = Box::pin(site.installer.install(&upper));
    assert!(futures::poll!(&mut third).is_pending());
    drop(third);
    gate.add_permits(1);
    let first = in_time(first).await.unwrap().unwrap();
    let second = in_time(second).await.unwrap();
    assert_eq!(first, second);
    assert_eq!(cdn.requests().len(), files.len() + 1);
}

#[tokio::test]
async fn progress_goes_from_download_over_check_to_done() {
    let cdn = fixture::serve(&fixture::files()).await;
    let site = Site::new(&cdn);
    let mut progress = site.installer.progress();
    in_time(site.installer.install(&id())).await.unwrap();
    let phases = phases(&mut progress);
    assert_eq!(phases.first(), Some(&InstallPhase::Download));
    assert_eq!(phases[phases.len() - 2..], [InstallPhase::Check, InstallPhase::Done]);

    let other = WorldId::parse(&"f".repeat(32)).unwrap();
    let error = in_time(site.installer.install(&other)).await.unwrap_err();
    assert_eq!(error, InstallError::NotFound(other.clone()));
    let last = progress.try_recv().unwrap();
    assert_eq!((last.world_id, last.phase, last.error), (other, InstallPhase::Failed, Some(error.to_string())));
}

fn phases(progress: &mut Receiver<sim_api::worlds::InstallProgress>) -> Vec<InstallPhase> {
    std::iter::from_fn(|| progress.try_recv().ok()).map(|progress| progress.phase).collect()
}

#[tokio::test]
async fn the_token_reaches_the_configured_origin() {
    let cdn = fixture::serve(&fixture::files()).await;
    let site = Site::with(InstallOptions { token: Some("sesame".into()), ..InstallOptions::new(cdn.url()) });
    in_time(site.installer.install(&id())).await.unwrap();
    assert!(cdn.heads().iter().all(|head| head.to_lowercase().contains("authorization: bearer sesame")));
}

#[tokio::test]
async fn the_worlds_server_may_live_below_a_path() {
    let files = fixture::files();
    let cdn = Cdn::start().await;
    cdn.put(&format!("/a/cdn{}", fixture::meta_path()), Answer::ok(fixture::meta(&files).to_string()));
    for (path, content) in &files {
        cdn.put(&format!("/a/cdn{}", fixture::file_path(path)), Answer::ok(content.clone()));
    }
    for tail in ["/a/cdn", "/a/cdn/"] {
        let site = Site::with(InstallOptions::new(cdn.url() + tail));
        in_time(site.installer.install(&id())).await.unwrap();
    }
}

#[tokio::test]
async fn a_world_that_cannot_be_stored_is_this_machines_fault() {
    let cdn = fixture::serve(&fixture::files()).await;
    let site = Site::new(&cdn);
    std::fs::write(site.data.path().join("worlds"), "in the way").unwrap();
    let error = in_time(site.installer.install(&id())).await.unwrap_err();
    assert!(matches!(error, InstallError::Disk(_)), "{error}");
}

#[tokio::test]
async fn a_world_whose_own_files_cannot_be_read_is_refused() {
    for (path, content, wanted) in [
        ("worlds/oval.world", "hello", "no <sdf> element"),
        ("worlds/oval.world", &fixture::WORLD[..60], "does not end"),
        ("routes/oval.npy", "\u{93}NUMPY", "not a NumPy file"),
        ("evaluations/oval.json", "{", "not JSON"),
    ] {
        let mut files = fixture::files();
        files.iter_mut().find(|(name, _)| name == path).unwrap().1 = content.as_bytes().to_vec();
        let cdn = fixture::serve(&files).await;
        let site = Site::new(&cdn);
        let error = in_time(site.installer.install(&id())).await.unwrap_err();
        assert!(matches!(error, InstallError::Unusable(Unusable::Content { .. })), "{error}");
        assert!(error.to_string().contains(wanted), "{error}");
        assert_eq!(site.leftovers(), [""; 0]);
    }
}
