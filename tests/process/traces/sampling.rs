//! Which requests are traced: our share of the traces, whatever a caller asks for.

use crate::traces::traced::{Traced, collector, spans};

const PARENT: &str = "00f067aa0ba902b7";
/// Trace ids in order of the number that sampling goes by.
const TRACES: [&str; 4] = [
    "ffffffffffffffff0000000000000001",
    "ffffffffffffffff7fffffffffffffff",
    "00000000000000018000000000000001",
    "0000000000000001ffffffffffffffff",
];

#[tokio::test]
async fn the_share_decides_by_the_trace_and_not_the_callers_flag() {
    for (ratio, sampled) in [(0.0, 0), (1e-9, 1), (0.5, 2), (0.75, 3), (1.0, 4)] {
        for flag in ["00", "01"] {
            let collector = collector().await;
            let traced = Traced::start(collector.address, ratio);
            for trace in TRACES {
                let traceparent = format!("00-{trace}-{PARENT}-{flag}");
                traced.ask("GET", "/well/x", &[("traceparent", &traceparent)]).await;
            }
            traced.exporter.stop().await;
            let sent = spans(&collector.seen());
            let said: Vec<_> = sent.iter().map(|span| span.text("traceId")).collect();
            assert_eq!(said, TRACES[..sampled], "{ratio} {flag}");
        }
    }
}

#[tokio::test]
async fn traces_of_our_own_are_all_sent_or_none_or_about_the_share() {
    let requests = 400;
    for (ratio, least, most) in [(0.0, 0, 0), (0.5, 100, 300), (1.0, 400, 400)] {
        let collector = collector().await;
        let traced = Traced::start(collector.address, ratio);
        for _ in 0..requests {
            traced.ask("GET", "/well/x", &[]).await;
        }
        traced.exporter.stop().await;
        let sent = spans(&collector.seen()).len();
        assert!((least..=most).contains(&sent), "{sent} of {requests} at {ratio}");
        assert_eq!(collector.seen().connections > 0, ratio > 0.0, "nobody is contacted for nothing");
    }
}
