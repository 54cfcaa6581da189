//! Mail: who wrote to whom and when, from the heads of messages, in single files or an archive (mbox). Subjects, and
//! everything below a head, are skipped unread.

use std::io::BufRead;
use std::sync::Arc;

use mail_parser::{Address, HeaderName, Message, MessageParser};

use crate::addresses::addresses_in;
use crate::dates::CalendarDay;
use crate::fault::{FileFault, SkipReason};
use crate::interaction::{Interaction, Party, check_parties, others};
use crate::limits::IMPORT_LINE_BYTES_MAX;
use crate::names::tidy;
use crate::read::{FileRow, RowTally};
use crate::score::event::TieEventKind;
use kith::model::time::Timestamp;

/// The headers that are used.
const USED: [&str; 13] = [
    "from",
    "sender",
    "to",
    "cc",
    "bcc",
    "date",
    "message-id",
    "list-id",
    "precedence",
    "auto-submitted",
    "x-gmail-labels",
    "x-mozilla-draft-info",
    "x-uniform-type-identifier",
];
/// Gmail's names for drafts and spam, in the known languages.
const DRAFT_LABELS: [&str; 8] =
    ["draft", "drafts", "entwurf", "entwürfe", "brouillons", "borradores", "bozze", "rascunhos"];
/// Bytes inspected of a line below a head, and of a file's first line, to recognize the beginning of a message.
const LINE_LOOK_BYTES: usize = 256;

/// Every message has at least one of these headers; in lower case.
const OF_EVERY_HEAD: [&str; 5] = ["from", "date", "received", "return-path", "message-id"];
/// Bytes of a file inspected for the signs of mail.
pub const LOOK_BYTES: usize = 4096;

/// Parses the headers that are used.
pub(crate) struct HeadParser(MessageParser);

impl Default for HeadParser {
    fn default() -> Self {
        let parser = MessageParser::new()
            .with_address_headers()
            .with_date_headers()
            .with_message_ids()
            .header_text("X-Gmail-Labels")
            .header_text("Precedence")
            .header_text("Auto-Submitted")
            .header_text("X-Uniform-Type-Identifier");
        Self(parser)
    }
}

/// Whether a file that begins with `bytes` is one message: it begins with a header, possibly below a line of digits as
/// Apple writes it, and one of the first is a header of every message.
#[must_use]
pub(crate) fn is_one_message(bytes: &[u8]) -> bool {
    let look = &bytes[..bytes.len().min(LOOK_BYTES)];
    let mut lines = look.split(|byte| *byte == b'\n').peekable();
    lines.next_if(|line| !line.is_empty() && line.trim_ascii().iter().all(u8::is_ascii_digit));
    let head: Vec<&[u8]> = lines.take_while(|line| !line.trim_ascii().is_empty()).collect();
    let name_of = |line: &&[u8]| -> Option<String> {
        let (name, _) = line.split_at_checked(memchr::memchr(b':', line)?)?;
        let is_name =
            !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
        is_name.then(|| String::from_utf8_lossy(name).to_lowercase())
    };
    head.first().is_some_and(|line| name_of(line).is_some())
        && head.iter().filter_map(name_of).any(|name| OF_EVERY_HEAD.contains(&name.as_str()))
}

/// Reads the one message in `mail`, as the row of line `number`.
///
/// # Errors
/// Returns a fault if the head cannot be read to its end.
pub(crate) fn read_message(
    mail: &mut dyn BufRead,
    number: u64,
    parser: &HeadParser,
    tally: &mut RowTally<'_>,
) -> Result<(), FileFault> {
    let (mut head, mut line) = (Head::at(number), Vec::new());
    while let Some(length) = next_line(mail, IMPORT_LINE_BYTES_MAX, &mut line).map_err(unreadable)? {
        if line.is_empty() {
            break;
        }
        head.take(&line, length);
    }
    head.end(parser, tally);
    Ok(())
}

/// Whether a file that begins with `bytes` is a mail archive.
#[must_use]
pub(crate) fn is_mail(bytes: &[u8]) -> bool {
    let look = &bytes[..bytes.len().min(LINE_LOOK_BYTES)];
    begins_message(look.split(|byte| *byte == b'\n').next().unwrap_or(look))
}

