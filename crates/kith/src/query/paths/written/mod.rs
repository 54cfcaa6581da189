//! A target as people write it: an id, an address, a name, a name with a firm and a role, a firm.
//!
//! `scan` cuts the text; `runs` joins the parts of one name again; this module decides which part is the person and which the
//! firm, and who is meant; `firm` whether a firm that is written otherwise is theirs.

mod firm;
mod runs;
mod scan;

use std::cmp::Reverse;
use std::ops::Range;

use crate::graph::index::GraphIndex;
use crate::limits::TARGET_CHARS_MAX;
use crate::model::ix::{CompanyIx, PersonIx};
use crate::model::named::named;
use crate::model::text::{fold, plain};
use crate::query::name_match::NameClass;
use crate::query::paths::request::TargetQuery;
use crate::query::paths::target::{
    self, MatchedBy, Target, companies_alike, find_all_alike, find_company, people_named, works_at,
};
use crate::query::paths::written::firm::{Firm, is_firm_of};
use crate::query::paths::written::runs::{bare_name, without_initials};
use crate::query::paths::written::scan::Scanned;

/// The parts of a target's text, as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadTarget {
    /// The id.
    pub id: Option<String>,
    /// The e-mail address, in lower case.
    pub email: Option<String>,
    /// The handle in a profile's URL.
    pub handle: Option<String>,
    /// The domain of a home page.
    pub domain: Option<String>,
    /// The person's name.
    pub name: Option<String>,
    /// The firm.
    pub company: Option<String>,
    /// The role.
    pub position: Option<String>,
}

/// A part of a text that does not fit the person found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// They are not known to work at the firm.
    Company,
    /// Their name is spelled otherwise.
    Name,
}

named! {
    /// Both.
    Doubt { Company = "company", Name = "name" }
}

/// The resolution of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// The parts of the text.
    pub target: ReadTarget,
    /// How the target matches; `None` if no person or company was found.
    pub by: Option<MatchedBy>,
    /// All matches of this kind: the one found first, then the others by the rules for ties.
    pub alike: Vec<Target>,
    /// The parts that do not fit.
    pub doubt: Vec<Doubt>,
    /// The firm in the text, if known.
    pub firm: Option<CompanyIx>,
}

/// The person or company that `query` means, and how it matches; `None` if there is none.
#[must_use]
pub fn find_target(index: &GraphIndex, query: TargetQuery<'_>) -> Option<(MatchedBy, Target)> {
    match query {
        TargetQuery::Text(text) => Read::of(index, text).found(),
        _ => target::find_target(index, query),
    }
}

/// Whether `text` is short enough for a target.
#[must_use]
pub fn is_taken(text: &str) -> bool {
    (1..=TARGET_CHARS_MAX).contains(&fold(text).chars().count())
}

/// Name classes that identify a person: equal, reordered, spelled otherwise.
const OWN: &[How] = &[How::Class(NameClass::Equal), How::Class(NameClass::Reordered), How::Otherwise];
const BEGUN: &[How] = &[How::Class(NameClass::Prefix)];
const LIKE: &[How] = &[How::Class(NameClass::Prefix), How::Class(NameClass::Fuzzy)];
const WIDER: &[How] = &[How::Wider];

/// Maximum number of parts that are compared with the firms like them.
const SIMILAR_MAX: usize = 3;

/// How a name is compared.
#[derive(Clone, Copy)]
enum How {
    Class(NameClass),
    Otherwise,
    Wider,
}

impl Read {
    /// Resolves `text` in `index`.
    ///
    /// Costs a look-up of each part as a person and as a company; if no part is known, also an edit distance per
    /// distinct word of all names.
    #[must_use]
    pub fn of(index: &GraphIndex, text: &str) -> Self {
        let asked = scan::without_request(text);
        let is_firm = || !companies_alike(index, text, MatchedBy::Name(NameClass::Equal)).is_empty();
        let text = if asked.is_empty() || asked != text && is_firm() { text } else { asked };
        let is_domain = |host: &str| !companies_alike(index, host, MatchedBy::Domain).is_empty();
        let Scanned { id, email, handle, domain, left, parts } = Scanned::of(text, &is_domain);
        let target = ReadTarget { id, email, handle, domain, ..ReadTarget::default() };
        let mut reader = Reader { index, read: Self { target, ..Self::default() }, is_small: false };
        reader.find(&left, &parts);
        if reader.read.by.is_none() {
            let name = &mut reader.read.target.name;
            *name = name.take().map(|name| runs::given_name_first(&name));
        }
        reader.read
    }

