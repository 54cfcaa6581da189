//! Reads the words of a query into items, from left to right, longest phrase first.

#[cfg(test)]
mod tests;

use crate::search::conditions::TermKind;
use crate::search::index::SearchIndex;
use crate::search::lexicon::{LEXICON, Meaning};
use crate::search::parse::absent::mark_absent;
use crate::search::parse::clause::ends_in;
use crate::search::parse::cues::{self, Cue, find_cue};
use crate::search::parse::item::{Item, Number, Sense};
use crate::search::parse::opening::{mark_own, pass_over_indifferent, pass_over_ourselves};
use crate::search::parse::tokens::Token;
use crate::search::parse::unknown::unknown_company;
use crate::search::parse::unwanted;
use crate::search::sizes::find_size;
use crate::search::ways::industry_line;

/// Maximum number of words in a phrase.
const PHRASE_MAX: usize = 7;

/// Maximum number of words in a name with commas.
const WHOLE_MAX: usize = 12;

/// Final words of a cue for the past that leads to a company: "resigned from", "left".
const TO_COMPANY: &str = "at from with for left quit leaving ex bei chez bij verlassen quitte dejo";

/// Cues followed only by a place, known or not.
const LIVING: [&str; 9] = [
    "based in",
    "based around",
    "located in",
    "living in",
    "lives in",
    "live in",
    "reside in",
    "resides in",
    "near",
];
/// Words for companies after their line of business.
const PRODUCERS: [&str; 6] =
    ["manufacturer", "manufacturers", "producer", "producers", "manufacturing", "factories"];
/// Endings of words for people.
const AGENTS: [&str; 8] = ["ers", "ors", "ists", "ians", "er", "or", "ist", "ian"];

/// Reads the items of a query, with `numbers` in place of their marks.
#[must_use]
pub fn read(search: &SearchIndex, tokens: &[Token], numbers: &[Number]) -> Vec<Item> {
    let reader = Reader { search, tokens };
    let mut items: Vec<Item> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].after_break {
            items.push(Item { text: String::new(), sense: Sense::Cue(Cue::Break), from: at });
        }
        let number = tokens[at].word.strip_prefix("0number").and_then(|number| number.parse::<usize>().ok());
        if let Some(number) = number.and_then(|number| numbers.get(number)) {
            items.push(Item { text: number.text.clone(), sense: Sense::Number(number.kind), from: at });
            at += 1;
            continue;
        }
        let (length, sense) = match tokens[at].name {
            0 => match reader.sense_at(at, &items) {
                (1, Sense::Word) if tokens[at].is_idle => (1, Sense::Cue(Cue::Stop)),
                sense => sense,
            },
            length => (length, Sense::Thing(TermKind::Name)),
        };
        let text = reader.text(at, length);
        // "food producers"
        let is_noun = PRODUCERS.contains(&text.as_str())
            && items.last().is_some_and(|item| item.sense == Sense::Thing(TermKind::Industry));
        let sense = if is_noun { Sense::Cue(Cue::CompanyNoun) } else { sense };
        items.push(Item { text, sense, from: at });
        at += length;
    }
    mark_own(&mut items);
    mark_absent(&mut items);
    unwanted::mark(&mut items);
    pass_over_indifferent(&mut items);
    pass_over_ourselves(&mut items);
    items
}

struct Reader<'a> {
    search: &'a SearchIndex,
    tokens: &'a [Token],
}

/// The kind of item that the preceding words lead one to expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expectation {
    Anything,
    Company,
    Place,
    /// A place, whatever the word: "living in".
    Home,
    Name,
    /// A field of work, after a level or a verb.
    Field,
    /// A line of business, after a word for companies: "empresas pequeñas de software".
    Line,
    /// A place or a line of business, after work: "VP of sales in software".
    Sector,
}

