//! The rules for rows, over the network worked out in `fixtures/tiny/README.md`, as `snapshots/tiny.kith` has it.

use std::error::Error;

use crate::graph::index::GraphIndex;
use crate::limits::Limits;
use crate::model::dataset::OpportunityStatus;
use crate::model::ix::MemberIx;
use crate::model::text::plain;
use crate::query::company_search::CompanyMatch;
use crate::query::opportunities::{OpportunityRequest, Sort};
use crate::query::page::Page;
use crate::query::paths::found::FoundTarget;
use crate::query::paths::request::{PathRequest, PathType, TargetQuery};
use crate::query::people_network::PersonQuery;
use crate::query::person::{Degree, annotation};
use crate::query::{
    company_search, connections, opportunities, paths, people_network, people_search, person,
};
use crate::sketch::{self, net};

type Outcome = Result<(), Box<dyn Error>>;

const ALL: Page = Page { limit: 50, offset: 0 };

fn member(index: &GraphIndex, id: &str) -> Result<MemberIx, String> {
    index.find_user(id).ok_or_else(|| format!("no member {id}"))
}

#[test]
fn a_match_is_as_warm_as_the_warmest_edge_from_one_step_nearer() -> Outcome {
    let index = sketch::tiny()?;
    for (name, degree, score, breakdown, known_by) in [
        ("Ana Moreira", Degree::First, None, None, &[][..]),
        ("Hal Itō", Degree::First, Some(80), Some("sameCity"), &["user_ana", "user_ben"]),
        ("Ivy Nguyễn", Degree::First, Some(40), Some("pastCompanyOverlap"), &["user_ben", "user_cai"]),
        ("Gus Ødegård", Degree::First, Some(55), None, &["user_ben"]),
        (
            "Dee Sørensen",
            Degree::First,
            Some(90),
            Some("sharedAccelerator"),
            &["user_ana", "user_ben", "user_cai"],
        ),
        ("Jón Þórsson", Degree::Second, Some(60), Some("sharedBoardSeat"), &[]),
    ] {
        let found = people_search::find(&index, &plain(name), 50, Degree::Second);
        assert_eq!(found.len(), 1, "{name}");
        assert_eq!(found[0].degree, degree, "{name}");
        assert_eq!(found[0].warmest.map(|edge| edge.score), score, "{name}");
        let said = found[0].warmest.and_then(|edge| edge.breakdown);
        assert_eq!(said.is_some(), breakdown.is_some(), "{name}: {said:?}");
        assert!(said.unwrap_or("").contains(breakdown.unwrap_or("")), "{name}: {said:?}");
        assert_eq!(found[0].known_by, known_by, "{name}");
        let near = people_search::find(&index, &plain(name), 50, Degree::First);
        assert_eq!(near.len(), usize::from(degree == Degree::First), "{name}");
    }
    Ok(())
}

