//! Publishing, and installing what was published.

use sim_api::worlds::{Access, Cdn as Folder, PublishError};

use super::cdn::{Answer, Cdn};
use super::fixture::{self, Site};
use crate::support::folder::TempFolder;
use crate::support::in_time;

struct Shop {
    top: TempFolder,
    folder: Folder,
}

fn shop() -> Shop {
    let top = TempFolder::new();
    let folder = Folder::new(&top.path().join("cdn"));
    fixture::write(&top.path().join("oval"), &fixture::files());
    Shop { top, folder }
}

/// Every file of the folder under its path.
async fn serve(shop: &Shop) -> Cdn {
    let cdn = Cdn::start().await;
    let mut folders = vec![shop.top.path().join("cdn")];
    while let Some(folder) = folders.pop() {
        for name in fixture::names(&folder) {
            let path = folder.join(name);
            if path.is_dir() {
                folders.push(path);
            } else {
                let address = path.strip_prefix(shop.top.path().join("cdn")).unwrap();
                cdn.put(&format!("/{}", address.display()), Answer::ok(std::fs::read(&path).unwrap()));
            }
        }
    }
    cdn
}

#[tokio::test]
async fn a_published_bundle_installs_from_its_zip_and_from_its_files() {
    let shop = shop();
    let published = shop.folder.publish(&shop.top.path().join("oval"), Some("My oval"), Access::Public).unwrap();
    let meta = shop.folder.meta(&published.world_id).unwrap();
    assert_eq!(meta.rev, published.rev);
    assert!(meta.files.contains(&format!("evaluations/custom_{}.py", published.world_id)));
    for archive in [true, false] {
        if !archive {
            let path = shop.top.path().join(format!("cdn/worlds/{}/meta.json", published.world_id));
            let text = std::fs::read_to_string(&path).unwrap();
            std::fs::write(path, text.replace("\"archive\"", "\"ignored\"")).unwrap();
        }
        let cdn = serve(&shop).await;
        let site = Site::new(&cdn);
        in_time(site.installer.install(&published.world_id)).await.unwrap();
        assert_eq!(cdn.requests().len(), if archive { 2 } else { fixture::files().len() + 1 });
        let entry = &site.catalogue().list()[0];
        assert_eq!((entry.display.as_str(), entry.evaluation, &entry.error), ("My oval", true, &None));
        let bundle = site.catalogue().find_id(&published.world_id).unwrap();
        assert_eq!(bundle.route().unwrap(), Some(fixture::square()));
        for (path, content) in fixture::files() {
            let path = path.replace("/oval.", &format!("/custom_{}.", published.world_id));
            assert_eq!(std::fs::read(bundle.folder().join(path)).unwrap(), content);
        }
    }
}

#[test]
fn publishing_again_gives_a_new_id_and_the_same_revision_until_the_content_changes() {
    let shop = shop();
    let bundle = shop.top.path().join("oval");
    let publish = || shop.folder.publish(&bundle, None, Access::Private).unwrap();
    let (one, two) = (publish(), publish());
    assert_ne!(one.world_id, two.world_id);
    assert_eq!(one.rev, two.rev);
    std::fs::write(bundle.join("textures/field.png"), "other").unwrap();
    assert_ne!(publish().rev, one.rev);
    let list = shop.folder.list().unwrap();
    assert_eq!(list.len(), 3);
    assert!(list.iter().all(|entry| entry.meta.as_ref().unwrap().access == Some(Access::Private)));
    assert!(list.iter().all(|entry| entry.meta.as_ref().unwrap().name.as_deref() == Some("oval")));
}

#[test]
fn renaming_and_access_change_nothing_else() {
    let shop = shop();
    let id = shop.folder.publish(&shop.top.path().join("oval"), None, Access::Public).unwrap().world_id;
    let before = shop.folder.meta(&id).unwrap();
    shop.folder.rename(&id, "  New\u{202e} name\t").unwrap();
    shop.folder.set_access(&id, Access::Private).unwrap();
    let mut after = shop.folder.meta(&id).unwrap();
    assert_eq!((after.name.take().as_deref(), after.access.take()), (Some("New name"), Some(Access::Private)));
    assert_eq!(after, sim_api::worlds::meta::Meta { name: None, access: None, ..before });
    for bad in [" \n", &"x".repeat(121)] {
        assert!(matches!(shop.folder.rename(&id, bad), Err(PublishError::BadName)), "{bad}");
    }
    shop.folder.rename(&id, &"x".repeat(120)).unwrap();
    let other = sim_api::worlds::WorldId::parse(fixture::ID).unwrap();
    assert!(matches!(shop.folder.rename(&other, "x"), Err(PublishError::NotFound(_))));
    assert_eq!(fixture::names(&shop.top.path().join(format!("cdn/worlds/{id}"))).len(), 2);
}

#[test]
fn a_bundle_that_no_simulator_would_install_is_not_published() {
    let refused = |change: &dyn Fn(&std::path::Path)| {
        let shop = shop();
        change(&shop.top.path().join("oval"));
        let error = shop.folder.publish(&shop.top.path().join("oval"), None, Access::Public).unwrap_err();
        assert_eq!(fixture::names(&shop.top.path().join("cdn/worlds")), [""; 0]);
        error.to_string()
    };
    let write = |path: &'static str| move |bundle: &std::path::Path| std::fs::write(bundle.join(path), "x").unwrap();
    assert!(refused(&write("worlds/second.world")).contains("more than one world file"));
    assert!(refused(&write("worlds/oval.world")).contains("no <sdf> element"));
    assert!(refused(&write("routes/oval.npy")).contains("not a NumPy file"));
    assert!(refused(&write("textures/a b.png")).contains("characters other than"));
    assert!(refused(&write("textures/Field.png")).contains("upper and lower case"));
    assert!(refused(&|bundle| std::fs::remove_dir_all(bundle.join("worlds")).unwrap()).contains("no file worlds"));
    let link = |bundle: &std::path::Path| {
        std::os::unix::fs::symlink("/etc/passwd", bundle.join("textures/passwd")).unwrap();
    };
    assert!(refused(&link).contains("leads out"));
    assert!(refused(&|bundle| std::fs::remove_dir_all(bundle).unwrap()).contains("cannot use"));
}

#[test]
fn hidden_files_and_what_is_no_part_of_a_bundle_stay_at_home() {
    let shop = shop();
    let bundle = shop.top.path().join("oval");
    for path in ["project.json", "textures/.DS_Store", "notes/a.txt"] {
        fixture::write(&bundle, &vec![(path.to_owned(), b"x".to_vec())]);
    }
    let id = shop.folder.publish(&bundle, None, Access::Public).unwrap().world_id;
    assert_eq!(shop.folder.meta(&id).unwrap().files.len(), fixture::files().len());
    std::fs::create_dir(shop.top.path().join("cdn/worlds/.publish-1-2-3")).unwrap();
    shop.folder.recover().unwrap();
    assert_eq!(fixture::names(&shop.top.path().join("cdn/worlds")), [id.to_string()]);
}
