//! Claims about bundles on disk, and about installing and publishing them.

mod assets;
mod catalogue;
mod cdn;
mod crash;
mod deleting;
mod endpoint;
mod evaluation;
mod fixture;
mod hostile;
mod hostile_zip;
mod install;
mod misbehave;
mod own_cdn;
mod publish;
mod route;
mod store;
mod zip_bytes;
