//! Finding the person or the company a request names.

use std::cmp::Reverse;

use super::network::{Company, Network, Person};
use super::rules::Mistake;
use super::text::{edit_distance, edit_distance_without_swaps, fold, match_class_by, words};

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
        let matches = among.filter_map(|person| Some((self.class_of(query, &person.name)?, person)));
        matches.min_by_key(|(class, person)| (*class, self.person_tie(person))).map(|(_, person)| person)
    }

    /// The person with this handle, sent as it is or as a profile URL: most edges, then id.
    pub(crate) fn find_by_handle(&self, sent: &str) -> Option<&Person> {
        let wanted = handle_sent(sent).to_lowercase();
        let has_it =
            |person: &&Person| person.linkedin_id.as_ref().is_some_and(|it| it.to_lowercase() == wanted);
        self.people.values().filter(has_it).min_by_key(|person| self.person_tie(person))
    }

    /// The company meant: equal name, else equal handle, else the best of classes 2 to 4; ties to the most
    /// current employees, then id.
    pub(crate) fn find_company(&self, query: &str) -> Option<&Company> {
        if words(query).is_empty() {
            return None;
        }
        let rank = |company: &Company| match self.class_of(query, &company.name) {
            Some(1) => Some(1),
            _ if company.handle.as_ref().is_some_and(|handle| fold(handle) == fold(query)) => Some(2),
            class => class.map(|class| class + 1),
        };
        let tie = |company: &Company| (Reverse(self.employees(&company.id).len()), company.id.clone());
        let matches = self.companies.values().filter_map(|company| Some((rank(company)?, company)));
        matches.min_by_key(|(rank, company)| (*rank, tie(company))).map(|(_, company)| company)
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
