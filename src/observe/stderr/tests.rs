//! Lines that are written, wait, and are lost, on an output that the test opens and closes.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use super::*;

const WAIT: Duration = Duration::from_secs(30);

/// An output that writes once per permit, and passes on the written bytes.
struct Gated {
    permits: Receiver<()>,
    written: Sender<Vec<u8>>,
}

impl Write for Gated {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.permits.recv().map_err(|_| io::ErrorKind::BrokenPipe)?;
        self.written.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn lost(lines: u64) -> String {
    format!("lost {lines}\n")
}

fn started() -> (Arc<Lines>, Sender<()>, Receiver<Vec<u8>>) {
    let lines = Arc::new(Lines::new());
    let (permit, permits) = channel();
    let (written, outcome) = channel();
    let writer = Arc::clone(&lines);
    thread::spawn(move || writer.write_to(Gated { permits, written }, lost));
    (lines, permit, outcome)
}

/// Waits until the writer holds the pushed lines and is blocked.
fn wait_until_stuck(lines: &Lines) {
    let deadline = Instant::now() + WAIT;
    while !(lines.lock().is_writing && lines.lock().waiting.is_empty()) {
        assert!(Instant::now() < deadline, "the writer takes nothing");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn lines_come_out_in_order_and_what_was_lost_is_said_in_its_place() {
    let (lines, permit, outcome) = started();
    lines.push(b"a\n");
    wait_until_stuck(&lines);
    let filling = [vec![b'x'; LOG_WAITING_BYTES_MAX - 1], b"\n".to_vec()].concat();
    lines.push(&filling);
    lines.push(b"b\n");
    lines.push(b"c\nd\n");
    assert_eq!(lines.lock().dropped, 3);
    (0..3).for_each(|_| permit.send(()).unwrap());
    assert_eq!(outcome.recv_timeout(WAIT).unwrap(), b"a\n");
    assert_eq!(outcome.recv_timeout(WAIT).unwrap(), [&filling[..], b"lost 3\n"].concat());
    lines.push(b"e\n");
    assert_eq!(outcome.recv_timeout(WAIT).unwrap(), b"e\n", "and said once");
    assert_eq!(lines.lock().dropped, 3);
}

#[test]
fn once_a_line_was_lost_no_shorter_one_overtakes_it() {
    let (lines, permit, outcome) = started();
    lines.push(b"a\n");
    wait_until_stuck(&lines);
    lines.push(&vec![b'\n'; LOG_WAITING_BYTES_MAX + 1]);
    lines.push(b"b\n");
    (0..2).for_each(|_| permit.send(()).unwrap());
    assert_eq!(outcome.recv_timeout(WAIT).unwrap(), b"a\n");
    let missed = LOG_WAITING_BYTES_MAX + 2;
    assert_eq!(outcome.recv_timeout(WAIT).unwrap(), format!("lost {missed}\n").as_bytes());
}

#[test]
fn a_flush_waits_for_the_last_line_and_not_for_ever() {
    let (lines, permit, outcome) = started();
    lines.flush(WAIT);
    lines.push(b"a\n");
    lines.flush(Duration::from_millis(1));
    assert!(outcome.try_recv().is_err(), "it is stuck, and the flush returned");
    permit.send(()).unwrap();
    lines.flush(WAIT);
    assert_eq!(outcome.try_recv().unwrap(), b"a\n", "it was written when the flush returned");
}

#[test]
fn what_a_closed_output_does_not_take_is_counted() {
    let (lines, permit, _outcome) = started();
    drop(permit);
    lines.push(b"a\nb\n");
    lines.flush(WAIT);
    assert_eq!(lines.lock().dropped, 2);
}

#[test]
fn an_output_that_does_not_block_is_written_to_until_it_has_everything_or_fails() {
    /// Takes two bytes at every other attempt, and fails for good at a maximum.
    struct Full(Vec<u8>, usize, bool);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.2 = !self.2;
            if self.0.len() >= self.1 {
                return Err(ErrorKind::BrokenPipe.into());
            }
            if self.2 {
                return Err(ErrorKind::WouldBlock.into());
            }
            self.0.extend_from_slice(&bytes[..2.min(bytes.len())]);
            Ok(2.min(bytes.len()))
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    for (holds, rest) in [(100, &b""[..]), (4, b"c\nd\n"), (0, b"a\nb\nc\nd\n")] {
        let mut out = Full(Vec::new(), holds, false);
        assert_eq!(write_all(&mut out, b"a\nb\nc\nd\n"), rest, "{holds}");
        assert_eq!([&out.0[..], rest].concat(), b"a\nb\nc\nd\n", "{holds}");
    }
}
