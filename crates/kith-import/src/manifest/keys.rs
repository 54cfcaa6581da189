//! The keys of a manifest, one function per table.

use std::path::Path;

use crate::addresses::addresses_in;
use crate::columns::{ColumnMapping, MappedColumn};
use crate::manifest::fault::ManifestFault;
use crate::manifest::paths::{add_files, expand};
use crate::manifest::section::Section;
use crate::plan::{
    CompanyAliases, HolderStanding, ImportPlan, LeaveOut, PlannedHolder, PlannedIntro, PlannedPreference,
};
use crate::profile::handle_in;
use kith::limits::ID_BYTES_MAX;
use kith::model::dataset::{AdvocateStatus, Role};
use kith::model::preferences::PreferenceRule;
use kith::model::text::{domain, fold};

const ROOT: &[&str] = &[
    "organization",
    "members",
    "advocates",
    "columns",
    "intros",
    "preferences",
    "companies",
    "as_of",
    "scoring",
];
const ORGANIZATION: &[&str] = &["name", "id", "domain", "derive", "retain", "files"];
const MEMBER: &[&str] =
    &["name", "email", "emails", "linkedin", "role", "joined", "derive", "observe", "files", "leave_out"];
const ADVOCATE: &[&str] = &[
    "name",
    "email",
    "emails",
    "linkedin",
    "role",
    "joined",
    "derive",
    "observe",
    "files",
    "leave_out",
    "helps",
    "status",
];
const LEAVE_OUT: &[&str] = &["labels", "addresses", "domains", "companies", "people"];
const PREFERENCE: &[&str] = &["connectorId", "targetId", "rule", "throughPersonId", "until", "note"];
const INTRO: &[&str] = &["person", "by", "status", "at"];
const COMPANY: &[&str] = &["name", "aliases", "domain"];

/// The plan of a manifest in `folder`.
pub(crate) fn plan_of(root: &Section<'_>, folder: &Path) -> Result<ImportPlan, ManifestFault> {
    root.check(ROOT)?;
    let organization = root.section("organization")?;
    let organization = organization.ok_or_else(|| ManifestFault::MissingKey("organization".to_owned()))?;
    organization.check(ORGANIZATION)?;
    let mut plan = ImportPlan {
        organization: organization.needed("name")?,
        organization_id: organization_id(&organization)?,
        domain: organization.text("domain")?.map(|text| domain(&text)).filter(|domain| !domain.is_empty()),
        derives: organization.flag("derive")?.unwrap_or(true),
        retain_months: organization.months("retain")?,
        as_of: root.day("as_of")?,
        scoring: root.value("scoring").cloned(),
        ..ImportPlan::default()
    };
    let members = root.sections("members")?;
    if members.is_empty() {
        return Err(ManifestFault::MissingKey("members".to_owned()));
    }
    for member in &members {
        member.check(MEMBER)?;
        let role = choice(member, "role", "admin or member", |role| match role {
            "admin" => Some(Role::Admin),
            "member" => Some(Role::Member),
            _ => None,
        })?;
        let joined = member.moment("joined")?;
        let standing = HolderStanding::Member { role: role.unwrap_or(Role::Member), joined };
        add_holder(&mut plan, member, standing, folder)?;
    }
    for advocate in root.sections("advocates")? {
        advocate.check(ADVOCATE)?;
        let standing = advocacy(&plan, &advocate)?;
        add_holder(&mut plan, &advocate, standing, folder)?;
    }
    files_of(&mut plan, &organization, None, folder)?;
    for columns in root.sections("columns")? {
        map_columns(&mut plan, &columns, folder)?;
    }
    for intro in root.sections("intros")? {
        plan.intros.push(intro_of(&plan, &intro)?);
    }
    for preference in root.sections("preferences")? {
        plan.preferences.push(preference_of(&preference)?);
    }
    for company in root.sections("companies")? {
        company.check(COMPANY)?;
        let domain = company.text("domain")?.map(|text| domain(&text)).filter(|domain| !domain.is_empty());
        let (name, aliases) = (company.needed("name")?, company.list("aliases")?);
        plan.companies.push(CompanyAliases { name, aliases, domain });
    }
    Ok(plan)
}

