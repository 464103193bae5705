//! Reading the fields of a body.

use sim_api::api::body::Fields;

#[test]
fn of_a_field_given_twice_the_last_one_counts() {
    let fields = Fields::parse(br#"{"x": 1, "x": 2}"#).unwrap();
    assert_eq!(fields.number("x"), Ok(Some(2.0)));
}

#[test]
fn each_type_is_read_and_nothing_is_converted() {
    let fields = Fields::parse(br#"{"n": -1.5e2, "b": true, "t": "a\u00e9", "z": null}"#).unwrap();
    assert_eq!(fields.number("n"), Ok(Some(-150.0)));
    assert_eq!(fields.boolean("b"), Ok(Some(true)));
    assert_eq!(fields.text("t"), Ok(Some("a\u{e9}".to_owned())));
    assert_eq!((fields.number("z"), fields.boolean("z"), fields.text("z")), (Ok(None), Ok(None), Ok(None)));
    assert_eq!(fields.number("absent"), Ok(None));
    assert!(fields.number("b").is_err() && fields.number("t").is_err());
    assert!(fields.boolean("n").is_err() && fields.boolean("t").is_err());
    assert!(fields.text("n").is_err() && fields.text("b").is_err());
}

#[test]
fn whole_numbers_of_any_size_are_numbers() {
    let fields = Fields::parse(br#"{"a": 12345678901234567890123, "b": -9223372036854775809, "c": 1e308}"#).unwrap();
    assert_eq!(fields.number("a"), Ok(Some(12345678901234567890123.0)));
    assert_eq!(fields.number("b"), Ok(Some(-9223372036854775809.0)));
    assert_eq!(fields.number("c"), Ok(Some(1e308)));
}

#[test]
fn nesting_in_a_field_nobody_asks_for_is_harmless() {
    let deep = format!("{{\"old\": {}{}, \"x\": 1}}", "[".repeat(20_000), "]".repeat(20_000));
    assert_eq!(Fields::parse(deep.as_bytes()).unwrap().number("x"), Ok(Some(1.0)));
}

#[test]
fn text_with_half_a_surrogate_pair_is_refused_by_name() {
    let fields = Fields::parse(br#"{"text": "\ud800"}"#);
    let refused = match &fields {
        Ok(fields) => fields.text("text").unwrap_err(),
        Err(err) => err.clone(),
    };
    assert!(refused.message.contains("\"text\""), "{refused}");
}