impl Reader<'_> {
    fn text(&self, at: usize, length: usize) -> String {
        let words: Vec<&str> = self.tokens[at..at + length].iter().map(|token| token.word.as_str()).collect();
        words.join(" ")
    }

    fn stems(&self, at: usize, length: usize) -> Vec<String> {
        self.tokens[at..at + length].iter().map(|token| token.stem.clone()).collect()
    }

    /// The number of words from `at` on that form one item, and their sense.
    fn sense_at(&self, at: usize, before: &[Item]) -> (usize, Sense) {
        let expected = expected_after(before);
        let is_within = |token: &&Token| !token.after_break && token.name == 0;
        let clause = self.tokens[at + 1..].iter().take_while(is_within).count() + 1;
        if let Some(found) = self.whole_at(at, clause) {
            return found;
        }
        for length in (1..=clause.min(PHRASE_MAX.max(cues::words_max()))).rev() {
            let text = self.text(at, length);
            let cue = find_cue(&text);
            let shouted = length == 1 && self.tokens[at].capitals;
            if let Some(size) =
                find_size(&text).filter(|size| (!shouted || size.is_alone) && self.is_size(at, length))
            {
                return (length, Sense::Size(size.is_alone));
            }
            let is_people = cue == Some(Cue::PeopleNoun) && expected == Expectation::Field;
            if let Some(cue) = cue.filter(|_| !shouted && !is_people) {
                return (length, Sense::Cue(cue));
            }
            let is_employer = expected != Expectation::Field && self.is_the_employer(at, length, before);
            if let Some(sense) = self.thing_at(at, length, expected).filter(|_| !is_employer) {
                return (length, sense);
            }
            if let Some(cue) = cue {
                return (length, Sense::Cue(cue));
            }
        }
        let capitals_tell = self.tokens.iter().any(|token| !token.initial);
        let by_capitals = expected == Expectation::Company && capitals_tell;
        if let Some(length) = unknown_company(&self.tokens[at..at + clause], by_capitals) {
            return (length, Sense::Thing(TermKind::Company));
        }
        if expected == Expectation::Home && self.tokens[at].word.bytes().all(|byte| !byte.is_ascii_digit()) {
            return (1, Sense::Thing(TermKind::Place));
        }
        // "ex google pm"
        let is_ex = before.last().is_some_and(|item| item.text == "ex") && self.is_before_role(at);
        // "ex bankers"
        let token = &self.tokens[at];
        if ends_in(before, Cue::Past)
            && !is_ex
            && !token.initial
            && AGENTS.iter().any(|end| token.word.ends_with(end))
        {
            return (1, Sense::Role);
        }
        let stem = &token.stem;
        if self.search.is_short_company(stem) {
            return (1, Sense::Thing(TermKind::Company));
        }
        let is_company = expected == Expectation::Company
            && (clause == 1 || is_ex || (was_left(before) && self.search.companies.knows(stem)));
        (1, if is_company { Sense::Thing(TermKind::Company) } else { Sense::Word })
    }

    /// The company or industry at `at` with a comma in its name, so that it goes on after the clause ("Health,
    /// Education and Labor"): its length in words, and its sense.
    fn whole_at(&self, at: usize, clause: usize) -> Option<(usize, Sense)> {
        let unnamed = self.tokens[at..].iter().take(WHOLE_MAX).take_while(|token| token.name == 0).count();
        (clause + 1..=unnamed).rev().find_map(|length| {
            let stems = self.stems(at, length);
            let is_company = self.search.is_company(&stems);
            let kind = if is_company { TermKind::Company } else { TermKind::Industry };
            (is_company || self.search.is_industry(&stems)).then_some((length, Sense::Thing(kind)))
        })
    }

    /// Whether a word for a size is not the name of an industry in this network: `enterprise`.
    fn is_size(&self, at: usize, length: usize) -> bool {
        !(1..=length).any(|length| self.search.is_industry(&self.stems(at, length)))
    }

    /// "at the firm" is an employer; elsewhere its words describe those who lead it.
    fn is_the_employer(&self, at: usize, length: usize, before: &[Item]) -> bool {
        let leads = |item: &Item| matches!(item.sense, Sense::Cue(Cue::At | Cue::In | Cue::Of));
        if self.tokens[at].word != "the" || !before.last().is_some_and(leads) {
            return false;
        }
        let meanings = LEXICON.meanings(&self.stems(at, length));
        !meanings.is_empty() && meanings.iter().all(|it| matches!(it, Meaning::Talk(_)))
    }

    fn thing_at(&self, at: usize, length: usize, expected: Expectation) -> Option<Sense> {
        let stems = self.stems(at, length);
        let next_is_company = self
            .tokens
            .get(at + length)
            .is_some_and(|next| !next.after_break && find_cue(&next.word) == Some(Cue::CompanyNoun));
        let meanings = LEXICON.meanings(&stems);
        // The stem of "news".
        let is_new = length == 1 && self.tokens[at].word == "new";
        let is_line = |meaning: &Meaning| matches!(meaning, Meaning::Industry(_));
        let industry = !is_new && (meanings.iter().any(is_line) || self.search.is_industry(&stems));
        let place = meanings.iter().any(|meaning| matches!(meaning, Meaning::Place(_)))
            || self.search.is_place(&stems);
        let company = self.search.is_company(&stems);
        let thing = |kind| Some(Sense::Thing(kind));
        match expected {
            Expectation::Name if self.is_name_word(at, length) => return thing(TermKind::Name),
            Expectation::Field => {
                if let Some(field) = field_of(meanings) {
                    return Some(field);
                }
            }
            Expectation::Company if company && !next_is_company => return thing(TermKind::Company),
            Expectation::Company if industry => return thing(TermKind::Industry),
            Expectation::Line if industry && !self.is_before_role(at + length - 1) => {
                return thing(TermKind::Industry);
            }
            Expectation::Place | Expectation::Home | Expectation::Sector if place => {
                return thing(TermKind::Place);
            }
            Expectation::Sector if industry => return thing(TermKind::Industry),
            // "in VC", but "in finance"
            Expectation::Place if industry && !meanings.iter().any(|it| matches!(it, Meaning::Title(_))) => {
                return thing(TermKind::Industry);
            }
            _ => {}
        }
        let is_part = || self.search.is_part_of_company(&stems);
        if length > 1 && meanings.is_empty() && (company || is_part()) {
            return thing(TermKind::Company);
        }
        if next_is_company && industry {
            return thing(TermKind::Industry);
        }
        if length == 1 && self.leads_field(at) {
            return meanings.iter().find_map(verb_of);
        }
        // "venture capital", "shipping": a line of business takes precedence over a description of a field.
        let is_talk = |meaning: &Meaning| matches!(meaning, Meaning::Talk(_) | Meaning::Industry(_));
        let is_elsewhere = industry && self.stands_in_titles_alone(&stems, meanings);
        if industry && !is_elsewhere && !meanings.is_empty() && meanings.iter().all(is_talk) {
            return thing(TermKind::Industry);
        }
        if let Some(sense) = role_of(meanings) {
            return Some(sense);
        }
        if self.search.is_position(&stems) {
            return Some(Sense::Role);
        }
        let industry = industry && !is_elsewhere;
        [(place, TermKind::Place), (industry, TermKind::Industry), (company, TermKind::Company)]
            .into_iter()
            .find_map(|(is, kind)| is.then_some(Sense::Thing(kind)))
            .or_else(|| {
                let is_name = self.is_name_word(at, length) && self.is_only_name(&stems);
                (is_name && expected != Expectation::Home).then_some(Sense::Thing(TermKind::Name))
            })
    }

    /// Whether the network has no such industry, under any of its names, but titles contain the words: "mobile".
    fn stands_in_titles_alone(&self, stems: &[String], meanings: &[Meaning]) -> bool {
        let lines = meanings.iter().filter_map(industry_line);
        let mut names = lines.flat_map(|line| &LEXICON.industries[line]);
        let is_here = |stems: &[String]| self.search.industries.knows_together(stems);
        self.search.positions.knows_together(stems)
            && !is_here(stems)
            && !names.any(|name| is_here(&name.stems))
    }

    /// Whether a role or a level follows the word.
    fn is_before_role(&self, at: usize) -> bool {
        let next = self.tokens.get(at + 1).filter(|next| !next.after_break);
        let meanings = next.map(|next| LEXICON.meanings(std::slice::from_ref(&next.stem)));
        meanings.and_then(role_of).is_some()
    }

    /// "leads finance": not the plural of a lead.
    fn leads_field(&self, at: usize) -> bool {
        let next = self.tokens.get(at + 1).filter(|next| !next.after_break);
        let field = next.and_then(|next| field_of(LEXICON.meanings(std::slice::from_ref(&next.stem))));
        self.tokens[at].word == "leads" && matches!(field, Some(Sense::Field(..)))
    }

    fn is_name_word(&self, at: usize, length: usize) -> bool {
        // "P&G", "c-level": an initial is not a name.
        let word = &self.tokens[at].word;
        length == 1 && word.chars().nth(1).is_some() && self.search.names.has_word(word)
    }

    fn is_only_name(&self, stems: &[String]) -> bool {
        stems.iter().all(|stem| self.search.columns().iter().all(|column| !column.knows(stem)))
    }
}

