//! Installs that are interrupted anywhere: afterwards the world is there as a whole or not at all.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sim_api::worlds::{InstallError, InstallOptions, Installer, Store};
use tokio::sync::Semaphore;

use super::cdn::{Answer, Cdn};
use super::fixture::{self, ID, Site, id};
use super::zip_bytes::{ZipEntry, zip};
use crate::support::folder::TempFolder;
use crate::support::in_time;
use crate::support::wait::wait_until;

/// Whole or absent, and a reinstall works.
async fn assert_sound(data: &Path, cdn: &Cdn) {
    let store = Store::new(data);
    store.recover().unwrap();
    for entry in fixture::catalogue(data).list() {
        assert_eq!((entry.name.as_str(), entry.error), (format!("custom_{ID}").as_str(), None));
    }
    let installer = Installer::new(store, InstallOptions::new(cdn.url())).unwrap();
    in_time(installer.install(&id())).await.unwrap();
    assert!(in_time(installer.install(&id())).await.unwrap().cached);
    assert_eq!(fixture::names(&data.join("worlds")), [format!("custom_{ID}")]);
    let bundle = fixture::catalogue(data).find_id(&id()).unwrap();
    for (path, _) in fixture::files() {
        let path = path.replace("/oval.", &format!("/custom_{ID}."));
        assert!(bundle.folder().join(&path).is_file(), "{path}");
    }
}

/// The same files, one by one or in a zip.
async fn healthy(as_zip: bool) -> Cdn {
    let files = fixture::files();
    let cdn = fixture::serve(&files).await;
    if as_zip {
        let entries: Vec<ZipEntry> = files.iter().map(|(path, content)| ZipEntry::file(path, content)).collect();
        cdn.put(&fixture::file_path("bundle.zip"), Answer::ok(zip(&entries)));
        let mut meta = fixture::meta(&files);
        meta["archive"] = "bundle.zip".into();
        cdn.put(&fixture::meta_path(), Answer::ok(meta.to_string()));
    }
    cdn
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_install_aborted_at_any_moment_leaves_all_or_nothing() {
    let mut interrupted = 0;
    for round in 0..50u64 {
        let cdn = healthy(round % 2 == 0).await;
        let site = Site::new(&cdn);
        let installer = site.installer.clone();
        let waiting = tokio::spawn(async move { installer.install(&id()).await });
        // The moment is the fault that is tested, spread over the time an install takes.
        tokio::time::sleep(Duration::from_micros(round * 400)).await;
        in_time(site.installer.shutdown()).await;
        interrupted += usize::from(in_time(waiting).await.unwrap() == Err(InstallError::Interrupted));
        // What a blocking part was doing at that moment it does to its end.
        wait_until("the end of the last write", || !site.leftovers().iter().any(|name| name.starts_with('.'))).await;
        assert_sound(site.data.path(), &cdn).await;
    }
    assert!(interrupted > 0, "no install was caught in the middle");
}

#[tokio::test]
async fn the_disk_as_a_kill_would_leave_it_after_any_file_is_recovered() {
    for (path, content) in fixture::files() {
        let cdn = healthy(false).await;
        let gate = Arc::new(Semaphore::new(0));
        cdn.put(&fixture::file_path(&path), Answer::Gated(gate.clone(), content));
        let site = Site::new(&cdn);
        let installer = site.installer.clone();
        let waiting = tokio::spawn(async move { installer.install(&id()).await });
        wait_until("the download", || cdn.requests().contains(&fixture::file_path(&path))).await;
        let corpse = TempFolder::new();
        copy(site.data.path(), corpse.path());
        assert!(fixture::catalogue(corpse.path()).list().is_empty());
        assert_sound(corpse.path(), &healthy(false).await).await;
        gate.add_permits(1);
        in_time(waiting).await.unwrap().unwrap();
    }
}

/// A file that vanishes meanwhile was not there for the kill either.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for name in fixture::names(from) {
        if from.join(&name).is_dir() {
            copy(&from.join(&name), &to.join(&name));
        } else {
            let _ = std::fs::copy(from.join(&name), to.join(&name));
        }
    }
}

#[tokio::test]
async fn a_failed_update_keeps_the_old_revision() {
    let cdn = healthy(false).await;
    let site = Site::new(&cdn);
    in_time(site.installer.install(&id())).await.unwrap();
    let mut meta = fixture::meta(&fixture::files());
    meta["rev"] = "newer000".into();
    cdn.put(&fixture::meta_path(), Answer::ok(meta.to_string()));
    in_time(site.installer.install(&id())).await.unwrap_err();
    let entry = &site.catalogue().list()[0];
    assert_eq!((entry.rev.as_ref().unwrap().as_str(), &entry.error), (fixture::REV, &None));
    assert_eq!(site.leftovers(), [format!("custom_{ID}")]);
}
