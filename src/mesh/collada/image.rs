//! The path of a picture out of the many ways in which exporters write it.

/// Relative to the file, parts separated by `/`, `%20` and the like decoded. Of a path on the exporter's own machine only the
/// file name is left: the picture lies beside the mesh or nowhere.
pub fn path_of(written: &str) -> String {
    let decoded = decode(written).replace('\\', "/");
    let path = decoded.strip_prefix("file://").unwrap_or(&decoded);
    let has_drive = path.trim_start_matches('/').as_bytes().get(1) == Some(&b':');
    if path.starts_with('/') || has_drive {
        return path.rsplit('/').next().unwrap_or_default().to_owned();
    }
    path.strip_prefix("./").unwrap_or(path).to_owned()
}

fn decode(written: &str) -> String {
    let mut bytes = Vec::with_capacity(written.len());
    let mut rest = written.as_bytes();
    while let [first, others @ ..] = rest {
        let digit = |at: usize| others.get(at).and_then(|byte| (*byte as char).to_digit(16));
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &others[2..];
            }
            _ => {
                bytes.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
