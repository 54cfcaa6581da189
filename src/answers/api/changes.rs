//! Changes between two networks as JSON.

use crate::api::fields::{Card, Envelope, Identity};
use crate::api::json::{Json, Raw, Value};
use crate::api::schema::{COMPANY_ID, COUNT, SCORE, Shape, TEXT, USER_ID, schema};
use crate::query::card::{Employer, PersonCard};
use crate::query::changes::{self, ChangeKind, ChangedValue};
use crate::query::page::Page;
use crate::query::paths::request::PathType;
use crate::query::paths::warmest;

schema! {
    ChangesAnswer(found: (&[changes::Change<'_>], u64, Page, [u64; 2])) "What changed." {
        "data": {Changes} => found, "The answer.";
    }

    Changes((changes, total, page, [since, generation]): (&[changes::Change<'_>], u64, Page, [u64; 2])) "A page of changes." {
        "changes": [{Change}] => changes, "The changes of this page.";
        "since": COUNT => since, "The generation that was asked about.";
        "generation": COUNT => generation, "The generation in service.";
        ..Envelope => (page, total, changes.len());
    }

    Change(change: &changes::Change<'_>) "One change of one person." {
        "kind": (Shape::choice(ChangeKind::ALL.map(ChangeKind::name))) => change.kind.name(), "What changed.";
        "person": {ChangedPerson} => &change.person, "Of whom: as they are now, or were if they are gone.";
        "before": (changed_value()) => change.before.as_ref(),
            "What was: a position as a text, a company, or else the best path; null if there was none.";
        "after": (changed_value()) => change.after.as_ref(), "What is, likewise.";
    }
}

fn changed_value() -> Shape {
    Shape::OneOfOrNull(vec![TEXT, Shape::Schema("WarmestPath"), Shape::Schema("FormerOrNewCompany")])
}

impl Value for Option<&ChangedValue<'_>> {
    fn write(self, json: &mut Json) {
        match self {
            None => Raw("null").write(json),
            Some(ChangedValue::Position(position)) => position.write(json),
            Some(ChangedValue::Path(path)) => json.object(|json| WarmestPath::write(json, path)),
            Some(ChangedValue::Company(company)) => {
                json.object(|json| FormerOrNewCompany::write(json, company))
            }
        }
    }
}

schema! {
    ChangedPerson(person: &PersonCard<'_>) "Whose change it is." {
        ..Card => person;
    }

    WarmestPath(path: &warmest::WarmestPath<'_>) "The best path to a person." {
        "warmness": SCORE => path.warmness, "The path's score.";
        "connectionType": (Shape::choice(PathType::ALL.map(PathType::name))) => path.kind.name(), "Its type.";
        "fromUserId": USER_ID => path.from.id, "The member whom it starts from.";
        "connector": {WarmestConnector} => &path.connector, "Who can introduce; on direct paths the member themself.";
    }

    WarmestConnector(person: &PersonCard<'_>) "Who can introduce." {
        ..Identity => person;
    }

    FormerOrNewCompany(company: &Employer<'_>) "A current company, before or after." {
        "id": COMPANY_ID => company.id, "The company's id.";
        "name": TEXT => company.name, "The company's name.";
    }
}
