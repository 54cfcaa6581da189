//! `GET /api/v1/members` and `GET /api/v1/me`.

use crate::api::caller::Admitted;
use crate::api::error::ApiError;
use crate::api::fields::{Envelope, Occupation};
use crate::api::json::Json;
use crate::api::params::Params;
use crate::api::schema::{COUNT, MOMENT, PERSON_ID, TEXT, USER_ID, schema};
use crate::auth::scope::Scopes;
use crate::model::time::Timestamp;
use crate::query::members::{MemberPerson, list};
use crate::query::page::Page;

/// The parameters that `listMembers` takes.
pub const PARAMETERS: [&str; 2] = ["limit", "offset"];

/// Answers `listMembers`.
///
/// # Errors
/// Returns 400 for invalid parameters.
pub async fn list_members(caller: Admitted, params: Params) -> Result<Json, ApiError> {
    params.check(&PARAMETERS)?;
    let page = params.page()?;
    let (members, total) = list(caller.index(), page);
    let bytes = 256 + 192 * members.len();
    Ok(Json::of_object(bytes, |json| MembersAnswer::write(json, (&members, total, page))))
}

/// Answers `getMe`.
///
/// # Errors
/// Returns 400 for invalid parameters.
pub async fn get_me(caller: Admitted, params: Params) -> Result<Json, ApiError> {
    params.check(&[])?;
    let index = caller.index();
    let asking = Asking {
        organization: (&index.data.organization.id, &index.data.organization.name),
        member: caller.member.map(|member| MemberPerson::of(index, member)),
        scopes: caller.scopes,
        generation: caller.generation(),
        as_of: caller.network().data_as_of(),
    };
    Ok(Json::of_object(512, |json| MeAnswer::write(json, &asking)))
}

/// The caller, and their network.
pub(crate) struct Asking<'a> {
    organization: (&'a str, &'a str),
    member: Option<MemberPerson<'a>>,
    scopes: Scopes,
    generation: u64,
    as_of: Option<Timestamp>,
}

schema! {
    MembersAnswer((members, total, page): (&[MemberPerson<'_>], u64, Page)) "The members of the organization." {
        "data": {Members} => (members, total, page), "The answer.";
    }

    Members((members, total, page): (&[MemberPerson<'_>], u64, Page)) "A page of members, by name." {
        "members": [{Member}] => members, "The members of this page.";
        ..Envelope => (page, total, members.len());
    }

    MemberIdentity(row: &MemberPerson<'_>) {
        "userId": USER_ID => row.user_id, "The member's user id.";
        "personId": PERSON_ID => row.person.id, "The id of the person the member is.";
        "name": TEXT => row.person.name, "Their name.";
    }

    Member(row: &MemberPerson<'_>) "A member of the organization." {
        ..MemberIdentity => row;
        ..Occupation => &row.person;
    }

    MeAnswer(asking: &Asking<'_>) "Who asks." {
        "data": {Me} => asking, "The answer.";
    }

    Me(asking: &Asking<'_>) "Who asks, and of what network." {
        "organization": {Organization} => asking.organization, "The organization of the credential.";
        "member"?: {Myself} => asking.member.as_ref(), "The member that a user token is for.";
        "scopes": [TEXT] => asking.scopes.names(), "What the credential may do.";
        "generation": COUNT => asking.generation, "The generation of the network.";
        "dataAsOf"?: MOMENT => asking.as_of, "The newest time in its tables: of an import, a request, a piece of evidence.";
    }

    Organization((id, name): (&str, &str)) "An organization." {
        "id": TEXT => id, "Its id.";
        "name": TEXT => name, "Its name.";
    }

    Myself(row: &MemberPerson<'_>) "The member that a user token is for." {
        ..MemberIdentity => row;
    }
}
