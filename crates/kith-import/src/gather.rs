//! Reads the rows of all files of a plan, one file after the other.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;

use crate::contact::Contact;
use crate::dates::CalendarDay;
use crate::fault::SkipReason;
use crate::identity::address::{employer_domain, is_role, mailbox, with_those_above};
use crate::identity::company::{CompanyRegistry, DomainCounts};
use crate::identity::company_key::company_key;
use crate::identity::name::{PersonName, plain};
use crate::interaction::Parties;
use crate::left_out::{is_kept_back, is_left_out, is_party_kept_back, name_keys};
use crate::named_company::take_companies_from_names;
use crate::opened::{OpenedExport, bytes_at};
use crate::outcome::{ImportedFile, RowSkip};
use crate::owners::Owners;
use crate::plan::{ImportPlan, PlannedFile, PlannedHolder};
use crate::read::FileRow;
use crate::rows::{ContactedRow, ImportedRow, NOBODY, OwnHistory, RowKind, StayRow};
use crate::side_files::name_side_files;
use crate::stays::{ExportedStay, kind_of};
use kith::model::text::fold;
use kith_tables::progress::Progress;

/// The rows of all files. The first are the cards of the holders, in order.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) outcomes: Vec<ImportedFile>,
    pub(crate) rows: Vec<ImportedRow>,
    pub(crate) contacted: Vec<ContactedRow>,
    /// The own history of each holder.
    pub(crate) own: Vec<OwnHistory>,
    pub(crate) companies: CompanyRegistry,
    /// Jobs, boards and schools of people.
    pub(crate) stays: Vec<StayRow>,
    /// The addresses of mailing lists.
    pub(crate) lists: HashSet<String>,
    /// Positions, cities and countries by number; the first is empty.
    pub(crate) texts: Vec<Box<str>>,
    /// The newest day in each holder's files that is not after the day of the import.
    pub(crate) newest: Vec<Option<CalendarDay>>,
    /// The newest day in all files that is not after the day of the import.
    pub(crate) newest_of_all: Option<CalendarDay>,
    /// The handles, addresses and [`name_keys`] of the rows that each holder leaves out.
    pub(crate) left_out: Vec<HashSet<String>>,
    /// The holders and addresses of hints that fit no contact.
    pub(crate) unfitted: HashSet<(u32, Box<str>)>,
}

impl Gathered {
    /// The keys that `row` can share with other rows of its person: handles, addresses and [`name_keys`].
    pub(crate) fn keys(&self, row: &ImportedRow) -> Vec<String> {
        let known = row.handles().chain(row.emails.iter().map(AsRef::as_ref)).map(str::to_owned);
        known
            .chain(name_keys(&row.name, self.companies.spelling(row.company), [(row.file, row.line)]))
            .collect()
    }

    /// Whether the holder withholds the person with these keys and companies, in the manifest or by a row.
    pub(crate) fn keeps_back<'k>(
        &self,
        plan: &ImportPlan,
        holder: u32,
        keys: &[String],
        mut companies: impl Iterator<Item = &'k str>,
    ) -> bool {
        let Some(owner) = plan.holders.get(holder as usize) else { return false };
        is_kept_back(plan, &self.left_out, holder, keys.iter().map(String::as_str))
            || companies.any(|company| owner.leave_out.companies.contains(&company_key(company)))
    }
}

