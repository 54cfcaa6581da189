//! Warm paths: the four types of path from members to a person, or to anyone at a company.

use std::cmp::Reverse;

use serde_json::Value;

use super::network::{Edge, Member, Network, Person};
use super::path::{TYPES, WarmPath};
use super::request::{Caller, Caps, Params, list, one, page};
use super::rules::Mistake;
use super::show::{Fields, company};
use super::text::plain;

/// The targets of the paths, and the report of the search for them.
pub(crate) struct Targets<'a> {
    pub(crate) people: Vec<&'a Person>,
    pub(crate) prospect: Value,
    pub(crate) company: Value,
    /// How many are not withheld, before the bound.
    pub(crate) open: usize,
    /// Employees left out because the organization has asked for an intro to them.
    pub(crate) withheld: usize,
    /// Whether the bound on candidates left an employee out.
    cut: bool,
}

/// The parameters of a request, read once.
pub(crate) struct Asked<'a> {
    pub(crate) from: Vec<&'a Member>,
    types: Vec<String>,
    caps: &'a Caps,
}

impl Network {
    /// The `data` of a valid warm-paths request.
    pub(crate) fn warm_paths(&self, caller: &Caller, params: &Params, caps: &Caps) -> Value {
        let by_company = one(params, "prospectCompany").is_some()
            || one(params, "prospectId").is_some_and(|id| id.starts_with("company_"));
        let targets =
            if by_company { self.company_targets(params, caps) } else { self.person_target(params) };
        let asked = Asked {
            from: self.starting_members(caller, params),
            types: list(params, "connectionTypes")
                .unwrap_or(TYPES.to_vec())
                .into_iter()
                .map(str::to_owned)
                .collect(),
            caps,
        };

        let (mut paths, edges_capped) = self.paths_to(&asked, &targets);
        self.sort_paths(&mut paths);
        if one(params, "sort") == Some("warmness") {
            self.sort_by_warmness(&mut paths);
        }
        let none = paths.is_empty();
        let includes = |word| list(params, "include").is_some_and(|words| words.contains(&word));
        let evidence = includes("evidence");
        let (shown, envelope): (Vec<Value>, _) = match one(params, "groupBy") {
            None => {
                let (paths, envelope) = page(params, paths);
                (paths.iter().map(|path| self.show_path(path, by_company, evidence)).collect(), envelope)
            }
            Some(by) => page(params, self.first_of_each_group(&paths, by, [by_company, evidence])),
        };
        let coverage = Fields::new()
            .put("capped", targets.cut || edges_capped)
            .put("candidatePeople", targets.people.len())
            .maybe("candidatePeopleCap", by_company.then_some(caps.company_candidates))
            .put("secondDegreeEdgesCapped", edges_capped);
        let matched = includes("match").then(|| self.shown_match(params, by_company));
        let reasons = || {
            let all_types =
                Asked { types: TYPES.map(str::to_owned).to_vec(), from: asked.from.clone(), caps };
            let only_excluded = none && !self.paths_to(&all_types, &targets).0.is_empty();
            self.reasons(&targets, &asked, [none, only_excluded, targets.cut || edges_capped])
        };
        let reasons = includes("reasons").then(reasons);
        Fields::new()
            .put("prospect", targets.prospect.clone())
            .put("company", targets.company.clone())
            .put("paths", shown)
            .put("excludedIntroRequested", targets.withheld)
            .put("coverage", coverage.done())
            .maybe("match", matched)
            .maybe("reasons", reasons)
            .and(envelope)
            .done()
    }

