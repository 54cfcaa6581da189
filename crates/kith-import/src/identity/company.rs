//! Which names are the same company, and which domains belong to which company.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::identity::address::{employer_domain, with_those_above};
use crate::identity::company_key::{company_key, company_stem};
use crate::plan::CompanyAliases;
use kith::model::text::fold;

/// Companies, numbered; 0 is none.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompanyRegistry {
    /// Every spelling, with its count, by number.
    spellings: Vec<Spelling>,
    numbers: HashMap<Box<str>, u32>,
    /// The company of each spelling; set by [`Self::settle`].
    groups: Vec<u32>,
    by_domain: HashMap<Box<str>, u32>,
    settled: Vec<CompanyGroup>,
}

#[derive(Clone, Debug, Default)]
struct Spelling {
    name: Box<str>,
    count: u32,
    /// Its [`company_key`].
    key: String,
    /// Its [`marked_stem`].
    stem: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CompanyGroup {
    /// Its most frequent name.
    pub(crate) name: String,
    /// The [`marked_stem`] of the name.
    stem: String,
    /// The smallest of its keys, equal for all its names.
    pub(crate) key: String,
    pub(crate) keys: Vec<String>,
    /// The domain of its addresses.
    pub(crate) domain: Option<String>,
}

/// The number of rows that name a company and have an address at a domain.
pub(crate) type DomainCounts = BTreeMap<(Box<str>, u32), u32>;

impl CompanyRegistry {
    /// The number of the spelling `name`; 0 if it names no company.
    pub(crate) fn number(&mut self, name: &str) -> u32 {
        if self.spellings.is_empty() {
            self.spellings.push(Spelling::default());
        }
        let number = self.numbers.get(name).copied().unwrap_or_else(|| self.add(name));
        if let Some(spelling) = self.spellings.get_mut(number as usize) {
            spelling.count += 1;
        }
        number
    }

    /// Adds the spelling `name`; returns 0 if it names no company.
    fn add(&mut self, name: &str) -> u32 {
        let key = company_key(name);
        if key.is_empty() {
            return 0;
        }
        let number = self.spellings.len() as u32;
        self.spellings.push(Spelling { name: name.into(), count: 0, key, stem: marked_stem(name) });
        self.numbers.insert(name.into(), number);
        number
    }

    /// A spelling of each named company, by its key.
    pub(crate) fn by_key(&self) -> HashMap<&str, u32> {
        let mut by_key = HashMap::new();
        for (spelling, number) in self.spellings.iter().zip(0..).skip(1) {
            by_key.entry(spelling.key.as_str()).or_insert(number);
        }
        by_key
    }

    /// Decides which spellings are the same company: those with the same key, those joined by an alias, and those with
    /// addresses at the same domain where one key begins with the other. `counts` has the domains of each spelling.
    ///
    /// Depends only on the spellings and their counts, not on their order.
    pub(crate) fn settle(&mut self, aliases: &[CompanyAliases], counts: &DomainCounts) {
        let keys: Vec<String> = self.spellings.iter().map(|spelling| spelling.key.clone()).collect();
        let mut of_key: BTreeMap<&str, String> = keys.iter().map(|key| (key.as_str(), key.clone())).collect();
        let alias_keys: Vec<(String, &CompanyAliases)> =
            aliases.iter().map(|alias| (company_key(&alias.name), alias)).collect();
        for (name, alias) in &alias_keys {
            for other in alias.aliases.iter().map(|other| company_key(other)) {
                if let Some(company) = of_key.get_mut(other.as_str()) {
                    company.clone_from(name);
                }
            }
        }
        let of_domain = keys_of_domains(&keys, counts);
        let domains = domains_of(&of_domain);
        join_by_domain(&of_domain, &mut of_key);
        // Of several domains, the one with the most rows, then the first by alphabet; of others, the first by number.
        let domains = without_single_rows(domains, &of_domain);
        let mut domain_of: HashMap<&str, (Reverse<u32>, &str)> = HashMap::new();
        for (domain, key) in &domains {
            let found = (Reverse(of_domain[domain][key]), *domain);
            let known = domain_of.entry(key).or_insert(found);
            *known = found.min(*known);
        }
        let mut number_of: HashMap<&str, usize> = HashMap::new();
        for (number, key) in keys.iter().enumerate() {
            number_of.entry(key).or_insert(number);
        }
        let mut alias_of: HashMap<&str, &CompanyAliases> = HashMap::new();
        for (name, alias) in &alias_keys {
            alias_of.entry(name).or_insert(alias);
        }
        let mut groups: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for (number, key) in keys.iter().enumerate().skip(1) {
            groups
                .entry(of_key.get(key.as_str()).map_or("", String::as_str))
                .or_default()
                .push(number as u32);
        }
        self.groups = vec![0; self.spellings.len()];
        self.settled = vec![CompanyGroup::default()];
        for (key, numbers) in groups {
            let group = self.settled.len() as u32;
            numbers.iter().for_each(|number| self.groups[*number as usize] = group);
            let alias = alias_of.get(key).copied();
            let mut own: Vec<String> = numbers.iter().map(|number| keys[*number as usize].clone()).collect();
            own.sort_unstable();
            own.dedup();
            let domain = own
                .iter()
                .filter_map(|own| domain_of.get(own.as_str()))
                .min()
                .map(|(_, it)| (*it).to_owned());
            let domain = alias.and_then(|alias| alias.domain.clone()).or(domain);
            let name = self.name_of(&numbers, alias);
            let stem = marked_stem(&name);
            self.settled.push(CompanyGroup { name, stem, key: key.to_owned(), keys: own, domain });
        }
        for (domain, key) in &domains {
            let group = number_of.get(key).map_or(0, |number| self.groups[*number]);
            self.by_domain.insert((*domain).into(), group);
        }
        for (place, group) in self.settled.iter().enumerate() {
            if let Some(domain) = &group.domain {
                self.by_domain.insert(domain.as_str().into(), place as u32);
            }
        }
    }