/// Reads the messages of `mail`, of any length, line by line.
///
/// # Errors
/// Returns a fault if `mail` cannot be read to its end.
pub(crate) fn read_messages(mail: &mut dyn BufRead, tally: &mut RowTally<'_>) -> Result<(), FileFault> {
    let parser = HeadParser::default();
    let (mut number, mut line) = (0_u64, Vec::new());
    let (mut head, mut in_head, mut was_blank) = (None::<Head>, false, true);
    loop {
        let keep = if in_head { IMPORT_LINE_BYTES_MAX } else { LINE_LOOK_BYTES };
        let Some(length) = next_line(mail, keep, &mut line).map_err(unreadable)? else { break };
        number += 1;
        if was_blank && begins_message(&line) {
            head.take().into_iter().for_each(|head| head.end(&parser, tally));
            (head, in_head, was_blank) = (Some(Head::at(number)), true, false);
            continue;
        }
        was_blank = line.is_empty();
        in_head &= !was_blank;
        if let Some(head) = head.as_mut().filter(|_| in_head) {
            head.take(&line, length);
        }
    }
    head.into_iter().for_each(|head| head.end(&parser, tally));
    Ok(())
}

fn unreadable(error: std::io::Error) -> FileFault {
    FileFault::Unreadable(error.to_string())
}

/// Reads a line into `line`, at most `keep` bytes of it and without its end; skips the rest. Returns its length, or
/// `None` at the end.
fn next_line(mail: &mut dyn BufRead, keep: usize, line: &mut Vec<u8>) -> std::io::Result<Option<usize>> {
    line.clear();
    let mut length = 0;
    loop {
        let bytes = mail.fill_buf()?;
        if bytes.is_empty() {
            return Ok(if length == 0 { None } else { Some(length) });
        }
        let end = memchr::memchr(b'\n', bytes);
        let part = &bytes[..end.unwrap_or(bytes.len())];
        line.extend_from_slice(&part[..part.len().min(keep.saturating_sub(line.len()))]);
        let taken = part.len() + usize::from(end.is_some());
        length += taken;
        mail.consume(taken);
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(Some(length));
        }
    }
}

/// Whether `line` begins a message: `From `, an address and a time of day. Sentences that begin like that have no time.
fn begins_message(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"From ") else { return false };
    rest.windows(5).any(
        |part| matches!(part, [a, b, b':', c, d] if [a, b, c, d].iter().all(|byte| byte.is_ascii_digit())),
    )
}

/// The head of a message.
struct Head {
    /// The line that begins the message.
    line: u64,
    /// The headers that are used.
    text: Vec<u8>,
    /// Whether the last header is a used one.
    is_used: bool,
    is_too_long: bool,
}

impl Head {
    fn at(line: u64) -> Self {
        Self { line, text: Vec::new(), is_used: false, is_too_long: false }
    }

    /// Adds a line of the head, whose full length was `length` bytes.
    fn take(&mut self, line: &[u8], length: usize) {
        if !line.starts_with(b" ") && !line.starts_with(b"\t") {
            let name = line.split(|byte| *byte == b':').next().unwrap_or(line);
            self.is_used = USED.iter().any(|used| used.as_bytes().eq_ignore_ascii_case(name.trim_ascii()));
        }
        if self.is_used {
            self.is_too_long |= length.max(self.text.len() + line.len()) > IMPORT_LINE_BYTES_MAX;
            if !self.is_too_long {
                self.text.extend_from_slice(line);
                self.text.extend_from_slice(b"\r\n");
            }
        }
    }

    fn end(mut self, parser: &HeadParser, tally: &mut RowTally<'_>) {
        let line = self.line;
        if self.is_too_long {
            tally.row(line, Err(SkipReason::ValueTooLong));
            return;
        }
        self.text.extend_from_slice(b"\r\n");
        if let Some(list) = list_address(&self.text) {
            tally.aside(line, FileRow::List(list));
        }
        let row = match parser.0.parse_headers(&self.text) {
            Some(message) => interaction(&message).map(|mail| match identity(&message, &mail) {
                Some(identity) => FileRow::Mail(mail, identity),
                None => FileRow::Interaction(mail),
            }),
            None => Err(SkipReason::PartyMissing),
        };
        tally.row(line, row);
    }
}

/// The identity of `mail` across files; `None` if its head has no `Message-ID`.
fn identity(message: &Message<'_>, mail: &Interaction) -> Option<u64> {
    let text = format!("{}\0{:?}\0{:?}", message.message_id()?, mail.from.email, mail.moment);
    let hash = *blake3::hash(text.as_bytes()).as_bytes();
    hash.first_chunk().map(|first| u64::from_le_bytes(*first))
}

/// The address of the mailing list in `head`: `<chat.club.example>` gives chat@club.example.
fn list_address(head: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(head);
    let is_list = |line: &&str| line.get(..8).is_some_and(|name| name.eq_ignore_ascii_case("list-id:"));
    let line = head.lines().find(is_list)?;
    let id = line.rsplit_once('<').map_or(&line[8..], |(_, rest)| rest.split('>').next().unwrap_or(""));
    let (list, domain) = id.trim().split_once('.')?;
    Some(format!("{list}@{domain}").to_lowercase())
        .filter(|list| !list.starts_with('@') && !list.contains(' '))
}

