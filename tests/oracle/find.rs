//! Finding the person or the company a request names.

use std::cmp::Reverse;

use super::network::{Company, Network, Person};
use super::request::{Params, one};
use super::rules::Mistake;
use super::text::{edit_distance, edit_distance_without_swaps, match_class_by, plain, words};

/// The names of the classes of names, from the first.
const CLASSES: [&str; 4] = ["equal", "reordered", "prefix", "fuzzy"];

/// Those who match in the same way and class, the best of them first, and what the way is called.
pub(crate) struct Alike<T> {
    pub(crate) by: Option<&'static str>,
    pub(crate) people: Vec<T>,
}

impl Network {
    /// The class in which a name matches, by the rules in force.
    pub(crate) fn class_of(&self, query: &str, name: &str) -> Option<u8> {
        let swaps_count_two = self.rules.make(Mistake::SwapsCountTwo);
        let distance = if swaps_count_two { edit_distance_without_swaps } else { edit_distance };
        match_class_by(distance, query, name)
    }

    /// The best match among some people: best class, then most edges, then id.
    pub(crate) fn find_by_name<'a>(
        &'a self,
        query: &str,
        among: impl Iterator<Item = &'a Person>,
    ) -> Option<&'a Person> {
        self.alike_by_name(query, among).people.first().copied()
    }

    /// The people whose names match in the best class that anybody's does.
    pub(crate) fn alike_by_name<'a>(
        &'a self,
        query: &str,
        among: impl Iterator<Item = &'a Person>,
    ) -> Alike<&'a Person> {
        let matches: Vec<(u8, &Person)> =
            among.filter_map(|person| Some((self.class_of(query, &person.name)?, person))).collect();
        let best = matches.iter().map(|(class, _)| *class).min();
        let any_class = self.rules.make(Mistake::OthersOfEveryClass);
        let alike = matches.iter().filter(|(class, _)| Some(*class) == best || any_class);
        let mut alike: Vec<(u8, &Person)> = alike.copied().collect();
        alike.sort_by_cached_key(|(class, person)| (*class, self.person_tie(person)));
        let people = alike.into_iter().map(|(_, person)| person).collect();
        Alike { by: best.map(|class| CLASSES[usize::from(class) - 1]), people }
    }

    /// The person with this handle, sent as it is or as a profile URL: most edges, then id.
    pub(crate) fn find_by_handle(&self, sent: &str) -> Option<&Person> {
        self.alike_by_handle(sent).people.first().copied()
    }

    /// The people with this handle.
    pub(crate) fn alike_by_handle(&self, sent: &str) -> Alike<&Person> {
        let wanted = handle_sent(sent).to_lowercase();
        self.alike_by("handle", |person| person.handles().any(|it| it.to_lowercase() == wanted))
    }

    /// The people for whom `is_meant` is true, ordered by most edges, then id.
    fn alike_by(&self, by: &'static str, is_meant: impl Fn(&Person) -> bool) -> Alike<&Person> {
        let mut people: Vec<&Person> = self.people.values().filter(|person| is_meant(person)).collect();
        people.sort_by_cached_key(|person| self.person_tie(person));
        Alike { by: people.first().map(|_| by), people }
    }

    /// The people whom the only target parameter sent may mean.
    pub(crate) fn people_meant(&self, params: &Params) -> Alike<&Person> {
        if let Some(id) = one(params, "prospectId") {
            return self.alike_by("id", |person| person.id == id);
        }
        if let Some(handle) = one(params, "prospectLinkedinId") {
            return self.alike_by_handle(handle);
        }
        if let Some(email) = one(params, "prospectEmail") {
            let as_sent = self.rules.make(Mistake::EmailsAsWritten);
            let form = |text: &str| match as_sent {
                true => text.to_owned(),
                false => text.trim().chars().flat_map(char::to_lowercase).collect(),
            };
            return self.alike_by("email", |person| person.emails().any(|it| form(it) == form(email)));
        }
        let name = one(params, "prospectName").unwrap();
        let Some(at) = one(params, "prospectNameAt") else {
            return self.alike_by_name(name, self.people.values());
        };
        let Some(company) = self.find_company(at) else { return Alike { by: None, people: Vec::new() } };
        let anybody = self.rules.make(Mistake::NameAtSeeksEverybody);
        let works_there = |person: &&Person| anybody || person.company_id.as_ref() == Some(&company.id);
        self.alike_by_name(name, self.people.values().filter(works_there))
    }

    /// The companies that the one target parameter that was sent may mean.
    pub(crate) fn companies_meant(&self, params: &Params) -> Alike<&Company> {
        match one(params, "prospectId") {
            Some(id) => {
                let people: Vec<&Company> = self.companies.get(id).into_iter().collect();
                Alike { by: people.first().map(|_| "id"), people }
            }
            None => self.companies_alike(one(params, "prospectCompany").unwrap()),
        }
    }

    /// The company meant: equal name, else equal handle, else equal domain, else the best of classes 2 to 4; ties to the most
    /// current employees, then id.
    pub(crate) fn find_company(&self, query: &str) -> Option<&Company> {
        self.companies_alike(query).people.first().copied()
    }

    fn companies_alike(&self, query: &str) -> Alike<&Company> {
        if words(query).is_empty() {
            return Alike { by: None, people: Vec::new() };
        }
        let late = self.rules.make(Mistake::DomainsAfterNames);
        let has_domain = |company: &Company| {
            company.domain.as_ref().is_some_and(|own| {
                if self.rules.make(Mistake::DomainsAsWritten) {
                    return own == query;
                }
                domain_of(own).is_some() && domain_of(own) == domain_of(query)
            })
        };
        // Places in `ways`; with the mistake, the domain's comes last.
        let rank = |company: &Company| match self.class_of(query, &company.name) {
            Some(1) => Some(0),
            _ if company.handle.as_ref().is_some_and(|handle| plain(handle) == plain(query)) => Some(1),
            Some(class) if late => Some(usize::from(class) + 1),
            _ if has_domain(company) => Some(if late { 6 } else { 2 }),
            class => class.map(|class| usize::from(class) + 1),
        };
        let ranked: Vec<(usize, &Company)> =
            self.companies.values().filter_map(|company| Some((rank(company)?, company))).collect();
        let best = ranked.iter().map(|(rank, _)| *rank).min();
        let alike = ranked.iter().filter(|(rank, _)| Some(*rank) == best);
        let mut companies: Vec<&Company> = alike.map(|(_, company)| *company).collect();
        companies
            .sort_by_cached_key(|company| (Reverse(self.employees(&company.id).len()), company.id.clone()));
        let ways = ["equal", "handle", "domain", "reordered", "prefix", "fuzzy", "domain"];
        Alike { by: best.map(|rank| ways[rank]), people: companies }
    }

    fn person_tie(&self, person: &Person) -> (Reverse<usize>, String) {
        let edges = self.edge_count(&person.id);
        let fewest = self.rules.make(Mistake::FewestEdgesWin);
        (Reverse(if fewest { usize::MAX - edges } else { edges }), person.id.clone())
    }
}

