//! Each answer to an agent equals the API's answer to the same question, field by field for the fields it shows.

mod explained;

use kith_server::limits::MCP_TEXT_BYTES_MAX;
use serde_json::{Value, json};

use crate::mcp::{Agent, served};
use crate::support::encoding::encoded;
use crate::support::{Credentials, Served, network_of, project};

/// The same questions, asked both ways.
struct Both<'a> {
    agent: Agent<'a>,
    /// The differences found between answers.
    differences: std::cell::RefCell<Vec<String>>,
}

/// The value an agent sees for a value of the API.
fn shown(value: &Value) -> Value {
    let Some(text) = value.as_str() else { return value.clone() };
    assert!(text.len() <= MCP_TEXT_BYTES_MAX, "the networks of this test hold no text that is cut: {text}");
    value.clone()
}

impl Both<'_> {
    async fn api(&self, path: &str) -> Value {
        let answer = self.agent.served.get(path, &self.agent.credential).await;
        assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.bytes));
        answer.json()
    }

    fn same(&self, what: &str, agents: &Value, apis: &Value) {
        if *agents != shown(apis) {
            self.differences.borrow_mut().push(format!("{what}: {agents} is not {apis}"));
        }
    }

    /// Compares the fields that `names` pair; one that is not there is as good as null.
    fn fields(&self, what: &str, agents: &Value, apis: &Value, names: &[(&str, &str)]) {
        for (agent, api) in names {
            self.same(&format!("{what} {agent}"), &agents[agent], &apis[api]);
        }
    }

    fn card(&self, what: &str, agents: &Value, apis: &Value, company: &str) {
        self.fields(
            what,
            agents,
            apis,
            &[("id", "id"), ("name", "name"), ("position", "position"), ("company", company)],
        );
    }

    fn intro(&self, what: &str, agents: &Value, apis: &Value) {
        let names = [
            ("status", "introStatus"),
            ("requested_by", "introRequestedBy"),
            ("requested_at", "introRequestedAt"),
        ];
        self.fields(what, &agents["intro"], apis, &names);
    }

    /// The first entries of a list of the API's, as many as an agent is shown.
    fn firsts(&self, what: &str, agents: &Value, apis: &Value, most: usize) {
        let empty = Vec::new();
        let apis = apis.as_array().unwrap_or(&empty);
        let apis: Vec<Value> = apis.iter().take(most).cloned().collect();
        let expected = if apis.is_empty() { Value::Null } else { json!(apis) };
        self.same(what, agents, &expected);
    }

    fn path(&self, what: &str, agents: &Value, apis: &Value) {
        self.fields(what, agents, apis, &[("type", "connectionType"), ("warmness", "warmness")]);
        self.fields(what, &agents["ask"], apis, &[("id", "fromUserId"), ("name", "fromUserName")]);
        if apis["connectionType"] == "direct" {
            assert!(agents.get("connector").is_none(), "{agents}");
        } else {
            self.card(what, &agents["connector"], &apis["connector"], "company");
        }
        self.card(what, &agents["via"], &apis["viaAdvocate"], "company");
        self.card(what, &agents["target"], &apis["target"], "company");
        self.firsts(what, &agents["why_connector"], &apis["userToConnectorSignals"], 2);
        self.firsts(what, &agents["why_target"], &apis["connectorToProspectSignals"], 2);
    }

    async fn introductions(&self, arguments: Value, query: &str) {
        let agents = self.agent.data("find_introductions", arguments.clone()).await;
        let apis =
            self.api(&format!("/api/v1/search/warm-paths?{query}&limit=10&include=match,reasons")).await;
        let (what, apis) = (arguments.to_string(), &apis["data"]);
        self.same(&what, &agents["found"], &json!(!apis["prospect"].is_null() || !apis["company"].is_null()));
        self.card(&what, &agents["person"], &apis["prospect"], "company");
        self.intro(&what, &agents["person"], &apis["prospect"]);
        let company =
            [("id", "id"), ("name", "name"), ("industry", "industry"), ("place", "headquartersLocation")];
        self.fields(&what, &agents["company"], &apis["company"], &company);
        self.fields(&what, &agents, apis, &[("total", "totalCount")]);
        self.same(&what, &agents["matched_by"], &apis["match"]["by"]);
        self.same(&what, &json!(agents["others"].as_u64().unwrap_or(0)), &apis["match"]["others"]);
        let candidates = agents["candidates"].as_array().map_or(0, Vec::len);
        assert_eq!(candidates, apis["match"]["alternatives"].as_array().unwrap().len(), "{what}");
        let withheld = agents["withheld"].as_u64().unwrap_or(0);
        self.same(&what, &json!(withheld), &apis["excludedIntroRequested"]);
        let codes = |list: &Value| -> Vec<Value> {
            list.as_array().into_iter().flatten().map(|reason| reason["code"].clone()).collect()
        };
        assert_eq!(codes(&agents["reasons"]), codes(&apis["reasons"]), "{what}");
        let (mine, theirs) = (agents["introductions"].as_array().unwrap(), apis["paths"].as_array().unwrap());
        assert!(mine.len() == theirs.len() || agents["next_cursor"].is_string(), "{what}: {agents}");
        mine.iter().zip(theirs).for_each(|(mine, theirs)| self.path(&what, mine, theirs));
        let is_all = mine.len() as u64 == agents["total"] && apis["coverage"]["capped"] == false;
        self.same(&what, &agents["complete"], &json!(is_all));
    }

    async fn people(&self, text: &str) {
        let agents = self.agent.data("find_person", json!({ "query": text, "limit": 7 })).await;
        let apis = self.api(&format!("/api/v1/search/people?q={}&limit=7", encoded(text))).await;
        let (mine, theirs) = (agents["people"].as_array().unwrap(), apis["data"].as_array().unwrap());
        assert_eq!(mine.len(), theirs.len(), "{text}");
        for (mine, theirs) in mine.iter().zip(theirs) {
            self.card(text, mine, theirs, "company");
            self.fields(
                text,
                mine,
                theirs,
                &[("city", "city"), ("degree", "degree"), ("warmness", "warmness")],
            );
            self.intro(text, mine, theirs);
            let known: Vec<Value> =
                mine["known_by"].as_array().unwrap().iter().map(|it| it["id"].clone()).collect();
            let ids = theirs["knownByUserIds"].as_array().unwrap();
            assert_eq!(known, ids.iter().take(3).cloned().collect::<Vec<_>>(), "{text}");
            assert_eq!(mine["known_by_count"], ids.len(), "{text}");
        }
    }

    async fn person(&self, id: &str) {
        let arguments = json!({ "id": id, "with_connections": true });
        let answer =
            self.agent.served.get(&format!("/api/v1/people/{}", encoded(id)), &self.agent.credential).await;
        if answer.status == 404 {
            assert_eq!(self.agent.refusal("get_person", arguments).await.0, "not_found");
            return;
        }
        let (agents, apis) = (self.agent.data("get_person", arguments).await, answer.json());
        let apis = &apis["data"];
        let names = [
            ("id", "id"),
            ("name", "name"),
            ("handle", "linkedinId"),
            ("position", "position"),
            ("city", "city"),
            ("connections_count", "connectionsCount"),
            ("degree", "degree"),
            ("warmness", "warmness"),
        ];
        self.fields(id, &agents, apis, &names);
        let company = [("id", "id"), ("name", "name"), ("industry", "industry")];
        self.fields(id, &agents["company"], &apis["currentCompany"], &company);
        self.firsts(id, &agents["why"], &apis["warmnessSignals"], 3);
        self.intro(id, &agents, apis);
        let path = format!("/api/v1/people/network?personId={}&limit=10", encoded(id));
        let answer = self.agent.served.get(&path, &self.agent.credential).await;
        if answer.status == 403 {
            assert!(agents.get("knows").is_none() && agents.get("coverage").is_none(), "{agents}");
            return;
        }
        let apis = answer.json();
        let apis = &apis["data"];
        let names =
            [("coverage", "coverage"), ("knows_total", "totalCount"), ("withheld", "excludedIntroRequested")];
        self.fields(id, &agents, apis, &names);
        let (mine, theirs) = (agents["knows"].as_array().unwrap(), apis["connections"].as_array().unwrap());
        assert!(mine.len() == theirs.len() || agents["complete"] == false, "{id}");
        for (mine, theirs) in mine.iter().zip(theirs) {
            self.card(id, mine, theirs, "currentCompany");
            self.fields(id, mine, theirs, &[("warmness", "warmness")]);
            self.firsts(id, &mine["why"], &theirs["warmnessSignals"], 1);
        }
    }

    async fn search(&self, words: &str) {
        let agents =
            self.agent.data("search_network", json!({ "description": words, "strictness": 2 })).await;
        let body = json!({ "query": words, "strictness": 2, "limit": 10, "include": ["ids"] });
        let apis =
            self.agent.served.post("/api/v1/search/network", &self.agent.credential, &body).await.json();
        self.same(words, &agents["total"], &apis["meta"]["totalCount"]);
        self.firsts(words, &agents["terms"], &apis["meta"]["searchTerms"], 12);
        let (mine, theirs) = (agents["people"].as_array().unwrap(), apis["data"].as_array().unwrap());
        assert_eq!(mine.len(), theirs.len(), "{words}");
        for (mine, theirs) in mine.iter().zip(theirs) {
            let names = [
                ("id", "id"),
                ("name", "name"),
                ("position", "position"),
                ("city", "city"),
                ("country", "country"),
            ];
            self.fields(words, mine, &theirs["person"], &names);
            self.same(words, &mine["company"], &theirs["currentCompany"]["name"]);
            self.fields(words, mine, theirs, &[("warmness", "warmness")]);
            let sources = theirs["connectionSources"].as_array().unwrap();
            assert_eq!(mine["sources"], json!(sources.iter().take(2).collect::<Vec<_>>()), "{words}");
        }
    }

    /// Lists of one endpoint.
    async fn list(&self, tool: &str, arguments: Value, path: &str, key: &str, rows: impl Fn(&Value, &Value)) {
        let agents = self.agent.data(tool, arguments).await;
        let apis = self.api(path).await;
        let (list, total) = match apis["data"].as_array() {
            Some(list) => (list, &apis["totalCount"]),
            None => (
                apis["data"].as_object().unwrap().values().find_map(Value::as_array).unwrap(),
                &apis["data"]["totalCount"],
            ),
        };
        self.same(path, &agents["total"], total);
        let mine = agents[key].as_array().unwrap();
        assert!(mine.len() == list.len() || agents["next_cursor"].is_string(), "{path}: {agents}");
        mine.iter().zip(list).for_each(|(mine, theirs)| rows(mine, theirs));
    }

    async fn lists(&self) {
        for text in ["a", "soft", "berlin"] {
            let path = format!("/api/v1/search/companies?q={text}&limit=10");
            let names = [
                ("id", "id"),
                ("name", "name"),
                ("industry", "industry"),
                ("place", "headquartersLocation"),
                ("min_size", "minSize"),
                ("max_size", "maxSize"),
            ];
            self.list("find_company", json!({ "query": text }), &path, "companies", |mine, theirs| {
                self.fields(text, mine, theirs, &names);
            })
            .await;
        }
        self.list("list_my_network", json!({}), "/api/v1/connections?limit=10", "people", |mine, theirs| {
            self.card("own", mine, theirs, "currentCompany");
        })
        .await;
        let (second, path) = (json!({ "degree": "second" }), "/api/v1/connections/second-degree?limit=10");
        self.list("list_my_network", second, path, "people", |mine, theirs| {
            self.card("second", mine, theirs, "currentCompany");
            self.fields("second", mine, theirs, &[("warmness", "warmness")]);
            self.fields("second", &mine["via"], &theirs["viaConnector"], &[("id", "id"), ("name", "name")]);
        })
        .await;
        let path = "/api/v1/ghost/opportunities?sort=relevancy&limit=10";
        self.list(
            "list_opportunities",
            json!({ "sort": "relevancy" }),
            path,
            "opportunities",
            |mine, theirs| {
                let names = [
                    ("id", "id"),
                    ("score", "overallScore"),
                    ("priority", "priority"),
                    ("status", "status"),
                    ("intro_requested", "introRequested"),
                    ("discovered_at", "discoveredAt"),
                ];
                self.fields("opportunity", mine, theirs, &names);
                self.card("opportunity", &mine["prospect"], &theirs["prospect"], "company");
                self.same("opportunity", &mine["discovered_by"], &theirs["discoveredBy"]["name"]);
                let best = [
                    ("id", "connectionId"),
                    ("name", "connectionName"),
                    ("type", "connectionType"),
                    ("strength", "strengthScore"),
                ];
                self.fields("opportunity", &mine["best_path"], &theirs["bestPath"], &best);
            },
        )
        .await;
    }

    async fn many(&self, targets: &[String]) {
        self.many_sorted(targets, "", "warmness").await;
        self.many_sorted(targets, "tier", "tier").await;
    }

    /// As [`Self::many`], with the argument `sort`, if there is one, and the order that it stands for.
    async fn many_sorted(&self, targets: &[String], sort: &str, order: &str) {
        let sort = Some(sort).filter(|sort| !sort.is_empty());
        let arguments = json!({ "targets": targets, "limit": 2, "sort": sort });
        let agents = self.agent.data("find_introductions", arguments).await;
        let answered = agents["results"].as_array().unwrap();
        let left = agents["unanswered"].as_u64().unwrap_or(0);
        assert_eq!(answered.len() as u64 + left, targets.len() as u64);
        assert!(answered.len() > 5, "{agents}");
        for (asked, mine) in targets.iter().zip(answered) {
            let path =
                format!("/api/v1/search/warm-paths?prospectId={}&limit=2&sort={order}", encoded(asked));
            let apis = self.api(&path).await;
            let apis = &apis["data"];
            let target = if apis["prospect"].is_null() { &apis["company"] } else { &apis["prospect"] };
            self.fields(asked, mine, target, &[("id", "id"), ("name", "name")]);
            self.fields(asked, mine, apis, &[("total", "totalCount")]);
            let (mine, theirs) = (mine["best"].as_array().unwrap(), apis["paths"].as_array().unwrap());
            assert_eq!(mine.len(), theirs.len(), "{asked}");
            for (mine, theirs) in mine.iter().zip(theirs) {
                self.fields(
                    asked,
                    mine,
                    theirs,
                    &[("type", "connectionType"), ("warmness", "warmness"), ("ask", "fromUserName")],
                );
                if theirs["connectionType"] != "direct" {
                    self.same(asked, &mine["connector_id"], &theirs["connector"]["id"]);
                }
                self.same(asked, &mine["target"], &theirs["target"]["name"]);
            }
        }
    }
}

