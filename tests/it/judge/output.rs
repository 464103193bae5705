//! Lines of programs that print too much, too fast, or nonsense.

use std::time::{Duration, Instant};

use sim_api::judge::output::{Gate, Line, LineReader, MAX_LINE_CHARS, RawLine};

fn line(text: &str) -> Line {
    Line { text: text.to_owned(), truncated: false }
}

#[test]
fn a_line_has_at_most_4096_characters_and_is_always_text() {
    assert_eq!(Line::of(b"plain\r"), line("plain"));
    assert_eq!(Line::of(b"\xff\xfe!"), line("\u{fffd}\u{fffd}!"));
    let long = "ä".repeat(MAX_LINE_CHARS);
    assert_eq!(Line::of(long.as_bytes()), line(&long));
    let cut = Line::of(format!("{long}ä").as_bytes());
    assert_eq!((cut.text, cut.truncated), (long, true));
}

#[test]
fn a_thousand_lines_pass_in_a_second_and_the_rest_is_counted() {
    let start = Instant::now();
    let mut gate = Gate::new(start);
    let mut shown = 0;
    for number in 0..2500 {
        shown += gate.pass(line(&number.to_string()), start + Duration::from_micros(number)).count();
    }
    assert_eq!(shown, 1000);
    let next: Vec<_> = gate.pass(line("again"), start + Duration::from_secs(1)).collect();
    assert_eq!(next, [line("... (1500 lines dropped)"), line("again")]);
    assert_eq!(gate.lost(), None);
}

async fn read(bytes: &[u8], limit: usize) -> Vec<(String, bool)> {
    let mut reader = LineReader::with_limit(bytes, limit);
    let mut lines = Vec::new();
    while let Some(RawLine { bytes, cut }) = reader.next().await {
        lines.push((String::from_utf8(bytes).expect("text"), cut));
    }
    lines
}

#[tokio::test]
async fn a_stream_is_cut_into_lines_whatever_their_length() {
    let plain = |text: &str| (text.to_owned(), false);
    assert_eq!(read(b"", 8).await, []);
    assert_eq!(read(b"one\n\ntwo", 8).await, [plain("one"), plain(""), plain("two")]);
    assert_eq!(
        read(b"12345678\n123456789\nx\n", 8).await,
        [plain("12345678"), ("12345678".to_owned(), true), plain("x")]
    );
    let endless = vec![b'.'; 1 << 20];
    assert_eq!(read(&endless, 8).await, [("........".to_owned(), true)]);
}