    /// The paths of the types asked for, in no order, and whether a bound left an edge out.
    fn paths_to<'a>(&'a self, asked: &Asked<'a>, targets: &Targets<'a>) -> (Vec<WarmPath<'a>>, bool) {
        let (mut paths, mut edges_capped) = (Vec::new(), false);
        for person in &targets.people {
            paths.extend(self.paths_without_bounds(asked, &person.id));
            let (further, capped) = self.second_degree_paths(asked, &person.id);
            paths.extend(further);
            edges_capped |= capped;
        }
        paths.retain(|path| asked.types.iter().any(|it| it == TYPES[path.tier]));
        (paths, edges_capped)
    }

    fn person_target(&self, params: &Params) -> Targets<'_> {
        let found = self.people_meant(params).people.first().copied();
        let prospect = found.map_or(Value::Null, |person| {
            self.person_with_handle(person).and(self.intro_annotation(&person.id)).done()
        });
        let people: Vec<&Person> = found.into_iter().collect();
        Targets { open: people.len(), people, prospect, company: Value::Null, withheld: 0, cut: false }
    }

    fn company_targets(&self, params: &Params, caps: &Caps) -> Targets<'_> {
        let Some(found) = self.companies_meant(params).people.first().copied() else {
            return Targets {
                people: Vec::new(),
                open: 0,
                prospect: Value::Null,
                company: Value::Null,
                withheld: 0,
                cut: false,
            };
        };
        let include = one(params, "includeIntroRequested") == Some("true");
        let withheld = |person: &Person| !include && self.intro_request(&person.id).is_some();
        let position = one(params, "position").map(plain);
        let fits = |person: &Person| {
            let held = person.position.as_ref().map_or(String::new(), |position| plain(position));
            position.as_ref().is_none_or(|position| held.contains(position))
        };
        let late = self.rules.make(Mistake::PositionAfterTheBound);
        let mut employees = self.employees(&found.id);
        employees.retain(|person| late || fits(person));
        let mut people = employees.clone();
        people.sort_by_cached_key(|person| (Reverse(self.incoming(&person.id).len()), person.id.clone()));
        if self.rules.make(Mistake::WithheldAfterTheBound) {
            people.truncate(caps.company_candidates);
        }
        people.retain(|person| !withheld(person));
        let open = people.len();
        let cut = open > caps.company_candidates;
        people.truncate(caps.company_candidates);
        people.retain(|person| fits(person));
        Targets {
            people,
            open,
            prospect: Value::Null,
            company: company(found).done(),
            withheld: employees.iter().filter(|person| withheld(person)).count(),
            cut,
        }
    }

    /// Every member; narrowed by `fromUserIds`, narrowed further by `scope=me`.
    fn starting_members(&self, caller: &Caller, params: &Params) -> Vec<&Member> {
        let ids = list(params, "fromUserIds");
        let listed = |member: &Member| {
            ids.as_ref().is_none_or(|ids| {
                ids.contains(&member.user_id.as_str()) || ids.contains(&member.person_id.as_str())
            })
        };
        let me = match caller {
            Caller::User(user) if one(params, "scope") == Some("me") => Some(user),
            _ => None,
        };
        let is_me = |member: &Member| me.is_none_or(|user| *user == member.user_id);
        self.members.values().filter(|member| listed(member) && is_me(member)).collect()
    }

    /// The direct and advocate paths, which are never cut.
    fn paths_without_bounds<'a>(&'a self, asked: &Asked<'a>, target: &'a str) -> Vec<WarmPath<'a>> {
        let (mut paths, incoming) = (Vec::new(), self.incoming(target));
        for member in asked.from.iter().copied().filter(|member| member.person_id != target) {
            let own = member.person_id.as_str();
            if let Some(leg) = self.edge(own, target) {
                paths.push(WarmPath {
                    tier: 0,
                    member,
                    advocate: None,
                    connector: own,
                    target,
                    legs: vec![leg],
                });
            }
            for &(advocate, last_leg) in &incoming {
                let helps = self.accepted_advocates(&member.user_id).contains(advocate);
                if helps && !self.connects_never(asked, advocate) {
                    let first_leg = self.first_leg(own, advocate);
                    let legs = vec![first_leg, last_leg];
                    paths.push(WarmPath {
                        tier: 1,
                        member,
                        advocate: None,
                        connector: advocate,
                        target,
                        legs,
                    });
                }
            }
        }
        paths
    }

    /// The paths of the two second-degree types within the bounds, and whether a bound left an edge out.
    fn second_degree_paths<'a>(&'a self, asked: &Asked<'a>, target: &'a str) -> (Vec<WarmPath<'a>>, bool) {
        let scans_everything = self.rules.make(Mistake::ScansTypesNotAsked);
        let wants = |name: &str| scans_everything || asked.types.iter().any(|it| it == name);
        let (members_asked, advocates_asked) = (wants(TYPES[2]), wants(TYPES[3]));
        let nobody = asked.from.is_empty() && !self.rules.make(Mistake::ScansForNobody);
        if nobody || !(members_asked || advocates_asked) {
            return (Vec::new(), false);
        }

        let mut sources = self.incoming(target);
        sources.retain(|(source, _)| !self.connects_never(asked, source));
        let mut capped = self.cut(&mut sources, asked.caps.edges_per_target);

        let mut paths = Vec::new();
        for (connector, last_leg) in sources {
            let bound = asked.caps.edges_per_connector;
            let mut members = self.incoming(connector);
            members.retain(|(source, _)| self.is_from(asked, source));
            self.keep_useful(&mut members, |source| {
                !self.paths_through_member(asked, source, connector, target, last_leg).is_empty()
            });
            if members_asked {
                capped |= self.cut(&mut members, bound);
                for (source, _) in &members {
                    paths.extend(self.paths_through_member(asked, source, connector, target, last_leg));
                }
            }
            let mut advocates = self.incoming(connector);
            advocates.retain(|(source, _)| self.may_lead(asked, source, target));
            self.keep_useful(&mut advocates, |source| {
                !self.paths_through_advocate(asked, source, connector, target, last_leg).is_empty()
            });
            if advocates_asked {
                let shared = self.rules.make(Mistake::OneBoundForMembersAndAdvocates) && members_asked;
                let used = if shared { members.len() } else { 0 };
                capped |= self.cut(&mut advocates, bound - used.min(bound));
                for (source, _) in &advocates {
                    paths.extend(self.paths_through_advocate(asked, source, connector, target, last_leg));
                }
            }
        }
        (paths, capped)
    }

    /// The second_degree path that starts with the edge of this member to the connector, if it is one.
    fn paths_through_member<'a>(
        &'a self,
        asked: &Asked<'a>,
        source: &str,
        connector: &'a str,
        target: &'a str,
        last_leg: &'a Edge,
    ) -> Vec<WarmPath<'a>> {
        let Some(member) = asked.from.iter().copied().find(|member| member.person_id == source) else {
            return Vec::new();
        };
        let advocates_too = self.rules.make(Mistake::AdvocatesMakeSecondDegree);
        let is_advocate = self.accepted_advocates(&member.user_id).contains(connector);
        if source == target || (is_advocate && !advocates_too) {
            return Vec::new();
        }
        let legs = vec![self.edge(source, connector).unwrap(), last_leg];
        vec![WarmPath { tier: 2, member, advocate: None, connector, target, legs }]
    }

    /// The advocate_second_degree paths whose middle leg is this advocate's edge to the connector.
    fn paths_through_advocate<'a>(
        &'a self,
        asked: &Asked<'a>,
        advocate: &'a str,
        connector: &'a str,
        target: &'a str,
        last_leg: &'a Edge,
    ) -> Vec<WarmPath<'a>> {
        let known_too = self.rules.make(Mistake::KnownContactsThroughAdvocates);
        let mut paths = Vec::new();
        for member in &asked.from {
            let own = member.person_id.as_str();
            let helps = self.accepted_advocates(&member.user_id).contains(advocate);
            let knows = self.edge(own, connector).is_some() && !known_too;
            let ends = [own, advocate, connector, target];
            let distinct = (1..ends.len()).all(|at| !ends[..at].contains(&ends[at]));
            if helps && !knows && distinct {
                let legs =
                    vec![self.first_leg(own, advocate), self.edge(advocate, connector).unwrap(), last_leg];
                paths.push(WarmPath { tier: 3, member, advocate: Some(advocate), connector, target, legs });
            }
        }
        paths
    }

    /// Whether this person is a from-set member.
    fn is_from(&self, asked: &Asked<'_>, person: &str) -> bool {
        asked.from.iter().any(|member| member.person_id == person)
    }

    /// A member in the from-set is never a connector or an advocate.
    fn connects_never(&self, asked: &Asked<'_>, person: &str) -> bool {
        self.is_from(asked, person) && !self.rules.make(Mistake::FromSetConnects)
    }

    /// Whether this person is an accepted advocate of a from-set member, not one itself, and not the target.
    fn may_lead(&self, asked: &Asked<'_>, person: &str, target: &str) -> bool {
        let helps = |member: &&Member| self.accepted_advocates(&member.user_id).contains(person);
        asked.from.iter().any(helps) && !self.connects_never(asked, person) && person != target
    }

    /// The edge by which a member knows their accepted advocate; the build makes sure there is one.
    fn first_leg(&self, member: &str, advocate: &str) -> &Edge {
        static NONE: std::sync::OnceLock<Edge> = std::sync::OnceLock::new();
        self.edge(member, advocate).unwrap_or_else(|| NONE.get_or_init(Edge::default))
    }

    /// Keeps the first `bound` edges, and says whether one was left out.
    fn cut(&self, edges: &mut Vec<(&str, &Edge)>, bound: usize) -> bool {
        let at_the_bound = self.rules.make(Mistake::CappedAtTheBound) && edges.len() == bound;
        let capped = edges.len() > bound || at_the_bound;
        edges.truncate(bound);
        capped
    }

    /// The mistake of leaving out edges that yield no path before they are counted; otherwise nothing.
    fn keep_useful<'a>(&self, edges: &mut Vec<(&'a str, &'a Edge)>, useful: impl Fn(&'a str) -> bool) {
        if self.rules.make(Mistake::BoundCountsUsefulEdgesOnly) {
            edges.retain(|(source, _)| useful(source));
        }
    }
}
