//! Comparing two answers: what must be equal, and the report of a difference.

use serde_json::json;

use crate::oracle::same_answer;

#[test]
fn equal_answers_are_the_same_whatever_the_words_of_signals() {
    let cases = [
        (json!({"a": [1, null, "x"]}), json!({"a": [1, null, "x"]})),
        (json!({"warmnessSignals": ["Same city"]}), json!({"warmnessSignals": ["sameCity"]})),
        (json!({"overallScore": 90.0}), json!({"overallScore": 90})),
    ];
    for (engine, oracle) in cases {
        assert_eq!(same_answer(&engine, &oracle), Ok(()), "{engine} {oracle}");
    }
}

#[test]
fn the_first_difference_is_reported_with_its_path() {
    let cases = [
        (json!({"a": [{"b": 1}]}), json!({"a": [{"b": 2}]}), "$.a[0].b: the engine has 1, the oracle 2"),
        (json!({"a": [1]}), json!({"a": [1, 2]}), "$.a: the engine has 1 entries, the oracle 2"),
        (json!({}), json!({"a": null}), "$.a: absent in the engine, the oracle has null"),
        (json!({"a": null}), json!({}), "$.a: the engine has null, absent in the oracle"),
        (json!({"a": null}), json!({"a": 0}), "$.a: the engine has null, the oracle 0"),
        (
            json!({"warmnessSignals": ["One", "Two"]}),
            json!({"warmnessSignals": ["one"]}),
            r#"$.warmnessSignals: the engine has ["One","Two"], the oracle 1 sentences, for ["one"]"#,
        ),
        (
            json!({"warmnessSignals": [" "]}),
            json!({"warmnessSignals": ["one"]}),
            r#"$.warmnessSignals: the engine has [" "], the oracle 1 sentences, for ["one"]"#,
        ),
        (
            json!({"warmnessBreakdown": {"a": 1}}),
            json!({"warmnessBreakdown": {"a": 1.0}}),
            "$.warmnessBreakdown.a: the engine has 1, the oracle 1.0",
        ),
        (
            json!({"icpEvaluation": {"warmnessSignals": ["b"]}}),
            json!({"icpEvaluation": {"warmnessSignals": ["a"]}}),
            r#"$.icpEvaluation.warmnessSignals[0]: the engine has "b", the oracle "a""#,
        ),
    ];
    for (engine, oracle, said) in cases {
        assert_eq!(same_answer(&engine, &oracle), Err(said.to_owned()));
    }
}