/// The handle in a profile URL on any `linkedin.com` host; anything else is a handle itself.
pub(crate) fn handle_sent(sent: &str) -> String {
    handle_in_url(sent).unwrap_or_else(|| sent.to_owned())
}

/// The domain in a text; none if what is left after all cuts is no domain.
fn domain_of(text: &str) -> Option<String> {
    let mut rest: String = text.trim().chars().flat_map(char::to_lowercase).collect();
    if let Some(at) = rest.find("://") {
        let scheme = &rest[..at];
        let letters = scheme.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '+' | '-' | '.'));
        if letters && scheme.chars().next().is_some_and(|it| it.is_ascii_alphabetic()) {
            rest.drain(..at + 3);
        }
    }
    if let Some(at) = rest.find(['/', '?', '#']) {
        rest.truncate(at);
    }
    if let Some(at) = rest.rfind(':')
        && rest[at + 1..].chars().all(|it| it.is_ascii_digit())
    {
        rest.truncate(at);
    }
    let rest = rest.strip_prefix("www.").unwrap_or(&rest);
    let rest = rest.strip_suffix('.').unwrap_or(rest);
    let has_stop_inside = rest.trim_start_matches('.').trim_end_matches('.').contains('.');
    let is_domain = has_stop_inside && !rest.chars().any(|it| it.is_whitespace() || it == '@');
    is_domain.then(|| rest.to_owned())
}

fn handle_in_url(sent: &str) -> Option<String> {
    let scheme_end = sent.find("://").map_or(0, |at| at + 3);
    let scheme = sent[..scheme_end].to_ascii_lowercase();
    let (host, path) = sent[scheme_end..].split_once('/')?;
    let host = host.to_ascii_lowercase();
    let known_scheme = matches!(scheme.as_str(), "" | "http://" | "https://");
    let known_host = host == "linkedin.com" || host.ends_with(".linkedin.com");
    if !known_scheme || !known_host {
        return None;
    }
    let handle = path.strip_prefix("in/")?.split(['/', '?', '#']).next()?;
    percent_decoded(handle)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let hex = after.get(..2).filter(|hex| byte == b'%' && hex.iter().all(u8::is_ascii_hexdigit));
        let code = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(code.unwrap_or(byte));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).ok()
}