    /// The target found, and how it matches.
    pub(super) fn found(&self) -> Option<(MatchedBy, Target)> {
        self.by.zip(self.alike.first().copied())
    }
}

struct Reader<'a> {
    index: &'a GraphIndex,
    read: Read,
    /// Whether the text has no capitals.
    is_small: bool,
}

impl Reader<'_> {
    fn find(&mut self, left: &str, parts: &[Range<usize>]) {
        let ReadTarget { id, email, handle, domain, .. } = self.read.target.clone();
        if let Some(id) = id {
            let query = if id.starts_with("person_") {
                TargetQuery::PersonId(&id)
            } else {
                TargetQuery::CompanyId(&id)
            };
            self.find_exact(query);
            return;
        }
        let has_address = email.is_some() || handle.is_some();
        let is_known = email.as_deref().is_some_and(|email| self.find_exact(TargetQuery::Email(email)))
            || handle.as_deref().is_some_and(|handle| self.find_exact(TargetQuery::Handle(handle)));
        self.is_small = !left.contains(char::is_uppercase);
        let parts = self.joined(left, parts);
        if is_known {
            self.name_parts(&parts, Some(0), None);
            return;
        }
        let host = email.as_deref().and_then(|email| email.split_once('@')).map(|(_, host)| host);
        let is_label = domain.is_some() || parts.is_empty();
        let firm = domain.as_deref().or(host).and_then(|host| self.firm_of_host(host, is_label));
        self.read.firm = firm.as_ref().and_then(Firm::company);
        match (&parts[..], firm) {
            ([], Some(firm)) if domain.is_some() => self.found(Some((firm.by, companies(&firm.rows)))),
            ([], Some(firm)) => self.find_by_address(&firm),
            ([], None) => {}
            ([one], _) if !has_address && domain.is_none() => self.find_one(one),
            (_, firm) => self.find_person(&parts, firm, has_address),
        }
    }

    /// Finds the target of an id or an address; returns whether there is one.
    fn find_exact(&mut self, query: TargetQuery<'_>) -> bool {
        let Some((by, _)) = target::find_target(self.index, query) else { return false };
        self.found(Some((by, find_all_alike(self.index, query, by))));
        true
    }

    fn found(&mut self, found: Option<(MatchedBy, Vec<Target>)>) {
        if let Some((by, alike)) = found.filter(|(_, alike)| !alike.is_empty()) {
            (self.read.by, self.read.alike) = (Some(by), alike);
        }
    }

    /// Finds the target of a text with one part.
    fn find_one(&mut self, text: &str) {
        let is_like_handle = !text.contains(char::is_whitespace)
            && text.contains(|character: char| "-_".contains(character) || character.is_ascii_digit());
        if is_like_handle && self.find_handle(text) || self.find_named(text, OWN, None) {
            return;
        }
        if let Some((by, rows)) = self.companies_called(text) {
            return self.find_company(text, by, &rows);
        }
        if self.find_handle(text) {
            return;
        }
        if let Some(parts) = self.name_and_firm(text) {
            return self.find_person(&parts, None, false);
        }
        if self.find_named(text, LIKE, None) {
            return;
        }
        match find_company(self.index, text) {
            Some((by, _)) => self.find_company(text, by, &companies_alike(self.index, text, by)),
            None => self.read.target.name = Some(text.to_owned()),
        }
    }

    /// Finds the person at `firm` whose name an unknown address has before its `@`, as in `ana.li@…`.
    fn find_by_address(&mut self, firm: &Firm) {
        let Some((local, _)) = self.read.target.email.as_deref().and_then(|email| email.split_once('@'))
        else {
            return;
        };
        let name = local.replace(['.', '_', '-'], " ");
        if name.contains(' ') && self.find_named(&name, OWN, Some(&firm.rows)) {
            self.read.target.name = None;
            self.read.doubt = vec![Doubt::Name];
        }
    }

    /// Finds the person with the bare handle `text`; returns whether there is one.
    fn find_handle(&mut self, text: &str) -> bool {
        let is_found = self.find_exact(TargetQuery::Handle(text));
        if is_found {
            self.read.target.handle = Some(text.to_owned());
        }
        is_found
    }

    fn find_company(&mut self, text: &str, by: MatchedBy, rows: &[u32]) {
        self.read.target.company = Some(text.to_owned());
        self.found(Some((by, companies(rows))));
    }

    /// Finds the person that `parts` mean, who may work at `host`; or the firm, if no other part may be a name.
    fn find_person(&mut self, parts: &[String], host: Option<Firm>, has_address: bool) {
        // If another part is a company too, the first part is the person.
        let places = || (1..parts.len()).chain([0]).filter(|&at| at < parts.len());
        let mut firms: Vec<Firm> = places().filter_map(|at| self.firm_called(parts, at)).collect();
        if let Some(host) = host {
            let place = if host.by == MatchedBy::Domain { 0 } else { firms.len() };
            firms.insert(place, host);
        }
        let known = firms.first().cloned();
        let has_firm = parts.len() > 1 || known.is_some() || self.read.target.domain.is_some();
        if known.is_none() && parts.len() > 1 {
            firms.extend(places().take(SIMILAR_MAX).filter_map(|at| self.firm_like(parts, at)));
        }
        self.read.firm = firms.first().and_then(Firm::company);
        // An unknown address must not resolve to a person with just the same name.
        let at_the_firm: &[&[How]] = if has_address { &[OWN] } else { &[OWN, LIKE, WIDER] };
        for how in at_the_firm {
            for firm in &firms {
                for name in (0..parts.len()).filter(|&at| Some(at) != firm.at) {
                    if self.find_named(&parts[name], how, Some(&firm.rows)) {
                        self.read.firm = firm.company();
                        return self.name_parts(parts, Some(name), firm.at);
                    }
                }
            }
        }
        let is_firm = |at: usize| {
            let of_part = |firm: &&Firm| firm.at == Some(at);
            known.as_ref().is_some_and(|known| firms.iter().filter(of_part).any(|firm| firm.is_one_of(known)))
        };
        let names: Vec<bool> = parts.iter().map(|part| self.may_be_name(part)).collect();
        let others = || (0..parts.len()).filter(|&at| !is_firm(at));
        let first = others().find(|&at| names[at]);
        if let (Some(firm), None, false) = (&known, first, has_address) {
            self.name_parts(parts, None, firm.at.or_else(|| (0..parts.len()).find(|&at| is_firm(at))));
            return self.found(Some((firm.by, companies(&firm.rows))));
        }
        let at_firm = |name| match &known {
            Some(firm) => firm.at,
            None => others().filter(|&at| Some(at) != name).max_by_key(|&at| (names[at], Reverse(at))),
        };
        let anywhere: &[&[How]] = if has_address { &[OWN] } else { &[OWN, BEGUN] };
        for (how, name) in anywhere.iter().flat_map(|how| others().map(move |name| (how, name))) {
            let is_whole = how.len() > 1 || parts[name].contains(' ');
            if is_whole && self.find_named(&parts[name], how, None) {
                if !self.find_at_firm_written_otherwise(parts, name) {
                    let firm = at_firm(Some(name));
                    self.name_parts(parts, Some(name), firm);
                    self.doubt_company(known.is_some(), has_firm);
                }
                return;
            }
        }
        let first = first.or_else(|| others().next());
        let firm = at_firm(first);
        self.name_parts(parts, first, firm);
    }

    /// Of the people found, who have the very name of the part `name`, keeps those who work at the firm of another part, or of
    /// the domain, under a longer or shorter name. Returns whether there are any.
    fn find_at_firm_written_otherwise(&mut self, parts: &[String], name: usize) -> bool {
        let ReadTarget { email, domain, .. } = &self.read.target;
        let host = email.as_deref().and_then(|email| email.split_once('@')).map(|(_, host)| host);
        let hosts = [domain.as_deref(), host].into_iter().flatten().map(|host| (None, host));
        let others = parts.iter().enumerate().filter(|(at, _)| *at != name);
        let firms = hosts.chain(others.map(|(at, part)| (Some(at), part.as_str())));
        let has_name = matches!(self.read.by, Some(MatchedBy::Name(NameClass::Equal | NameClass::Reordered)));
        let there = firms.filter(|_| has_name).find_map(|(at, firm)| {
            let is_there =
                |found: &&Target| found.person().is_some_and(|person| is_firm_of(self.index, person, firm));
            let there: Vec<Target> = self.read.alike.iter().filter(is_there).copied().collect();
            let company = self.index.data.people.company(there.first()?.person()?);
            Some((at, there, company))
        });
        let Some((at, there, company)) = there else { return false };
        (self.read.alike, self.read.firm) = (there, company);
        self.name_parts(parts, Some(name), at);
        true
    }

    /// Doubts the firm, unless the supposed firm is the person's role.
    fn doubt_company(&mut self, is_known: bool, has_firm: bool) {
        let role = self.read.target.company.as_deref().map(plain);
        let person = self.read.alike.first().and_then(|found| found.person());
        let is_role = |person: PersonIx| {
            let number = self.index.data.people.positions.rows[person.0 as usize];
            let position = self.index.people_text.plain_positions.get(number);
            role.as_deref().is_some_and(|role| position.contains(role))
        };
        let is_note = || self.read.target.company.as_ref().is_some_and(|text| !self.may_be_name(text));
        if !is_known && (person.is_some_and(is_role) || is_note()) {
            self.read.target.position = self.read.target.company.take();
            self.read.firm = None;
        } else if has_firm {
            self.read.doubt.insert(0, Doubt::Company);
        }
    }

    /// Labels `parts`: those without another label are the role.
    fn name_parts(&mut self, parts: &[String], name: Option<usize>, firm: Option<usize>) {
        let part = |at: usize| parts.get(at).cloned();
        let rest = (0..parts.len()).find(|&at| Some(at) != name && Some(at) != firm);
        let target = &mut self.read.target;
        target.name = name.and_then(part);
        target.company = firm.and_then(part);
        target.position = rest.and_then(part);
    }

    /// Finds the person named `text`, compared as in `how`, at one of the companies `at`; returns whether there is one.
    fn find_named(&mut self, text: &str, how: &[How], at: Option<&[u32]>) -> bool {
        let Some((way, rows)) = self.people(text, how, at) else { return false };
        let by = match way {
            How::Class(class) => MatchedBy::Name(class),
            How::Otherwise | How::Wider => {
                self.read.doubt.push(Doubt::Name);
                MatchedBy::Name(NameClass::Equal)
            }
        };
        self.read.target.name = Some(text.to_owned());
        self.found(Some((by, rows.into_iter().map(|row| Target::Person(PersonIx(row))).collect())));
        true
    }

    /// The people named `text`, by the first comparison of `how` that finds any.
    fn people(&self, text: &str, how: &[How], at: Option<&[u32]>) -> Option<(How, Vec<u32>)> {
        let (index, has_handle) = (self.index, self.read.target.handle.is_some());
        let is_free = |row| !has_handle || index.data.people.handles.get(row).is_empty();
        let among = |row: u32| {
            is_free(row)
                && at.is_none_or(|at| at.iter().any(|&company| works_at(index, row, CompanyIx(company))))
        };
        let among: Option<&dyn Fn(u32) -> bool> =
            if has_handle || at.is_some() { Some(&among) } else { None };
        how.iter().find_map(|&way| {
            let bare = if matches!(way, How::Otherwise) { without_initials(text) } else { bare_name(text) };
            // Of a company's people a word is enough, a letter is not.
            let bare = bare.filter(|name| at.is_some() || name.contains(' '));
            let is_name = |name: &String| at.is_none() || name.chars().nth(1).is_some();
            let rows = [Some(text.to_owned()), bare].into_iter().flatten().filter(is_name).map(|name| {
                people_named(index, among, |candidates| match way {
                    How::Class(class) => candidates.all_in(class, &name),
                    How::Otherwise => candidates.all_otherwise(&name),
                    How::Wider => candidates.all_wider(&name),
                })
            });
            rows.into_iter().find(|rows| !rows.is_empty()).map(|rows| (way, rows))
        })
    }
}

fn companies(rows: &[u32]) -> Vec<Target> {
    rows.iter().map(|&row| Target::Company(CompanyIx(row))).collect()
}

#[cfg(test)]
mod tests;