/// The mail with the head `message`, if it counts.
fn interaction(message: &Message<'_>) -> Result<Interaction, SkipReason> {
    if is_draft(message) {
        return Err(SkipReason::Draft);
    }
    let sender = message.from().or_else(|| message.sender());
    let from = Arc::new(sender.map(parties).unwrap_or_default().into_iter().next().unwrap_or_default());
    let sent_by = message.sender().map(parties).unwrap_or_default();
    let is_of_program = |party: &Party| party.email.as_deref().is_some_and(is_no_reply);
    if is_bulk(message) || is_of_program(&from) || sent_by.iter().any(is_of_program) {
        return Err(SkipReason::Bulk);
    }
    let open: Vec<Party> = message.all_to().chain(message.all_cc()).flat_map(parties).collect();
    let hidden = message.all_bcc().flat_map(parties);
    let open_count = others(&from, open.clone()).len();
    let to = others(&from, open.into_iter().chain(hidden).collect());
    if from.email.is_none() || to.is_empty() {
        return Err(SkipReason::PartyMissing);
    }
    check_parties(&from, &to)?;
    let at = message.date().and_then(|date| CalendarDay::new(date.year, date.month, date.day));
    let moment =
        message.date().and_then(|date| Timestamp::new(date.to_timestamp(), 0)).filter(|_| at.is_some());
    Ok(Interaction { kind: TieEventKind::Mail, from, to, open: open_count, at, moment, repeats: None })
}

/// The people in a header who have an address.
fn parties(address: &Address<'_>) -> Vec<Party> {
    let party = |name: Option<&str>, address: &str| {
        let mut emails = Vec::new();
        addresses_in(address, &mut emails);
        let email = emails.into_iter().next()?;
        let name = tidy(name.unwrap_or(""));
        let name = if name.to_lowercase() == email { String::new() } else { name };
        Some(Party { name, handle: None, email: Some(email) })
    };
    address.iter().filter_map(|one| party(one.name(), one.address()?)).collect()
}

fn text<'m>(message: &'m Message<'_>, name: &'static str) -> &'m str {
    message.header(name).and_then(|value| value.as_text()).unwrap_or("").trim()
}

/// Gmail's labels on the message, in lower case.
fn labels(message: &Message<'_>) -> Vec<String> {
    text(message, "X-Gmail-Labels").split(',').map(|label| label.trim().to_lowercase()).collect()
}

fn is_draft(message: &Message<'_>) -> bool {
    labels(message).iter().any(|label| DRAFT_LABELS.contains(&label.as_str()))
        || message.header("X-Mozilla-Draft-Info").is_some()
        || text(message, "X-Uniform-Type-Identifier").eq_ignore_ascii_case("com.apple.mail-draft")
}

fn is_bulk(message: &Message<'_>) -> bool {
    let precedence = text(message, "Precedence").to_lowercase();
    let submitted = text(message, "Auto-Submitted").to_lowercase();
    message.header(HeaderName::ListId).is_some()
        || ["bulk", "list", "junk"].contains(&precedence.as_str())
        || !(submitted.is_empty() || submitted == "no")
        || labels(message).iter().any(|label| label == "spam")
}

/// Whether `email` is an address that nobody reads.
fn is_no_reply(email: &str) -> bool {
    let local = email.split('@').next().unwrap_or(email).replace(['-', '_', '.'], "");
    ["noreply", "donotreply", "mailerdaemon", "calendarnotification"].iter().any(|name| local.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_begins_with_a_time_and_a_sentence_does_not() {
        for (line, begins) in [
            (&b"From ann@lee.example Mon Mar 11 09:14:00 2024"[..], true),
            (b"From 1793@xxx Mon Mar 11 09:14:00 +0000 2024", true),
            (b"From here it is 10 minutes", false),
            (b">From ann@lee.example Mon Mar 11 09:14:00 2024", false),
            (b"From: ann@lee.example", false),
        ] {
            assert_eq!(begins_message(line), begins, "{}", String::from_utf8_lossy(line));
        }
    }

    #[test]
    fn a_sender_who_cannot_be_answered_is_known() {
        for email in
            ["no-reply@x.example", "NoReply+7@x.example", "do_not_reply@x.example", "MAILER-DAEMON@x.example"]
        {
            assert!(is_no_reply(&email.to_lowercase()), "{email}");
        }
        for email in ["nora.reply@x.example", "ann@noreply.example"] {
            assert!(!is_no_reply(email), "{email}");
        }
    }
}
