//! Claims about bundles on disk, and about installing and publishing them.

mod assets;
mod catalogue;
mod cdn;
mod crash;
mod deleting;
mod endpoint;
mod evaluation;
mod first_use;
mod fixture;
mod hostile;
mod hostile_zip;
mod install;
mod killed;
mod misbehave;
mod own_cdn;
mod publish;
mod real;
mod route;
mod store;
mod zip_bytes;