/// Whether the preceding words say that people left what follows: "resigned from", "ex".
fn was_left(before: &[Item]) -> bool {
    let last = before.iter().rev().find(|item| item.sense != Sense::Cue(Cue::Stop));
    last.is_some_and(|item| {
        let leads =
            || item.text.rsplit(' ').next().is_some_and(|word| TO_COMPANY.split(' ').any(|it| it == word));
        item.sense == Sense::Cue(Cue::Past) && leads()
    })
}

/// Whether the last "not" applies to lines of business: "in anything but", "from any sector but".
fn excludes_lines(before: &[Item]) -> bool {
    const LINES: [&str; 6] =
        ["in anything", "in everything", "sector", "industry", "any business", "line of business"];
    let not = before.iter().rev().find(|item| item.sense == Sense::Cue(Cue::Not));
    not.is_some_and(|not| LINES.iter().any(|line| not.text.contains(line)))
}

fn expected_after(before: &[Item]) -> Expectation {
    if was_left(before) {
        return Expectation::Company;
    }
    let senses = before.iter().rev().map(|item| item.sense);
    let mut senses = senses.skip_while(|sense| matches!(sense, Sense::Cue(Cue::Stop | Cue::Past)));
    match senses.next() {
        Some(Sense::Cue(Cue::At)) => Expectation::Company,
        Some(Sense::Cue(Cue::In)) => match before.iter().rev().find(|item| item.sense == Sense::Cue(Cue::In))
        {
            Some(item) if LIVING.contains(&item.text.as_str()) => Expectation::Home,
            _ if before.iter().any(|item| matches!(item.sense, Sense::Role | Sense::Field(..))) => {
                Expectation::Sector
            }
            _ => Expectation::Place,
        },
        Some(Sense::Cue(Cue::Named)) => Expectation::Name,
        // "in insurance or finance"
        Some(Sense::Cue(Cue::Or | Cue::And))
            if senses.clone().find(|sense| *sense != Sense::Cue(Cue::Stop))
                == Some(Sense::Thing(TermKind::Industry)) =>
        {
            Expectation::Line
        }
        Some(Sense::Cue(Cue::Not)) if excludes_lines(before) => Expectation::Line,
        Some(Sense::Level(_) | Sense::Verb(_)) => Expectation::Field,
        Some(Sense::Cue(Cue::Of)) => {
            let mut senses = senses.skip_while(|sense| matches!(sense, Sense::Size(_)));
            match senses.next() {
                Some(Sense::Level(_)) => Expectation::Field,
                Some(Sense::Cue(Cue::CompanyNoun)) => Expectation::Line,
                Some(Sense::Field(..)) => Expectation::Sector,
                _ => Expectation::Anything,
            }
        }
        _ => Expectation::Anything,
    }
}