/// Reads the files of `plan`. `today` is the day of the import: later days are ignored for the newest.
pub(crate) fn gather(plan: &ImportPlan, today: CalendarDay, progress: &dyn Progress) -> Gathered {
    let mut gatherer = Gatherer::new(plan, today);
    // A missing file is reported like an empty one.
    progress.total(plan.files.iter().map(|file| bytes_at(&file.path)).sum());
    for (place, file) in plan.files.iter().enumerate() {
        progress.stage(&file.name);
        gatherer.read(place, file, progress);
    }
    gatherer.leave_out();
    name_side_files(&mut gatherer.gathered.outcomes);
    let Gatherer { mut gathered, domains, .. } = gatherer;
    take_companies_from_names(&mut gathered.rows, &gathered.companies);
    gathered.companies.settle(&plan.companies, &domains);
    let rows = gathered.rows.iter();
    let emails = rows.flat_map(|row| row.emails.iter().map(move |email| (email.as_ref(), row.name.as_ref())));
    let mail = gathered.contacted.iter().map(|row| &row.interaction);
    let parties = mail
        .flat_map(|mail| mail.to.iter().chain([&mail.from]))
        .filter_map(|party| Some((party.email.as_deref()?, party.name.as_str())));
    // Each once: a million messages have thousands of addresses.
    let named: HashSet<(&str, &str)> = emails.chain(parties).collect();
    let (mut domains, mut of_others) = (BTreeSet::new(), HashSet::new());
    for (email, name) in named.into_iter().filter(|(email, _)| !is_role(email)) {
        let Some(domain) = employer_domain(email) else { continue };
        domains.insert(domain);
        if !is_called_as(domain, name) {
            // A person at a domain is also at the domains above it.
            of_others.extend(with_those_above(domain));
        }
    }
    let is_of_one_family = |domain: &str| !of_others.contains(domain);
    gathered.companies.take_domains(&domains, &is_of_one_family);
    gathered
}

/// Whether `domain` begins with the family name of `name`: then it is the person's own.
fn is_called_as(domain: &str, name: &str) -> bool {
    let family = PersonName::parse(name).compared_family();
    !family.is_empty() && domain.split('.').next().is_some_and(|label| plain(&fold(label)) == family)
}

struct Gatherer<'a> {
    plan: &'a ImportPlan,
    today: CalendarDay,
    gathered: Gathered,
    text_numbers: HashMap<Box<str>, u32>,
    domains: DomainCounts,
    owners: Owners,
    parties: Parties,
    /// The mail already read: the holder, and the mail's identity.
    mail: HashSet<(u32, u64)>,
}

impl<'a> Gatherer<'a> {
    fn new(plan: &'a ImportPlan, today: CalendarDay) -> Self {
        let mut gathered = Gathered {
            own: vec![OwnHistory::default(); plan.holders.len()],
            newest: vec![None; plan.holders.len()],
            left_out: vec![HashSet::new(); plan.holders.len()],
            texts: vec![Box::default()],
            ..Gathered::default()
        };
        let own_company = gathered.companies.number(&plan.organization);
        for (place, holder) in plan.holders.iter().enumerate() {
            let mut card = ImportedRow::empty(RowKind::Card, place as u32);
            card.name = holder.name.as_str().into();
            card.handle = holder.handle.as_deref().unwrap_or_default().into();
            card.emails = holder.emails.iter().map(|email| email.as_str().into()).collect();
            card.company = if holder.is_member() { own_company } else { 0 };
            gathered.rows.push(card);
        }
        let owners = Owners::new(&plan.holders);
        let mut domains = DomainCounts::new();
        if let Some(domain) = &plan.domain {
            // More rows than any file has, so that the organization's domain is its own.
            domains.insert((domain.as_str().into(), own_company), u32::MAX / 2);
        }
        Self {
            plan,
            today,
            gathered,
            text_numbers: HashMap::new(),
            parties: Parties::default(),
            domains,
            owners,
            mail: HashSet::new(),
        }
    }

    fn read(&mut self, place: usize, file: &PlannedFile, progress: &dyn Progress) {
        let first = self.gathered.outcomes.len();
        let unread = |fault: String| ImportedFile {
            file: file.name.clone(),
            stored: file.stored.clone(),
            planned: place,
            fault: Some(fault),
            ..ImportedFile::default()
        };
        if let Some(fault) = &file.fault {
            self.gathered.outcomes.push(unread(fault.clone()));
            return;
        }
        let cannot_be_read = |error: io::Error| unread(format!("cannot be read: {error}"));
        let opened = match OpenedExport::open(file, progress) {
            Ok(opened) => opened,
            Err(error) => return self.gathered.outcomes.push(cannot_be_read(error)),
        };
        let mut entries: HashMap<String, u32> = HashMap::new();
        let mut last = (String::new(), 0);
        let holder = file.holder.map_or(NOBODY, |holder| holder as u32);
        let mut take = |entry: &str, line: u64, row: Result<FileRow, SkipReason>| {
            if last.0 != entry || entries.is_empty() {
                last = (entry.to_owned(), self.entry(&mut entries, entry, place, file));
            }
            self.take(last.1, line, holder, row);
        };
        let (counts, digest) = match opened.read_ahead(&file.name, file.columns.as_ref(), &mut take) {
            Ok(read) => read,
            Err(error) => return self.gathered.outcomes.push(cannot_be_read(error)),
        };
        for counted in counts {
            let at = self.entry(&mut entries, &counted.file, place, file) as usize;
            let outcome = &mut self.gathered.outcomes[at];
            outcome.format = counted.count.format.map_or(String::new(), |format| format.to_string());
            outcome.is_unknown = counted.count.is_unknown();
            outcome.fault = counted.count.fault.map(|fault| fault.to_string());
        }
        for outcome in &mut self.gathered.outcomes[first..] {
            outcome.digest = digest;
        }
        if self.gathered.outcomes.len() == first {
            self.gathered.outcomes.push(unread("nothing in it is a known export".to_owned()));
        }
    }

