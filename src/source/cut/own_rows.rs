//! The rows that belong to an organization: its members, advocates, intro requests and opportunities.

use std::collections::{BTreeSet, HashMap};

use crate::source::cut::asked::AskedOrganizations;
use crate::source::cut::error::CutError;
use crate::source::cut::folders::Folders;
use crate::source::cut::lake::Lake;
use crate::source::cut::marks::{IdMarks, Mask, PairMarks};
use crate::source::cut::sieve::{LakeAdvocates, LakeIntroRequests, LakeMembers, LakeOpportunities, when};
use crate::source::cut::written::line;
use crate::source::error::TableFault;
use crate::source::fields::{Cell, NamedCell, TableColumn, optional};
use crate::source::ndjson_rows;

/// The column that a path of an opportunity is read for.
const PATH_COLUMNS: [TableColumn; 1] = [optional("connectionId")];

/// The rows of the organizations themselves.
#[derive(Default)]
pub(crate) struct OwnRows {
    /// Members and accepted advocates.
    pub(crate) seeds: IdMarks,
    /// People whom rows name.
    pub(crate) named: IdMarks,
    /// Edges that an accepted advocate implies.
    pub(crate) implied: PairMarks,
}

/// Writes the rows that belong to an organization, and returns what they say.
///
/// # Errors
/// Returns the faults of the rows, or that a table cannot be written.
pub(crate) fn own_rows(
    lake: &mut Lake<'_>,
    asked: &AskedOrganizations,
    folders: &mut Folders,
) -> Result<OwnRows, CutError> {
    let mut own = OwnRows::default();
    let persons = members(lake, asked, folders, &mut own)?;
    advocates(lake, asked, folders, &persons, &mut own)?;
    folders.begin("intro_requests")?;
    lake.pass::<5, LakeIntroRequests, _>(
        |row| {
            let mask = asked.owner(row[4])?;
            let kept = || Ok((mask, vec![row[0].own_id("person_")?], line(&row[..4])?));
            when(mask, kept)
        },
        |kept| take_named(&kept, folders, &mut own.named),
    )?;
    folders.begin("ghost_opportunities")?;
    lake.pass::<14, LakeOpportunities, _>(
        |row| {
            let mask = asked.owner(row[13])?;
            let kept = || Ok((mask, people_of_opportunity(row)?, line(&row[..13])?));
            when(mask, kept)
        },
        |kept| take_named(&kept, folders, &mut own.named),
    )?;
    Ok(own)
}

/// Takes a row, and the people it names.
fn take_named(
    (mask, people, line): &(Mask, Vec<String>, String),
    folders: &mut Folders,
    named: &mut IdMarks,
) -> Result<(), TableFault> {
    folders.write(*mask, line);
    Ok(people.iter().try_for_each(|person| named.add(person, *mask))?)
}

/// The prospect, and the people on the paths to it.
fn people_of_opportunity(row: &[NamedCell<'_>; 14]) -> Result<Vec<String>, TableFault> {
    let (prospect, paths) = (row[1], row[12]);
    let mut people = vec![prospect.own_id("person_")?];
    let mut others = BTreeSet::new();
    for (place, item) in paths.optional_items()?.into_iter().enumerate() {
        let connection = ndjson_rows::fields(item, &PATH_COLUMNS, &mut others)
            .and_then(|[connection]| connection.optional_id("person_"))
            .map_err(|fault| fault.within(&format!("{}[{place}]", paths.name)))?;
        people.extend(connection);
    }
    Ok(people)
}

/// Writes the members; returns the person of each user of each organization.
fn members(
    lake: &mut Lake<'_>,
    asked: &AskedOrganizations,
    folders: &mut Folders,
    own: &mut OwnRows,
) -> Result<HashMap<(Mask, String), String>, CutError> {
    let mut persons = HashMap::new();
    folders.begin("members")?;
    lake.pass::<6, LakeMembers, _>(
        |row| {
            let mask = asked.owner(row[5])?;
            let kept = || Ok((mask, row[0].own_id("user_")?, row[1].own_id("person_")?, line(&row[..5])?));
            when(mask, kept)
        },
        |(mask, user, person, line)| {
            folders.write(mask, &line);
            own.seeds.add(&person, mask)?;
            persons.insert((mask, user), person);
            Ok(())
        },
    )?;
    Ok(persons)
}

fn advocates(
    lake: &mut Lake<'_>,
    asked: &AskedOrganizations,
    folders: &mut Folders,
    persons: &HashMap<(Mask, String), String>,
    own: &mut OwnRows,
) -> Result<(), CutError> {
    folders.begin("advocates")?;
    lake.pass::<5, LakeAdvocates, _>(
        |row| {
            let [person, user, status, _, org] = *row;
            let mask = asked.owner(org)?;
            let is_accepted = matches!(status.cell, Cell::Json("\"accepted\"") | Cell::Csv("accepted"));
            let kept = || {
                Ok((mask, person.own_id("person_")?, user.own_id("user_")?, is_accepted, line(&row[..4])?))
            };
            when(mask, kept)
        },
        |(mask, person, user, is_accepted, line)| {
            folders.write(mask, &line);
            own.named.add(&person, mask)?;
            if is_accepted {
                own.seeds.add(&person, mask)?;
                if let Some(member) = persons.get(&(mask, user)) {
                    own.implied.add(member, &person, mask)?;
                }
            }
            Ok(())
        },
    )
}