    /// The name of the company with these spellings: the commonest; then the longest, then the first.
    fn name_of(&self, numbers: &[u32], alias: Option<&CompanyAliases>) -> String {
        if let Some(alias) = alias {
            return alias.name.clone();
        }
        let spellings = numbers.iter().map(|number| &self.spellings[*number as usize]);
        let order = |spelling: &&Spelling| {
            (spelling.count, spelling.name.len(), std::cmp::Reverse(spelling.name.clone()))
        };
        spellings.max_by_key(order).map_or(String::new(), |spelling| spelling.name.to_string())
    }

    /// The spelling `number`; empty for 0.
    pub(crate) fn spelling(&self, number: u32) -> &str {
        self.spellings.get(number as usize).map_or("", |spelling| &*spelling.name)
    }

    /// The company of the spelling `number`.
    pub(crate) fn group(&self, number: u32) -> u32 {
        self.groups.get(number as usize).copied().unwrap_or(0)
    }

    /// Assigns a company to each of `domains` without one: that of a domain above it, else the one whose name is the
    /// domain's label, else one named after the domain, unless only people of one family are there. Domains come in
    /// byte order.
    pub(crate) fn take_domains(&mut self, domains: &BTreeSet<&str>, is_of_one_family: &dyn Fn(&str) -> bool) {
        let mut by_label: HashMap<String, u32> = HashMap::new();
        for (place, group) in self.settled.iter().enumerate().skip(1) {
            for key in &group.keys {
                // If several companies have the same label, none gets it.
                by_label.entry(key.replace(' ', "")).and_modify(|known| *known = 0).or_insert(place as u32);
            }
        }
        for domain in domains {
            if self.of_domain(domain) != 0 {
                continue;
            }
            let label: String = domain
                .split('.')
                .next()
                .unwrap_or("")
                .chars()
                .filter(|sign| sign.is_alphanumeric())
                .collect();
            let named = by_label.get(&fold(&label)).copied().filter(|group| *group != 0);
            if named.is_none() && is_of_one_family(domain) {
                continue;
            }
            let group = named.unwrap_or_else(|| {
                self.settled.push(CompanyGroup {
                    name: (*domain).to_owned(),
                    stem: marked_stem(domain),
                    key: (*domain).to_owned(),
                    keys: vec![(*domain).to_owned()],
                    domain: Some((*domain).to_owned()),
                });
                self.settled.len() as u32 - 1
            });
            let company = &mut self.settled[group as usize];
            company.domain.get_or_insert_with(|| (*domain).to_owned());
            self.by_domain.insert((*domain).into(), group);
        }
    }

    /// The company whose addresses have the domain of `email`; 0 for none.
    pub(crate) fn of_email(&self, email: &str) -> u32 {
        employer_domain(email).map_or(0, |domain| self.of_domain(domain))
    }

    /// The company of `domain`, or of a domain above it.
    fn of_domain(&self, domain: &str) -> u32 {
        with_those_above(domain)
            .filter(|domain| domain.contains('.'))
            .find_map(|domain| self.by_domain.get(domain))
            .copied()
            .unwrap_or(0)
    }

