//! `/cdn/`: what the node hands out of the worlds that were published on its machine.

use sim_api::api::ApiOptions;
use sim_api::worlds::{Access, PublishedWorld};

use super::fixture::{self, Site};
use crate::support::folder::TempFolder;
use crate::support::http::{Answer, Connection, exchange, get, request};
use crate::support::in_time;
use crate::support::node::{Node, running, stock};

struct Shop {
    data: TempFolder,
    node: Node,
    world: PublishedWorld,
}

impl Shop {
    async fn open(access: Access, token: Option<&str>) -> Self {
        let data = TempFolder::new();
        fixture::write(&data.path().join("oval"), &fixture::files());
        let stock = stock(data.path(), "http://127.0.0.1:9");
        let world = stock.cdn.publish(&data.path().join("oval"), Some("Oval"), access).unwrap();
        let options = ApiOptions { token: token.map(str::to_owned), ..ApiOptions::default() };
        Self { node: Node::showing_worlds(running(), options, stock).await, data, world }
    }

    fn path(&self, rest: &str) -> String {
        format!("/cdn/worlds/{}/{rest}", self.world.world_id)
    }

    fn file(&self, path: &str) -> String {
        self.path(&format!("{}/{path}", self.world.rev))
    }

    fn url(&self) -> String {
        format!("http://{}/cdn/", self.node.address)
    }
}

#[tokio::test]
async fn a_published_world_is_served_file_by_file_and_as_a_zip_with_types_that_no_browser_runs() {
    let shop = Shop::open(Access::Public, None).await;
    let name = shop.world.world_id.world_name();
    for (path, content_type) in [
        (shop.path("meta.json"), "application/json"),
        (shop.file("bundle.zip"), "application/zip"),
        (shop.file(&format!("worlds/{name}.world")), "application/xml"),
        (shop.file("textures/field.png"), "image/png"),
        (shop.file(&format!("routes/{name}.npy")), "application/octet-stream"),
        (shop.file(&format!("evaluations/{name}.py")), "text/plain; charset=utf-8"),
    ] {
        let answer = get(shop.node.address, &path).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(content_type)), "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("content-security-policy"), Some("default-src 'none'; sandbox"));
        let on_disk = shop.data.path().join(path.trim_start_matches('/'));
        assert_eq!(answer.body, std::fs::read(on_disk).unwrap(), "{path}");
    }
    let mut connection = Connection::open(shop.node.address).await;
    connection.send(&request("HEAD", &shop.file("textures/field.png"), "", b"")).await;
    let head = connection.head().await.unwrap();
    assert_eq!((head.status, head.header("content-length")), (200, Some("6")));
    shop.node.stop().await;
}

#[tokio::test]
async fn nothing_but_what_meta_json_names_is_served() {
    let shop = Shop::open(Access::Public, None).await;
    std::fs::write(shop.data.path().join(shop.file("textures/unlisted.png").trim_start_matches('/')), "x").unwrap();
    std::fs::write(shop.data.path().join(shop.path(".draft-1").trim_start_matches('/')), "x").unwrap();
    std::fs::write(shop.data.path().join("secret"), "x").unwrap();
    let rev = shop.world.rev.as_str();
    for path in [
        "/cdn".to_owned(),
        "/cdn/".to_owned(),
        "/cdn/worlds".to_owned(),
        "/cdn/secret".to_owned(),
        "/cdn/../secret".to_owned(),
        shop.path(""),
        shop.path(rev),
        shop.path(".draft-1"),
        shop.path("other0rev/textures/field.png"),
        shop.path(&format!("{rev}/textures")),
        shop.path(&format!("..%2f..%2f..%2fsecret/{rev}/x")),
        shop.file("textures/unlisted.png"),
        shop.file("textures/../textures/field.png"),
        shop.file("../meta.json"),
        shop.file("..%2f..%2f..%2f..%2fsecret"),
        shop.file("%2e%2e/meta.json"),
        shop.file("textures%5cfield.png"),
        shop.file("textures/field.png%00"),
        format!("/cdn/worlds/{}/meta.json", "0".repeat(32)),
        "/cdn/worlds/../meta.json".to_owned(),
    ] {
        assert_eq!(get(shop.node.address, &path).await.status, 404, "{path}");
    }
    let written = exchange(shop.node.address, &request("PUT", &shop.path("meta.json"), "", b"{}")).await;
    assert_eq!(written.status, 405);
    shop.node.stop().await;
}

#[tokio::test]
async fn of_worlds_behind_a_token_the_public_ones_are_for_everybody_and_the_private_ones_for_its_holders() {
    let with_token = |path: &str| request("GET", path, "Authorization: Bearer sesame\r\n", b"");
    let status = |answer: Answer| answer.status;
    let shop = Shop::open(Access::Public, Some("sesame")).await;
    assert_eq!(status(get(shop.node.address, "/sim/api/status").await), 401);
    assert_eq!(status(get(shop.node.address, &shop.path("meta.json")).await), 200);
    assert_eq!(status(get(shop.node.address, &shop.file("bundle.zip")).await), 200);
    let folder = sim_api::worlds::Cdn::new(&shop.data.path().join("cdn"));
    folder.set_access(&shop.world.world_id, Access::Private).unwrap();
    for path in [shop.path("meta.json"), shop.file("bundle.zip"), shop.file("textures/field.png")] {
        let refused = get(shop.node.address, &path).await;
        assert_eq!((refused.status, refused.header("www-authenticate")), (401, Some("Bearer")), "{path}");
        let served = exchange(shop.node.address, &with_token(&path)).await;
        assert_eq!((served.status, served.header("cache-control")), (200, Some("private, no-store")), "{path}");
    }

    let stranger = Site::with(sim_api::worlds::InstallOptions::new(shop.url()));
    let refused = in_time(stranger.installer.install(&shop.world.world_id)).await.unwrap_err();
    assert!(refused.to_string().contains("HTTP status 401"), "{refused}");
    let token = Some("sesame".to_owned());
    let friend =
        Site::with(sim_api::worlds::InstallOptions { token, ..sim_api::worlds::InstallOptions::new(shop.url()) });
    in_time(friend.installer.install(&shop.world.world_id)).await.unwrap();
    shop.node.stop().await;
}

#[tokio::test]
async fn a_word_for_access_that_nobody_knows_opens_nothing() {
    let shop = Shop::open(Access::Public, Some("sesame")).await;
    let path = shop.data.path().join(shop.path("meta.json").trim_start_matches('/'));
    let text = std::fs::read_to_string(&path).unwrap().replace("\"public\"", "\"friends\"");
    std::fs::write(&path, text).unwrap();
    assert_eq!(get(shop.node.address, &shop.path("meta.json")).await.status, 401);
    std::fs::write(&path, "{").unwrap();
    assert_eq!(get(shop.node.address, &shop.path("meta.json")).await.code(), "published_world_damaged");
    shop.node.stop().await;
}