/// The field of work among `meanings`; one from a description comes last.
fn field_of(meanings: &[Meaning]) -> Option<Sense> {
    let title = meanings.iter().find_map(|meaning| match meaning {
        Meaning::Title(field) => Some(Sense::Field(*field, true)),
        _ => None,
    });
    let role = || {
        meanings.iter().any(|it| matches!(it, Meaning::Job(..) | Meaning::Chief(_))).then_some(Sense::Role)
    };
    let talk = || {
        meanings.iter().find_map(|meaning| match meaning {
            Meaning::Talk(field) => Some(Sense::Field(*field, false)),
            _ => None,
        })
    };
    title.or_else(role).or_else(talk)
}

fn verb_of(meaning: &Meaning) -> Option<Sense> {
    match meaning {
        Meaning::Verb(level) => Some(Sense::Verb(*level)),
        _ => None,
    }
}

/// The meaning in `meanings` about a person's work, unless the preceding words lead one to expect something else.
fn role_of(meanings: &[Meaning]) -> Option<Sense> {
    let is_role = meanings.iter().any(|it| matches!(it, Meaning::Job(..) | Meaning::Chief(_)));
    let level = meanings.iter().find_map(|meaning| match meaning {
        Meaning::Level(level) => Some(Sense::Level(*level)),
        _ => None,
    });
    let verb = meanings.iter().find_map(verb_of);
    level.or_else(|| is_role.then_some(Sense::Role)).or_else(|| field_of(meanings)).or(verb)
}