    /// The company with number `group`.
    pub(crate) fn company(&self, group: u32) -> &CompanyGroup {
        &self.settled[group as usize]
    }

    /// The key of the spelling `number`, ignoring joins.
    pub(crate) fn own_key(&self, number: u32) -> &str {
        self.spellings.get(number as usize).map_or("", |spelling| spelling.key.as_str())
    }

    /// The keys of `groups` and of the spelling `number`, each also in the form for people with the same name.
    pub(crate) fn compared(&self, groups: &BTreeSet<u32>, number: u32) -> Vec<&str> {
        let settled = || groups.iter().filter(|group| **group != 0).map(|group| self.company(*group));
        let mut keys: Vec<&str> = settled().map(|company| company.key.as_str()).collect();
        let own = self.spellings.get(number as usize).map(|spelling| spelling.stem.as_str());
        for stem in settled().map(|company| company.stem.as_str()).chain(own).filter(|stem| !stem.is_empty())
        {
            if !keys.contains(&stem) {
                keys.push(stem);
            }
        }
        keys
    }
}

/// The [`company_stem`] of `name` with `…` behind it; empty if it has none.
fn marked_stem(name: &str) -> String {
    let stem = company_stem(name);
    if stem.is_empty() { stem } else { stem + "…" }
}

/// For each domain, the number of rows with each key.
type KeysOfDomains<'a> = BTreeMap<&'a str, BTreeMap<&'a str, u32>>;

fn keys_of_domains<'a>(keys: &'a [String], counts: &'a DomainCounts) -> KeysOfDomains<'a> {
    let mut of_domain = KeysOfDomains::new();
    for ((domain, number), count) in counts {
        let key = keys.get(*number as usize).map_or("", String::as_str);
        *of_domain.entry(domain).or_default().entry(key).or_default() += count;
    }
    of_domain
}

/// Maps each domain to the key that more than half of the rows with an address there have; domains without a majority
/// are left out.
fn domains_of<'a>(of_domain: &KeysOfDomains<'a>) -> BTreeMap<&'a str, &'a str> {
    let clear = |(domain, counts): (&&'a str, &BTreeMap<&'a str, u32>)| {
        let all: u32 = counts.values().sum();
        let (key, most) = counts.iter().max_by_key(|(key, count)| (**count, std::cmp::Reverse(**key)))?;
        (most * 2 > all && !key.is_empty()).then_some((*domain, *key))
    };
    of_domain.iter().filter_map(clear).collect()
}

/// `domains` without those of a single row, for companies that have one with more rows: these are mostly people's own.
fn without_single_rows<'a>(
    domains: BTreeMap<&'a str, &'a str>,
    of_domain: &KeysOfDomains<'a>,
) -> BTreeMap<&'a str, &'a str> {
    let rows =
        |domain: &str, key: &str| of_domain.get(domain).and_then(|keys| keys.get(key)).copied().unwrap_or(0);
    let mut most: BTreeMap<&str, u32> = BTreeMap::new();
    for (domain, key) in &domains {
        let known = most.entry(key).or_default();
        *known = rows(domain, key).max(*known);
    }
    domains.into_iter().filter(|(domain, key)| rows(domain, key) > 1 || most[key] == 1).collect()
}

/// Joins two keys if the addresses of both mostly have the same domain, and one key begins with the other.
fn join_by_domain<'a>(of_domain: &KeysOfDomains<'a>, of_key: &mut BTreeMap<&'a str, String>) {
    let mut best: BTreeMap<&str, (u32, &'a str)> = BTreeMap::new();
    for (domain, counts) in of_domain {
        for (key, count) in counts.iter().filter(|(key, _)| !key.is_empty()) {
            let known = best.entry(key).or_insert((0, domain));
            if *count > known.0 {
                *known = (*count, domain);
            }
        }
    }
    let begins = |short: &str, long: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with(' '));
    for (domain, counts) in of_domain {
        let here: Vec<&'a str> = counts
            .keys()
            .filter(|key| best.get(**key).is_some_and(|(_, of)| of == domain))
            .copied()
            .collect();
        // In byte order the shortest prefix comes first, directly followed by all keys that begin with it: a space
        // sorts below any other character of a key.
        for (place, short) in here.iter().enumerate() {
            for long in here[place + 1..].iter().take_while(|long| begins(short, long)) {
                let company = of_key.get(*short).cloned();
                if let Some((joined, company)) = of_key.get_mut(*long).zip(company) {
                    *joined = company;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