#[test]
fn an_edge_without_a_score_warms_nobody() -> Outcome {
    let index = net("
        member ben
        ben -> gus -> que
    ");
    for (name, degree) in [("gus", Degree::First), ("que", Degree::Second)] {
        let found = people_search::find(&index, &plain(name), 50, Degree::Second);
        let found: Vec<_> = found.iter().map(|found| (found.degree, found.warmest)).collect();
        assert_eq!(found, [(degree, None)], "{name}");
    }
    let profile = person::find(&index, "person_gus").ok_or("gus is outside")?;
    assert_eq!((profile.warmest, profile.signals.sentences().count()), (None, 0));
    Ok(())
}

#[test]
fn a_profile_has_warmness_in_first_degree_alone_and_nobody_outside_has_one() -> Outcome {
    let index = sketch::tiny()?;
    let reasons = ["Lives in the same city", "Works in the same industry"].map(str::to_owned);
    for (id, expected) in [
        ("person_pia", Some((Degree::First, Some(40), &reasons[..]))),
        ("person_rui", Some((Degree::First, Some(66), &[]))),
        ("person_ana", Some((Degree::First, None, &[]))),
        ("person_jon", Some((Degree::Second, None, &[]))),
        ("person_tom", Some((Degree::Second, None, &[]))),
        ("person_sol", None),
        ("person_nobody", None),
    ] {
        let profile = person::find(&index, id);
        let found = profile.as_ref().map(|profile| {
            let signals: Vec<String> =
                profile.signals.sentences().map(|sentence| sentence.to_string()).collect();
            (profile.degree, profile.warmest.map(|edge| edge.score), signals)
        });
        let expected = expected.map(|(degree, score, signals)| (degree, score, signals.to_vec()));
        assert_eq!(found, expected, "{id}");
    }
    let counts = ["person_ana", "person_tom", "person_rui"]
        .map(|id| person::find(&index, id).and_then(|profile| profile.connections_count));
    assert_eq!(counts, [Some(812), Some(0), None]);
    Ok(())
}

#[test]
fn the_latest_request_annotates_a_person() -> Outcome {
    let index = sketch::tiny()?;
    for (id, expected) in [
        ("person_rui", Some(("ACTIVE", "Ben O'Brien"))),
        ("person_tom", Some(("EXPIRED", "Cai Łuczak"))),
        ("person_pia", None),
    ] {
        let person = index.find_person(id).ok_or(id)?;
        let intro = annotation(&index, person).map(|intro| (intro.status, intro.requested_by));
        assert_eq!(intro, expected, "{id}");
        assert_eq!(person::is_requested(&index, person), expected.is_some(), "{id}");
    }
    Ok(())
}

#[test]
fn an_opportunity_is_asked_for_by_its_status_or_by_a_request_to_its_prospect() -> Outcome {
    for status in OpportunityStatus::ALL {
        let mut dataset = sketch::tiny_dataset()?;
        dataset.opportunities.statuses.fill(status);
        let index = GraphIndex::build(dataset);
        let request = OpportunityRequest {
            status: Some(status),
            search: None,
            sort: Sort::Newest,
            member: None,
            page: ALL,
        };
        let (rows, total) = opportunities::list(&index, &request);
        let found: Vec<_> = rows.iter().map(|row| (row.prospect.id, row.intro_requested)).collect();
        let by_status = status == OpportunityStatus::IntroRequested;
        let expected = [("person_pia", by_status), ("person_tom", true), ("person_que", by_status)];
        assert_eq!((found, total), (expected.to_vec(), 3), "{status:?}");
    }
    Ok(())
}

#[test]
fn the_best_path_is_the_strongest_whose_connector_is_no_member() -> Outcome {
    let index = sketch::tiny()?;
    let request =
        OpportunityRequest { status: None, search: None, sort: Sort::Newest, member: None, page: ALL };
    let (rows, _) = opportunities::list(&index, &request);
    let best = |row: &opportunities::Opportunity<'_>| {
        row.best_path.map(|path| format!("{} {:?} {}", path.connector.id, path.kind, path.strength))
    };
    let found: Vec<_> = rows.iter().map(|row| (row.id, best(row), row.discovered_by.name)).collect();
    let hal = "person_hal Some(\"second_degree\") 60".to_owned();
    assert_eq!(found, [("ghost_1", Some(hal), "Ana Moreira"), ("ghost_2", None, "Ben O'Brien")]);
    Ok(())
}

#[test]
fn people_asked_for_are_annotated_if_included_and_counted_if_not() -> Outcome {
    let index = sketch::tiny()?;
    for (include, excluded, expected) in [
        (false, 1, &[("eli", Some(70), None), ("ivy", Some(40), None), ("dee", Some(25), None)][..]),
        (
            true,
            0,
            &[
                ("eli", Some(70), None),
                ("rui", Some(66), Some("ACTIVE")),
                ("ivy", Some(40), None),
                ("dee", Some(25), None),
            ],
        ),
    ] {
        let network = people_network::find(&index, PersonQuery::Id("person_cai"), include, ALL);
        let network = network.ok_or("cai has no network")?;
        let rows = network.connections.iter();
        let found: Vec<_> = rows.map(|row| (&row.person.id[7..], row.warmness, row.intro_status)).collect();
        assert_eq!(found, expected, "{include}");
        assert_eq!((network.total, network.excluded), (expected.len() as u64, excluded), "{include}");
    }
    Ok(())
}