fn organization_id(organization: &Section<'_>) -> Result<Option<String>, ManifestFault> {
    let id = organization.text("id")?;
    let is_fit =
        |id: &String| id.starts_with("org_") && id.len() > 4 && id.len() <= ID_BYTES_MAX && !id.contains(',');
    if id.as_ref().is_some_and(|id| !is_fit(id)) {
        let place = organization.place("id");
        return Err(ManifestFault::Unfit { place, expected: "an id that begins with org_, without a comma" });
    }
    Ok(id)
}

/// The value of `key`, from a closed set.
fn choice<T>(
    section: &Section<'_>,
    key: &str,
    expected: &'static str,
    of: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, ManifestFault> {
    let Some(text) = section.text(key)? else { return Ok(None) };
    let unfit = || ManifestFault::Unfit { place: section.place(key), expected };
    of(&text.to_lowercase()).map(Some).ok_or_else(unfit)
}

fn advocacy(plan: &ImportPlan, advocate: &Section<'_>) -> Result<HolderStanding, ManifestFault> {
    let status = choice(advocate, "status", "accepted, pending or declined", |status| match status {
        "accepted" => Some(AdvocateStatus::Accepted),
        "pending" => Some(AdvocateStatus::Pending),
        "declined" => Some(AdvocateStatus::Declined),
        _ => None,
    })?;
    let mut helps = Vec::new();
    for text in advocate.list("helps")? {
        let member = member_named(plan, &text, &advocate.place("helps"))?;
        if !helps.contains(&member) {
            helps.push(member);
        }
    }
    if helps.is_empty() {
        return Err(ManifestFault::MissingKey(advocate.place("helps")));
    }
    Ok(HolderStanding::Advocate { helps, status: status.unwrap_or(AdvocateStatus::Accepted) })
}

/// The place of the member whose name or address `text` is.
pub(super) fn member_named(plan: &ImportPlan, text: &str, place: &str) -> Result<usize, ManifestFault> {
    let members = || plan.holders.iter().enumerate().filter(|(_, holder)| holder.is_member());
    let wanted = fold(text);
    let is_named =
        |holder: &PlannedHolder| holder.emails.contains(&text.to_lowercase()) || fold(&holder.name) == wanted;
    let mut named = members().filter(|(_, holder)| is_named(holder)).map(|(at, _)| at);
    match (named.next(), named.next()) {
        (Some(at), None) => Ok(at),
        _ => Err(ManifestFault::NoMember {
            place: place.to_owned(),
            text: text.to_owned(),
            known: members().map(|(_, holder)| holder.name.as_str()).collect::<Vec<_>>().join(", "),
        }),
    }
}

fn add_holder(
    plan: &mut ImportPlan,
    section: &Section<'_>,
    standing: HolderStanding,
    folder: &Path,
) -> Result<(), ManifestFault> {
    let emails = addresses_of(section)?;
    let handle = match section.text("linkedin")? {
        None => None,
        Some(text) => Some(profile(&text).ok_or_else(|| ManifestFault::Unfit {
            place: section.place("linkedin"),
            expected: "the address of a profile, or its handle",
        })?),
    };
    let name = section.needed("name")?;
    let is_same = |known: &PlannedHolder| {
        known.emails.iter().any(|email| emails.contains(email))
            || (handle.is_some() && known.handle == handle)
    };
    if plan.holders.iter().any(is_same) {
        return Err(ManifestFault::PersonTwice(name));
    }
    let derives = section.flag("derive")?.unwrap_or(true);
    let observes = section.flag("observe")?.unwrap_or(true);
    let leave_out = section.section("leave_out")?.map_or(Ok(LeaveOut::default()), |out| leave_out(&out))?;
    plan.holders.push(PlannedHolder { name, emails, handle, standing, derives, observes, leave_out });
    let holder = plan.holders.len() - 1;
    files_of(plan, section, Some(holder), folder)
}

/// The addresses under `email` and `emails`, each once; one of the two is required.
fn addresses_of(section: &Section<'_>) -> Result<Vec<String>, ManifestFault> {
    let mut all = Vec::new();
    for key in ["email", "emails"] {
        for text in section.list(key)? {
            let fault = || ManifestFault::Unfit { place: section.place(key), expected: "an e-mail address" };
            let email = address(&text).ok_or_else(fault)?;
            if !all.contains(&email) {
                all.push(email);
            }
        }
    }
    if all.is_empty() { Err(ManifestFault::MissingKey(section.place("email"))) } else { Ok(all) }
}

fn files_of(
    plan: &mut ImportPlan,
    section: &Section<'_>,
    holder: Option<usize>,
    folder: &Path,
) -> Result<(), ManifestFault> {
    let files = section.list("files")?;
    let found = files.iter().flat_map(|file| expand(folder, file, &folder.join(file))).collect();
    add_files(plan, found, holder)
}

fn leave_out(section: &Section<'_>) -> Result<LeaveOut, ManifestFault> {
    section.check(LEAVE_OUT)?;
    let each = |key: &str, form: fn(&str) -> String| -> Result<Vec<String>, ManifestFault> {
        let texts = section.list(key)?;
        Ok(texts.iter().map(|text| form(text)).filter(|text| !text.is_empty()).collect())
    };
    let mut out = LeaveOut {
        addresses: each("addresses", str::to_lowercase)?,
        domains: each("domains", |text| domain(text.trim_start_matches('@')))?,
        ..LeaveOut::default()
    };
    out.add(&section.list("labels")?, &section.list("companies")?, &section.list("people")?);
    Ok(out)
}

fn map_columns(plan: &mut ImportPlan, section: &Section<'_>, folder: &Path) -> Result<(), ManifestFault> {
    let known: Vec<&str> = MappedColumn::ALL.into_iter().map(MappedColumn::key).chain(["file"]).collect();
    section.check(&known)?;
    let file = section.needed("file")?;
    let mut mapping = ColumnMapping::default();
    for column in MappedColumn::ALL {
        mapping.columns.extend(section.list(column.key())?.into_iter().map(|header| (column, header)));
    }
    if mapping.columns.is_empty() {
        return Err(ManifestFault::MissingKey(section.place("name")));
    }
    let paths: Vec<_> =
        expand(folder, &file, &folder.join(&file)).into_iter().map(|found| found.path).collect();
    let mut is_listed = false;
    for planned in plan.files.iter_mut().filter(|planned| paths.contains(&planned.path)) {
        planned.columns = Some(mapping.clone());
        is_listed = true;
    }
    let no_such_file = || ManifestFault::NoSuchFile { place: section.place("file"), file };
    is_listed.then_some(()).ok_or_else(no_such_file)
}

fn intro_of(plan: &ImportPlan, section: &Section<'_>) -> Result<PlannedIntro, ManifestFault> {
    section.check(INTRO)?;
    let by = member_named(plan, &section.needed("by")?, &section.place("by"))?;
    let at = section.moment("at")?.ok_or_else(|| ManifestFault::MissingKey(section.place("at")))?;
    Ok(PlannedIntro { person: section.needed("person")?, by, status: section.needed("status")?, at })
}

fn preference_of(section: &Section<'_>) -> Result<PlannedPreference, ManifestFault> {
    section.check(PREFERENCE)?;
    let rule = choice(section, "rule", "never or through", PreferenceRule::named)?;
    let preference = PlannedPreference {
        connector: section.text("connectorId")?,
        target: section.text("targetId")?,
        rule: rule.ok_or_else(|| ManifestFault::MissingKey(section.place("rule")))?,
        through: section.text("throughPersonId")?,
        until: section.day("until")?,
        note: section.text("note")?,
    };
    if preference.connector.is_none() && preference.target.is_none() {
        return Err(ManifestFault::MissingKey(section.place("connectorId")));
    }
    if preference.rule == PreferenceRule::Through && preference.through.is_none() {
        return Err(ManifestFault::MissingKey(section.place("throughPersonId")));
    }
    Ok(preference)
}

/// The single e-mail address in `text`.
pub(super) fn address(text: &str) -> Option<String> {
    let mut found = Vec::new();
    addresses_in(text, &mut found);
    if found.len() == 1 { found.pop() } else { None }
}

/// The handle in a profile's URL, or `text` if it is a handle.
fn profile(text: &str) -> Option<String> {
    let is_handle = !text.contains(['/', ',', ' ', '@', '.']);
    handle_in(text).or_else(|| is_handle.then(|| text.to_lowercase()))
}
