//! What a hostile zip file may hold: each time one clear sentence, and nothing is left behind.

use std::io::Write;

use sim_api::worlds::InstallLimits;
use zip::write::SimpleFileOptions;

use super::cdn::{Answer, Cdn};
use super::fixture;
use super::hostile::refusal_of;
use super::zip_bytes::{ZipEntry, zip};

/// A server whose meta.json lists nothing, so that everything in the zip counts.
async fn serve(zip: Vec<u8>) -> Cdn {
    let cdn = Cdn::start().await;
    let mut meta = fixture::meta(&Vec::new());
    meta["archive"] = "bundle.zip".into();
    cdn.put(&fixture::meta_path(), Answer::ok(meta.to_string()));
    cdn.put(&fixture::file_path("bundle.zip"), Answer::ok(zip));
    cdn
}

async fn refusal(extra: ZipEntry<'_>) -> String {
    let world = ZipEntry::file("worlds/oval.world", fixture::WORLD.as_bytes());
    refusal_of(&serve(zip(&[world, extra])).await, InstallLimits::default()).await
}

#[tokio::test]
async fn dangerous_names_in_a_zip_are_refused() {
    for (name, wanted) in [
        ("../evil", "climbs out"),
        ("textures/../../evil", "climbs out"),
        ("../", "climbs out"),
        ("/etc/cron.d/evil", "is absolute"),
        ("C:\\evil", "holds a backslash"),
        ("textures/a\u{1b}[2J.png", "control character"),
        ("textures/\u{202e}gnp.exe", "direction of writing"),
        ("Worlds/../worlds/evil", "climbs out"),
        ("worlds/OVAL.world", "upper and lower case"),
        ("worlds/oval.world/inner", "both a file and a folder"),
    ] {
        let mode = if name.ends_with('/') { 0o040_755 } else { 0o100_644 };
        let sentence = refusal(ZipEntry { mode, ..ZipEntry::file(name, b"x") }).await;
        assert!(sentence.contains(wanted), "{name:?}: {sentence}");
    }
    let sentence = refusal(ZipEntry { name: b"textures/\xff.png", ..ZipEntry::file("", b"x") }).await;
    assert!(sentence.contains("not UTF-8"), "{sentence}");
}

#[tokio::test]
async fn links_devices_and_pipes_in_a_zip_are_refused_even_where_they_would_be_skipped() {
    for mode in [0o120_777, 0o060_644, 0o020_644, 0o010_644, 0o140_644] {
        for name in ["textures/a.png", "elsewhere/a"] {
            let sentence = refusal(ZipEntry { mode, ..ZipEntry::file(name, b"/etc/passwd") }).await;
            assert!(sentence.contains("neither a file nor a folder"), "{mode:o}: {sentence}");
        }
    }
    let folder_as_link = refusal(ZipEntry { mode: 0o120_777, ..ZipEntry::file("models/", b"/etc") }).await;
    assert!(folder_as_link.contains("neither a file nor a folder"), "{folder_as_link}");
}

#[tokio::test]
async fn the_same_name_twice_in_a_zip_is_refused() {
    let sentence = refusal(ZipEntry::file("worlds/oval.world", b"other")).await;
    assert!(sentence.contains("twice"), "{sentence}");
}

#[tokio::test]
async fn lies_about_sizes_and_broken_zips_are_refused() {
    for claimed_size in [0, 3, 1000, u32::MAX - 1] {
        let lie = ZipEntry { claimed_size: Some(claimed_size), ..ZipEntry::file("textures/a.png", b"twelve bytes") };
        let sentence = refusal(lie).await;
        assert!(sentence.contains("zip file cannot be read"), "{claimed_size}: {sentence}");
    }
    let good = zip(&[ZipEntry::file("worlds/oval.world", fixture::WORLD.as_bytes())]);
    let mut flipped = good.clone();
    flipped[60] ^= 1;
    for bytes in [Vec::new(), b"PK".to_vec(), vec![0; 1000], good[..good.len() - 8].to_vec(), flipped] {
        let sentence = refusal_of(&serve(bytes).await, InstallLimits::default()).await;
        assert!(sentence.contains("zip file cannot be read"), "{sentence}");
    }
}

#[tokio::test]
async fn a_zip_without_a_world_or_without_a_listed_file_is_refused() {
    let sentence = refusal_of(&serve(zip(&[])).await, InstallLimits::default()).await;
    assert!(sentence.contains("no file worlds/*.world"), "{sentence}");
    let two = refusal(ZipEntry::file("worlds/other.world", fixture::WORLD.as_bytes())).await;
    assert!(two.contains("more than one world file"), "{two}");

    let cdn = serve(zip(&[ZipEntry::file("worlds/oval.world", fixture::WORLD.as_bytes())])).await;
    let mut meta = fixture::meta(&fixture::files());
    meta["archive"] = "bundle.zip".into();
    cdn.put(&fixture::meta_path(), Answer::ok(meta.to_string()));
    let sentence = refusal_of(&cdn, InstallLimits::default()).await;
    assert!(sentence.contains("is listed but missing"), "{sentence}");
}

#[tokio::test]
async fn zip_bombs_stop_at_the_limits() {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    writer.start_file("worlds/oval.world", options).unwrap();
    writer.write_all(fixture::WORLD.as_bytes()).unwrap();
    for index in 0..4 {
        writer.start_file(format!("textures/{index}.png"), options).unwrap();
        writer.write_all(&vec![0; 3 << 20]).unwrap();
    }
    let bomb = writer.finish().unwrap().into_inner();
    assert!(bomb.len() < 64 << 10);
    let cdn = serve(bomb).await;
    let one = InstallLimits { file_bytes: 1 << 20, ..InstallLimits::default() };
    assert!(refusal_of(&cdn, one).await.contains("is larger than 1048576 bytes"));
    let all = InstallLimits { file_bytes: 4 << 20, all_bytes: 8 << 20, ..InstallLimits::default() };
    assert!(refusal_of(&cdn, all).await.contains("together are larger than"));
    let few = InstallLimits { files: 2, ..InstallLimits::default() };
    assert!(refusal_of(&cdn, few).await.contains("more than 2 files"));
}
