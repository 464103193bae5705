//! An error and its causes as one sentence for people.

/// The causes behind each other. One that the sentence before it has quoted already is not said twice.
pub fn sentence(err: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in err.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}
