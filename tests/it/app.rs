//! The composition side: settings, supervision, the vehicle's file, `sim doctor`.

mod doctor;
mod policy;
mod settings;
mod status;
mod supervise;
mod vehicle_file;