#[test]
fn a_path_to_a_company_names_its_target_and_the_type_decides_which_legs_have_reasons() -> Outcome {
    let index = sketch::tiny()?;
    for (target, is_company) in
        [(TargetQuery::Name("Pia Weiß"), false), (TargetQuery::Company("Copper Mill"), true)]
    {
        let request = PathRequest::to(target, ALL);
        let answer = paths::list(&index, &request, &Limits::DEFAULT);
        assert_eq!(matches!(answer.target, Some(FoundTarget::Company(_))), is_company);
        assert_eq!(answer.coverage.excluded_intro_requested, u32::from(is_company));
        assert!(answer.paths.len() > 16, "{} paths", answer.paths.len());
        for path in &answer.paths {
            let has_edge = matches!(path.kind, PathType::Advocate | PathType::SecondDegree);
            assert_eq!(path.target.is_some(), is_company, "{path:?}");
            assert_eq!(path.first_leg.is_some(), has_edge, "{path:?}");
            assert_eq!(path.via.is_some(), path.kind == PathType::AdvocateSecondDegree, "{path:?}");
            assert!(path.kind != PathType::Direct || path.to_connector == 100, "{path:?}");
        }
        let keys = answer.paths.iter().map(|path| (path.kind, std::cmp::Reverse(path.warmness)));
        assert!(keys.is_sorted());
    }
    Ok(())
}

#[test]
fn legs_carry_their_breakdown_and_its_sentences() -> Outcome {
    let index = sketch::tiny()?;
    let target = TargetQuery::Handle("pia-weiss");
    let types = [PathType::Advocate].into_iter().collect();
    let request = PathRequest { types, ..PathRequest::to(target, ALL) };
    let answer = paths::list(&index, &request, &Limits::DEFAULT);
    let found: Vec<_> = answer
        .paths
        .iter()
        .map(|path| {
            let first = path.first_leg.as_ref().map_or(0, |leg| leg.signals.sentences().count());
            let last = path.last_leg.signals.sentences().map(|sentence| sentence.to_string());
            (path.from.id, path.connector.id, path.to_connector, first, last.collect::<Vec<_>>())
        })
        .collect();
    let last = vec!["Worked at Oak & Tide Advisory at the same time".to_owned()];
    let expected = [("user_ana", "person_dee", 90, 2, last.clone()), ("user_ben", "person_dee", 0, 0, last)];
    assert_eq!(found, expected);
    Ok(())
}

#[test]
fn own_connections_come_by_name_and_second_degree_over_contacts_alone() -> Outcome {
    let index = sketch::tiny()?;
    let ana = member(&index, "user_ana")?;
    let (people, total) = connections::list(&index, ana, ALL);
    let ids: Vec<&str> = people.iter().map(|person| &person.id[7..]).collect();
    assert_eq!((ids, total), (vec!["ben", "dee", "fay", "hal", "pia", "kim"], 6));
    for (via, expected) in [
        (Some("person_dee"), Some(&[("ivy", Some(50), "dee"), ("jon", Some(60), "dee")][..])),
        (Some("person_kim"), Some(&[("tom", Some(71), "kim")])),
        (Some("person_fay"), Some(&[])),
        (Some("person_ivy"), None),
        (Some("person_jon"), None),
        (Some("person_sol"), None),
        (Some("person_nobody"), None),
    ] {
        let found = connections::list_second_degree(&index, ana, via, ALL, &Limits::DEFAULT);
        let mut rows: Option<Vec<_>> = found.map(|found| {
            let rows = found.people.iter();
            rows.map(|row| (&row.person.id[7..], row.warmness, &row.via.id[7..])).collect()
        });
        rows.iter_mut().for_each(|rows| rows.sort_unstable());
        assert_eq!(rows.as_deref(), expected, "{via:?}");
    }
    Ok(())
}

#[test]
fn a_company_without_sizes_has_none() -> Outcome {
    let index = sketch::tiny()?;
    for (name, sizes) in [
        ("copper mill", (Some(51), Some(200))),
        ("oak & tide advisory", (Some(2), Some(10))),
        ("quayside health", (None, None)),
    ] {
        let (found, total) = company_search::find(&index, name, ALL);
        let [CompanyMatch { min_size, max_size, .. }] = found[..] else {
            return Err(format!("{name}: {found:?}").into());
        };
        assert_eq!(((min_size, max_size), total), (sizes, 1), "{name}");
    }
    Ok(())
}