    /// The position of the outcome of `entry`, which is created if new.
    fn entry(
        &mut self,
        entries: &mut HashMap<String, u32>,
        entry: &str,
        place: usize,
        file: &PlannedFile,
    ) -> u32 {
        if let Some(at) = entries.get(entry) {
            return *at;
        }
        let at = self.gathered.outcomes.len() as u32;
        let inside = entry.strip_prefix(&file.name).unwrap_or("");
        self.gathered.outcomes.push(ImportedFile {
            file: entry.to_owned(),
            stored: format!("{}{inside}", file.stored),
            planned: place,
            ..ImportedFile::default()
        });
        entries.insert(entry.to_owned(), at);
        at
    }

    fn take(&mut self, file: u32, line: u64, holder: u32, row: Result<FileRow, SkipReason>) {
        if let Ok(FileRow::List(list)) = row {
            self.gathered.lists.insert(mailbox(&list));
            return;
        }
        self.gathered.outcomes[file as usize].read += 1;
        let kept = match row {
            Err(reason) => Err(RowSkip::Unread(reason)),
            Ok(_) if self.holder(holder).is_some_and(|holder| !holder.has_edges()) => {
                Err(RowSkip::NotAccepted)
            }
            Ok(FileRow::Contact(contact)) => self.take_contact(file, line, holder, contact),
            Ok(FileRow::Interaction(_) | FileRow::Mail(..)) if holder == NOBODY => {
                Err(RowSkip::OwnerIsNoParty)
            }
            Ok(FileRow::Mail(_, identity)) if !self.mail.insert((holder, identity)) => {
                self.gathered.outcomes[file as usize].merged += 1;
                Ok(())
            }
            Ok(FileRow::Interaction(interaction) | FileRow::Mail(interaction, _)) => {
                if interaction.repeats.is_none() {
                    self.saw(holder, interaction.at);
                }
                let interaction = self.parties.shared(interaction);
                self.gathered.contacted.push(ContactedRow { file, line, holder, interaction });
                Ok(())
            }
            Ok(FileRow::Position(position)) => {
                let stay = ExportedStay::of_own(&position, kind_of(&position.title));
                self.gathered.stays.push(StayRow { file, line, holder, is_own: true, stay });
                self.take_own(file, line, holder, |own| own.positions.push(position))
            }
            Ok(FileRow::School(school)) => {
                let stay = ExportedStay::of_own(&school, "school");
                self.gathered.stays.push(StayRow { file, line, holder, is_own: true, stay });
                self.take_own(file, line, holder, |_| ())
            }
            Ok(FileRow::Profile(profile)) => {
                self.take_own(file, line, holder, |own| own.profiles.push(profile))
            }
            Ok(FileRow::OwnAddress(address)) => {
                self.take_own(file, line, holder, |own| own.addresses.push(address))
            }
            Ok(FileRow::List(_)) => Ok(()),
            Ok(FileRow::Tie(tie)) => {
                let weight = tie.weight.map(|weight| weight.clamp(0.0, 100.0).round() as u8);
                match self.owners.party(&tie.from).filter(|from| self.has_edges(*from)) {
                    None => Err(RowSkip::NoHolder),
                    Some(from) => {
                        let row = ImportedRow::empty(RowKind::Listed(weight), holder).with_party(tie.to);
                        self.gathered.rows.push(ImportedRow { file, line, tie: from, ..row });
                        Ok(())
                    }
                }
            }
        };
        if let Err(reason) = kept {
            self.gathered.outcomes[file as usize].skip(line, reason);
        }
    }