/// Asks everything of a network both ways; what differs.
async fn compare(served: &Served, fixture: &str, credential: String, step: usize) -> Vec<String> {
    let both = Both { agent: Agent { served, credential }, differences: Default::default() };
    let network = network_of(&project("fixtures").join(fixture));
    let (people, companies) = (&network.index.data.people, &network.index.data.companies);
    let texts = |text: &str, key: &str, parameter: &str| {
        let (value, query) = (text.to_owned(), format!("{parameter}={}", encoded(text)));
        (json!({ key: value }), query)
    };
    for row in (0..people.len() as u32).step_by(step) {
        let mut asked = vec![
            texts(people.ids.get(row), "person", "prospectId"),
            texts(people.names.get(row), "person", "prospectName"),
        ];
        asked.extend(people.handles.value(row).map(|handle| texts(handle, "person", "prospectLinkedinId")));
        asked.extend(people.emails.value(row).map(|email| texts(email, "person", "prospectEmail")));
        for (arguments, query) in asked {
            both.introductions(arguments, &query).await;
        }
        both.person(people.ids.get(row)).await;
    }
    for row in (0..companies.ids.len() as u32).step_by(step) {
        for (arguments, query) in [
            texts(companies.ids.get(row), "company", "prospectId"),
            texts(companies.names.get(row), "company", "prospectCompany"),
        ] {
            both.introductions(arguments, &query).await;
        }
    }
    for text in ["a", "an", "ana", "engineer", "zzz"] {
        both.people(text).await;
    }
    for words in ["engineers", "heads of finance in Berlin", "founders not in Lisboa", "people"] {
        both.search(words).await;
        both.explained(words).await;
    }
    both.lists().await;
    let targets: Vec<String> = (0..people.len() as u32)
        .chain(0..companies.ids.len() as u32)
        .step_by(step)
        .map(|row| row as usize)
        .enumerate()
        .map(|(place, row)| {
            let is_company = place % 2 == 0 && row < companies.ids.len();
            let ids = if is_company { &companies.ids } else { &people.ids };
            ids.get(row as u32).to_owned()
        })
        .take(20)
        .collect();
    both.many(&targets).await;
    both.differences.into_inner()
}

#[tokio::test]
async fn what_an_agent_is_shown_is_what_the_api_answers() {
    let credentials = Credentials::new();
    for (fixture, organization, user, step) in [
        ("tiny", "org_tiny", "user_ana", 1),
        ("tiny", "org_tiny", "user_cai", 1),
        ("demo/fernhollow", "org_fernhollow", "user_f37qch", 15),
    ] {
        let served = served(fixture, &credentials);
        let credential = credentials.token(organization, user);
        assert_eq!(compare(&served, fixture, credential, step).await, [""; 0], "{fixture}");
    }
}

/// The control: a network in which one edge is warmer differs.
#[tokio::test]
async fn an_answer_of_another_network_is_found_to_differ() {
    let credentials = Credentials::new();
    let served = served("tiny", &credentials);
    let agent = Agent { served: &served, credential: credentials.token("org_tiny", "user_ana") };
    let both = Both { agent, differences: Default::default() };
    // The same question about other people.
    both.introductions(json!({ "person": "person_pia" }), "prospectId=person_que").await;
    assert!(!both.differences.into_inner().is_empty());
}
