//! Calls that panic or do not end: what comes of them with the guard, and without.

use super::*;

const A_MOMENT: Duration = Duration::from_millis(50);

/// A call that panics, or does not end.
async fn broken(panics: bool) -> Result<Vec<u8>, Refused> {
    if std::hint::black_box(panics) {
        std::panic::panic_any("a secret");
    }
    std::future::pending().await
}

#[tokio::test]
async fn a_call_that_panics_or_does_not_end_is_answered_and_why_is_for_the_log_alone() {
    for (panics, outcome, shown, cause) in [
        (true, "failed", "-32603", "panicked: a secret"),
        (false, "late", "unavailable", "the call ran past its deadline"),
    ] {
        let failure = CallFailure::default();
        assert_eq!(failure.reported(), None);
        let (became, result) = result_of(guarded(broken(panics), A_MOMENT).await, &failure);
        let result = format!("{result:?}");
        assert_eq!((became, failure.reported()), (outcome, Some(cause)));
        assert!(result.contains(shown) && !result.contains("secret"), "{result}");
        // The control: without the guard there is no answer, neither from the task that rmcp makes of a call nor in time.
        let alone = tokio::time::timeout(A_MOMENT, tokio::spawn(broken(panics))).await;
        assert!(matches!(alone, Err(_) | Ok(Err(_))), "{alone:?}");
    }
}

#[test]
fn of_two_causes_the_first_is_reported() {
    let failure = CallFailure::default();
    failure.report("panicked: x".to_owned());
    failure.report("later".to_owned());
    assert_eq!(failure.reported(), Some("panicked: x"));
}
