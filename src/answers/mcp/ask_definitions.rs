//! The tools for asks, row by row.

use crate::api::endpoints::asks::AskStates;
use crate::api::schema::{COUNT, Field, Shape, TEXT, Text, always, often};
use crate::ask_file::writing::{KEY_CHARS_MAX, NOTE_CHARS_MAX, outcome_names};
use crate::limits::MCP_LIMIT_MAX;
use crate::mcp::rows::{Argument, Tool};

/// The instructions to assistants if asks are kept, before those for all tools.
pub(super) const INSTRUCTIONS: &str = "Whom the user has asked for introductions is kept here: list_asks says whom, record_ask \
    and report_outcome write it down. They send nothing to anybody, and are called only after the user said that it \
    happened.";

pub(super) fn tools() -> [Tool; 3] {
    [record_ask(), report_outcome(), list_asks()]
}

const fn text_of(most: usize) -> Shape {
    Shape::Text(Text { least: 1, most: Some(most), pattern: None, format: None })
}

/// The arguments and the answer that both writing tools share.
fn written() -> ([Argument; 3], Vec<Field>) {
    let arguments = [
        Argument::own("note", text_of(NOTE_CHARS_MAX), "A note, for colleagues."),
        Argument::own(
            "key",
            text_of(KEY_CHARS_MAX),
            "A text of your own: the same call again by it writes nothing.",
        )
        .required(),
        Argument::own("dry_run", Shape::Boolean, "true: only say what would be written."),
    ];
    let answer = vec![
        always("ask", Shape::Object(Vec::new()), "The ask after it: id, person, connector, state and more."),
        always("event", Shape::Object(Vec::new()), "The event."),
        always("written", Shape::Boolean, "Whether it was written now, and not before."),
    ];
    (arguments, answer)
}

fn record_ask() -> Tool {
    let ([note, key, dry_run], answer) = written();
    Tool {
        name: "record_ask",
        title: "Record an ask",
        text: "Note that the user asked for an introduction to a person. Only after the user said that they asked; it sends \
               nothing. Refused with do_not_ask if somebody does not want to be asked: tell the user, and send override \
               only if they say so. Needs a token with mcp:write. \
               Example: {\"target\": \"person_…\", \"connector\": \"person_…\", \"key\": \"2026-11-27-1\"}",
        is_own: true,
        needs_asks: true,
        writes: true,
        may_ask_outside: false,
        arguments: vec![
            Argument::own("target", TEXT, "The person to reach: an id, an address or a name of one alone.")
                .required(),
            Argument::own("connector", TEXT, "Who was asked to introduce; left out: the user goes directly."),
            Argument::own("via_advocate", TEXT, "The advocate who was asked first."),
            note,
            key,
            Argument::own("override", Shape::Boolean, "true: although somebody does not want to be asked."),
            dry_run,
        ],
        answer,
    }
}

fn report_outcome() -> Tool {
    let ([note, key, dry_run], answer) = written();
    Tool {
        name: "report_outcome",
        title: "Report an outcome",
        text: "Note what came of an ask. Only after the user said so. reopened takes the last one back. Needs a token with \
               mcp:write. Example: {\"ask\": \"ask_…\", \"outcome\": \"introduced\", \"key\": \"2026-11-27-2\"}",
        is_own: true,
        needs_asks: true,
        writes: true,
        may_ask_outside: false,
        arguments: vec![
            Argument::own("ask", TEXT, "The id of the ask; list_asks answers with ids.").required(),
            Argument::own("outcome", Shape::Choice(outcome_names()), "What came of it.").required(),
            note,
            key,
            dry_run,
        ],
        answer,
    }
}

fn list_asks() -> Tool {
    let limit = Shape::Whole(1, Some(u64::from(MCP_LIMIT_MAX)));
    Tool {
        name: "list_asks",
        title: "List asks",
        text: "Who was asked for introductions to whom, and what came of it, the latest first. \
               Example: {\"state\": \"open\", \"mine\": true}",
        is_own: false,
        needs_asks: true,
        writes: false,
        may_ask_outside: false,
        arguments: vec![
            Argument::own(
                "state",
                Shape::Choice(AskStates::ALL.map(AskStates::name).to_vec()),
                "open if left out.",
            ),
            Argument::own("connector", TEXT, "Over this person alone, by id."),
            Argument::own("person", TEXT, "About this person alone, by id."),
            Argument::own("mine", Shape::Boolean, "true: only those of the user. Needs a user's token."),
            Argument::own("limit", limit, "The most entries; default 10."),
            Argument::own("cursor", TEXT, "next_cursor of the answer before, for more of the same list."),
        ],
        answer: vec![
            often("asks", Shape::list(Shape::Object(Vec::new())), "The asks."),
            always("total", COUNT, "How many there are."),
            always("complete", Shape::Boolean, "Whether these are all that there are."),
            often("cut", TEXT, "What a bound left out."),
            often("next_cursor", TEXT, "The cursor of the next entries."),
        ],
    }
}