    fn holder(&self, holder: u32) -> Option<&'a PlannedHolder> {
        self.plan.holders.get(holder as usize)
    }

    fn has_edges(&self, holder: u32) -> bool {
        self.holder(holder).is_some_and(PlannedHolder::has_edges)
    }

    fn is_member(&self, holder: u32) -> bool {
        self.holder(holder).is_some_and(PlannedHolder::is_member)
    }

    /// Records a day in a file of `holder`.
    fn saw(&mut self, holder: u32, day: Option<CalendarDay>) {
        let Some(day) = day.filter(|day| *day <= self.today) else { return };
        self.gathered.newest_of_all = self.gathered.newest_of_all.max(Some(day));
        if let Some(newest) = self.gathered.newest.get_mut(holder as usize) {
            *newest = (*newest).max(Some(day));
        }
    }

    fn take_own(
        &mut self,
        file: u32,
        line: u64,
        holder: u32,
        add: impl FnOnce(&mut OwnHistory),
    ) -> Result<(), RowSkip> {
        let own = self.gathered.own.get_mut(holder as usize).ok_or(RowSkip::OwnerIsNoParty)?;
        own.rows.push((file, line));
        add(own);
        Ok(())
    }

    fn take_contact(&mut self, file: u32, line: u64, holder: u32, contact: Contact) -> Result<(), RowSkip> {
        if self.holder(holder).is_some_and(|owner| is_left_out(&owner.leave_out, &contact)) {
            let named = name_keys(&contact.names.full, &contact.company, [(file, line)]);
            let keys = contact.handles.into_iter().chain(contact.emails).chain(named);
            self.gathered.left_out[holder as usize].extend(keys);
            return Err(RowSkip::LeftOut);
        }
        self.saw(holder, contact.connected_on);
        let tie = match contact.owner.as_str() {
            "" => holder,
            named => self.owners.named(named).filter(|owner| self.is_member(*owner)).unwrap_or(NOBODY),
        };
        let company = self.gathered.companies.number(&contact.company);
        let [position, city, country] =
            [&contact.position, &contact.city, &contact.country].map(|text| self.text(text));
        if let Some(stay) = contact.stay.as_deref().cloned() {
            self.gathered.stays.push(StayRow { file, line, holder, is_own: false, stay });
        }
        let row = ImportedRow::empty(RowKind::Contact, holder).with_contact(contact);
        if company != 0 {
            for domain in row.emails.iter().filter_map(|email| employer_domain(email)) {
                *self.domains.entry((domain.into(), company)).or_default() += 1;
            }
        }
        self.gathered.rows.push(ImportedRow {
            file,
            line,
            tie,
            company,
            position,
            place: (city, country),
            ..row
        });
        Ok(())
    }

    /// The number of `text` among the positions and places.
    fn text(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        if let Some(number) = self.text_numbers.get(text) {
            return *number;
        }
        let number = self.gathered.texts.len() as u32;
        self.gathered.texts.push(text.into());
        self.text_numbers.insert(text.into(), number);
        number
    }

    /// Skips rows of people whom the owner left out in another row, and contact with them.
    fn leave_out(&mut self) {
        let Self { plan, gathered, .. } = self;
        let Gathered { outcomes, rows, contacted, left_out, .. } = gathered;
        rows.retain(|row| {
            let keys = row.emails.iter().map(AsRef::as_ref).chain(row.handles());
            let is_gone = row.is_of_file() && is_kept_back(plan, left_out, row.holder, keys);
            if is_gone {
                outcomes[row.file as usize].skip(row.line, RowSkip::LeftOut);
            }
            !is_gone
        });
        contacted.retain(|row| {
            let parties = row.interaction.to.iter().chain([&row.interaction.from]);
            let is_gone = is_party_kept_back(plan, left_out, row.holder, parties.map(AsRef::as_ref));
            if is_gone {
                outcomes[row.file as usize].skip(row.line, RowSkip::LeftOut);
            }
            !is_gone
        });
    }
}
