mod api;
mod support;
